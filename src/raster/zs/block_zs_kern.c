/* Depth-stencil kernel for 8x8 blocks in place: hoists a primitive's per-tile setup out of the loop
 * over blocks and specialises the common tests at compile time. */
#include "raster/zs/block_zs_kern.h"

#include "raster/zs/stencil_lanes.h"

/* --- Specialisations -------------------------------------------------------------------------- */

enum stencil_mode {
    STENCIL_NONE,
    STENCIL_COUNT_ONLY, /* depth pass or fail counts up or down; nothing else is written */
    STENCIL_READ_ONLY,  /* neither stencil nor depth is written */
    STENCIL_GENERAL     /* any operations, and depth bounds */
};

/* Properties of a test that are constant when its loop is compiled. */
struct test_spec {
    bool tests; /* runs the depth test; else its outcome is known */
    enum depth_class class;
    bool const_depth; /* one depth for all pixels */
    enum stencil_mode stencil;
    unsigned func;
};

/* Values that all blocks of a call share. */
struct test {
    const struct raster_depth_stencil *ds;
    const struct raster_zs_blocks *blocks;
    struct stencil stencil;
    i32v field, depth_field;
    i32v add_pass, add_fail; /* STENCIL_COUNT_ONLY: increments */
    f32v a, b, c, offset, scale;
    bool write; /* any depth or stencil write */
};

static bool is_count_op(unsigned op)
{
    return op == D3DSTENCILOP_KEEP || op == D3DSTENCILOP_INCR || op == D3DSTENCILOP_DECR;
}

static enum stencil_mode stencil_mode(const struct raster_depth_stencil *ds, bool write)
{
    bool keeps = ds->pass == D3DSTENCILOP_KEEP &&
                 (ds->zfail == D3DSTENCILOP_KEEP || !ds->depth_test) &&
                 (ds->fail == D3DSTENCILOP_KEEP || ds->stencil_func == D3DCMP_ALWAYS);

    if (ds->bounds_test)
        return STENCIL_GENERAL;
    if (!ds->stencil_test)
        return STENCIL_NONE;
    if (!write || (!ds->depth_write && (keeps || !ds->write_mask)))
        return STENCIL_READ_ONLY;
    if (!ds->depth_write && ds->stencil_func == D3DCMP_ALWAYS && is_count_op(ds->pass) &&
        is_count_op(ds->zfail) && !(ds->stencil_field & ~ds->write_mask))
        return STENCIL_COUNT_ONLY;
    return STENCIL_GENERAL;
}

static i32v stencil_increment(const struct raster_depth_stencil *ds, unsigned op)
{
    int32_t one = (int32_t)ds->stencil_one;

    return i32v_set1(op == D3DSTENCILOP_INCR ? one : op == D3DSTENCILOP_DECR ? -one : 0);
}

/* --- One block -------------------------------------------------------------------------------- */

SIMD_INLINE i32v depth_code(const struct test *test, const struct test_spec *spec, f32v across,
                            f32v dy)
{
    f32v z = f32v_add(f32v_add(test->a, f32v_add(across, f32v_mul(test->c, dy))), test->offset);

    return depth_to_class(test->ds, spec->class, z, test->scale);
}

/* One vector of lanes in a block's memory. */
struct vector_at {
    uint8_t *row;
    unsigned lane;  /* first lane, relative to that row */
    uint64_t lanes; /* lane mask from that row on */
};

SIMD_INLINE i32v load_vector(const struct test *test, const struct test_spec *spec,
                             const struct vector_at *at)
{
    return load_block(at->row, test->blocks->pitch, depth_class_bytes(spec->class), at->lane,
                      at->lanes);
}

SIMD_INLINE void store_vector(const struct test *test, const struct test_spec *spec,
                              const struct vector_at *at, i32v word)
{
    store_block(at->row, test->blocks->pitch, depth_class_bytes(spec->class), at->lane, at->lanes,
                word);
}

/* active: lanes under test; passes: those that pass the depth test. Returns the lanes that pass all
 * tests. */
SIMD_INLINE m32v count_stencil(const struct test *test, const struct test_spec *spec,
                               const struct vector_at *at, m32v active, m32v passes, i32v word)
{
    i32v add = i32v_and(m32v_as_i32(active), i32v_select(passes, test->add_pass, test->add_fail));
    i32v fresh = i32v_and(i32v_add(word, add), test->field);

    store_vector(test, spec, at, i32v_or(i32v_andnot(test->field, word), fresh));
    return passes;
}

