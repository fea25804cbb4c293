/* Solid fills: one colour over blocks of a tile, stored or blended in place.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/output/solid_fill.h"

#include "raster/output/block_output.h"
#include "raster/output/output_kern.h"
#include "raster/output/output.h"
#include "raster/output/solid_blend_u8.h"
#include "raster/output/store_kern.h"

#include <string.h>

void raster_solid_fill_init(struct solid_fill *fill, const struct raster_worker *worker,
                            const struct raster_output *output, const float *const colour[4],
                            bool find_u8)
{
    _Alignas(64) uint32_t words[RASTER_LANES];

    for (unsigned c = 0; c < 4; c++)
        fill->colour[c] = colour[c][0];
    fill->has_blend_u8 = output->write.blend && find_u8 &&
                         raster_solid_blend_u8_find(&fill->blend_u8, worker->raster->blend_kern,
                                                    &output->write, fill->colour);
    if (output->write.blend)
        return;
    raster_output_pack(worker->raster, output, colour, words);
    fill->word = words[0];
}

static void put_solid(const struct raster_worker *worker, const struct solid_fill *fill,
                      const struct raster_output *output, uint8_t *rows, size_t pitch,
                      unsigned width, unsigned height)
{
    const struct raster *raster = worker->raster;

    if (!output->write.blend)
        raster->store_kern->fill(rows, pitch, width, height, fill->word);
    else if (fill->has_blend_u8)
        raster->blend_kern->solid_u8(&fill->blend_u8, rows, pitch, width, height);
    else
        raster->blend_kern->solid(&output->write, rows, pitch, width, height, fill->colour);
}

/* Fills a copy of the block, because fills have no masks. */
void raster_solid_fill_block(struct raster_worker *worker, const struct solid_fill *fill,
                             const struct raster_output *output, int32_t x, int32_t y,
                             const uint64_t *cover)
{
    enum { ROW_BYTES = BLOCK_DIM * sizeof(uint32_t) };
    const struct raster_surface *surface = output->surface;
    uint8_t *rows = raster_block_rows(output, x, y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++, rows += surface->sample_pitch) {
        for (unsigned i = 0; i < BLOCK_DIM && output->write.blend; i++)
            memcpy(worker->pixels + (size_t)i * ROW_BYTES, rows + i * surface->row_pitch,
                   ROW_BYTES);
        put_solid(worker, fill, output, worker->pixels, ROW_BYTES, BLOCK_DIM, BLOCK_DIM);
        worker->raster->output_kern->store[raster_pixel_size(sizeof(uint32_t))](
            rows, surface->row_pitch, worker->pixels, cover[s]);
    }
}

void raster_solid_fill_blocks(const struct raster_worker *worker, const struct solid_fill *fill,
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

void raster_solid_fill_tile(const struct raster_worker *worker, const struct solid_fill *fill,
                            const struct raster_output *output)
{
    unsigned dim = (unsigned)raster_tile_dim(worker->raster);
    uint8_t *rows = raster_block_rows(output, worker->tile.x, worker->tile.y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        put_solid(worker, fill, output, rows + (size_t)s * output->surface->sample_pitch,
                  output->surface->row_pitch, dim, dim);
}
