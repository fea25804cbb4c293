/* Depth and stencil of blocks where they lie: what is common to all of a primitive's blocks in a
 * tile is made once, and the usual tests are compiled for themselves. */
#include "raster/block_zs_kern.h"

#include "raster/stencil_lanes.h"

/* --- Ways ------------------------------------------------------------------------------------- */

enum stencil_way {
    STENCIL_NONE,
    STENCIL_COUNTS, /* what passes or fails by depth is counted up or down, nothing else */
    STENCIL_READS,  /* nothing is written, depth neither */
    STENCIL_ANY     /* and depth bounds */
};

/* What of a test is known when its loop is compiled. */
struct way {
    bool tests;  /* by depth; else that outcome is known */
    bool high24; /* depths are the upper 24 bits of words, UNORM: compared without the rest */
    bool const_depth; /* all depths are the same */
    enum stencil_way stencil;
    unsigned func;
};

/* What of a test all blocks have in common. */
struct test {
    const struct raster_depth_stencil *ds;
    const struct raster_test_blocks *blocks;
    struct stencil stencil;
    i32v field, depth_field;
    i32v counts_pass, counts_fail; /* STENCIL_COUNTS: to add */
    f32v a, b, c, offset, scale;
    bool write; /* anything */
};

static bool only_counts(unsigned op)
{
    return op == D3DSTENCILOP_KEEP || op == D3DSTENCILOP_INCR || op == D3DSTENCILOP_DECR;
}

static enum stencil_way stencil_way(const struct raster_depth_stencil *ds, bool write)
{
    bool keeps = ds->pass == D3DSTENCILOP_KEEP &&
                 (ds->zfail == D3DSTENCILOP_KEEP || !ds->depth_test) &&
                 (ds->fail == D3DSTENCILOP_KEEP || ds->stencil_func == D3DCMP_ALWAYS);

    if (ds->bounds_test)
        return STENCIL_ANY;
    if (!ds->stencil_test)
        return STENCIL_NONE;
    if (!write || (!ds->depth_write && (keeps || !ds->write_mask)))
        return STENCIL_READS;
    if (!ds->depth_write && ds->stencil_func == D3DCMP_ALWAYS && only_counts(ds->pass) &&
        only_counts(ds->zfail) && !(ds->stencil_field & ~ds->write_mask))
        return STENCIL_COUNTS;
    return STENCIL_ANY;
}

static i32v count(const struct raster_depth_stencil *ds, unsigned op)
{
    int32_t one = (int32_t)ds->stencil_one;

    return i32v_set1(op == D3DSTENCILOP_INCR ? one : op == D3DSTENCILOP_DECR ? -one : 0);
}

/* --- One block -------------------------------------------------------------------------------- */

/* high24 as numbers, else in their place in words. */
SIMD_INLINE i32v depth_code(const struct test *test, const struct way *way, f32v across, f32v dy)
{
    f32v z = f32v_add(f32v_add(test->a, f32v_add(across, f32v_mul(test->c, dy))), test->offset);

    if (way->high24)
        return encode_depth(RASTER_DEPTH_UNORM, z, f32v_set1(0xffffff));
    return i32v_mul(encode_depth(test->ds->code, z, test->scale), i32v_set1(1 << test->ds->shift));
}

SIMD_INLINE m32v depth_passes(const struct test *test, const struct way *way, i32v depth, i32v word)
{
    i32v stored = i32v_srl(word, 8);

    if (!way->high24)
        return compare_unsigned(way->func, depth, i32v_and(word, test->depth_field));
    if (way->func == D3DCMP_LESS)
        return i32v_lt(depth, stored);
    if (way->func == D3DCMP_LESSEQUAL)
        return m32v_not(i32v_lt(stored, depth));
    return compare_signed(way->func, depth, stored);
}

SIMD_INLINE i32v with_depth(const struct test *test, const struct way *way, i32v word, i32v depth)
{
    if (way->high24)
        return i32v_or(i32v_and(word, i32v_set1(0xff)), i32v_sll(depth, 8));
    return i32v_or(i32v_andnot(test->depth_field, word), depth);
}

/* Some lanes of a block, from a row of it on. */
struct place {
    uint8_t *row;
    unsigned lane;  /* the first, in that row */
    uint64_t lanes; /* of that row and those below */
};

SIMD_INLINE i32v load_place(const struct test *test, const struct place *at)
{
    return load_block(at->row, test->blocks->pitch, at->lane, at->lanes);
}

