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

/* The same as masks and factors, by D3DSTENCILOP: a table takes no branches. */
struct stencil_op_bits {
    int32_t keep, low, high; /* of the field */
    int32_t ref, field;      /* what toggles */
    int32_t add;             /* steps */
    int32_t limit;           /* whether the field is the upper limit, not `high` */
};

SIMD_INLINE struct stencil_op stencil_op(const struct raster_depth_stencil *ds, unsigned op)
{
    enum { LOW = INT32_MIN, HIGH = INT32_MAX };
    static const struct stencil_op_bits bits[D3DSTENCILOP_DECR + 1] = {
        [D3DSTENCILOP_KEEP] = {-1, LOW, HIGH, 0, 0, 0, 0},
        [D3DSTENCILOP_ZERO] = {0, LOW, HIGH, 0, 0, 0, 0},
        [D3DSTENCILOP_REPLACE] = {0, LOW, HIGH, -1, 0, 0, 0},
        [D3DSTENCILOP_INCRSAT] = {-1, LOW, 0, 0, 0, 1, -1},
        [D3DSTENCILOP_DECRSAT] = {-1, 0, HIGH, 0, 0, -1, 0},
        [D3DSTENCILOP_INVERT] = {-1, LOW, HIGH, 0, -1, 0, 0},
        [D3DSTENCILOP_INCR] = {-1, LOW, HIGH, 0, 0, 1, 0},
        [D3DSTENCILOP_DECR] = {-1, LOW, HIGH, 0, 0, -1, 0},
    };
    bool known = op >= D3DSTENCILOP_KEEP && op <= D3DSTENCILOP_DECR; /* others keep */
    const struct stencil_op_bits *b = &bits[known ? op : D3DSTENCILOP_KEEP];
    int32_t field = (int32_t)ds->stencil_field;

    return (struct stencil_op){
        .keep = i32v_set1(field & b->keep),
        .toggle = i32v_set1(((int32_t)ds->ref & b->ref) | (field & b->field)),
        .add = i32v_set1((int32_t)ds->stencil_one * b->add),
        .low = i32v_set1(b->low),
        .high = i32v_set1((field & b->limit) | b->high),
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
    bool ordered; /* the comparison is `order` */
    struct depth_order order;
    bool fails, zfails; /* whether a failed stencil or depth test changes the result */
    bool writes;
};

SIMD_INLINE struct stencil stencil_begin(const struct raster_depth_stencil *ds)
{
    unsigned func = ((ds->stencil_func - 1u) & 7) + 1; /* unknown ones: by their lowest bits */
    bool zfails = ds->depth_test && ds->zfail != ds->pass;
    bool fails = ds->stencil_func != D3DCMP_ALWAYS && (zfails || ds->fail != ds->pass);

    return (struct stencil){
        .fail = stencil_op(ds, ds->fail),
        .zfail = stencil_op(ds, ds->zfail),
        .pass = stencil_op(ds, ds->pass),
        .ref = i32v_set1((int32_t)(ds->ref & ds->mask)),
        .mask = i32v_set1((int32_t)ds->mask),
        .writable = i32v_set1((int32_t)(ds->write_mask & ds->stencil_field)),
        .func = func,
        .ordered = depth_is_ordered(func),
        .order = depth_order_of(func),
        .fails = fails,
        .zfails = zfails,
        .writes = (ds->pass != D3DSTENCILOP_KEEP || fails || zfails) && ds->write_mask,
    };
}

SIMD_INLINE m32v stencil_passes(const struct stencil *stencil, i32v word)
{
    i32v stored = i32v_and(word, stencil->mask);
    m32v equal;

    if (stencil->ordered)
        return depth_order_passes(&stencil->order, stencil->ref, stored);
    equal = i32v_eq(stencil->ref, stored);
    return stencil->func == D3DCMP_EQUAL ? equal : m32v_not(equal);
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
