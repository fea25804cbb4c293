/* Gathers overlays with the counts of draws for each pixel.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost_overlay.h"

#include "util/alloc.h"

#include <string.h>

static const char *const names[FRAME_OVERLAYS] = {[FRAME_OVERLAY_DRAW] = "draw",
                                                  [FRAME_OVERLAY_WIREFRAME] = "wireframe",
                                                  [FRAME_OVERLAY_COST] = "cost",
                                                  [FRAME_OVERLAY_OVERDRAW] = "overdraw",
                                                  [FRAME_OVERLAY_DEPTH_FAIL] = "depth-fail",
                                                  [FRAME_OVERLAY_STENCIL_FAIL] = "stencil-fail",
                                                  [FRAME_OVERLAY_SHADED] = "shaded",
                                                  [FRAME_OVERLAY_QUADS] = "quads",
                                                  [FRAME_OVERLAY_TRIANGLE_SIZE] = "triangle-size"};

struct gathering {
    struct frame_overlay_values *out;
    struct draw_counter *counter;
    enum frame_overlay overlay;
    uint64_t call;
    bool pass, found;
    uint32_t *more; /* further counts of each pixel: helper lanes, or samples of one draw */
    struct draw_state *state; /* FRAME_OVERLAY_WIREFRAME: with other fill and cull modes */
    struct cmd_stream *stream;
    /* The target that the values belong to. */
    uint32_t resource, face, level;
    enum status status;
};

enum frame_overlay frame_overlay_find(const char *name)
{
    unsigned i = 0;

    while (i < FRAME_OVERLAYS && strcmp(names[i], name) != 0)
        i++;
    return (enum frame_overlay)i;
}

const char *frame_overlay_name(enum frame_overlay overlay)
{
    return names[overlay];
}

/* Begins with zeros, of the size of another target. False: out of memory. */
static bool begin(struct gathering *g, const struct draw_target *target)
{
    const struct tex_level *level = tex_image_level(target->image, 0, target->level);
    size_t n = (size_t)level->width * level->height;

    mem_free(g->out->value);
    mem_free(g->more);
    g->out->width = level->width;
    g->out->height = level->height;
    g->out->value = mem_calloc(n, sizeof(*g->out->value));
    g->more = mem_calloc(n, sizeof(*g->more));
    return g->out->value && g->more;
}

bool frame_overlay_is_mask(enum frame_overlay overlay)
{
    return overlay == FRAME_OVERLAY_DRAW || overlay == FRAME_OVERLAY_WIREFRAME;
}

/* The first colour target, else depth; NULL: none is bound. *resource: its id. *index: of
 * the target, DRAW_TARGETS for depth. */
static const struct draw_target *target_of(struct gathering *g, struct frame_walk *walk,
                                           const struct draw_state *state, uint32_t *resource,
                                           unsigned *index)
{
    const struct cmd_bindings *bindings = frame_walk_bindings(walk, g->stream);

    for (unsigned t = 0; bindings && t <= DRAW_TARGETS; t++) {
        const struct draw_target *target = t < DRAW_TARGETS ? &state->target[t] : &state->depth;

        *resource = frame_walk_id(walk, g->stream, bindings->target[t]);
        *index = t;
        if (target->image)
            return target;
    }
    return NULL;
}

/* Where the overlay has its values. */
static struct draw_pixel_counts places(struct gathering *g)
{
    struct draw_pixel_counts pixels = {.width = g->out->width, .height = g->out->height};

    switch (g->overlay) {
    case FRAME_OVERLAY_DRAW:
    case FRAME_OVERLAY_OVERDRAW:
        pixels.samples[DRAW_PASSED] = g->more;
        break;
    case FRAME_OVERLAY_WIREFRAME:
        pixels.samples[DRAW_COVERED] = g->out->value;
        break;
    case FRAME_OVERLAY_DEPTH_FAIL:
        pixels.samples[DRAW_DEPTH_FAILED] = g->out->value;
        break;
    case FRAME_OVERLAY_STENCIL_FAIL:
        pixels.samples[DRAW_STENCIL_FAILED] = g->out->value;
        break;
    case FRAME_OVERLAY_TRIANGLE_SIZE:
        pixels.size = g->out->value;
        break;
    case FRAME_OVERLAY_COST:
        pixels.instructions = g->out->value;
        break;
    case FRAME_OVERLAY_QUADS:
        pixels.helpers = g->more;
        /* fall through */
    default:
        pixels.shaded = g->out->value;
    }
    return pixels;
}

