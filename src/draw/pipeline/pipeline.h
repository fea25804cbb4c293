/* Pipelines: lowered vertex and pixel programs, linked to a declaration and to each other; their
 * keys, and the cache that finds a pipeline by its key. */
#ifndef DRAW_PIPELINE_PIPELINE_H
#define DRAW_PIPELINE_PIPELINE_H

#include "draw/draw.h"
#include "raster/merge/merge.h"
#include "raster/raster.h"

/* All state that a pipeline depends on. Zero it with memset first: keys are compared as bytes. */
struct draw_key {
    uint64_t vs_id, ps_id; /* id of the program; 0: fixed function with the key below */
    struct ff_vertex_key ff_vertex;
    struct ff_pixel_key ff_pixel;
    uint32_t decl_id;
    uint8_t passthrough;  /* transformed vertices feed the inputs of a ps_3 by semantic */
    uint8_t flat;         /* D3DSHADE_FLAT */
    uint8_t sprite;       /* point sprites: the rasteriser generates texture coordinates */
    uint8_t vertex_fog;   /* an output of the vertex stage is the fog factor */
    uint8_t projected[8]; /* vm_options.projected */
    uint8_t wrap[16];     /* for each coordinate set: low four bits of its D3DRS_WRAPn */
    uint8_t transformed;  /* positions are D3DDECLUSAGE_POSITIONT */
    uint8_t single_step;  /* debug hooks follow shaders: struct draw_debug_hooks */
    uint8_t interpret;    /* interprets shaders instead of using the JIT */
    uint8_t ieee;         /* draw_options.ieee; has no effect on the fixed function */
    uint8_t process;      /* ProcessVertices: keeps all vertex outputs, has no pixel stage */
};

/* The vertex element that feeds one input of the vertex program. */
struct pipeline_fetch {
    uint8_t stream, type; /* D3DDECLTYPE */
    uint16_t offset, bytes;
    int16_t slot[4]; /* input slots of the program; -1: not read */
};

/* Constant for an input component that no vertex element feeds. */
struct pipeline_default {
    int16_t slot;
    float value;
};

/* One attribute: a component that the rasteriser interpolates from vertices to pixels. */
struct pipeline_attr {
    int16_t vs_slot; /* output slot of the vertex program; -1: `constant` */
    float constant;
    bool clamp; /* clamps to [0,1] */
};

enum { PIPELINE_MAX_FETCH = VM_MAX_INPUTS, PIPELINE_MAX_DEFAULT = 4 * VM_MAX_INPUTS };

/* A pixel program that ends with the output merger: colours stay in registers. */
struct pipeline_merged {
    struct pipeline_merged *next;
    struct raster_merge_key key;
    unsigned draws; /* that had no code yet */
    bool is_compiled;
    struct vm_code *code; /* NULL: it is not compiled yet, or cannot be */
    size_t uniform_bytes;
};

struct draw_pipeline {
    struct draw_key key;
    struct vm_code *vs, *ps;
    struct pipeline_merged **merged; /* a list, newest first */
    /* Fixed function: references to programs that pipelines share. */
    struct pipeline_program *generated_vs, *generated_ps;
    struct vm_program *passthrough;      /* if key.passthrough: the owned vertex program */
    const struct vm_program *program[2]; /* of vs and ps; valid while draws use the pipeline */
    struct draw_pipeline *newer, *older; /* neighbours in the LRU list */
    size_t vs_uniform_bytes, vs_work_bytes, ps_uniform_bytes, ps_work_bytes;
    uint32_t vs_samplers, ps_samplers;
    uint8_t ps_inputs; /* enum raster_ps_input */
    bool ps_kills, ps_writes_depth, fixed_vs, fixed_ps;
    bool ps1, ps3; /* the major version of the pixel shader is 1; is 3 or more */

    unsigned n_fetch, n_default, n_attr;
    struct pipeline_fetch fetch[PIPELINE_MAX_FETCH];
    struct pipeline_default dflt[PIPELINE_MAX_DEFAULT];
    struct pipeline_attr attr[RASTER_MAX_ATTRS];
    struct raster_attr raster_attr[RASTER_MAX_ATTRS];
    int16_t position[4], psize; /* output slots of the vertex program; psize -1: render state */
    int16_t fog_attr;           /* index into attr, or -1 */
    int16_t vpos[2], vface;     /* input slots of the pixel program, or -1 */
    int16_t colour[RASTER_TARGETS][4]; /* output slots; -1: not written */
    uint8_t colours;                   /* bit mask of the colour outputs that are written */
    bool is_cheap;                     /* the pixel program is short: vm_code_is_cheap */
    bool needs_quads;                  /* the pixel program has derivatives or is single-stepped */
    /* For each sampler, a bit mask of the attributes whose derivatives alone determine its LODs.
     * 0: the LODs depend on other values. */
    uint64_t lod_attribs[VM_MAX_SAMPLERS];
    int16_t depth;         /* output slot of the pixel program, or -1 */
    uint64_t depth_output; /* its bit in vm_options.live_outputs; 0: none */

