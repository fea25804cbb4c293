/* A worker's memory: the tile and the batch in hand. */
#ifndef RASTER_WORKER_H
#define RASTER_WORKER_H

#include "raster/bin.h"
#include "raster/block_kern.h"
#include "raster/hiz_kern.h"
#include "raster/half_kern.h"
#include "raster/frag_batch_kern.h"
#include "raster/quad_kern.h"
#include "raster/quad_queue_kern.h"

struct raster;

/* What block.c puts into a batch of its own. */
struct raster_block_lanes {
    _Alignas(64) float x[RASTER_LANES];
    float y[RASTER_LANES], z[RASTER_LANES], w[RASTER_LANES], face[RASTER_LANES];
};

/* What is known of a primitive's whole blocks. A prime number of them: primitives mostly lie
 * equally far apart. */
enum { PRIM_CACHE_SIZE = 61 };
struct prim_cache_entry {
    const struct raster_prim *prim;
    uint64_t arena_generation; /* raster->arena_generation when it was found + 1, as primitives come
                                  and go; 0: never */
    bool solid, unit_attribs;
    float colour[4]; /* solid: as shaded, and converted */
    uint32_t word;
    bool has_blend_u8; /* solid: blended with whole numbers */
    struct solid_blend_u8 blend_u8;
    bool has_gradient; /* its colour is a ramp */
    struct gradient_fill gradient;
};

/* Primitives in the order in which they are to be drawn. */
enum { MAX_SORTED = 128 };
struct depth_sort {
    unsigned n;
    uint32_t code[MAX_SORTED];
    const struct raster_prim *prim[MAX_SORTED];
};

/* Memory of the bins' arena that one thread has taken and not yet used. */
struct raster_arena_slab {
    char *at;
    size_t left;
    uint64_t arena_generation; /* raster->arena_generation + 1 when it was taken; 0: never */
};

struct raster_worker {
    _Alignas(64) float x[RASTER_LANES];
    float y[RASTER_LANES], z[RASTER_LANES], w[RASTER_LANES], face[RASTER_LANES];
    float depth[RASTER_LANES];
    float source[4][RASTER_LANES], clamped[4][RASTER_LANES], stored[4][RASTER_LANES];
    float result[4][RASTER_LANES];
    uint32_t code[RASTER_LANES], words[RASTER_LANES];
    uint8_t pixels[RASTER_LANES * 16], packed[RASTER_LANES * 16], next[RASTER_LANES * 16];
    float *work, *batch_work; /* the shader's: for whole blocks, for batches */
    size_t work_bytes;        /* of either */
    struct raster *raster;
    unsigned number;

    /* The tile and the batch that is being filled */
    struct tile_origin tile;                  /* pixel of the upper left corner */
    const struct raster_surface *zs_surface;  /* the scene's surface, or tile_zs */
    const struct raster_pipeline *pipeline;
    struct raster_lanes lanes;
    struct raster_quads quads;
    uint64_t cover[MAX_SAMPLES]; /* lanes, per sample */
    /* Pixels of the blocks in hand, by rows; those of a block's samples follow one another. */
    uint64_t masks[BLOCKS_PER_TILE * MAX_SAMPLES];
    struct quad_queue quad_queue;
    struct frag_batch frag_batch; /* of pipelines that say so; their bits are in waiting.used */
    struct raster_quad_derivs derivs;      /* of theirs */
    struct preshade_lanes {                /* preshade.c: lanes, and room to read by fours */
        uint32_t depth[RASTER_LANES + 4], word[RASTER_LANES + 4];
        uint16_t pos[RASTER_LANES + 4];
    } preshade_lanes;
    bool shades_frag_batch;      /* the batch in hand is of these */
    uint8_t centroid_sample[RASTER_LANES]; /* pipeline->centroid: sample to take attributes at + 1;
                                              0: centre */

    struct hiz hiz;
    uint64_t
        prefetched_blocks; /* blocks of the tile whose colours are in a cache, or on their way */
    uint64_t dirty_blocks; /* those of which something may have been written: fast_clear.c */

    struct raster_block_lanes block;
    struct raster_shade_batch
        whole; /* block.c: the same from block to block while `last_prim` is */
    _Alignas(
        64) uint8_t saved[RASTER_LANES * 16]; /* rows of a block that is not written as a whole */
    const struct raster_prim
        *last_prim; /* its attributes of one value are in work; NULL: nobody's */
    struct prim_cache_entry prim_cache[PRIM_CACHE_SIZE]; /* by their primitives' addresses */

    struct raster_arena_slab slab; /* setup_batch.c: primitives to come */

    /* tile_depth.c: a surface of which only the tile in hand is there */
    struct raster_surface tile_zs;
    struct raster_fast_clear tile_zs_fast_clear;
    uint8_t *tile_zs_memory;
};

#endif