SIMD_INLINE void store_place(const struct test *test, const struct place *at, i32v word)
{
    store_block(at->row, test->blocks->pitch, at->lane, at->lanes, word);
}

/* active: what is tested; passes: what of it passes by depth. They return what passes all. */
SIMD_INLINE m32v count_lanes(const struct test *test, const struct place *at, m32v active,
                             m32v passes, i32v word)
{
    i32v add =
        i32v_and(m32v_as_i32(active), i32v_select(passes, test->counts_pass, test->counts_fail));
    i32v fresh = i32v_and(i32v_add(word, add), test->field);

    store_place(test, at, i32v_or(i32v_andnot(test->field, word), fresh));
    return passes;
}

SIMD_INLINE m32v test_any(const struct test *test, const struct way *way, const struct place *at,
                          m32v active, m32v passes, i32v word, i32v depth)
{
    const struct raster_depth_stencil *ds = test->ds;
    m32v changes = passes;
    i32v fresh = word;

    if (ds->bounds_test) {
        active = m32v_and(active, within_bounds(ds, i32v_and(word, test->depth_field)));
        changes = passes = m32v_and(passes, active);
    }
    if (ds->stencil_test) {
        m32v stencil = stencil_passes(&test->stencil, word);

        if (test->stencil.writes)
            fresh = stencil_update(&test->stencil, word, stencil, passes);
        passes = m32v_and(passes, stencil);
        changes = test->stencil.writes ? active : passes;
    }
    if (way->tests && ds->depth_write)
        fresh = i32v_select(passes, with_depth(test, way, fresh, depth), fresh);
    if (test->write && m32v_any(changes))
        store_place(test, at, i32v_select(changes, fresh, word));
    return passes;
}

SIMD_INLINE m32v test_lanes(const struct test *test, const struct way *way, const struct place *at,
                            m32v active, m32v passes, i32v depth)
{
    i32v word = load_place(test, at);

    if (way->tests)
        passes = m32v_and(active, depth_passes(test, way, depth, word));
    if (way->stencil == STENCIL_COUNTS)
        return count_lanes(test, at, active, passes, word);
    if (way->stencil == STENCIL_READS)
        return m32v_and(passes, stencil_passes(&test->stencil, word));
    if (way->stencil == STENCIL_ANY)
        return test_any(test, way, at, active, passes, word, depth);
    if (test->write) /* whether any passes cannot be foretold */
        store_place(test, at, i32v_select(passes, with_depth(test, way, word, depth), word));
    return passes;
}

/* all: of the lanes; fails: known to fail by depth, where the way does not test it. */
SIMD_INLINE uint64_t test_block(const struct test *test, const struct way *way, uint8_t *base,
                                float dx, float dy, uint64_t lanes, bool all, bool fails)
{
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    f32v across[BLOCK_DIM / SIMD_LANES + 1], down, x;
    i32v depth = i32v_set1(0);
    uint64_t passed = 0;

    for (unsigned i = 0; i < BLOCK_DIM && way->tests; i += SIMD_LANES) {
        x = i32v_to_f32(i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1)));
        across[i / SIMD_LANES] = f32v_mul(test->b, f32v_add(f32v_set1(dx), x));
    }
    down = f32v_add(f32v_set1(dy), i32v_to_f32(i32v_srl(i32v_iota(0), 3)));
    if (way->const_depth)
        depth = depth_code(test, way, across[0], down);
    for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES) {
        struct place at = {base, i % BLOCK_DIM, all ? ~UINT64_C(0) : lanes};
        m32v active = all ? m32v_all() : lanes_at(lanes, at.lane), passes;

        if (all || (lanes >> at.lane & SIMD_ALL_BITS)) {
            if (way->tests && !way->const_depth)
                depth = depth_code(test, way, across[i % BLOCK_DIM / SIMD_LANES], down);
            passes = test_lanes(test, way, &at, active, fails ? m32v_none() : active, depth);
            passed |= bits_at(passes, i);
        }
        if ((i + SIMD_LANES) % BLOCK_DIM)
            continue;
        down = f32v_add(down, f32v_set1(ROWS));
        base += ROWS * test->blocks->pitch;
        lanes >>= ROWS * BLOCK_DIM;
    }
    return passed;
}

/* --- All of them ------------------------------------------------------------------------------ */

