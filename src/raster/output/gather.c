/* Gather and scatter: copy pixels between surfaces and the lanes of quads or of single fragments.
 *
 * Tested by tests/unit/raster/output/test_output.c, tests/unit/raster/test_equivalence.c,
 * tests/kernel/raster/output/test_store_kern.c. */
#include "raster/output/output.h"
#include "raster/output/store_kern.h"

#include <string.h>

/* --- Quads ------------------------------------------------------------------------------------ */

/* For each mask of a quad's pixels all bits of those that are covered. Masks of small triangles are
 * random, so branches would be mispredicted; a compiler makes no branches of a table. */
#define ALL_IF(mask, i) ((mask) >> (i)&1 ? UINTPTR_MAX : 0)
#define PIXELS(mask)                                                                               \
    {                                                                                              \
        ALL_IF(mask, 0), ALL_IF(mask, 1), ALL_IF(mask, 2), ALL_IF(mask, 3)                         \
    }
static const uintptr_t covered_pixels[16][4] = {
    PIXELS(0), PIXELS(1), PIXELS(2),  PIXELS(3),  PIXELS(4),  PIXELS(5),  PIXELS(6),  PIXELS(7),
    PIXELS(8), PIXELS(9), PIXELS(10), PIXELS(11), PIXELS(12), PIXELS(13), PIXELS(14), PIXELS(15)};

/* Copies between the surface and lanes of quads. Lanes outside of the mask are copied to or from a
 * pixel that nobody reads. Callers pass a constant `bytes`, so that each copy compiles to one
 * move. */
static inline void copy_quads(const struct raster_worker *worker,
                              const struct raster_surface *surface, unsigned sample, uint8_t *lanes,
                              uint64_t mask, size_t bytes, bool store)
{
    uint8_t *origin = surface->data + (size_t)sample * surface->sample_pitch, nobody[16] = {0};
    const struct raster_quads *quads = &worker->batch.quads;
    size_t pitch = surface->row_pitch;
    uintptr_t from = (uintptr_t)nobody;

    for (unsigned q = 0; q < quads->n; q++, mask >>= 4, lanes += 4 * bytes) {
        uint8_t *at = origin + (size_t)quads->y[q] * pitch + (size_t)quads->x[q] * bytes;
        uint8_t *pixel[4] = {at, at + bytes, at + pitch, at + pitch + bytes};

        for (unsigned i = 0; i < 4; i++) {
            uintptr_t offset = (uintptr_t)pixel[i] - from;
            uint8_t *there = (uint8_t *)(from + (offset & covered_pixels[mask & 15][i]));

            if (store)
                memcpy(there, lanes + i * bytes, bytes);
            else
                memcpy(lanes + i * bytes, there, bytes);
        }
    }
}

static void copy_by_size(const struct raster_worker *worker, const struct raster_surface *surface,
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
        copy_by_size(worker, surface, sample, out, mask, false);
}

void raster_scatter(const struct raster_worker *worker, const struct raster_surface *surface,
                    unsigned sample, void *in, uint64_t mask)
{
    if (worker->batch.layout == FRAG_SINGLE)
        raster_scatter_fragments(worker, surface, in, mask);
    else
        copy_by_size(worker, surface, sample, in, mask, true);
}
