/* Packer kernel, single fragments: each instruction set against the interpolation and test rules,
 * fragment by fragment. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"
#include "kernel/raster/random_test.h"
#include "kernel/raster/zs_rule.h"

#include "raster/output/store_kern.h"
#include "raster/bin/bin.h"
#include "raster/prim/prim.h"
#include "raster/scene/blocks.h"
#include "raster/shade/packer_kern.h"
#include "raster/state/params.h"
#include "raster/state/pipeline.h"
#include "raster/worker/batch.h"
#include "raster/zs/depth_kern.h"
#include "raster/zs/zs_kern.h"

#include <string.h>

enum { ROUNDS = 2000, PRIMS = BIN_BLOCK_COMMANDS, ATTRS = 6, DIM = IN_FLIGHT_ROWS };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_packer_kern *k = KERN_FOR(raster_packer_kern, isa_);              \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static _Alignas(64) char memory[PRIMS][320]; /* aligned like bin commands, whose lowest bits are
                                                0 */
static struct raster_pipeline pipelines[2];
static struct tile_origin tile;
static _Alignas(64) float work[ATTRS + 1][RASTER_LANES]; /* of the slots 0 to ATTRS; 0 is unused */
static struct bin_block cmds;

static struct raster_prim *prim_at(size_t i)
{
    return (struct raster_prim *)(void *)memory[i];
}

/* --- Random primitives ------------------------------------------------------------------------ */

enum { UNIT_ATTRIBS = 1 << 0 | 1 << 3 }; /* attributes tested for being 1 */

/* Adds a random stencil test, where the format has room for it, and depth bounds. */
static void add_stencil(struct raster_depth_stencil *ds)
{
    struct raster_depth_stencil random = random_test(RASTER_DEPTH_UNORM);

    ds->bounds_test = random.bounds_test;
    ds->bounds[0] = random.bounds[0] & ds->depth_field;
    ds->bounds[1] = random.bounds[1] & ds->depth_field;
    ds->depth_test = random.depth_test;
    ds->depth_write &= ds->depth_test;
    if (ds->bytes == 2 || ds->depth_field & 0xff)
        return;
    ds->stencil_test = true;
    ds->stencil_field = random.stencil_field;
    ds->stencil_one = random.stencil_one;
    ds->stencil_func = random.stencil_func;
    ds->fail = random.fail;
    ds->zfail = random.zfail;
    ds->pass = random.pass;
    ds->ref = random.ref;
    ds->mask = random.mask;
    ds->write_mask = random.write_mask;
}

static void random_pipeline(struct raster_pipeline *pipeline)
{
    static const struct raster_depth_stencil formats[] = {
        {.code = RASTER_DEPTH_UNORM, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 0, .depth_field = 0x7fff},
        {.code = RASTER_DEPTH_UNORM, .bits = 16, .depth_field = 0xffff, .bytes = 2},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 1, .depth_field = 0xfffe, .bytes = 2},
        {.code = RASTER_DEPTH_FLOAT24, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_FLOAT32, .bits = 32, .shift = 0, .depth_field = 0xffffffff},
        {.code = RASTER_DEPTH_UNORM32, .bits = 32, .shift = 0, .depth_field = 0xffffffff}};

    pipeline->n_outputs = 1;
    pipeline->zs_access = ZS_COPIED;
    pipeline->s.n_attrs = ATTRS;
    for (unsigned a = 0; a < ATTRS; a++)
        pipeline->s.attr[a] = (struct raster_attr){.slot = (uint16_t)(ATTRS - a),
                                                   .interp = (uint8_t)(random_u32() % 2)};
    pipeline->s.deriv_attribs = random_u32() % 4 ? 1 << 1 | 1 << 4 : 0;
    pipeline->s.alpha_test = random_u32() % 2;
    pipeline->shortcuts = random_u32() % 4 ? SHORTCUT_RGBA8 : 0;
    pipeline->s.unit_attribs = random_u32() % 4 ? UNIT_ATTRIBS : (1 << ATTRS) - 1;
    pipeline->ds[0] = formats[random_u32() % 7];
    pipeline->ds[0].depth_test = true;
    pipeline->ds[0].depth_write = random_u32() % 4;
    pipeline->ds[0].depth_func = (uint8_t)(D3DCMP_NEVER + random_u32() % 8);
    if (random_u32() % 2)
        add_stencil(&pipeline->ds[0]);
}

