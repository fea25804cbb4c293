/* Primitives in bins: interpolation planes, and coverage as edges, as a rectangle or as an 8x8
 * mask. */
#ifndef RASTER_PRIM_PRIM_H
#define RASTER_PRIM_PRIM_H

#include "raster/state/pipeline.h"
#include "raster/prim/plane.h"
#include "raster/scene/blocks.h"
#include "util/math.h"

#include <math.h>

/* PRIM_MASK8X8: part of a small triangle, with its coverage mask. PRIM_SPLIT_RECT: an axis-aligned
 * rectangle of constant depth, made of two triangles that keep their own planes; the primitive
 * holds the planes of the first. */
enum raster_prim_kind {
    PRIM_NONE,
    PRIM_TRIANGLE,
    PRIM_MASK8X8,
    PRIM_LINE,
    PRIM_AA_LINE,
    PRIM_RECT,
    PRIM_SPLIT_RECT,
};

struct raster_tri_edges {
    int64_t c[3]; /* in subpixels squared, including the fill rule's bias */
    int32_t a[3], b[3];
};

/* The pixel at major coordinate m has the minor coordinate ceil((offset + 256 * m * slope) / (256 *
 * length)). */
struct raster_line {
    int64_t offset;
    int32_t slope, length;
    int32_t first, last; /* major coordinates, inclusive */
    bool y_major;
};

/* An antialiased line as four half planes, in 1/65536 pixel: the value of plane i at the upper left
 * corner of pixel (x, y) is c[i] + 65536 * (a[i / 2] * x + b[i / 2] * y), with negated a and b for
 * odd i. Inside, all are positive. */
struct raster_aa_line {
    int64_t c[4];
    int32_t a[2], b[2];
};

/* The diagonal of a PRIM_SPLIT_RECT, an edge of its first half as in raster_tri_edges. */
struct raster_split_edge {
    const struct raster_prim *second;
    int64_t c;
    int32_t a, b;
};

struct raster_prim {
    const struct raster_pipeline *pipeline;
    uint8_t kind;   /* enum raster_prim_kind; PRIM_NONE: dropped, because it could not be binned */
    bool scissored; /* of a triangle: pipeline->rect cut its bounding box */
    bool affine;    /* 1/w is constant: no perspective divide (reference: raster/perspective) */
    union {
        _Alignas(16) int32_t rect[4]; /* left, top, right, bottom: bounds of its pixels */
        struct {
            int32_t x, y;     /* first pixel of the mask */
            uint32_t mask[2]; /* of 8x8 pixels, a byte per row */
        } coverage;           /* PRIM_MASK8X8 */
    };
    float anchor_x, anchor_y;
    float face, depth_offset;
    struct raster_interp_plane z;
    _Alignas(16) struct raster_attr_plane rhw; /* its `tiny` is 0 */
    uint64_t const_attribs; /* one bit per attribute */
    _Alignas(16) struct raster_attr_plane attr[];
};

/* Follows the attributes of a PRIM_TRIANGLE, PRIM_LINE, PRIM_AA_LINE or PRIM_SPLIT_RECT. */
union raster_prim_edges {
    struct raster_tri_edges edges;
    struct raster_split_edge split;
    struct raster_line line;
    struct raster_aa_line aa_line;
};

/* Size of a primitive without raster_prim_edges. */
static inline size_t raster_prim_base_bytes(const struct raster_pipeline *pipeline)
{
    return sizeof(struct raster_prim) + pipeline->s.n_attrs * sizeof(struct raster_attr_plane);
}

/* Upper bound of its size. */
static inline size_t raster_prim_bytes(const struct raster_pipeline *pipeline)
{
    return raster_prim_base_bytes(pipeline) + sizeof(union raster_prim_edges);
}

static inline union raster_prim_edges *raster_edges_of_prim(const struct raster_prim *prim)
{
    return (union raster_prim_edges *)(uintptr_t)(prim->attr + prim->pipeline->s.n_attrs);
}

/* line.c: The minor coordinate of a line's pixel at a major coordinate. */
int32_t raster_line_minor(const struct raster_line *line, int32_t major);

/* aa_line.c: Sets up the line between two points, in subpixels; rect: bounds of its pixels. False:
 * it has no length. */
bool raster_aa_line_init(struct raster_aa_line *line, int32_t rect[4], const int32_t from[2],
                         const int32_t to[2]);
