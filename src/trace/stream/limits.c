/* Work limits for draws and clears of compiled streams: a few bytes of a damaged file must not
 * cause hours of work.
 *
 * A draw may reference the vertices that its buffers hold, plus a margin past their ends, because
 * applications do that too. */
#include "trace/stream/player.h"

static const uint32_t COUNT_MASK = 0x3fffffff; /* count part of a stream frequency; the rest are
                                                * flags */

/* --- Tracking --------------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct played_stream *stream, uint32_t buffer)
{
    const struct played_resource *resource = nvs_find(stream, buffer);

    return resource ? resource->bytes : 0;
}

void nvs_limits_track(struct played_stream *stream, enum cmd_op op, const void *packet)
{
    const union {
        struct cmd_set_stream stream;
        struct cmd_set_stream_frequency frequency;
        struct cmd_set_indices indices;
        struct cmd_set_viewport viewport;
    } *p = packet;
    struct played_state *state = &stream->state;

    switch (op) {
    case CMD_SET_STREAM:
        if (p->stream.stream >= DRAW_STREAMS)
            break;
        state->stream[p->stream.stream].bytes = bytes_of(stream, p->stream.buffer);
        state->stream[p->stream.stream].stride = p->stream.stride;
        break;
    case CMD_SET_STREAM_FREQUENCY:
        if (p->frequency.stream < DRAW_STREAMS)
            state->stream[p->frequency.stream].frequency = p->frequency.setting;
        break;
    case CMD_SET_INDICES:
        state->indices =
            bytes_of(stream, p->indices.buffer) / (p->indices.index_bytes == 4 ? 4 : 2);
        break;
    case CMD_SET_VIEWPORT:
        state->viewport = p->viewport.viewport;
        break;
    default:
        break;
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

static uint64_t held(const struct played_state *state, unsigned s)
{
    return state->stream[s].stride ? state->stream[s].bytes / state->stream[s].stride : 0;
}

/* Returns the vertex count of the stream that holds the most. */
static uint64_t vertices_held(const struct played_state *state)
{
    uint64_t most = 0;

    for (unsigned s = 0; s < DRAW_STREAMS; s++)
        most = held(state, s) > most ? held(state, s) : most;
    return most;
}

/* Returns the number of instances with data; 0: no stream is instanced. */
static uint64_t instances_held(const struct played_state *state)
{
    uint64_t most = 0;

    for (unsigned s = 0; s < DRAW_STREAMS; s++) {
        uint32_t divider = state->stream[s].frequency & COUNT_MASK;
        uint64_t n = held(state, s) * (divider ? divider : 1) + NVS_EXTRA_PRIMITIVES;

        if (state->stream[s].frequency & (uint32_t)D3DSTREAMSOURCE_INSTANCEDATA && n > most)
            most = n;
    }
    return most;
}

static bool instances_allowed(const struct played_state *state, uint64_t corners)
{
    uint64_t held, n = state->stream[0].frequency & COUNT_MASK;

    if (n * corners <= NVS_EXTRA_PRIMITIVES)
        return true;
    held = instances_held(state);
    return !held || (n <= held && n * corners <= NVS_MAX_VERTICES);
}

static bool draw_allowed(const struct played_state *state, const struct cmd_draw *p)
{
    uint64_t corners = 3 * (uint64_t)p->primitives;

    return (p->primitives <= NVS_EXTRA_PRIMITIVES ||
            p->primitives <=
                NVS_EXTRA_PRIMITIVES + (p->indexed ? state->indices : vertices_held(state))) &&
           (!p->indexed || instances_allowed(state, corners));
}

/* DrawPrimitiveUP: the vertices are part of the packet. */
static bool draw_up_allowed(const struct played_state *state, const struct cmd_draw_up *p)
{
    uint64_t corners = 3 * (uint64_t)p->primitives;
    uint64_t held = p->index_bytes ? p->index_bytes_total / p->index_bytes
                    : p->stride    ? p->vertex_bytes / p->stride
                                   : 0;

    return p->primitives <= held + NVS_EXTRA_PRIMITIVES &&
           (!p->index_bytes || instances_allowed(state, corners));
}

/* --- Clears ----------------------------------------------------------------------------------- */

/* Length of the part of from … to inside the viewport and the largest image. */
static uint64_t length(int64_t from, int64_t to, int64_t start, int64_t size)
{
    int64_t end = start + size < TEX_MAX_SIZE ? start + size : TEX_MAX_SIZE;

    from = from < start ? start : from;
    to = to > end ? end : to;
    return to > from ? (uint64_t)(to - from) : 0;
}

static bool clear_allowed(const struct played_state *state, const struct cmd_clear *p,
                          const D3DRECT *rect)
{
    const D3DVIEWPORT9 *v = &state->viewport;
    uint64_t pixels = 0;

    for (uint32_t i = 0; i < p->n_rects && pixels <= NVS_MAX_CLEARED; i++)
        pixels += length(rect[i].x1, rect[i].x2, v->X, v->Width) *
                  length(rect[i].y1, rect[i].y2, v->Y, v->Height);
    return pixels <= NVS_MAX_CLEARED;
}

bool nvs_limits_allow(const struct played_stream *stream, enum cmd_op op, const void *packet,
                      const void *data)
{
    switch (op) {
    case CMD_DRAW:
        return draw_allowed(&stream->state, packet);
    case CMD_DRAW_UP:
        return draw_up_allowed(&stream->state, packet);
    case CMD_CLEAR:
        return clear_allowed(&stream->state, packet, data);
    default:
        return true;
    }
}
