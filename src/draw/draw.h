/* Front end of the renderer: translates Direct3D 9 state to pipelines, and runs draws through the
 * vertex stage into the rasteriser.
 *
 * The command executor owns one draw_state and one struct draw. It writes the state and calls
 * draw_primitives. Draws collect in the open scene; a flush renders the scene and ends it. This
 * folder does not know COM, handles or packets. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "ff/ff.h"
#include "tess/tess.h"
#include "tex/tex.h"
#include "util/d3dtypes.h"
#include "util/status.h"
#include "vm/vm.h"

enum {
    DRAW_TESSELLATED = 1 << 30, /* bit of the ids of declarations of tessellated vertices */
    DRAW_STREAMS = 16,
    DRAW_CLIP_PLANES = 8,
    DRAW_TARGETS = 4,
    DRAW_SAMPLERS = 21,     /* 0-15 pixel, 16 displacement map, 17-20 vertex */
    DRAW_NPATCH_LEVEL = 64, /* D3DCAPS9.MaxNpatchTessellationLevel */
    DRAW_DISPLACEMENT_SAMPLER = 16,
    DRAW_VERTEX_SAMPLER = 17,
    DRAW_SAMPLER_STATES = 14,
    DRAW_VS_FLOATS = 8192,
    DRAW_PS_FLOATS = 8192,
    DRAW_INTS = 2048,
    DRAW_BOOLS = 2048
};

struct draw_texture {
    struct tex_image *image; /* NULL: none bound */
    uint32_t lod;            /* IDirect3DBaseTexture9::SetLOD */
};

struct draw_indices {
    const uint8_t *data;
    size_t size;
    uint32_t bytes; /* size of one index: 2 or 4 */
};

struct draw_stream {
    const uint8_t *data;                /* NULL: none bound */
    size_t size;                        /* bytes at data */
    uint32_t offset, stride, frequency; /* frequency: as for SetStreamSourceFreq; default 1 */
};

struct draw_target {
    struct tex_image *image; /* NULL: none bound */
    uint32_t face, level;    /* face: the slice if the image is a volume */
};

/* Vertex declaration: at most MAXD3DDECLLENGTH elements, without the end marker. Elements 0 ... n -
 * 1 have data. n_generated elements follow, which only a tessellator provides. Declarations with
 * different elements have different ids, below DRAW_TESSELLATED. */
struct draw_decl {
    uint32_t id, n, n_generated;
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH];
};

struct draw_shader_constants {
    float f[DRAW_VS_FLOATS][4];
    int32_t i[DRAW_INTS][4];
    int32_t b[DRAW_BOOLS];
};

/* D3DRS_DITHERENABLE of a device that offers dithering, where it is on. On other devices TRUE has
 * no effect. */
enum { DRAW_DITHERS = 2 };

/* Factors of dual-source blending. */
static inline bool draw_is_second_colour(DWORD factor)
{
    return factor == D3DBLEND_SRCCOLOR2 || factor == D3DBLEND_INVSRCCOLOR2;
}

/* All state that a draw depends on. The renderer borrows it for the call only. */
struct draw_state {
    DWORD render[FF_RENDER_STATES];
    DWORD stage[FF_STAGES][FF_STAGE_STATES];
    DWORD sampler[DRAW_SAMPLERS][DRAW_SAMPLER_STATES];
    struct draw_texture texture[DRAW_SAMPLERS];
    D3DMATRIX world[256], view, projection, texture_matrix[FF_STAGES];
    uint32_t n_world; /* world matrices from this index on are identities */
    D3DMATERIAL9 material;
    D3DLIGHT9 light[FF_LIGHTS]; /* enabled lights only */
    uint32_t n_lights;
    float clip_plane[DRAW_CLIP_PLANES][4];
    D3DVIEWPORT9 viewport;
    RECT scissor;
    struct draw_stream stream[DRAW_STREAMS];
    struct draw_indices indices;
    const struct draw_decl *decl;
    const struct vm_program *vs, *ps; /* NULL: fixed function */
    struct draw_target target[DRAW_TARGETS], depth;
    uint64_t *occlusion;         /* counter of samples that pass the tests; NULL: none */
    D3DCLIPSTATUS9 *clip_status; /* of software vertex processing; NULL: not recorded */
    bool alpha_to_mask;     /* alpha to coverage: D3DRS_POINTSIZE was last set to A2M1, not A2M0 */
    bool software_vertices; /* software vertex processing */
    bool tessellator; /* the device offers N-patches, displacement maps, adaptive tessellation */
    float npatch;     /* SetNPatchMode */
    /* Textures as vertex streams (reference: vertices/stream-textures). The caller binds their
     * texels in `stream`. */
    bool textures_as_streams;
    uint8_t stream_sampler[DRAW_STREAMS]; /* whose texture replaces the stream; 0: none */
    uint32_t palette[256];
    struct draw_shader_constants vs_constants, ps_constants;
};

