/* Coverage in a tile. Triangles: classifies all 8x8 blocks against the edge functions at once, then
 * computes the masks of the blocks that an edge crosses. Lines: one pixel per major coordinate;
 * antialiased ones: the pixels whose squares they reach into.
 *
 * Tested by tests/unit/raster/test_oracle.c. */
#include "raster/tile/coverage.h"

#include "raster/prim/coverage_kern.h"
#include "raster/tile/block_masks.h"

#include <string.h>

/* How far one edge function falls and rises over dim x dim pixels from the first. */
struct edge_range {
    int64_t low, high;
};

static struct edge_range find_edge_range(int64_t a, int64_t b, int64_t dim)
{
    return (struct edge_range){
        .low = (dim - 1) * ((a < 0 ? a : 0) + (b < 0 ? b : 0)),
        .high = (dim - 1) * ((a > 0 ? a : 0) + (b > 0 ? b : 0)),
    };
}

/* An edge as in raster_tri_edges. */
struct edge {
    int64_t c, a, b;
};

/* Sets up edge i relative to the tile, for the sample positions that differ; zeros, if it contains
 * the whole tile. False: the whole tile lies outside it. Edge values are integers of at most 48
 * bits. Pixel centres are multiples of 256, so the low 8 bits do not change the sign and are
 * dropped. An edge that crosses the tile has values of at most 64 * (|a| + |b|), which fit 32 bits
 * because slopes have 25. */
static bool begin_edge(struct raster_tile_edges *edges, const struct raster_worker *worker,
                       unsigned i, const struct edge *edge)
{
    unsigned pattern = edges->samples;
    int64_t a = edge->a, b = edge->b, at[MAX_SAMPLES];
    int64_t start = a * worker->tile.x + b * worker->tile.y, least, most;
    struct edge_range tile = find_edge_range(a, b, raster_tile_dim(worker->raster));
    struct edge_range block = find_edge_range(a, b, BLOCK_DIM);
    bool crosses;

    least = most = at[0] = (edge->c >> SUBPIXEL_BITS) + start;
    for (unsigned s = 0; s < pattern && pattern > 1; s++) {
        int64_t x = raster_sample_x[pattern][s] * (SUBPIXEL / 16);
        int64_t y = raster_sample_y[pattern][s] * (SUBPIXEL / 16);

        at[s] = ((edge->c + a * x + b * y) >> SUBPIXEL_BITS) + start;
        least = !s || at[s] < least ? at[s] : least;
        most = !s || at[s] > most ? at[s] : most;
    }
    crosses = least + tile.low < 0;
    for (unsigned s = 0; s < pattern; s++)
        edges->at[s][i] = crosses ? (int32_t)at[s] : 0;
    edges->a[i] = crosses ? (int32_t)a : 0;
    edges->b[i] = crosses ? (int32_t)b : 0;
    edges->least[i] = crosses ? (int32_t)(least + block.low) : 0;
    edges->most[i] = crosses ? (int32_t)(most + block.high) : 0;
    return most + tile.high >= 0;
}

static bool begin_coverage(struct raster_tile_edges *edges, const struct raster_worker *worker,
                           const struct raster_prim *prim)
{
    const struct raster_tri_edges *of = &raster_edges_of_prim(prim)->edges;

    edges->samples = prim->pipeline->pattern;
    for (unsigned i = 0; i < 3; i++)
        if (!begin_edge(edges, worker, i, &(struct edge){of->c[i], of->a[i], of->b[i]}))
            return false;
    return true;
}

/* Clips a block's masks to the primitive's rectangle; false: nothing is left. */
static bool scissor_masks(const struct raster_worker *worker, const struct raster_prim *prim,
                          unsigned block, uint64_t *masks)
{
    int32_t x = worker->tile.x + (int32_t)block % BLOCK_DIM * BLOCK_DIM;
    int32_t y = worker->tile.y + (int32_t)block / BLOCK_DIM * BLOCK_DIM;
    uint64_t rect = raster_rect_mask(prim->rect, x, y), any = 0;

    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        any |= masks[s] &= rect;
    return any != 0;
}

/* Copies the mask of a block to samples at the same position; false: it is empty. */
static bool complete_samples(const struct raster_worker *worker, unsigned pattern, uint64_t *masks)
{
    uint64_t any = 0;

    for (unsigned s = 0; s < pattern; s++)
        any |= masks[s];
    for (unsigned s = pattern; s < worker->raster->targets.samples; s++)
        masks[s] = masks[0];
    return any != 0;
}

