/* Depth-stencil kernel: each instruction set against the rule for one pixel, in blocks and in quads
 * of 32 and of 16 bits. Rows without lanes and unrequested blocks stay untouched. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random_quads.h"
#include "kernel/raster/random_test.h"
#include "kernel/raster/zs_rule.h"

#include "raster/prim/prim.h"
#include "raster/zs/depth_kern.h"
#include "raster/zs/zs_kern.h"

#include <string.h>

enum { ROUNDS = 2000, ROWS = 64, LEFT = 3, MAX_PITCH = (64 + 4) * 4 };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_zs_kern *k = KERN_FOR(raster_zs_kern, isa_);                      \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

struct round {
    struct raster_depth_stencil ds;
    struct raster_interp_plane plane;
    struct raster_zs_blocks blocks;
    uint64_t wanted, lanes[BLOCKS_PER_TILE], passed[BLOCKS_PER_TILE];
    unsigned bytes; /* of a pixel */
    uint8_t stored[ROWS * MAX_PITCH], want[ROWS * MAX_PITCH];
};

/* Distances are exact sums, as in the rasteriser. */
static float any_distance(void)
{
    return (float)(int32_t)(random_u32() % 4096) / 16.0f - 128.0f;
}

static uint64_t any_blocks(void)
{
    return random_u64() & random_u64() & random_u64();
}

static uint64_t any_lanes(void)
{
    if (random_u32() % 4 == 0)
        return ~UINT64_C(0);
    return random_u64() << random_u32() % 64 >> random_u32() % 64;
}

static void any_counts(struct raster_depth_stencil *ds)
{
    static const uint8_t ops[3] = {D3DSTENCILOP_KEEP, D3DSTENCILOP_INCR, D3DSTENCILOP_DECR};

    ds->depth_write = ds->bounds_test = false;
    ds->stencil_test = true;
    ds->stencil_func = D3DCMP_ALWAYS;
    ds->write_mask = ds->stencil_field;
    ds->pass = ops[random_u32() % 3];
    ds->zfail = ops[random_u32() % 3];
}

static void any_test(struct raster_depth_stencil *ds)
{
    static const uint8_t codes[4] = {RASTER_DEPTH_UNORM, RASTER_DEPTH_FLOAT32, RASTER_DEPTH_FLOAT24,
                                     RASTER_DEPTH_UNORM32};
    unsigned kind = random_u32() % 4;

    *ds = random_test(codes[kind ? 0 : random_u32() % 4]);
    ds->depth_test = random_u32() % 8 != 0;
    ds->depth_func = random_u32() % 3   ? ds->depth_func
                     : random_u32() & 1 ? D3DCMP_LESSEQUAL
                                        : D3DCMP_LESS;
    if (kind == 1) { /* depth test only */
        ds->depth_test = true;
        ds->stencil_test = ds->bounds_test = false;
    } else if (kind == 2) {
        any_counts(ds);
    }
    ds->depth_write &= ds->depth_test;
}

/* The same, and tests of 16 bits. */
static struct raster_depth_stencil any_size_test(void)
{
    struct raster_depth_stencil ds;

    any_test(&ds);
    if (random_u32() % 3 == 0) {
        ds = random_test(RASTER_DEPTH_UNORM);
        make_test_16(&ds, random_u32() % 2);
        ds.depth_write &= ds.depth_test;
    }
    return ds;
}

static void begin_round(struct round *r, const struct raster_depth_stencil *ds)
{
    memset(r, 0, sizeof(*r));
    r->ds = *ds;
    r->bytes = ds->bytes == 2 ? 2 : 4;
    r->plane =
        (struct raster_interp_plane){random_float(), random_float() * 0.1f, random_float() * 0.1f};
    if (random_u32() % 4 == 0) /* constant depth */
        r->plane.dadx = r->plane.dady = 0.0f;
    r->wanted = any_blocks();
    r->blocks = (struct raster_zs_blocks){
        .z = &r->plane,
        .dx = any_distance(),
        .dy = any_distance(),
        .offset = random_u32() & 1 ? 0.0f : random_float(),
        .pitch = r->bytes == 2 ? 2 * 64 + 2 * LEFT + random_u32() % 9 : MAX_PITCH,
        .write = random_u32() % 4 != 0,
        .stride = 1,
    };
    if (!r->ds.depth_write) {
        r->blocks.passes = any_blocks();
        r->blocks.fails = any_blocks() & ~r->blocks.passes;
    }
    for (unsigned i = 0; i < BLOCKS_PER_TILE; i++)
        r->lanes[i] = any_lanes();
    for (unsigned i = 0; i < sizeof(r->stored); i += 4) {
        uint32_t word = random_u32() & 1 ? random_u32() : 0x80000000;

        memcpy(r->stored + i, &word, sizeof(word));
    }
}

