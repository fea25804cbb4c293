/* Gather and scatter: copy pixels between surfaces and the lanes of quads or of single fragments.
 *
 * Tested by tests/unit/raster/output/test_output.c, tests/unit/raster/test_equivalence.c,
 * tests/kernel/raster/output/test_store_kern.c. */
#include "raster/output/output.h"
#include "raster/output/store_kern.h"

#include <string.h>

/* --- Quads ------------------------------------------------------------------------------------ */

/* Copies adjacent pixels between a surface and lanes, in either direction. */
static inline void copy_pixels(uint8_t *surface, uint8_t *lanes, size_t bytes, bool store)
{
    if (store)
        memcpy(surface, lanes, bytes);
    else
        memcpy(lanes, surface, bytes);
}

/* Copies the covered ones of two adjacent pixels. */
static inline void copy_part(uint8_t *surface, uint8_t *lanes, unsigned covered, size_t bytes,
                             bool store)
{
    size_t at = covered & 1 ? 0 : bytes;

    if (covered == 3)
        copy_pixels(surface, lanes, 2 * bytes, store);
    else if (covered)
        copy_pixels(surface + at, lanes + at, bytes, store);
}

/* Copies between the surface and lanes of quads. Callers pass a constant `bytes`, so that each copy
 * compiles to one move. */
static inline void copy_quads(const struct raster_worker *worker,
                              const struct raster_surface *surface, unsigned sample, uint8_t *lanes,
                              uint64_t mask, size_t bytes, bool store)
{
    uint8_t *origin = surface->data + (size_t)sample * surface->sample_pitch;
    size_t pitch = surface->row_pitch;

    for (unsigned q = 0; q < worker->batch.quads.n; q++, mask >>= 4, lanes += 4 * bytes) {
        uint8_t *at = origin + (size_t)worker->batch.quads.y[q] * pitch +
                      (size_t)worker->batch.quads.x[q] * bytes;

        if ((mask & 15) == 15) {
            copy_pixels(at, lanes, 2 * bytes, store);
            copy_pixels(at + pitch, lanes + 2 * bytes, 2 * bytes, store);
        } else {
            copy_part(at, lanes, mask & 3, bytes, store);
            copy_part(at + pitch, lanes + 2 * bytes, mask >> 2 & 3, bytes, store);
        }
    }
}

/* Stores without branches on coverage. The surface has an even size, so all pixels of quads
 * exist. */
static void store_words(const struct raster_worker *worker, const struct raster_surface *surface,
                        unsigned sample, const uint8_t *lanes, uint64_t mask)
{
    uint8_t *origin = surface->data + (size_t)sample * surface->sample_pitch;
    size_t pitch = surface->row_pitch;

    for (unsigned q = 0; q < worker->batch.quads.n; q++, mask >>= 4, lanes += 16) {
        uint8_t *at = origin + (size_t)worker->batch.quads.y[q] * pitch +
                      (size_t)worker->batch.quads.x[q] * 4;

        raster_store_pair(at, lanes, mask & 3);
        raster_store_pair(at + pitch, lanes + 8, mask >> 2 & 3);
    }
}

static bool has_even_size(const struct raster_worker *worker, const struct raster_surface *surface)
{
    const struct raster_targets *targets = &worker->raster->targets;
    uint32_t width = surface->width ? surface->width : targets->width;
    uint32_t height = surface->height ? surface->height : targets->height;

    return !((width | height) & 1);
}

static void copy_any(const struct raster_worker *worker, const struct raster_surface *surface,
                     unsigned sample, uint8_t *lanes, uint64_t mask, bool store)
{
    switch (surface->format->bytes) {
    case 1:
        copy_quads(worker, surface, sample, lanes, mask, 1, store);
        break;
    case 2:
        copy_quads(worker, surface, sample, lanes, mask, 2, store);
        break;
    case 4:
        copy_quads(worker, surface, sample, lanes, mask, 4, store);
        break;
    case 8:
        copy_quads(worker, surface, sample, lanes, mask, 8, store);
        break;
    default:
        copy_quads(worker, surface, sample, lanes, mask, 16, store);
        break;
    }
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
        copy_any(worker, surface, sample, out, mask, false);
}

void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask)
{
    if (worker->batch.layout == FRAG_SINGLE)
        raster_scatter_fragments(worker, surface, in, mask);
    else if (surface->format->bytes == 4 && has_even_size(worker, surface))
        store_words(worker, surface, sample, in, mask);
    else
        copy_any(worker, surface, sample, in, mask, true);
}
