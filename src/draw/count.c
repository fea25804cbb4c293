/* Counts the work of a draw. One renderer tests every sample after shading, so that each test sees
 * all samples that reach it. Another shades the pixels that an early test leaves, in single steps.
 * Both draw on copies of the targets. */
#include "draw/context.h"

#include "tex/tex.h"
#include "util/alloc.h"

#include <string.h>

_Static_assert((int)DRAW_SAMPLE_COUNTS == (int)RASTER_COUNTS &&
                   (int)DRAW_PASSED == (int)RASTER_PASSED &&
                   (int)DRAW_STENCIL_FAILED == (int)RASTER_STENCIL_FAILED,
               "the same counts");

struct draw_counter {
    struct draw *tester, *shader;
    struct draw_debug_hooks hooks;            /* of `shader` */
    struct draw_state *state;                 /* of the draw, with other targets */
    struct tex_image *copy[DRAW_TARGETS + 1]; /* of targets, and of depth */
    struct draw_counts counts;
    const struct draw_pixel_counts *pixels;
    struct draw_shader_counts *at; /* of the batch that runs */
    uint64_t lanes;                /* of that batch, without helper lanes */
    const float *x, *y;            /* of pixels: the position of each lane */
    enum status status;
};

/* --- Shading ---------------------------------------------------------------------------------- */

static void add_instructions(struct draw_shader_counts *counts)
{
    for (uint32_t i = 0; i < counts->n_executed; i++) {
        counts->instructions += counts->executed[i];
        if (vm_instr_samples(counts->program, i))
            counts->lookups += counts->executed[i];
    }
}

/* Begins to count instructions of another program. */
static bool reserve(struct draw_shader_counts *counts, const struct vm_program *program)
{
    uint32_t n = vm_program_length(program);

    if (counts->program == program)
        return true;
    add_instructions(counts);
    if (n > counts->max_executed) {
        uint64_t *more = mem_alloc(n * sizeof(*more));

        if (!more)
            return false;
        mem_free(counts->executed);
        counts->executed = more;
        counts->max_executed = n;
    }
    if (n)
        memset(counts->executed, 0, n * sizeof(*counts->executed));
    counts->n_executed = n;
    counts->program = program;
    return true;
}

/* Adds to the pixels of lanes. */
static void add_lanes(uint32_t *out, const struct draw_counter *c, uint64_t lanes, uint32_t more)
{
    const struct draw_pixel_counts *pixels = c->pixels;

    for (; out && lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        float x = c->x[lane], y = c->y[lane];

        if (x >= 0.0f && y >= 0.0f && x < (float)pixels->width && y < (float)pixels->height)
            out[(size_t)y * pixels->width + (size_t)x] += more;
    }
}

static void on_batch(void *ctx, const struct draw_shader_batch *shading)
{
    struct draw_counter *c = ctx;
    bool pixel = shading->lane >= 0;

    c->at = pixel ? &c->counts.pixel : &c->counts.vertex;
    c->lanes = shading->covered;
    if (!reserve(c->at, shading->program)) {
        c->status = ST_NOMEM;
        c->at = NULL;
        return;
    }
    c->at->invocations += (uint64_t)__builtin_popcountll(c->lanes);
    if (!pixel || !c->pixels)
        return;
    c->x = shading->x;
    c->y = shading->y;
    add_lanes(c->pixels->shaded, c, c->lanes, 1);
    add_lanes(c->pixels->helpers, c, shading->lanes & ~c->lanes, 1);
}

static void on_step(void *ctx, const struct vm_step *step)
{
    struct draw_counter *c = ctx;
    uint64_t n = (uint64_t)__builtin_popcountll(step->lanes & c->lanes);

    for (uint32_t i = step->first; c->at && i <= step->last; i++)
        c->at->executed[i] += n;
    if (c->pixels && c->at == &c->counts.pixel)
        add_lanes(c->pixels->instructions, c, step->lanes & c->lanes, step->last - step->first + 1);
}

static void on_primitives(void *ctx, uint32_t references, const struct raster_prim_counts *counts)
{
    struct draw_counts *out = &((struct draw_counter *)ctx)->counts;

    out->references += references;
    out->primitives += counts->n;
    out->outside += counts->outside;
    out->culled += counts->culled;
    out->drawn += counts->drawn;
    out->clipped += counts->clipped;
}

