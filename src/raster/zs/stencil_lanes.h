/* Vector helpers for stencil tests, stencil operations and the depth bounds test. For the
 * rasteriser's kernels only. */
#ifndef RASTER_ZS_STENCIL_LANES_H
#define RASTER_ZS_STENCIL_LANES_H

#include "raster/zs/depth_lanes.h"

/* A stencil operation without branches: ((stored & keep) ^ toggle) + add, clamped to [low, high].
 * Stencil values lie in the low bits of words. */
struct stencil_op {
    i32v keep, toggle, add, low, high;
};

SIMD_INLINE struct stencil_op stencil_op(const struct raster_depth_stencil *ds, unsigned op)
{
    int32_t field = (int32_t)ds->stencil_field, one = (int32_t)ds->stencil_one;
    bool up = op == D3DSTENCILOP_INCR || op == D3DSTENCILOP_INCRSAT;
    bool down = op == D3DSTENCILOP_DECR || op == D3DSTENCILOP_DECRSAT;
    bool forgets = op == D3DSTENCILOP_ZERO || op == D3DSTENCILOP_REPLACE;
    int32_t toggle = op == D3DSTENCILOP_REPLACE  ? (int32_t)ds->ref
                     : op == D3DSTENCILOP_INVERT ? field
                                                 : 0;

    return (struct stencil_op){
        .keep = i32v_set1(forgets ? 0 : field),
        .toggle = i32v_set1(toggle),
        .add = i32v_set1(up     ? one
                         : down ? -one
                                : 0),
        .low = i32v_set1(op == D3DSTENCILOP_DECRSAT ? 0 : INT32_MIN),
        .high = i32v_set1(op == D3DSTENCILOP_INCRSAT ? field : INT32_MAX),
    };
}

SIMD_INLINE i32v stencil_apply(const struct stencil_op *op, i32v stored)
{
    i32v fresh = i32v_add(i32v_xor(i32v_and(stored, op->keep), op->toggle), op->add);

    return i32v_min(i32v_max(fresh, op->low), op->high);
}

/* Stencil test of one facing. */
struct stencil {
    struct stencil_op fail, zfail, pass;
    i32v ref, mask, writable;
    unsigned func;
    bool fails, zfails; /* whether a failed stencil or depth test changes the result */
    bool writes;
};

SIMD_INLINE struct stencil stencil_begin(const struct raster_depth_stencil *ds)
{
    bool zfails = ds->depth_test && ds->zfail != ds->pass;
    bool fails = ds->stencil_func != D3DCMP_ALWAYS && (zfails || ds->fail != ds->pass);

    return (struct stencil){
        .fail = stencil_op(ds, ds->fail),
        .zfail = stencil_op(ds, ds->zfail),
        .pass = stencil_op(ds, ds->pass),
        .ref = i32v_set1((int32_t)(ds->ref & ds->mask)),
        .mask = i32v_set1((int32_t)ds->mask),
        .writable = i32v_set1((int32_t)(ds->write_mask & ds->stencil_field)),
        .func = ds->stencil_func,
        .fails = fails,
        .zfails = zfails,
        .writes = (ds->pass != D3DSTENCILOP_KEEP || fails || zfails) && ds->write_mask,
    };
}

SIMD_INLINE m32v stencil_passes(const struct stencil *stencil, i32v word)
{
    if (stencil->func == D3DCMP_ALWAYS)
        return m32v_all();
    return compare_unsigned(stencil->func, stencil->ref, i32v_and(word, stencil->mask));
}

SIMD_INLINE i32v stencil_update(const struct stencil *stencil, i32v word, m32v stencil_passes,
                                m32v depth_passes)
{
    i32v fresh = stencil_apply(&stencil->pass, word);

    if (stencil->zfails)
        fresh = i32v_select(depth_passes, fresh, stencil_apply(&stencil->zfail, word));
    if (stencil->fails)
        fresh = i32v_select(stencil_passes, fresh, stencil_apply(&stencil->fail, word));
    return i32v_or(i32v_andnot(stencil->writable, word), i32v_and(stencil->writable, fresh));
}

/* Whether stored depths lie within the depth bounds (reference: depth/bounds). */
static inline m32v within_bounds(const struct raster_depth_stencil *ds, i32v stored)
{
    i32v least = i32v_set1((int32_t)ds->bounds[0]), most = i32v_set1((int32_t)ds->bounds[1]);

    return m32v_and(compare_unsigned(D3DCMP_GREATEREQUAL, stored, least),
                    compare_unsigned(D3DCMP_LESSEQUAL, stored, most));
}

#endif
