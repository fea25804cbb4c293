/* The join: Direct3D state becomes a pipeline of programs and stages, and draws run through it.
 *
 * The command executor owns one draw_state and one struct draw; it writes the state as packets say
 * and calls draw_primitives. Nothing here knows COM, handles or packets. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "ff/ff.h"
#include "tex/tex.h"
#include "util/d3dtypes.h"
#include "util/status.h"
#include "vm/vm.h"

enum {
    DRAW_STREAMS = 16,
    DRAW_TARGETS = 4,
    DRAW_SAMPLERS = 21, /* 0-15 pixel, 16 displacement map (unused), 17-20 vertex */
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
    uint32_t bytes; /* of one index: 2 or 4 */
};

struct draw_stream {
    const uint8_t *data;                /* NULL: none bound */
    size_t size;                        /* bytes at data */
    uint32_t offset, stride, frequency; /* frequency as SetStreamSourceFreq has it; 1 by default */
};

struct draw_target {
    struct tex_image *image; /* NULL: none bound */
    uint32_t face, level;    /* of a volume: slice in `face` */
};

/* Elements without the end marker, at most MAXD3DDECLLENGTH; id distinguishes contents. */
struct draw_decl {
    uint32_t id, n;
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH];
};

struct draw_shader_constants {
    float f[DRAW_VS_FLOATS][4];
    int32_t i[DRAW_INTS][4];
    int32_t b[DRAW_BOOLS];
};

/* All that a draw depends on; everything is borrowed by the renderer for the call only. */
struct draw_state {
    DWORD render[FF_RENDER_STATES];
    DWORD stage[FF_STAGES][FF_STAGE_STATES];
    DWORD sampler[DRAW_SAMPLERS][DRAW_SAMPLER_STATES];
    struct draw_texture texture[DRAW_SAMPLERS];
    D3DMATRIX world[256], view, projection, texture_matrix[FF_STAGES];
    uint32_t n_world; /* world matrices that have been set: those from here on are identities */
    D3DMATERIAL9 material;
    D3DLIGHT9 light[FF_LIGHTS]; /* the enabled ones */
    uint32_t n_lights;
    float clip_plane[6][4];
    D3DVIEWPORT9 viewport;
    RECT scissor;
    struct draw_stream stream[DRAW_STREAMS];
    struct draw_indices indices;
    const struct draw_decl *decl;
    const struct vm_program *vs, *ps; /* NULL: fixed function */
    struct draw_target target[DRAW_TARGETS], depth;
    uint64_t *occlusion;         /* counts samples that pass, or NULL */
    D3DCLIPSTATUS9 *clip_status; /* of vertices that software processes, or NULL */
    bool alpha_to_mask;          /* D3DRS_POINTSIZE was set to A2M1, and not to A2M0 since */
    bool software_vertices;      /* vertices are processed in software */
    uint32_t palette[256];
    struct draw_shader_constants vs_constants, ps_constants;
};

/* Direct3D's defaults (viewport and scissor empty), in a state of zeros: it is large, and most of it
 * is never touched. */
void draw_state_init(struct draw_state *state);

struct draw;
struct pool;

struct draw_options {
    unsigned threads; /* as pool_create */
    bool ieee; /* shaders of the program run without the zero rule (reference: numbers/zero-rule) */
    bool force_late_zs, no_packing, keep_overdrawn,
        no_fast_clear; /* as struct raster_options, no pixel depends on them */
    bool interpret; /* shaders run without machine code; no pixel depends on it */
    unsigned tile;
};
MUST_CHECK enum status draw_create(struct draw **out, const struct draw_options *options);
void draw_destroy(struct draw *draw); /* NULL is allowed */

struct draw_args {
    D3DPRIMITIVETYPE type;
    uint32_t primitives;
    bool indexed;
    int32_t base_vertex; /* StartVertex, or BaseVertexIndex when indexed */
    uint32_t start_index;
    uint32_t min_index, vertices; /* indexed: the range that may be named */
    /* A part of the draw: without its first primitives; and, where instances is not 0, only so many
     * instances from one on. */
    uint32_t first;
    uint32_t instance, instances;
};
/* ST_OK also where nothing is drawn (nothing bound, culled, out of range). */
MUST_CHECK enum status draw_primitives(struct draw *draw, const struct draw_state *state,
                                       const struct draw_args *args);

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
/* Depth 1 and stencil 0 all over a surface, whatever the state: in the open scene if that draws to
 * it, so that what depth was before need not be kept. */