static void on_after(void *ctx, const float *const colour[DRAW_TARGETS])
{
    (void)ctx;
    (void)colour;
}

/* --- Targets ---------------------------------------------------------------------------------- */

static bool same_desc(const struct tex_desc *a, const struct tex_desc *b)
{
    return a->format == b->format && a->shape == b->shape && a->width == b->width &&
           a->height == b->height && a->depth == b->depth && a->levels == b->levels &&
           a->samples == b->samples;
}

static void copy_contents(struct tex_image *to, const struct tex_image *from)
{
    for (uint32_t i = 0; i < from->faces * from->desc.levels; i++) {
        const struct tex_level *a = &from->level[i];
        const struct tex_level *b = &to->level[i];
        uint32_t slices = from->desc.samples > 1 ? from->desc.samples : a->depth;
        size_t row = (size_t)a->width * from->format->bytes;

        for (uint32_t s = 0; s < slices; s++)
            for (uint32_t y = 0; y < a->height; y++)
                memcpy(b->data + (size_t)s * b->slice_pitch + (size_t)y * b->row_pitch,
                       a->data + (size_t)s * a->slice_pitch + (size_t)y * a->row_pitch, row);
    }
}

/* Points the target to an image like its own. Colours decide nothing, so only depth has contents.
 */
static enum status copy_target(struct draw_counter *c, unsigned t, struct draw_target *target)
{
    const struct tex_image *image = target->image;
    enum status st;

    if (!image || image->format->layout == TEX_LAYOUT_RAW)
        return ST_OK;
    if (!c->copy[t] || !same_desc(&c->copy[t]->desc, &image->desc)) {
        tex_image_unref(&c->copy[t]);
        if ((st = tex_image_create(&c->copy[t], &image->desc, NULL)))
            return st;
    }
    if (t == DRAW_TARGETS) {
        copy_contents(c->copy[t], image);
        tex_image_touch(c->copy[t]);
    }
    target->image = c->copy[t];
    return ST_OK;
}

static enum status set_state(struct draw_counter *c, const struct draw_state *state)
{
    enum status st = ST_OK;

    memcpy(c->state, state, sizeof(*state));
    c->state->clip_status = NULL;
    c->state->occlusion = NULL;
    for (unsigned t = 0; !st && t < DRAW_TARGETS; t++)
        st = copy_target(c, t, &c->state->target[t]);
    return st ? st : copy_target(c, DRAW_TARGETS, &c->state->depth);
}

/* --- A draw ----------------------------------------------------------------------------------- */

static const D3DRENDERSTATETYPE write_masks[DRAW_TARGETS] = {
    D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1, D3DRS_COLORWRITEENABLE2,
    D3DRS_COLORWRITEENABLE3};

/* Executes the draw on one of the counter's renderers, as a renderer like `like` does. */
static enum status run(struct draw *renderer, const struct draw *like, struct draw_state *state,
                       const struct draw_args *args)
{
    enum status st;

    renderer->ieee = like->ieee;
    renderer->no_aa_lines = like->no_aa_lines;
    st = draw_primitives(renderer, state, args);
    draw_flush(renderer);
    return st;
}

/* Names the programs of a stage that never ran. */
static enum status name_programs(struct draw_counter *c, D3DPRIMITIVETYPE type)
{
    const struct vm_program *vertex, *pixel;
    enum status st = draw_programs(c->shader, c->state, type, &vertex, &pixel);

    if (st)
        return st;
    if ((!c->counts.vertex.program && !reserve(&c->counts.vertex, vertex)) ||
        (!c->counts.pixel.program && !reserve(&c->counts.pixel, pixel)))
        return ST_NOMEM;
    return ST_OK;
}

static enum status shade(struct draw_counter *c, struct draw *draw, const struct draw_state *state,
                         const struct draw_args *args)
{
    enum status st = set_state(c, state);

    if (st)
        return st;
    c->counts.vertex.program = c->counts.pixel.program = NULL;
    c->counts.vertex.n_executed = c->counts.pixel.n_executed = 0;
    c->status = ST_OK;
    draw_set_debug_hooks(c->shader, &c->hooks);
    st = run(c->shader, draw, c->state, args);
    if (!st)
        st = name_programs(c, args->type);
    draw_set_debug_hooks(c->shader, NULL);
    add_instructions(&c->counts.vertex);
    add_instructions(&c->counts.pixel);
    return st ? st : c->status;
}

