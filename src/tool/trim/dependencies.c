/* Backward dependency analysis of a capture: finds the calls that a wanted frame or call depends
 * on.
 *
 * A replay records what each draw and copy reads and writes; a backward pass then marks the needed
 * calls. A call kept without need costs only space; a call dropped wrongly changes the hash.
 *
 * Tested by tests/unit/tool/trim/test_trim.c and tests/unit/tool/inspect/test_pixel.c. */
#include "tool/trim/dependencies.h"

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "trace/trace.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

/* --- Result of a call ------------------------------------------------------------------------- */

static uint64_t hash_target(const struct draw_target *target, uint64_t hash)
{
    struct tex_image *image = target->image;
    const struct tex_level *level;
    bool volume = image && image->desc.shape == TEX_VOLUME_MAP;

    if (!image || image->format->layout == TEX_LAYOUT_RAW)
        return hash;
    level = tex_image_level(image, volume ? 0 : target->face, target->level);
    for (uint32_t s = 0; s < (image->desc.samples > 1 ? image->desc.samples : 1); s++)
        for (uint32_t y = 0; y < level->height; y++)
            hash = hash_bytes(tex_level_at(level, image->format, 0, y, volume ? target->face : s),
                              (size_t)level->width * image->format->bytes, hash + 1);
    return hash;
}

/* Hashes the targets as call deps->last leaves them. */
static void take_targets(struct gather *g)
{
    const struct draw_state *state = cmd_rendered_state(g->stream);
    unsigned written;

    draw_flush(cmd_renderer(g->stream));
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        g->deps->hash = hash_target(&state->target[t], g->deps->hash + t);
    if (trim_uses_depth(state, &written))
        g->deps->hash = hash_target(&state->depth, g->deps->hash + DRAW_TARGETS);
    g->deps->complete = true;
}

/* --- The replay ------------------------------------------------------------------------------- */

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    (void)ctx;
    (void)stream;
    (void)op;
    (void)packet;
    (void)data;
}

/* The primitives that a draw becomes. */
static D3DPRIMITIVETYPE primitive_type(enum cmd_op op, const void *packet)
{
    switch (op) {
    case CMD_DRAW:
        return (D3DPRIMITIVETYPE)((const struct cmd_draw *)packet)->type;
    case CMD_DRAW_UP:
        return (D3DPRIMITIVETYPE)((const struct cmd_draw_up *)packet)->type;
    default:
        return D3DPT_TRIANGLELIST;
    }
}

/* Bit mask of the samplers whose textures are vertex streams. */
static uint32_t stream_samplers(const struct draw_state *state)
{
    uint32_t mask = 0;

    for (unsigned i = 0; state->textures_as_streams && i < DRAW_STREAMS; i++)
        if (state->stream_sampler[i])
            mask |= UINT32_C(1) << state->stream_sampler[i];
    return mask;
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct gather *g = ctx;
    const struct vm_program *vertex, *pixel;

    (void)data;
    if (cmd_is_draw(op)) {
        bool known = draw_programs(cmd_renderer(stream), cmd_rendered_state(stream),
                                   primitive_type(op, packet), &vertex, &pixel) == ST_OK;

        g->samplers = UINT32_MAX;
        if (known)
            g->samplers = vm_program_info(pixel)->samplers |
                          (vm_program_info(vertex)->samplers & 15) << DRAW_VERTEX_SAMPLER |
                          stream_samplers(cmd_rendered_state(stream));
        if (cmd_rendered_state(stream)->tessellator)
            g->samplers |= 1u << DRAW_DISPLACEMENT_SAMPLER;
    }
    if (g->required && (cmd_is_draw(op) || op == CMD_CLEAR)) {
        g->stream = stream;
        g->found = true;
    }
}

/* Calls that only draw or copy. */
static bool only_draws(const char *name)
{
    static const char *const methods[] = {
        "Clear",          "ColorFill",           "StretchRect",
        "UpdateSurface",  "GetRenderTargetData", "GetFrontBufferData",
        "ProcessVertices"};
    const char *colons = strstr(name, "::");

    for (size_t i = 0; colons && i < sizeof(methods) / sizeof(methods[0]); i++)
        if (!strcmp(colons + 2, methods[i]))
            return true;
    return replay_is_draw(name);
}

