/* Pixel history: records every draw, clear and copy that changes one pixel of a captured frame.
 *
 * The first replay finds the surface that the frame or call shows. The second one records the
 * pixel's events; each pixel that it was copied from takes another replay. */
#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/cli/cli.h"
#include "tool/inspect/history.h"
#include "tool/inspect/probe.h"
#include "tool/inspect/value.h"
#include "trace/trace.h"
#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gather {
    struct inspect_history *h;
    const struct inspect_request *request;
    struct inspect_probe probe;
    struct cmd_stream *stream[INSPECT_STREAMS]; /* in order of creation, which is the same in every
                                                 * pass */
    unsigned n_streams;
    bool watching; /* false: the first pass, which only finds the surface */
    bool found, more_points, presented;
    uint64_t first, last; /* range of frames */

    /* The current call. */
    uint64_t call, frame;
    char name[64];
    /* The current packet. */
    unsigned stream_at;
    unsigned pending; /* index of its first event */
    struct inspect_values before[INSPECT_POINTS];
};

/* --- Points ----------------------------------------------------------------------------------- */

static bool is_live(const struct gather *g, const struct inspect_point *p)
{
    return g->watching && g->frame >= g->first && g->frame <= g->last && g->call < p->end &&
           p->stream < g->n_streams;
}

static struct draw_target target_of(const struct gather *g, const struct inspect_point *p)
{
    return (struct draw_target){cmd_rendered_image(g->stream[p->stream], p->image), p->face,
                                p->level};
}

/* Returns the point's index, or -1 if there are too many. */
static int add_point(struct gather *g, const struct inspect_point *wanted)
{
    struct inspect_history *h = g->h;

    for (unsigned i = 0; i < h->n_points; i++) {
        struct inspect_point *p = &h->point[i];

        if (p->stream == wanted->stream && p->image == wanted->image && p->face == wanted->face &&
            p->level == wanted->level && p->x == wanted->x && p->y == wanted->y) {
            g->more_points |= wanted->end > p->end;
            p->end = wanted->end > p->end ? wanted->end : p->end;
            return (int)i;
        }
    }
    if (h->n_points == INSPECT_POINTS)
        return -1;
    h->point[h->n_points] = *wanted;
    g->more_points = true;
    return (int)h->n_points++;
}

static struct inspect_event *add_event(struct gather *g, unsigned point)
{
    struct inspect_history *h = g->h;
    struct inspect_event *e;

    if (h->n_events == h->max_events) {
        unsigned max = h->max_events ? 2 * h->max_events : 64;
        void *more = mem_realloc(h->event, max * sizeof(*h->event));

        if (!more) {
            h->out_of_memory = true;
            return NULL;
        }
        h->event = more;
        h->max_events = max;
    }
    e = &h->event[h->n_events++];
    memset(e, 0, sizeof(*e));
    e->call = g->call;
    e->point = point;
    e->source = -1;
    e->exact = true;
    snprintf(e->name, sizeof(e->name), "%s", g->name);
    return e;
}

/* --- Memory that changes between calls -------------------------------------------------------- */

/* Reads every point's pixel and records an event for a change that no packet made: the program
 * wrote it. */
static void check_memory(struct gather *g)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        struct draw_target target;
        struct inspect_value now;
        struct inspect_event *e;

        if (!is_live(g, p) || !(target = target_of(g, p)).image)
            continue;
        draw_sync(cmd_renderer(g->stream[p->stream]), target.image);
        inspect_value_read(&now, &target, p->x, p->y);
        if (p->started && !inspect_value_same(&now, &p->last) && (e = add_event(g, i))) {
            snprintf(e->what, sizeof(e->what), "memory of the surface is written");
            e->before.target[0] = p->last;
            e->after.target[0] = now;
        }
        if (!p->started)
            p->start = now;
        p->started = true;
        p->last = now;
    }
}

static void end_points(struct gather *g, uint64_t next_call)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        struct draw_target target;

        if (p->ended || !p->started || next_call < p->end || !(target = target_of(g, p)).image)
            continue;
        draw_sync(cmd_renderer(g->stream[p->stream]), target.image);
        inspect_value_read(&p->final, &target, p->x, p->y);
        p->ended = true;
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

static int bound_as(const struct gather *g, const struct draw_state *state, unsigned point)
{
    const struct inspect_point *p = &g->h->point[point];
    struct draw_target at;

    if (!is_live(g, p) || p->stream != g->stream_at)
        return -1;
    at = target_of(g, p);
    for (unsigned t = 0; at.image && t <= DRAW_TARGETS; t++) {
        const struct draw_target *bound = t < DRAW_TARGETS ? &state->target[t] : &state->depth;

        if (bound->image == at.image && bound->face == at.face && bound->level == at.level)
            return (int)t;
    }
    return -1;
}

