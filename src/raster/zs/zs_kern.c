/* Depth-stencil kernel: one test of a vector of words, whose common cases are specialised at
 * compile time, in loops over the blocks of a tile, over quads, and over fragments (reference:
 * depth/functions). */
#include "raster/zs/zs_kern.h"

#include "raster/output/frag_words.h"
#include "raster/prim/quad_lanes.h"
#include "raster/zs/stencil_lanes.h"

#include <string.h>

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
    bool ordered; /* the depth function is a depth_order; not of DEPTH_ANY32 */
    bool depths;  /* depths are given, not evaluated */
    enum stencil_mode stencil;
};

/* Values that all vectors of a call share. */
struct test {
    const struct raster_depth_stencil *ds;
    struct stencil stencil;
    struct depth_order order;
    i32v field, depth_field;
    i32v add_pass, add_fail; /* STENCIL_COUNT_ONLY: increments */
    f32v scale;
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

SIMD_INLINE struct test begin_test(const struct raster_depth_stencil *ds, bool write)
{
    struct stencil stencil = stencil_begin(ds);

    return (struct test){
        .ds = ds,
        .stencil = stencil,
        .order = depth_order_of(ds->depth_func),
        .field = i32v_set1((int32_t)ds->stencil_field),
        .depth_field = i32v_set1((int32_t)ds->depth_field),
        .add_pass = stencil_increment(ds, ds->pass),
        .add_fail = stencil_increment(ds, ds->zfail),
        .scale = depth_scale(ds),
        .write = write && (ds->depth_write || (ds->stencil_test && stencil.writes)),
    };
}

/* --- One vector ------------------------------------------------------------------------------- */

/* passes: lanes that pass all tests; changes: lanes whose word may change; word: the words of all
 * lanes afterwards. */
struct outcome {
    m32v passes, changes;
    i32v word;
};

SIMD_INLINE struct outcome count_stencil(const struct test *test, m32v active, m32v passes,
                                         i32v word)
{
    i32v add = i32v_and(m32v_as_i32(active), i32v_select(passes, test->add_pass, test->add_fail));
    i32v fresh = i32v_and(i32v_add(word, add), test->field);

    return (struct outcome){passes, active, i32v_or(i32v_andnot(test->field, word), fresh)};
}

SIMD_INLINE struct outcome test_general(const struct test *test, const struct test_spec *spec,
                                        m32v active, m32v passes, i32v depth, i32v word)
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
    return (struct outcome){passes, changes, i32v_select(changes, fresh, word)};
}

/* active: lanes under test; passes: those that pass the depth test if none runs. */
SIMD_INLINE struct outcome test_words(const struct test *test, const struct test_spec *spec,
                                      m32v active, m32v passes, i32v depth, i32v word)
{
    i32v fresh, stored = depth_class_stored(spec->class, word, test->depth_field);

    if (spec->tests && spec->ordered)
        passes = m32v_and(active, depth_order_passes(&test->order, depth, stored));
    else if (spec->tests)
        passes =
            m32v_and(active, depth_class_passes(spec->class, test->ds->depth_func, depth, stored));
    if (spec->stencil == STENCIL_COUNT_ONLY)
        return count_stencil(test, active, passes, word);
    if (spec->stencil == STENCIL_READ_ONLY)
        return (struct outcome){m32v_and(passes, stencil_passes(&test->stencil, word)), passes,
                                word};
    if (spec->stencil == STENCIL_GENERAL)
        return test_general(test, spec, active, passes, depth, word);
    fresh = depth_class_update(spec->class, word, depth, test->depth_field);
    return (struct outcome){passes, passes, i32v_select(passes, fresh, word)};
}

/* Whether words are stored: with general tests only if one changes; elsewhere a branch on any
 * passing lane mispredicts. */
SIMD_INLINE bool stores(const struct test *test, const struct test_spec *spec,
                        const struct outcome *outcome)
{
    if (spec->stencil == STENCIL_COUNT_ONLY) /* only if it writes */
        return true;
    return spec->stencil != STENCIL_READ_ONLY && test->write &&
           (spec->stencil != STENCIL_GENERAL || m32v_any(outcome->changes));
}

/* --- One block -------------------------------------------------------------------------------- */

/* Values that all blocks of a call share. */
struct plane {
    f32v a, b, c, offset;
    bool is_const; /* one depth for all pixels */
};

SIMD_INLINE i32v depth_code(const struct test *test, const struct test_spec *spec,
                            const struct plane *plane, f32v across, f32v dy)
{
    f32v z = f32v_add(f32v_add(plane->a, f32v_add(across, f32v_mul(plane->c, dy))), plane->offset);

    return depth_to_class(test->ds, spec->class, z, test->scale);
}

