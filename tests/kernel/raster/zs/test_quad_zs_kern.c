/* Depth kernel for quads: each instruction set against the kernel for blocks. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random_quads.h"

#include "raster/zs/block_zs_kern.h"
#include "raster/zs/quad_zs_kern.h"

#include <string.h>

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_quad_zs_kern *k = KERN_FOR(raster_quad_zs_kern, isa_);            \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

enum { ROUNDS = 3000, DIM = 16 };

static struct raster_depth_stencil random_test(void)
{
    static const struct raster_depth_stencil formats[] = {
        {.code = RASTER_DEPTH_UNORM, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 0, .depth_field = 0x7fff},
        {.code = RASTER_DEPTH_UNORM, .bits = 16, .depth_field = 0xffff, .bytes = 2},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 1, .depth_field = 0xfffe, .bytes = 2},
        {.code = RASTER_DEPTH_FLOAT24, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_FLOAT32, .bits = 32, .shift = 0, .depth_field = 0xffffffff},
        {.code = RASTER_DEPTH_UNORM32, .bits = 32, .shift = 0, .depth_field = 0xffffffff}};
    struct raster_depth_stencil ds = formats[random_u32() % 7];

    ds.depth_test = true;
    ds.depth_write = random_u32() % 4;
    ds.depth_func = (uint8_t)(D3DCMP_NEVER + random_u32() % 8);
    return ds;
}

/* Tests one quad after another with the kernel for blocks, which other tests compare with the
 * rule. */
static uint64_t test_one_by_one(const struct raster_depth_stencil *ds,
                                const struct raster_quad_depth *depth, uint64_t lanes)
{
    const struct raster_quads *quads = depth->quads;
    uint64_t passed = 0;

    for (unsigned q = 0; q < quads->n; q++) {
        const struct raster_prim *prim = quads->prim[q];
        uint64_t pixels = lanes >> q * 4 & 15;
        uint64_t rows = (pixels & 3) | (pixels & 12) << 6;
        struct raster_zs_blocks block = {
            .z = &prim->z,
            .dx = (float)quads->x[q] - prim->anchor_x,
            .dy = (float)quads->y[q] - prim->anchor_y,
            .offset = prim->depth_offset,
            .base = depth->base + (size_t)quads->y[q] * depth->pitch +
                    (size_t)quads->x[q] * (ds->bytes == 2 ? 2 : 4),
            .pitch = depth->pitch,
            .write = depth->write,
            .lanes = &rows,
        };

        KERN_FOR(raster_block_zs_kern, ISA_SCALAR)->test(ds, &block, 1);
        passed |= ((rows & 3) | (rows >> 6 & 12)) << q * 4;
    }
    return passed;
}

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

START_TEST(depth_agrees)
{
    enum { ROOM = DIM + 8 }; /* blocks reach past the quads */
    static uint32_t words[2][ROOM][ROOM];
    uint64_t any = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_depth_stencil ds = random_test();
        struct raster_prim *prim[PRIMS];
        struct raster_quads quads;
        struct raster_quad_depth depth = {
            .quads = &quads, .pitch = sizeof(words[0][0]), .write = random_u32() % 8 != 0};
        uint32_t before[ROOM][ROOM];
        uint64_t lanes, want;

        make_prims(prim);
        random_quads(&quads, prim, DIM);
        lanes = random_lanes(&quads);
        for (unsigned i = 0; i < ROOM * ROOM; i++)
            before[i / ROOM][i % ROOM] =
                random_u32() & (ds.bytes == 2 ? UINT32_MAX : ds.depth_field | 0xff);
        depth.pitch -= ds.bytes == 2 ? random_u32() % 5 : 0; /* odd ones, too */
        memcpy(words[0], before, sizeof(before));
        depth.base = (uint8_t *)words[0];
        want = test_one_by_one(&ds, &depth, lanes);
        any |= want;
        EACH_ISA(k)
        {
            memcpy(words[1], before, sizeof(before));
            depth.base = (uint8_t *)words[1];
            ck_assert_uint_eq(k->test(&ds, &depth, lanes), want);
            ck_assert_msg(!memcmp(words[0], words[1], sizeof(before)), "%s: round %d",
                          cpu_isa_name((enum cpu_isa)isa_), round);
        }
        bits_bytes(&want, sizeof(want));
        bits_bytes(words[0], sizeof(before));
        for (unsigned i = 0; i < PRIMS; i++)
            mem_free(prim[i]);
    }
    ck_assert(any == ~UINT64_C(0));
    bits_print("depth of quads", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/quad_zs");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, depth_agrees);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
