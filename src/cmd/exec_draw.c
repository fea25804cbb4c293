/* Executors of the command packets for draws, clears, queries and presents.
 *
 * Tested by tests/conformance. */
#include "cmd/exec.h"

#include <string.h>
#include <time.h>

/* --- Drawing ---------------------------------------------------------------------------------- */

enum status exec_clear(struct cmd_stream *s, const struct cmd_clear *p, const void *data,
                       size_t data_bytes)
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

/* Draws; textures may replace the streams from first_stream on. */
static enum status draw_with_textures(struct cmd_stream *s, const struct draw_args *args,
                                      unsigned first_stream)
{
    struct draw_stream kept[DRAW_STREAMS];
    enum status st;

    s->state.occlusion = occlusion_counter(&s->occlusion);
    if (!s->state.textures_as_streams)
        return draw_primitives(s->draw, &s->state, args);
    st = stream_textures_begin(s, first_stream, kept);
    if (st == ST_OK)
        st = draw_primitives(s->draw, &s->state, args);
    stream_textures_end(s, kept);
    return st;
}

enum status exec_draw(struct cmd_stream *s, const struct cmd_draw *p, const void *data,
                      size_t data_bytes)
{
    struct draw_args args = {.type = (D3DPRIMITIVETYPE)p->type,
                             .primitives = p->primitives,
                             .indexed = p->indexed != 0,
                             .base_vertex = p->base_vertex,
                             .start_index = p->start_index,
                             .min_index = p->min_index,
                             .vertices = p->vertices};

    NO_DATA;
    return draw_with_textures(s, &args, 0);
}

/* Binds the data of the packet as stream 0 and index buffer, for this draw only. */
enum status exec_draw_up(struct cmd_stream *s, const struct cmd_draw_up *p, const void *data,
                         size_t data_bytes)
{
    struct draw_stream stream = s->state.stream[0];
    struct draw_indices indices = s->state.indices;
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
    st = draw_with_textures(s, &args, 1);
    s->state.stream[0] = stream;
    s->state.indices = indices;
    return st;
}

enum status exec_draw_patch(struct cmd_stream *s, const struct cmd_draw_patch *p, const void *data,
                            size_t data_bytes)
{
    struct cmd_resource *decl = cmd_resource(s, p->declaration, CMD_DECLARATION);
    struct draw_patch patch = {.patch = {.triangle = p->triangle != 0,
                                         .basis = (D3DBASISTYPE)p->basis,
                                         .degree = (D3DDEGREETYPE)p->degree,
                                         .width = p->width,
                                         .height = p->height},
                               .start = p->start,
                               .stride = p->stride};

    if (p->declaration && !decl)
        return ST_INVALID;
    if (decl) {
        patch.points = data;
        patch.size = data_bytes;
        patch.decl = decl->u.declaration;
    }
    memcpy(patch.patch.segments, p->segments, sizeof(p->segments));
    s->state.occlusion = occlusion_counter(&s->occlusion);
    return draw_patch(s->draw, &s->state, &patch);
}

enum status exec_process_vertices(struct cmd_stream *s, const struct cmd_process_vertices *p,
                                  const void *data, size_t data_bytes)
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

/* --- Queries and presents --------------------------------------------------------------------- */

enum status exec_begin_query(struct cmd_stream *s, const struct cmd_begin_query *p,
                             const void *data, size_t data_bytes)
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

enum status exec_end_query(struct cmd_stream *s, const struct cmd_end_query *p, const void *data,
                           size_t data_bytes)
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

enum status exec_present(struct cmd_stream *s, const struct cmd_present *p, const void *data,
                         size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    cmd_flush(s);
    if (s->present)
        s->present(s->present_ctx, p, resource->u.image);
    return ST_OK;
}