/* Random planes; constant attributes have slopes of 0. Most of UNIT_ATTRIBS are 1, or with `ones`
 * all. */
static void random_planes(struct raster_prim *prim, unsigned kind, bool ones)
{
    prim->affine = kind == 0 || (kind == 1 && random_u32() & 1);
    prim->const_attribs = kind == 2 ? 0 : random_u32() & ((1 << ATTRS) - 1);
    if (ones)
        prim->const_attribs |= UNIT_ATTRIBS;
    prim->anchor_x = (float)tile.x + (float)(random_u32() % 16384) / 256.0f;
    prim->anchor_y = (float)tile.y + (float)(random_u32() % 16384) / 256.0f;
    prim->depth_offset = random_u32() % 2 ? random_float() : 0.0f;
    random_floats(&prim->z.a0, 3);
    prim->rhw = random_attr_plane();
    prim->rhw.tiny = 0.0f;
    for (unsigned a = 0; a < ATTRS; a++) {
        prim->attr[a] = random_attr_plane();
        if (!(prim->const_attribs >> a & 1)) {
            if (random_u32() % 4 == 0)
                prim->attr[a].value = 1.0f; /* 1 at the anchor only */
            continue;
        }
        prim->attr[a] = random_const_plane();
        if (UNIT_ATTRIBS >> a & 1 && (ones || random_u32() % 4))
            prim->attr[a] = raster_const_plane(1.0f);
    }
}

static uint64_t random_rows(void)
{
    uint64_t rows = random_u64() & random_u64(), few = UINT64_C(0x0f0f0f0f);

    switch (random_u32() % 8) {
    case 0:
        return ~UINT64_C(0);
    case 1:
        return rows | random_u64();
    case 2:
        return few;
    default:
        return rows & (random_u32() % 2 ? few : few << 18);
    }
}

/* Random 8x8 areas that touch the tile; a few primitives belong to another pipeline or are not
 * PRIM_MASK8X8. */
static void random_block(void)
{
    int32_t dim = 8 << random_u32() % 4;
    unsigned kind = random_u32() % 4;
    bool ones = random_u32() % 4 == 0;

    tile.x = (int32_t)(random_u32() % 5) * dim;
    tile.y = (int32_t)(random_u32() % 5) * dim;
    tile.last = dim - BLOCK_DIM;
    random_pipeline(&pipelines[0]);
    cmds.count = random_u32() % (PRIMS + 1);
    for (unsigned i = 0; i < PRIMS; i++) {
        struct raster_prim *prim = prim_at(i);
        uint64_t rows = random_rows();

        prim->pipeline = &pipelines[random_u32() % 64 == 0];
        prim->kind = random_u32() % 64 ? PRIM_MASK8X8 : PRIM_TRIANGLE;
        prim->coverage.x = tile.x - 6 + (int32_t)(random_u32() % ((unsigned)dim / 2 + 3) * 2);
        prim->coverage.y = tile.y - 6 + (int32_t)(random_u32() % ((unsigned)dim / 2 + 3) * 2);
        prim->coverage.mask[0] = (uint32_t)rows;
        prim->coverage.mask[1] = (uint32_t)(rows >> 32);
        random_planes(prim, kind, ones && random_u32() % 64);
        cmds.command[i] =
            (uintptr_t)memory[i] | (random_u32() % 64 ? BIN_PRIM : (enum bin_op)BIN_PRIM_FULL);
    }
}

/* --- Expected fragments ----------------------------------------------------------------------- */

struct lane {
    const struct raster_prim *prim;
    int32_t x, y; /* in the tile */
};
struct picture {
    bool there[DIM][DIM];
    struct lane lane[RASTER_LANES];
    unsigned n;
    size_t taken;
    uint64_t done; /* pixels of the next command that are in this batch or the one before */
    bool rest;     /* it has others */
};