static uint8_t *pixel_at(const struct round *r, uint8_t *memory, unsigned block, unsigned lane)
{
    size_t x = LEFT + block % BLOCK_DIM * BLOCK_DIM + lane % BLOCK_DIM;
    size_t y = block / BLOCK_DIM * BLOCK_DIM + lane / BLOCK_DIM;

    return memory + y * r->blocks.pitch + x * r->bytes;
}

static uint32_t code_of(const struct raster_depth_stencil *ds, float z)
{
    return raster_depth_kern_scalar.depth_code(ds, z);
}

/* The depth of a block's pixel. */
static float one_depth(const struct round *r, unsigned block, unsigned lane)
{
    float dx = r->blocks.dx + (float)(block % BLOCK_DIM * BLOCK_DIM) + (float)(lane % BLOCK_DIM);
    float dy = r->blocks.dy + (float)(block / BLOCK_DIM * BLOCK_DIM) + (float)(lane / BLOCK_DIM);

    if (r->blocks.depths)
        return r->blocks.depths[lane];
    return raster_interp_at(&r->plane, dx, dy) + r->blocks.offset;
}

/* Expected result of one block. */
static void expect(struct round *r, unsigned block)
{
    struct raster_depth_stencil ds = r->ds;

    if (ds.depth_test && (r->blocks.passes | r->blocks.fails) >> block & 1)
        ds.depth_func = r->blocks.passes >> block & 1 ? D3DCMP_ALWAYS : D3DCMP_NEVER;
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        uint8_t *stored = pixel_at(r, r->stored, block, i);
        uint32_t code = code_of(&ds, one_depth(r, block, i)), word = 0;
        uint32_t equal = code | (random_u32() & ~ds.depth_field);

        if (random_u32() % 4 == 0)
            memcpy(stored, &equal, r->bytes);
        memcpy(&word, stored, r->bytes);
        if (r->lanes[block] >> i & 1 && !zs_rule(&ds, code, &word))
            r->passed[block] &= ~(UINT64_C(1) << i);
        memcpy(pixel_at(r, r->want, block, i), r->blocks.write ? (void *)&word : stored, r->bytes);
    }
}

/* Tests the blocks of a round with every instruction set. */
static void check_round(struct round *r, int round)
{
    static uint8_t got[sizeof(r->stored)];
    uint64_t lanes[BLOCKS_PER_TILE];

    memcpy(r->passed, r->lanes, sizeof(r->passed));
    memcpy(r->want, r->stored, sizeof(r->want));
    for (uint64_t rest = r->wanted; rest; rest &= rest - 1)
        expect(r, (unsigned)__builtin_ctzll(rest));
    EACH_ISA(k)
    {
        memcpy(got, r->stored, sizeof(got));
        memcpy(lanes, r->lanes, sizeof(lanes));
        r->blocks.base = got + (size_t)LEFT * r->bytes;
        r->blocks.lanes = lanes;
        k->test_blocks(&r->ds, &r->blocks, r->wanted);
        ck_assert_msg(!memcmp(lanes, r->passed, sizeof(lanes)), "%s, round %d",
                      cpu_isa_name((enum cpu_isa)isa_), round);
        ck_assert_msg(!memcmp(got, r->want, sizeof(got)), "%s, round %d",
                      cpu_isa_name((enum cpu_isa)isa_), round);
    }
    bits_bytes(r->passed, sizeof(r->passed));
}