/* Whether later draws of the handle repeat the patch of this call, or its segments. */
static bool caches_patch(const struct trace_call *call)
{
    const char *colons = strstr(call->function->name, "::");

    return colons && (!strcmp(colons, "::DrawRectPatch") || !strcmp(colons, "::DrawTriPatch")) &&
           call->argc > 3 && trace_number(&call->args[1]) &&
           (call->args[2].kind != TRACE_NULL || call->args[3].kind != TRACE_NULL);
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct gather *g = ctx;
    const struct trim_dependencies *deps = g->deps;
    uint8_t *flags;

    if (deps->to_call && g->found) {
        take_targets(g);
        return false;
    }
    if (!deps->to_call && replay_get_stats(replay)->frames > deps->last)
        return false;
    g->call = call->number;
    g->required = deps->to_call ? call->number == deps->last
                                : replay_get_stats(replay)->frames >= deps->first;
    flags = trim_dependencies_flags(g, g->call);
    if (flags && caches_patch(call))
        *flags |= TRIM_CALL_CACHES;
    else if (flags && only_draws(call->function->name))
        *flags |= TRIM_CALL_ONLY_DRAWS;
    return g->status == ST_OK;
}

static bool on_moment(void *ctx, struct replay *replay, const struct replay_moment *moment)
{
    struct gather *g = ctx;
    struct trim_dependencies *n = g->deps;
    struct replay_picture picture;

    if (!moment->present || n->to_call || moment->frame < n->first)
        return true;
    n->frames++;
    if (replay_take_picture(replay, &picture) == ST_OK) {
        n->hash = hash_bytes(&picture.width, sizeof(picture.width), n->hash + 1);
        n->hash = hash_bytes(picture.rgba, (size_t)picture.width * picture.height * 4, n->hash);
        mem_free(picture.rgba);
    }
    n->complete = n->frames == n->last - n->first + 1;
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line;
}

/* --- Backward pass ---------------------------------------------------------------------------- */

static bool writes_needed(const struct gather *g, const struct event *e, const uint8_t *needed)
{
    for (uint32_t i = 0; i < e->n; i++) {
        const struct access *a = &g->access[e->access + i];

        if (a->write && memchr(needed + a->first, 1, a->n))
            return true;
    }
    return false;
}

static void propagate(const struct gather *g, const struct event *e, uint8_t *needed)
{
    for (unsigned reads = 0; reads < 2; reads++)
        for (uint32_t i = 0; i < e->n; i++) {
            const struct access *a = &g->access[e->access + i];

            if (reads ? a->read : a->overwrites)
                memset(needed + a->first, (int)reads, a->n);
        }
}

/* Events [from, to) belong to one call. */
static void mark_call(struct gather *g, uint32_t from, uint32_t to, uint8_t *needed)
{
    uint8_t *flags = &g->deps->call[g->event[from].call];
    bool required = g->event[from].required;

    for (uint32_t i = from; i < to && !required; i++)
        required = writes_needed(g, &g->event[i], needed);
    if (required)
        *flags |= TRIM_CALL_NEEDED;
    for (uint32_t i = to; required && i-- > from;)
        propagate(g, &g->event[i], needed);
}

static void mark_needed_calls(struct gather *g)
{
    uint8_t *needed = mem_calloc(g->n_nodes + 1, 1);

    if (!needed) {
        g->status = ST_NOMEM;
        return;
    }
    for (uint32_t to = g->n_events, from; to; to = from) {
        from = to - 1;
        while (from && g->event[from - 1].call == g->event[to - 1].call)
            from--;
        mark_call(g, from, to, needed);
    }
    mem_free(needed);
}

enum status trim_dependencies_gather(struct trim_dependencies *deps, const char *file)
{
    struct gather *g = mem_calloc(1, sizeof(*g));
    const struct replay_options options = {
        .ctx = g, .on_call = on_call, .on_moment = on_moment, .on_warning = on_warning};
    const struct cmd_debug_hooks hooks = {g, before, after, NULL};
    struct cmd_listener listener = trim_dependencies_listener;
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;

    if (!g)
        return ST_NOMEM;
    g->deps = deps;
    listener.ctx = g;
    st = trace_open(&reader, file, &error);
    if (st != ST_OK) {
        mem_free(g);
        return st;
    }
    cmd_set_debug_hooks(&hooks);
    cmd_set_listener(&listener);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (deps->to_call && g->found && !deps->complete)
        take_targets(g);
    if (st == ST_OK || st == ST_DAMAGED)
        st = g->status;
    if (st == ST_OK)
        mark_needed_calls(g);
    g->status = st == ST_OK ? g->status : ST_INVALID; /* releases during destruction do not count */
    replay_destroy(replay);
    cmd_set_listener(NULL);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    mem_free(g->access);
    mem_free(g->event);
    mem_free(g);
    return st;
}

void trim_dependencies_fini(struct trim_dependencies *deps)
{
    mem_free(deps->call);
    deps->call = NULL;
    deps->n = 0;
}
