/* Workers: the state of one worker thread. Lanes of the current batch, coverage masks of the
 * current tile, and the queues and caches that live between commands. */
#ifndef RASTER_WORKER_WORKER_H
#define RASTER_WORKER_WORKER_H

#include "raster/merge/code.h"
#include "raster/scene/scene.h"
#include "raster/worker/batch.h"

/* Depth ranges of a tile's 8x8 blocks; masks have one bit per block. Depths are codes, shifted to
 * their place in words. */
struct hiz {
    _Alignas(64) uint32_t zmin[64]; /* range of the stored depths */
    uint32_t zmax[64];
    uint32_t prim_zmin[64], prim_zmax[64]; /* range of the current primitive */
    uint64_t valid;                        /* blocks whose zmin and zmax are up to date */
    uint64_t uniform_stencil; /* blocks that hold `stencil` everywhere since the last clear */
    uint32_t stencil;
    uint64_t tested;        /* blocks of the last test; only these have prim_zmin and prim_zmax */
    uint64_t passes, fails; /* tested blocks that pass or fail as a whole */
};

struct raster_worker {
    /* Scratch arrays of zs/depth_stencil.c and output/colours.c */
    _Alignas(64) float depth[RASTER_LANES];
    float source[4][RASTER_LANES], dither[RASTER_LANES];
    uint32_t code[RASTER_LANES], words[RASTER_LANES];
    uint8_t pixels[RASTER_LANES * 16], packed[RASTER_LANES * 16], next[RASTER_LANES * 16];
    /* Memory of merging: the words of pixels of each target, and of a merge function */
    _Alignas(64) uint32_t merge_words[RASTER_TARGETS * 4][RASTER_LANES];
    uint8_t merge_work[RASTER_MERGE_WORK_BYTES];
    size_t work_bytes; /* size of each batch's `work` */
    struct raster *raster;
    unsigned number;

    /* The current tile and the batch that is being filled */
    struct tile_origin tile;                 /* pixel of the upper left corner */
    const struct raster_surface *zs_surface; /* raster->targets.depth, or tile_zs */
    const struct raster_pipeline *pipeline;
    /* Coverage masks of the current blocks in linear order; the samples of a block are adjacent. */
    uint64_t masks[BLOCKS_PER_TILE * MAX_SAMPLES];
    struct centroid_samples centroid[BLOCKS_PER_TILE]; /* of these, if pipeline->centroid */
    /* Quads, or single fragments if pipeline->single_fragments, of several primitives. */
    struct frag_batch batch;
    struct in_flight in_flight; /* their pixels */
    /* Whole blocks. The result pointers stay valid from block to block of its primitive. */
    struct frag_batch block;
    struct preshade_lanes { /* setup/preshade.c: padded, because copies read four lanes at a time */
        uint32_t depth[RASTER_LANES + 4], word[RASTER_LANES + 4];
        uint16_t pos[RASTER_LANES + 4];
    } preshade_lanes;

    struct hiz hiz;
    /* Blocks of the tile whose colours are in the cache or being prefetched. */
    uint64_t prefetched_blocks;
    uint64_t dirty_blocks; /* blocks that the tile may have written, for zs/fast_clear.c */

    struct prim_cache *prim_cache; /* shade/prim_cache.c */

    struct raster_arena_slab slab; /* memory for primitives and preshaded runs */

    /* zs/tile_depth.c: tile-local depth surface; memory exists for the current tile only */
    struct raster_surface tile_zs;
    struct raster_fast_clear tile_zs_fast_clear;
    uint8_t *tile_zs_memory;
};

/* The pixel rectangle of the worker's tile. */
static inline void raster_tile_rect(const struct raster_worker *worker, int32_t rect[4])
{
    rect[0] = worker->tile.x;
    rect[1] = worker->tile.y;
    rect[2] = worker->tile.x + raster_tile_dim(worker->raster);
    rect[3] = worker->tile.y + raster_tile_dim(worker->raster);
}

/* Number of the block that contains the pixel (x, y) of the worker's tile. */
static inline unsigned raster_block_number(const struct raster_worker *worker, int32_t x, int32_t y)
{
    return ((unsigned)(y - worker->tile.y) & (unsigned)-BLOCK_DIM) |
           (unsigned)(x - worker->tile.x) / BLOCK_DIM;
}

static inline uint64_t *raster_block_masks(struct raster_worker *worker, unsigned block)
{
    return worker->masks + (size_t)block * worker->raster->targets.samples;
}

/* The worker's tile in a surface. */
static inline struct tile_surface raster_tile_surface(const struct raster_worker *worker,
                                                      const struct raster_surface *surface)
{
    return (struct tile_surface){
        .base = surface->data + (size_t)worker->tile.y * surface->row_pitch +
                (size_t)worker->tile.x * surface->format->bytes,
        .pitch = surface->row_pitch,
    };
}

/* worker.c: raster_worker_alloc allocates from the worker's slab; raster_worker_reserve takes a new
 * slab of `at_once` bytes from the arena if fewer than `bytes` are left. NULL, false: the arena is
 * full. Sizes are multiples of 64. */
bool raster_worker_reserve(struct raster_worker *worker, size_t bytes, size_t at_once);
void *raster_worker_alloc(struct raster_worker *worker, size_t bytes);

#endif
