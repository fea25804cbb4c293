/* Output of whole blocks: fog, blending and format conversion from lanes in quad order to rows of
 * the targets.
 *
 * Tested by tests/unit/raster/shade/test_block.c, tests/unit/raster/output/test_output.c. */
#include "raster/output/block_output.h"

#include "raster/output/blend_kern.h"
#include "raster/output/colours.h"
#include "raster/output/half_kern.h"
#include "raster/output/store_kern.h"
#include "raster/prim/prim.h"

#include <string.h>

enum { SAVED_PITCH = BLOCK_DIM * 4 }; /* of packed words in worker->saved */

static inline void copy_pair(uint8_t *row, uint8_t *lanes, size_t bytes, bool store)
{
    if (store)
        memcpy(row, lanes, 2 * bytes);
    else
        memcpy(lanes, row, 2 * bytes);
}

/* Copies between the block's rows and pixels in lane order. `bytes` is a compile-time constant
 * where this is inlined. */
static inline void copy_rows(uint8_t *rows, size_t pitch, uint8_t *lanes, size_t bytes, bool store)
{
    for (unsigned y = 0; y < BLOCK_DIM; y += 2, rows += 2 * pitch) {
        for (unsigned x = 0; x < BLOCK_DIM; x += 2, lanes += 4 * bytes) {
            copy_pair(rows + x * bytes, lanes, bytes, store);
            copy_pair(rows + pitch + x * bytes, lanes + 2 * bytes, bytes, store);
        }
    }
}

static void copy_block(uint8_t *rows, size_t pitch, uint8_t *lanes, size_t bytes, bool store)
{
    switch (bytes) {
    case 2:
        copy_rows(rows, pitch, lanes, 2, store);
        break;
    case 4:
        copy_rows(rows, pitch, lanes, 4, store);
        break;
    case 8:
        copy_rows(rows, pitch, lanes, 8, store);
        break;
    default:
        copy_rows(rows, pitch, lanes, bytes, store);
        break;
    }
}

/* The coordinate that selects the fog factor (reference: fog/table). */
static const float *fog_coordinate(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_state *state = &prim->pipeline->s;

    if (state->fog == RASTER_FOG_VERTEX)
        return worker->work + state->attr[state->fog_attr].slot * RASTER_LANES;
    if (state->fog_w)
        return worker->block.w;
    if (state->values.depth_bias == 0.0f && state->values.slope_bias == 0.0f)
        return worker->block.z;
    for (unsigned i = 0; i < RASTER_LANES; i++)
        worker->depth[i] = worker->block.z[i] + prim->depth_offset;
    return worker->depth;
}

void raster_block_prefetch(struct raster_worker *worker, int32_t x, int32_t y)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    uint64_t block = UINT64_C(1) << raster_block_number(worker, x, y);

    if (worker->prefetched_blocks & block)
        return;
    worker->prefetched_blocks |= block;
    if (y == worker->tile.y + worker->tile.last || y + 2 * BLOCK_DIM > pipeline->common_rect[3])
        return;
    for (unsigned n = 0; n < pipeline->n_outputs; n++) {
        const struct raster_surface *surface = pipeline->output[n].surface;
        const uint8_t *rows = raster_block_rows(&pipeline->output[n], x, y + BLOCK_DIM);

        for (unsigned s = 0; s < worker->raster->targets.samples;
             s++, rows += surface->sample_pitch)
            for (size_t i = 0; i < BLOCK_DIM; i++)
                __builtin_prefetch(rows + i * surface->row_pitch, 1);
    }
}

void raster_block_pack_rgba8(const struct raster_worker *worker, const struct raster_output *output,
                             const float *const source[4], uint8_t *rows, size_t pitch)
{
    unsigned low = output->rgba8.red_lowest ? 0 : 2;
    const float *const from[4] = {source[low], source[1], source[2 - low],
                                  output->rgba8.alpha ? source[3] : NULL};

    worker->raster->store_kern->pack_rgba8(rows, pitch, from);
}

