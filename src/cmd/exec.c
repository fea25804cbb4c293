/* What each packet does to the render state and the renderer. */
#include "cmd/stream.h"

#include <string.h>
#include <time.h>

/* Each executor is exec_<name>(stream, packet, data, data_bytes) with the packet's own type; the
 * table's entries unwrap it. */
#define PACKET(ID, name)                                                                           \
    static enum status exec_##name(struct cmd_stream *s, const struct cmd_##name *p,               \
                                   const void *data, size_t data_bytes);                           \
    static enum status unwrap_##name(struct cmd_stream *s, const void *p, const void *data,        \
                                     size_t data_bytes)                                            \
    {                                                                                              \
        return exec_##name(s, p, data, data_bytes);                                                \
    }
#include "cmd/packets.def"
#undef PACKET

cmd_exec_fn *const cmd_exec[CMD_OP_COUNT] = {
#define PACKET(ID, name) [CMD_##ID] = unwrap_##name,
#include "cmd/packets.def"
#undef PACKET
};

#define EXEC(name)                                                                                 \
    static enum status exec_##name(struct cmd_stream *s, const struct cmd_##name *p,               \
                                   const void *data, size_t data_bytes)
#define NO_DATA ((void)data, (void)data_bytes)

/* --- State ------------------------------------------------------------------------------------ */

EXEC(set_render_state)
{
    NO_DATA;
    if (p->state >= FF_RENDER_STATES)
        return ST_INVALID;
    if (p->state == D3DRS_POINTSIZE &&
        (p->value == CMD_ALPHA_TO_MASK_ON || p->value == CMD_ALPHA_TO_MASK_OFF)) {
        s->state.alpha_to_mask = p->value == CMD_ALPHA_TO_MASK_ON;
        return ST_OK;
    }
    s->state.render[p->state] = p->value;
    return ST_OK;
}

EXEC(set_sampler_state)
{
    NO_DATA;
    if (p->sampler >= DRAW_SAMPLERS || p->state >= DRAW_SAMPLER_STATES)
        return ST_INVALID;
    s->state.sampler[p->sampler][p->state] = p->value;
    return ST_OK;
}

EXEC(set_stage_state)
{
    NO_DATA;
    if (p->stage >= FF_STAGES || p->state >= FF_STAGE_STATES)
        return ST_INVALID;
    s->state.stage[p->stage][p->state] = p->value;
    return ST_OK;
}

EXEC(set_texture)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (p->sampler >= DRAW_SAMPLERS)
        return ST_INVALID;
    s->bound.texture[p->sampler] = resource ? p->image : 0;
    s->state.texture[p->sampler] = (struct draw_texture){
        .image = resource ? resource->u.image : NULL, .lod = resource ? resource->lod : 0};
    return ST_OK;
}

EXEC(set_texture_lod)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    resource->lod = p->lod;
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->bound.texture[i] == p->image)
            s->state.texture[i].lod = p->lod;
    return ST_OK;
}

static D3DMATRIX *transform_slot(struct draw_state *state, uint32_t which)
{
    if (which == D3DTS_VIEW)
        return &state->view;
    if (which == D3DTS_PROJECTION)
        return &state->projection;
    if (which >= D3DTS_TEXTURE0 && which <= D3DTS_TEXTURE7)
        return &state->texture_matrix[which - D3DTS_TEXTURE0];
    if (which >= 256 && which < 512)
        return &state->world[which - 256];
    return NULL;
}

EXEC(set_transform)
{
    D3DMATRIX *slot = transform_slot(&s->state, p->state);

    NO_DATA;
    if (!slot)
        return ST_INVALID;
    memcpy(slot, p->m, sizeof(*slot));
    if (p->state >= D3DTS_WORLD && p->state - D3DTS_WORLD >= s->state.n_world)
        s->state.n_world = p->state - D3DTS_WORLD + 1;
    return ST_OK;
}

EXEC(set_material)
{
    NO_DATA;
    s->state.material = p->material;
    return ST_OK;
}

EXEC(set_lights)
{
    uint32_t n = p->count < FF_LIGHTS ? p->count : FF_LIGHTS;

    if (data_bytes < n * sizeof(D3DLIGHT9))
        return ST_INVALID;
    if (n)
        memcpy(s->state.light, data, n * sizeof(D3DLIGHT9));
    s->state.n_lights = n;
    return ST_OK;
}

EXEC(set_clip_plane)
{
    NO_DATA;
    if (p->index >= 6)
        return ST_INVALID;
    memcpy(s->state.clip_plane[p->index], p->plane, sizeof(p->plane));
    return ST_OK;
}

EXEC(set_clip_status)
{
    NO_DATA;
    s->clip_status = (D3DCLIPSTATUS9){p->any, p->all};
    return ST_OK;
}

