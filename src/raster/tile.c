/* A tile's commands in order: primitives to blocks of 8x8 pixels, clears to memory. */
#include "raster/raster_private.h"

#include <string.h>

/* Pixels of the block at (x, y) that lie in the rectangle. */
static uint64_t rect_mask(const int32_t rect[4], int32_t x, int32_t y)
{
    int32_t cut[4] = {x, y, x + BLOCK_DIM, y + BLOCK_DIM};
    uint64_t row, mask = 0;

    if (!raster_rect_cut(cut, rect))
        return 0;
    row = (0xffu << (cut[0] - x) & 0xffu) & 0xffu >> (x + BLOCK_DIM - cut[2]);
    for (int32_t i = cut[1]; i < cut[3]; i++)
        mask |= row << ((i - y) * BLOCK_DIM);
    return mask;
}

/* Takes what is outside the rectangle from the block's coverage; false: nothing is left. */
static bool cut_cover(const int32_t rect[4], int32_t x, int32_t y, uint64_t *cover,
                      unsigned samples)
{
    uint64_t mask, any = 0;

    if (x >= rect[0] && y >= rect[1] && x + BLOCK_DIM <= rect[2] && y + BLOCK_DIM <= rect[3])
        return true;
    mask = rect_mask(rect, x, y);
    for (unsigned s = 0; s < samples; s++)
        any |= cover[s] &= mask;
    return any != 0;
}

static void tile_rect(const struct raster_worker *worker, int32_t rect[4])
{
    rect[0] = worker->tile_x;
    rect[1] = worker->tile_y;
    rect[2] = worker->tile_x + raster_tile_dim(worker->raster);
    rect[3] = worker->tile_y + raster_tile_dim(worker->raster);
}

/* What of a rectangle lies in the worker's tile, grown to whole blocks. */
static bool tile_blocks(const struct raster_worker *worker, const int32_t rect[4],
                        int32_t blocks[4])
{
    int32_t tile[4];

    tile_rect(worker, tile);
    memcpy(blocks, rect, 4 * sizeof(*blocks));
    if (!raster_rect_cut(blocks, tile))
        return false;
    blocks[0] &= -BLOCK_DIM;
    blocks[1] &= -BLOCK_DIM;
    return true;
}

static void all_samples(uint64_t cover[MAX_SAMPLES], uint64_t mask)
{
    for (unsigned s = 0; s < MAX_SAMPLES; s++)
        cover[s] = mask;
}

static void fill_rect(struct raster_worker *worker, const struct raster_prim *prim)
{
    uint64_t cover[MAX_SAMPLES];
    int32_t blocks[4];

    if (!tile_blocks(worker, prim->rect, blocks))
        return;
    for (int32_t y = blocks[1]; y < blocks[3]; y += BLOCK_DIM) {
        for (int32_t x = blocks[0]; x < blocks[2]; x += BLOCK_DIM) {
            all_samples(cover, rect_mask(prim->rect, x, y));
            raster_batch_block(worker, prim, x, y, cover);
        }
    }
}

/* An edge as a tile walks it: at + dx * a + dy * b for the pixel (dx, dy) from the tile's corner.
 */
struct edge_walk {
    int64_t at, low, high; /* to the least and the largest value in a block */
    int32_t a, b;
};

/* For samples at (sx, sy) in subpixels from the centres. Edges are integers of at most 48 bits; at
 * centres their low 8 bits do not change the sign, so they are dropped. */
static void walk_init(struct edge_walk walk[3], const struct raster_edges *edges, int32_t x,
                      int32_t y, int32_t sx, int32_t sy)
{
    const int64_t span = BLOCK_DIM - 1;

    for (unsigned i = 0; i < 3; i++) {
        int64_t a = edges->a[i], b = edges->b[i];

        walk[i].at = ((edges->c[i] + a * sx + b * sy) >> SUBPIXEL_BITS) + a * x + b * y;
        walk[i].low = span * ((a < 0 ? a : 0) + (b < 0 ? b : 0));
        walk[i].high = span * ((a > 0 ? a : 0) + (b > 0 ? b : 0));
        walk[i].a = edges->a[i];
        walk[i].b = edges->b[i];
    }
}