static const char *type_name(D3DPRIMITIVETYPE type)
{
    static const char *const names[] = {"primitive",        "point",    "line",
                                        "line of a strip",  "triangle", "triangle of a strip",
                                        "triangle of a fan"};

    return type <= D3DPT_TRIANGLEFAN ? names[type] : names[0];
}

static void on_draw(void *ctx, struct draw *draw, const struct draw_state *state,
                    const struct draw_args *args)
{
    struct inspect_probe *probe = ctx;
    struct gather *g = (struct gather *)(void *)((char *)probe - offsetof(struct gather, probe));

    for (unsigned i = 0; i < g->h->n_points; i++) {
        int target = bound_as(g, state, i);
        struct inspect_event *e;

        if (target < 0 || !(e = add_event(g, i)))
            continue;
        g->h->draws += i == 0;
        probe->x = g->h->point[i].x;
        probe->y = g->h->point[i].y;
        probe->target = (unsigned)target;
        probe->tracing = g->request->trace && g->request->trace_call == g->call;
        probe->hex = g->request->hex;
        e->draw = true;
        e->target = (unsigned)target;
        snprintf(e->what, sizeof(e->what), "%" PRIu32 " × %s", args->primitives,
                 type_name(args->type));
        if (inspect_probe_draw(probe, draw, state, args, e) != ST_OK)
            g->h->out_of_memory = true;
    }
}

static void free_event(struct inspect_event *e)
{
    for (unsigned i = 0; i < e->n_primitives; i++)
        free(e->primitive[i].trace); /* allocated by open_memstream */
    mem_free(e->primitive);
}

/* Completes the draw's events with the pixel's final values. Removes the events of draws that do
 * not change the pixel. */
static void end_draws(struct gather *g, const struct draw_state *state)
{
    struct inspect_history *h = g->h;
    unsigned kept = g->pending;

    for (unsigned i = g->pending; i < h->n_events; i++) {
        struct inspect_event *e = &h->event[i];
        struct inspect_point *p = &h->point[e->point];

        inspect_values_read(&e->after, state, p->x, p->y);
        e->exact = inspect_values_same(
            &e->after, e->n_primitives ? &e->primitive[e->n_primitives - 1].after : &e->before);
        p->last = e->after.target[e->target];
        if (e->n_primitives || !e->exact)
            h->event[kept++] = *e;
    }
    h->n_events = kept;
}

/* --- Clears and copies ------------------------------------------------------------------------ */

static bool cleared(const struct draw_state *state, const struct cmd_clear *clear,
                    const D3DRECT *rects, LONG x, LONG y)
{
    const D3DVIEWPORT9 *v = &state->viewport;
    const RECT *r = &state->scissor;
    bool inside = !clear->n_rects;

    for (uint32_t i = 0; i < clear->n_rects && !inside; i++)
        inside = x >= rects[i].x1 && x < rects[i].x2 && y >= rects[i].y1 && y < rects[i].y2;
    if (state->render[D3DRS_SCISSORTESTENABLE])
        inside &= x >= r->left && x < r->right && y >= r->top && y < r->bottom;
    return inside && (uint64_t)x >= v->X && (uint64_t)x < (uint64_t)v->X + v->Width &&
           (uint64_t)y >= v->Y && (uint64_t)y < (uint64_t)v->Y + v->Height;
}

static void describe_clear(const struct cmd_clear *clear, char *out, size_t size)
{
    int n = 0;

    if (clear->flags & D3DCLEAR_TARGET)
        n += snprintf(out + n, size - (size_t)n, "colour 0x%08" PRIx32 " ", clear->colour);
    if (clear->flags & D3DCLEAR_ZBUFFER)
        n += snprintf(out + n, size - (size_t)n, "depth %.9g ", (double)clear->z);
    if (clear->flags & D3DCLEAR_STENCIL)
        n += snprintf(out + n, size - (size_t)n, "stencil %" PRIu32 " ", clear->stencil);
    if (n)
        out[n - 1] = 0;
}

static void end_clear(struct gather *g, const struct draw_state *state,
                      const struct cmd_clear *clear, const void *rects)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        int target = bound_as(g, state, i);
        struct inspect_event *e;

        if (target < 0 || !cleared(state, clear, rects, (LONG)p->x, (LONG)p->y) ||
            !(e = add_event(g, i)))
            continue;
        e->target = (unsigned)target;
        e->before = g->before[i];
        inspect_values_read(&e->after, state, p->x, p->y);
        p->last = e->after.target[target];
        describe_clear(clear, e->what, sizeof(e->what));
    }
}

