/* Validates command packets from untrusted files, whose arguments no API call has checked.
 *
 * Executors and renderer accept any state value, and treat a handle of the wrong kind as no handle.
 * These checks ensure that resources fit their use, and that sizes and boxes lie inside the
 * resource.
 *
 * Tested by tests/fuzz/trace/test_nvs.c. */
#include "cmd/stream.h"

enum {
    MAX_PRIMITIVES = 1 << 24, /* above the caps of all profiles; limits the work of bad files */
    MAX_STRIDE = 1 << 16
};

/* --- Images ----------------------------------------------------------------------------------- */

static const struct tex_image *image_of(struct cmd_stream *s, cmd_handle handle)
{
    const struct cmd_resource *resource = cmd_resource(s, handle, CMD_IMAGE);

    return resource ? resource->image : NULL;
}

static const struct tex_level *level_of(struct cmd_stream *s, const struct cmd_surface *surface)
{
    const struct tex_image *image = image_of(s, surface->image);

    if (!image || surface->face >= image->faces || surface->level >= image->desc.levels)
        return NULL;
    return &image->level[surface->face * image->desc.levels + surface->level];
}

static bool texture_ok(struct cmd_stream *s, const struct cmd_set_texture *p)
{
    const struct tex_image *image = image_of(s, p->image);

    return p->sampler < DRAW_SAMPLERS &&
           (!image || (image->desc.samples == 1 && image->format->caps & TEX_SAMPLE));
}

/* For a volume, `face` is the slice. */
static bool target_ok(struct cmd_stream *s, const struct cmd_set_target *p)
{
    const struct tex_image *image = image_of(s, p->surface.image);
    bool depth = p->index == CMD_DEPTH_TARGET;
    uint32_t faces;

    if (p->index > CMD_DEPTH_TARGET || !image)
        return p->index <= CMD_DEPTH_TARGET;
    if (p->surface.level >= image->desc.levels)
        return false;
    faces =
        image->desc.shape == TEX_VOLUME_MAP ? image->level[p->surface.level].depth : image->faces;
    if (p->surface.face >= faces)
        return false;
    return (image->format->layout == TEX_LAYOUT_DEPTH) == depth &&
           (image->format->caps & (depth ? TEX_DEPTHSTENCIL : TEX_TARGET) ||
            image->format->layout == TEX_LAYOUT_RAW);
}

/* The samples of a multisampled surface are stored like slices. */
static uint32_t slices(const struct tex_image *image, const struct tex_level *level)
{
    return level->depth * image->desc.samples;
}

static bool edge_ok(uint32_t from, uint32_t to, uint32_t block, uint32_t size)
{
    return from < to && to <= size && from % block == 0 && (to % block == 0 || to == size);
}

static bool box_ok(const struct tex_image *image, const struct tex_level *level,
                   const struct cmd_box *box)
{
    return edge_ok(box->x0, box->x1, tex_box_step_x(image->format), level->width) &&
           edge_ok(box->y0, box->y1, tex_box_step_y(image->format), level->height) &&
           edge_ok(box->z0, box->z1, 1, slices(image, level));
}

static bool copy_ok(struct cmd_stream *s, const struct cmd_copy *p)
{
    const struct tex_level *dst = level_of(s, &p->dst), *src = level_of(s, &p->src);
    const struct tex_image *to = image_of(s, p->dst.image), *from = image_of(s, p->src.image);
    struct cmd_box box = {p->x, p->y, p->z, 0, 0, 0};

    if (!dst || !src || !box_ok(from, src, &p->box) || p->x > dst->width || p->y > dst->height ||
        p->z > slices(to, dst))
        return false;
    box.x1 = p->x + (p->box.x1 - p->box.x0);
    box.y1 = p->y + (p->box.y1 - p->box.y0);
    box.z1 = p->z + (p->box.z1 - p->box.z0);
    return cmd_can_copy(to->format, from->format) && box_ok(to, dst, &box);
}

static bool stretch_ok(struct cmd_stream *s, const struct cmd_stretch *p)
{
    const struct tex_level *dst = level_of(s, &p->dst), *src = level_of(s, &p->src);
    const struct tex_image *to = image_of(s, p->dst.image), *from = image_of(s, p->src.image);

    if (!dst || !src || !box_ok(to, dst, &p->dst_box) || !box_ok(from, src, &p->src_box))
        return false;
    if (from->desc.samples > 1 && to->desc.samples == 1) /* multisample resolve */
        return to->format == from->format && dst->width == src->width && dst->height == src->height;
    return to->format == from->format || tex_can_convert(to->format, from->format);
}

static bool fill_ok(struct cmd_stream *s, const struct cmd_fill *p)
{
    const struct tex_level *dst = level_of(s, &p->dst);
    const struct tex_image *to = image_of(s, p->dst.image);
    const struct cmd_box *box = &p->box;

    if (!dst || !box_ok(to, dst, box))
        return false;
    return to->format->layout != TEX_LAYOUT_DEPTH ||
           (!p->dst.face && !p->dst.level && !box->x0 && !box->y0 && box->x1 == dst->width &&
            box->y1 == dst->height);
}

/* The executor checks the rest. */
static bool compose_ok(const struct cmd_compose_rects *p)
{
    return p->count <= UINT16_MAX;
}

static bool mips_ok(struct cmd_stream *s, const struct cmd_generate_mips *p)
{
    const struct tex_image *image = image_of(s, p->image);

    return image && image->desc.shape != TEX_VOLUME_MAP &&
           tex_can_convert(image->format, image->format);
}

