/* Solid fills: one colour over blocks of a tile, stored or blended in place.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/output/solid_fill.h"

#include "raster/output/block_output.h"
#include "raster/output/colours.h"
#include "raster/output/output_kern.h"
#include "raster/output/output.h"
#include "raster/output/solid_blend_u8.h"
#include "raster/output/store_kern.h"

#include <string.h>

/* Packs the colour. Bits that the write mask protects are 0. */
static void pack(struct raster_fill_pixel *pixel, struct raster_worker *worker,
                 const struct raster_output *output, const float *const colour[4])
{
    size_t bytes = output->surface->format->bytes;
    uint8_t *value = (uint8_t *)pixel->value, *keep = (uint8_t *)pixel->keep;

    memset(worker->packed, 0, RASTER_LANES * bytes);
    raster_output_pixels(worker, output, worker->packed, 0, colour, ~UINT64_C(0));
    for (size_t i = 0; i < sizeof(pixel->value); i += bytes) {
        memcpy(value + i, worker->packed, bytes);
        memcpy(keep + i, output->write.keep, bytes);
    }
}

void raster_solid_fill_init(struct solid_fill *fill, struct raster_worker *worker,
                            const struct raster_shade_batch *block, bool find_u8)
{
    const struct raster_output *output = &worker->pipeline->output[0];
    const float *colour[RASTER_SOURCES];

    raster_output_source(worker, 0, block, true, colour);
    for (unsigned c = 0; c < 4; c++)
        fill->colour[c] = colour[c][0];
    fill->has_blend_u8 = raster_blends_rgba8(output) && find_u8 &&
                         raster_solid_blend_u8_find(&fill->blend_u8, worker->raster->blend_kern,
                                                    &output->write, fill->colour);
    if (!output->write.blend)
        pack(&fill->pixel, worker, output, colour);
}

/* Blends block by block as a batch of that colour. */
static void blend_blocks(struct raster_worker *worker, const struct solid_fill *fill,
                         const struct raster_output *output, uint8_t *rows, size_t pitch,
                         unsigned width, unsigned height)
{
    _Alignas(64) float lanes[4][RASTER_LANES];
    const float *const source[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};
    size_t block_bytes = BLOCK_DIM * (size_t)output->surface->format->bytes;

    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < RASTER_LANES; i++)
            lanes[c][i] = fill->colour[c];
    for (unsigned y = 0; y < height; y += BLOCK_DIM)
        for (unsigned x = 0; x < width; x += BLOCK_DIM)
            raster_output_pixels(worker, output, rows + y * pitch + x / BLOCK_DIM * block_bytes,
                                 pitch, source, ~UINT64_C(0));
}

static void put_solid(struct raster_worker *worker, const struct solid_fill *fill,
                      const struct raster_output *output, uint8_t *rows, size_t pitch,
                      unsigned width, unsigned height)
{
    const struct raster *raster = worker->raster;

    if (!output->write.blend)
        raster->store_kern->fill(rows, pitch, width * (size_t)output->surface->format->bytes,
                                 height, &fill->pixel);
    else if (fill->has_blend_u8)
        raster->blend_kern->solid_u8(&fill->blend_u8, rows, pitch, width, height);
    else if (raster_blends_rgba8(output))
        raster->blend_kern->solid(&output->write, rows, pitch, width, height, fill->colour);
    else
        blend_blocks(worker, fill, output, rows, pitch, width, height);
}

/* Fills a copy of the block, because fills have no masks. */
void raster_solid_fill_block(struct raster_worker *worker, const struct solid_fill *fill,
                             const struct raster_output *output, int32_t x, int32_t y,
                             const uint64_t *cover)
{
    const struct raster_surface *surface = output->surface;
    size_t row_bytes = BLOCK_DIM * (size_t)surface->format->bytes;
    uint8_t *rows = raster_block_rows(output, x, y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        for (unsigned i = 0; i < BLOCK_DIM && raster_output_reads(output); i++)
            memcpy(worker->pixels + i * row_bytes, rows + i * surface->row_pitch, row_bytes);
        put_solid(worker, fill, output, worker->pixels, row_bytes, BLOCK_DIM, BLOCK_DIM);
        worker->raster->output_kern->store[raster_pixel_size(surface->format->bytes)](
            rows, surface->row_pitch, worker->pixels, cover[s]);
    }
}

void raster_solid_fill_blocks(struct raster_worker *worker, const struct solid_fill *fill,
                              const struct raster_output *output, uint64_t blocks)
{
    while (blocks) {
        unsigned first = (unsigned)__builtin_ctzll(blocks), x = first % BLOCK_DIM;
        unsigned row = blocks >> (first - x) & 0xff;
        unsigned run = (unsigned)__builtin_ctz(~(row >> x));

        put_solid(worker, fill, output,
                  raster_block_rows(output, worker->tile.x + (int32_t)x * BLOCK_DIM,
                                    worker->tile.y + (int32_t)(first - x)),
                  output->surface->row_pitch, run * BLOCK_DIM, BLOCK_DIM);
        blocks &= ~(((UINT64_C(1) << run) - 1) << first);
    }
}

void raster_solid_fill_tile(struct raster_worker *worker, const struct solid_fill *fill,
                            const struct raster_output *output)
{
    unsigned dim = (unsigned)raster_tile_dim(worker->raster);
    uint8_t *rows = raster_block_rows(output, worker->tile.x, worker->tile.y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        put_solid(worker, fill, output, rows + (size_t)s * output->surface->sample_pitch,
                  output->surface->row_pitch, dim, dim);
}
