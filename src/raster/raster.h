/* The rasteriser: vertices in clip space (or on the screen) become pixels of the bound targets.
 *
 *   raster_draw / raster_clear --clip, setup, bin--> scene --raster_flush: tile workers--> surfaces
 *
 * One thread calls; the pool's workers run inside raster_flush. Results do not depend on the number
 * of workers. Shading is a function that the caller hands in. */
#ifndef RASTER_RASTER_H
#define RASTER_RASTER_H

#include "tex/format.h"
#include "util/d3dtypes.h"
#include "util/status.h"
#include "util/threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RASTER_LANES = 64, RASTER_TARGETS = 4, RASTER_MAX_ATTRS = 64, RASTER_CLIP_PLANES = 6 };
enum { RASTER_MAX_POINT_SIZE = 256 }; /* points larger than that are drawn so */

/* What a surface's blocks hold since they were cleared, a record a tile of 64x64 pixels, row after
 * row: a clear to that value need not write them again. Zero at first. Kept from scene to scene
 * with the surface's memory, and zeroed when others than the rasteriser wrote there. */
struct raster_fast_clear {
    uint8_t value[16], mask[16]; /* of clears, repeated; value has no bits but the mask's */
    uint64_t blocks; /* of 8x8 pixels, row after row: all theirs have it, in all samples */
};
/* How many a surface of that size has. */
size_t raster_fast_clear_count(uint32_t width, uint32_t height);

/* Memory of a target; format NULL: not bound. Samples lie sample_pitch bytes apart. */
struct raster_surface {
    const struct tex_format *format;
    uint8_t *data;
    uint32_t row_pitch, sample_pitch;
    uint32_t width, height;           /* pixels; 0: those of raster_targets */
    struct raster_fast_clear *fast_clear; /* with a size of its own alone; may be NULL */
};

struct raster_targets {
    struct raster_surface colour[RASTER_TARGETS], depth;
    uint32_t width, height; /* of colour 0; of depth where no colour is bound */
    uint32_t samples;       /* 1, 2, 4 or 8 */
};

/* --- Shading ---------------------------------------------------------------------------------- */

/* 64 lanes = 16 quads; lanes 4q … 4q+3 are pixels (x,y) (x+1,y) (x,y+1) (x+1,y+1), but any pixels
 * where the state says lone. All arrays have RASTER_LANES floats, 64-byte aligned. */
struct raster_prim;

/* Of each pixel's quad, how far the attributes raster_state.deriv_attribs are from the first pixel
 * to the one at its right and to the one below; the least attribute first. */
enum { RASTER_MAX_DERIV_ATTRIBS = 8 };
struct raster_quad_derivs {
    _Alignas(64) float ddx[RASTER_MAX_DERIV_ATTRIBS][RASTER_LANES];
    float ddy[RASTER_MAX_DERIV_ATTRIBS][RASTER_LANES];
};

struct raster_shade_batch {
    unsigned worker;
    void *work;         /* state->work_bytes of the worker's own memory; attribute a has been
                           interpolated to (float *)work + state->attr[a].slot * RASTER_LANES */
    const float *x, *y; /* pixel position, integers */
    const float *z, *w; /* depth in [0,1] before bias; 1 / rhw */
    const float *face;  /* +1: front (clockwise on screen), -1: back */
    uint64_t lanes;     /* pixels and the helpers that complete their quads */
    uint64_t covered;   /* pixels that will be written */
    /* Results. A colour that is not written keeps its target untouched: leave colour[t][0] NULL. */
    const float *colour[RASTER_TARGETS][4];
    const float *depth; /* replaces z when the state says writes_depth */
    uint64_t killed;
    const void
        *outputs_valid_for; /* shade_ctx of which colour and depth still are; NULL: nobody's */
    const struct raster_prim *prim; /* the only one that pixels are of; NULL: there may be several.
                                       The work memory stays while outputs_valid_for does. */
    const struct raster_quad_derivs *derivs; /* lanes are pixels without their quads, and the
                                                     state says deriv_attribs; else NULL */
};
/* How far an attribute of such a batch may be, from pixel to pixel to the right and downwards, from
 * `step`. False: it has perspective. */