EXEC(set_software)
{
    NO_DATA;
    s->state.clip_status = p->on ? &s->clip_status : NULL;
    s->state.software_vertices = p->on != 0;
    return ST_OK;
}

EXEC(set_viewport)
{
    NO_DATA;
    s->state.viewport = p->viewport;
    return ST_OK;
}

EXEC(set_scissor)
{
    NO_DATA;
    s->state.scissor = (RECT){p->left, p->top, p->right, p->bottom};
    return ST_OK;
}

EXEC(set_stream)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);
    struct draw_stream *stream;

    NO_DATA;
    if (p->stream >= DRAW_STREAMS)
        return ST_INVALID;
    stream = &s->state.stream[p->stream];
    s->bound.stream[p->stream] = resource ? p->buffer : 0;
    stream->data = resource ? resource->u.buffer.data : NULL;
    stream->size = resource ? resource->u.buffer.size : 0;
    stream->offset = p->offset;
    stream->stride = p->stride;
    return ST_OK;
}

EXEC(set_stream_frequency)
{
    NO_DATA;
    if (p->stream >= DRAW_STREAMS)
        return ST_INVALID;
    s->state.stream[p->stream].frequency = p->setting;
    return ST_OK;
}

EXEC(set_indices)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);

    NO_DATA;
    s->bound.indices = resource ? p->buffer : 0;
    s->state.indices.data = resource ? resource->u.buffer.data : NULL;
    s->state.indices.size = resource ? resource->u.buffer.size : 0;
    s->state.indices.bytes = p->index_bytes == 4 ? 4 : 2;
    return ST_OK;
}

EXEC(set_declaration)
{
    struct cmd_resource *resource = cmd_resource(s, p->declaration, CMD_DECLARATION);

    NO_DATA;
    s->bound_declaration = resource ? p->declaration : 0;
    s->state.decl = resource ? resource->u.declaration : NULL;
    return ST_OK;
}

EXEC(set_shader)
{
    struct cmd_resource *resource = cmd_resource(s, p->shader, CMD_SHADER);
    unsigned pixel = p->pixel != 0;

    NO_DATA;
    s->bound_shader[pixel] = resource ? p->shader : 0;
    *(pixel ? &s->state.ps : &s->state.vs) = resource ? resource->u.shader : NULL;
    return ST_OK;
}

EXEC(set_constants)
{
    struct draw_shader_constants *c = p->pixel ? &s->state.ps_constants : &s->state.vs_constants;
    static const struct {
        uint32_t count, bytes;
    } limit[] = {[CMD_FLOATS] = {DRAW_VS_FLOATS, 16},
                 [CMD_INTS] = {DRAW_INTS, 16},
                 [CMD_BOOLS] = {DRAW_BOOLS, 4}};
    uint8_t *base;

    if (p->kind > CMD_BOOLS || p->start > limit[p->kind].count ||
        p->count > limit[p->kind].count - p->start ||
        data_bytes < (size_t)p->count * limit[p->kind].bytes)
        return ST_INVALID;
    base = p->kind == CMD_FLOATS ? (uint8_t *)c->f
           : p->kind == CMD_INTS ? (uint8_t *)c->i
                                 : (uint8_t *)c->b;
    if (p->count)
        memcpy(base + (size_t)p->start * limit[p->kind].bytes, data,
               (size_t)p->count * limit[p->kind].bytes);
    return ST_OK;
}

EXEC(set_target)
{
    struct cmd_resource *resource = cmd_resource(s, p->surface.image, CMD_IMAGE);
    struct draw_target *target;

    NO_DATA;
    if (p->index > CMD_DEPTH_TARGET)
        return ST_INVALID;
    target = p->index == CMD_DEPTH_TARGET ? &s->state.depth : &s->state.target[p->index];
    s->bound.target[p->index] = resource ? p->surface.image : 0;
    *target = (struct draw_target){.image = resource ? resource->u.image : NULL,
                                   .face = p->surface.face,
                                   .level = p->surface.level};
    return ST_OK;
}

