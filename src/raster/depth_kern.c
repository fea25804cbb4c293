/* The inner loops of the tests: depth, stencil and alpha. */
#include "raster/depth_lanes.h"
#include "raster/kern_lanes.h"
#include "raster/raster_private.h"

/* --- Depths ----------------------------------------------------------------------------------- */

static void block_plane(float *out, const struct raster_plane *plane, float dx, float dy,
                        float offset)
{
    EACH_VECTOR(i)
    {
        i32v lane = i32v_iota((int32_t)i);
        f32v x = i32v_to_f32(i32v_and(lane, i32v_set1(BLOCK_DIM - 1)));
        f32v y = i32v_to_f32(i32v_srl(lane, 3));
        f32v z = plane_at(plane, f32v_add(f32v_set1(dx), x), f32v_add(f32v_set1(dy), y));

        f32v_store(out + i, f32v_add(z, f32v_set1(offset)));
    }
}

static void encode_unorm32(const float *z, uint32_t *out)
{
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        float clamped = z[i] > 0.0f ? z[i] < 1.0f ? z[i] : 1.0f : 0.0f;

        out[i] = (uint32_t)((double)clamped * 4294967295.0 + 0.5);
    }
}

static void depth_encode(const struct raster_depth_stencil *ds, const float *z, uint32_t *out)
{
    f32v scale = depth_scale(ds);
    i32v place = i32v_set1(1 << ds->shift);

    if (ds->code == RASTER_DEPTH_UNORM32) {
        encode_unorm32(z, out);
        return;
    }
    EACH_VECTOR(i)
    {
        i32v code = encode_depth(ds->code, f32v_load(z + i), scale);

        i32v_store((int32_t *)out + i, i32v_mul(code, place));
    }
}

/* --- Depth and stencil of lanes --------------------------------------------------------------- */

/* What an operation makes of a stencil value, without asking which one it is: ((stored & keep) ^
 * turn) + add, no less than low and no more than high. Values of stencils lie in the low bits of
 * words. */
struct stencil_op {
    i32v keep, turn, add, low, high;
};

SIMD_INLINE struct stencil_op stencil_op(const struct raster_depth_stencil *ds, unsigned op)
{
    int32_t field = (int32_t)ds->stencil_field, one = (int32_t)ds->stencil_one;
    bool up = op == D3DSTENCILOP_INCR || op == D3DSTENCILOP_INCRSAT;
    bool down = op == D3DSTENCILOP_DECR || op == D3DSTENCILOP_DECRSAT;
    bool forgets = op == D3DSTENCILOP_ZERO || op == D3DSTENCILOP_REPLACE;
    int32_t turn = op == D3DSTENCILOP_REPLACE  ? (int32_t)ds->ref
                   : op == D3DSTENCILOP_INVERT ? field
                                               : 0;

    return (struct stencil_op){
        .keep = i32v_set1(forgets ? 0 : field),
        .turn = i32v_set1(turn),
        .add = i32v_set1(up     ? one
                         : down ? -one
                                : 0),
        .low = i32v_set1(op == D3DSTENCILOP_DECRSAT ? 0 : INT32_MIN),
        .high = i32v_set1(op == D3DSTENCILOP_INCRSAT ? field : INT32_MAX),
    };
}

SIMD_INLINE i32v stencil_apply(const struct stencil_op *op, i32v stored)
{
    i32v fresh = i32v_add(i32v_xor(i32v_and(stored, op->keep), op->turn), op->add);

    return i32v_min(i32v_max(fresh, op->low), op->high);
}