struct raster_attrib_gradient {
    double step[2], error_bound;
};
bool raster_find_attrib_gradient(const struct raster_shade_batch *batch, unsigned attr,
                                 struct raster_attrib_gradient *out);
typedef void raster_shade_fn(const void *ctx, struct raster_shade_batch *batch);
/* What shading makes of a batch with all its lanes, straight as words of four UNORM bytes a lane:
 * blue, green, red, alpha from the lowest. */
typedef void raster_shade_rgba8_fn(const void *ctx, const struct raster_shade_batch *batch,
                                   uint32_t words[RASTER_LANES]);
/* The same words over a square of pixels that are straight on: raster_state.axis_aligned_attr.
 * False: they are not to be had so. */
struct tex_axis_aligned;
typedef bool raster_shade_axis_aligned_fn(const void *ctx, const struct tex_axis_aligned *grid);

/* --- State of a draw -------------------------------------------------------------------------- */

enum raster_interp {
    RASTER_PERSPECTIVE,
    RASTER_AFFINE, /* in screen space */
    RASTER_FLAT    /* of the first vertex */
};

struct raster_attr {
    uint16_t slot;  /* where the shader wants it */
    uint8_t interp; /* enum raster_interp */
    uint8_t sprite; /* with point sprites: 0 as the vertex has it, 1 = u, 2 = v, 3 = 0, 4 = 1 */
    uint8_t wrap;   /* D3DRS_WRAPn for this component: take the short way round (reference:
                       raster/wrap) */
    bool centroid;  /* inside the covered samples, not at the pixel's centre */
};

/* Arrays of a batch that a shader reads; the others need not be there. */
enum raster_ps_input {
    RASTER_PS_INPUT_POS = 1,
    RASTER_PS_INPUT_Z = 2,
    RASTER_PS_INPUT_W = 4,
    RASTER_PS_INPUT_FACE = 8,
    RASTER_PS_INPUT_ALL = 15
};

struct raster_stencil_face {
    uint8_t func, fail, zfail, pass; /* D3DCMPFUNC, D3DSTENCILOP */
};

struct raster_blend {
    uint8_t src, dst, op; /* D3DBLEND (BOTHSRCALPHA already resolved), D3DBLENDOP */
};

enum raster_fog {
    RASTER_FOG_NONE,
    RASTER_FOG_VERTEX,
    RASTER_FOG_LINEAR,
    RASTER_FOG_EXP,
    RASTER_FOG_EXP2
};

/* Plain data, memset to 0 before filling: compared as bytes; copied by raster_draw. */
struct raster_state {
    /* Shading */
    raster_shade_fn *shade;
    const void *shade_ctx; /* lives until the scene is flushed: see raster_alloc */
    size_t work_bytes;
    uint8_t n_attrs;
    struct raster_attr attr[RASTER_MAX_ATTRS];
    uint8_t ps_inputs; /* enum raster_ps_input, bits */
    bool attribs_only; /* colours come from attributes and the facing alone: equal ones of equal
                          ones */
    bool is_cheap;     /* and take so little that nobody minds if they are not seen in the end */
    bool needs_quads;  /* pixels look at others of their quads */
    uint64_t deriv_attribs; /* but for how far these attributes differ, a bit each:
                        RASTER_MAX_DERIV_ATTRIBS at most */
    /* May be NULL. Colour 0 where the attributes `unit_attribs` are 1: a shorter way, equal but for
     * denormals and the kind of NaN; words; and words by two attributes of which one depends on
     * x and one on y alone. */
    raster_shade_fn *shade_texture_only;
    raster_shade_rgba8_fn *shade_rgba8;
    raster_shade_axis_aligned_fn *shade_axis_aligned;
    uint8_t axis_aligned_attr[2];
    uint64_t unit_attribs; /* a bit an attribute */
    /* Colour 0, all that is written, is attributes times factors, or factors where attr is -1. */
    bool is_gradient;
    struct {
        bool saturated;
        int8_t attr[4];
        float factor[4];
    } gradient;
    bool kills, writes_depth; /* what the shader may do: early tests depend on it */
    uint8_t colours;          /* what it always does: a bit for each that it writes */

