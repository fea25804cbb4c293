/* Rasteriser interface: clears the bound targets and draws primitives into them, from vertices in
 * clip or screen space.
 *
 *   raster_draw / raster_clear --clip, setup, bin--> scene --raster_flush: tile workers--> surfaces
 *
 * One thread calls, except where a comment allows others. The pool's workers run during flushes and
 * during draws of many triangles. Results do not depend on the number of workers. The caller
 * supplies shading as a function. */
#ifndef RASTER_RASTER_H
#define RASTER_RASTER_H

#include "tex/format.h"
#include "util/d3dtypes.h"
#include "util/status.h"
#include "util/threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RASTER_LANES = 64, RASTER_TARGETS = 4, RASTER_MAX_ATTRS = 64, RASTER_CLIP_PLANES = 8 };
enum { RASTER_MAX_POINT_SIZE = 256 }; /* larger points are clamped to it */

/* Fast-clear metadata of one 64x64 tile of a surface; tiles are stored row after row. A clear to
 * the recorded value skips the blocks that still hold it. The record must start as zero and lives
 * as long as the surface's memory. Any other writer of that memory must zero it. */
struct raster_fast_clear {
    uint8_t value[16], mask[16]; /* repeating pattern and its bits; value & ~mask == 0 */
    uint64_t blocks; /* 8x8 blocks, row after row, that hold the value in all pixels and samples */
};
/* Number of tile records of a surface of that size. */
size_t raster_fast_clear_count(uint32_t width, uint32_t height);

/* Memory of a target; format NULL: not bound. Sample planes lie sample_pitch bytes apart. */
struct raster_surface {
    const struct tex_format *format;
    uint8_t *data;
    uint32_t row_pitch, sample_pitch;
    uint32_t width, height;               /* pixels; 0: the size in raster_targets */
    struct raster_fast_clear *fast_clear; /* only if the surface has its own size; may be NULL */
};

struct raster_targets {
    struct raster_surface colour[RASTER_TARGETS], depth;
    uint32_t width, height; /* of colour 0; without colour targets of depth */
    uint32_t samples;       /* 1, 2, 4, 8 or 16 */
};

/* --- Shading ---------------------------------------------------------------------------------- */

struct raster_prim;
struct raster_merge_key;

/* Memory of the operations of raster_merge_emit, at the bases from RASTER_MERGE_PIXELS on. */
struct raster_merge_memory {
    uint32_t (*pixels)[RASTER_LANES]; /* the stored pixels where they are read, then the new ones */
    const struct raster_merge_uniforms *uniforms;
    const struct raster_merge_tables *tables;
    const float *fog; /* the coordinate */
};

/* Derivatives of the attributes in raster_state.deriv_attribs, in ascending order. Each lane holds
 * differences in its quad: ddx, the right neighbour minus the first pixel; ddy, the lower neighbour
 * minus the first pixel. */
enum {
    RASTER_MAX_DERIV_ATTRIBS = 8,
    RASTER_PADDED_LANES = RASTER_LANES + 16 /* vectors are stored at any lane */
};
struct raster_quad_derivs {
    _Alignas(64) float ddx[RASTER_MAX_DERIV_ATTRIBS][RASTER_PADDED_LANES];
    float ddy[RASTER_MAX_DERIV_ATTRIBS][RASTER_PADDED_LANES];
};

/* The pixels that one call of the shader processes: 64 lanes = 16 quads; lanes 4q … 4q+3 are pixels
 * (x,y) (x+1,y) (x,y+1) (x+1,y+1). If the state does not set needs_quads, lanes may be arbitrary
 * pixels. All arrays have RASTER_LANES floats and are 64-byte aligned. */
