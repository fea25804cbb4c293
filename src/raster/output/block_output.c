/* Output of whole blocks: from lanes in quad order to rows of the targets.
 *
 * Tested by tests/unit/raster/shade/test_block.c, tests/unit/raster/output/test_output.c. */
#include "raster/output/block_output.h"

#include "raster/output/colours.h"
#include "raster/output/output_kern.h"
#include "util/equal.h"

#include <string.h>

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

/* Stores the packed block in worker->pixels to all samples. */
static void store_samples(const struct raster_worker *worker, const struct raster_output *output,
                          uint8_t *rows, const uint64_t *cover)
{
    const struct raster_output_kern *kern = worker->raster->output_kern;
    const struct raster_surface *surface = output->surface;
    unsigned size = raster_pixel_size(surface->format->bytes);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch)
        if (cover[s])
            kern->store[size](rows, surface->row_pitch, worker->pixels, cover[s]);
}

/* Rows of a block. `bytes` of each are a constant in most calls, so that copies compile to moves.
 */
static inline __attribute__((always_inline)) bool same_rows(const uint8_t *a, size_t a_pitch,
                                                            const uint8_t *b, size_t bytes)
{
    for (unsigned y = 0; y < BLOCK_DIM; y++, a += a_pitch, b += bytes)
        if (!bytes_equal_by_pairs(a, b, bytes))
            return false;
    return true;
}

static bool same_block(const uint8_t *a, size_t a_pitch, const uint8_t *b, size_t row_bytes)
{
    switch (row_bytes) {
    case 16:
        return same_rows(a, a_pitch, b, 16);
    case 32:
        return same_rows(a, a_pitch, b, 32);
    case 64:
        return same_rows(a, a_pitch, b, 64);
    default:
        return same_rows(a, a_pitch, b, row_bytes);
    }
}

static inline __attribute__((always_inline)) void
copy_rows(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch, size_t bytes)
{
    for (unsigned y = 0; y < BLOCK_DIM; y++, to += to_pitch, from += from_pitch)
        memcpy(to, from, bytes);
}

static void copy_block(uint8_t *to, size_t to_pitch, const uint8_t *from, size_t from_pitch,
                       size_t row_bytes)
{
    switch (row_bytes) {
    case 16:
        copy_rows(to, to_pitch, from, from_pitch, 16);
        break;
    case 32:
        copy_rows(to, to_pitch, from, from_pitch, 32);
        break;
    case 64:
        copy_rows(to, to_pitch, from, from_pitch, 64);
        break;
    default:
        copy_rows(to, to_pitch, from, from_pitch, row_bytes);
        break;
    }
}

/* Inside a primitive all samples of a pixel usually have the same stored value, so the result of
 * the previous sample is copied. */
static void write_samples(struct raster_worker *worker, const struct raster_output *output,
                          const float *const source[4], uint8_t *rows, const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    size_t row_bytes = BLOCK_DIM * (size_t)surface->format->bytes, pitch = surface->row_pitch;
    unsigned samples = worker->raster->targets.samples;
    const uint8_t *last = NULL; /* the previous sample; worker->pixels has what it was */

    for (unsigned s = 0; s < samples; s++, rows += surface->sample_pitch) {
        if (!cover[s])
            continue;
        if (last && cover[s] == cover[s - 1] &&
            same_block(rows, pitch, worker->pixels, row_bytes)) {
            copy_block(rows, pitch, last, pitch, row_bytes);
        } else {
            copy_block(worker->pixels, row_bytes, rows, pitch, row_bytes);
            raster_output_pixels(worker, output, rows, pitch, source, raster_block_lanes(cover[s]));
        }
        last = rows;
    }
}

void raster_block_write_colours(struct raster_worker *worker, const struct raster_output *output,
                                const float *const source[4], int32_t x, int32_t y,
                                const uint64_t *cover)
{
    uint8_t *rows = raster_block_rows(output, x, y);

    if (worker->raster->targets.samples == 1) {
        raster_output_pixels(worker, output, rows, output->surface->row_pitch, source,
                             raster_block_lanes(cover[0]));
    } else if (raster_output_reads(output)) {
        write_samples(worker, output, source, rows, cover);
    } else {
        raster_output_pixels(worker, output, worker->pixels,
                             BLOCK_DIM * (size_t)output->surface->format->bytes, source,
                             ~UINT64_C(0));
        store_samples(worker, output, rows, cover);
    }
}

void raster_block_store_rgba8(struct raster_worker *worker, const struct raster_output *output,
                              int32_t x, int32_t y, const uint64_t *cover)
{
    const struct raster_output_kern *kern = worker->raster->output_kern;
    uint32_t set = output->write.alpha ? 0 : 0xff000000;
    uint8_t *rows = raster_block_rows(output, x, y);

    if (worker->raster->targets.samples == 1) {
        kern->store_words(rows, output->surface->row_pitch, worker->words, set,
                          raster_block_lanes(cover[0]));
        return;
    }
    kern->store_words(worker->pixels, BLOCK_DIM * sizeof(*worker->words), worker->words, set,
                      ~UINT64_C(0));
    store_samples(worker, output, rows, cover);
}

void raster_block_write(struct raster_worker *worker, const struct raster_shade_batch *batch,
                        int32_t x, int32_t y, const uint64_t *cover)
{
    const struct raster_pipeline *pipeline = worker->pipeline;

    for (unsigned n = 0; n < pipeline->n_outputs; n++) {
        const float *source[RASTER_SOURCES];

        if (!batch->colour[pipeline->output_target[n]][0])
            continue;
        raster_output_source(worker, n, batch, true, source);
        raster_block_write_colours(worker, &pipeline->output[n], source, x, y, cover);
    }
}