/* False: pixels are left. None is taken if one that fits is already in the batch. */
static bool put_one_by_one(struct picture *picture, const struct raster_prim *prim)
{
    struct picture next = *picture;

    next.rest = false;
    picture->rest = true;

    for (int32_t bit = 0; bit < RASTER_LANES; bit++) {
        int32_t x = prim->coverage.x + bit % 8 - tile.x, y = prim->coverage.y + bit / 8 - tile.y;

        if (!(prim->coverage.mask[bit / 32] >> bit % 32 & 1) || x < 0 || y < 0 ||
            x >= tile.last + BLOCK_DIM || y >= tile.last + BLOCK_DIM || picture->done >> bit & 1)
            continue;
        if (next.n == RASTER_LANES) {
            next.rest = true;
            break;
        }
        if (next.there[y][x])
            return false;
        next.there[y][x] = true;
        next.lane[next.n++] = (struct lane){prim, x, y};
        next.done |= UINT64_C(1) << bit;
    }
    if (!next.rest)
        next.done = 0;
    *picture = next;
    return !next.rest;
}

/* Takes what an empty batch takes after `before`. */
static void take_one_by_one(struct picture *picture, const struct picture *before)
{
    memset(picture, 0, sizeof(*picture));
    picture->taken = before->taken;
    picture->done = before->done;
    for (; picture->taken < cmds.count; picture->taken++) {
        const struct raster_prim *prim = prim_at(picture->taken);

        if ((cmds.command[picture->taken] & BIN_OP_MASK) != BIN_PRIM ||
            prim->pipeline != &pipelines[0] || prim->kind != PRIM_MASK8X8 ||
            !put_one_by_one(picture, prim))
            return;
    }
}

/* The rule for one lane (reference: raster/interpolation, raster/perspective). */
static float one_value(const struct lane *lane, unsigned attr)
{
    const struct raster_prim *prim = lane->prim;
    float dx = (float)(tile.x + lane->x) - prim->anchor_x;
    float dy = (float)(tile.y + lane->y) - prim->anchor_y;

    if (prim->const_attribs >> attr & 1)
        return prim->attr[attr].value;
    if (prim->affine || pipelines[0].s.attr[attr].interp != RASTER_PERSPECTIVE)
        return raster_attr_at(&prim->attr[attr], dx, dy);
    return raster_attr_over_w_at(&prim->attr[attr], raster_w_at(prim, dx, dy), dx, dy);
}

static float one_depth(const struct lane *lane)
{
    const struct raster_prim *prim = lane->prim;
    float dx = (float)(tile.x + lane->x) - prim->anchor_x;
    float dy = (float)(tile.y + lane->y) - prim->anchor_y;

    return raster_interp_at(&prim->z, dx, dy) + prim->depth_offset;
}

/* Derivative of an attribute in the fragment's quad: from its first pixel to the right or down. */
static float one_deriv(const struct lane *lane, unsigned attr, bool below)
{
    struct lane first = {lane->prim, lane->x & ~1, lane->y & ~1}, next = first;

    next.x += !below;
    next.y += below;
    return one_value(&next, attr) - one_value(&first, attr);
}

static size_t depth_bytes(void)
{
    return pipelines[0].ds[0].bytes == 2 ? 2 : 4;
}

/* Of 16-bit pixels an odd number. */
static size_t depth_pitch(void)
{
    return depth_bytes() == 2 ? (DIM + 3) * 2 : DIM * 4;
}