struct raster_shade_batch {
    unsigned worker;
    void *work;         /* the worker's work memory of state->work_bytes; attribute a is
                           interpolated to (float *)work + state->attr[a].slot * RASTER_LANES */
    const float *x, *y; /* pixel position, integers */
    const float *z, *w; /* depth in [0,1] before bias; 1 / rhw */
    const float *face;  /* +1: front (clockwise on screen), -1: back */
    uint64_t lanes;     /* covered pixels and helper lanes that complete their quads */
    uint64_t covered;   /* pixels that will be written */
    struct raster_merge_memory merge; /* for raster_state.shade_merged */
    /* Results. A NULL colour[t][0] leaves target t untouched. */
    const float *colour[RASTER_TARGETS][4];
    const float *depth; /* replaces z if the state sets writes_depth */
    uint64_t killed;
    const void *outputs_valid_for;  /* shade_ctx whose result pointers, colour and depth, are still
                                       set; NULL: none */
    const struct raster_prim *prim; /* the primitive of all lanes; NULL: several. The work memory
                                       keeps its contents while outputs_valid_for is set. */
    const struct raster_quad_derivs
        *derivs; /* set if lanes are not quads and the state has deriv_attribs; else NULL */
};
/* Screen-space gradient (x, y) of an attribute in a batch of one primitive. error_bound: how far
 * differences between neighbouring pixels deviate from it at most. False: the attribute has
 * perspective, or the batch has several primitives. */
struct raster_attrib_gradient {
    double step[2], error_bound;
};
bool raster_find_attrib_gradient(const struct raster_shade_batch *batch, unsigned attr,
                                 struct raster_attrib_gradient *out);
typedef void raster_shade_fn(const void *ctx, struct raster_shade_batch *batch);
/* Shades all lanes of a batch to RGBA8: one word per lane, whose UNORM bytes from the lowest are
 * blue, green, red, alpha. */
typedef void raster_shade_rgba8_fn(const void *ctx, const struct raster_shade_batch *batch,
                                   uint32_t words[RASTER_LANES]);
/* Writes the same words to a square of pixels with axis-aligned sampling
 * (raster_state.axis_aligned_attr). False: the shader does not support this square; nothing was
 * written. */
struct tex_axis_aligned;
typedef bool raster_shade_axis_aligned_fn(const void *ctx, const struct tex_axis_aligned *grid);

/* --- State of a draw -------------------------------------------------------------------------- */

enum raster_interp {
    RASTER_PERSPECTIVE,
    RASTER_AFFINE, /* in screen space */
    RASTER_FLAT    /* value of the provoking vertex */
};

struct raster_attr {
    uint16_t slot;  /* where the shader reads it */
    uint8_t interp; /* enum raster_interp */
    uint8_t sprite; /* with point sprites: 0 = the vertex's value, 1 = u, 2 = v, 3 = 0, 4 = 1 */
    uint8_t wrap;   /* D3DRS_WRAPn for this component: interpolate the short way round (reference:
                       raster/wrap) */
    bool centroid;  /* evaluated inside the covered samples, not at the pixel's centre */
};

/* Batch arrays that a shader reads; other arrays may be absent. */
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
    uint8_t src, dst, op; /* D3DBLEND (BOTHSRCALPHA already resolved), D3DBLENDOP. SRCCOLOR2 and
                             INVSRCCOLOR2 take colour 1 of the shader; 0 if it writes none. */
};

enum raster_fog {
    RASTER_FOG_NONE,
    RASTER_FOG_VERTEX,
    RASTER_FOG_LINEAR,
    RASTER_FOG_EXP,
    RASTER_FOG_EXP2
};

/* The values of a draw: they change no code, so draws that differ in them alone share the decisions
 * of a pipeline. Two make another shape by being 0: fog_density and samples_passed. */
struct raster_values {
    const void *shade_ctx;    /* lives until the scene is flushed */
    float gradient_factor[4]; /* of raster_state.gradient */

    /* Setup */
    float clip_plane[RASTER_CLIP_PLANES][4]; /* in clip space: a vertex is inside if dot(plane,
                                                position) >= 0 */
    float viewport[6];                       /* X, Y, Width, Height, MinZ, MaxZ */
    int32_t scissor[4]; /* left, top, right, bottom: already clipped to target (and viewport) */
    float point_size_min, point_size_max;
    float depth_bias, slope_bias;

