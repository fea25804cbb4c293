/* The pixel stage of a draw as the rasteriser calls it: program, constants and samplers, frozen
 * until the scene has been rendered. */
#include "draw/draw_private.h"

#include "util/alloc.h"
#include "util/bug.h"

#include <math.h>
#include <string.h>

struct shade {
    const struct draw_plan *plan;
    void *uniforms;
    const struct draw_watch *watch; /* follows the program; NULL normally */
    bool lone;                      /* no pixel looks at others of its quad, but for */
    uint64_t differ;                /* differences of these attributes, for levels */
    bool plain;                     /* the texel is multiplied with no constant but 1 */
    tex_words_fn *words;            /* and there is a way to have it as pixels */
    tex_grid_fn *grid;              /* or squares of pixels */
    uint8_t alike[VM_MAX_SAMPLERS]; /* of each sampler the first that it is alike */
    struct tex_sampler sampler[];   /* those of plan->ps_samplers */
};

static const _Alignas(64) float zeros[VM_LANES];

/* --- Samplers --------------------------------------------------------------------------------- */

static uint8_t other_address(uint8_t address)
{
    if (bug_is(BUG_BORDER) && address == D3DTADDRESS_BORDER)
        return D3DTADDRESS_CLAMP;
    return bug_is(BUG_MIRROR) && address == D3DTADDRESS_MIRROR ? D3DTADDRESS_WRAP : address;
}

/* What a broken sampler would be. */
static void spoil(struct tex_sampler_state *s)
{
    if (bug_is(BUG_MIP_BIAS))
        s->lod_bias = 0.0f;
    if (bug_is(BUG_MIP_FIRST))
        s->max_mip_level = 0;
    if (bug_is(BUG_FILTER) && s->mag_filter == D3DTEXF_LINEAR)
        s->mag_filter = D3DTEXF_POINT;
    s->srgb = s->srgb && !bug_is(BUG_SRGB_READ);
    for (unsigned a = 0; a < 3; a++)
        s->address[a] = other_address(s->address[a]);
}

static struct tex_sampler_state sampler_state(const struct draw_state *state, unsigned n)
{
    const DWORD *s = state->sampler[n];
    struct tex_sampler_state out = {
        .address = {(uint8_t)s[D3DSAMP_ADDRESSU], (uint8_t)s[D3DSAMP_ADDRESSV],
                    (uint8_t)s[D3DSAMP_ADDRESSW]},
        .min_filter = (uint8_t)s[D3DSAMP_MINFILTER],
        .mag_filter = (uint8_t)s[D3DSAMP_MAGFILTER],
        .mip_filter = (uint8_t)s[D3DSAMP_MIPFILTER],
        .max_anisotropy = (uint8_t)s[D3DSAMP_MAXANISOTROPY],
        .srgb = s[D3DSAMP_SRGBTEXTURE] & 1, /* reference: texture/srgb */
        .max_mip_level = s[D3DSAMP_MAXMIPLEVEL],
        .lod = state->texture[n].lod,
        .border = s[D3DSAMP_BORDERCOLOR],
        .palette = state->palette,
    };

    memcpy(&out.lod_bias, &s[D3DSAMP_MIPMAPLODBIAS], sizeof(out.lod_bias));
    spoil(&out);
    return out;
}

enum status shade_samplers(struct draw *draw, const struct draw_state *state, unsigned first,
                           uint32_t mask, struct tex_sampler *samplers)
{
    for (unsigned i = 0; mask >> i; i++) {
        struct tex_image *image;
        struct tex_sampler_state setting;
        enum status st;

        if (!(mask >> i & 1))
            continue;
        image = draw->stand_in[first + i];
        if (!image)
            image = state->texture[first + i].image;
        setting = sampler_state(state, first + i);
        memset(&samplers[i], 0, sizeof(samplers[i]));
        if ((st = tex_sampler_init(&samplers[i], image, &setting)))
            return st;
        if (image)
            image->last_scene = draw->scene;
    }
    return ST_OK;
}

void draw_sample(void *ctx, const struct sample *in)
{
    const struct tex_sampler *samplers = ctx;

    tex_sample(&samplers[in->sampler], in);
}

/* --- Preparing -------------------------------------------------------------------------------- */