uint64_t raster_coverage_triangle(struct raster_worker *worker, const struct raster_prim *prim,
                                  uint64_t todo)
{
    const struct raster_coverage_kern *kern = worker->raster->coverage_kern;
    struct raster_tile_edges edges;
    uint64_t some = todo, whole = 0;

    if (!begin_coverage(&edges, worker, prim))
        return 0;
    if (todo & (todo - 1)) /* several blocks */
        kern->cover_blocks(&edges, todo, &some, &whole);
    raster_mask_whole(worker, whole);
    kern->cover_pixels(&edges, some & ~whole, worker->masks, worker->raster->targets.samples);
    for (uint64_t rest = some; rest; rest &= rest - 1) {
        unsigned block = (unsigned)__builtin_ctzll(rest);
        uint64_t *masks = raster_block_masks(worker, block);
        bool any = whole >> block & 1 || complete_samples(worker, edges.samples, masks);

        if (!any || (prim->scissored && !scissor_masks(worker, prim, block, masks)))
            some &= ~(UINT64_C(1) << block);
    }
    return some;
}

/* --- Split rectangles ------------------------------------------------------------------------- */

uint64_t raster_coverage_split_edge(const struct raster_worker *worker,
                                    const struct raster_prim *prim, uint64_t todo, uint64_t *whole,
                                    uint64_t pixels[BLOCKS_PER_TILE])
{
    const struct raster_split_edge *split = &raster_edges_of_prim(prim)->split;
    const struct raster_coverage_kern *kern = worker->raster->coverage_kern;
    struct raster_tile_edges edges = {.samples = 1};
    uint64_t some = 0;

    *whole = 0;
    if (begin_edge(&edges, worker, 0, &(struct edge){split->c, split->a, split->b}))
        kern->cover_blocks(&edges, todo, &some, whole);
    kern->cover_pixels(&edges, some & ~*whole, pixels, 1);
    return some;
}

/* --- Lines ------------------------------------------------------------------------------------ */

uint64_t raster_coverage_line(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_line *line = &raster_edges_of_prim(prim)->line;
    uint64_t masks[BLOCKS_PER_TILE] = {0}, blocks = 0;
    int32_t rect[4], tile[4];

    raster_tile_rect(worker, tile);
    memcpy(rect, prim->rect, sizeof(rect));
    if (!raster_rect_intersect(rect, tile))
        return 0;
    for (int32_t m = rect[line->y_major]; m < rect[line->y_major + 2]; m++) {
        int32_t minor = raster_line_minor(line, m);
        int32_t x = (line->y_major ? minor : m), y = (line->y_major ? m : minor);

        if (x < rect[0] || x >= rect[2] || y < rect[1] || y >= rect[3])
            continue;
        x -= worker->tile.x;
        y -= worker->tile.y;
        masks[y / BLOCK_DIM * BLOCK_DIM + x / BLOCK_DIM] |=
            UINT64_C(1) << (y % BLOCK_DIM * BLOCK_DIM + x % BLOCK_DIM);
    }
    for (unsigned i = 0; i < BLOCKS_PER_TILE; i++) {
        raster_set_masks(worker, i, masks[i]);
        blocks |= (uint64_t)(masks[i] != 0) << i;
    }
    return blocks;
}

/* The pixels of an 8x8 block that the antialiased line covers in part. */
static uint64_t cover_aa_line(const struct raster_aa_line *line, int32_t x, int32_t y)
{
    uint64_t pixels = 0;

    for (int32_t i = 0; i < BLOCK_DIM * BLOCK_DIM; i++)
        if (raster_aa_line_coverage(line, x + i % BLOCK_DIM, y + i / BLOCK_DIM) > 0.0f)
            pixels |= UINT64_C(1) << i;
    return pixels;
}

uint64_t raster_coverage_aa_line(struct raster_worker *worker, const struct raster_prim *prim,
                                 uint64_t todo)
{
    const struct raster_aa_line *line = &raster_edges_of_prim(prim)->aa_line;
    uint64_t some = 0;

    for (; todo; todo &= todo - 1) {
        unsigned block = (unsigned)__builtin_ctzll(todo);
        int32_t x = raster_first_block_x(worker, todo), y = raster_first_block_y(worker, todo);
        uint64_t pixels = 0;

        if (raster_aa_line_touches(line, x, y, BLOCK_DIM))
            pixels = cover_aa_line(line, x, y) & raster_rect_mask(prim->rect, x, y);
        raster_set_masks(worker, block, pixels);
        some |= (uint64_t)(pixels != 0) << block;
    }
    return some;
}
