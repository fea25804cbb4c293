/* Preshading kernels: list the fragments of a group of small triangles and evaluate planes for
 * them, one fragment per lane, each with its own triangle. One table per instruction set; all give
 * the same bits. */
#ifndef RASTER_SETUP_PRESHADE_KERN_H
#define RASTER_SETUP_PRESHADE_KERN_H

#include "raster/state/pipeline.h"
#include "raster/worker/batch.h"
#include "raster/setup/setup_kern.h"

/* Coverage of a group's triangles as spans: masks of 8x8 pixels in one tile. The arrays have room
 * for one more group, because vectors are stored past the end. */
enum { FRAG_SPANS = (16 + 1) * SMALL_TRI_GROUP };
struct frag_spans {
    unsigned n;
    bool several_tiles;        /* not all spans lie in the same tile */
    uint64_t blocks;           /* blocks of the tile that the spans may touch */
    uint64_t rows[FRAG_SPANS]; /* mask of 8x8 pixels, not empty */
    uint32_t tile[FRAG_SPANS];
    uint8_t triangle[FRAG_SPANS]; /* number in the group */
    uint8_t pos[FRAG_SPANS];      /* position of the 8x8 pixels, as in frag_list */
    uint8_t block[FRAG_SPANS];    /* block of the tile that has their first pixel */
    uint8_t count[FRAG_SPANS];    /* fragments in the span */
};

/* The four blocks that unaligned 8x8 pixels may touch, given the first. */
static inline uint64_t raster_frag_span_blocks(unsigned block)
{
    return UINT64_C(0x303) << block;
}

/* Adds a span: a mask of 8x8 pixels at (x, y) whose pixels lie in one tile. */
static inline void raster_frag_span_add(struct frag_spans *spans,
                                        const struct raster_small_tri_group *group, uint64_t rows,
                                        unsigned triangle, unsigned pos, int32_t x, int32_t y)
{
    unsigned shift = group->tile_shift, within = (1u << shift) - 1, n = spans->n++;

    spans->rows[n] = rows;
    spans->tile[n] = (uint32_t)(y >> shift) * group->tiles_x + (uint32_t)(x >> shift);
    spans->triangle[n] = (uint8_t)triangle;
    spans->pos[n] = (uint8_t)pos;
    spans->block[n] = (uint8_t)(((unsigned)y & within & (unsigned)-BLOCK_DIM) |
                                ((unsigned)x & within) / BLOCK_DIM);
    spans->several_tiles |= spans->tile[n] != spans->tile[0];
    spans->blocks |= raster_frag_span_blocks(spans->block[n]);
}

/* The mask of a triangle that fits 8x8 pixels, in linear order. */
static inline uint64_t raster_small_mask(const struct raster_small_tri_group *group,
                                         unsigned triangle)
{
    return group->mask[0][triangle] | (uint64_t)group->mask[1][triangle] << 32;
}

/* The fragments of a group in ascending order of triangles. */
enum { FRAG_LIST_PADDED = 16 * 16 * SMALL_TRI_GROUP + 64 };
struct frag_list {
    unsigned n;
    uint8_t triangle[FRAG_LIST_PADDED];
    uint8_t pos[FRAG_LIST_PADDED]; /* y * 16 + x from the triangle's left and top */
};

struct raster_preshade_kern {
    /* Adds the spans of the given triangles, which fit 8x8 pixels of one tile each. May write past
     * the last span. */
    void (*add_whole)(struct frag_spans *spans, const struct raster_small_tri_group *group,
                      uint32_t triangles);
    /* Lists the fragments of all spans and sets spans->count. */
    void (*list)(struct frag_list *frag_list, struct frag_spans *spans);
    /* Appends fragments of the list from `first` on to the batch while it has room; returns the
     * index of the next. `tile`: pixels along a side of a tile. */
    unsigned (*interpolate)(struct frag_batch *to, const struct raster_small_tri_group *group,
                            const struct raster_interp_plane_soa *soa,
                            const struct frag_list *frag_list, unsigned first,
                            const struct raster_attr *attr, unsigned n_attrs, int32_t tile);
    /* For all RASTER_LANES: encodes depths, shifted to their place in a word with other bits 0, and
     * extracts positions in the tile. */
    void (*finish)(const struct raster_depth_stencil *ds, const struct frag_batch *frags,
                   uint32_t *depth, uint16_t *pos);
};

KERN_DECLARE(struct raster_preshade_kern, raster_preshade_kern);

#endif