    /* Setup */
    bool transformed;        /* positions are x, y, z, rhw on the screen (XYZRHW) */
    bool clipping;           /* D3DRS_CLIPPING */
    bool depth_clamp;        /* depths beyond 0 … 1 are not cut but clamped */
    uint8_t clip_plane_mask; /* planes in use; in clip space: dot(plane, position) >= 0 stays */
    float clip_plane[RASTER_CLIP_PLANES][4];
    float viewport[6];  /* X, Y, Width, Height, MinZ, MaxZ */
    int32_t scissor[4]; /* left, top, right, bottom: already cut to target (and viewport) */
    uint8_t cull;       /* D3DCULL */
    uint8_t fill;       /* D3DFILLMODE */
    bool last_pixel;
    bool point_sprite;
    float point_size_min, point_size_max;
    float depth_bias, slope_bias;
    uint32_t sample_mask;
    bool at_centre; /* all samples lie at the pixel's centre: D3DRS_MULTISAMPLEANTIALIAS off */

    /* Tests */
    bool depth_test, depth_write, stencil_test, stencil_two_sided, alpha_test, bounds_test;
    bool alpha_to_coverage;         /* of colour 0, on targets with samples */
    uint8_t depth_func, alpha_func; /* D3DCMPFUNC */
    uint8_t alpha_ref, stencil_ref, stencil_mask, stencil_write_mask;
    float bounds[2]; /* least and most of what depth the buffer holds (reference: depth/bounds) */
    struct raster_stencil_face stencil[2]; /* clockwise (front), counter-clockwise */

    /* Output */
    bool blend_enable, separate_alpha, srgb_write, dither;
    struct raster_blend blend_rgb, blend_alpha;
    float blend_factor[4];
    uint8_t write_mask[RASTER_TARGETS]; /* r = 1, g = 2, b = 4, a = 8: D3DCOLORWRITEENABLE */
    uint8_t fog;                        /* enum raster_fog */
    bool fog_w;                         /* table fog by w instead of z */
    uint8_t fog_attr; /* RASTER_FOG_VERTEX: the attribute that holds the factor; its slot may lie
                         past the shader's */
    float fog_start, fog_end, fog_density, fog_colour[3];

    uint64_t *samples_passed; /* occlusion query to add to at flush, or NULL */
};

/* Vertices, one after another, stride_floats apart. Layout of one: */
enum {
    RASTER_V_POSITION = 0, /* clip space x, y, z, w; or x, y, z, rhw */
    RASTER_V_PSIZE = 4,
    RASTER_V_ATTR = 8 /* state->n_attrs floats */
};
struct raster_vertices {
    const float *data;
    uint32_t stride_floats, count;
};

enum raster_primitive { RASTER_POINTS, RASTER_LINES, RASTER_TRIANGLES };

/* --- The rasteriser --------------------------------------------------------------------------- */

struct raster;

MUST_CHECK enum status raster_create(struct raster **out, struct pool *pool);
void raster_destroy(struct raster *raster); /* finishes the scene first; NULL is allowed */

/* How the work is done, never what comes out: for tests, and to look for a bug. All 0: the fast
 * way. */
struct raster_options {
    bool force_late_zs; /* depth and stencil wait for the shader always */
    bool no_packing;    /* a batch holds quads of one primitive in one block of 8x8 pixels only */
    uint32_t tile;   /* pixels along a tile: 8, 16, 32 or 64, which 0 is too */
    bool keep_overdrawn; /* colours are drawn even where all of a tile is drawn over later */
    bool no_fast_clear; /* clears write what stands already, too, and depth lies in its surface */
};
/* Before the first raster_set_targets. */
void raster_set_options(struct raster *raster, const struct raster_options *options);