static enum status fill_uniforms(struct draw *draw, const struct draw_plan *plan,
                                 const struct draw_state *state, const struct ff_state *ff,
                                 void *uniforms)
{
    float system[VM_SYSTEM_COUNT][4];
    struct vm_constants constants = {
        .f = (const float(*)[4])state->ps_constants.f,
        .i = (const int32_t(*)[4])state->ps_constants.i,
        .b = state->ps_constants.b,
        .system = (const float(*)[4])system,
        .n_f = DRAW_PS_FLOATS,
        .n_i = DRAW_INTS,
        .n_b = DRAW_BOOLS,
    };

    if (plan->ps1) { /* no others read them */
        ff_bump_constants(state->stage, system);
        constants.n_system = VM_SYSTEM_COUNT;
    }
    if (plan->fixed_ps) {
        float(*c)[4] = draw_scratch_get(&draw->constants, FF_PIXEL_CONSTANTS * sizeof(*c));

        if (!c)
            return ST_NOMEM;
        constants.n_f = ff_pixel_constants(&plan->key.ff_pixel, ff, c);
        constants.f = (const float(*)[4])c;
    }
    if (bug_is(BUG_CONSTANT) && !plan->fixed_ps) {
        constants.f++;
        constants.n_f--;
    }
    vm_code_fill_uniforms(plan->ps, &constants, uniforms);
    return ST_OK;
}

static bool same_samplers(const struct shade *a, const struct tex_sampler *b, uint32_t mask)
{
    for (unsigned i = 0; mask >> i; i++)
        if ((mask >> i & 1) && memcmp(&a->sampler[i], &b[i], sizeof(b[i])))
            return false;
    return true;
}

static bool same_shade(const struct shade *shade, const struct draw_plan *plan,
                       const void *uniforms, const struct tex_sampler *samplers)
{
    return shade && shade->plan == plan &&
           !memcmp(shade->uniforms, uniforms, plan->ps_uniform_bytes) &&
           same_samplers(shade, samplers, plan->ps_samplers);
}

/* Draws often shade alike; giving them the same struct saves memory, and lets the pixels of
 * successive ones share batches. */
static const struct shade *find_shade(const struct draw *draw, const struct draw_plan *plan,
                                      const void *uniforms, const struct tex_sampler *samplers)
{
    for (unsigned i = 1; i <= DRAW_RECENT_SHADES; i++) { /* the latest first */
        const struct shade *shade = draw->recent_shade[(draw->next_shade - i) % DRAW_RECENT_SHADES];

        if (same_shade(shade, plan, uniforms, samplers))
            return shade;
    }
    return NULL;
}

static struct shade *new_shade(struct draw *draw, const struct draw_plan *plan,
                               const void *uniforms, const struct tex_sampler *samplers)
{
    unsigned n = plan->ps_samplers ? 32 - (unsigned)__builtin_clz(plan->ps_samplers) : 0;
    struct shade *shade =
        arena_alloc(&draw->shading, sizeof(*shade) + n * sizeof(shade->sampler[0]));

    if (!shade || !(shade->uniforms = arena_alloc(&draw->shading, plan->ps_uniform_bytes + 64)))
        return NULL;
    shade->plan = plan;
    memcpy(shade->uniforms, uniforms, plan->ps_uniform_bytes);
    for (unsigned i = 0; i < n; i++)
        if (plan->ps_samplers >> i & 1)
            shade->sampler[i] = samplers[i];
    return shade;
}

/* Textures of one size with equal states, as a surface's colours and normals mostly are. */
static void find_alike(struct shade *shade)
{
    uint32_t mask = shade->plan->ps_samplers;

    for (unsigned i = 0; mask >> i; i++) {
        unsigned first = 0;

        if (!(mask >> i & 1))
            continue;
        while (first < i && !(mask >> first & 1 && shade->alike[first] == first &&
                              tex_samplers_alike(&shade->sampler[first], &shade->sampler[i])))
            first++;
        shade->alike[i] = (uint8_t)first;
    }
}

/* The level of a texture is all that a program may need other pixels for. */
static void find_lone(struct shade *shade)
{
    const struct draw_plan *plan = shade->plan;
    uint64_t differ = 0;

    shade->lone = false;
    shade->differ = 0;
    for (unsigned i = 0; plan->ps_samplers >> i; i++) {
        if (!(plan->ps_samplers >> i & 1) || !tex_sampler_has_levels(&shade->sampler[i]))
            continue;
        if (!plan->level_attrs[i] || !tex_sampler_is_2d(&shade->sampler[i]))
            return;
        differ |= plan->level_attrs[i];
    }
    shade->lone = plan->lone && __builtin_popcountll(differ) <= RASTER_DIFFERENCES;
    shade->differ = shade->lone ? differ : 0;
}

