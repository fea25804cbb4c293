/* Bins: for each tile a list of commands (primitives, clears, preshaded fragments) in draw order,
 * from which overdrawn commands are dropped. */
#ifndef RASTER_BIN_BIN_H
#define RASTER_BIN_BIN_H

#include "raster/prim/prim.h"
#include "raster/scene/scene.h"

enum bin_op { BIN_PRIM, BIN_PRIM_FULL, BIN_CLEAR, BIN_PRESHADED };
enum { BIN_BLOCK_COMMANDS = 30, BIN_OP_MASK = 63 };

struct bin_block {
    struct bin_block *next;
    size_t count;
    uintptr_t command[BIN_BLOCK_COMMANDS]; /* address of the data (64-byte aligned) | enum bin_op */
};

struct bin {
    struct bin_block *first, *last;
    struct bin_block *keep_block; /* block of the last command with side effects other than colours;
                                     NULL: none */
    unsigned keep_count;          /* commands of that block up to and including this one */
};

struct raster_fill {
    int32_t rect[4]; /* clipped to the surface */
    const struct raster_surface *surface;
    uint8_t value[16], mask[16]; /* bits to replace, as a repeating pattern; value & ~mask == 0 */
};

/* Which earlier commands of a tile a clear of the whole tile overwrites. */
enum overwrite_kind { OVERWRITES_NOTHING, OVERWRITES_COLOURS, OVERWRITES_ALL };

struct raster_clear_command {
    int32_t rect[4];
    uint8_t overwrites;    /* enum overwrite_kind */
    bool has_side_effects; /* clears depth or stencil */
    unsigned n_fills;
    struct raster_fill fill[RASTER_TARGETS + 1];
};

/* A run of preshaded fragments of one pipeline in a tile, in draw order. Three arrays follow it,
 * each padded to a multiple of four: depth codes as stored in words; colours; positions in the
 * tile, y * 64 + x. */
struct preshaded_run {
    const struct raster_pipeline *pipeline;
    uint64_t blocks; /* 8x8 blocks that the fragments may lie in */
    uint32_t n;
    uint32_t word[];
};

static inline unsigned raster_preshaded_padded(unsigned n)
{
    return (n + 3) & ~3u;
}

/* Size of a command's data rounded up to the alignment of commands, whose lowest bits hold the
 * kind. */
static inline size_t raster_bin_bytes(size_t bytes)
{
    return (bytes + BIN_OP_MASK) & ~(size_t)BIN_OP_MASK;
}

static inline const void *raster_command_data(uintptr_t command)
{
    return (const void *)(command & ~(uintptr_t)BIN_OP_MASK);
}

/* Whether a command is a PRIM_MASK8X8 primitive of the pipeline. */
static inline bool raster_is_mask8x8(uintptr_t command, const struct raster_pipeline *pipeline)
{
    const struct raster_prim *prim = raster_command_data(command);

    return (command & BIN_OP_MASK) == BIN_PRIM && prim->pipeline == pipeline &&
           prim->kind == PRIM_MASK8X8;
}

/* bin.c: Bins a primitive in all tiles that it touches. False: no room; the primitive is then
 * dropped (PRIM_NONE). */
bool raster_bin_prim(struct raster *raster, struct raster_prim *prim);
/* Bins all parts of a triangle; the parts lie `bytes` apart. */
bool raster_bin_tri(struct raster *raster, const struct raster_tri_setup *tri, size_t bytes);
/* Bins triangles in their order; returns how many it binned or skipped before the first that needs
 * clipping or finds no room. */
uint32_t raster_bin_tris(struct raster *raster, const struct raster_tri_setup *tri, uint32_t count,
                         size_t bytes);
bool raster_bin_preshaded(struct raster *raster, uint32_t tile,
                          const struct preshaded_run *preshaded);
/* overdraw.c: Discards colour-only commands of all tiles inside the rectangle: the next primitives
 * overwrite them. */
void raster_bin_discard_overdrawn(struct raster *raster, const int32_t rect[4]);
/* bin.c: The only tile that rect touches, or MULTIPLE_TILES. */
uint16_t raster_single_tile(const struct raster *raster, const int32_t rect[4]);

#endif