SIMD_INLINE struct test begin_test(const struct raster_depth_stencil *ds,
                                   const struct raster_test_blocks *blocks)
{
    struct stencil stencil = stencil_begin(ds);

    return (struct test){
        .ds = ds,
        .blocks = blocks,
        .stencil = stencil,
        .field = i32v_set1((int32_t)ds->stencil_field),
        .depth_field = i32v_set1((int32_t)ds->depth_field),
        .counts_pass = count(ds, ds->pass),
        .counts_fail = count(ds, ds->zfail),
        .a = f32v_set1(blocks->z->a0),
        .b = f32v_set1(blocks->z->dadx),
        .c = f32v_set1(blocks->z->dady),
        .offset = f32v_set1(blocks->offset),
        .scale = depth_scale(ds),
        .write = blocks->write && (ds->depth_write || (ds->stencil_test && stencil.writes)),
    };
}

SIMD_INLINE void test_blocks(const struct raster_depth_stencil *ds,
                             const struct raster_test_blocks *blocks, uint64_t wanted,
                             const struct way way, bool fails)
{
    struct test test = begin_test(ds, blocks);

    for (; wanted; wanted &= wanted - 1) {
        unsigned block = (unsigned)__builtin_ctzll(wanted);
        unsigned x = block % BLOCK_DIM * BLOCK_DIM, y = block / BLOCK_DIM * BLOCK_DIM;
        uint64_t *lanes = blocks->lanes + (size_t)block * blocks->stride;
        uint8_t *base = blocks->base + y * blocks->pitch + (size_t)x * 4;
        float dx = blocks->dx + (float)x, dy = blocks->dy + (float)y;

        if (!~*lanes)
            *lanes = test_block(&test, &way, base, dx, dy, *lanes, true, fails);
        else
            *lanes = test_block(&test, &way, base, dx, dy, *lanes, false, fails);
    }
}

static void test_known(const struct raster_depth_stencil *ds,
                       const struct raster_test_blocks *blocks, enum stencil_way stencil,
                       uint64_t wanted, bool fails)
{
    if (stencil == STENCIL_COUNTS)
        test_blocks(ds, blocks, wanted, (struct way){.stencil = STENCIL_COUNTS}, fails);
    else if (stencil == STENCIL_READS)
        test_blocks(ds, blocks, wanted, (struct way){.stencil = STENCIL_READS}, fails);
    else
        test_blocks(ds, blocks, wanted, (struct way){.stencil = STENCIL_ANY}, fails);
}

static void test_depths(const struct raster_depth_stencil *ds,
                        const struct raster_test_blocks *blocks, enum stencil_way stencil,
                        uint64_t wanted)
{
    bool const_depth = blocks->z->dadx == 0.0f && blocks->z->dady == 0.0f;
    bool high24 = ds->code == RASTER_DEPTH_UNORM && ds->depth_field == 0xffffff00;
    unsigned func = ds->depth_func;

#define WAY(...) test_blocks(ds, blocks, wanted, (struct way){.tests = true, __VA_ARGS__}, false)
    if (!high24)
        WAY(.stencil = STENCIL_ANY, .func = func);
    else if (func == D3DCMP_LESSEQUAL && stencil == STENCIL_NONE && const_depth)
        WAY(.high24 = true, .const_depth = true, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESSEQUAL && stencil == STENCIL_NONE)
        WAY(.high24 = true, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESSEQUAL && stencil == STENCIL_COUNTS)
        WAY(.high24 = true, .stencil = STENCIL_COUNTS, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESSEQUAL)
        WAY(.high24 = true, .stencil = STENCIL_ANY, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESS && stencil == STENCIL_NONE)
        WAY(.high24 = true, .func = D3DCMP_LESS);
    else if (func == D3DCMP_LESS && stencil == STENCIL_COUNTS)
        WAY(.high24 = true, .stencil = STENCIL_COUNTS, .func = D3DCMP_LESS);
    else
        WAY(.high24 = true, .stencil = STENCIL_ANY, .func = func);
#undef WAY
}

static void test(const struct raster_depth_stencil *ds, const struct raster_test_blocks *blocks,
                 uint64_t wanted)
{
    enum stencil_way stencil = stencil_way(ds, blocks->write);
    uint64_t passes = ds->depth_test ? blocks->passes & wanted : wanted;
    uint64_t fails = blocks->fails & wanted & ~passes, unsure = wanted & ~passes & ~fails;

    if (passes)
        test_known(ds, blocks, stencil, passes, false);
    if (fails)
        test_known(ds, blocks, stencil, fails, true);
    if (unsure)
        test_depths(ds, blocks, stencil, unsure);
}

const struct raster_block_test_kern KERN_NAME(raster_block_test_kern) = {.test = test};
