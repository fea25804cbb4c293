/* Draws preshaded runs in their tile: a depth test and two stores per fragment.
 *
 * Tested by tests/unit/raster/setup/test_preshade.c. */
#include "raster/tile/preshade_tile.h"

/* Colour and depth memory of the tile, from its first pixel. */
struct tile_target {
    uint8_t *colour, *depth;
    ptrdiff_t colour_gap, depth_gap; /* for pixel_at */
    uint32_t field;                  /* the depth bits of a pixel */
};

static uint8_t *at_tile(const struct raster_worker *worker, const struct raster_surface *surface)
{
    return surface->data + (size_t)worker->tile.y * surface->row_pitch +
           (size_t)worker->tile.x * surface->format->bytes;
}

/* The pixel of `bytes` bytes at `pos`, y * 64 + x. `gap`: row pitch minus that of a packed tile of
 * 64 pixels. */
static inline void *pixel_at(uint8_t *base, ptrdiff_t gap, ptrdiff_t pos, ptrdiff_t bytes)
{
    return base + (pos * bytes + (pos >> TILE_SHIFT) * gap);
}

static inline uint32_t *word_at(uint8_t *base, ptrdiff_t gap, ptrdiff_t pos)
{
    return pixel_at(base, gap, pos, sizeof(uint32_t));
}

/* The `gap` of pixel_at; negative for surfaces narrower than a tile. */
static ptrdiff_t row_gap(const struct raster_surface *surface)
{
    return (ptrdiff_t)surface->row_pitch - ((ptrdiff_t)surface->format->bytes << TILE_SHIFT);
}

static inline uint32_t load_depth(const void *at, ptrdiff_t bytes)
{
    return bytes == 2 ? *(const uint16_t *)at : *(const uint32_t *)at;
}

static inline void store_depth(void *at, ptrdiff_t bytes, uint32_t word)
{
    if (bytes == 2)
        *(uint16_t *)at = (uint16_t)word;
    else
        *(uint32_t *)at = word;
}

static inline const uint16_t *pos_of(const struct preshaded_run *run)
{
    return (const uint16_t *)(const void *)(run->word + 2 * raster_preshaded_padded(run->n));
}

/* Depth codes of all formats compare as unsigned integers. */
static inline bool passes(unsigned func, uint32_t depth, uint32_t stored)
{
    return ((func - 1) & 1 && depth < stored) || ((func - 1) & 2 && depth == stored) ||
           ((func - 1) & 4 && depth > stored);
}

/* Draws fragments in order, because they may share a pixel. The branch predicts well: neighbouring
 * fragments usually have the same result. */
static inline __attribute__((always_inline)) void draw(const struct preshaded_run *run,
                                                       const struct tile_target *to,
                                                       ptrdiff_t depth_gap, unsigned func,
                                                       bool write, ptrdiff_t bytes)
{
    const uint32_t *word = run->word + raster_preshaded_padded(run->n), n = run->n;
    const uint16_t *pos = pos_of(run);
    const struct tile_target at = *to; /* a copy, because stores could alias *to */

    for (unsigned i = 0; i < n; i++) {
        void *depth = pixel_at(at.depth, depth_gap, pos[i], bytes);
        uint32_t stored = load_depth(depth, bytes), fresh = run->word[i];

        if (!passes(func, fresh, stored & at.field))
            continue;
        if (write)
            store_depth(depth, bytes, (stored & ~at.field) | fresh);
        *word_at(at.colour, at.colour_gap, pos[i]) = word[i];
    }
}

/* Tile-local depth (zs/tile_depth.c) has packed rows, so the constant 0 compiles to simpler
 * addresses. */
static inline __attribute__((always_inline)) void
draw_by(const struct preshaded_run *run, const struct tile_target *to, unsigned func)
{
    const struct raster_depth_stencil *ds = &run->pipeline->ds[0];

    if (ds->bytes == 2)
        draw(run, to, to->depth_gap, func, ds->depth_write, 2);
    else if (!ds->depth_write)
        draw(run, to, to->depth_gap, func, false, 4);
    else if (to->depth_gap)
        draw(run, to, to->depth_gap, func, true, 4);
    else
        draw(run, to, 0, func, true, 4);
}

static void draw_tested(const struct preshaded_run *run, const struct tile_target *to)
{
    switch (run->pipeline->ds[0].depth_func) {
    case D3DCMP_LESS:
        draw_by(run, to, D3DCMP_LESS);
        break;
    case D3DCMP_LESSEQUAL:
        draw_by(run, to, D3DCMP_LESSEQUAL);
        break;
    default:
        draw_by(run, to, run->pipeline->ds[0].depth_func);
        break;
    }
}

static void draw_all(const struct preshaded_run *run, const struct tile_target *to)
{
    const uint32_t *word = run->word + raster_preshaded_padded(run->n);
    const uint16_t *pos = pos_of(run);

    for (unsigned i = 0; i < run->n; i++)
        *word_at(to->colour, to->colour_gap, pos[i]) = word[i];
}

bool raster_preshaded_conflicts(const struct raster_worker *worker,
                                const struct preshaded_run *preshaded)
{
    const uint64_t *in_flight = worker->in_flight.rows;
    const uint16_t *pos = pos_of(preshaded);
    uint64_t some = 0;

    for (unsigned i = 0; i < preshaded->n; i++)
        some |= in_flight[pos[i] >> TILE_SHIFT] >> pos[i] % (1u << TILE_SHIFT);
    return some & 1;
}

void raster_preshaded_draw(struct raster_worker *worker, const struct preshaded_run *preshaded)
{
    const struct raster_pipeline *pipeline = preshaded->pipeline;
    const struct raster_surface *colour = pipeline->output[0].surface;
    struct tile_target to = {.colour = at_tile(worker, colour), .colour_gap = row_gap(colour)};

    worker->dirty_blocks |= preshaded->blocks;
    if (!raster_uses_zs(pipeline)) {
        draw_all(preshaded, &to);
        return;
    }
    if (pipeline->ds[0].depth_write)
        worker->hiz.valid &= ~preshaded->blocks;
    to.depth = at_tile(worker, worker->zs_surface);
    to.depth_gap = row_gap(worker->zs_surface);
    to.field = pipeline->ds[0].depth_field;
    draw_tested(preshaded, &to);
}