/* Samples that pass the tests are written only where the draw writes. */
static void add_written(struct gathering *g, const struct draw_counts *counts, unsigned target)
{
    size_t n = (size_t)g->out->width * g->out->height;
    uint64_t written = counts->written[target];

    for (unsigned t = 0; t <= DRAW_TARGETS && g->overlay == FRAME_OVERLAY_DRAW; t++)
        written |= counts->written[t];
    for (size_t i = 0; i < n; i++) {
        g->out->value[i] += written ? g->more[i] : 0;
        g->more[i] = 0;
    }
}

static enum status add_draw(struct gathering *g, struct draw *draw, const struct draw_state *state,
                            const struct draw_args *args, unsigned target)
{
    struct draw_pixel_counts pixels = places(g);
    struct draw_counts counts;
    enum status st;

    if (g->overlay == FRAME_OVERLAY_WIREFRAME) {
        memcpy(g->state, state, sizeof(*state));
        g->state->render[D3DRS_FILLMODE] = D3DFILL_WIREFRAME;
        g->state->render[D3DRS_CULLMODE] = D3DCULL_NONE;
        state = g->state;
    }
    st = draw_count(g->counter, draw, state, args, &pixels, &counts);
    if (st == ST_INVALID || st == ST_UNSUPPORTED) /* the draw fails, too */
        return ST_OK;
    if (!st && (g->overlay == FRAME_OVERLAY_DRAW || g->overlay == FRAME_OVERLAY_OVERDRAW))
        add_written(g, &counts, target);
    return st;
}

static void before(void *ctx, struct frame_walk *walk, const struct frame_packet *packet)
{
    struct gathering *g = ctx;

    (void)walk;
    g->stream = packet->stream;
}

static void on_draw(void *ctx, struct frame_walk *walk, struct draw *draw,
                    const struct draw_state *state, const struct draw_args *args)
{
    struct gathering *g = ctx;
    bool wanted = frame_walk_call(walk) == g->call;
    const struct draw_target *target;
    uint32_t resource;
    unsigned index;

    if (g->status || (!wanted && !g->pass) ||
        !(target = target_of(g, walk, state, &resource, &index)))
        return;
    if (!g->out->value || resource != g->resource || target->face != g->face ||
        target->level != g->level) {
        g->resource = resource;
        g->face = target->face;
        g->level = target->level;
        if (!begin(g, target)) {
            g->status = ST_NOMEM;
            return;
        }
    }
    g->found |= wanted;
    g->status = add_draw(g, draw, state, args, index);
}

static bool on_call(void *ctx, struct frame_walk *walk, const struct trace_call *call)
{
    struct gathering *g = ctx;

    (void)walk;
    return g->status == ST_OK && call->number <= g->call;
}

enum status frame_overlay_gather(struct frame_overlay_values *out, struct frame_walk *walk,
                                 enum frame_overlay overlay, uint64_t call, bool pass)
{
    struct gathering g = {.out = out, .overlay = overlay, .call = call, .pass = pass};
    const struct frame_visitor visitor = {
        .ctx = &g, .call = on_call, .before = before, .draw = on_draw};
    enum status st;

    *out = (struct frame_overlay_values){0};
    g.state = mem_alloc(sizeof(*g.state));
    st = g.state ? draw_counter_create(&g.counter) : ST_NOMEM;
    if (st) {
        mem_free(g.state);
        return st;
    }
    st = frame_walk_run(walk, &visitor);
    st = g.status ? g.status : st ? st : g.found ? ST_OK : ST_NOTFOUND;
    for (size_t i = 0; !st && i < (size_t)out->width * out->height; i++) {
        out->value[i] += overlay == FRAME_OVERLAY_QUADS ? g.more[i] : 0;
        if (frame_overlay_is_mask(overlay))
            out->value[i] = out->value[i] > 0;
    }
    draw_counter_destroy(g.counter);
    mem_free(g.more);
    mem_free(g.state);
    if (st) {
        mem_free(out->value);
        out->value = NULL;
    }
    return st;
}