MUST_CHECK enum status draw_reset_depth(struct draw *draw, struct tex_image *image);

/* ProcessVertices: count vertices from start, through the vertex stage, into dst laid out by decl.
 */
struct draw_process {
    uint32_t start, count;
    uint8_t *dst;    /* first vertex to write */
    size_t dst_size; /* bytes there */
    uint32_t dst_stride;
    const struct draw_decl *decl;
    DWORD flags; /* D3DPV_* */
};
MUST_CHECK enum status draw_process_vertices(struct draw *draw, const struct draw_state *state,
                                             const struct draw_process *process);

/* Texture instructions of shaders read through this. ctx: const struct tex_sampler *, an array by
 * sampler number. */
vm_sample_fn draw_sample;

/* --- Watching ---------------------------------------------------------------------------------
 *
 * For those who look into a draw. Nothing of it is in the way of a renderer without a watch. */

/* A batch that a shader is about to run on. */
struct draw_shader_batch {
    const struct vm_program *program;
    uint64_t lanes;
    int lane;              /* which is the pixel; -1: lanes are vertices */
    const uint32_t *index; /* of vertices: the number of each; NULL: first, first + 1 … */
    int64_t first;         /* what is added to an index */
    uint32_t instance;
    const float *inputs;   /* slot s of lane n at s * VM_LANES + n; gone when the shader has run */
};

struct draw_debug_hooks {
    void *ctx;
    /* Before every draw; what it draws itself is not watched. It may draw to the targets, as long
     * as they are as they were when it returns. May be NULL. */
    void (*draw)(void *ctx, struct draw *draw, const struct draw_state *state,
                 const struct draw_args *args);
    /* Shaders of vertices, and those of pixel (x, y), are followed step by step while this is set.
     * `after` gets the colours of the pixel, of targets that the shader writes; NULL for others. */
    bool shaders;
    float x, y;
    void (*before)(void *ctx, const struct draw_shader_batch *shading);
    vm_step_fn *step;
    void (*after)(void *ctx, const float *const colour[DRAW_TARGETS]);
    /* After a batch of vertices: their positions, a row a component; NULL: 0. May be NULL. */
    void (*vertices)(void *ctx, const struct draw_shader_batch *shading,
                     const float *const position[4]);
};
/* Borrowed until there is another; NULL: none. With one thread only. */
void draw_set_debug_hooks(struct draw *draw, struct draw_debug_hooks *hooks);

/* The programs that a draw with this state runs, those of the fixed function too; borrowed until the
 * next draw. */
MUST_CHECK enum status draw_programs(struct draw *draw, const struct draw_state *state,
                                     D3DPRIMITIVETYPE type, const struct vm_program **vertex,
                                     const struct vm_program **pixel);

/* What was done since draw_create: how well pipelines and programs are found again. */
struct draw_statistics {
    uint64_t draws;
    uint64_t pipelines_built,
        pipelines_dropped; /* a pipeline: programs lowered and linked for a combination of states */
    uint64_t vertex_programs_built, pixel_programs_built; /* of the fixed function */
};
void draw_get_statistics(const struct draw *draw, struct draw_statistics *out);

/* Threads that render, the caller's among them. */
unsigned draw_threads(const struct draw *draw);
/* A number that changes whenever a flush ends a scene; *open: whether anything waits for one. */
uint64_t draw_scene(const struct draw *draw, bool *open);
/* Finishes everything that waits. */
void draw_flush(struct draw *draw);
/* Finishes what reads or writes the image, so that the caller may touch its memory or free it. */
void draw_sync(struct draw *draw, struct tex_image *image);
/* Gives the reference in *slot away: dropped at once, or after the scene that uses the image. */
void draw_release(struct draw *draw, struct tex_image **slot);

#endif