SIMD_INLINE m32v test_general(const struct test *test, const struct test_spec *spec,
                              const struct vector_at *at, m32v active, m32v passes, i32v word,
                              i32v depth)
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
    if (spec->tests && ds->depth_write)
        fresh = i32v_select(
            passes, depth_class_update(spec->class, fresh, depth, test->depth_field), fresh);
    if (test->write && m32v_any(changes))
        store_vector(test, spec, at, i32v_select(changes, fresh, word));
    return passes;
}

SIMD_INLINE m32v test_lanes(const struct test *test, const struct test_spec *spec,
                            const struct vector_at *at, m32v active, m32v passes, i32v depth)
{
    i32v word = load_vector(test, spec, at), fresh;

    if (spec->tests)
        passes = m32v_and(
            active, depth_class_passes(spec->class, spec->func, depth, word, test->depth_field));
    if (spec->stencil == STENCIL_COUNT_ONLY)
        return count_stencil(test, spec, at, active, passes, word);
    if (spec->stencil == STENCIL_READ_ONLY)
        return m32v_and(passes, stencil_passes(&test->stencil, word));
    if (spec->stencil == STENCIL_GENERAL)
        return test_general(test, spec, at, active, passes, word, depth);
    fresh = depth_class_update(spec->class, word, depth, test->depth_field);
    if (test->write) /* unconditional: a branch on any passing lane mispredicts */
        store_vector(test, spec, at, i32v_select(passes, fresh, word));
    return passes;
}