    /* Modulate pattern: the colour is a texel times factors. */
    bool is_modulate;
    struct vm_modulate modulate;
    uint64_t factors;         /* bit mask of the attributes that are factors */
    uint8_t modulate_attr[2]; /* the attributes that are the texture coordinates */

    /* Gradient pattern: each colour component is a constant, or an attribute times a constant. */
    bool is_gradient;
    struct vm_scaled_inputs scaled;
    int8_t gradient_attr[4]; /* -1: no attribute */

    unsigned n_outputs; /* of the vertex program, for ProcessVertices */
    struct vm_io output[VM_MAX_OUTPUTS];
};

/* Whether the stream advances per instance. */
static inline bool stream_per_instance(const struct draw_stream *stream)
{
    return (stream->frequency & D3DSTREAMSOURCE_INSTANCEDATA) != 0;
}

/* decl_type.c: Size of an element of D3DDECLTYPE type, in bytes; 0: invalid type. */
unsigned decl_type_bytes(unsigned type);
/* Number of components that an element of the type provides. */
unsigned decl_type_components(unsigned type);

/* key.c: Extracts the fixed-function state. ff->light points to `lights`, which the caller keeps
 * alive. */
void pipeline_ff_state(struct ff_state *ff, const struct draw_state *state,
                       const D3DLIGHT9 *lights[FF_LIGHTS]);

void pipeline_key_init(struct draw_key *key, const struct draw_state *state,
                       const struct ff_state *ff);
/* The key for ProcessVertices, which runs only the vertex stage. */
void pipeline_key_init_process(struct draw_key *key, const struct draw_state *state,
                               const struct ff_state *ff);

/* Options of the key's pixel program, which keep all outputs. */
void pipeline_pixel_options(struct vm_options *options, const struct draw_key *key);

/* A generated program of the fixed function, shared by all pipelines with its key. */
struct pipeline_program {
    struct vm_program *program;
    struct pipeline_program *next; /* in its hash bucket */
    unsigned refs;
    bool pixel;
    union {
        struct ff_vertex_key vertex;
        struct ff_pixel_key pixel;
    } key;
};

/* Pipeline cache: hash tables of pipelines and of shared programs, and an LRU list of pipelines. */
enum { PIPELINE_CACHE_SLOTS = 4096, PIPELINE_CACHE_MAX = 2048, PIPELINE_PROGRAM_BUCKETS = 1024 };
struct pipeline_cache {
    struct draw_pipeline *slot[PIPELINE_CACHE_SLOTS];
    struct pipeline_program *program[PIPELINE_PROGRAM_BUCKETS];
    unsigned used, n_merged; /* n_merged: programs that end with the output merger */
    struct draw_pipeline *newest, *oldest;
    struct draw_statistics statistics;
};
/* merged.c: The program of a pipeline for a merger. It is compiled after some draws, or at once if
 * `eager`; a cache has at most PIPELINE_MERGED_MAX of them. *out NULL: there is none, and colours
 * go through memory. */
enum { PIPELINE_MERGED_MAX = 1024 };
MUST_CHECK enum status pipeline_merged_get(struct pipeline_cache *cache,
                                           const struct draw_pipeline *pipeline,
                                           const struct raster_merge_key *key, bool eager,
                                           const struct pipeline_merged **out);
void pipeline_merged_destroy(struct pipeline_cache *cache, struct draw_pipeline *pipeline);

/* cache.c: Returns NULL if the cache does not contain the key. */
struct draw_pipeline *pipeline_cache_find(struct pipeline_cache *cache, const struct draw_key *key);
/* Creates a pipeline and adds it to the cache, which must not be full. The cache owns it. */
MUST_CHECK enum status pipeline_cache_create(struct pipeline_cache *cache,
                                             struct draw_pipeline **out, const struct draw_key *key,
                                             const struct draw_state *state);
static inline bool pipeline_cache_full(const struct pipeline_cache *cache)
{
    return cache->used == PIPELINE_CACHE_MAX;
}
/* Drops the least recently used quarter of the pipelines. No pipeline may be in use. */
void pipeline_cache_evict(struct pipeline_cache *cache);
void pipeline_cache_clear(struct pipeline_cache *cache);

#endif