/* Sets the defaults of Direct3D, with empty viewport and scissor. The caller passes a state filled
 * with zeros: it is large, and this function leaves most pages untouched. */
void draw_state_init(struct draw_state *state);

struct draw;
struct pool;

struct draw_options {
    unsigned threads; /* as for pool_create */
    bool ieee;        /* application shaders multiply by IEEE 754 (reference: numbers/zero-rule) */
    bool no_aa_lines; /* D3DRS_ANTIALIASEDLINEENABLE has no effect */
    bool force_late_zs, no_packing, keep_overdrawn,
        no_fast_clear; /* as in struct raster_options; they change no pixel */
    bool interpret;    /* interprets shaders instead of using the JIT; changes no pixel */
    bool eager;        /* compiles the output merger into shaders at the first draw; no pixel */
    unsigned tile;     /* pixels along a tile; 0: 64 */
    /* 0: anisotropic filters as the state says; 1: linear instead; else the maximum of all samplers
     * with linear filter and mip levels. */
    unsigned anisotropy;
};
MUST_CHECK enum status draw_create(struct draw **out, const struct draw_options *options);
void draw_destroy(struct draw *draw); /* NULL is allowed */

struct draw_args {
    D3DPRIMITIVETYPE type;
    uint32_t primitives;
    bool indexed;
    int32_t base_vertex; /* StartVertex, or BaseVertexIndex when indexed */
    uint32_t start_index;
    uint32_t min_index, vertices; /* indexed: the range of vertices that indices may name */
    /* Restricts the draw to primitives `first` … primitives - 1 and, if instances is not 0, to
     * `instances` instances from `instance` on. */
    uint32_t first;
    uint32_t instance, instances;
};
/* ST_OK also if the draw produces no pixels (nothing bound, culled, out of range). Streams, indices
 * and declaration of the state may be others during the call: the mesh of N-patches. */
MUST_CHECK enum status draw_primitives(struct draw *draw, struct draw_state *state,
                                       const struct draw_args *args);

/* Limits the control points of a patch. */
enum { DRAW_PATCH_POINTS = 1 << 20, DRAW_PATCH_ELEMENT = 16 };

/* A patch. Its control points are vertices of the state's streams: those of a row follow one
 * another, and the first of a row is `stride` after that of the row before. Or they are at
 * `points`, row by row: DRAW_PATCH_ELEMENT bytes for each element of `decl` with data, which begin
 * with the element in its type. */
struct draw_patch {
    struct tess_patch patch; /* edge_style is that of the state */
    uint32_t start, stride;  /* vertices */
    const uint8_t *points;   /* NULL: in the streams */
    size_t size;             /* bytes at points */
    const struct draw_decl *decl;
};
/* Draws the mesh of the patch as an indexed list of triangles. Streams, indices and declaration of
 * the state are others during the call. ST_INVALID: an invalid patch, or points are missing. */
MUST_CHECK enum status draw_patch(struct draw *draw, struct draw_state *state,
                                  const struct draw_patch *patch);

struct draw_clear {
    DWORD flags; /* D3DCLEAR_* */
    D3DCOLOR colour;
    float z;
    DWORD stencil;
    const D3DRECT *rects; /* NULL: the viewport */
    uint32_t n_rects;
};
MUST_CHECK enum status draw_clear(struct draw *draw, const struct draw_state *state,
                                  const struct draw_clear *clear);