START_TEST(blocks_agree)
{
    static struct round r;
    struct raster_depth_stencil ds;

    for (int round = 0; round < ROUNDS; round++) {
        any_test(&ds);
        begin_round(&r, &ds);
        check_round(&r, round);
    }
    bits_print("block_test", 0);
}
END_TEST

/* _i: D3DCMPFUNC. Random states of D16 and D15S1, with writes and without. Pitches are also odd. */
START_TEST(blocks_of_16_bits_agree)
{
    static struct round r;
    struct raster_depth_stencil ds;

    for (int round = 0; round < ROUNDS / 8; round++) {
        ds = random_test(RASTER_DEPTH_UNORM);
        make_test_16(&ds, round % 4 == 3);
        ds.depth_func = (uint8_t)_i;
        ds.depth_test = round % 16 != 15;
        ds.depth_write = ds.depth_test && random_u32() % 2;
        if (round % 4 < 2)
            ds.bounds_test = false;
        begin_round(&r, &ds);
        check_round(&r, round);
    }
    bits_print("block_test_16", _i);
}
END_TEST

/* Depths of the pixels of one block instead of a plane. */
START_TEST(given_depths_agree)
{
    static struct round r;
    struct raster_depth_stencil ds;
    float depths[RASTER_LANES];

    for (int round = 0; round < ROUNDS; round++) {
        ds = any_size_test();
        begin_round(&r, &ds);
        random_floats(depths, RASTER_LANES);
        r.blocks.z = NULL;
        r.blocks.depths = depths;
        r.wanted = UINT64_C(1) << random_u32() % BLOCKS_PER_TILE;
        r.blocks.passes = r.blocks.fails = 0;
        check_round(&r, round);
    }
    bits_print("given_depths", 0);
}
END_TEST

/* Every operation on every value, for each outcome of the tests, with fields of 1, 4 and 8 bits.
 * Unknown operations keep the value. */
START_TEST(stencil_operations)
{
    static const uint32_t fields[3] = {1, 15, 255};
    const struct raster_interp_plane plane = {0};
    uint32_t words[RASTER_LANES], most = fields[_i % 3], outcome = (uint32_t)_i / 3;

    for (unsigned op = D3DSTENCILOP_KEEP - 1; op <= D3DSTENCILOP_DECR + 1; op++) {
        struct raster_depth_stencil ds = {
            .stencil_test = true,
            .depth_test = true,
            .bits = 24,
            .shift = 8,
            .depth_field = 0xffffff00,
            .stencil_field = most,
            .stencil_one = 1,
            .depth_func = outcome == 1 ? D3DCMP_NEVER : D3DCMP_ALWAYS,
            .stencil_func = outcome == 0 ? D3DCMP_NEVER : D3DCMP_ALWAYS,
            .fail = (uint8_t)(outcome == 0 ? op : D3DSTENCILOP_KEEP),
            .zfail = (uint8_t)(outcome == 1 ? op : D3DSTENCILOP_KEEP),
            .pass = (uint8_t)(outcome == 2 ? op : D3DSTENCILOP_KEEP),
            .ref = 7 & most,
            .mask = most,
            .write_mask = most,
        };

        for (uint32_t first = 0; first <= most; first += RASTER_LANES)
            EACH_ISA(k)
            {
                uint64_t lanes = ~UINT64_C(0);
                struct raster_zs_blocks block = {.z = &plane,
                                                 .base = (uint8_t *)words,
                                                 .pitch = BLOCK_DIM * sizeof(*words),
                                                 .write = true,
                                                 .lanes = &lanes};

                for (unsigned i = 0; i < RASTER_LANES; i++)
                    words[i] = 0x12345600 | ((first + i) & most);
                k->test_blocks(&ds, &block, 1);
                ck_assert_uint_eq(lanes != 0, outcome == 2);
                for (unsigned i = 0; i < RASTER_LANES; i++)
                    ck_assert_uint_eq(words[i],
                                      0x12345600 |
                                          zs_stencil_after(op, (first + i) & most, 7 & most, most));
            }
    }
}
END_TEST

/* --- Quads ------------------------------------------------------------------------------------ */

enum { DIM = 16, ROOM = DIM + 2 };

