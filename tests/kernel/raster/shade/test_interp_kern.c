/* Interpolation kernel: quads of each instruction set against scalar, and scalar against the rules;
 * blocks against quads. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random_quads.h"

#include "raster/shade/interp_kern.h"

#include <string.h>

enum { ROUNDS = 3000 };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_interp_kern *k = KERN_FOR(raster_interp_kern, isa_);              \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

/* Lanes past the last quad's may have any value. */
START_TEST(interpolate_agrees)
{
    static _Alignas(64) float out[2][5 + ATTRS][RASTER_LANES];
    struct raster_attr attr[ATTRS] = {{.slot = 3},
                                      {.slot = 1},
                                      {.slot = 0},
                                      {.slot = 5},
                                      {.slot = 2, .interp = RASTER_AFFINE},
                                      {.slot = 4, .interp = RASTER_AFFINE}};

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_prim *prim[PRIMS];
        struct raster_quads quads;
        bool all = random_u32() & 1;

        make_prims(prim);
        random_quads(&quads, prim, 16384);
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
            k->quads(&lanes, &quads, 0);
            for (unsigned i = 0; i < 5 + ATTRS; i++)
                check_floats(to[i], out[0][i], quads.n * 4, cpu_isa_name((enum cpu_isa)isa_));
        }
        for (unsigned i = 0; i < 5 + ATTRS; i++)
            bits_floats(out[0][i], quads.n * 4);
        for (unsigned i = 0; i < PRIMS; i++)
            mem_free(prim[i]);
    }
    bits_print("interpolate", 0);
}
END_TEST

/* The rule for one lane (reference: raster/interpolation, raster/perspective). */
static float one_value(const struct raster_prim *prim, unsigned attr, bool perspective, float x,
                       float y)
{
    float dx = x - prim->anchor_x, dy = y - prim->anchor_y;

    if (prim->const_attribs >> attr & 1)
        return prim->attr[attr].value;
    if (prim->affine || !perspective)
        return raster_attr_at(&prim->attr[attr], dx, dy);
    return raster_attr_over_w_at(&prim->attr[attr], raster_w_at(prim, dx, dy), dx, dy);
}

START_TEST(interpolate_follows_the_rule)
{
    static _Alignas(64) float x[RASTER_LANES], y[RASTER_LANES], work[2][RASTER_LANES];
    struct raster_attr attr[2] = {{.slot = 1}, {.slot = 0, .interp = RASTER_AFFINE}};
    struct raster_lanes lanes = {.attr = attr, .n_attrs = 2, .x = x, .y = y, .work = work[0]};

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_prim *prim[PRIMS];
        struct raster_quads quads;

        make_prims(prim);
        random_quads(&quads, prim, 16384);
        KERN_PICK(raster_interp_kern)->quads(&lanes, &quads, 0);
        for (unsigned i = 0; i < quads.n * 4; i++) {
            const struct raster_prim *of = quads.prim[i / 4];

            ck_assert_float_eq(x[i], (float)(quads.x[i / 4] + (int32_t)(i & 1)));
            ck_assert_float_eq(y[i], (float)(quads.y[i / 4] + (int32_t)(i >> 1 & 1)));
            ck_assert(bits_same(work[1][i], one_value(of, 0, true, x[i], y[i])));
            ck_assert(bits_same(work[0][i], one_value(of, 1, false, x[i], y[i])));
        }
        for (unsigned i = 0; i < PRIMS; i++)
            mem_free(prim[i]);
    }
}
END_TEST

static struct raster_centroids random_centroids(void)
{
    struct raster_centroids centroids = {{{0}}, {0}, {0}};

    for (unsigned i = 1; i <= MAX_SAMPLES; i++) {
        centroids.x[i] = (float)(random_u32() % 16) / 16.0f - 0.5f;
        centroids.y[i] = (float)(random_u32() % 16) / 16.0f - 0.5f;
    }
    for (unsigned i = 0; i < CENTROID_BITS && random_u32() % 8; i++)
        centroids.samples.bit[i] = random_u64() & random_u64();
    for (unsigned i = 0; i < CENTROID_LOW_BITS; i++)
        centroids.samples.bit[i] &= ~centroids.samples.bit[CENTROID_LOW_BITS];
    return centroids;
}

/* Values at the sample of each lane; attributes that are not centroid ones stay. */
START_TEST(centroids_follow_the_rule)
{
    static _Alignas(64) float work[2][RASTER_LANES], before[2][RASTER_LANES];
    struct raster_attr attr[2] = {{.slot = 1, .centroid = true}, {.slot = 0}};
    struct raster_lanes lanes = {.attr = attr, .n_attrs = 2, .work = work[0]};

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_centroids centroids = random_centroids();
        struct raster_prim *prim[PRIMS];
        struct raster_quads quads;

        make_prims(prim);
        random_quads(&quads, prim, 16384);
        EACH_ISA(k)
        {
            k->quads(&lanes, &quads, raster_off_centre(&centroids.samples));
            memcpy(before, work, sizeof(work));
            k->centroids(&lanes, &quads, &centroids);
            ck_assert_int_eq(memcmp(work[0], before[0], sizeof(work[0])), 0);
            for (unsigned i = 0; i < quads.n * 4; i++) {
                unsigned number = 0;
                float x, y;

                for (unsigned b = 0; b < CENTROID_BITS; b++)
                    number |= (centroids.samples.bit[b] >> i & 1) << b;
                x = (float)(quads.x[i / 4] + (int32_t)(i & 1)) + centroids.x[number];
                y = (float)(quads.y[i / 4] + (int32_t)(i >> 1 & 1)) + centroids.y[number];
                ck_assert(bits_same(work[1][i], one_value(quads.prim[i / 4], 0, true, x, y)));
            }
        }
        for (unsigned i = 0; i < PRIMS; i++)
            mem_free(prim[i]);
    }
}
END_TEST

