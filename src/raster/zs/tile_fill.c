/* Tile fills: write a value to the blocks of a tile that do not hold it yet (reference:
 * clear/targets).
 *
 * Tested by tests/unit/raster/zs/test_fast_clear.c. */
#include "raster/zs/fill.h"

#include "raster/output/store_kern.h"
#include "raster/prim/prim.h"

#include <string.h>

static void prefetch_row(const uint8_t *row, size_t bytes)
{
    enum { CACHE_LINE = 64 };

    for (size_t at = 0; at < bytes; at += CACHE_LINE)
        __builtin_prefetch(row + at, 1);
}

/* What is left of rows whose bytes are no multiple of 8. */
static void fill_ends(uint8_t *rows, size_t pitch, size_t at, size_t bytes, unsigned height,
                      const struct raster_fill *fill)
{
    for (; height; height--, rows += pitch)
        for (size_t i = at; i < bytes; i++)
            rows[i] = (uint8_t)((rows[i] & ~fill->mask[i % 16]) | fill->value[i % 16]);
}

/* Pixel sizes are powers of two up to 16 bytes, so the pattern repeats every 16 bytes. Each row
 * usually lies in another page, where hardware prefetchers do not follow: the rows of the next
 * block are prefetched. */
static void fill_rows(const struct raster_worker *worker, uint8_t *rows, size_t pitch, size_t bytes,
                      unsigned height, const struct raster_fill *fill)
{
    struct raster_fill_pixel pixel;
    size_t whole = bytes & ~(sizeof(uint64_t) - 1);

    memcpy(pixel.value, fill->value, sizeof(pixel.value));
    memcpy(pixel.keep, fill->mask, sizeof(pixel.keep));
    pixel.keep[0] = ~pixel.keep[0];
    pixel.keep[1] = ~pixel.keep[1];
    for (unsigned y = 0; y < height && y < BLOCK_DIM; y++)
        prefetch_row(rows + (size_t)y * pitch, bytes);
    while (height) {
        unsigned n = height < BLOCK_DIM ? height : BLOCK_DIM;
        uint8_t *next = rows + (size_t)n * pitch;

        height -= n;
        for (unsigned y = 0; y < height && y < BLOCK_DIM; y++)
            prefetch_row(next + (size_t)y * pitch, bytes);
        worker->raster->store_kern->fill(rows, pitch, whole, n, &pixel);
        if (whole < bytes)
            fill_ends(rows, pitch, whole, bytes, n, fill);
        rows = next;
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
        fill_rows(worker,
                  surface->data + (size_t)s * surface->sample_pitch +
                      (size_t)rect[1] * surface->row_pitch + (size_t)rect[0] * bytes,
                  surface->row_pitch, (size_t)(rect[2] - rect[0]) * bytes,
                  (unsigned)(rect[3] - rect[1]), fill);
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