/* One facing's test. */
struct stencil {
    struct stencil_op fail, zfail, pass;
    i32v ref, mask, writable;
    unsigned func;
    bool fails, zfails; /* those outcomes may come, and differ from what comes before */
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
static m32v within_bounds(const struct raster_depth_stencil *ds, i32v stored)
{
    i32v least = i32v_set1((int32_t)ds->bounds[0]), most = i32v_set1((int32_t)ds->bounds[1]);

    return m32v_and(compare_unsigned(D3DCMP_GREATEREQUAL, stored, least),
                    compare_unsigned(D3DCMP_LESSEQUAL, stored, most));
}

static uint64_t depth_stencil(const struct raster_depth_stencil *ds, const uint32_t *z,
                              uint32_t *words, uint64_t lanes)
{
    i32v depth_field = i32v_set1((int32_t)ds->depth_field);
    struct stencil how = stencil_begin(ds);
    uint64_t passed = 0;

    EACH_VECTOR(i)
    {
        m32v active = lanes_at(lanes, i), stencil = m32v_all(), depth = m32v_all(), both;
        i32v code = i32v_load((const int32_t *)z + i), word, fresh;

        if (!m32v_any(active))
            continue;
        word = i32v_load((const int32_t *)words + i);
        fresh = word;
        if (ds->bounds_test)
            active = m32v_and(active, within_bounds(ds, i32v_and(word, depth_field)));
        if (ds->stencil_test)
            stencil = stencil_passes(&how, word);
        if (ds->depth_test)
            depth = compare_unsigned(ds->depth_func, code, i32v_and(word, depth_field));
        if (ds->stencil_test)
            fresh = stencil_update(&how, word, stencil, depth);
        both = m32v_and(stencil, depth);
        if (ds->depth_write)
            fresh = i32v_select(both, i32v_or(i32v_andnot(depth_field, fresh), code), fresh);
        i32v_store((int32_t *)words + i, i32v_select(active, fresh, word));
        passed |= bits_at(m32v_and(both, active), i);
    }
    return passed;
}

/* --- Depth of blocks where they lie ----------------------------------------------------------- */

SIMD_INLINE void store_block(const struct raster_depth_block *block, unsigned lane, uint64_t lanes,
                             i32v value)
{
    uint8_t *row = block->base + lane / BLOCK_DIM * block->pitch;
    _Alignas(64) int32_t words[SIMD_LANES];

    if (SIMD_LANES <= BLOCK_DIM) {
        i32v_storeu((int32_t *)(void *)row + lane % BLOCK_DIM, value);
        return;
    }
#if SIMD_LANES == 16
    if (has_both_rows(lanes, lane)) {
        _mm256_storeu_si256((__m256i *)(void *)row, _mm512_castsi512_si256(value));
        row += block->pitch;
        _mm256_storeu_si256((__m256i *)(void *)row, _mm512_extracti64x4_epi64(value, 1));
        return;
    }
#endif
    i32v_store(words, value);
    for (unsigned i = 0; i < SIMD_LANES; i += BLOCK_DIM, row += block->pitch)
        if (lanes >> (lane + i) & 0xff)
            memcpy(row, words + i, BLOCK_DIM * 4);
}

/* What of a test is known when its loop is compiled. */
struct block_way {
    bool high24; /* depths are the upper 24 bits of words, UNORM: compared without the rest */
    bool level;  /* all depths are the same */
    bool plain;  /* depth test alone */
    bool judged; /* it has been made: block->verdict */
    unsigned func;
};

/* Depths of the lanes from i on, high24 as numbers, else in their place in words; across: by
 * columns. */
SIMD_INLINE i32v block_depths(const struct raster_depth_stencil *ds,
                              const struct raster_depth_block *block, const f32v *across,
                              bool high24, unsigned i)
{
    f32v y = i32v_to_f32(i32v_srl(i32v_iota((int32_t)i), 3));
    f32v down = f32v_mul(f32v_set1(block->z->c), f32v_add(f32v_set1(block->dy), y));
    f32v z = f32v_add(across[i % BLOCK_DIM / SIMD_LANES], down);

    z = f32v_add(f32v_add(f32v_set1(block->z->a), z), f32v_set1(block->offset));
    if (high24)
        return encode_depth(RASTER_DEPTH_UNORM, z, f32v_set1(0xffffff));
    return i32v_mul(encode_depth(ds->code, z, depth_scale(ds)), i32v_set1(1 << ds->shift));
}

SIMD_INLINE m32v block_passes(const struct raster_depth_stencil *ds, const struct block_way *way,
                              i32v depth, i32v word)
{
    i32v stored = i32v_srl(word, 8);

    if (!way->high24)
        return compare_unsigned(way->func, depth,
                                i32v_and(word, i32v_set1((int32_t)ds->depth_field)));
    if (way->func == D3DCMP_LESS)
        return i32v_lt(depth, stored);
    if (way->func == D3DCMP_LESSEQUAL)
        return m32v_not(i32v_lt(stored, depth));
    return compare_signed(way->func, depth, stored);
}

SIMD_INLINE i32v with_depth(const struct raster_depth_stencil *ds, const struct block_way *way,
                            i32v word, i32v depth)
{
    i32v field = i32v_set1((int32_t)ds->depth_field);

    if (way->high24)
        return i32v_or(i32v_and(word, i32v_set1(0xff)), i32v_sll(depth, 8));
    return i32v_or(i32v_andnot(field, word), depth);
}

SIMD_INLINE uint64_t test_block(const struct raster_depth_stencil *ds,
                                const struct raster_depth_block *block, uint64_t lanes,
                                const struct block_way way)
{
    struct stencil how = stencil_begin(ds);
    bool write =
        block->write && (ds->depth_write || (!way.plain && ds->stencil_test && how.writes));
    f32v across[BLOCK_DIM / SIMD_LANES + 1];
    i32v depth = i32v_set1(0);
    uint64_t passed = 0;

    for (unsigned i = 0; i < BLOCK_DIM; i += SIMD_LANES) {
        f32v x = i32v_to_f32(i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1)));