/* Coverage of the block (dx, dy) from the tile's corner. */
static uint64_t cover_block(const struct raster_kern *kern, const struct edge_walk walk[3],
                            int32_t dx, int32_t dy)
{
    int32_t e[3], a[3], b[3];
    bool inside = true;

    for (unsigned i = 0; i < 3; i++) {
        int64_t at = walk[i].at + (int64_t)walk[i].a * dx + (int64_t)walk[i].b * dy;

        if (at + walk[i].high < 0)
            return 0;
        e[i] = a[i] = b[i] = 0;
        if (at + walk[i].low < 0) {
            inside = false;
            e[i] = (int32_t)at; /* between -high and -low: fits, as the slopes have 25 bits */
            a[i] = walk[i].a;
            b[i] = walk[i].b;
        }
    }
    return inside ? ~UINT64_C(0) : kern->cover(e, a, b);
}

/* fill_triangle where all samples lie at the centre, as the one that nearly all targets have. */
static void fill_centres(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_kern *kern = worker->raster->kern;
    int32_t tile_x = worker->tile_x, tile_y = worker->tile_y, blocks[4];
    bool several = worker->raster->targets.samples > 1;
    uint64_t every[MAX_SAMPLES];
    struct edge_walk walk[3];

    if (!tile_blocks(worker, prim->rect, blocks))
        return;
    walk_init(walk, &prim->edges, tile_x, tile_y, 0, 0);
    for (int32_t y = blocks[1]; y < blocks[3]; y += BLOCK_DIM) {
        for (int32_t x = blocks[0]; x < blocks[2]; x += BLOCK_DIM) {
            uint64_t cover = cover_block(kern, walk, x - tile_x, y - tile_y);

            if (cover && prim->cut)
                cut_cover(prim->rect, x, y, &cover, 1);
            if (cover && several)
                all_samples(every, cover);
            if (cover)
                raster_batch_block(worker, prim, x, y, several ? every : &cover);
        }
    }
}

/* A triangle's edges for every sample, and what they have in common: of the values of an edge at a
 * pixel's samples the least and the most. */
struct sample_walks {
    struct edge_walk sample[MAX_SAMPLES][3];
    int64_t least[3], most[3];
    unsigned samples;
};

static void walks_init(struct sample_walks *walks, const struct raster_worker *worker,
                       const struct raster_prim *prim)
{
    unsigned pattern = prim->plan->pattern;

    walks->samples = worker->raster->targets.samples;
    for (unsigned s = 0; s < walks->samples; s++)
        walk_init(walks->sample[s], &prim->edges, worker->tile_x, worker->tile_y,
                  raster_sample_x[pattern][s] * (SUBPIXEL / 16),
                  raster_sample_y[pattern][s] * (SUBPIXEL / 16));
    for (unsigned i = 0; i < 3; i++) {
        walks->least[i] = walks->most[i] = walks->sample[0][i].at;
        for (unsigned s = 1; s < walks->samples; s++) {
            int64_t at = walks->sample[s][i].at;

            walks->least[i] = at < walks->least[i] ? at : walks->least[i];
            walks->most[i] = at > walks->most[i] ? at : walks->most[i];
        }
    }
}

/* Samples of the block (dx, dy) from the tile's corner; false: none. */
static bool cover_samples(const struct raster_kern *kern, const struct sample_walks *walks,
                          int32_t dx, int32_t dy, uint64_t cover[MAX_SAMPLES])
{
    uint64_t any = 0;
    bool inside = true;

    for (unsigned i = 0; i < 3; i++) {
        const struct edge_walk *walk = &walks->sample[0][i];
        int64_t to = (int64_t)walk->a * dx + (int64_t)walk->b * dy;

        if (walks->most[i] + to + walk->high < 0)
            return false;
        inside &= walks->least[i] + to + walk->low >= 0;
    }
    if (inside) {
        all_samples(cover, ~UINT64_C(0));
        return true;
    }
    for (unsigned s = 0; s < walks->samples; s++)
        any |= cover[s] = cover_block(kern, walks->sample[s], dx, dy);
    return any != 0;
}

static void fill_triangle(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster *raster = worker->raster;
    struct sample_walks walks;
    uint64_t cover[MAX_SAMPLES];
    int32_t blocks[4];

    if (!tile_blocks(worker, prim->rect, blocks))
        return;
    walks_init(&walks, worker, prim);
    for (int32_t y = blocks[1]; y < blocks[3]; y += BLOCK_DIM)
        for (int32_t x = blocks[0]; x < blocks[2]; x += BLOCK_DIM)
            if (cover_samples(raster->kern, &walks, x - worker->tile_x, y - worker->tile_y,
                              cover) &&
                (!prim->cut || cut_cover(prim->rect, x, y, cover, walks.samples)))
                raster_batch_block(worker, prim, x, y, cover);
}

