/* Executors of the command packets that copy, fill, destroy, rename or upload resources.
 * Tested by tests/unit/api/test_order.c and tests/unit/api/memory/test_lock.c. */
#include "cmd/exec.h"

#include <string.h>

/* --- Copies ----------------------------------------------------------------------------------- */

/* Flushes draws that use the image. NULL: the surface does not exist. */
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

enum status exec_copy(struct cmd_stream *s, const struct cmd_copy *p, const void *data,
                      size_t data_bytes)
{
    struct tex_image *dst = sync_surface(s, &p->dst), *src = sync_surface(s, &p->src);
    struct tex_box box = box_of(&p->box);

    NO_DATA;
    if (!dst || !src || !cmd_can_copy(dst->format, src->format))
        return ST_INVALID;
    tex_copy(dst->format, tex_image_level(dst, p->dst.face, p->dst.level), p->x, p->y, p->z,
             tex_image_level(src, p->src.face, p->src.level), &box);
    box = (struct tex_box){
        p->x, p->y, p->z, p->x + box.x1 - box.x0, p->y + box.y1 - box.y0, p->z + box.z1 - box.z0};
    tex_image_touch_box(dst, p->dst.face, p->dst.level, &box);
    return ST_OK;
}

enum status exec_stretch(struct cmd_stream *s, const struct cmd_stretch *p, const void *data,
                         size_t data_bytes)
{
    struct tex_image *dst = sync_surface(s, &p->dst), *src = sync_surface(s, &p->src);
    const struct tex_region to = {dst, p->dst.face, p->dst.level, box_of(&p->dst_box)};
    const struct tex_region from = {src, p->src.face, p->src.level, box_of(&p->src_box)};

    NO_DATA;
    if (!dst || !src)
        return ST_INVALID;
    if (src->desc.samples > 1 && dst->desc.samples == 1 && dst->format == src->format &&
        dst->desc.width == src->desc.width && dst->desc.height == src->desc.height)
        return tex_resolve(dst, src);
    return tex_stretch(&to, &from, p->filter);
}

enum status exec_fill(struct cmd_stream *s, const struct cmd_fill *p, const void *data,
                      size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->dst.image, CMD_IMAGE);
    struct tex_box box = box_of(&p->box);
    struct tex_image *dst;

    NO_DATA;
    if (resource && resource->u.image->format->layout == TEX_LAYOUT_DEPTH)
        return draw_reset_depth(s->draw, resource->u.image);
    dst = sync_surface(s, &p->dst);
    if (!dst)
        return ST_INVALID;
    return tex_fill(dst, p->dst.face, p->dst.level, &box, p->colour);
}

enum status exec_generate_mips(struct cmd_stream *s, const struct cmd_generate_mips *p,
                               const void *data, size_t data_bytes)
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

/* --- ComposeRects ----------------------------------------------------------------------------- */

/* D3DCOMPOSERECTDESC and D3DCOMPOSERECTDESTINATION. */
struct glyph {
    uint16_t x, y, width, height;
};
struct glyph_place {
    uint16_t glyph, reserved;
    int16_t x, y;
};

/* Copies one element of an array in a buffer; false: the array ends before it. */
static bool read_element(const struct cmd_resource *buffer, uint32_t i, void *out, size_t bytes)
{
    if (i >= buffer->u.buffer.size / bytes)
        return false;
    memcpy(out, buffer->u.buffer.data + i * bytes, bytes);
    return true;
}

/* Ignores rectangles without a description, and glyphs that are not inside the source
 * (reference: copy/composerects). */
static void compose_rect(const struct cmd_compose_rects *p, const struct cmd_resource *rects[2],
                         uint32_t i, const struct tex_level *dst, const struct tex_level *src)
{
    struct glyph_place place;
    struct glyph glyph;
    struct tex_box box;

    if (!read_element(rects[1], i, &place, sizeof(place)) ||
        !read_element(rects[0], place.glyph, &glyph, sizeof(glyph)))
        return;
    box = (struct tex_box){
        glyph.x, glyph.y, 0, (uint32_t)glyph.x + glyph.width, (uint32_t)glyph.y + glyph.height, 1};
    if (box.x1 <= src->width && box.y1 <= src->height)
        tex_compose(dst, (int32_t)((uint32_t)place.x + (uint32_t)p->x),
                    (int32_t)((uint32_t)place.y + (uint32_t)p->y), src, &box, p->operation);
}