/* all: every lane is set; fails: the lanes are known to fail, used if no depth test runs. */
SIMD_INLINE uint64_t test_block(const struct test *test, const struct test_spec *spec,
                                const struct plane *plane, const struct raster_zs_blocks *blocks,
                                uint8_t *base, float dx, float dy, uint64_t lanes, bool all,
                                bool fails)
{
    enum { ROWS = SIMD_LANES > BLOCK_DIM ? SIMD_LANES / BLOCK_DIM : 1 };
    const bool evaluates = spec->tests && !spec->depths;
    const unsigned bytes = depth_class_bytes(spec->class);
    f32v across[BLOCK_DIM / SIMD_LANES + 1], down, x;
    i32v depth = i32v_set1(0);
    uint64_t passed = 0;

    for (unsigned i = 0; i < BLOCK_DIM && evaluates; i += SIMD_LANES) {
        x = i32v_to_f32(i32v_and(i32v_iota((int32_t)i), i32v_set1(BLOCK_DIM - 1)));
        across[i / SIMD_LANES] = f32v_mul(plane->b, f32v_add(f32v_set1(dx), x));
    }
    down = f32v_add(f32v_set1(dy), i32v_to_f32(i32v_srl(i32v_iota(0), 3)));
    if (evaluates && plane->is_const)
        depth = depth_code(test, spec, plane, across[0], down);
    for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES) {
        unsigned lane = i % BLOCK_DIM; /* from the row at `base` on, as are `lanes` */
        uint64_t rows = all ? ~UINT64_C(0) : lanes;
        m32v active = all ? m32v_all() : lanes_at(lanes, lane);

        if (all || (lanes >> lane & SIMD_ALL_BITS)) {
            struct outcome outcome;

            if (spec->depths)
                depth = depth_to_class(test->ds, spec->class, f32v_loadu(blocks->depths + i),
                                       test->scale);
            else if (spec->tests && !plane->is_const)
                depth = depth_code(test, spec, plane, across[lane / SIMD_LANES], down);
            outcome = test_words(test, spec, active, fails ? m32v_none() : active, depth,
                                 load_block(base, blocks->pitch, bytes, lane, rows));
            if (stores(test, spec, &outcome))
                store_block(base, blocks->pitch, bytes, lane, rows, outcome.word);
            passed |= bits_at(outcome.passes, i);
        }
        if ((i + SIMD_LANES) % BLOCK_DIM)
            continue;
        down = f32v_add(down, f32v_set1(ROWS));
        base += ROWS * blocks->pitch;
        lanes >>= ROWS * BLOCK_DIM;
    }
    return passed;
}

/* --- All blocks ------------------------------------------------------------------------------- */

SIMD_INLINE void test_blocks(const struct raster_depth_stencil *ds,
                             const struct raster_zs_blocks *blocks, uint64_t wanted,
                             const struct test_spec spec, bool fails)
{
    struct test test = begin_test(ds, blocks->write);
    const struct raster_interp_plane none = {0}, *z = blocks->z ? blocks->z : &none;
    struct plane plane = {f32v_set1(z->a0), f32v_set1(z->dadx), f32v_set1(z->dady),
                          f32v_set1(blocks->offset), z->dadx == 0.0f && z->dady == 0.0f};

    for (; wanted; wanted &= wanted - 1) {
        unsigned block = (unsigned)__builtin_ctzll(wanted);
        unsigned x = block % BLOCK_DIM * BLOCK_DIM, y = block / BLOCK_DIM * BLOCK_DIM;
        uint64_t *lanes = blocks->lanes + (size_t)block * blocks->stride;
        uint8_t *base =
            blocks->base + y * blocks->pitch + (size_t)x * depth_class_bytes(spec.class);
        float dx = blocks->dx + (float)x, dy = blocks->dy + (float)y;

        if (!~*lanes)
            *lanes = test_block(&test, &spec, &plane, blocks, base, dx, dy, *lanes, true, fails);
        else
            *lanes = test_block(&test, &spec, &plane, blocks, base, dx, dy, *lanes, false, fails);
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

static void test_depths(const struct raster_depth_stencil *ds,
                        const struct raster_zs_blocks *blocks, enum stencil_mode stencil,
                        uint64_t wanted)
{
    enum depth_class class = depth_class_of(ds);
    bool ordered = depth_is_ordered(ds->depth_func);

    if (blocks->depths && class == DEPTH_HIGH24)
        TEST(.class = DEPTH_HIGH24, .depths = true, .stencil = STENCIL_GENERAL, .ordered = ordered);
    else if (blocks->depths && depth_class_bytes(class) == 2)
        TEST(.class = DEPTH_ANY16, .depths = true, .stencil = STENCIL_GENERAL);
    else if (blocks->depths)
        TEST(.depths = true, .stencil = STENCIL_GENERAL);
    else if (class == DEPTH_HIGH24 && stencil == STENCIL_NONE && ordered)
        TEST(.class = DEPTH_HIGH24, .ordered = true);
    else if (class == DEPTH_UNORM16 && stencil == STENCIL_NONE && ordered)
        TEST(.class = DEPTH_UNORM16, .ordered = true);
    else if (class == DEPTH_UNORM16 && stencil == STENCIL_NONE)
        TEST(.class = DEPTH_UNORM16);
    else if (class == DEPTH_HIGH24 && stencil == STENCIL_NONE)
        TEST(.class = DEPTH_HIGH24);
    else if (class == DEPTH_HIGH24 && stencil == STENCIL_COUNT_ONLY && ordered)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_COUNT_ONLY, .ordered = true);
    else if (class == DEPTH_HIGH24 && ordered)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_GENERAL, .ordered = true);
    else if (class == DEPTH_HIGH24)
        TEST(.class = DEPTH_HIGH24, .stencil = STENCIL_GENERAL);
    else if (depth_class_bytes(class) == 2)
        TEST(.class = DEPTH_ANY16, .stencil = STENCIL_GENERAL);
    else
        TEST(.stencil = STENCIL_GENERAL);
}
#undef TEST

