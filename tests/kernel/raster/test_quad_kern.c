/* Quads into lanes: each instruction set against scalar, and the order of quads. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/raster_private.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 3000, ATTRS = 6 };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_quad_kern *k = KERN_FOR(raster_quad_kern, isa_);                  \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static struct raster_prim *random_prim(void)
{
    struct raster_prim *prim = mem_calloc(1, sizeof(*prim) + ATTRS * sizeof(prim->attr[0]));

    prim->linear = random_u32() & 1;
    prim->constant = random_u32() & 63;
    prim->anchor_x = (float)(random_u32() % 65536) / 256.0f;
    prim->anchor_y = (float)(random_u32() % 65536) / 256.0f;
    prim->face = random_u32() & 1 ? 1.0f : -1.0f;
    random_floats(&prim->z.a, 3);
    random_floats(&prim->rhw.a, 3);
    for (int i = 0; i < ATTRS; i++)
        random_floats(&prim->attr[i].a, 3);
    return prim;
}

static unsigned count_quads(uint64_t quads)
{
    return (unsigned)__builtin_popcountll(raster_touched_quads(quads));
}

/* Whole blocks, few pixels, and what lies between. */
static uint64_t random_quads(void)
{
    uint64_t quads = random_u64();

    for (unsigned n = random_u32() % 5; n; n--)
        quads &= random_u64();
    return random_u32() % 8 ? quads : ~UINT64_C(0);
}

/* Anything may be in lanes past the quads' own. */
START_TEST(collect_agrees)
{
    static _Alignas(64) float out[2][5 + ATTRS][RASTER_LANES];
    struct raster_attr attr[ATTRS] = {{.slot = 3},
                                      {.slot = 1},
                                      {.slot = 0},
                                      {.slot = 5},
                                      {.slot = 2, .interp = RASTER_LINEAR},
                                      {.slot = 4, .interp = RASTER_LINEAR}};

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_prim *prim = random_prim();
        uint64_t quads = random_quads();
        unsigned n = count_quads(quads), lane = random_u32() % (QUADS + 1 - n) * 4;
        int32_t x = (int32_t)(random_u32() % 16384), y = (int32_t)(random_u32() % 16384);
        bool all = random_u32() & 1;

        EACH_ISA(k)
        {
            float(*to)[RASTER_LANES] = out[isa_ != ISA_SCALAR];
            struct raster_lanes lanes = {
                .attr = attr,
                .n_attrs = ATTRS,
                .x = all ? to[0] : NULL,
                .y = all ? to[1] : NULL,
                .z = all ? to[2] : NULL,
                .w = all ? to[3] : NULL,
                .face = all ? to[4] : NULL,
                .work = to[5],
            };

            memset(to, 0x55, sizeof(out[0]));
            k->collect(&lanes, prim, quads, x, y, lane);
            for (unsigned i = 0; i < 5 + ATTRS; i++)
                check_floats(to[i], out[0][i], lane + n * 4, cpu_isa_name((enum cpu_isa)isa_));
        }
        for (unsigned i = 0; i < 5 + ATTRS; i++)
            bits_floats(out[0][i], lane + n * 4);
        mem_free(prim);
    }
    bits_print("collect", 0);
}
END_TEST

/* Lanes in the order of quads are the pixels that collect says. */
START_TEST(order_of_quads)
{
    static _Alignas(64) float x[RASTER_LANES], y[RASTER_LANES];
    struct raster_lanes lanes = {.x = x, .y = y};
    struct raster_prim *prim = random_prim();

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t rows = random_quads(), quads = raster_quads_of_rows(rows);
        unsigned lane = 0;

        KERN_PICK(raster_quad_kern)->collect(&lanes, prim, quads, 0, 0, 0);
        for (uint64_t rest = raster_touched_quads(quads); rest; rest &= rest - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(rest), row = raster_row_of_quad(bit);

            ck_assert_uint_eq(row, (unsigned)y[lane] * 8 + (unsigned)x[lane]);
            for (unsigned i = 0; i < 4; i++, lane++)
                ck_assert_uint_eq(quads >> (bit + i) & 1,
                                  rows >> ((unsigned)y[lane] * 8 + (unsigned)x[lane]) & 1);
        }
        ck_assert_uint_eq(__builtin_popcountll(quads), __builtin_popcountll(rows));
    }
    mem_free(prim);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/quad");
    TCase *tc = tcase_create("quad_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, collect_agrees);
    tcase_add_test(tc, order_of_quads);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
