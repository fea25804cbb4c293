/* Pixels of small primitives that nobody looks at beside their neighbours, one a lane: no lane is
 * spent on what completes a quad. A primitive's planes are evaluated at its pixels when it is
 * taken, without a look at which lane is of which primitive later. Every table gives the same bits.
 */
#ifndef RASTER_FRAG_BATCH_KERN_H
#define RASTER_FRAG_BATCH_KERN_H

#include "raster/depth_kern.h"
#include "raster/quad_queue_kern.h"

enum {
    PIXEL_ATTRS = 32,
    PIXEL_ROOM = RASTER_LANES + 16,  /* vectors are stored from any lane on */
    PIXEL_LINEAR = (int)(1u << 31u), /* of a place: the primitive has no perspective */
};

/* At most RASTER_LANES of one plan, each once; those from `tested` on wait for their depth test. */
struct raster_pixels {
    unsigned n, tested;
    uint32_t ones; /* raster_state.ones while they are 1 all over and have no lanes, else 0 */
    _Alignas(64) int32_t place[PIXEL_ROOM]; /* y * 64 + x in the tile */
    int32_t constant[PIXEL_ROOM];           /* attributes of one value, a bit each */
    float z[PIXEL_ROOM];                    /* with the primitive's offset */
    float rhw[PIXEL_ROOM];                  /* where there is perspective */
    float attr[PIXEL_ATTRS][PIXEL_ROOM];    /* as their planes have them: over w */
    /* The same at three pixels of each one's quad: the first, to the right of that, and below. */
    struct raster_quad_values {
        float at[3][PIXEL_ROOM];
    } quad_rhw, quad_attr[RASTER_DIFFERENCES]; /* of raster_state.differ */
};

/* A surface from a tile's first pixel on. */
struct raster_pixel_surface {
    uint8_t *base;
    size_t pitch;
};

struct raster_pixel_kern {
    /* As those of raster_wait_kern: `used` is the mask of the tile's pixels that wait. They stop
     * where there is no room for all pixels of a primitive. */
    size_t (*take)(struct raster_pixels *pixels, uint64_t used[WAIT_ROWS],
                   const struct raster_tile_place *tile, const struct raster_plan *plan,
                   const struct bin_chunk *chunk, size_t i);
    bool (*put)(struct raster_pixels *pixels, uint64_t used[WAIT_ROWS],
                const struct raster_tile_place *tile, const struct raster_prim *prim, unsigned x,
                unsigned y, uint64_t rows);
    /* Tests those that wait for it, where depth lies in words of 32 bits, and if wanted writes as
     * ds says; `wanted`, from bit 0 on, leaves out others, and what is returned are those that
     * pass. No RASTER_DEPTH_UNORM32. */
    uint64_t (*test_depth)(const struct raster_depth_stencil *ds,
                           const struct raster_pixels *pixels,
                           const struct raster_pixel_surface *surface, uint64_t wanted, bool write);
    /* Leaves those that passed of those that waited for their test. */
    void (*keep)(struct raster_pixels *pixels, const struct raster_state *state, uint64_t passed);
    /* Attribute a goes to work + attr[a].slot * RASTER_LANES; any lanes past the last may be
     * written. Those in `unread`, a bit each, stay away, as `ones` must. */
    void (*finish)(const struct raster_pixels *pixels, const struct raster_state *state,
                   uint64_t unread, float *work);
    /* Differences of the attributes state->differ, as quads would have them. */
    void (*find_differences)(const struct raster_pixels *pixels, const struct raster_state *state,
                             struct raster_differences *out);
    /* Words of 32 bits, a lane each, to their places. */
    void (*store_words)(const struct raster_pixels *pixels,
                        const struct raster_pixel_surface *surface, const uint32_t *words);
};

KERN_DECLARE(struct raster_pixel_kern, raster_pixel_kern);

#endif