        across[i / SIMD_LANES] =
            f32v_mul(f32v_set1(block->z->b), f32v_add(f32v_set1(block->dx), x));
    }
    if (way.level)
        depth = block_depths(ds, block, across, way.high24, 0);
    EACH_VECTOR(i)
    {
        m32v active = lanes_at(lanes, i), passes = m32v_all(), changes;
        i32v word, fresh;

        if (!((lanes >> i) & SIMD_ALL_BITS))
            continue;
        word = fresh = load_block(block, i, lanes);
        if (!way.plain && ds->bounds_test)
            active = m32v_and(
                active, within_bounds(ds, i32v_and(word, i32v_set1((int32_t)ds->depth_field))));
        if (way.judged) {
            passes = block->verdict == RASTER_FAILS ? m32v_none() : passes;
        } else if (way.plain || ds->depth_test) {
            if (!way.level)
                depth = block_depths(ds, block, across, way.high24, i);
            passes = block_passes(ds, &way, depth, word);
        }
        changes = passes = m32v_and(passes, active);
        if (!way.plain && ds->stencil_test) {
            m32v stencil = stencil_passes(&how, word);

            if (how.writes)
                fresh = stencil_update(&how, word, stencil, passes);
            passes = m32v_and(passes, stencil);
            changes = how.writes ? active : passes;
        }
        if (!way.judged && ds->depth_write)
            fresh = i32v_select(passes, with_depth(ds, &way, fresh, depth), fresh);
        if (write && m32v_any(changes))
            store_block(block, i, lanes, i32v_select(changes, fresh, word));
        passed |= bits_at(passes, i);
    }
    return passed;
}

