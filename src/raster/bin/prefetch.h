/* Prefetches of the commands that a tile runs next. */
#ifndef RASTER_BIN_PREFETCH_H
#define RASTER_BIN_PREFETCH_H

#include "raster/bin/bin.h"
#include "raster/worker/worker.h"

/* Prefetches the primitive of command i, assumed to be `bytes` long and at least two cache lines.
 * Small triangles are read once each in bin order, which hardware prefetchers do not predict.
 * always_inline, because gcc drops calls that only prefetch. */
enum { PREFETCH_AHEAD = 8 };
static inline __attribute__((always_inline)) void
raster_prefetch_command(const struct bin_block *cmds, size_t i, size_t bytes)
{
    const char *data;

    if (i >= cmds->count) {
        i -= cmds->count;
        cmds = cmds->next;
        if (!cmds || i >= cmds->count)
            return;
    }
    data = raster_command_data(cmds->command[i]);
    __builtin_prefetch(data);
    __builtin_prefetch(data + 64);
    for (size_t at = 128; at < bytes; at += 64)
        __builtin_prefetch(data + at);
}

/* Prefetches preshaded runs in two steps, because their length is in their first cache line. */
static inline void raster_prefetch_next(const struct raster_worker *worker,
                                        const struct bin_block *cmds, size_t i)
{
    const struct preshaded_run *next;

    if ((cmds->command[i] & BIN_OP_MASK) != BIN_PRESHADED) {
        raster_prefetch_command(cmds, i + 3,
                                worker->pipeline ? raster_prim_base_bytes(worker->pipeline) : 64);
        return;
    }
    raster_prefetch_command(cmds, i + 8, 128);
    if (i + 4 >= cmds->count || (cmds->command[i + 4] & BIN_OP_MASK) != BIN_PRESHADED)
        return;
    next = raster_command_data(cmds->command[i + 4]);
    for (unsigned at = 128; at < next->n * 10 + 24; at += 64)
        __builtin_prefetch((const char *)next + at);
}

#endif