/* Resets a whole depth surface to depth 1 and stencil 0, independent of the state. If the open
 * scene draws to the surface, the reset becomes part of that scene, which then need not store its
 * depth. */
MUST_CHECK enum status draw_reset_depth(struct draw *draw, struct tex_image *image);

/* ProcessVertices: runs `count` vertices from `start` on through the vertex stage and writes them
 * to `dst` in the layout of `decl`. */
struct draw_process {
    uint32_t start, count;
    uint8_t *dst;    /* the first vertex to write */
    size_t dst_size; /* bytes from dst on */
    uint32_t dst_stride;
    const struct draw_decl *decl;
    DWORD flags; /* D3DPV_* */
};
MUST_CHECK enum status draw_process_vertices(struct draw *draw, const struct draw_state *state,
                                             const struct draw_process *process);

/* Samples textures for shader instructions. ctx: const struct tex_sampler *, an array indexed by
 * sampler number. */
vm_sample_fn draw_sample;

struct raster_prim_counts;

/* --- Debug hooks ------------------------------------------------------------------------------
 *
 * The inspector follows draws through these hooks. Without hooks they cost one comparison for each
 * draw. */

/* A batch of lanes before a shader runs on it. */
struct draw_shader_batch {
    const struct vm_program *program;
    uint64_t lanes;
    uint64_t covered;      /* of these: vertices, or covered pixels; the others help their quads */
    int lane;              /* the lane of the followed pixel; -1: the lanes are vertices */
    const float *x, *y;    /* pixels: the position of each covered lane */
    const uint32_t *index; /* vertices: the index of each lane; NULL: 0, 1, 2 … */
    int64_t first;         /* vertices: added to each index */
    uint32_t instance;
    const float *inputs;  /* slot s of lane n at s * VM_LANES + n; the shader overwrites them */
    const float *outputs; /* for `vertices`: slots of vm_info.output in the same way; else NULL */
};

struct draw_debug_hooks {
    void *ctx;
    /* Called before every draw, except draws that the hook makes itself. The hook may draw to the
     * targets if it restores them before it returns. May be NULL. */
    void (*draw)(void *ctx, struct draw *draw, const struct draw_state *state,
                 const struct draw_args *args);
    /* While set, vertex shaders and the pixel shader of pixel (x, y) run in single steps: `before`
     * is called before each batch and `step` after each instruction. After the pixel shader,
     * `after` gets the colour of the pixel for each target, or NULL if the shader writes none. */
    bool shaders;
    bool all_pixels; /* follows every batch of pixels; its first covered one is `lane` */
    float x, y;
    void (*before)(void *ctx, const struct draw_shader_batch *shading);
    vm_step_fn *step;
    void (*after)(void *ctx, const float *const colour[DRAW_TARGETS]);
    /* Called in a followed batch after each texture lookup, before the `step` of its instruction.
     * May be NULL. */
    void (*sampled)(void *ctx, const struct sample *sample);
    /* Called after a batch of vertices. Row c of `position` holds component c of all lanes; a NULL
     * row means 0. May be NULL. */
    void (*vertices)(void *ctx, const struct draw_shader_batch *shading,
                     const float *const position[4]);
    /* Called with `shaders` before a batch of primitives is drawn: the number of vertices that they
     * name, and the outcome of setup (src/raster/raster.h). May be NULL. */
    void (*primitives)(void *ctx, uint32_t references, const struct raster_prim_counts *counts);
};
/* Borrowed until the next call; NULL: none. Only for a renderer with one thread. */
void draw_set_debug_hooks(struct draw *draw, struct draw_debug_hooks *hooks);

/* --- Counts of a draw -------------------------------------------------------------------------

 * A counter draws on copies of the targets, one pixel after the other and without shortcuts, with
 * renderers of its own. So it changes no pixel, and counts do not depend on the host. */

