/* Events of a pixel's history: what draws, clears, copies and the program change in the pixels that
 * a pass watches.
 *
 * Tested by tests/unit/tool/inspect/test_pixel.c. */
#include "tool/inspect/pixel_events.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Points ----------------------------------------------------------------------------------- */

static bool is_live(const struct pixel_pass *g, const struct inspect_point *p)
{
    return g->watching && g->frame >= g->first && g->frame <= g->last && g->call < p->end &&
           inspect_streams_at(&g->streams, p->stream);
}

static struct draw_target target_of(const struct pixel_pass *g, const struct inspect_point *p)
{
    struct cmd_stream *stream = inspect_streams_at(&g->streams, p->stream);

    return (struct draw_target){stream ? cmd_rendered_image(stream, p->image) : NULL, p->face,
                                p->level};
}

/* Returns the point's index, or -1 if there are too many. */
static int add_point(struct pixel_pass *g, const struct inspect_point *wanted)
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

static struct inspect_event *add_event(struct pixel_pass *g, unsigned point)
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

void pixel_check_memory(struct pixel_pass *g)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        struct draw_target target;
        struct inspect_value now;
        struct inspect_event *e;

        if (!is_live(g, p) || !(target = target_of(g, p)).image)
            continue;
        draw_sync(cmd_renderer(inspect_streams_at(&g->streams, p->stream)), target.image);
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

static void end_point(struct pixel_pass *g, struct inspect_point *p,
                      const struct draw_target *target)
{
    draw_sync(cmd_renderer(inspect_streams_at(&g->streams, p->stream)), target->image);
    inspect_value_read(&p->final, target, p->x, p->y);
    p->ended = true;
}

void pixel_end_points(struct pixel_pass *g, uint64_t next_call)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        struct draw_target target;

        if (p->ended || !p->started || next_call < p->end || !(target = target_of(g, p)).image)
            continue;
        end_point(g, p, &target);
    }
}

void pixel_end_stream(struct pixel_pass *g, unsigned stream)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point *p = &g->h->point[i];
        struct draw_target target;

        if (p->stream == stream && p->started && !p->ended && (target = target_of(g, p)).image)
            end_point(g, p, &target);
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

static int bound_as(const struct pixel_pass *g, const struct draw_state *state, unsigned point)
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

void pixel_on_draw(void *ctx, struct draw *draw, const struct draw_state *state,
                   const struct draw_args *args)
{
    struct inspect_probe *probe = ctx;
    struct pixel_pass *g =
        (struct pixel_pass *)(void *)((char *)probe - offsetof(struct pixel_pass, probe));

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

void pixel_free_event(struct inspect_event *e)
{
    for (unsigned i = 0; i < e->n_primitives; i++)
        free(e->primitive[i].trace); /* allocated by open_memstream */
    mem_free(e->primitive);
}

/* Completes the draw's events with the pixel's final values. Removes the events of draws that do
 * not change the pixel. */
static void end_draws(struct pixel_pass *g, const struct draw_state *state)
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

static void end_clear(struct pixel_pass *g, const struct draw_state *state,
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

static bool is_surface(const struct pixel_pass *g, const struct inspect_point *p,
                       const struct cmd_surface *s)
{
    return is_live(g, p) && p->stream == g->stream_at && s->image == p->image &&
           s->level == p->level;
}

static struct inspect_event *copy_event(struct pixel_pass *g, unsigned point)
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
static void note_source(struct pixel_pass *g, struct inspect_event *e,
                        const struct cmd_surface *src, uint32_t slice, uint32_t x, uint32_t y,
                        const char *how)
{
    const struct tex_image *image =
        cmd_rendered_image(inspect_streams_at(&g->streams, g->stream_at), src->image);
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

static void end_copy(struct pixel_pass *g, const struct cmd_copy *c)
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

static void end_stretch(struct pixel_pass *g, const struct cmd_stretch *c)
{
    const struct cmd_box *d = &c->dst_box, *s = &c->src_box;
    const struct tex_image *src =
        cmd_rendered_image(inspect_streams_at(&g->streams, g->stream_at), c->src.image);
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

static void end_fill(struct pixel_pass *g, const struct cmd_fill *c)
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

/* The history shows values of formats with one pixel a block; of A1 it shows the call. */
static void end_compose(struct pixel_pass *g, const struct cmd_compose_rects *c)
{
    static const char *const operations[] = {"copied", "combined by OR", "combined by AND",
                                             "removed"};
    unsigned op = c->operation - D3DCOMPOSERECTS_COPY;

    for (unsigned i = 0; i < g->h->n_points; i++) {
        struct inspect_point p = g->h->point[i];
        struct inspect_event *e;

        if (is_surface(g, &p, &c->dst) && p.face == c->dst.face && (e = copy_event(g, i)))
            snprintf(e->what, sizeof(e->what),
                     "%" PRIu32 " glyphs of surface %" PRIu32 " %s somewhere", c->count,
                     c->src.image, op < 4 ? operations[op] : "?");
    }
}

static void end_mips(struct pixel_pass *g, const struct cmd_generate_mips *c)
{
    for (unsigned i = 0; i < g->h->n_points; i++) {
        const struct inspect_point *p = &g->h->point[i];
        struct cmd_surface all = {c->image, p->face, p->level};
        struct inspect_event *e;

        if (is_surface(g, p, &all) && p->level && (e = copy_event(g, i)))
            snprintf(e->what, sizeof(e->what), "made of the level above");
    }
}

/* --- Packets ---------------------------------------------------------------------------------- */

void pixel_before_clear(struct pixel_pass *g, struct cmd_stream *stream)
{
    const struct draw_state *state = cmd_rendered_state(stream);

    for (unsigned i = 0; i < g->h->n_points; i++) {
        if (bound_as(g, state, i) < 0)
            continue;
        draw_flush(cmd_renderer(stream));
        inspect_values_read(&g->before[i], state, g->h->point[i].x, g->h->point[i].y);
    }
}

void pixel_after_packet(struct pixel_pass *g, struct cmd_stream *stream, enum cmd_op op,
                        const void *packet, const void *data)
{
    const struct draw_state *state = cmd_rendered_state(stream);

    if (!(cmd_uses(op) & (CMD_USE_BOUND_WRITE | CMD_USE_WRITE)) || op == CMD_PROCESS_VERTICES)
        return; /* writes no image */
    draw_flush(cmd_renderer(stream));
    switch ((unsigned)op) {
    case CMD_CLEAR:
        end_clear(g, state, packet, data);
        break;
    case CMD_DRAW:
    case CMD_DRAW_UP:
    case CMD_DRAW_PATCH:
        end_draws(g, state);
        break;
    case CMD_COPY:
        end_copy(g, packet);
        break;
    case CMD_STRETCH:
        end_stretch(g, packet);
        break;
    case CMD_FILL:
        end_fill(g, packet);
        break;
    case CMD_GENERATE_MIPS:
        end_mips(g, packet);
        break;
    case CMD_COMPOSE_RECTS:
        end_compose(g, packet);
        break;
    }
}