    /* Tests */
    float w_range[2]; /* raster_state.w_buffer: the w of depth 0 and of depth 1 */
    uint8_t alpha_ref, stencil_ref, stencil_mask, stencil_write_mask;
    float bounds[2]; /* minimum and maximum of the stored depth (reference: depth/bounds) */

    /* Output */
    float blend_factor[4];
    float fog_start, fog_end, fog_density, fog_colour[3];
    uint64_t *samples_passed; /* occlusion counter that the flush adds to, or NULL */
};

/* The state of a draw: its shape, which selects code, and its values. Plain data: memset to 0
 * before filling, because states are compared as bytes. raster_draw copies it. */
struct raster_state {
    /* Shading */
    raster_shade_fn *shade;
    /* NULL, or shades, tests alpha and merges: its code ends with the operations of
     * raster_merge_emit for the key that raster_merge_key_init returns. It stores no colours. */
    raster_shade_fn *shade_merged;
    size_t work_bytes;
    uint8_t n_attrs;
    struct raster_attr attr[RASTER_MAX_ATTRS];
    uint8_t ps_inputs; /* bits of enum raster_ps_input */
    bool attribs_only; /* colours depend on attributes and facing alone: equal inputs give equal
                          colours */
    bool is_cheap;     /* attribs_only, and cheap enough to shade fragments that turn out hidden */
    bool needs_quads;  /* the shader reads other lanes of its quad */
    uint64_t deriv_attribs; /* bits of attributes whose derivatives the shader needs, at most
                               RASTER_MAX_DERIV_ATTRIBS; these do not require needs_quads */
    /* Optional fast paths for colour 0 where the attributes `unit_attribs` are 1; each may be NULL.
     * They equal `shade` up to denormals and NaN payloads. The second and third return RGBA8. The
     * third samples where axis_aligned_attr[0] depends on x only and axis_aligned_attr[1] on y
     * only. */
    raster_shade_fn *shade_texture_only;
    raster_shade_rgba8_fn *shade_rgba8;
    raster_shade_axis_aligned_fn *shade_axis_aligned;
    uint8_t axis_aligned_attr[2];
    uint64_t unit_attribs; /* bits of attributes */
    /* Colour 0, the only output, is attribute times factor (values.gradient_factor) per channel;
     * attr -1: factor alone. */
    bool is_gradient;
    struct {
        bool saturated;
        int8_t attr[4];
    } gradient;
    bool kills, writes_depth; /* what the shader may do; early-Z depends on it */
    uint8_t colours;          /* bits of the colours that the shader always writes */

    /* Setup */
    bool transformed;        /* positions are x, y, z, rhw on the screen (XYZRHW) */
    bool clipping;           /* the planes of clip_plane_mask cut */
    bool depth_clamp;        /* depths outside 0 … 1 are clamped instead of clipped */
    uint8_t clip_plane_mask; /* planes in use */
    uint8_t cull;            /* D3DCULL */
    uint8_t fill;            /* D3DFILLMODE */
    bool last_pixel;
    bool antialiased_lines; /* lines, which all primitives become, multiply alpha by coverage; on
                               targets of one sample */
    bool point_sprite;
    uint32_t sample_mask;
    bool at_centre; /* all samples lie at the pixel's centre: D3DRS_MULTISAMPLEANTIALIAS off */

    /* Tests */
    bool depth_test, depth_write, stencil_test, stencil_two_sided, alpha_test, bounds_test;
    bool w_buffer; /* depths are those of w instead of z (reference: depth/w-buffer); the shader's
                      depth still wins */
    bool alpha_to_coverage;                /* from colour 0, on multisampled targets */
    uint8_t depth_func, alpha_func;        /* D3DCMPFUNC */
    struct raster_stencil_face stencil[2]; /* clockwise (front), counter-clockwise */