static bool is_plain(const struct shade *shade)
{
    const struct vm_texel_product *product = &shade->plan->product;

    if (!shade->plan->is_product || !tex_sampler_is_2d(&shade->sampler[product->sampler]))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (product->constant[c] >= 0 &&
            vm_uniform_value(shade->uniforms, product->constant[c]) != 1.0f)
            return false;
    return true;
}

enum status shade_prepare(struct draw *draw, const struct draw_plan *plan,
                          const struct draw_state *state, const struct ff_state *ff,
                          const struct shade **out)
{
    struct tex_sampler samplers[VM_MAX_SAMPLERS];
    void *uniforms = draw_scratch_get(&draw->ps_uniforms, plan->ps_uniform_bytes + 64);
    struct shade *shade;
    enum status st;

    if (!uniforms)
        return ST_NOMEM;
    memset(uniforms, 0, plan->ps_uniform_bytes);
    if ((st = shade_samplers(draw, state, 0, plan->ps_samplers, samplers)) ||
        (st = fill_uniforms(draw, plan, state, ff, uniforms)))
        return st;
    if ((*out = find_shade(draw, plan, uniforms, samplers)))
        return ST_OK;
    shade = new_shade(draw, plan, uniforms, samplers);
    if (!shade)
        return ST_NOMEM;
    shade->watch = plan->key.observe ? draw->watch : NULL;
    find_alike(shade);
    find_lone(shade);
    shade->plain = is_plain(shade);
    if (shade->plain) {
        shade->words = tex_sampler_words(&shade->sampler[plan->product.sampler]);
        shade->grid = tex_sampler_grid(&shade->sampler[plan->product.sampler]);
    }
    *out = draw->recent_shade[draw->next_shade++ % DRAW_RECENT_SHADES] = shade;
    return ST_OK;
}

/* --- Sampling of one primitive ---------------------------------------------------------------- */

/* Attributes of a primitive without perspective differ from pixel to pixel by the same everywhere,
 * so that samples by two of them are all of one level. How samplers have been used: */
struct note {
    const float *u, *v;
    unsigned sampler;
    struct tex_way way;
};
enum { NOTES = 16 };
struct notes {
    uint32_t known; /* a bit a note */
    struct note note[NOTES];
};
struct sampling {
    const struct shade *shade;
    const struct raster_batch *batch;
    struct notes *notes;
};

size_t shade_note_bytes(void)
{
    return sizeof(struct notes);
}

static struct notes *notes_of(const struct shade *shade, const struct raster_batch *batch)
{
    struct notes *notes =
        (struct notes *)(void *)((char *)batch->work + shade->plan->ps_work_bytes);

    if (batch->prim && batch->filled_by != shade)
        notes->known = 0;
    return notes;
}

/* Of the attribute that lies in some lanes of a batch. */
static bool find_slope(const struct sampling *sampling, const float *lanes,
                       struct raster_slope *slope)
{
    const struct draw_plan *plan = sampling->shade->plan;
    const float *work = sampling->batch->work;

    for (unsigned a = 0; a < plan->n_attr; a++)
        if (work + plan->raster_attr[a].slot * VM_LANES == lanes)
            return raster_batch_slope(sampling->batch, a, slope);
    return false;
}

static void find_way(const struct sampling *sampling, const struct sample *in, struct tex_way *way)
{
    struct raster_slope slope[2];
    struct tex_slopes slopes;

    way->how = -1;
    if (!in->coord[0] || !in->coord[1])
        return;
    for (unsigned a = 0; a < 2; a++) {
        if (!find_slope(sampling, in->coord[a], &slope[a]))
            slope[a] = (struct raster_slope){.slack = INFINITY};
        slopes.slack[a] = slope[a].slack;
        memcpy(slopes.step[a], slope[a].step, sizeof(slopes.step[a]));
    }
    tex_sampler_way(&sampling->shade->sampler[in->sampler], &slopes, way);
}

static const struct tex_way no_way = {.how = -1};

/* Instructions that would have the same note go without. */
static const struct tex_way *noted_way(const struct sampling *sampling, const struct sample *in)
{
    const float *work = sampling->batch->work;
    uintptr_t distance = (uintptr_t)in->coord[0] - (uintptr_t)work;
    unsigned n = (unsigned)(distance / (VM_LANES * sizeof(*work)) + in->sampler) % NOTES;
    struct note *note = &sampling->notes->note[n];

    if (!(sampling->notes->known >> n & 1)) {
        *note = (struct note){.u = in->coord[0], .v = in->coord[1], .sampler = in->sampler};
        find_way(sampling, in, &note->way);
        sampling->notes->known |= 1u << n;
        return &note->way;
    }
    if (note->u != in->coord[0] || note->v != in->coord[1] || note->sampler != in->sampler)
        return &no_way;
    return &note->way;
}