static void test_all_blocks(const struct raster_depth_stencil *ds,
                            const struct raster_zs_blocks *blocks, uint64_t wanted)
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

/* --- Lanes of a batch ------------------------------------------------------------------------- */

/* Loads the pixels of a vector's quads. at: from raster_quad_offsets. */
SIMD_INLINE i32v load_quads(const uint8_t *base, size_t pitch, const uint32_t *at, unsigned lane,
                            unsigned bytes)
{
    const char *from[SIMD_QUADS];

    UNROLL
    for (unsigned i = 0; i < SIMD_QUADS; i++) {
        from[i] = (const char *)base + at[lane / 4 + i];
        if (SIMD_LANES == 1)
            from[i] += (size_t)(lane & 1) * bytes + (lane >> 1 & 1) * pitch;
    }
    if (bytes == 2)
        return i32v_load_uint16_pairs_of_rows(from, pitch);
    return i32v_load_pairs_of_rows(from, pitch);
}

/* Stores two adjacent words as pixels, each only if its bit of `covered` is set. */
SIMD_INLINE void store_pair(unsigned bytes, uint8_t *to, const uint32_t *words, unsigned covered)
{
    uint32_t both = words[0] | words[1] << 16; /* of 16 bits */

    raster_put_pair(bytes, to, (const uint8_t *)(bytes == 2 ? &both : words), covered);
}

SIMD_INLINE void store_quads(uint8_t *base, size_t pitch, const uint32_t *at, const int32_t *in,
                             unsigned n, uint64_t changed, unsigned bytes)
{
    const uint32_t *words = (const uint32_t *)in;

    for (unsigned q = 0; q < n; q++, words += 4, changed >>= 4) {
        store_pair(bytes, base + at[q], words, changed & 3);
        store_pair(bytes, base + at[q] + pitch, words + 2, changed >> 2 & 3);
    }
}

/* Positions of the sample in the quads' upper left pixels. */
SIMD_INLINE void find_sample_origins(struct quad_origins *origins,
                                     const struct raster_zs_lanes *lanes)
{
    find_quad_origins(origins, lanes->quads);
    for (unsigned i = 0; i < QUADS; i += SIMD_LANES) {
        f32v_store(origins->x + i, f32v_add(f32v_load(origins->x + i), f32v_set1(lanes->x)));
        f32v_store(origins->y + i, f32v_add(f32v_load(origins->y + i), f32v_set1(lanes->y)));
    }
}

SIMD_INLINE uint64_t test_quads(const struct raster_depth_stencil *ds,
                                const struct raster_zs_lanes *lanes, uint64_t wanted,
                                const struct test_spec spec)
{
    const struct raster_quads *quads = lanes->quads;
    const unsigned bytes = depth_class_bytes(spec.class);
    struct test test = begin_test(ds, lanes->write);
    _Alignas(64) int32_t words[RASTER_LANES];
    _Alignas(64) uint32_t at[QUADS];
    struct quad_origins origins;
    uint64_t passed = 0, changed = 0;

    raster_quad_offsets(quads, lanes->pitch, bytes, at);
    if (!spec.depths)
        find_sample_origins(&origins, lanes);
    for (unsigned lane = 0; lane < quads->n * 4; lane += SIMD_LANES) {
        m32v active = lanes_at(wanted, lane);
        i32v word = load_quads(lanes->base, lanes->pitch, at, lane, bytes);
        struct outcome outcome;
        struct quad_pixels p;
        f32v z;

        if (spec.depths) {
            z = f32v_loadu(lanes->depths + lane);
        } else {
            find_quad_pixels(&p, &origins, quads, lane);
            z = f32v_add(quad_depth_at(&p), p.offset);
        }
        outcome = test_words(&test, &spec, active, active,
                             depth_to_class(ds, spec.class, z, test.scale), word);
        passed |= bits_at(outcome.passes, lane);
        changed |= bits_at(outcome.changes, lane);
        i32v_store(words + lane, outcome.word);
    }
    if (test.write)
        store_quads(lanes->base, lanes->pitch, at, words, quads->n, changed, bytes);
    return passed;
}

