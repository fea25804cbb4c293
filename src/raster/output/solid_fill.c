/* Solid fills: one colour over blocks of a tile, stored or blended in place.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/output/solid_fill.h"

#include "raster/output/block_output.h"
#include "raster/output/output_kern.h"
#include "raster/output/solid_blend_u8.h"
#include "raster/output/store_kern.h"

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
    worker->raster->output_kern->write[RASTER_PIXEL_RGBA8](&output->write, (uint8_t *)words, 0,
                                                           colour, ~UINT64_C(0));
    fill->word = words[0];
}

static void put_solid(const struct raster_worker *worker, const struct solid_fill *fill,
                      const struct raster_output *output, uint8_t *rows, unsigned width,
                      unsigned height)
{
    const struct raster *raster = worker->raster;
    size_t pitch = output->surface->row_pitch;

    if (!output->write.blend)
        raster->store_kern->fill(rows, pitch, width, height, fill->word);
    else if (fill->has_blend_u8)
        raster->blend_kern->solid_u8(&fill->blend_u8, rows, pitch, width, height);
    else
        raster->blend_kern->solid(&output->write, rows, pitch, width, height, fill->colour);
}

void raster_solid_fill_block(struct raster_worker *worker, const struct solid_fill *fill,
                             const struct raster_output *output, int32_t x, int32_t y,
                             const uint64_t *cover)
{
    const float *const source[4] = {worker->source[0], worker->source[1], worker->source[2],
                                    worker->source[3]};

    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < RASTER_LANES; i++)
            worker->source[c][i] = fill->colour[c];
    raster_block_write_colours(worker, output, source, x, y, cover);
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
                  run * BLOCK_DIM, BLOCK_DIM);
        blocks &= ~(((UINT64_C(1) << run) - 1) << first);
    }
}

void raster_solid_fill_tile(const struct raster_worker *worker, const struct solid_fill *fill,
                            const struct raster_output *output)
{
    unsigned dim = (unsigned)raster_tile_dim(worker->raster);
    uint8_t *rows = raster_block_rows(output, worker->tile.x, worker->tile.y);

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        put_solid(worker, fill, output, rows + (size_t)s * output->surface->sample_pitch, dim, dim);
}