/* Where later draws go. Flushes if the targets change. */
MUST_CHECK enum status raster_set_targets(struct raster *raster,
                                          const struct raster_targets *targets);
/* Renders everything; afterwards the targets' memory is up to date. Does nothing when nothing
 * waits. */
void raster_flush(struct raster *raster);
/* Counts flushes that rendered something: resources used by the open scene carry its serial. */
uint64_t raster_scene_serial(const struct raster *raster);
/* Memory that lives until the open scene has been flushed; 64-byte aligned. NULL: no room; flush
 * and ask again, NULL then means no memory. */
void *raster_alloc(struct raster *raster, size_t size);

/* count primitives; indices into vertices, 1, 2 or 3 each; the first of each is the provoking
 * vertex. Vertex data, indices and state may change after the call. Flushes by itself when bins are
 * full. */
MUST_CHECK enum status raster_draw(struct raster *raster, const struct raster_state *state,
                                   const struct raster_vertices *vertices,
                                   enum raster_primitive primitive, const uint32_t *indices,
                                   uint32_t count);

/* --- Draws in steps --------------------------------------------------------------------------- */

/* A draw for those who make vertices in pieces: it begins with its state, which must not change
 * before its end, and goes on with batches of vertices and of primitives that name no others. */
enum { RASTER_DRAW_BATCH_PRIMS = 8192 };
struct raster_draw_batch;

/* One that the rasteriser has, and more of them; destroyed before the rasteriser is. */
struct raster_draw_batch *raster_own_draw_batch(struct raster *raster);
MUST_CHECK enum status raster_draw_batch_create(struct raster_draw_batch **out,
                                                struct raster *raster);
void raster_draw_batch_destroy(struct raster_draw_batch *batch); /* NULL is allowed */

void raster_draw_begin(struct raster *raster, const struct raster_state *state);
void raster_draw_end(struct raster *raster);

/* Vertices, which stay until the batch is drawn. Each of them then is projected once, by any
 * thread.
 */
MUST_CHECK enum status raster_draw_batch_begin(struct raster_draw_batch *batch,
                                               const struct raster_vertices *vertices);
void raster_draw_batch_project(struct raster_draw_batch *batch, uint32_t first, uint32_t n);
/* Its primitives; as raster_draw. */
MUST_CHECK enum status raster_draw_batch_draw(struct raster_draw_batch *batch,
                                              enum raster_primitive primitive,
                                              const uint32_t *indices, uint32_t count);

/* Or several threads set up a batch each, of triangles, and put them into bins in their order:
 * whether that is for draws of `count` of them. The caller then prepares it, as often as it likes.
 */
bool raster_wants_setup_batch(const struct raster *raster, uint32_t count);
MUST_CHECK enum status raster_draw_batches_prepare(struct raster *raster);
/* By the pool's worker of that number, at most RASTER_DRAW_BATCH_PRIMS triangles, of which the
 * indices stay. */
void raster_draw_batch_set_up(struct raster_draw_batch *batch, unsigned worker,
                              const uint32_t *indices, uint32_t count);
/* By one thread at a time, batches in their order. False: what is left is for the caller to finish,
 * when all other threads are done; no batch may come before. */
bool raster_draw_batch_bin(struct raster_draw_batch *batch);
MUST_CHECK enum status raster_draw_batch_finish(struct raster_draw_batch *batch);
/* Whether what was set up is gone, as finishing another took the memory: it is set up again, once
 * all is prepared again. */
bool raster_draw_batch_lost(const struct raster_draw_batch *batch);

/* --- Clears ----------------------------------------------------------------------------------- */

struct raster_clear {
    bool colour, depth, stencil;
    float rgba[4];
    float z;
    uint8_t stencil_value;
    bool srgb_write;
};
/* Rectangles left, top, right, bottom in pixels, cut to the targets by the callee. */
MUST_CHECK enum status raster_clear(struct raster *raster, const struct raster_clear *clear,
                                    const int32_t (*rects)[4], unsigned n_rects);

#endif
