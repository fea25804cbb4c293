/* Pixels of small primitives that nobody looks at beside their neighbours, one a lane: no lane is
 * spent on what completes a quad. A primitive's planes are evaluated at its pixels when it is
 * taken, without a look at which lane is of which primitive later. Every table gives the same bits.
 */
#ifndef RASTER_FRAG_BATCH_KERN_H
#define RASTER_FRAG_BATCH_KERN_H

#include "raster/depth_kern.h"
#include "raster/quad_queue_kern.h"

enum {
    FRAG_BATCH_ATTRS = 32,
    FRAG_BATCH_PADDED = RASTER_LANES + 16, /* vectors are stored from any lane on */
    FRAG_AFFINE = (int)(1u << 31u),        /* of a place: the primitive has no perspective */
};

/* At most RASTER_LANES of one pipeline, each once; those from `tested` on wait for their depth
 * test. */
struct frag_batch {
    unsigned n, tested;
    uint32_t unit_attribs; /* raster_state.unit_attribs while they are 1 all over and have no lanes,
                              else 0 */
    _Alignas(64) int32_t pos[FRAG_BATCH_PADDED];     /* y * 64 + x in the tile */
    int32_t const_attribs[FRAG_BATCH_PADDED];        /* attributes of one value, a bit each */
    float z[FRAG_BATCH_PADDED];                      /* with the primitive's offset */
    float rhw[FRAG_BATCH_PADDED];                    /* where there is perspective */
    float attr[FRAG_BATCH_ATTRS][FRAG_BATCH_PADDED]; /* as their planes have them: over w */
    /* The same at three pixels of each one's quad: the first, to the right of that, and below. */
    struct raster_quad_values {
        float at[3][FRAG_BATCH_PADDED];
    } quad_rhw, quad_attr[RASTER_MAX_DERIV_ATTRIBS]; /* of raster_state.deriv_attribs */
};

/* A surface from a tile's first pixel on. */
struct tile_surface {
    uint8_t *base;
    size_t pitch;
};

struct raster_frag_batch_kern {
    /* As those of raster_quad_queue_kern: `in_flight` is the mask of the tile's pixels that wait.
     * They stop where there is no room for all pixels of a primitive. */
    size_t (*take)(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                   const struct tile_origin *tile, const struct raster_pipeline *pipeline,
                   const struct bin_block *cmds, size_t i);
    bool (*put)(struct frag_batch *frags, uint64_t in_flight[IN_FLIGHT_ROWS],
                const struct tile_origin *tile, const struct raster_prim *prim, unsigned x,
                unsigned y, uint64_t rows);
    /* Tests those that wait for it, where depth lies in words of 32 bits, and if wanted writes as
     * ds says; `wanted`, from bit 0 on, leaves out others, and what is returned are those that
     * pass. No RASTER_DEPTH_UNORM32. */
    uint64_t (*test_depth)(const struct raster_depth_stencil *ds, const struct frag_batch *frags,
                           const struct tile_surface *surface, uint64_t wanted, bool write);
    /* Leaves those that passed of those that waited for their test. */
    void (*keep)(struct frag_batch *frags, const struct raster_state *state, uint64_t passed);
    /* Attribute a goes to work + attr[a].slot * RASTER_LANES; any lanes past the last may be
     * written. Those in `skip_attribs`, a bit each, stay away, as `unit_attribs` must. */
    void (*finish)(const struct frag_batch *frags, const struct raster_state *state,
                   uint64_t skip_attribs, float *work);
    /* Differences of the attributes state->deriv_attribs, as quads would have them. */
    void (*find_derivs)(const struct frag_batch *frags, const struct raster_state *state,
                        struct raster_quad_derivs *out);
    /* Words of 32 bits, a lane each, to their places. */
    void (*store_words)(const struct frag_batch *frags, const struct tile_surface *surface,
                        const uint32_t *words);
};

KERN_DECLARE(struct raster_frag_batch_kern, raster_frag_batch_kern);

#endif