EXEC(set_palette)
{
    NO_DATA;
    if (!memcmp(s->state.palette, p->colour, sizeof(p->colour)))
        return ST_OK;
    draw_flush(s->draw); /* samplers of the open scene read it */
    memcpy(s->state.palette, p->colour, sizeof(p->colour));
    return ST_OK;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

EXEC(clear)
{
    struct draw_clear clear = {.flags = p->flags,
                               .colour = p->colour,
                               .z = p->z,
                               .stencil = p->stencil,
                               .rects = p->n_rects ? data : NULL,
                               .n_rects = p->n_rects};

    if (data_bytes < (size_t)p->n_rects * sizeof(D3DRECT))
        return ST_INVALID;
    return draw_clear(s->draw, &s->state, &clear);
}

EXEC(draw)
{
    struct draw_args args = {.type = (D3DPRIMITIVETYPE)p->type,
                             .primitives = p->primitives,
                             .indexed = p->indexed != 0,
                             .base_vertex = p->base_vertex,
                             .start_index = p->start_index,
                             .min_index = p->min_index,
                             .vertices = p->vertices};

    NO_DATA;
    s->state.occlusion = occlusion_counter(&s->occlusion);
    return draw_primitives(s->draw, &s->state, &args);
}

/* Stream 0 and the indices are the packet's data for this one draw. */
EXEC(draw_up)
{
    struct draw_stream stream = s->state.stream[0];
    struct draw_args args = {.type = (D3DPRIMITIVETYPE)p->type,
                             .primitives = p->primitives,
                             .indexed = p->index_bytes != 0,
                             .min_index = p->min_index,
                             .vertices = p->vertices};
    size_t indices_at = ((size_t)p->vertex_bytes + 15) & ~(size_t)15;
    enum status st;

    if (data_bytes < (p->index_bytes ? indices_at + p->index_bytes_total : p->vertex_bytes))
        return ST_INVALID;
    s->state.stream[0].data = data;
    s->state.stream[0].size = p->vertex_bytes;
    s->state.stream[0].offset = 0;
    s->state.stream[0].stride = p->stride;
    if (args.indexed) {
        s->state.indices.data = (const uint8_t *)data + indices_at;
        s->state.indices.size = p->index_bytes_total;
        s->state.indices.bytes = p->index_bytes == 4 ? 4 : 2;
    }
    s->state.occlusion = occlusion_counter(&s->occlusion);
    st = draw_primitives(s->draw, &s->state, &args);
    s->state.stream[0] = stream;
    if (args.indexed) {
        struct cmd_resource *resource = cmd_resource(s, s->bound.indices, CMD_BUFFER);

        s->state.indices.data = resource ? resource->u.buffer.data : NULL;
        s->state.indices.size = resource ? resource->u.buffer.size : 0;
    }
    return st;
}

EXEC(process_vertices)
{
    struct cmd_resource *buffer = cmd_resource(s, p->dst_buffer, CMD_BUFFER);
    struct cmd_resource *decl = cmd_resource(s, p->declaration, CMD_DECLARATION);
    uint64_t at = (uint64_t)p->dst_index * p->dst_stride;
    struct draw_process process = {.start = p->start,
                                   .count = p->count,
                                   .dst_stride = p->dst_stride,
                                   .decl = decl ? decl->u.declaration : NULL,
                                   .flags = p->flags};

    NO_DATA;
    if (!buffer || at > buffer->u.buffer.size)
        return ST_INVALID;
    process.dst = buffer->u.buffer.data + at;
    process.dst_size = buffer->u.buffer.size - (size_t)at;
    return draw_process_vertices(s->draw, &s->state, &process);
}

/* --- Copies ----------------------------------------------------------------------------------- */

static struct tex_image *sync_surface(struct cmd_stream *s, const struct cmd_surface *surface)
{
    struct cmd_resource *resource = cmd_resource(s, surface->image, CMD_IMAGE);

    if (!resource || surface->face >= resource->u.image->faces ||
        surface->level >= resource->u.image->desc.levels)
        return NULL;
    draw_sync(s->draw, resource->u.image);
    return resource->u.image;
}

static struct tex_box box_of(const struct cmd_box *box)
{
    return (struct tex_box){box->x0, box->y0, box->z0, box->x1, box->y1, box->z1};
}

EXEC(copy)
{
    struct tex_image *dst = sync_surface(s, &p->dst), *src = sync_surface(s, &p->src);
    struct tex_box box = box_of(&p->box);

    NO_DATA;
    if (!dst || !src || (dst->format != src->format && !tex_same_depth(dst->format, src->format)))
        return ST_INVALID;
    tex_copy(dst->format, tex_image_level(dst, p->dst.face, p->dst.level), p->x, p->y, p->z,
             tex_image_level(src, p->src.face, p->src.level), &box);
    box = (struct tex_box){
        p->x, p->y, p->z, p->x + box.x1 - box.x0, p->y + box.y1 - box.y0, p->z + box.z1 - box.z0};
    tex_image_touch_box(dst, p->dst.face, p->dst.level, &box);
    return ST_OK;
}

EXEC(stretch)
{
    struct tex_image *dst = sync_surface(s, &p->dst), *src = sync_surface(s, &p->src);
    struct tex_box dst_box = box_of(&p->dst_box), src_box = box_of(&p->src_box);

    NO_DATA;
    if (!dst || !src)
        return ST_INVALID;
    if (src->desc.samples > 1 && dst->desc.samples == 1)
        return tex_resolve(dst, src);
    return tex_stretch(dst, p->dst.face, p->dst.level, &dst_box, src, p->src.face, p->src.level,
                       &src_box, p->filter);
}

EXEC(fill)
{
    struct tex_image *dst = sync_surface(s, &p->dst);
    struct tex_box box = box_of(&p->box);

    NO_DATA;
    if (!dst)
        return ST_INVALID;
    return tex_fill(dst, p->dst.face, p->dst.level, &box, p->colour);
}

EXEC(generate_mips)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);
    enum status st;

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    draw_sync(s->draw, resource->u.image);
    st = tex_generate_mips(resource->u.image, p->filter);
    tex_image_touch(resource->u.image);
    return st;
}