static bool is_surface(const struct gather *g, const struct inspect_point *p,
                       const struct cmd_surface *s)
{
    return is_live(g, p) && p->stream == g->stream_at && s->image == p->image &&
           s->level == p->level;
}

static struct inspect_event *copy_event(struct gather *g, unsigned point)
{
    struct inspect_point *p = &g->h->point[point];
    struct draw_target target = target_of(g, p);
    struct inspect_event *e = add_event(g, point);

    if (!e)
        return NULL;
    e->before.target[0] = p->last;
    inspect_value_read(&p->last, &target, p->x, p->y);
    e->after.target[0] = p->last;
    return e;
}

/* Records the point that a copy read from. */
static void note_source(struct gather *g, struct inspect_event *e, const struct cmd_surface *src,
                        uint32_t slice, uint32_t x, uint32_t y, const char *how)
{
    const struct tex_image *image = cmd_rendered_image(g->stream[g->stream_at], src->image);
    struct inspect_point point = {.stream = g->stream_at,
                                  .image = src->image,
                                  .face = src->face + slice,
                                  .level = src->level,
                                  .x = x,
                                  .y = y,
                                  .end = g->call};

    snprintf(e->what, sizeof(e->what), "%s of surface %" PRIu32 ", %" PRIu32 ",%" PRIu32, how,
             src->image, x, y);
    if (image && (image->desc.samples > 1 || image->format->block_w == 1))
        e->source = add_point(g, &point);
}

static void end_copy(struct gather *g, const struct cmd_copy *c)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point p = g->h->point[i];
        uint32_t x = p.x - c->x, y = p.y - c->y, z = p.face - c->z;
        struct inspect_event *e;

        if (!is_surface(g, &p, &c->dst) || x >= c->box.x1 - c->box.x0 || y >= c->box.y1 - c->box.y0)
            continue;
        if (c->dst.face != p.face && z >= c->box.z1 - c->box.z0)
            continue;
        if ((e = copy_event(g, i)))
            note_source(g, e, &c->src, 0, c->box.x0 + x, c->box.y0 + y, "copy");
    }
}

static uint32_t scaled(uint32_t at, uint32_t d0, uint32_t d1, uint32_t s0, uint32_t s1)
{
    return s0 + (uint32_t)((2 * (uint64_t)(at - d0) + 1) * (s1 - s0) / (2 * (uint64_t)(d1 - d0)));
}

static void end_stretch(struct gather *g, const struct cmd_stretch *c)
{
    const struct cmd_box *d = &c->dst_box, *s = &c->src_box;
    const struct tex_image *src = cmd_rendered_image(g->stream[g->stream_at], c->src.image);
    bool same = d->x1 - d->x0 == s->x1 - s->x0 && d->y1 - d->y0 == s->y1 - s->y0;
    bool resolve = src && src->desc.samples > 1;

    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point p = g->h->point[i];
        struct inspect_event *e;

        if (!is_surface(g, &p, &c->dst) || p.face != c->dst.face)
            continue;
        if (!resolve && (p.x < d->x0 || p.x >= d->x1 || p.y < d->y0 || p.y >= d->y1))
            continue;
        if (!(e = copy_event(g, i)))
            continue;
        if (resolve)
            note_source(g, e, &c->src, 0, p.x, p.y, "resolved samples");
        else
            note_source(g, e, &c->src, 0, scaled(p.x, d->x0, d->x1, s->x0, s->x1),
                        scaled(p.y, d->y0, d->y1, s->y0, s->y1),
                        same                          ? "copy"
                        : c->filter == D3DTEXF_LINEAR ? "stretched linearly, about pixel"
                                                      : "stretched, pixel");
    }
}

static void end_fill(struct gather *g, const struct cmd_fill *c)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point p = g->h->point[i];
        struct inspect_event *e;

        if (is_surface(g, &p, &c->dst) && p.face == c->dst.face && p.x >= c->box.x0 &&
            p.x < c->box.x1 && p.y >= c->box.y0 && p.y < c->box.y1 && (e = copy_event(g, i))) {
            if (target_of(g, &p).image->format->layout == TEX_LAYOUT_DEPTH)
                snprintf(e->what, sizeof(e->what), "depth discarded: 1, stencil 0");
            else
                snprintf(e->what, sizeof(e->what), "filled with 0x%08" PRIx32, c->colour);
        }
    }
}