/* Columns from 0 to 7 - n of every row of 8. */
static uint64_t first_columns(int32_t n)
{
    return (0xffu >> n) * UINT64_C(0x0101010101010101);
}

/* Moves the 8x8 pixels at (x, y) to where they lie in the tile; those past it are lost. */
static uint64_t move_into_tile(const struct raster_worker *worker, uint64_t rows, int32_t *x,
                               int32_t *y)
{
    int32_t last = raster_tile_dim(worker->raster) - BLOCK_DIM;
    int32_t left = *x - worker->tile_x, top = *y - worker->tile_y;

    if (left < 0)
        rows = rows >> -left & first_columns(-left);
    else if (left > last)
        rows = (rows & first_columns(left - last)) << (left - last);
    if (top < 0)
        rows >>= -top * BLOCK_DIM;
    else if (top > last)
        rows <<= (top - last) * BLOCK_DIM;
    *x = worker->tile_x + (left < 0 ? 0 : left > last ? last : left);
    *y = worker->tile_y + (top < 0 ? 0 : top > last ? last : top);
    return rows;
}

static void fill_small(struct raster_worker *worker, const struct raster_prim *prim)
{
    int32_t x = prim->rect[0] & -2, y = prim->rect[1] & -2;
    uint32_t last = (uint32_t)raster_tile_dim(worker->raster) - BLOCK_DIM;
    uint64_t rows = prim->pixels;

    if ((uint32_t)(x - worker->tile_x) > last || (uint32_t)(y - worker->tile_y) > last)
        rows = move_into_tile(worker, rows, &x, &y);
    if (rows)
        raster_batch_small(worker, prim, x, y, rows);
}

static void fill_whole_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_plan *plan = prim->plan;
    bool at_once = plan->whole_blocks && plan->early && plan->shades && !plan->query;
    int32_t dim = raster_tile_dim(worker->raster);
    uint64_t cover[MAX_SAMPLES];

    raster_batch_test(worker);
    at_once = at_once && (!plan->depth_used || raster_depth_tile(worker, prim));
    if (at_once) {
        raster_batch_close(worker);
        if (raster_block_tile(worker, prim))
            return;
    }
    for (int32_t y = 0; y < dim; y += BLOCK_DIM) {
        for (int32_t x = 0; x < dim; x += BLOCK_DIM) {
            all_samples(cover, ~UINT64_C(0));
            if (at_once) {
                raster_block_run(worker, prim, worker->tile_x + x, worker->tile_y + y, cover);
                continue;
            }
            raster_batch_block(worker, prim, worker->tile_x + x, worker->tile_y + y, cover);
        }
    }
}

/* The line's pixels in this tile, then its blocks in order. */
static void fill_line(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_line *line = &prim->line;
    uint64_t masks[BLOCKS_PER_TILE] = {0}, cover[MAX_SAMPLES];
    int32_t rect[4], tile[4];

    tile_rect(worker, tile);
    memcpy(rect, prim->rect, sizeof(rect));
    if (!raster_rect_cut(rect, tile))
        return;
    for (int32_t m = rect[line->y_major]; m < rect[line->y_major + 2]; m++) {
        int32_t minor = raster_line_minor(line, m);
        int32_t x = (line->y_major ? minor : m), y = (line->y_major ? m : minor);

        if (x < rect[0] || x >= rect[2] || y < rect[1] || y >= rect[3])
            continue;
        x -= worker->tile_x;
        y -= worker->tile_y;
        masks[y / BLOCK_DIM * BLOCK_DIM + x / BLOCK_DIM] |=
            UINT64_C(1) << (y % BLOCK_DIM * BLOCK_DIM + x % BLOCK_DIM);
    }
    for (int32_t i = 0; i < BLOCKS_PER_TILE; i++) {
        if (!masks[i])
            continue;
        all_samples(cover, masks[i]);
        raster_batch_block(worker, prim, worker->tile_x + i % BLOCK_DIM * BLOCK_DIM,
                           worker->tile_y + i / BLOCK_DIM * BLOCK_DIM, cover);
    }
}

static bool is_hidden(struct raster_worker *worker, const struct raster_prim *prim)
{
    int32_t blocks[4];

    return tile_blocks(worker, prim->rect, blocks) && raster_coarse_hides(worker, prim, blocks);
}

