/* Whole-block shading: shades an 8x8 block of one primitive as a batch of its own, outside the quad
 * queue.
 *
 * Pixels are stored by rows, one sample plane after another. In the common case coverage is full
 * and early tests are done. Otherwise the block is written in full and the uncovered pixels are
 * restored. Two cases skip the shader: primitives of one solid colour, and primitives whose
 * result is the RGBA8 texel itself. */
#include "raster/output/block_output.h"
#include "raster/output/store_kern.h"

#include <string.h>

/* --- Shader inputs ---------------------------------------------------------------------------- */

/* Lane i is pixel (lane_x(i), lane_y(i)) of the block. */
static unsigned lane_x(unsigned lane)
{
    return lane / 4 % 4 * 2 + lane % 2;
}

static unsigned lane_y(unsigned lane)
{
    return lane / 16 * 2 + lane / 2 % 2;
}

static void put_position(struct raster_block_lanes *lanes, int32_t x, int32_t y)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->x[i] = (float)(x + (int32_t)lane_x(i));
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->y[i] = (float)(y + (int32_t)lane_y(i));
}

static void put_face(struct raster_block_lanes *lanes, float face)
{
    for (unsigned i = 0; i < RASTER_LANES; i++)
        lanes->face[i] = face;
}

static void interpolate(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                        int32_t y)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct raster_block_lanes *lanes = &worker->block;
    struct raster_block block = {
        .prim = prim,
        .attr = pipeline->s.attr,
        .n_attrs = pipeline->s.n_attrs,
        .x = (float)x,
        .y = (float)y,
        .with_const_attribs = worker->last_prim != prim,
        .z = pipeline->batch_inputs & RASTER_PS_INPUT_Z ? lanes->z : NULL,
        .w = pipeline->batch_inputs & RASTER_PS_INPUT_W ? lanes->w : NULL,
        .work = worker->work,
    };

    worker->raster->block_kern->interpolate(&block);
    worker->last_prim = prim; /* shaders do not modify their inputs */
    if (pipeline->batch_inputs & RASTER_PS_INPUT_POS)
        put_position(lanes, x, y);
    if (pipeline->batch_inputs & RASTER_PS_INPUT_FACE)
        put_face(lanes, prim->face);
}

/* --- Shading ---------------------------------------------------------------------------------- */

/* Opens the block's batch with its interpolated inputs. */
static struct raster_shade_batch *open_batch(struct raster_worker *worker,
                                             const struct raster_prim *prim, int32_t x, int32_t y,
                                             uint64_t quads)
{
    const struct raster_block_lanes *lanes = &worker->block;
    struct raster_shade_batch *batch = &worker->whole;

    if (worker->last_prim != prim || !batch->outputs_valid_for)
        *batch = (struct raster_shade_batch){
            .worker = worker->number,
            .work = worker->work,
            .x = lanes->x,
            .y = lanes->y,
            .z = lanes->z,
            .w = lanes->w,
            .face = lanes->face,
            .prim = prim,
        };
    batch->lanes = batch->covered = quads;
    batch->killed = 0;
    interpolate(worker, prim, x, y);
    return batch;
}

/* True if the primitive covers two tiles or more, so that the search for a u8 blend pays off. */
static bool is_large(const struct raster_prim *prim)
{
    const int32_t *rect = prim->rect;

    return (int64_t)(rect[2] - rect[0]) * (rect[3] - rect[1]) >= 2 << 2 * TILE_SHIFT;
}

/* Shades one block of a primitive with constant attributes, to get the colour of all its blocks. */
static void find_solid_colour(struct raster_worker *worker, const struct raster_prim *prim,
                              struct prim_cache_entry *entry)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    uint32_t rows[8][8];
    struct raster_shade_batch *batch =
        open_batch(worker, prim, prim->rect[0], prim->rect[1], ~UINT64_C(0));
    const float *const *colour = batch->colour[pipeline->output_target[0]];

    pipeline->s.shade(pipeline->s.shade_ctx, batch);
    entry->solid = colour[0] != NULL;
    if (!entry->solid)
        return;
    for (unsigned c = 0; c < 4; c++)
        entry->colour[c] = colour[c][0];
    entry->has_blend_u8 = pipeline->output[0].blend_rgba8 && is_large(prim) &&
                          raster_solid_blend_u8_find(&entry->blend_u8, worker->raster->blend_kern,
                                                     &pipeline->output[0].rgba8, entry->colour);
    if (!pipeline->output[0].store_rgba8)
        return;
    raster_block_pack_rgba8(worker, &pipeline->output[0], colour, (uint8_t *)rows, sizeof(rows[0]));
    entry->word = rows[0][0];
}

static uint64_t all_bits(unsigned n)
{
    return n ? ~UINT64_C(0) >> (64 - n) : 0;
}

static bool uses_prim_cache(const struct raster_pipeline *pipeline)
{
    return pipeline->solid || pipeline->texture_only || pipeline->gradient_fill;
}

/* Returns cached properties of a primitive: many blocks and tiles ask for those of a large one. */
static const struct prim_cache_entry *prim_cache_get(struct raster_worker *worker,
                                                     const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct prim_cache_entry *entry = &worker->prim_cache[(uintptr_t)prim / 64 % PRIM_CACHE_SIZE];

    if (entry->prim == prim && entry->arena_generation == worker->raster->arena_generation + 1)
        return entry;
    entry->prim = prim;
    entry->arena_generation = worker->raster->arena_generation + 1;
    entry->solid = false;
    entry->unit_attribs =
        pipeline->texture_only && raster_attribs_are_one(prim, pipeline->s.unit_attribs);
    entry->has_gradient =
        pipeline->gradient_fill && raster_gradient_fill_find(prim, &entry->gradient);
    if (pipeline->solid && !(~prim->const_attribs & all_bits(pipeline->s.n_attrs)))
        find_solid_colour(worker, prim, entry);
    return entry;
}