static bool write_image_ok(struct cmd_stream *s, const struct cmd_write_image *p, size_t data_bytes)
{
    const struct tex_level *level = level_of(s, &p->dst);

    return level && data_bytes == cmd_level_bytes(image_of(s, p->dst.image), level);
}

/* --- Buffers and draws ------------------------------------------------------------------------ */

static bool write_buffer_ok(struct cmd_stream *s, const struct cmd_write_buffer *p,
                            size_t data_bytes)
{
    const struct cmd_resource *buffer = cmd_resource(s, p->buffer, CMD_BUFFER);

    return buffer && p->offset <= buffer->buffer.size &&
           data_bytes <= buffer->buffer.size - p->offset;
}

static bool shader_ok(struct cmd_stream *s, const struct cmd_set_shader *p)
{
    const struct cmd_resource *shader = cmd_resource(s, p->shader, CMD_SHADER);

    return p->pixel < 2 &&
           (!shader || (vm_program_info(shader->u.shader)->stage == VM_PIXEL) == (p->pixel == 1));
}

static bool constants_ok(const struct cmd_set_constants *p, size_t data_bytes)
{
    return p->kind <= CMD_BOOLS && p->count <= DRAW_VS_FLOATS &&
           data_bytes == (size_t)p->count * (p->kind == CMD_BOOLS ? 4 : 16);
}

static bool primitives_ok(uint32_t type, uint32_t n)
{
    return type >= D3DPT_POINTLIST && type <= D3DPT_TRIANGLEFAN && n <= MAX_PRIMITIVES;
}

static bool draw_up_ok(const struct cmd_draw_up *p, size_t data_bytes)
{
    size_t indices_at = ((size_t)p->vertex_bytes + 15) & ~(size_t)15;
    size_t bytes = p->index_bytes ? indices_at + p->index_bytes_total : p->vertex_bytes;

    return primitives_ok(p->type, p->primitives) && data_bytes >= bytes &&
           (p->index_bytes == 0 || p->index_bytes == 2 || p->index_bytes == 4) &&
           p->stride <= MAX_STRIDE;
}

static bool process_ok(struct cmd_stream *s, const struct cmd_process_vertices *p)
{
    const struct cmd_resource *buffer = cmd_resource(s, p->dst_buffer, CMD_BUFFER);
    uint64_t end = ((uint64_t)p->dst_index + p->count) * p->dst_stride;

    return buffer && cmd_resource(s, p->declaration, CMD_DECLARATION) && p->dst_stride &&
           p->dst_stride <= MAX_STRIDE && end <= buffer->buffer.size;
}

static bool patch_ok(struct cmd_stream *s, const struct cmd_draw_patch *p, size_t data_bytes)
{
    const struct cmd_resource *decl = cmd_resource(s, p->declaration, CMD_DECLARATION);
    const struct tess_patch patch = {.triangle = p->triangle != 0,
                                     .basis = (D3DBASISTYPE)p->basis,
                                     .degree = (D3DDEGREETYPE)p->degree,
                                     .width = p->width,
                                     .height = p->height};
    uint64_t points = tess_patch_points(&patch);

    return tess_patch_is_valid(&patch) && points <= DRAW_PATCH_POINTS &&
           (!decl || points * decl->u.declaration->n * DRAW_PATCH_ELEMENT <= data_bytes);
}

/* --- Dispatch --------------------------------------------------------------------------------- */

static bool packet_ok(struct cmd_stream *s, enum cmd_op op, const void *p, size_t data_bytes)
{
    switch (op) {
    case CMD_SET_TEXTURE:
        return texture_ok(s, p);
    case CMD_SET_LIGHTS:
        return data_bytes == ((const struct cmd_set_lights *)p)->count * sizeof(D3DLIGHT9);
    case CMD_SET_STREAM:
        return ((const struct cmd_set_stream *)p)->stream < DRAW_STREAMS &&
               ((const struct cmd_set_stream *)p)->stride <= MAX_STRIDE;
    case CMD_SET_SHADER:
        return shader_ok(s, p);
    case CMD_SET_CONSTANTS:
        return constants_ok(p, data_bytes);
    case CMD_SET_TARGET:
        return target_ok(s, p);
    case CMD_CLEAR:
        return data_bytes == (uint64_t)((const struct cmd_clear *)p)->n_rects * sizeof(D3DRECT);
    case CMD_DRAW:
        return primitives_ok(((const struct cmd_draw *)p)->type,
                             ((const struct cmd_draw *)p)->primitives);
    case CMD_DRAW_UP:
        return draw_up_ok(p, data_bytes);
    case CMD_DRAW_PATCH:
        return patch_ok(s, p, data_bytes);
    case CMD_PROCESS_VERTICES:
        return process_ok(s, p);
    case CMD_COPY:
        return copy_ok(s, p);
    case CMD_STRETCH:
        return stretch_ok(s, p);
    case CMD_FILL:
        return fill_ok(s, p);
    case CMD_GENERATE_MIPS:
        return mips_ok(s, p);
    case CMD_COMPOSE_RECTS:
        return compose_ok(p);
    case CMD_SET_BACKING: /* internal: only the stream knows its backings */
    case CMD_DESTROY:     /* callers use cmd_destroy */
        return false;
    case CMD_WRITE_BUFFER:
        return write_buffer_ok(s, p, data_bytes);
    case CMD_WRITE_IMAGE:
        return write_image_ok(s, p, data_bytes);
    default:
        return true;
    }
}

enum status cmd_check(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                      size_t data_bytes)
{
    return packet_ok(stream, op, packet, data_bytes) ? ST_OK : ST_INVALID;
}