/* all: every lane is set; fails: the lanes are known to fail, used if no depth test runs. */
SIMD_INLINE uint64_t test_block(const struct test *test, const struct test_spec *spec,
                                uint8_t *base, float dx, float dy, uint64_t lanes, bool all,
                                bool fails)
{
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    f32v across[BLOCK_DIM / SIMD_LANES + 1], down, x;
    i32v depth = i32v_set1(0);
    uint64_t passed = 0;

    for (unsigned i = 0; i < BLOCK_DIM && spec->tests; i += SIMD_LANES) {
        x = i32v_to_f32(i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1)));
        across[i / SIMD_LANES] = f32v_mul(test->b, f32v_add(f32v_set1(dx), x));
    }
    down = f32v_add(f32v_set1(dy), i32v_to_f32(i32v_srl(i32v_iota(0), 3)));
    if (spec->const_depth)
        depth = depth_code(test, spec, across[0], down);
    for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES) {
        struct vector_at at = {base, i % BLOCK_DIM, all ? ~UINT64_C(0) : lanes};
        m32v active = all ? m32v_all() : lanes_at(lanes, at.lane), passes;

        if (all || (lanes >> at.lane & SIMD_ALL_BITS)) {
            if (spec->tests && !spec->const_depth)
                depth = depth_code(test, spec, across[i % BLOCK_DIM / SIMD_LANES], down);
            passes = test_lanes(test, spec, &at, active, fails ? m32v_none() : active, depth);
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

/* --- All blocks ------------------------------------------------------------------------------- */

SIMD_INLINE struct test begin_test(const struct raster_depth_stencil *ds,
                                   const struct raster_zs_blocks *blocks)
{
    struct stencil stencil = stencil_begin(ds);

    return (struct test){
        .ds = ds,
        .blocks = blocks,
        .stencil = stencil,
        .field = i32v_set1((int32_t)ds->stencil_field),
        .depth_field = i32v_set1((int32_t)ds->depth_field),
        .add_pass = stencil_increment(ds, ds->pass),
        .add_fail = stencil_increment(ds, ds->zfail),
        .a = f32v_set1(blocks->z->a0),
        .b = f32v_set1(blocks->z->dadx),
        .c = f32v_set1(blocks->z->dady),
        .offset = f32v_set1(blocks->offset),
        .scale = depth_scale(ds),
        .write = blocks->write && (ds->depth_write || (ds->stencil_test && stencil.writes)),
    };
}

SIMD_INLINE void test_blocks(const struct raster_depth_stencil *ds,
                             const struct raster_zs_blocks *blocks, uint64_t wanted,
                             const struct test_spec spec, bool fails)
{
    struct test test = begin_test(ds, blocks);

    for (; wanted; wanted &= wanted - 1) {
        unsigned block = (unsigned)__builtin_ctzll(wanted);
        unsigned x = block % BLOCK_DIM * BLOCK_DIM, y = block / BLOCK_DIM * BLOCK_DIM;
        uint64_t *lanes = blocks->lanes + (size_t)block * blocks->stride;
        uint8_t *base =
            blocks->base + y * blocks->pitch + (size_t)x * depth_class_bytes(spec.class);
        float dx = blocks->dx + (float)x, dy = blocks->dy + (float)y;

        if (!~*lanes)
            *lanes = test_block(&test, &spec, base, dx, dy, *lanes, true, fails);
        else
            *lanes = test_block(&test, &spec, base, dx, dy, *lanes, false, fails);
    }
}

/* 16-bit formats with stencil are rare, so only 32-bit ones have loops for some stencil modes. */
static void test_known(const struct raster_depth_stencil *ds, const struct raster_zs_blocks *blocks,
                       enum stencil_mode stencil, uint64_t wanted, bool fails)
{
#define TEST(...) test_blocks(ds, blocks, wanted, (struct test_spec){__VA_ARGS__}, fails)
    if (depth_class_bytes(depth_class_of(ds)) == 2)
        TEST(.class = DEPTH_ANY16, .stencil = STENCIL_GENERAL);
    else if (stencil == STENCIL_COUNT_ONLY)
        TEST(.stencil = STENCIL_COUNT_ONLY);
    else if (stencil == STENCIL_READ_ONLY)
        TEST(.stencil = STENCIL_READ_ONLY);
    else
        TEST(.stencil = STENCIL_GENERAL);
#undef TEST
}

#define TEST(...)                                                                                  \
    test_blocks(ds, blocks, wanted, (struct test_spec){.tests = true, __VA_ARGS__}, false)

/* Tests without stencil and bounds, for a constant class. */
SIMD_INLINE void test_depths_alone(const struct raster_depth_stencil *ds,
                                   const struct raster_zs_blocks *blocks, uint64_t wanted,
                                   enum depth_class class)
{
    bool const_depth = blocks->z->dadx == 0.0f && blocks->z->dady == 0.0f;
    unsigned func = ds->depth_func;

    if (func == D3DCMP_LESSEQUAL && const_depth)
        TEST(.class = class, .const_depth = true, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESSEQUAL)
        TEST(.class = class, .func = D3DCMP_LESSEQUAL);
    else if (func == D3DCMP_LESS)
        TEST(.class = class, .func = D3DCMP_LESS);
    else
        TEST(.class = class, .stencil = STENCIL_GENERAL, .func = func);
}

static void test_depths(const struct raster_depth_stencil *ds,
                        const struct raster_zs_blocks *blocks, enum stencil_mode stencil,
                        uint64_t wanted)
{
    enum depth_class class = depth_class_of(ds);
    unsigned func = ds->depth_func;

    if (class == DEPTH_HIGH24 && stencil == STENCIL_NONE)
        test_depths_alone(ds, blocks, wanted, DEPTH_HIGH24);
    else if (class == DEPTH_UNORM16 && stencil == STENCIL_NONE)
        test_depths_alone(ds, blocks, wanted, DEPTH_UNORM16);
    else if (class == DEPTH_HIGH24 && func == D3DCMP_LESSEQUAL && stencil == STENCIL_COUNT_ONLY)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_COUNT_ONLY, .func = D3DCMP_LESSEQUAL);
    else if (class == DEPTH_HIGH24 && func == D3DCMP_LESSEQUAL)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_GENERAL, .func = D3DCMP_LESSEQUAL);
    else if (class == DEPTH_HIGH24 && func == D3DCMP_LESS && stencil == STENCIL_COUNT_ONLY)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_COUNT_ONLY, .func = D3DCMP_LESS);
    else if (class == DEPTH_HIGH24)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_GENERAL, .func = func);
    else if (depth_class_bytes(class) == 2)
        TEST(.class = DEPTH_ANY16, .stencil = STENCIL_GENERAL, .func = func);
    else
        TEST(.stencil = STENCIL_GENERAL, .func = func);
}
#undef TEST

static void test(const struct raster_depth_stencil *ds, const struct raster_zs_blocks *blocks,
                 uint64_t wanted)
{
    enum stencil_mode stencil = stencil_mode(ds, blocks->write);
    uint64_t passes = ds->depth_test ? blocks->passes & wanted : wanted;
    uint64_t fails = blocks->fails & wanted & ~passes, undecided = wanted & ~passes & ~fails;

    if (passes)
        test_known(ds, blocks, stencil, passes, false);
    if (fails)
        test_known(ds, blocks, stencil, fails, true);
    if (undecided)
        test_depths(ds, blocks, stencil, undecided);
}

const struct raster_block_zs_kern KERN_NAME(raster_block_zs_kern) = {.test = test};