/* --- Blocks ----------------------------------------------------------------------------------- */

enum { BLOCK_ROUNDS = 400, ROWS = 5 + ATTRS };

static const struct raster_attr attributes[ATTRS] = {{.slot = 3},
                                                     {.slot = 1},
                                                     {.slot = 0},
                                                     {.slot = 5},
                                                     {.slot = 2, .interp = RASTER_AFFINE},
                                                     {.slot = 4, .interp = RASTER_AFFINE}};

/* Some attributes depend on one axis only. */
static struct raster_prim *random_block_prim(void)
{
    struct raster_prim *prim = random_prim();

    prim->affine = random_u32() % 2;
    prim->const_attribs = random_u32() % 4 ? random_u32() & random_u32() : 0;
    prim->rhw = prim->affine ? random_const_plane() : random_attr_plane();
    prim->rhw.a0 += 0.0; /* is not -0 */
    prim->rhw.tiny = 0.0f;
    for (int i = 0; i < ATTRS; i++)
        if (random_u32() % 4 == 0)
            *(random_u32() % 2 ? &prim->attr[i].dadx : &prim->attr[i].dady) = 0.0;
    return prim;
}

/* Rows of x, y, z, w, face, then the attributes' slots. */
static struct raster_lanes lanes_of(float row[ROWS][RASTER_LANES])
{
    return (struct raster_lanes){.attr = attributes,
                                 .n_attrs = ATTRS,
                                 .x = row[0],
                                 .y = row[1],
                                 .z = row[2],
                                 .w = row[3],
                                 .face = row[4],
                                 .work = row[5]};
}

/* The quads of a block, row after row. */
static void interpolate_as_quads(const struct raster_prim *prim, int32_t x, int32_t y,
                                 float row[ROWS][RASTER_LANES])
{
    struct raster_lanes lanes = lanes_of(row);
    const struct raster_prim *of[QUADS];
    int32_t left[QUADS], top[QUADS];
    struct raster_quads quads = {.x = left, .y = top, .prim = of, .n = QUADS};

    for (unsigned i = 0; i < QUADS; i++) {
        left[i] = x + (int32_t)(i % 4 * 2);
        top[i] = y + (int32_t)(i / 4 * 2);
        of[i] = prim;
    }
    KERN_FOR(raster_interp_kern, ISA_SCALAR)->quads(&lanes, &quads, 0);
}

/* At least the attributes that have a small sum. */
static uint64_t random_near_zero(const struct raster_prim *prim, int32_t x, int32_t y)
{
    uint64_t near_zero = random_u32() & random_u32();

    for (unsigned n = 0; n < ATTRS; n++)
        for (unsigned i = 0; i < RASTER_LANES; i++) {
            float dx = (float)(x + (int32_t)i % 8) - prim->anchor_x;
            float dy = (float)(y + (int32_t)i / 8) - prim->anchor_y;

            if (raster_attr_at(&prim->attr[n], dx, dy) == 0.0f)
                near_zero |= UINT64_C(1) << n;
        }
    return near_zero;
}

START_TEST(blocks_are_quads)
{
    static _Alignas(64) float want[ROWS][RASTER_LANES], got[ROWS][RASTER_LANES];

    for (int round = 0; round < BLOCK_ROUNDS; round++) {
        struct raster_prim *prim = random_block_prim();
        int32_t x = (int32_t)(random_u32() % 2048 * 8), y = (int32_t)(random_u32() % 2048 * 8);
        uint64_t near_zero = random_near_zero(prim, x, y);

        interpolate_as_quads(prim, x, y, want);
        EACH_ISA(k)
        {
            struct raster_lanes lanes = lanes_of(got);

            memset(got, 0x55, sizeof(got));
            k->block(&lanes, prim, (float)x, (float)y, true, near_zero);
            for (unsigned n = 0; n < ROWS; n++)
                for (unsigned i = 0; i < RASTER_LANES; i++)
                    ck_assert_msg(bits_same(got[n][i], want[n][i]), "%s, array %u, lane %u: %a, %a",
                                  cpu_isa_name((enum cpu_isa)isa_), n, i, got[n][i], want[n][i]);
        }
        for (unsigned n = 0; n < ROWS; n++)
            bits_floats(want[n], RASTER_LANES);
        mem_free(prim);
    }
    bits_print("block_interpolate", 0);
}
END_TEST

/* Does not write arrays that are not requested, nor constant attributes. */
START_TEST(leaves_unrequested_arrays)
{
    static _Alignas(64) float work[ATTRS][RASTER_LANES], before[ATTRS][RASTER_LANES];
    struct raster_lanes lanes = {.attr = attributes, .n_attrs = ATTRS, .work = work[0]};
    struct raster_prim *prim = random_block_prim();

    prim->const_attribs = 1 << 1 | 1 << 4; /* in slots 1 and 2 */
    EACH_ISA(k)
    {
        memset(before, 0x55, sizeof(before));
        memcpy(work, before, sizeof(work));
        k->block(&lanes, prim, 0.0f, 0.0f, false, ~UINT64_C(0));
        for (unsigned slot = 0; slot < ATTRS; slot++)
            ck_assert_int_eq(!memcmp(work[slot], before[slot], sizeof(work[slot])),
                             slot == 1 || slot == 2);
    }
    mem_free(prim);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/interp");
    TCase *tc = tcase_create("interp_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, interpolate_agrees);
    tcase_add_test(tc, interpolate_follows_the_rule);
    tcase_add_test(tc, centroids_follow_the_rule);
    tcase_add_test(tc, blocks_are_quads);
    tcase_add_test(tc, leaves_unrequested_arrays);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