/* Samples, as enum raster_count of src/raster/raster.h. */
enum draw_samples {
    DRAW_COVERED,
    DRAW_KILLED,
    DRAW_ALPHA_FAILED,
    DRAW_TESTED,
    DRAW_STENCIL_FAILED,
    DRAW_DEPTH_FAILED,
    DRAW_PASSED,
    DRAW_SAMPLE_COUNTS
};
struct draw_shader_counts {
    const struct vm_program *program;
    uint64_t invocations;  /* vertices or pixels; no helper lanes */
    uint64_t instructions; /* executed */
    uint64_t lookups;      /* of textures: executed texture instructions */
    uint64_t *executed;    /* of each instruction; the counter owns it */
    uint32_t n_executed, max_executed;
};
struct draw_counts {
    uint64_t references; /* vertices that the primitives name */
    /* Primitives, as struct raster_prim_counts: n = outside + culled + drawn. */
    uint64_t primitives, outside, culled, drawn, clipped;
    uint64_t samples[DRAW_SAMPLE_COUNTS];
    uint64_t written[DRAW_TARGETS + 1]; /* samples that passed where the draw writes a colour; in
                                           the last, depth or stencil */
    struct draw_shader_counts vertex, pixel;
};
/* What draw_count adds to for each pixel of the target: arrays of width x height, row by row; NULL
 * where none is wanted. */
struct draw_pixel_counts {
    uint32_t width, height;
    uint32_t *samples[DRAW_SAMPLE_COUNTS];
    uint32_t *shaded;       /* invocations of the pixel shader */
    uint32_t *helpers;      /* helper lanes beside them, in the same quads */
    uint32_t *instructions; /* that they execute, without those of helper lanes */
    uint32_t *size;         /* no count: the last triangle that passes, in pixels, rounded up */
};

struct draw_counter;
MUST_CHECK enum status draw_counter_create(struct draw_counter **out);
void draw_counter_destroy(struct draw_counter *counter); /* NULL is allowed */
/* Counts the draw, for hooks->draw, whose renderer is `draw`. pixels may be NULL. The programs in
 * *out live until the next call. */
MUST_CHECK enum status draw_count(struct draw_counter *counter, struct draw *draw,
                                  const struct draw_state *state, const struct draw_args *args,
                                  const struct draw_pixel_counts *pixels, struct draw_counts *out);

/* The vertex and pixel programs that a draw with this state runs: shaders, or generated programs of
 * the fixed function. Borrowed until the next draw. */
MUST_CHECK enum status draw_programs(struct draw *draw, const struct draw_state *state,
                                     D3DPRIMITIVETYPE type, const struct vm_program **vertex,
                                     const struct vm_program **pixel);

/* Counters since draw_create, to show how well pipelines and programs are reused. */
struct draw_statistics {
    uint64_t draws;
    uint64_t pipelines_built,
        pipelines_dropped; /* pipeline: programs lowered and linked for a combination of states */
    uint64_t vertex_programs_built, pixel_programs_built; /* of the fixed function */
    uint64_t merged_built; /* pixel programs that end with the output merger */
};
void draw_get_statistics(const struct draw *draw, struct draw_statistics *out);

/* Number of threads that render, including the calling thread. */
unsigned draw_threads(const struct draw *draw);
/* Changes options for the draws that follow: threads up to those of draw_create (0: all of them),
 * and anisotropy as in struct draw_options. */
void draw_change(struct draw *draw, unsigned threads, unsigned anisotropy);
/* Serial number of the scene; increases when a flush ends it. *open: the scene contains work. */
uint64_t draw_scene(const struct draw *draw, bool *open);
/* Renders the open scene and ends it. */
void draw_flush(struct draw *draw);
/* The same, and frees memory that only the next scenes will need. */
void draw_trim(struct draw *draw);
/* Flushes if the open scene uses the image, so that the caller may access or free its memory. */
void draw_sync(struct draw *draw, struct tex_image *image);
/* Takes ownership of the reference in *slot. Drops it at once, or at the next flush if the open
 * scene uses the image. */
void draw_release(struct draw *draw, struct tex_image **slot);

#endif
