/* Bins primitives: finds the tiles that one touches or covers, and appends a command to each.
 *
 * Tested by tests/unit/raster/test_oracle.c and tests/unit/raster/bin/test_overdraw.c. */
#include "raster/bin/list.h"

enum cover { COVER_NONE, COVER_PART, COVER_FULL };

static bool rect_over_tile(const struct raster_prim *prim, int32_t x, int32_t y, int32_t dim)
{
    return prim->rect[0] <= x && prim->rect[1] <= y && prim->rect[2] >= x + dim &&
           prim->rect[3] >= y + dim;
}

/* Edge values over the current tile: the minimum of each edge, samples included; the range from
 * minimum to maximum; and the steps to the next tile to the right and below. */
struct tile_edges {
    int64_t low[3], range[3], right[3], below[3];
};

static void begin_edges(struct tile_edges *e, const struct raster *raster,
                        const struct raster_prim *prim, int32_t x, int32_t y)
{
    const struct raster_tri_edges *edges = &raster_edges_of_prim(prim)->edges;
    int32_t dim = raster_tile_dim(raster), margin = raster->targets.samples > 1;

    for (unsigned i = 0; i < 3; i++) {
        int64_t a = (int64_t)edges->a[i] * SUBPIXEL, b = (int64_t)edges->b[i] * SUBPIXEL;
        int64_t across = a * (dim - 1 + 2 * margin), down = b * (dim - 1 + 2 * margin);

        e->low[i] = edges->c[i] + a * (x * dim - margin) + b * (y * dim - margin) +
                    (across < 0 ? across : 0) + (down < 0 ? down : 0);
        e->range[i] = (across < 0 ? -across : across) + (down < 0 ? -down : down);
        e->right[i] = a * dim;
        e->below[i] = b * dim;
    }
}

static void step_edges(struct tile_edges *e, const int64_t by[3])
{
    for (unsigned i = 0; i < 3; i++)
        e->low[i] += by[i];
}

/* full: the triangle's rectangle covers the tile. */
static enum cover edges_over_tile(const struct tile_edges *e, bool full)
{
    int64_t least = e->low[0] < e->low[1] ? e->low[0] : e->low[1];

    least = least < e->low[2] ? least : e->low[2];
    if (least >= 0)
        return full ? COVER_FULL : COVER_PART;
    for (unsigned i = 0; i < 3; i++)
        if (e->low[i] + e->range[i] < 0)
            return COVER_NONE;
    return COVER_PART;
}

static bool has_side_effects(const struct raster_pipeline *pipeline)
{
    return pipeline->writes != WROTE_COLOUR;
}

static bool bin_tile(struct raster *raster, struct raster_prim *prim, int32_t x, int32_t y,
                     enum cover cover)
{
    uint32_t tile = (uint32_t)y * raster->tiles_x + (uint32_t)x;

    if (cover == COVER_NONE)
        return true;
    if (cover == COVER_FULL && prim->pipeline->overwrites_colour)
        raster_bin_discard(&raster->bins[tile], OVERWRITES_COLOURS);
    return bin_push(raster, tile, prim, cover == COVER_FULL ? BIN_PRIM_FULL : BIN_PRIM,
                    has_side_effects(prim->pipeline));
}

static bool bin_box(struct raster *raster, struct raster_prim *prim, int32_t x0, int32_t y0,
                    int32_t x1, int32_t y1)
{
    bool fills = prim->kind == PRIM_RECT;
    int32_t dim = raster_tile_dim(raster);

    for (int32_t y = y0; y <= y1; y++) {
        for (int32_t x = x0; x <= x1; x++) {
            bool full = fills && rect_over_tile(prim, x * dim, y * dim, dim);

            if (!bin_tile(raster, prim, x, y, full ? COVER_FULL : COVER_PART))
                return false;
        }
    }
    return true;
}

static bool bin_triangle(struct raster *raster, struct raster_prim *prim, int32_t x0, int32_t y0,
                         int32_t x1, int32_t y1)
{
    int32_t dim = raster_tile_dim(raster);
    struct tile_edges row, tile;

    begin_edges(&row, raster, prim, x0, y0);
    for (int32_t y = y0; y <= y1; y++, step_edges(&row, row.below)) {
        tile = row;
        for (int32_t x = x0; x <= x1; x++, step_edges(&tile, tile.right)) {
            bool full = rect_over_tile(prim, x * dim, y * dim, dim);

            if (!bin_tile(raster, prim, x, y, edges_over_tile(&tile, full)))
                return false;
        }
    }
    return true;
}

/* Visits rows or columns of tiles along the major axis and bins only the tiles that the line
 * crosses. */