    /* Output */
    bool blend_enable, separate_alpha, srgb_write;
    bool dither;  /* D3DRS_DITHERENABLE, for variant renderers */
    bool dithers; /* formats of few bits are dithered (reference: blend/dither) */
    struct raster_blend blend_rgb, blend_alpha;
    uint8_t write_mask[RASTER_TARGETS]; /* r = 1, g = 2, b = 4, a = 8: D3DCOLORWRITEENABLE */
    uint8_t fog;                        /* enum raster_fog */
    bool fog_w;                         /* table fog by w instead of z */
    uint8_t fog_attr; /* RASTER_FOG_VERTEX: the attribute that holds the fog factor; its slot may
                         lie past the shader's */

    struct raster_values values; /* last: what precedes it is the shape */
};

/* The shape of what the output merger does in a draw; state->colours must be set. False: there are
 * no operations for it, or nothing is written. */
bool raster_merge_key_init(struct raster_merge_key *key, const struct raster_targets *targets,
                           const struct raster_state *state);

/* Vertex data, stride_floats apart. Layout of a vertex: */
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

/* Options that change how the rasteriser works, never its results: for tests and debugging. All 0
 * selects the fast paths. */
struct raster_options {
    bool force_late_zs;  /* depth and stencil tests always run after shading */
    bool no_packing;     /* a batch holds only quads of one primitive in one 8x8 block */
    uint32_t tile;       /* pixels along a tile: 8, 16, 32 or 64; 0 means 64 */
    bool keep_overdrawn; /* executes commands even if later ones overwrite all their colours */
    bool no_fast_clear;  /* clears always write; no tile-local depth */
    bool interpret;      /* makes no machine code */
};
/* Must precede the first raster_set_targets. */
void raster_set_options(struct raster *raster, const struct raster_options *options);

/* Sets the targets of later draws. Flushes if the targets change. */
MUST_CHECK enum status raster_set_targets(struct raster *raster,
                                          const struct raster_targets *targets);
/* Renders the open scene; afterwards the targets' memory is up to date. Does nothing if the scene
 * is empty. */
void raster_flush(struct raster *raster);
/* The same, and frees the memory of primitives and bins. */
void raster_trim(struct raster *raster);
/* Counts flushes that rendered something. Resources that the open scene uses carry its serial. */
uint64_t raster_scene_serial(const struct raster *raster);

/* Draws count primitives of 1, 2 or 3 indices into vertices; the first index of each is the
 * provoking vertex. Vertex data, indices and state may change after the call. Flushes when the bins
 * are full. */
MUST_CHECK enum status raster_draw(struct raster *raster, const struct raster_state *state,
                                   const struct raster_vertices *vertices,
                                   enum raster_primitive primitive, const uint32_t *indices,
                                   uint32_t count);

/* --- Draws in steps --------------------------------------------------------------------------- */

/* A draw in batches, for callers that produce vertices in pieces. raster_draw_begin takes the
 * state, which must not change before raster_draw_end. The primitives of a batch index only its own
 * vertices. */
enum { RASTER_DRAW_BATCH_PRIMS = 8192 };
struct raster_draw_batch;

/* raster_own_draw_batch returns the batch that the rasteriser owns; raster_draw_batch_create makes
 * further ones, which must be destroyed before the rasteriser. */
struct raster_draw_batch *raster_own_draw_batch(struct raster *raster);
MUST_CHECK enum status raster_draw_batch_create(struct raster_draw_batch **out,
                                                struct raster *raster);
void raster_draw_batch_destroy(struct raster_draw_batch *batch); /* NULL is allowed */

void raster_draw_begin(struct raster *raster, const struct raster_state *state);
void raster_draw_end(struct raster *raster);

/* Begins a batch; the vertex data must stay until the batch is drawn. Before the draw,
 * raster_draw_batch_project must project each vertex once; it may run on any thread. */
MUST_CHECK enum status raster_draw_batch_begin(struct raster_draw_batch *batch,
                                               const struct raster_vertices *vertices);
void raster_draw_batch_project(struct raster_draw_batch *batch, uint32_t first, uint32_t n);
/* Draws the batch's primitives; parameters as in raster_draw. */
MUST_CHECK enum status raster_draw_batch_draw(struct raster_draw_batch *batch,
                                              enum raster_primitive primitive,
                                              const uint32_t *indices, uint32_t count);

