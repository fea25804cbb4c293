/* Batches of 64 lanes: 16 quads of any primitives, the queue of quads, and fragments without helper
 * lanes. */
#ifndef RASTER_WORKER_BATCH_H
#define RASTER_WORKER_BATCH_H

#include "raster/scene/blocks.h"

#include <string.h>

struct raster_prim;

/* Destination of interpolated values; arrays of RASTER_LANES, NULL where they are not read.
 * Attribute a goes to work + attr[a].slot * RASTER_LANES. */
struct raster_lanes {
    const struct raster_attr *attr;
    unsigned n_attrs;
    float *x, *y, *z, *w, *face, *work;
};

/* Up to 16 quads; quad q is lanes 4q to 4q + 3. The arrays always have 16 elements. */
struct raster_quads {
    const int32_t *x, *y; /* upper left pixel */
    const struct raster_prim *const *prim;
    unsigned n;
};

enum {
    QUAD_QUEUE_BATCH = RASTER_LANES / 4, /* quads per test */
    /* Fewer than 4 * QUAD_QUEUE_BATCH quads are queued; they move to the front once `first` passes
     * the middle. */
    QUAD_QUEUE_SIZE = 8 * QUAD_QUEUE_BATCH,
    IN_FLIGHT_ROWS = 64 /* of a tile */
};

/* Quads [first, tested) wait to be shaded, quads [tested, n) to be tested. */
struct quad_queue {
    /* Hazard mask: pixels of the tile that are queued, or were since the last `retire`. */
    _Alignas(64) uint64_t in_flight[IN_FLIGHT_ROWS];
    uint64_t in_flight_history[IN_FLIGHT_ROWS];     /* pixels retired since the history was taken */
    int32_t x[QUAD_QUEUE_SIZE], y[QUAD_QUEUE_SIZE]; /* upper left pixel */
    const struct raster_prim *prim[QUAD_QUEUE_SIZE];
    uint8_t pixels[QUAD_QUEUE_SIZE]; /* of each quad, a bit per lane */
    unsigned first, tested, n;
    bool any_in_flight;   /* in_flight is not empty */
    bool any_history;     /* in_flight_history is not empty */
    bool in_flight_stale; /* in_flight has pixels that are already drawn, or failed */
};

enum { FRAG_BATCH_ATTRS = 32 }; /* bits of unit_attribs */

/* At most RASTER_LANES fragments of one pipeline, each pixel once. Fragments from `tested` on await
 * their depth test. A fragment's attributes are interpolated when it is queued, straight into the
 * shader's work memory, so shading needs no per-lane primitive. */
struct frag_batch {
    unsigned n, tested;
    uint32_t unit_attribs; /* raster_state.unit_attribs while all fragments have 1 there, so that
                              `work` does not hold them; else 0 */
    _Alignas(64) int32_t pos[RASTER_PADDED_LANES]; /* y * 64 + x in the tile */
    float z[RASTER_PADDED_LANES];                  /* depth offset included */
    float *attr[FRAG_BATCH_ATTRS];                 /* of RASTER_LANES, in the shader's memory */
    struct raster_quad_derivs derivs; /* in each fragment's quad */
};

/* A surface from the tile's first pixel on. */
struct tile_surface {
    uint8_t *base;
    size_t pitch;
};

/* Stores two adjacent 32-bit pixels, each only if its bit of `covered` (0: left) is set. */
static inline void raster_store_pair(uint8_t *row, const void *pixels, unsigned covered)
{
    static const uint64_t fresh[4] = {0, 0xffffffff, UINT64_C(0xffffffff00000000), ~UINT64_C(0)};
    uint64_t stored, pair;

    memcpy(&stored, row, sizeof(stored));
    memcpy(&pair, pixels, sizeof(pair));
    stored ^= (stored ^ pair) & fresh[covered];
    memcpy(row, &stored, sizeof(stored));
}

#endif
