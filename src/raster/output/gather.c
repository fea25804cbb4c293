/* Gather and scatter: copy pixels between surfaces and the lanes of quads or of single fragments.
 *
 * Tested by tests/unit/raster/output/test_output.c, tests/unit/raster/test_equivalence.c,
 * tests/kernel/raster/output/test_store_kern.c. */
#include "raster/output/output.h"
#include "raster/output/store_kern.h"

#include <string.h>

/* --- Quads ------------------------------------------------------------------------------------ */

/* Whether every quad lies in the surface completely. */
static bool has_even_size(const struct raster_worker *worker, const struct raster_surface *surface)
{
    const struct raster_targets *targets = &worker->raster->targets;
    uint32_t width = surface->width ? surface->width : targets->width;
    uint32_t height = surface->height ? surface->height : targets->height;

    return !((width | height) & 1);
}

/* Copies the masked lanes of quads that the surface may cut. */
static void copy_lanes(const struct raster_quads *quads, const struct tile_surface *surface,
                       uint8_t *lanes, uint64_t mask, size_t bytes, bool store)
{
    for (; mask; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctzll(mask), q = i / 4;
        size_t x = (size_t)quads->x[q] + (i & 1), y = (size_t)quads->y[q] + (i >> 1 & 1);
        uint8_t *pixel = surface->base + y * surface->pitch + x * bytes;

        if (store)
            memcpy(pixel, lanes + i * bytes, bytes);
        else
            memcpy(lanes + i * bytes, pixel, bytes);
    }
}

static void copy_quads(const struct raster_worker *worker, const struct raster_surface *surface,
                       unsigned sample, uint8_t *lanes, uint64_t mask, bool store)
{
    const struct raster_store_kern *kern = worker->raster->store_kern;
    const struct raster_quads *quads = &worker->batch.quads;
    const struct tile_surface at = {surface->data + (size_t)sample * surface->sample_pitch,
                                    surface->row_pitch};
    unsigned size = raster_pixel_size(surface->format->bytes);

    if (!has_even_size(worker, surface))
        copy_lanes(quads, &at, lanes, mask, surface->format->bytes, store);
    else if (store)
        kern->scatter_quads[size](quads, &at, lanes, mask);
    else
        kern->gather_quads[size](quads, &at, lanes);
}

/* --- Fragments -------------------------------------------------------------------------------- */

static void gather_fragments(const struct raster_worker *worker,
                             const struct raster_surface *surface, void *out)
{
    struct tile_surface from = raster_tile_surface(worker, surface);
    unsigned size = raster_pixel_size(surface->format->bytes);

    worker->raster->store_kern->gather[size](&worker->batch, &from, out);
}

void raster_scatter_fragments(const struct raster_worker *worker,
                              const struct raster_surface *surface, const void *in, uint64_t mask)
{
    const struct raster_store_kern *kern = worker->raster->store_kern;
    struct tile_surface to = raster_tile_surface(worker, surface);
    const struct frag_batch *frags = &worker->batch;
    unsigned bytes = surface->format->bytes;

    if (bytes == sizeof(uint32_t) && mask == ~UINT64_C(0) >> (RASTER_LANES - frags->n))
        kern->store_fragments(frags, &to, in);
    else
        kern->scatter[raster_pixel_size(bytes)](frags, &to, in, mask);
}

/* --- The lanes of the current batch ----------------------------------------------------------- */

void raster_gather(const struct raster_worker *worker, const struct raster_surface *surface,
                   unsigned sample, void *out, uint64_t mask)
{
    if (worker->batch.layout == FRAG_SINGLE)
        gather_fragments(worker, surface, out);
    else
        copy_quads(worker, surface, sample, out, mask, false);
}

void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask)
{
    if (worker->batch.layout == FRAG_SINGLE)
        raster_scatter_fragments(worker, surface, in, mask);
    else
        copy_quads(worker, surface, sample, in, mask, true);
}
