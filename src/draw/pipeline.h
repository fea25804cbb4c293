/* A pipeline: how one combination of shaders, declaration and linkage runs. Private to draw. */
#ifndef DRAW_PIPELINE_H
#define DRAW_PIPELINE_H

#include "draw/draw.h"
#include "raster/raster.h"

/* Everything that changes a pipeline; memset to 0 first: keys are compared as bytes. */
struct draw_key {
    uint64_t vs_id, ps_id; /* of the program, or 0: the ff key counts */
    struct ff_vertex_key ff_vertex;
    struct ff_pixel_key ff_pixel;
    uint32_t decl_id;
    uint8_t passthrough;  /* transformed vertices feed a ps_3 by semantic */
    uint8_t flat;         /* D3DSHADE_FLAT */
    uint8_t sprite;       /* point sprites: texture coordinates are generated */
    uint8_t vertex_fog;   /* FOG0 of the vertex stage is the fog factor */
    uint8_t projected[8]; /* vm_options.projected */
    uint8_t wrap[16];     /* by coordinate: low four bits of its D3DRS_WRAPn */
    uint8_t transformed;
    uint8_t single_step; /* shaders are followed: struct draw_debug_hooks */
    uint8_t interpret; /* they run without machine code */
    uint8_t ieee;      /* MUL_ZERO; fixed function has rules of its own */
    uint8_t process;   /* ProcessVertices: all outputs of the vertex stage, no pixel stage */
};

/* Where one input of the vertex program comes from. */
struct pipeline_fetch {
    uint8_t stream, type; /* D3DDECLTYPE */
    uint16_t offset, bytes;
    int16_t slot[4]; /* input slots of the program, -1: not read */
};

/* An input that the declaration does not bring. */
struct pipeline_default {
    int16_t slot;
    float value;
};

/* One component that goes from vertices to pixels. */
struct pipeline_attr {
    int16_t vs_slot; /* output slot of the vertex program, or -1: the constant */
    float constant;
    bool clamp; /* to [0,1] */
};

enum { PIPELINE_MAX_FETCH = VM_MAX_INPUTS, PIPELINE_MAX_DEFAULT = 4 * VM_MAX_INPUTS };

struct draw_pipeline {
    struct draw_key key;
    struct vm_code *vs, *ps;
    struct pipeline_program *own_vs,
        *own_ps;                          /* of the fixed function, shared with other pipelines */
    struct vm_program *passthrough;       /* of the key's, owned */
    const struct vm_program *program[2];  /* of vs and ps, as long as draws use the pipeline */
    struct draw_pipeline *newer, *older;  /* neighbours in order of last use */
    size_t vs_uniform_bytes, vs_work_bytes, ps_uniform_bytes, ps_work_bytes;
    uint32_t vs_samplers, ps_samplers;
    uint8_t ps_inputs; /* enum raster_ps_input */
    bool ps_kills, ps_writes_depth, fixed_vs, fixed_ps, ps1, ps3;

    unsigned n_fetch, n_default, n_attr;
    struct pipeline_fetch fetch[PIPELINE_MAX_FETCH];
    struct pipeline_default dflt[PIPELINE_MAX_DEFAULT];
    struct pipeline_attr attr[RASTER_MAX_ATTRS];
    struct raster_attr raster_attr[RASTER_MAX_ATTRS];
    int16_t position[4], psize; /* output slots of the vertex program; psize -1: render state */
    int16_t fog_attr;           /* index into attr, or -1 */
    int16_t vpos[2], vface;     /* input slots of the pixel program, or -1 */
    int16_t colour[RASTER_TARGETS][4]; /* output slots, -1: not written */
    uint8_t colours;                   /* bit per colour output written */
    bool is_cheap;                     /* the pixel program takes next to no time */
    bool needs_quads; /* the pixel program itself takes differences between pixels of a quad
                       */
    uint64_t level_attrs[VM_MAX_SAMPLERS]; /* a bit an attribute: those of which differences are
                                              all that a sampler's levels need; 0: others are */
    int16_t depth;