static const struct tex_way *way_of(const struct sampling *sampling, const struct sample *in)
{
    if (!sampling->batch->prim || in->lod_mode != LOD_IMPLICIT || !in->coord[0])
        return &no_way;
    return noted_way(sampling, in);
}

/* How far an attribute differs where pixels are without their quads: which of those that do it is;
 * -1: it is none. */
static int find_difference(const struct sampling *sampling, const float *lanes)
{
    const struct draw_plan *plan = sampling->shade->plan;
    const float *work = sampling->batch->work;
    int n = 0;

    for (uint64_t differ = sampling->shade->differ; differ; differ &= differ - 1, n++)
        if (work + plan->raster_attr[__builtin_ctzll(differ)].slot * VM_LANES == lanes)
            return n;
    return -1;
}

/* The same sample with its gradients; false: it has no level that follows from differences. */
static bool give_gradients(const struct sampling *sampling, const struct sample *in,
                           struct sample *out)
{
    const struct raster_differences *differences = sampling->batch->differences;

    if (!differences || in->lod_mode != LOD_IMPLICIT)
        return false;
    *out = *in;
    out->lod_mode = LOD_GRADIENT;
    for (unsigned a = 0; a < 2; a++) {
        int n = find_difference(sampling, in->coord[a]);

        if (n < 0)
            return false;
        out->ddx[a] = differences->x[n];
        out->ddy[a] = differences->y[n];
    }
    out->ddx[2] = out->ddy[2] = NULL;
    return true;
}

static void sample(void *ctx, const struct sample *in)
{
    const struct sampling *sampling = ctx;
    const struct tex_sampler *sampler = &sampling->shade->sampler[in->sampler];
    const struct tex_way *way = way_of(sampling, in);
    struct sample lone;

    if (give_gradients(sampling, in, &lone))
        tex_sample(sampler, &lone);
    else if (way->how < 0)
        tex_sample(sampler, in);
    else
        tex_sample_way(sampler, way, in);
}

/* The first samples, those with samplers alike: how many that were. */
static unsigned sample_alike(const struct sampling *sampling, const struct sample *in, unsigned n)
{
    const struct shade *shade = sampling->shade;
    const struct tex_sampler *samplers[TEX_TOGETHER];
    unsigned alike = 0;

    if (sampling->batch->differences)
        return 0;
    while (alike < n && shade->alike[in[alike].sampler] == shade->alike[in->sampler]) {
        samplers[alike] = &shade->sampler[in[alike].sampler];
        alike++;
    }
    if (alike > 1)
        tex_sample_together(samplers, way_of(sampling, in), in, alike);
    return alike;
}

static void sample_together(void *ctx, const struct sample *in, unsigned n)
{
    while (n) {
        unsigned done = sample_alike(ctx, in, n);

        if (done <= 1)
            sample(ctx, in);
        in += done ? done : 1;
        n -= done ? done : 1;
    }
}
_Static_assert((int)TEX_TOGETHER == (int)VM_SAMPLES_TOGETHER, "one call takes all");

/* --- Running ---------------------------------------------------------------------------------- */

static void put_system_inputs(const struct draw_plan *plan, const struct raster_batch *batch)
{
    float *work = batch->work;

    if (plan->vpos[0] >= 0)
        memcpy(work + plan->vpos[0] * VM_LANES, batch->x, VM_LANES * sizeof(float));
    if (plan->vpos[1] >= 0)
        memcpy(work + plan->vpos[1] * VM_LANES, batch->y, VM_LANES * sizeof(float));
    if (plan->vface >= 0)
        memcpy(work + plan->vface * VM_LANES, batch->face, VM_LANES * sizeof(float));
}

/* Where results are does not change between batches. */
static void put_places(const struct draw_plan *plan, struct raster_batch *batch)
{
    const float *outputs = vm_code_outputs(plan->ps, batch->work);

    for (unsigned left = plan->colours; left; left &= left - 1) {
        unsigned t = (unsigned)__builtin_ctz(left);

        for (unsigned c = 0; c < 4; c++) {
            int slot = plan->colour[t][c];

            batch->colour[t][c] = slot < 0 ? zeros : outputs + slot * VM_LANES;
        }
    }
    if (plan->depth >= 0)
        batch->depth = outputs + plan->depth * VM_LANES;
}

/* Which lane the watched pixel is; -1: it is not in the batch. */
static int watched_lane(const struct draw_watch *watch, const struct raster_batch *batch)
{
    for (uint64_t left = batch->covered; left; left &= left - 1) {
        int lane = __builtin_ctzll(left);

        if (batch->x[lane] == watch->x && batch->y[lane] == watch->y)
            return lane;
    }
    return -1;
}

