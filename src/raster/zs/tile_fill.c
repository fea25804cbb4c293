/* Tile fills: write a value to the blocks of a tile that do not hold it yet (reference:
 * clear/targets).
 *
 * Tested by tests/unit/raster/zs/test_fast_clear.c. */
#include "raster/zs/fill.h"

#include "raster/prim/prim.h"

#include <string.h>

/* Pixel sizes are powers of two up to 16 bytes, so the fill pattern repeats every 16 bytes. */
static void fill_row(uint8_t *row, size_t bytes, const struct raster_fill *fill)
{
    uint64_t value[2], mask[2], word[2];
    size_t at = 0;

    memcpy(value, fill->value, sizeof(value));
    memcpy(mask, fill->mask, sizeof(mask));
    for (; !~(mask[0] & mask[1]) && at + sizeof(value) <= bytes; at += sizeof(value))
        memcpy(row + at, value, sizeof(value)); /* no bit is kept: no reads */
    for (; at + sizeof(word) <= bytes; at += sizeof(word)) {
        memcpy(word, row + at, sizeof(word));
        word[0] = (word[0] & ~mask[0]) | value[0];
        word[1] = (word[1] & ~mask[1]) | value[1];
        memcpy(row + at, word, sizeof(word));
    }
    for (; at < bytes; at++)
        row[at] = (uint8_t)((row[at] & ~fill->mask[at % 16]) | fill->value[at % 16]);
}

static void prefetch_row(const uint8_t *row, size_t bytes)
{
    enum { CACHE_LINE = 64 };

    for (size_t at = 0; at < bytes; at += CACHE_LINE)
        __builtin_prefetch(row + at, 1);
}

/* Each row usually lies in another page, where hardware prefetchers do not follow. The first rows
 * of a small fill are prefetched together. */
static void fill_rows(uint8_t *rows, size_t pitch, size_t bytes, int32_t height,
                      const struct raster_fill *fill)
{
    enum { AHEAD = 8, MANY = 32 };

    for (int32_t y = 1; height < MANY && y < AHEAD && y < height; y++)
        prefetch_row(rows + (size_t)y * pitch, bytes);
    for (; height > 0; height--, rows += pitch) {
        if (height > AHEAD)
            prefetch_row(rows + AHEAD * pitch, bytes);
        fill_row(rows, bytes, fill);
    }
}

static void fill_rect(const struct raster_worker *worker, const struct raster_fill *fill,
                      const int32_t within[4])
{
    const struct raster_surface *surface = raster_fill_surface(worker, fill);
    size_t bytes = surface->format->bytes;
    int32_t rect[4];

    memcpy(rect, fill->rect, sizeof(rect));
    if (!raster_rect_intersect(rect, within))
        return;
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        fill_rows(surface->data + (size_t)s * surface->sample_pitch +
                      (size_t)rect[1] * surface->row_pitch + (size_t)rect[0] * bytes,
                  surface->row_pitch, (size_t)(rect[2] - rect[0]) * bytes, rect[3] - rect[1], fill);
}

/* Fills blocks as rectangles: a horizontal run of blocks, and the rows below that have the same
 * run. */
static void fill_blocks(const struct raster_worker *worker, const struct raster_fill *fill,
                        uint64_t blocks)
{
    while (blocks) {
        unsigned first = (unsigned)__builtin_ctzll(blocks), x = first % BLOCK_DIM;
        unsigned in_row = blocks >> (first - x) & 0xff, height = 0;
        unsigned width = (unsigned)__builtin_ctz(~(in_row >> x));
        uint64_t row = ((UINT64_C(1) << width) - 1) << x;
        int32_t rect[4];

        for (unsigned y = first / BLOCK_DIM; y < BLOCK_DIM && !(row & ~(blocks >> y * BLOCK_DIM));
             y++, height++)
            blocks &= ~(row << y * BLOCK_DIM);
        rect[0] = worker->tile.x + (int32_t)x * BLOCK_DIM;
        rect[1] = worker->tile.y + (int32_t)(first - x);
        rect[2] = rect[0] + (int32_t)width * BLOCK_DIM;
        rect[3] = rect[1] + (int32_t)height * BLOCK_DIM;
        fill_rect(worker, fill, rect);
    }
}

uint64_t raster_fill_tile(struct raster_worker *worker, const struct raster_fill *fill)
{
    uint64_t blocks = raster_fast_clear_fill(worker, fill, raster_fills_tile(worker, fill));
    int32_t tile[4];

    raster_tile_rect(worker, tile);
    if (!~blocks)
        fill_rect(worker, fill, tile);
    else
        fill_blocks(worker, fill, blocks);
    return blocks;
}

bool raster_fills_tile(const struct raster_worker *worker, const struct raster_fill *fill)
{
    const struct raster_targets *targets = &worker->raster->targets;
    int32_t dim = raster_tile_dim(worker->raster);
    int32_t width = (int32_t)(fill->surface->width ? fill->surface->width : targets->width);
    int32_t height = (int32_t)(fill->surface->height ? fill->surface->height : targets->height);
    int32_t right = worker->tile.x + dim < width ? worker->tile.x + dim : width;
    int32_t below = worker->tile.y + dim < height ? worker->tile.y + dim : height;

    return fill->rect[0] <= worker->tile.x && fill->rect[1] <= worker->tile.y &&
           fill->rect[2] >= right && fill->rect[3] >= below;
}