    /* The colour is a texel times factors; which of the attributes are factors, a bit each. */
    bool is_modulate;
    struct vm_modulate modulate;
    uint64_t factors;
    uint8_t modulate_attr[2]; /* attributes that are its coordinates */

    /* The colour is attributes times constants; which ones, or -1. */
    bool is_gradient;
    struct vm_scaled_inputs scaled;
    int8_t gradient_attr[4];

    unsigned n_outputs; /* of the vertex program, for ProcessVertices */
    struct vm_io output[VM_MAX_OUTPUTS];
};

/* The fixed-function view of a state; lights points into `lights`, which the caller keeps. */
void pipeline_ff_state(struct ff_state *ff, const struct draw_state *state,
                       const D3DLIGHT9 *lights[FF_LIGHTS]);

/* Bytes of an element of D3DDECLTYPE type. */
unsigned fetch_type_bytes(unsigned type);
/* Components that it brings. */
unsigned fetch_type_components(unsigned type);

void pipeline_key_init(struct draw_key *key, const struct draw_state *state,
                       const struct ff_state *ff);
/* The key of ProcessVertices: the vertex stage alone. */
void pipeline_key_init_process(struct draw_key *key, const struct draw_state *state,
                               const struct ff_state *ff);
/* A program of the fixed function, shared by all pipelines that its key stands in. */
struct pipeline_program {
    struct vm_program *program;
    struct pipeline_program *next; /* in its list */
    unsigned refs;
    bool pixel;
    union {
        struct ff_vertex_key vertex;
        struct ff_pixel_key pixel;
    } key;
};

/* Pipelines by key, the programs that they share, and in which order pipelines were used. */
enum { PIPELINE_CACHE_SLOTS = 4096, PIPELINE_CACHE_MAX = 2048, PIPELINE_PROGRAM_LISTS = 1024 };
struct pipeline_cache {
    struct draw_pipeline *slot[PIPELINE_CACHE_SLOTS];
    struct pipeline_program *program[PIPELINE_PROGRAM_LISTS];
    unsigned used;
    struct draw_pipeline *newest, *oldest;
    struct draw_statistics statistics;
};
/* NULL when it is not there. */
struct draw_pipeline *pipeline_cache_find(struct pipeline_cache *cache, const struct draw_key *key);
/* Builds a pipeline and keeps it; borrowed until it is dropped. The cache must not be full. */
MUST_CHECK enum status pipeline_cache_create(struct pipeline_cache *cache,
                                             struct draw_pipeline **out, const struct draw_key *key,
                                             const struct draw_state *state);
static inline bool pipeline_cache_full(const struct pipeline_cache *cache)
{
    return cache->used == PIPELINE_CACHE_MAX;
}
/* Drops the quarter that was not used for the longest time. No pipeline may be in use. */
void pipeline_cache_evict(struct pipeline_cache *cache);
void pipeline_cache_clear(struct pipeline_cache *cache);

/* pipeline.c: a pipeline that no cache holds yet; its programs come from the cache. */
MUST_CHECK enum status pipeline_create(struct draw_pipeline **out, struct pipeline_cache *cache,
                                       const struct draw_key *key, const struct draw_state *state);
void pipeline_destroy(struct pipeline_cache *cache, struct draw_pipeline *pipeline);

/* pipeline_program.c: the program of a key, built if need be, with a reference. */
MUST_CHECK enum status pipeline_program_vertex(struct pipeline_cache *cache,
                                               struct pipeline_program **out,
                                               const struct ff_vertex_key *key);
MUST_CHECK enum status pipeline_program_pixel(struct pipeline_cache *cache,
                                              struct pipeline_program **out,
                                              const struct ff_pixel_key *key);
void pipeline_program_unref(struct pipeline_cache *cache, struct pipeline_program **slot);

#endif