static void watch_batch(const struct shade *shade, int lane, struct vm_batch *batch)
{
    struct draw_shading shading = {.program = shade->plan->program[1],
                                   .lanes = batch->lanes,
                                   .lane = lane,
                                   .inputs = batch->work};

    shade->watch->before(shade->watch->ctx, &shading);
    batch->observe = shade->watch->step;
    batch->observe_ctx = shade->watch->ctx;
}

static void watch_results(const struct shade *shade, int lane, const struct raster_batch *batch)
{
    const float *colour[RASTER_TARGETS] = {0};
    float value[RASTER_TARGETS][4];

    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        for (unsigned c = 0; batch->colour[t][0] && c < 4; c++)
            value[t][c] = batch->colour[t][c][lane];
        colour[t] = batch->colour[t][0] ? value[t] : NULL;
    }
    shade->watch->after(shade->watch->ctx, colour);
}

static void shade_batch(const void *ctx, struct raster_batch *batch)
{
    const struct shade *shade = ctx;
    const struct draw_plan *plan = shade->plan;
    struct sampling sampling = {.shade = shade, .batch = batch, .notes = notes_of(shade, batch)};
    struct vm_batch run = {.work = batch->work,
                           .uniforms = shade->uniforms,
                           .lanes = batch->lanes,
                           .sample = sample,
                           .sample_together = sample_together,
                           .sample_ctx = &sampling};

    int lane = shade->watch ? watched_lane(shade->watch, batch) : -1;

    put_system_inputs(plan, batch);
    if (lane >= 0)
        watch_batch(shade, lane, &run);
    vm_run(plan->ps, &run);
    batch->killed = run.killed;
    if (batch->filled_by != shade) {
        put_places(plan, batch);
        batch->filled_by = shade;
    }
    if (lane >= 0)
        watch_results(shade, lane, batch);
}

/* What the program makes of a texel that it multiplies with ones. */
static void shade_plain(const void *ctx, struct raster_batch *batch)
{
    const struct shade *shade = ctx;
    const struct vm_texel_product *product = &shade->plan->product;
    const float *work = batch->work;
    const float *u = work + product->coord[0] * VM_LANES, *v = work + product->coord[1] * VM_LANES;
    struct sample texel = {.lod_mode = LOD_IMPLICIT, .lanes = batch->lanes, .coord = {u, v, u}};
    float *outputs = vm_code_outputs(shade->plan->ps, batch->work);

    for (unsigned c = 0; c < 4; c++)
        batch->colour[0][c] = texel.texel[c] = outputs + product->slot[c] * VM_LANES;
    tex_sample(&shade->sampler[product->sampler], &texel);
}

static void shade_words(const void *ctx, const struct raster_batch *batch, uint32_t *words)
{
    const struct shade *shade = ctx;
    const struct vm_texel_product *product = &shade->plan->product;
    const float *work = batch->work;

    shade->words(&shade->sampler[product->sampler], work + product->coord[0] * VM_LANES,
                 work + product->coord[1] * VM_LANES, words);
}

static bool shade_grid(const void *ctx, const struct tex_grid *grid)
{
    const struct shade *shade = ctx;

    return shade->grid(&shade->sampler[shade->plan->product.sampler], grid);
}

static void put_ramp(struct raster_state *out, const struct shade *shade)
{
    const struct draw_plan *plan = shade->plan;

    out->ramps = true;
    out->ramp.saturated = plan->scaled.saturated;
    for (unsigned c = 0; c < 4; c++) {
        int32_t constant = plan->scaled.constant[c];

        out->ramp.attr[c] = plan->ramp_attr[c];
        out->ramp.factor[c] = constant < 0 ? 1.0f : vm_uniform_value(shade->uniforms, constant);
    }
}

void shade_state(struct raster_state *out, const struct draw_plan *plan, const struct shade *shade)
{
    out->shade = shade_batch;
    out->shade_ctx = shade;
    out->even = !plan->ps_samplers && plan->vpos[0] < 0 && plan->vpos[1] < 0;
    out->lone = shade->lone;
    out->differ = shade->differ;
    if (plan->is_ramp)
        put_ramp(out, shade);
    if (!shade->plain)
        return;
    out->plain = shade_plain;
    out->words = shade->words ? shade_words : NULL;
    out->grid = shade->grid ? shade_grid : NULL;
    memcpy(out->grid_attr, plan->product_attr, sizeof(out->grid_attr));
    out->ones = plan->factors;
}