/* Parallel setup: several threads each set up a batch of triangles, and one thread bins the batches
 * in order. raster_wants_setup_batch: whether this suits a draw of `count` triangles.
 * raster_draw_batches_prepare must precede their setup; the caller may repeat it. */
bool raster_wants_setup_batch(const struct raster *raster, uint32_t count);
MUST_CHECK enum status raster_draw_batches_prepare(struct raster *raster);
/* Sets up at most RASTER_DRAW_BATCH_PRIMS triangles on the pool's worker of that number. The
 * indices must stay until the batch is binned. */
void raster_draw_batch_set_up(struct raster_draw_batch *batch, unsigned worker,
                              const uint32_t *indices, uint32_t count);
/* Bins a batch. One thread at a time may call it, with batches in order. False: the caller must
 * call raster_draw_batch_finish after all other threads are done and before it bins a later
 * batch. */
bool raster_draw_batch_bin(struct raster_draw_batch *batch);
MUST_CHECK enum status raster_draw_batch_finish(struct raster_draw_batch *batch);
/* Whether finishing another batch freed this batch's setup. The caller then prepares and sets it up
 * again. */
bool raster_draw_batch_lost(const struct raster_draw_batch *batch);

/* --- Counts -----------------------------------------------------------------------------------

 * What draws do, for tools. */

/* Counts of samples. Each sample that a primitive covers is counted in the order of the tests, up
 * to the one that it fails. */
enum raster_count {
    RASTER_COVERED,        /* by primitives, inside scissor, targets and sample mask */
    RASTER_KILLED,         /* dropped by the shader */
    RASTER_ALPHA_FAILED,   /* dropped by the alpha test or by alpha to coverage */
    RASTER_TESTED,         /* reach a stencil, depth bounds or depth test */
    RASTER_STENCIL_FAILED, /* of those */
    RASTER_DEPTH_FAILED,   /* of those; the depth bounds test included */
    RASTER_PASSED,         /* as an occlusion query counts them */
    RASTER_COUNTS
};
struct raster_counts {
    uint64_t n[RASTER_COUNTS];
    /* The same for each pixel: arrays of width x height, row by row; NULL where none is wanted.
     * Pixels outside are not counted. */
    uint32_t *pixel[RASTER_COUNTS];
    /* The size of the last triangle that passes in the pixel, in pixels, rounded up; NULL:
     * unwanted.
     */
    uint32_t *size;
    uint32_t width, height;
};
/* Counts the samples of later draws that have values.samples_passed; NULL: counts none. Borrowed
 * until the next call; flushes. Only for one worker, and options force_late_zs and no_packing. */
void raster_set_counts(struct raster *raster, struct raster_counts *counts);

/* Counts of primitives: n = outside + culled + drawn. */
struct raster_prim_counts {
    uint64_t n;
    uint64_t outside; /* of view volume, user clip planes or scissor, or not finite */
    uint64_t culled;  /* by their facing, or without area */
    uint64_t drawn;   /* go to the rasteriser; they need not cover a sample */
    uint64_t clipped; /* of those drawn or culled: cut by a clip plane */
};
/* Adds the primitives of a projected batch; parameters as in raster_draw_batch_draw. */
void raster_draw_batch_count(struct raster_draw_batch *batch, enum raster_primitive primitive,
                             const uint32_t *indices, uint32_t count,
                             struct raster_prim_counts *out);

/* --- Clears ----------------------------------------------------------------------------------- */

struct raster_clear {
    bool colour, depth, stencil;
    float rgba[4];
    float z;
    uint8_t stencil_value;
    bool srgb_write;
};
/* Rectangles are left, top, right, bottom in pixels; raster_clear clips them to the targets. */
MUST_CHECK enum status raster_clear(struct raster *raster, const struct raster_clear *clear,
                                    const int32_t (*rects)[4], unsigned n_rects);

#endif