/* False: the square of pixels with the upper left pixel (x, y) has none of the line's. */
bool raster_aa_line_touches(const struct raster_aa_line *line, int32_t x, int32_t y, int32_t size);
/* The part of a pixel's square that the line covers, a multiple of 1/65536. */
float raster_aa_line_coverage(const struct raster_aa_line *line, int32_t x, int32_t y);

/* The mask of a PRIM_MASK8X8, clipped to the tile. (*x, *y): offset of its 8x8 pixels in the
 * tile. */
static inline uint64_t raster_mask8x8_in_tile(const struct raster_prim *prim,
                                              const struct tile_origin *tile, unsigned *x,
                                              unsigned *y)
{
    uint64_t rows = prim->coverage.mask[0] | (uint64_t)prim->coverage.mask[1] << 32;
    int32_t left = prim->coverage.x - tile->x, top = prim->coverage.y - tile->y;

    if ((uint32_t)left > (uint32_t)tile->last || (uint32_t)top > (uint32_t)tile->last) {
        left = prim->coverage.x;
        top = prim->coverage.y;
        rows = raster_move_into_tile(tile, rows, &left, &top);
    }
    *x = (unsigned)left;
    *y = (unsigned)top;
    return rows;
}

/* Bounds of the primitive's pixels. */
static inline void raster_prim_rect(const struct raster_prim *prim, int32_t rect[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int32_t end = i < 2 ? 0 : prim->rect[i - 2] + BLOCK_DIM, most = prim->pipeline->rect[i];

        rect[i] = prim->kind != PRIM_MASK8X8 || i < 2 ? prim->rect[i] : end < most ? end : most;
    }
}

static inline bool raster_has_const_depth(const struct raster_prim *prim)
{
    return prim->z.dadx == 0.0f && prim->z.dady == 0.0f;
}

/* Whether all of these attributes are the constant 1. */
static inline bool raster_attribs_are_one(const struct raster_prim *prim, uint64_t attrs)
{
    if (attrs & ~prim->const_attribs)
        return false;
    for (; attrs; attrs &= attrs - 1)
        if (prim->attr[__builtin_ctzll(attrs)].value != 1.0f)
            return false;
    return true;
}

/* The plane of an attribute that has one value everywhere. */
static inline struct raster_attr_plane raster_const_plane(float value)
{
    return (struct raster_attr_plane){.value = value, .a0 = value};
}

static inline double raster_attr_sum_at(const struct raster_attr_plane *plane, float dx, float dy)
{
    return (plane->a0 + plane->dady * dy) + plane->dadx * dx;
}

/* An attribute's value at a distance from the anchor (reference: raster/interpolation). */
static inline float raster_attr_at(const struct raster_attr_plane *plane, float dx, float dy)
{
    float value = math_narrowf(raster_attr_sum_at(plane, dx, dy));

    return fabsf(value) < plane->tiny ? 0.0f : value;
}

/* Whether no pixel of an area can be as close to 0 as plane->tiny. (dx, dy): the distance of its
 * centre from the anchor. Pixels lie at least half a pixel inside its edges; that part of the
 * margin is larger than all rounding errors. */
static inline bool raster_is_far_from_zero(const struct raster_attr_plane *plane, double dx,
                                           double dy, double width, double height)
{
    double centre = plane->a0 + plane->dady * dy + plane->dadx * dx;
    double range = fabs(plane->dadx) * (0.5 * width) + fabs(plane->dady) * (0.5 * height);

    return fabs(centre) > range + 2.0 * (double)plane->tiny;
}

/* w at a distance from the anchor. */
static inline double raster_w_at(const struct raster_prim *prim, float dx, float dy)
{
    return 1.0 / raster_attr_sum_at(&prim->rhw, dx, dy);
}

/* The value of an attribute whose plane is over w (reference: raster/perspective). */
static inline float raster_attr_over_w_at(const struct raster_attr_plane *plane, double w, float dx,
                                          float dy)
{
    double sum = raster_attr_sum_at(plane, dx, dy);

    return fabsf(math_narrowf(sum)) < plane->tiny ? 0.0f : math_narrowf(sum * w);
}

/* The depth at a distance from the anchor (reference: depth/interpolation). */
static inline float raster_interp_at(const struct raster_interp_plane *plane, float dx, float dy)
{
    return plane->a0 + (math_mulf(plane->dadx, dx) + math_mulf(plane->dady, dy));
}

#endif