/* The usual cases are compiled for themselves. */
static uint64_t depth_block(const struct raster_depth_stencil *ds,
                            const struct raster_depth_block *block, uint64_t lanes)
{
    bool level = block->z->b == 0.0f && block->z->c == 0.0f;
    bool plain = ds->depth_test && !ds->stencil_test && !ds->bounds_test;
    bool judged = block->verdict != RASTER_UNSURE || !ds->depth_test;
    bool high24 = ds->code == RASTER_DEPTH_UNORM && ds->depth_field == 0xffffff00;

#define WAY(...) test_block(ds, block, lanes, (struct block_way){__VA_ARGS__})
    if (judged)
        return WAY(false, false, false, true, D3DCMP_ALWAYS);
    if (high24 && plain && ds->depth_func == D3DCMP_LESSEQUAL && level)
        return WAY(true, true, true, false, D3DCMP_LESSEQUAL);
    if (high24 && plain && ds->depth_func == D3DCMP_LESSEQUAL)
        return WAY(true, false, true, false, D3DCMP_LESSEQUAL);
    if (high24 && ds->depth_func == D3DCMP_LESSEQUAL)
        return WAY(true, false, false, false, D3DCMP_LESSEQUAL);
    if (high24 && plain && ds->depth_func == D3DCMP_LESS)
        return WAY(true, false, true, false, D3DCMP_LESS);
    if (high24)
        return WAY(true, false, false, false, ds->depth_func);
    return WAY(false, false, false, false, ds->depth_func);
#undef WAY
}

SIMD_INLINE bool all_pass(i32v code, i32v field, const uint8_t *base, size_t pitch, unsigned width,
                          unsigned height, unsigned func)
{
    for (unsigned y = 0; y < height; y++, base += pitch) {
        const int32_t *row = (const int32_t *)(const void *)base;
        m32v passes = m32v_all();

        for (unsigned x = 0; x < width; x += SIMD_LANES) {
            i32v stored = i32v_and(i32v_loadu(row + x), field);

            passes = m32v_and(passes, func == D3DCMP_LESSEQUAL
                                          ? m32v_not(i32v_lt(flip(stored), flip(code)))
                                          : compare_unsigned(func, code, stored));
        }
        if (!m32v_every(passes))
            return false;
    }
    return true;
}

static bool depth_level(const struct raster_depth_stencil *ds, uint32_t code, uint8_t *base,
                        size_t pitch, unsigned width, unsigned height)
{
    i32v field = i32v_set1((int32_t)ds->depth_field), depth = i32v_set1((int32_t)code);

    if (ds->depth_func == D3DCMP_ALWAYS) {
        /* Nothing to look at. */
    } else if (ds->depth_func == D3DCMP_LESSEQUAL) {
        if (!all_pass(depth, field, base, pitch, width, height, D3DCMP_LESSEQUAL))
            return false;
    } else if (!all_pass(depth, field, base, pitch, width, height, ds->depth_func)) {
        return false;
    }
    for (unsigned y = 0; y < height && ds->depth_write; y++, base += pitch) {
        int32_t *row = (int32_t *)(void *)base;

        for (unsigned x = 0; x < width; x += SIMD_LANES)
            i32v_storeu(row + x, i32v_or(i32v_andnot(field, i32v_loadu(row + x)), depth));
    }
    return true;
}

/* --- Alpha ------------------------------------------------------------------------------------ */

static uint64_t alpha_test(const float *alpha, unsigned ref, unsigned func)
{
    f32v against = f32v_set1((float)ref), most = f32v_set1(255.0f);
    uint64_t passed = 0;

    EACH_VECTOR(i)
    {
        f32v a = i32v_to_f32(round_half_up(f32v_mul(f32v_sat(f32v_loadu(alpha + i)), most)));
        m32v less = m32v_and(f32v_lt(a, against), compare_bit(func, 1));
        m32v equal = m32v_and(f32v_eq(a, against), compare_bit(func, 2));
        m32v greater = m32v_and(f32v_gt(a, against), compare_bit(func, 4));

        passed |= bits_at(m32v_or(less, m32v_or(equal, greater)), i);
    }
    return passed;
}

const struct raster_depth_kern KERN_NAME(raster_depth_kern) = {
    .block_plane = block_plane,
    .depth_encode = depth_encode,
    .depth_stencil = depth_stencil,
    .depth_block = depth_block,
    .depth_level = depth_level,
    .alpha_test = alpha_test,
};