/* Stores the old word where the test fails; no other thread accesses this tile. */
SIMD_INLINE uint64_t test_fragments(const struct raster_depth_stencil *ds,
                                    const struct raster_zs_lanes *lanes, uint64_t wanted,
                                    const struct test_spec spec)
{
    _Alignas(64) int32_t at[RASTER_LANES + SIMD_LANES], words[RASTER_LANES + SIMD_LANES];
    const struct tile_surface surface = {lanes->base, lanes->pitch};
    const unsigned bytes = depth_class_bytes(spec.class);
    unsigned n = lanes->frags->n - lanes->first;
    struct test test = begin_test(ds, lanes->write);
    void *base = lanes->base;
    uint64_t passed = 0;

    for (unsigned i = 0; i < n; i += SIMD_LANES) {
        i32v index = raster_frag_offsets(lanes->frags, &surface, lanes->first + i, bytes), word;
        m32v active = lanes_at(wanted, i);
        f32v z = f32v_loadu(lanes->depths + i);
        struct outcome outcome;

        i32v_store(at + i, index);
        word = bytes == 2 ? i32v_load_uint16_at(base, at + i) : i32v_gather(base, index);
        outcome = test_words(&test, &spec, active, active,
                             depth_to_class(ds, spec.class, z, test.scale), word);
        passed |= bits_at(outcome.passes, i);
        i32v_store(words + i, outcome.word);
    }
    if (test.write && bytes == 2)
        raster_put_uint16(base, at, words, n);
    else if (test.write)
        raster_put_words(base, at, words, n);
    return passed & ~UINT64_C(0) >> (RASTER_LANES - n);
}

SIMD_INLINE uint64_t test_lanes_by(const struct raster_depth_stencil *ds,
                                   const struct raster_zs_lanes *lanes, uint64_t wanted,
                                   const struct test_spec spec)
{
    if (lanes->quads)
        return test_quads(ds, lanes, wanted, spec);
    return test_fragments(ds, lanes, wanted, spec);
}

#define TEST(...) test_lanes_by(ds, lanes, wanted, (struct test_spec){__VA_ARGS__})

/* Any test. Two branches of a loop are cheaper than two loops here. */
static uint64_t test_lanes_any(const struct raster_depth_stencil *ds,
                               const struct raster_zs_lanes *lanes, uint64_t wanted)
{
    bool tests = ds->depth_test, depths = lanes->quads && lanes->depths;

    switch (depth_class_of(ds)) {
    case DEPTH_HIGH24:
        return TEST(.tests = tests, .class = DEPTH_HIGH24, .depths = depths,
                    .stencil = STENCIL_GENERAL, .ordered = depth_is_ordered(ds->depth_func));
    case DEPTH_ANY32:
        return TEST(.tests = tests, .class = DEPTH_ANY32, .depths = depths,
                    .stencil = STENCIL_GENERAL);
    default:
        return TEST(.tests = tests, .class = DEPTH_ANY16, .depths = depths,
                    .stencil = STENCIL_GENERAL);
    }
}

static uint64_t test_lanes(const struct raster_depth_stencil *ds,
                           const struct raster_zs_lanes *lanes, uint64_t wanted)
{
    enum depth_class class = depth_class_of(ds);
    bool ordered = depth_is_ordered(ds->depth_func);

    if (!ds->depth_test || ds->stencil_test || ds->bounds_test || (lanes->quads && lanes->depths))
        return test_lanes_any(ds, lanes, wanted);
    if (class == DEPTH_HIGH24 && ordered)
        return TEST(.tests = true, .class = DEPTH_HIGH24, .ordered = true);
    if (class == DEPTH_HIGH24)
        return TEST(.tests = true, .class = DEPTH_HIGH24);
    if (class == DEPTH_UNORM16 && ordered)
        return TEST(.tests = true, .class = DEPTH_UNORM16, .ordered = true);
    if (depth_class_bytes(class) == 2)
        return TEST(.tests = true, .class = DEPTH_ANY16);
    return TEST(.tests = true, .class = DEPTH_ANY32);
}
#undef TEST

const struct raster_zs_kern KERN_NAME(raster_zs_kern) = {
    .test_blocks = test_all_blocks,
    .test_lanes = test_lanes,
};
