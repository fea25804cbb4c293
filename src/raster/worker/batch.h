/* Batches of 64 lanes, which the shader, late tests and the output merger process. */
#ifndef RASTER_WORKER_BATCH_H
#define RASTER_WORKER_BATCH_H

#include "raster/scene/blocks.h"

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

/* Where centroid attributes are evaluated: 1 + the sample, or 0 for the centre. Mask b has bit b of
 * that number for each pixel. Only the last of 16 samples has the highest bit, and no other. */
enum { CENTROID_BITS = 5, CENTROID_LOW_BITS = 4 };
struct centroid_samples {
    uint64_t bit[CENTROID_BITS];
};

static inline uint64_t raster_off_centre(const struct centroid_samples *samples)
{
    return samples->bit[0] | samples->bit[1] | samples->bit[2] | samples->bit[3] | samples->bit[4];
}

enum { IN_FLIGHT_ROWS = 64 }; /* of a tile */

/* Hazard mask: the pixels of the tile that are in the batch, or were and failed a test. It is empty
 * if the batch is. */
struct in_flight {
    _Alignas(64) uint64_t rows[IN_FLIGHT_ROWS];
    uint64_t history[IN_FLIGHT_ROWS]; /* pixels retired since the history was taken */
    bool any_history;                 /* `history` is not empty */
};

/* Which pixels the lanes of a batch are. */
enum frag_layout {
    FRAG_QUADS,  /* up to 16 quads, each of its own primitive; quad q is lanes 4q to 4q + 3 */
    FRAG_SINGLE, /* up to 64 fragments without helper lanes, each of its own primitive */
    FRAG_BLOCK   /* the 16 quads of an 8x8 block of one primitive, row after row */
};

enum { FRAG_BATCH_ATTRS = 32 }; /* of FRAG_SINGLE: bits of unit_attribs */

/* A batch of one pipeline; a pixel is in it at most once. Lanes are filled from 0 on. Attribute a
 * of the pipeline is at work + attr[a].slot * RASTER_LANES, where the shader reads it. */
struct frag_batch {
    enum frag_layout layout;
    /* Inputs; only those that the pipeline needs are filled. */
    _Alignas(64) float x[RASTER_LANES];
    float y[RASTER_LANES];
    float z[RASTER_PADDED_LANES]; /* FRAG_SINGLE: depth offset included */
    float w[RASTER_LANES], face[RASTER_LANES];
    float *work;               /* the shader's memory */
    struct raster_lanes lanes; /* where the pipeline's inputs go, of the above */
    bool merged;               /* the shader merges: raster_state.shade_merged */
    bool ones;                 /* the attributes raster_state.unit_attribs are 1 in all lanes */
    struct raster_shade_batch shade; /* the batch as the shader sees it, and its results */

    unsigned n, tested; /* lanes in use; those from `tested` on await their depth test. Not of
                           FRAG_BLOCK */

    /* FRAG_QUADS, and FRAG_BLOCK with centroids. The arrays have room for 16 quads past any. */
    int32_t quad_x[2 * QUADS], quad_y[2 * QUADS]; /* upper left pixel */
    const struct raster_prim *quad_prim[2 * QUADS];
    uint8_t quad_pixels[2 * QUADS];   /* of each quad, a bit per lane */
    struct raster_quads quads;        /* all of them, while they are shaded */
    uint64_t cover[MAX_SAMPLES];      /* covered lanes, one mask per sample */
    struct centroid_samples centroid; /* pipeline->centroid: of all lanes */

    /* FRAG_SINGLE. A fragment's attributes are interpolated when it is added, so its primitive is
     * not kept. */
    uint32_t unit_attribs; /* raster_state.unit_attribs while all fragments have 1 there, so that
                              `attr` does not hold them; else 0 */
    _Alignas(64) int32_t pos[RASTER_PADDED_LANES]; /* y * 64 + x in the tile */
    float *attr[FRAG_BATCH_ATTRS];                 /* the attributes in `work` */
    struct raster_quad_derivs derivs;              /* in each fragment's quad */

    /* FRAG_BLOCK */
    const struct raster_prim *prim; /* its constant attributes are in `work`; NULL: none */
    int32_t block_x, block_y;       /* first pixel */
    unsigned blocks;                /* of the primitive in the tile so far */
    uint64_t near_zero;             /* as raster_interp_kern.block, of all its blocks in the tile */
};

/* The quads of a batch from lane `lane` on. */
static inline struct raster_quads raster_quads_from(const struct frag_batch *batch, unsigned lane)
{
    unsigned first = lane / 4;

    return (struct raster_quads){.x = batch->quad_x + first,
                                 .y = batch->quad_y + first,
                                 .prim = batch->quad_prim + first,
                                 .n = batch->n / 4 - first};
}

/* A surface from the tile's first pixel on. */
struct tile_surface {
    uint8_t *base;
    size_t pitch;
};

#endif