static bool bin_line(struct raster *raster, struct raster_prim *prim)
{
    const struct raster_line *line = &raster_edges_of_prim(prim)->line;
    const int32_t *rect = prim->rect;
    int32_t low = rect[line->y_major], high = rect[line->y_major + 2] - 1;
    int32_t minor_low = rect[!line->y_major], minor_high = rect[!line->y_major + 2] - 1;
    int32_t within = raster_tile_dim(raster) - 1;

    for (int32_t first = low; first <= high; first = (first | within) + 1) {
        int32_t end = first | within, m0, m1, t = first >> raster->tile_shift;

        m0 = raster_line_minor(line, first);
        m1 = raster_line_minor(line, end < high ? end : high);
        if (m0 > m1) {
            int32_t swap = m0;

            m0 = m1;
            m1 = swap;
        }
        m0 = m0 < minor_low ? minor_low : m0;
        m1 = m1 > minor_high ? minor_high : m1;
        if (m0 > m1)
            continue;
        m0 >>= raster->tile_shift;
        m1 >>= raster->tile_shift;
        if (line->y_major ? !bin_box(raster, prim, m0, t, m1, t)
                          : !bin_box(raster, prim, t, m0, t, m1))
            return false;
    }
    return true;
}

/* Bins only the tiles that the antialiased line touches. */
static bool bin_aa_line(struct raster *raster, struct raster_prim *prim, int32_t x0, int32_t y0,
                        int32_t x1, int32_t y1)
{
    const struct raster_aa_line *line = &raster_edges_of_prim(prim)->aa_line;
    int32_t dim = raster_tile_dim(raster);

    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            if (raster_aa_line_touches(line, x * dim, y * dim, dim) &&
                !bin_tile(raster, prim, x, y, COVER_PART))
                return false;
    return true;
}

bool raster_bin_prim(struct raster *raster, struct raster_prim *prim)
{
    unsigned shift = raster->tile_shift;
    int32_t rect[4], x0, y0, x1, y1;
    bool done;

    raster_prim_rect(prim, rect);
    x0 = rect[0] >> shift;
    y0 = rect[1] >> shift;
    x1 = (rect[2] - 1) >> shift;
    y1 = (rect[3] - 1) >> shift;
    raster->touched = true;
    if (prim->kind == PRIM_LINE)
        done = bin_line(raster, prim);
    else if (prim->kind == PRIM_AA_LINE)
        done = bin_aa_line(raster, prim, x0, y0, x1, y1);
    else if (prim->kind == PRIM_TRIANGLE && (x0 != x1 || y0 != y1))
        done = bin_triangle(raster, prim, x0, y0, x1, y1);
    else
        done = bin_box(raster, prim, x0, y0, x1, y1);
    if (!done)
        prim->kind = PRIM_NONE;
    return done;
}

uint16_t raster_single_tile(const struct raster *raster, const int32_t rect[4])
{
    int32_t x = rect[0] >> raster->tile_shift, y = rect[1] >> raster->tile_shift;
    uint32_t tile = (uint32_t)y * raster->tiles_x + (uint32_t)x;

    return x == (rect[2] - 1) >> raster->tile_shift && y == (rect[3] - 1) >> raster->tile_shift &&
                   tile < MULTIPLE_TILES
               ? (uint16_t)tile
               : MULTIPLE_TILES;
}

/* Bins a primitive whose single tile is known; has_side_effects: of its pipeline. */
static inline bool bin_single_tile(struct raster *raster, struct raster_prim *prim, uint32_t tile,
                                   bool has_side_effects)
{
    raster->touched = true;
    if (bin_push(raster, tile, prim, BIN_PRIM, has_side_effects))
        return true;
    prim->kind = PRIM_NONE;
    return false;
}

static struct raster_prim *part_at(const struct raster_tri_setup *tri, size_t bytes, unsigned n)
{
    return (struct raster_prim *)(void *)((char *)tri->prim + n * bytes);
}

bool raster_bin_tri(struct raster *raster, const struct raster_tri_setup *tri, size_t bytes)
{
    bool side_effects = has_side_effects(raster->pipeline);

    for (unsigned n = 0; n < tri->n_parts; n++) {
        struct raster_prim *prim = part_at(tri, bytes, n);

        if (tri->tile == MULTIPLE_TILES ? raster_bin_prim(raster, prim)
                                        : bin_single_tile(raster, prim, tri->tile, side_effects))
            continue;
        while (n--)
            part_at(tri, bytes, n)->kind = PRIM_NONE;
        return false;
    }
    return true;
}

uint32_t raster_bin_tris(struct raster *raster, const struct raster_tri_setup *tri, uint32_t count,
                         size_t bytes)
{
    bool side_effects = has_side_effects(raster->pipeline);

    for (uint32_t i = 0; i < count; i++) {
        const struct raster_tri_setup *next = &tri[i];

        if (next->tri_class == TRI_CULL)
            continue;
        if (next->tri_class == TRI_CLIP)
            return i;
        if (next->n_parts == 1 && next->tile != MULTIPLE_TILES
                ? !bin_single_tile(raster, next->prim, next->tile, side_effects)
                : !raster_bin_tri(raster, next, bytes))
            return i;
    }
    return count;
}

bool raster_bin_preshaded(struct raster *raster, uint32_t tile,
                          const struct preshaded_run *preshaded)
{
    raster->touched = true;
    return bin_push(raster, tile, preshaded, BIN_PRESHADED, has_side_effects(raster->pipeline));
}