static void end_mips(struct gather *g, const struct cmd_generate_mips *c)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        const struct inspect_point *p = &g->h->point[i];
        struct cmd_surface all = {c->image, p->face, p->level};
        struct inspect_event *e;

        if (is_surface(g, p, &all) && p->level && (e = copy_event(g, i)))
            snprintf(e->what, sizeof(e->what), "made of the level above");
    }
}

/* --- Debug hooks ------------------------------------------------------------------------------ */

static unsigned number_of(struct gather *g, struct cmd_stream *stream)
{
    for (unsigned i = 0; i < g->n_streams; i++)
        if (g->stream[i] == stream)
            return i;
    if (g->n_streams == INSPECT_STREAMS)
        return INSPECT_STREAMS;
    if (g->watching)
        draw_set_debug_hooks(cmd_renderer(stream), &g->probe.hooks);
    g->stream[g->n_streams] = stream;
    return g->n_streams++;
}

/* Stores the surface that the first pass was looking for. */
static void find(struct gather *g, cmd_handle image, uint32_t face, uint32_t level, uint64_t end)
{
    struct tex_image *at = cmd_rendered_image(g->stream[g->stream_at], image);
    const struct tex_level *size;

    if (!at)
        return;
    size = tex_image_level(at, at->desc.shape == TEX_VOLUME_MAP ? 0 : face, level);
    g->h->width = size->width;
    g->h->height = size->height;
    g->h->point[0] = (struct inspect_point){.stream = g->stream_at,
                                            .image = image,
                                            .face = face,
                                            .level = level,
                                            .x = g->request->x,
                                            .y = g->request->y,
                                            .end = end};
    g->h->n_points = 1;
    g->found = true;
}

static void before(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                   const void *data)
{
    struct gather *g = ctx;
    const struct draw_state *state = cmd_rendered_state(stream);

    (void)data;
    g->stream_at = number_of(g, stream);
    g->pending = g->h->n_events;
    if (op == CMD_PRESENT && !g->watching && !g->presented) {
        g->presented = true;
        if (g->request->call == UINT64_MAX ? g->frame == g->last : g->call == g->request->call)
            find(g, ((const struct cmd_present *)packet)->image, 0, 0, g->call);
    }
    if (op != CMD_CLEAR)
        return;
    for (unsigned i = 0; i < g->h->n_points; i++) {
        if (bound_as(g, state, i) < 0)
            continue;
        draw_flush(cmd_renderer(stream));
        inspect_values_read(&g->before[i], state, g->h->point[i].x, g->h->point[i].y);
    }
}