/* Colours are not written here: that would take time. */
static enum status test(struct draw_counter *c, struct draw *draw, const struct draw_state *state,
                        const struct draw_args *args)
{
    struct raster *raster = c->tester->scene.raster;
    struct raster_counts counts = {.n = {0}};
    uint64_t passed = 0;
    enum status st = set_state(c, state);

    if (st)
        return st;
    if (c->pixels) {
        memcpy(counts.pixel, c->pixels->samples, sizeof(counts.pixel));
        counts.size = c->pixels->size;
        counts.width = c->pixels->width;
        counts.height = c->pixels->height;
    }
    c->state->occlusion = &passed;
    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        c->state->render[write_masks[t]] = 0;
    raster_set_counts(raster, &counts);
    st = run(c->tester, draw, c->state, args);
    raster_set_counts(raster, NULL);
    memcpy(c->counts.samples, counts.n, sizeof(counts.n));
    return st;
}

static void find_written(struct draw_counts *counts, const struct draw_state *state)
{
    const DWORD *rs = state->render;
    const struct tex_image *depth = state->depth.image;
    bool stencil = depth && (depth->format->caps & TEX_STENCIL) && rs[D3DRS_STENCILENABLE];
    bool writes_depth = depth && rs[D3DRS_ZENABLE] && rs[D3DRS_ZWRITEENABLE];

    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        if (state->target[t].image && rs[write_masks[t]] & 15 &&
            vm_program_info(counts->pixel.program)->colours >> t & 1)
            counts->written[t] = counts->samples[DRAW_PASSED];
    if (stencil || writes_depth)
        counts->written[DRAW_TARGETS] = counts->samples[DRAW_PASSED];
}

enum status draw_count(struct draw_counter *c, struct draw *draw, const struct draw_state *state,
                       const struct draw_args *args, const struct draw_pixel_counts *pixels,
                       struct draw_counts *out)
{
    uint64_t *executed[2] = {c->counts.vertex.executed, c->counts.pixel.executed};
    uint32_t max[2] = {c->counts.vertex.max_executed, c->counts.pixel.max_executed};
    enum status st;

    c->counts = (struct draw_counts){
        .vertex = {.executed = executed[0], .max_executed = max[0]},
        .pixel = {.executed = executed[1], .max_executed = max[1]},
    };
    c->pixels = pixels;
    draw_flush(draw); /* what the draw reads is in memory */
    if ((st = test(c, draw, state, args)) || (st = shade(c, draw, state, args)))
        return st;
    find_written(&c->counts, state);
    *out = c->counts;
    return ST_OK;
}

/* --- Create and destroy ----------------------------------------------------------------------- */

enum status draw_counter_create(struct draw_counter **out)
{
    struct draw_options options = {
        .threads = 1, .no_packing = true, .keep_overdrawn = true, .no_fast_clear = true};
    struct draw_counter *c = mem_calloc(1, sizeof(*c));
    enum status st;

    *out = NULL;
    if (!c)
        return ST_NOMEM;
    c->hooks = (struct draw_debug_hooks){.ctx = c,
                                         .shaders = true,
                                         .all_pixels = true,
                                         .before = on_batch,
                                         .step = on_step,
                                         .after = on_after,
                                         .primitives = on_primitives};
    c->state = mem_alloc(sizeof(*c->state));
    st = c->state ? draw_create(&c->shader, &options) : ST_NOMEM;
    options.force_late_zs = true;
    if (!st)
        st = draw_create(&c->tester, &options);
    if (st) {
        draw_counter_destroy(c);
        return st;
    }
    *out = c;
    return ST_OK;
}

void draw_counter_destroy(struct draw_counter *c)
{
    if (!c)
        return;
    draw_destroy(c->tester);
    draw_destroy(c->shader);
    for (unsigned t = 0; t <= DRAW_TARGETS; t++)
        tex_image_unref(&c->copy[t]);
    mem_free(c->counts.vertex.executed);
    mem_free(c->counts.pixel.executed);
    mem_free(c->state);
    mem_free(c);
}
