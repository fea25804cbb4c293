/* Grows the command lists of tiles, block by block.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/bin/list.h"

/* Takes several blocks at once if the arena has room, because workers allocate from it under the
 * same lock. NULL: the arena is full. */
static struct bin_block *alloc_block(struct raster *raster)
{
    enum { AT_ONCE = 16 };
    struct raster_arena_slab *slab = &raster->bin_slab;
    struct bin_block *cmds;

    if (slab->arena_generation != raster->arena_generation + 1 || slab->left < sizeof(*cmds)) {
        slab->left = AT_ONCE * sizeof(*cmds);
        slab->at = raster_bins_alloc(raster, slab->left);
        slab->arena_generation = slab->at ? raster->arena_generation + 1 : 0;
        if (!slab->at)
            return raster_bins_alloc(raster, sizeof(*cmds));
    }
    cmds = (struct bin_block *)(void *)slab->at;
    slab->at += sizeof(*cmds);
    slab->left -= sizeof(*cmds);
    return cmds;
}

struct bin_block *raster_bin_grow(struct raster *raster, uint32_t tile)
{
    struct bin *bin = &raster->bins[tile];
    struct bin_block *cmds = alloc_block(raster);

    if (!cmds)
        return NULL;
    cmds->next = NULL;
    cmds->count = 0;
    if (bin->last) {
        bin->last->next = cmds;
    } else {
        bin->first = cmds;
        raster->busy[tile / 64] |= UINT64_C(1) << tile % 64;
    }
    return bin->last = cmds;
}