/* Tests the fragments from `first` on in order. Keeps those that are wanted and pass. */
static uint64_t test_one_by_one(struct picture *picture, unsigned first, uint64_t wanted,
                                bool write, uint32_t words[DIM][DIM])
{
    const struct raster_depth_stencil *ds = &pipelines[0].ds[0];
    uint64_t passed = 0;
    unsigned n = first;

    for (unsigned i = first; i < picture->n; i++) {
        const struct lane *lane = &picture->lane[i];
        uint8_t *pixel =
            (uint8_t *)words + (size_t)lane->y * depth_pitch() + (size_t)lane->x * depth_bytes();
        uint32_t word = 0;
        bool passes;

        if (!(wanted >> (i - first) & 1))
            continue;
        memcpy(&word, pixel, depth_bytes());
        passes = zs_rule(ds, raster_depth_kern_scalar.depth_code(ds, one_depth(lane)), &word);
        if (write)
            memcpy(pixel, &word, depth_bytes());
        if (!passes)
            continue;
        passed |= UINT64_C(1) << (i - first);
        picture->lane[n++] = *lane;
    }
    picture->n = n;
    return passed;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void check_places(const struct frag_batch *frags, const struct picture *want,
                         const char *name)
{
    ck_assert_msg(frags->n == want->n, "%s: %u pixels, not %u", name, frags->n, want->n);
    for (unsigned i = 0; i < want->n; i++)
        ck_assert_msg(frags->pos[i] == want->lane[i].y * DIM + want->lane[i].x, "%s: lane %u", name,
                      i);
}

static void check_values(const struct frag_batch *frags, const struct picture *want,
                         const char *name)
{
    for (unsigned i = 0; i < want->n; i++)
        for (unsigned a = 0; a < ATTRS; a++)
            ck_assert_msg(frags->unit_attribs >> a & 1 ||
                              bits_same(work[ATTRS - a][i], one_value(&want->lane[i], a)),
                          "%s: lane %u, attribute %u: %a %a %d", name, i, a, work[ATTRS - a][i],
                          one_value(&want->lane[i], a),
                          (int)(want->lane[i].prim->const_attribs >> a & 1));
}

static uint64_t expected_unit_attribs(const struct picture *picture)
{
    uint64_t ones = pipelines[0].shortcuts & SHORTCUT_RGBA8 ? pipelines[0].s.unit_attribs : 0;

    for (unsigned i = 0; i < picture->n; i++)
        for (unsigned a = 0; a < ATTRS; a++)
            if (ones >> a & 1 && (!(picture->lane[i].prim->const_attribs >> a & 1) ||
                                  picture->lane[i].prim->attr[a].value != 1.0f))
                return 0;
    return ones;
}

static void check_derivs(const struct frag_batch *frags, const struct picture *want,
                         const char *name)
{
    const struct raster_quad_derivs *got = &frags->derivs;
    unsigned n = 0;

    for (uint64_t deriv_attribs = pipelines[0].s.deriv_attribs; deriv_attribs;
         deriv_attribs &= deriv_attribs - 1, n++) {
        unsigned a = (unsigned)__builtin_ctzll(deriv_attribs);

        for (unsigned i = 0; i < want->n; i++)
            ck_assert_msg(bits_same(got->ddx[n][i], one_deriv(&want->lane[i], a, false)) &&
                              bits_same(got->ddy[n][i], one_deriv(&want->lane[i], a, true)),
                          "%s: lane %u, derivs of attribute %u", name, i, a);
    }
}

static void check_stores(const struct raster_store_kern *k, const struct frag_batch *frags,
                         const struct picture *want, const char *name)
{
    static uint32_t got[DIM][DIM], all[DIM][DIM];
    struct tile_surface surface = {(uint8_t *)got, sizeof(got[0])};
    uint32_t words[RASTER_LANES];

    memset(got, 0, sizeof(got));
    memset(all, 0, sizeof(all));
    for (unsigned i = 0; i < RASTER_LANES; i++)
        words[i] = (i + 1) * 0x01030507; /* not random: the number of kernels differs between
                                            hosts */
    for (unsigned i = 0; i < want->n; i++)
        all[want->lane[i].y][want->lane[i].x] = words[i];
    k->store_fragments(frags, &surface, words);
    ck_assert_msg(!memcmp(got, all, sizeof(got)), "%s: words", name);
}

START_TEST(fragments_match_reference)
{
    static uint32_t before[DIM][DIM], words[2][DIM][DIM];
    static const struct picture none;
    static struct frag_batch frags;
    static struct picture taken, want, more;
    unsigned n = 0, left = 0, ones = 0;

    for (int round = 0; round < ROUNDS; round++) {
        unsigned tested;
        uint64_t passed, wanted;
        bool write;

        random_block();
        for (unsigned i = 0; i < DIM * DIM; i++)
            before[i / DIM][i % DIM] =
                random_u32() &
                (depth_bytes() == 2 ? UINT32_MAX : pipelines[0].ds[0].depth_field | 0xff);
        take_one_by_one(&taken, &none);
        take_one_by_one(&more, &taken);
        want = taken;
        tested = taken.n ? random_u32() % taken.n : 0;
        wanted = random_u32() % 2 ? ~UINT64_C(0) : random_u64();
        write = random_u32() % 4;
        memcpy(words[0], before, sizeof(before));
        passed = test_one_by_one(&want, tested, wanted, write, words[0]);
        n += taken.n;
        left += want.n;
        ones += taken.n && expected_unit_attribs(&taken);
        EACH_ISA(k)
        {
            const char *name = cpu_isa_name((enum cpu_isa)isa_);
            struct in_flight used = {0};
            uint64_t rest = 0;

            memset(&frags, 0x55, sizeof(frags));
            memset(work, 0x55, sizeof(work));
            frags.layout = FRAG_SINGLE;
            frags.n = 0;
            for (unsigned a = 0; a < ATTRS; a++)
                frags.attr[a] = work[ATTRS - a];
            ck_assert_uint_eq(k->take(&frags, &used, &tile, &pipelines[0], &cmds, 0, &rest),
                              taken.taken);
            ck_assert_uint_eq(rest != 0, taken.rest);
            check_places(&frags, &taken, name);
            check_values(&frags, &taken, name);
            if (taken.n)
                ck_assert_uint_eq(frags.unit_attribs, expected_unit_attribs(&taken));
            check_derivs(&frags, &taken, name);
            check_stores(KERN_FOR(raster_store_kern, isa_), &frags, &taken, name);
            if (!taken.n)
                continue;
            frags.tested = tested;
            memcpy(words[1], before, sizeof(before));
            ck_assert_uint_eq(
                KERN_FOR(raster_zs_kern, isa_)
                    ->test_lanes(&pipelines[0].ds[0],
                                 &(struct raster_zs_lanes){.frags = &frags,
                                                           .first = tested,
                                                           .depths = frags.z + tested,
                                                           .base = (uint8_t *)words[1],
                                                           .pitch = depth_pitch(),
                                                           .write = write},
                                 wanted),
                passed);
            ck_assert_msg(!memcmp(words[0], words[1], sizeof(before)), "%s: depths", name);
            k->keep(&frags, &pipelines[0].s, passed);
            check_places(&frags, &want, name);
            check_values(&frags, &want, name);
            check_derivs(&frags, &want, name);
            for (unsigned i = 0; i < want.n && pipelines[0].s.alpha_test; i++)
                ck_assert_msg(bits_same(frags.z[i], one_depth(&want.lane[i])), "%s: lane %u, z",
                              name, i);
            frags.n = 0;
            k->retire(&used);
            ck_assert_uint_eq(
                k->take(&frags, &used, &tile, &pipelines[0], &cmds, taken.taken, &rest),
                more.taken);
            check_places(&frags, &more, name);
            check_values(&frags, &more, name);
        }
        bits_bytes(&passed, sizeof(passed));
        bits_bytes(words[0], sizeof(before));
        for (unsigned i = 0; i < want.n; i++) {
            float value[2] = {one_value(&want.lane[i], i % ATTRS),
                              one_deriv(&want.lane[i], i % ATTRS, i & 8)};

            bits_floats(value, 2);
        }
    }
    ck_assert_uint_gt(n, 20 * ROUNDS);
    ck_assert_uint_gt(left, 8 * ROUNDS);
    ck_assert_uint_gt(n - 2 * ROUNDS, left);
    ck_assert_uint_gt(ones, ROUNDS / 10);
    ck_assert_uint_gt(ROUNDS / 2, ones);
    bits_print("pixels", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/packer");
    TCase *tc = tcase_create("packer_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, fragments_match_reference);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
