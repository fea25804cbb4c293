/* Depth-stencil block kernel: each instruction set against the scalar kernels for lanes, on pixels
 * of 32 and of 16 bits; rows without lanes and unrequested blocks stay untouched. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random_test.h"

#include "raster/prim/prim.h"
#include "raster/zs/block_zs_kern.h"
#include "raster/zs/depth_kern.h"

#include <string.h>

enum { ROUNDS = 2000, ROWS = 64, LEFT = 3, MAX_PITCH = (64 + 4) * 4 };

/* Runs the body for every instruction set of this processor, scalar included. */
#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_block_zs_kern *k = KERN_FOR(raster_block_zs_kern, isa_);          \
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

/* Expected result of one block, by the lane kernels. */
static void expect(struct round *r, unsigned block)
{
    const struct raster_depth_kern *kern = &raster_depth_kern_scalar;
    struct raster_depth_stencil ds = r->ds;
    _Alignas(64) float z[RASTER_LANES];
    _Alignas(64) uint32_t code[RASTER_LANES], words[RASTER_LANES];

    kern->block_plane(z, &r->plane, r->blocks.dx + (float)(block % BLOCK_DIM * BLOCK_DIM),
                      r->blocks.dy + (float)(block / BLOCK_DIM * BLOCK_DIM), r->blocks.offset);
    kern->depth_encode(&ds, z, code);
    if (ds.depth_test && (r->blocks.passes | r->blocks.fails) >> block & 1)
        ds.depth_func = r->blocks.passes >> block & 1 ? D3DCMP_ALWAYS : D3DCMP_NEVER;
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        uint8_t *stored = pixel_at(r, r->stored, block, i);
        uint32_t equal = code[i] | (random_u32() & ~ds.depth_field);

        if (random_u32() % 4 == 0)
            memcpy(stored, &equal, r->bytes);
        words[i] = 0;
        memcpy(&words[i], stored, r->bytes);
    }
    r->passed[block] = kern->depth_stencil(&ds, code, words, r->lanes[block]);
    for (unsigned i = 0; i < RASTER_LANES; i++)
        memcpy(pixel_at(r, r->want, block, i),
               r->blocks.write ? (void *)&words[i] : pixel_at(r, r->stored, block, i), r->bytes);
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
        k->test(&r->ds, &r->blocks, r->wanted);
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

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster_block_test");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, blocks_agree);
    tcase_add_loop_test(tc, blocks_of_16_bits_agree, D3DCMP_NEVER, D3DCMP_ALWAYS + 1);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