static void run_prim(struct raster_worker *worker, const struct raster_prim *prim, bool full)
{
    if (prim->kind == PRIM_NONE)
        return;
    if (prim->plan != worker->plan) {
        raster_batch_begin(worker, prim->plan);
        if (prim->plan->ds[0].depth_write)
            worker->coarse.known = 0;
    }
    if (prim->plan->hidden && is_hidden(worker, prim))
        return;
    if (full)
        fill_whole_tile(worker, prim);
    else if (prim->kind == PRIM_SMALL)
        fill_small(worker, prim);
    else if (prim->kind == PRIM_TRIANGLE && prim->plan->pattern == 1)
        fill_centres(worker, prim);
    else if (prim->kind == PRIM_TRIANGLE)
        fill_triangle(worker, prim);
    else if (prim->kind == PRIM_LINE)
        fill_line(worker, prim);
    else
        fill_rect(worker, prim);
}

/* --- Clears ----------------------------------------------------------------------------------- */

/* Pixels' sizes are powers of two up to 16 bytes, so a row is a repetition of 16 bytes. */
static void fill_row(uint8_t *row, size_t bytes, const struct raster_fill *fill)
{
    uint64_t value[2], mask[2], word[2];
    size_t at = 0;

    memcpy(value, fill->value, sizeof(value));
    memcpy(mask, fill->mask, sizeof(mask));
    for (; !~(mask[0] & mask[1]) && at + sizeof(value) <= bytes; at += sizeof(value))
        memcpy(row + at, value, sizeof(value)); /* nothing to keep, nothing to read */
    for (; at + sizeof(word) <= bytes; at += sizeof(word)) {
        memcpy(word, row + at, sizeof(word));
        word[0] = (word[0] & ~mask[0]) | value[0];
        word[1] = (word[1] & ~mask[1]) | value[1];
        memcpy(row + at, word, sizeof(word));
    }
    for (; at < bytes; at++)
        row[at] = (uint8_t)((row[at] & ~fill->mask[at % 16]) | fill->value[at % 16]);
}

static void fill_surface(const struct raster_worker *worker, const struct raster_fill *fill)
{
    const struct raster_surface *surface = fill->surface;
    size_t bytes = surface->format->bytes;
    int32_t rect[4], tile[4];

    tile_rect(worker, tile);
    memcpy(rect, fill->rect, sizeof(rect));
    if (!raster_rect_cut(rect, tile))
        return;
    for (unsigned s = 0; s < worker->raster->targets.samples; s++)
        for (int32_t y = rect[1]; y < rect[3]; y++)
            fill_row(surface->data + (size_t)s * surface->sample_pitch +
                         (size_t)y * surface->row_pitch + (size_t)rect[0] * bytes,
                     (size_t)(rect[2] - rect[0]) * bytes, fill);
}

static void run_clear(struct raster_worker *worker, const struct raster_clear_command *clear)
{
    raster_batch_close(worker);
    worker->coarse.known = 0;
    for (unsigned n = 0; n < clear->n_fills; n++)
        fill_surface(worker, &clear->fill[n]);
}

static const void *command_data(uintptr_t command)
{
    return (const void *)(command & ~(uintptr_t)BIN_OP_MASK);
}

/* Small triangles are read once each, in an order that only the bin knows. */
static void prefetch_prim(const char *prim)
{
    for (unsigned line = 0; line < 4; line++)
        __builtin_prefetch(prim + line * 64);
}

void raster_tile_run(struct raster_worker *worker, uint32_t tile)
{
    struct raster *raster = worker->raster;

    worker->tile_x = (int32_t)(tile % raster->tiles_x << raster->tile_shift);
    worker->tile_y = (int32_t)(tile / raster->tiles_x << raster->tile_shift);
    worker->plan = NULL;
    worker->coarse.known = 0;
    worker->kept = NULL;
    for (struct bin_chunk *chunk = raster->bins[tile].first; chunk; chunk = chunk->next) {
        for (size_t i = 0; i < chunk->count; i++) {
            const void *data = command_data(chunk->command[i]);
            enum bin_op op = (enum bin_op)(chunk->command[i] & BIN_OP_MASK);

            if (i + 2 < chunk->count)
                prefetch_prim(command_data(chunk->command[i + 2]));
            if (op == BIN_CLEAR)
                run_clear(worker, data);
            else
                run_prim(worker, data, op == BIN_PRIM_FULL);
        }
    }
    raster_batch_close(worker);
}