static void put_solid(const struct raster_worker *worker, const struct prim_cache_entry *entry,
                      const struct raster_output *output, uint8_t *rows, unsigned width,
                      unsigned height)
{
    const struct raster *raster = worker->raster;
    size_t pitch = output->surface->row_pitch;

    if (output->store_rgba8)
        raster->store_kern->fill(rows, pitch, width, height, entry->word);
    else if (entry->has_blend_u8)
        raster->blend_kern->solid_u8(&entry->blend_u8, rows, pitch, width, height);
    else
        raster->blend_kern->solid(&output->rgba8, rows, pitch, width, height, entry->colour);
}

static void put_solid_block(struct raster_worker *worker, const struct prim_cache_entry *entry,
                            const struct raster_output *output, int32_t x, int32_t y,
                            const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = raster_block_rows(output, x, y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        if (!cover[s])
            continue;
        raster_block_save(worker, surface, rows, cover[s]);
        put_solid(worker, entry, output, rows, BLOCK_DIM, BLOCK_DIM);
        raster_block_restore(worker, surface, rows, cover[s]);
    }
}

bool raster_block_solid(struct raster_worker *worker, const struct raster_prim *prim,
                        uint64_t blocks)
{
    const struct raster_output *output = &prim->pipeline->output[0];
    const struct prim_cache_entry *entry;

    if (!blocks || !(entry = prim_cache_get(worker, prim))->solid)
        return false;
    while (blocks) {
        unsigned first = (unsigned)__builtin_ctzll(blocks), x = first % BLOCK_DIM;
        unsigned row = blocks >> (first - x) & 0xff;
        unsigned run = (unsigned)__builtin_ctz(~(row >> x));

        put_solid(worker, entry, output,
                  raster_block_rows(output, worker->tile.x + (int32_t)x * BLOCK_DIM,
                                    worker->tile.y + (int32_t)(first - x)),
                  run * BLOCK_DIM, BLOCK_DIM);
        blocks &= ~(((UINT64_C(1) << run) - 1) << first);
    }
    return true;
}

bool raster_block_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_output *output = &prim->pipeline->output[0];
    unsigned dim = (unsigned)raster_tile_dim(worker->raster);
    const struct prim_cache_entry *entry;
    uint8_t *rows;

    if (!uses_prim_cache(prim->pipeline))
        return false;
    entry = prim_cache_get(worker, prim);
    if (entry->has_gradient) {
        raster_gradient_fill_put(worker, &entry->gradient, worker->tile.x, worker->tile.y, dim);
        return true;
    }
    if (!entry->solid)
        return entry->unit_attribs && prim->pipeline->axis_aligned &&
               raster_axis_aligned_tile(worker, prim);
    rows = raster_block_rows(output, worker->tile.x, worker->tile.y);
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        put_solid(worker, entry, output, rows + (size_t)s * output->surface->sample_pitch, dim,
                  dim);
    return true;
}

static void shade_rgba8(struct raster_worker *worker, const struct raster_output *output,
                        const struct raster_shade_batch *batch, int32_t x, int32_t y,
                        const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    const struct raster_state *state = &worker->pipeline->s;
    uint32_t set = output->rgba8.alpha ? 0 : 0xff000000;
    uint8_t *rows = raster_block_rows(output, x, y);

    state->shade_rgba8(state->shade_ctx, batch, worker->words);
    if (raster_block_packs_in_place(worker, cover)) {
        worker->raster->store_kern->store_rgba8(rows, surface->row_pitch, worker->words, set);
        return;
    }
    worker->raster->store_kern->store_rgba8(worker->saved, SAVED_PITCH, worker->words, set);
    raster_block_put_samples(worker, surface, rows, cover);
}

static bool is_whole(const struct raster_worker *worker, const uint64_t *cover)
{
    uint64_t every = ~UINT64_C(0);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        every &= cover[s];
    return !~every;
}

/* Lanes of all quads that have covered pixels. */
static uint64_t quads_of(const uint64_t *cover, unsigned samples)
{
    uint64_t any = 0;

    for (unsigned s = 0; s < samples; s++)
        any |= cover[s];
    if (!~any)
        return any;
    return raster_touched_quads(raster_mask_linear_to_quad(any)) * 15;
}

void raster_block_run(struct raster_worker *worker, const struct raster_prim *prim, int32_t x,
                      int32_t y, uint64_t *cover)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    const struct prim_cache_entry *entry = NULL;
    struct raster_shade_batch *batch;

    if (uses_prim_cache(pipeline))
        entry = prim_cache_get(worker, prim);
    if (entry && entry->solid) {
        put_solid_block(worker, entry, &pipeline->output[0], x, y, cover);
        return;
    }
    if (entry && entry->has_gradient && is_whole(worker, cover)) {
        raster_gradient_fill_put(worker, &entry->gradient, x, y, BLOCK_DIM);
        return;
    }
    raster_block_prefetch(worker, x, y);
    batch = open_batch(worker, prim, x, y, quads_of(cover, worker->raster->targets.samples));
    if (entry && entry->unit_attribs && pipeline->rgba8) {
        shade_rgba8(worker, &pipeline->output[0], batch, x, y, cover);
        return;
    }
    if (entry && entry->unit_attribs)
        pipeline->s.shade_texture_only(pipeline->s.shade_ctx, batch);
    else
        pipeline->s.shade(pipeline->s.shade_ctx, batch);
    if (!pipeline->early_zs && !raster_late_zs_block(worker, prim, x, y, batch, cover))
        return;
    raster_block_write(worker, prim, batch, x, y, cover);
}