/* --- Queries and presents --------------------------------------------------------------------- */

EXEC(begin_query)
{
    struct cmd_resource *resource = cmd_resource(s, p->query, CMD_QUERY);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    if (resource->u.query->type == D3DQUERYTYPE_OCCLUSION)
        occlusion_begin(&s->occlusion, s->draw, &resource->u.query->occlusion);
    resource->u.query->value = 0;
    return ST_OK;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

EXEC(end_query)
{
    struct cmd_resource *resource = cmd_resource(s, p->query, CMD_QUERY);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    occlusion_end(&s->occlusion, s->draw, &resource->u.query->occlusion);
    if (resource->u.query->type == D3DQUERYTYPE_TIMESTAMP) {
        draw_flush(s->draw);
        resource->u.query->value = nanoseconds();
    }
    return ST_OK;
}

EXEC(present)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    cmd_settle(s);
    if (s->present)
        s->present(s->present_ctx, p, resource->u.image);
    return ST_OK;
}

/* --- Bindings --------------------------------------------------------------------------------- */

static void unbind(struct cmd_stream *s, cmd_handle handle)
{
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->bound.texture[i] == handle)
            (void)!exec_set_texture(s, &(struct cmd_set_texture){.sampler = i}, NULL, 0);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (s->bound.stream[i] == handle)
            (void)!exec_set_stream(s, &(struct cmd_set_stream){.stream = i}, NULL, 0);
    for (unsigned i = 0; i <= DRAW_TARGETS; i++)
        if (s->bound.target[i] == handle)
            (void)!exec_set_target(s, &(struct cmd_set_target){.index = i}, NULL, 0);
    for (unsigned i = 0; i < 2; i++)
        if (s->bound_shader[i] == handle)
            (void)!exec_set_shader(s, &(struct cmd_set_shader){.pixel = i}, NULL, 0);
    if (s->bound.indices == handle)
        (void)!exec_set_indices(s, &(struct cmd_set_indices){.index_bytes = 2}, NULL, 0);
    if (s->bound_declaration == handle)
        (void)!exec_set_declaration(s, &(struct cmd_set_declaration){0}, NULL, 0);
}

/* --- Resources -------------------------------------------------------------------------------- */

EXEC(destroy)
{
    struct cmd_resource *resource = cmd_any_resource(s, p->handle);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    unbind(s, p->handle);
    cmd_free_resource(s, resource);
    return ST_OK;
}

static void show_image(struct cmd_stream *s, cmd_handle handle, struct tex_image *image)
{
    cmd_resource(s, handle, CMD_IMAGE)->u.image = image;
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->bound.texture[i] == handle)
            s->state.texture[i].image = image;
}

static void show_buffer(struct cmd_stream *s, cmd_handle handle, uint8_t *data)
{
    cmd_resource(s, handle, CMD_BUFFER)->u.buffer.data = data;
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (s->bound.stream[i] == handle)
            s->state.stream[i].data = data;
    if (s->bound.indices == handle)
        s->state.indices.data = data;
}

EXEC(set_storage)
{
    struct cmd_resource *resource = cmd_any_resource(s, p->handle);

    NO_DATA;
    if (!resource || !resource->version || p->version >= CMD_VERSIONS)
        return ST_INVALID;
    if (resource->kind == CMD_IMAGE)
        show_image(s, p->handle, resource->version[p->version].image);
    else
        show_buffer(s, p->handle, resource->version[p->version].data);
    return ST_OK;
}

EXEC(touch)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    draw_sync(s->draw, resource->u.image); /* what was drawn while it was mapped */
    tex_image_touch(resource->u.image);
    return ST_OK;
}

EXEC(write_buffer)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);

    if (!resource || p->offset > resource->u.buffer.size ||
        data_bytes > resource->u.buffer.size - p->offset)
        return ST_INVALID;
    memcpy(resource->u.buffer.data + p->offset, data, data_bytes);
    return ST_OK;
}

EXEC(write_image)
{
    struct tex_image *dst = sync_surface(s, &p->dst);

    if (!dst)
        return ST_INVALID;
    memcpy(tex_image_level(dst, p->dst.face, p->dst.level)->data, data, data_bytes);
    return ST_OK;
}
