/* The depth and stencil test of one pixel, as the reference words it (depth/functions,
 * depth/bounds, stencil/operations). Shares no code with the kernels. */
#ifndef TESTS_KERNEL_RASTER_ZS_RULE_H
#define TESTS_KERNEL_RASTER_ZS_RULE_H

#include "raster/state/params.h"

/* Compares a with b by the bits of D3DCMPFUNC - 1. */
static inline bool zs_compares(unsigned func, uint32_t a, uint32_t b)
{
    return (func - 1) & (a < b ? 1 : a == b ? 2 : 4);
}

static inline uint32_t zs_stencil_after(unsigned op, uint32_t stored, uint32_t ref, uint32_t most)
{
    switch (op) {
    case D3DSTENCILOP_ZERO:
        return 0;
    case D3DSTENCILOP_REPLACE:
        return ref;
    case D3DSTENCILOP_INCRSAT:
        return stored == most ? most : stored + 1;
    case D3DSTENCILOP_DECRSAT:
        return stored ? stored - 1 : 0;
    case D3DSTENCILOP_INVERT:
        return ~stored & most;
    case D3DSTENCILOP_INCR:
        return (stored + 1) & most;
    case D3DSTENCILOP_DECR:
        return (stored - 1) & most;
    default:
        return stored;
    }
}

/* Tests a depth code against the pixel, updates the pixel and returns whether it passes. The
 * stencil lies in the lowest bits. */
static inline bool zs_rule(const struct raster_depth_stencil *ds, uint32_t code, uint32_t *word)
{
    uint32_t depth = *word & ds->depth_field, field = ds->stencil_field;
    bool stencil_passes, depth_passes;

    if (ds->bounds_test && (depth < ds->bounds[0] || depth > ds->bounds[1]))
        return false;
    stencil_passes =
        !ds->stencil_test || zs_compares(ds->stencil_func, ds->ref & ds->mask, *word & ds->mask);
    depth_passes = !ds->depth_test || zs_compares(ds->depth_func, code, depth);
    if (ds->stencil_test) {
        unsigned op = !stencil_passes ? ds->fail : !depth_passes ? ds->zfail : ds->pass;
        uint32_t after = zs_stencil_after(op, *word & field, ds->ref & field, field);

        *word = (*word & ~(field & ds->write_mask)) | (after & ds->write_mask);
    }
    if (ds->depth_write && stencil_passes && depth_passes)
        *word = (*word & ~ds->depth_field) | code;
    return stencil_passes && depth_passes;
}

#endif