static void after(void *ctx, struct cmd_stream *stream, enum cmd_op op, const void *packet,
                  const void *data)
{
    struct gather *g = ctx;

    if (!g->watching || g->stream_at == INSPECT_STREAMS)
        return;
    switch (op) {
    case CMD_CLEAR:
    case CMD_DRAW:
    case CMD_DRAW_UP:
    case CMD_COPY:
    case CMD_STRETCH:
    case CMD_FILL:
    case CMD_GENERATE_MIPS:
        break;
    default:
        return;
    }
    if (g->frame < g->first || g->frame > g->last)
        return;
    draw_flush(cmd_renderer(stream));
    if (op == CMD_CLEAR)
        end_clear(g, cmd_rendered_state(stream), packet, data);
    else if (op == CMD_DRAW || op == CMD_DRAW_UP)
        end_draws(g, cmd_rendered_state(stream));
    else if (op == CMD_COPY)
        end_copy(g, packet);
    else if (op == CMD_STRETCH)
        end_stretch(g, packet);
    else if (op == CMD_FILL)
        end_fill(g, packet);
    else
        end_mips(g, packet);
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* If a call is asked for, the first pass takes the target as that call leaves it. */
static void find_target(struct gather *g)
{
    const struct cmd_stream *stream;

    if (g->found || g->stream_at >= g->n_streams)
        return;
    stream = g->stream[g->stream_at];
    find(g, cmd_bound_target(stream, 0), cmd_rendered_state(stream)->target[0].face,
         cmd_rendered_state(stream)->target[0].level, g->request->call + 1);
}

static bool on_call(void *ctx, struct replay *replay, const struct trace_call *call)
{
    struct gather *g = ctx;
    bool by_call = g->request->call != UINT64_MAX;

    if (g->watching) {
        check_memory(g);
        end_points(g, call->number);
        if (g->h->point[0].ended)
            return false;
    } else if (g->found) {
        return false;
    } else if (by_call && call->number > g->request->call) {
        find_target(g);
        return false;
    }
    g->call = call->number;
    g->frame = replay_get_stats(replay)->frames;
    g->presented = false;
    if (by_call && !g->watching && g->frame != g->last)
        g->first = g->last = g->frame;
    snprintf(g->name, sizeof(g->name), "%s", call->function->name);
    if (g->watching)
        check_memory(g); /* initial read at the start of a frame */
    return true;
}

static void on_warning(void *ctx, const char *line)
{
    (void)ctx;
    (void)line; /* `novem replay` prints warnings */
}

static int run_pass(struct gather *g)
{
    const struct replay_options options = {.ctx = g, .on_call = on_call, .on_warning = on_warning};
    const struct cmd_debug_hooks hooks = {g, before, after};
    struct trace_reader *reader;
    struct trace_error error;
    struct replay *replay = NULL;
    enum status st;

    if (trace_open(&reader, g->request->file, &error) != ST_OK)
        return tool_error(g->request->command, "%s: %s", g->request->file, error.text);
    g->n_streams = 0;
    g->call = g->frame = 0;
    cmd_set_debug_hooks(&hooks);
    st = replay_create(&replay, reader, &options);
    if (st == ST_OK)
        st = replay_run(replay);
    if (st == ST_OK || st == ST_DAMAGED) {
        check_memory(g);
        end_points(g, UINT64_MAX);
        if (!g->watching && g->request->call != UINT64_MAX)
            find_target(g);
    }
    g->watching = false; /* destruction of objects must not record events */
    replay_destroy(replay);
    cmd_set_debug_hooks(NULL);
    trace_close(reader);
    if (st == ST_OK || st == ST_DAMAGED)
        return TOOL_OK;
    return tool_error(g->request->command, "%s: %s", g->request->file, status_text(st));
}

static void clear_events(struct inspect_history *h)
{
    for (unsigned i = 0; i < h->n_events; i++)
        free_event(&h->event[i]);
    h->n_events = h->draws = 0;
    for (unsigned i = 0; i < h->n_points; i++)
        h->point[i].started = h->point[i].ended = false;
}

static int check_found(const struct gather *g)
{
    const struct inspect_request *request = g->request;

    if (!g->found && request->call != UINT64_MAX)
        return tool_error(request->command, "%s: there is no render target at call %" PRIu64,
                          request->file, request->call);
    if (!g->found)
        return tool_error(request->command, "%s: there is no frame %" PRIu64, request->file,
                          request->frame);
    if (request->x >= g->h->width || request->y >= g->h->height)
        return tool_error(request->command,
                          "%" PRIu32 ",%" PRIu32 " is outside of the surface, %" PRIu32 "x%" PRIu32,
                          request->x, request->y, g->h->width, g->h->height);
    return TOOL_OK;
}

static int run_passes(struct gather *g)
{
    int code = run_pass(g);

    if (code == TOOL_OK)
        code = check_found(g);
    if (g->request->first < g->first)
        g->first = g->request->first;
    while (code == TOOL_OK) {
        clear_events(g->h);
        g->watching = true;
        g->more_points = false;
        code = run_pass(g);
        if (!g->more_points)
            break;
    }
    if (code == TOOL_OK && g->h->out_of_memory)
        return tool_error(g->request->command, "out of memory");
    return code;
}

int inspect_history_gather(struct inspect_history *out, const struct inspect_request *request)
{
    struct gather *g = mem_calloc(1, sizeof(*g));
    int code;

    memset(out, 0, sizeof(*out));
    out->request = request;
    if (!g)
        return tool_error(request->command, "out of memory");
    g->h = out;
    g->request = request;
    g->first = g->last = request->frame;
    g->probe.hooks.draw = on_draw;
    code = inspect_probe_init(&g->probe) == ST_OK ? run_passes(g)
                                                  : tool_error(request->command, "out of memory");
    inspect_probe_fini(&g->probe);
    mem_free(g);
    return code;
}

void inspect_history_fini(struct inspect_history *h)
{
    clear_events(h);
    mem_free(h->event);
}

bool inspect_history_is_exact(const struct inspect_history *h)
{
    struct inspect_value at[INSPECT_POINTS];

    for (unsigned i = 0; i < h->n_points; i++)
        at[i] = h->point[i].start;
    for (unsigned i = 0; i < h->n_events; i++) {
        const struct inspect_event *e = &h->event[i];

        if (!e->exact || !inspect_value_same(&at[e->point], &e->before.target[e->target]))
            return false;
        at[e->point] = e->after.target[e->target];
    }
    for (unsigned i = 0; i < h->n_points; i++)
        if (h->point[i].started && !inspect_value_same(&at[i], &h->point[i].final))
            return false;
    return true;
}
