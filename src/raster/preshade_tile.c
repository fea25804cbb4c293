/* Fragments of a tile: nothing but a test of depth and two stores is left to do. */
#include "raster/preshade.h"

#include "raster/raster_private.h"

/* Two surfaces from the tile's first pixel on. */
struct place {
    uint8_t *colour, *depth;
    ptrdiff_t colour_past, depth_past; /* for word_at */
    uint32_t field;                    /* bits of depth */
};

static uint8_t *at_tile(const struct raster_worker *worker, const struct raster_surface *surface)
{
    return surface->data + (size_t)worker->tile.y * surface->row_pitch +
           (size_t)worker->tile.x * sizeof(uint32_t);
}

/* Rows lie `past` bytes farther apart than those of a tile by itself. */
static inline uint32_t *word_at(uint8_t *base, ptrdiff_t past, ptrdiff_t place)
{
    return (uint32_t *)(void *)(base + (place * 4 + (place >> TILE_SHIFT) * past));
}

/* Less than 0 for narrow surfaces. */
static ptrdiff_t past_tile(const struct raster_surface *surface)
{
    return (ptrdiff_t)surface->row_pitch - (4 << TILE_SHIFT);
}

static inline const uint16_t *pos_of(const struct preshaded_run *f)
{
    return (const uint16_t *)(const void *)(f->word + 2 * raster_preshaded_padded(f->n));
}

/* Codes of all formats order as unsigned numbers. */
static inline bool passes(unsigned func, uint32_t depth, uint32_t stored)
{
    return ((func - 1) & 1 && depth < stored) || ((func - 1) & 2 && depth == stored) ||
           ((func - 1) & 4 && depth > stored);
}

/* One after another, as several may be of one pixel. Whether one passes is mostly what became of
 * the one before it, of the same triangle or the one beside that. */
static inline __attribute__((always_inline)) void draw(const struct preshaded_run *f,
                                                       const struct place *to, ptrdiff_t depth_past,
                                                       unsigned func, bool write)
{
    const uint32_t *word = f->word + raster_preshaded_padded(f->n), n = f->n;
    const uint16_t *place = pos_of(f);
    const struct place at = *to; /* stores might change it, for all that the compiler knows */

    for (unsigned i = 0; i < n; i++) {
        uint32_t *depth = word_at(at.depth, depth_past, place[i]);
        uint32_t stored = *depth, fresh = f->word[i];

        if (!passes(func, fresh, stored & at.field))
            continue;
        if (write)
            *depth = (stored & ~at.field) | fresh;
        *word_at(at.colour, at.colour_past, place[i]) = word[i];
    }
}

/* Depth in the worker's own memory (tile_depth.c) has no other rows between its own. */
static inline __attribute__((always_inline)) void draw_by(const struct preshaded_run *f,
                                                          const struct place *to, unsigned func)
{
    if (!f->pipeline->ds[0].depth_write)
        draw(f, to, to->depth_past, func, false);
    else if (to->depth_past)
        draw(f, to, to->depth_past, func, true);
    else
        draw(f, to, 0, func, true);
}

static void draw_tested(const struct preshaded_run *f, const struct place *to)
{
    switch (f->pipeline->ds[0].depth_func) {
    case D3DCMP_LESS:
        draw_by(f, to, D3DCMP_LESS);
        break;
    case D3DCMP_LESSEQUAL:
        draw_by(f, to, D3DCMP_LESSEQUAL);
        break;
    default:
        draw_by(f, to, f->pipeline->ds[0].depth_func);
        break;
    }
}

static void draw_all(const struct preshaded_run *f, const struct place *to)
{
    const uint32_t *word = f->word + raster_preshaded_padded(f->n);
    const uint16_t *place = pos_of(f);

    for (unsigned i = 0; i < f->n; i++)
        *word_at(to->colour, to->colour_past, place[i]) = word[i];
}

bool raster_preshaded_conflicts(const struct raster_worker *worker,
                                const struct preshaded_run *preshaded)
{
    const uint64_t *in_flight = worker->quad_queue.in_flight;
    const uint16_t *place = pos_of(preshaded);
    uint64_t some = 0;

    for (unsigned i = 0; i < preshaded->n; i++)
        some |= in_flight[place[i] >> TILE_SHIFT] >> place[i] % (1u << TILE_SHIFT);
    return some & 1;
}

void raster_preshaded_draw(struct raster_worker *worker, const struct preshaded_run *preshaded)
{
    const struct raster_pipeline *pipeline = preshaded->pipeline;
    const struct raster_surface *colour = pipeline->output[0].surface;
    struct place to = {.colour = at_tile(worker, colour), .colour_past = past_tile(colour)};

    worker->dirty_blocks |= preshaded->blocks;
    if (!pipeline->depth_used) {
        draw_all(preshaded, &to);
        return;
    }
    if (pipeline->ds[0].depth_write)
        worker->hiz.valid &= ~preshaded->blocks;
    to.depth = at_tile(worker, worker->zs_surface);
    to.depth_past = past_tile(worker->zs_surface);
    to.field = pipeline->ds[0].depth_field;
    draw_tested(preshaded, &to);
}
