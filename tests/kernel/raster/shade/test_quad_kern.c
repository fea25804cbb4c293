/* Quad kernels: each instruction set against scalar, and scalar against the rules. */
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

    prim->affine = random_u32() & 1;
    prim->const_attribs = random_u32() & 63;
    prim->anchor_x = (float)(random_u32() % 65536) / 256.0f;
    prim->anchor_y = (float)(random_u32() % 65536) / 256.0f;
    prim->face = random_u32() & 1 ? 1.0f : -1.0f;
    random_floats(&prim->z.a0, 3);
    random_floats(&prim->rhw.a0, 3);
    for (int i = 0; i < ATTRS; i++)
        random_floats(&prim->attr[i].a0, 3);
    return prim;
}

enum { PRIMS = 5 };

/* Quads at random positions with random primitives. */
static void random_quads(struct raster_quads *quads, struct raster_prim *const prim[PRIMS],
                         uint32_t reach)
{
    static int32_t x[QUADS], y[QUADS];
    static const struct raster_prim *of[QUADS];

    *quads = (struct raster_quads){.x = x, .y = y, .prim = of, .n = 1 + random_u32() % QUADS};
    for (unsigned q = 0; q < quads->n; q++) {
        x[q] = (int32_t)(random_u32() % (reach / 2) * 2);
        y[q] = (int32_t)(random_u32() % (reach / 2) * 2);
        of[q] = prim[random_u32() % PRIMS];
    }
}

/* No primitive affine, all affine with constant attributes, or mixed. */
static void make_prims(struct raster_prim *prim[PRIMS])
{
    unsigned kind = random_u32() % 4;

    for (unsigned i = 0; i < PRIMS; i++) {
        prim[i] = random_prim();
        if (kind < 2)
            prim[i]->affine = kind;
        if (kind == 0)
            prim[i]->const_attribs = 0;
        if (kind == 1)
            prim[i]->const_attribs |= 9;
        if (prim[i]->affine)
            prim[i]->rhw.dadx = prim[i]->rhw.dady = 0.0f;
    }
}

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
            k->interpolate(&lanes, &quads);
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
    float value = raster_interp_at(&prim->attr[attr], dx, dy);

    if (prim->const_attribs >> attr & 1)
        return prim->attr[attr].a0;
    if (prim->affine || !perspective)
        return value;
    return math_mulf(value, math_rcpf(raster_interp_at(&prim->rhw, dx, dy)));
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
        KERN_PICK(raster_quad_kern)->interpolate(&lanes, &quads);
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

/* --- Depth ------------------------------------------------------------------------------------ */

enum { DIM = 16 };

static struct raster_depth_stencil random_test(void)
{
    static const struct raster_depth_stencil formats[] = {
        {.code = RASTER_DEPTH_UNORM, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 0, .depth_field = 0x7fff},
        {.code = RASTER_DEPTH_FLOAT24, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_FLOAT32, .bits = 32, .shift = 0, .depth_field = 0xffffffff}};
    struct raster_depth_stencil ds = formats[random_u32() % 4];

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
            .base = depth->base + (size_t)quads->y[q] * depth->pitch + (size_t)quads->x[q] * 4,
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
            before[i / ROOM][i % ROOM] = random_u32() & (ds.depth_field | 0xff);
        memcpy(words[0], before, sizeof(before));
        depth.base = (uint8_t *)words[0];
        want = test_one_by_one(&ds, &depth, lanes);
        any |= want;
        EACH_ISA(k)
        {
            memcpy(words[1], before, sizeof(before));
            depth.base = (uint8_t *)words[1];
            ck_assert_uint_eq(k->test_depth(&ds, &depth, lanes), want);
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

/* --- Mask order ------------------------------------------------------------------------------- */

/* raster_mask_linear_to_morton and raster_morton_to_linear agree for every pixel. */
START_TEST(morton_order)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t rows = random_u64() & random_u64(), quads = raster_mask_linear_to_morton(rows);

        for (unsigned bit = 0; bit < RASTER_LANES; bit++) {
            unsigned row = raster_morton_to_linear(bit & ~3u) + (bit & 1) + (bit >> 1 & 1) * 8;

            ck_assert_uint_eq(quads >> bit & 1, rows >> row & 1);
        }
        ck_assert_uint_eq(__builtin_popcountll(quads), __builtin_popcountll(rows));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/quad");
    TCase *tc = tcase_create("quad_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, interpolate_agrees);
    tcase_add_test(tc, interpolate_follows_the_rule);
    tcase_add_test(tc, depth_agrees);
    tcase_add_test(tc, morton_order);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