/* worker->saved holds pixels of four or eight bytes as one or two 8x8 blocks of words, side by
 * side. */
enum { WORD_BLOCK = BLOCK_DIM * SAVED_PITCH };

static unsigned word_blocks(const struct raster_surface *surface)
{
    unsigned bytes = surface->format->bytes;

    return bytes == 4 || bytes == 8 ? bytes / 4 : 0;
}

/* Pixel mask to word mask: unchanged for one word a pixel; else left or right half, doubled. */
static uint64_t word_mask(uint64_t mask, unsigned blocks, unsigned right)
{
    if (blocks == 1)
        return mask;
    mask = mask >> 4 * right & UINT64_C(0x0f0f0f0f0f0f0f0f);
    mask = (mask | mask << 2) & UINT64_C(0x3333333333333333);
    mask = (mask | mask << 1) & UINT64_C(0x5555555555555555);
    return mask | mask << 1;
}

void raster_block_save(struct raster_worker *worker, const struct raster_surface *surface,
                       const uint8_t *rows, uint64_t mask)
{
    unsigned blocks = word_blocks(surface);
    size_t bytes = BLOCK_DIM * (size_t)surface->format->bytes;

    for (unsigned y = 0; y < BLOCK_DIM && ~mask; y++, rows += surface->row_pitch) {
        uint8_t *to = worker->saved + y * (blocks ? SAVED_PITCH : bytes);

        if (!blocks)
            memcpy(to, rows, bytes);
        for (unsigned i = 0; i < blocks; i++)
            memcpy(to + (size_t)i * WORD_BLOCK, rows + (size_t)i * SAVED_PITCH, SAVED_PITCH);
    }
}

void raster_block_restore(const struct raster_worker *worker, const struct raster_surface *surface,
                          uint8_t *rows, uint64_t mask)
{
    unsigned blocks = ~mask ? word_blocks(surface) : 0;
    size_t bytes = surface->format->bytes;

    for (unsigned i = 0; i < blocks; i++)
        worker->raster->store_kern->store_masked(rows + (size_t)i * SAVED_PITCH, surface->row_pitch,
                                                 worker->saved + (size_t)i * WORD_BLOCK,
                                                 word_mask(~mask, blocks, i));
    for (uint64_t rest = blocks ? 0 : ~mask; rest; rest &= rest - 1) {
        size_t i = (size_t)__builtin_ctzll(rest);

        memcpy(rows + i / BLOCK_DIM * surface->row_pitch + i % BLOCK_DIM * bytes,
               worker->saved + i * bytes, bytes);
    }
}

/* Stores packed pixels from worker->saved to all samples. */
static void put_samples(const struct raster_worker *worker, const struct raster_surface *surface,
                        uint8_t *rows, const uint64_t *cover)
{
    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch)
        if (cover[s])
            worker->raster->store_kern->store_masked(rows, surface->row_pitch, worker->saved,
                                                     cover[s]);
}

/* Whether RGBA8 pixels that do not depend on the target go directly to its rows. Otherwise they are
 * packed once into worker->saved and stored from there to all samples. */
static bool packs_in_place(const struct raster_worker *worker, const uint64_t *cover)
{
    return worker->raster->targets.samples == 1 && !~cover[0];
}

static void pack_rgba8_block(struct raster_worker *worker, const struct raster_output *output,
                             const float *const source[4], uint8_t *rows, const uint64_t *cover)
{
    if (packs_in_place(worker, cover)) {
        raster_block_pack_rgba8(worker, output, source, rows, output->surface->row_pitch);
        return;
    }
    raster_block_pack_rgba8(worker, output, source, worker->saved, SAVED_PITCH);
    put_samples(worker, output->surface, rows, cover);
}