enum status exec_compose_rects(struct cmd_stream *s, const struct cmd_compose_rects *p,
                               const void *data, size_t data_bytes)
{
    const struct cmd_resource *rects[2] = {cmd_resource(s, p->src_rects, CMD_BUFFER),
                                           cmd_resource(s, p->dst_rects, CMD_BUFFER)};
    struct tex_image *dst = sync_surface(s, &p->dst), *src = sync_surface(s, &p->src);
    const struct tex_level *to, *from;

    NO_DATA;
    if (!dst || !src || !rects[0] || !rects[1] || dst->format->d3d != D3DFMT_A1 ||
        src->format->d3d != D3DFMT_A1)
        return ST_INVALID;
    to = tex_image_level(dst, p->dst.face, p->dst.level);
    from = tex_image_level(src, p->src.face, p->src.level);
    if (to == from)
        return ST_INVALID;
    for (uint32_t i = 0; i < p->count; i++)
        compose_rect(p, rects, i, to, from);
    tex_image_touch(dst);
    return ST_OK;
}

/* --- Bindings --------------------------------------------------------------------------------- */

/* Empties all bindings of a resource before it is destroyed. */
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

enum status exec_destroy(struct cmd_stream *s, const struct cmd_destroy *p, const void *data,
                         size_t data_bytes)
{
    struct cmd_resource *resource = cmd_any_resource(s, p->handle);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    unbind(s, p->handle);
    cmd_free_resource(s, resource);
    return ST_OK;
}

static void set_image_backing(struct cmd_stream *s, cmd_handle handle, struct tex_image *image)
{
    cmd_resource(s, handle, CMD_IMAGE)->u.image = image;
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->bound.texture[i] == handle) {
            stream_textures_forget(s, i);
            s->state.texture[i].image = image;
        }
    for (unsigned i = 0; i < DRAW_TARGETS; i++)
        if (s->bound.target[i] == handle)
            s->state.target[i].image = image;
    if (s->bound.target[CMD_DEPTH_TARGET] == handle)
        s->state.depth.image = image;
}

static void set_buffer_backing(struct cmd_stream *s, cmd_handle handle, uint8_t *data)
{
    cmd_resource(s, handle, CMD_BUFFER)->u.buffer.data = data;
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        if (s->bound.stream[i] == handle)
            s->state.stream[i].data = data;
    if (s->bound.indices == handle)
        s->state.indices.data = data;
}

enum status exec_set_backing(struct cmd_stream *s, const struct cmd_set_backing *p,
                             const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_any_resource(s, p->handle);
    const struct cmd_backing *backing;

    NO_DATA;
    if (!resource || !resource->backing || p->backing >= CMD_MAX_BACKINGS)
        return ST_INVALID;
    backing = &resource->backing[p->backing]; /* n_backings belongs to the API side */
    if (!backing->image && !backing->data)
        return ST_INVALID;
    if (resource->kind == CMD_IMAGE)
        set_image_backing(s, p->handle, backing->image);
    else
        set_buffer_backing(s, p->handle, backing->data);
    return ST_OK;
}

enum status exec_touch(struct cmd_stream *s, const struct cmd_touch *p, const void *data,
                       size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    draw_sync(s->draw, resource->u.image); /* draws may have used the image while it was mapped */
    tex_image_touch(resource->u.image);
    return ST_OK;
}

enum status exec_write_buffer(struct cmd_stream *s, const struct cmd_write_buffer *p,
                              const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);

    if (!resource || p->offset > resource->u.buffer.size ||
        data_bytes > resource->u.buffer.size - p->offset)
        return ST_INVALID;
    memcpy(resource->u.buffer.data + p->offset, data, data_bytes);
    return ST_OK;
}

enum status exec_write_image(struct cmd_stream *s, const struct cmd_write_image *p,
                             const void *data, size_t data_bytes)
{
    struct tex_image *dst = sync_surface(s, &p->dst);
    const struct tex_level *level = dst ? tex_image_level(dst, p->dst.face, p->dst.level) : NULL;

    if (!level || data_bytes != cmd_level_bytes(dst, level))
        return ST_INVALID;
    memcpy(level->data, data, data_bytes);
    return ST_OK;
}