/* Lanes without two of the same pixel. */
static uint64_t random_lanes(const struct raster_quads *quads)
{
    bool taken[DIM][DIM] = {{false}};
    uint64_t lanes = 0;

    for (unsigned i = 0; i < quads->n * 4; i++) {
        bool *pixel =
            &taken[quads->y[i / 4] + (int32_t)(i >> 1 & 1)][quads->x[i / 4] + (int32_t)(i & 1)];

        if (*pixel || random_u32() % 4 == 0)
            continue;
        *pixel = true;
        lanes |= UINT64_C(1) << i;
    }
    return lanes;
}

/* Tests one lane after another. */
static uint64_t expect_quads(const struct raster_depth_stencil *ds,
                             const struct raster_zs_lanes *lanes, uint64_t wanted, uint8_t *memory)
{
    const struct raster_quads *quads = lanes->quads;
    size_t bytes = ds->bytes == 2 ? 2 : 4;

    for (unsigned i = 0; i < quads->n * 4; i++) {
        const struct raster_prim *prim = quads->prim[i / 4];
        int32_t x = quads->x[i / 4] + (int32_t)(i & 1), y = quads->y[i / 4] + (int32_t)(i >> 1 & 1);
        uint8_t *pixel = memory + (size_t)y * lanes->pitch + (size_t)x * bytes;
        float z = lanes->depths ? lanes->depths[i]
                                : raster_interp_at(&prim->z, (float)x + lanes->x - prim->anchor_x,
                                                   (float)y + lanes->y - prim->anchor_y) +
                                      prim->depth_offset;
        uint32_t word = 0;

        if (!(wanted >> i & 1))
            continue;
        memcpy(&word, pixel, bytes);
        if (!zs_rule(ds, code_of(ds, z), &word))
            wanted &= ~(UINT64_C(1) << i);
        if (lanes->write)
            memcpy(pixel, &word, bytes);
    }
    return wanted;
}

START_TEST(quads_agree)
{
    static uint32_t before[ROOM][ROOM], want[ROOM][ROOM], got[ROOM][ROOM];
    uint64_t any = 0;

    for (int round = 0; round < ROUNDS * 2; round++) {
        struct raster_depth_stencil ds = any_size_test();
        struct raster_prim *prim[PRIMS];
        struct raster_quads quads;
        _Alignas(64) float depths[RASTER_LANES];
        struct raster_zs_lanes lanes = {.quads = &quads,
                                        .depths = round % 2 ? depths : NULL,
                                        .x = round % 4 ? 0.0f : any_distance() / 256.0f,
                                        .y = round % 4 ? 0.0f : any_distance() / 256.0f,
                                        .pitch = sizeof(before[0]),
                                        .write = random_u32() % 8 != 0};
        uint64_t wanted, passed;

        make_prims(prim);
        random_quads(&quads, prim, DIM);
        random_floats(depths, RASTER_LANES);
        wanted = random_lanes(&quads);
        lanes.pitch -= ds.bytes == 2 ? random_u32() % 5 : 0; /* odd ones, too */
        for (unsigned i = 0; i < ROOM * ROOM; i++)
            before[i / ROOM][i % ROOM] = random_u32();
        memcpy(want, before, sizeof(before));
        passed = expect_quads(&ds, &lanes, wanted, (uint8_t *)want);
        any |= passed;
        EACH_ISA(k)
        {
            memcpy(got, before, sizeof(before));
            lanes.base = (uint8_t *)got;
            ck_assert_uint_eq(k->test_lanes(&ds, &lanes, wanted), passed);
            ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s: round %d",
                          cpu_isa_name((enum cpu_isa)isa_), round);
        }
        bits_bytes(&passed, sizeof(passed));
        bits_bytes(want, sizeof(want));
        for (unsigned i = 0; i < PRIMS; i++)
            mem_free(prim[i]);
    }
    ck_assert(any == ~UINT64_C(0));
    bits_print("depth of quads", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/zs");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, blocks_agree);
    tcase_add_loop_test(tc, blocks_of_16_bits_agree, D3DCMP_NEVER, D3DCMP_ALWAYS + 1);
    tcase_add_test(tc, given_depths_agree);
    tcase_add_loop_test(tc, stencil_operations, 0, 9);
    tcase_add_test(tc, quads_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