static void write_rgba16f(const struct raster_worker *worker, const struct raster_output *output,
                          uint8_t *rows, const float *const colour[4])
{
    const struct raster_half_kern *kern = worker->raster->half_kern;
    size_t pitch = output->surface->row_pitch;

    if (output->blend)
        kern->blend(&worker->pipeline->blend[output->clamp], rows, pitch, colour);
    else
        kern->put(rows, pitch, colour);
}

static void write_sample(struct raster_worker *worker, const struct raster_output *output,
                         uint8_t *rows, const float *const colour[4], uint64_t *packed)
{
    size_t bytes = output->surface->format->bytes, pitch = output->surface->row_pitch;

    if (raster_output_reads(output))
        copy_block(rows, pitch, raster_output_dst_pixels(worker, output, *packed), bytes, false);
    raster_output_sample(worker, output, colour, ~UINT64_C(0), packed);
    copy_block(rows, pitch, worker->packed, bytes, true);
}

static void write_target(struct raster_worker *worker, unsigned n,
                         const struct raster_shade_batch *batch, int32_t x, int32_t y,
                         const uint64_t *cover)
{
    const struct raster_output *output = &worker->pipeline->output[n];
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = raster_block_rows(output, x, y);
    const float *source[4];
    uint64_t packed = 0;
    bool fogged =
        worker->pipeline->output_target[n] == 0 && worker->pipeline->fog.mode != RASTER_FOG_NONE;

    if (fogged || !(output->store_rgba8 || output->blend_rgba8))
        raster_output_source(worker, n, batch, fogged ? fog_coordinate(worker, batch->prim) : NULL,
                             source);
    else
        memcpy(source, batch->colour[worker->pipeline->output_target[n]], sizeof(source));
    if (output->store_rgba8) {
        pack_rgba8_block(worker, output, source, rows, cover);
        return;
    }
    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        if (!cover[s])
            continue;
        raster_block_save(worker, surface, rows, cover[s]);
        if (output->blend_rgba8)
            worker->raster->blend_kern->block(&output->rgba8, rows, surface->row_pitch, source);
        else if (output->is_rgba16f)
            write_rgba16f(worker, output, rows, source);
        else if (output->is_r32f)
            worker->raster->store_kern->pack_r32f(rows, surface->row_pitch, source[0]);
        else
            write_sample(worker, output, rows, source, &packed);
        raster_block_restore(worker, surface, rows, cover[s]);
    }
}

void raster_block_store_rgba8(struct raster_worker *worker, const struct raster_output *output,
                              int32_t x, int32_t y, const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    uint32_t set = output->rgba8.alpha ? 0 : 0xff000000;
    uint8_t *rows = raster_block_rows(output, x, y);

    if (packs_in_place(worker, cover)) {
        worker->raster->store_kern->store_rgba8(rows, surface->row_pitch, worker->words, set);
        return;
    }
    worker->raster->store_kern->store_rgba8(worker->saved, SAVED_PITCH, worker->words, set);
    put_samples(worker, surface, rows, cover);
}

/* All pixels covered, pipeline->store_direct: packs to rows without fog or blending. */
static void store_direct(const struct raster_worker *worker, const struct raster_pipeline *pipeline,
                         const struct raster_shade_batch *batch, int32_t x, int32_t y)
{
    for (unsigned n = 0; n < pipeline->n_outputs; n++) {
        const struct raster_output *output = &pipeline->output[n];
        const float *const *colour = batch->colour[pipeline->output_target[n]];

        if (colour[0])
            raster_block_pack_rgba8(worker, output, colour, raster_block_rows(output, x, y),
                                    output->surface->row_pitch);
    }
}

void raster_block_write(struct raster_worker *worker, const struct raster_shade_batch *batch,
                        int32_t x, int32_t y, const uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    if (pipeline->store_direct && !~cover[0]) {
        store_direct(worker, pipeline, batch, x, y);
        return;
    }
    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        if (batch->colour[pipeline->output_target[n]][0])
            write_target(worker, n, batch, x, y, cover);
}
