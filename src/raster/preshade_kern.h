/* Pixels of small triangles that have just been set up, one a lane: planes that lie side by side
 * are evaluated at them, whichever triangle each one is of. Every table gives the same bits. */
#ifndef RASTER_PRESHADE_KERN_H
#define RASTER_PRESHADE_KERN_H

#include "raster/frag_batch_kern.h"
#include "raster/pipeline.h"
#include "raster/setup_kern.h"

/* Pixels of a group's triangles, those of each in one tile and 8x8 pixels; there is room for a
 * group's behind the last. */
enum { FRAG_SPANS = (16 + 1) * SMALL_TRI_GROUP };
struct frag_spans {
    unsigned n;
    bool several_tiles;        /* not all lie in the same tile */
    uint64_t blocks;           /* of a tile that any of them may touch */
    uint64_t rows[FRAG_SPANS]; /* of 8x8; some */
    uint32_t tile[FRAG_SPANS];
    uint8_t triangle[FRAG_SPANS]; /* in its group */
    uint8_t pos[FRAG_SPANS];      /* where the 8x8 are, as in frag_list */
    uint8_t block[FRAG_SPANS];    /* of the tile that has the first of them */
    uint8_t count[FRAG_SPANS];    /* how many they are */
};

/* All blocks around the first that may have pixels of 8x8. */
static inline uint64_t raster_frag_span_blocks(unsigned block)
{
    return UINT64_C(0x303) << block;
}

/* Some pixels of 8x8 from (x, y) on, all of them in the tile that has the first. */
static inline void raster_frag_span_add(struct frag_spans *spans,
                                        const struct raster_small_tri_group *group, uint64_t rows,
                                        unsigned triangle, unsigned place, int32_t x, int32_t y)
{
    unsigned shift = group->tile_shift, within = (1u << shift) - 1, n = spans->n++;

    spans->rows[n] = rows;
    spans->tile[n] = (uint32_t)(y >> shift) * group->tiles_x + (uint32_t)(x >> shift);
    spans->triangle[n] = (uint8_t)triangle;
    spans->pos[n] = (uint8_t)place;
    spans->block[n] = (uint8_t)(((unsigned)y & within & (unsigned)-BLOCK_DIM) |
                                ((unsigned)x & within) / BLOCK_DIM);
    spans->several_tiles |= spans->tile[n] != spans->tile[0];
    spans->blocks |= raster_frag_span_blocks(spans->block[n]);
}

/* Of 8x8, bit y * 8 + x. */
static inline uint64_t raster_small_mask(const struct raster_small_tri_group *group,
                                         unsigned triangle)
{
    return group->mask[0][triangle] | (uint64_t)group->mask[1][triangle] << 32;
}

/* The pixels of a group's triangles, one after another; triangles ascend. */
enum { FRAG_LIST_PADDED = 16 * 16 * SMALL_TRI_GROUP + 64 };
struct frag_list {
    unsigned n;
    uint8_t triangle[FRAG_LIST_PADDED];
    uint8_t pos[FRAG_LIST_PADDED]; /* y * 16 + x from the triangle's left and top on */
};

struct raster_preshade_kern {
    /* Adds the pixels of some triangles that draw, each in one tile; writes what it likes into
     * the room behind them. */
    void (*add_whole)(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      uint32_t triangles);
    /* Makes a list of the pixels of parts, and counts those of each. */
    void (*list)(struct frag_list *frag_list, struct frag_spans *spans);
    /* Adds pixels of the list from the first on to lanes while there is room; returns the number
     * of the next. Places are of tiles of so many pixels along a side. */
    unsigned (*interpolate)(struct frag_batch *to, const struct raster_small_tri_group *group,
                            const struct raster_interp_plane_soa *rows,
                            const struct frag_list *frag_list, unsigned first, unsigned n_attrs,
                            int32_t tile);
    /* What depth's words hold where the lanes pass, without other bits, and their places; of all
     * RASTER_LANES. No RASTER_DEPTH_UNORM32. */
    void (*finish)(const struct raster_depth_stencil *ds, const struct frag_batch *frags,
                   uint32_t *depth, uint16_t *place);
};

KERN_DECLARE(struct raster_preshade_kern, raster_preshade_kern);

#endif
