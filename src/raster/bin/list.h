/* Command lists of tiles. Private to bin. */
#ifndef RASTER_BIN_LIST_H
#define RASTER_BIN_LIST_H

#include "raster/bin/bin.h"

/* list.c: Appends an empty block to a tile's list. NULL: the arena is full. */
struct bin_block *raster_bin_grow(struct raster *raster, uint32_t tile);

/* Appends a command. has_side_effects: the command affects more than colours. False: the
 * arena is full. */
static inline bool bin_push(struct raster *raster, uint32_t tile, const void *data, enum bin_op op,
                            bool has_side_effects)
{
    struct bin *bin = &raster->bins[tile];
    struct bin_block *cmds = bin->last;

    if ((!cmds || cmds->count == BIN_BLOCK_COMMANDS) && !(cmds = raster_bin_grow(raster, tile)))
        return false;
    cmds->command[cmds->count++] = (uintptr_t)data | op;
    if (has_side_effects) {
        bin->keep_block = cmds;
        bin->keep_count = cmds->count;
    }
    return true;
}

/* overdraw.c: Drops the commands that later ones overwrite. Their memory stays allocated until the
 * flush. */
void raster_bin_discard(struct bin *bin, enum overwrite_kind overwritten);

#endif
