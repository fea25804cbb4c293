/* Kernels of preshading: each instruction set against the rules for one fragment at a time. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/prim/prim.h"
#include "raster/setup/preshade_kern.h"
#include "raster/scene/blocks.h"
#include "raster/state/params.h"
#include "raster/worker/batch.h"
#include "raster/zs/depth_kern.h"

#include <string.h>

enum { ROUNDS = 1000, ATTRS = 5 };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_preshade_kern *k = KERN_FOR(raster_preshade_kern, isa_);          \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static const char *isa_of(int isa)
{
    return cpu_isa_name((enum cpu_isa)isa);
}

/* --- Spans ------------------------------------------------------------------------------------ */

/* Tiles lie close together, so that sometimes one tile has all triangles. */
static void random_triangles(struct raster_small_tri_group *group, unsigned tiles)
{
    group->tile_shift = 3 + random_u32() % 4;
    group->tiles_x = 1 + random_u32() % 100;
    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) {
        uint32_t x = random_u32() % tiles, y = random_u32() % tiles;
        uint32_t within = (1u << group->tile_shift) - 1;

        group->left[k] = (int32_t)(x << group->tile_shift | (random_u32() & within)) & ~1;
        group->top[k] = (int32_t)(y << group->tile_shift | (random_u32() & within)) & ~1;
        group->tile[k] = (int32_t)(y * group->tiles_x + x);
        group->mask[0][k] = random_u32();
        group->mask[1][k] = random_u32();
    }
}

static void check_spans(const struct frag_spans *got, const struct raster_small_tri_group *group,
                        uint32_t triangles, const char *name)
{
    const unsigned mask = (1u << group->tile_shift) - 1;
    unsigned first = (unsigned)__builtin_ctz(triangles), n = 0;
    uint64_t blocks = 0;
    bool several_tiles = false;

    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) {
        unsigned across = ((unsigned)group->left[k] & mask) / 8;
        unsigned down = ((unsigned)group->top[k] & mask) / 8;

        if (!(triangles >> k & 1))
            continue;
        ck_assert_uint_eq(got->rows[n], group->mask[0][k] | (uint64_t)group->mask[1][k] << 32);
        ck_assert_uint_eq(got->tile[n], (uint32_t)group->tile[k]);
        ck_assert_uint_eq(got->triangle[n], k);
        ck_assert_uint_eq(got->pos[n], 0);
        ck_assert_uint_eq(got->block[n], down * 8 + across);
        for (unsigned i = 0; i < 4; i++)
            if (down + i / 2 < 8)
                blocks |= UINT64_C(1) << ((down + i / 2) * 8 + across) << i % 2;
        several_tiles |= group->tile[k] != group->tile[first];
        n++;
    }
    ck_assert_msg(got->n == n && got->several_tiles == several_tiles &&
                      (got->blocks & blocks) == blocks,
                  "%s: %u parts, several_tiles %d, blocks %llx", name, got->n, got->several_tiles,
                  (unsigned long long)got->blocks);
}

START_TEST(triangles_in_one_tile_become_spans)
{
    static struct raster_small_tri_group group;
    unsigned joined = 0;

    for (int round = 0; round < ROUNDS; round++) {
        uint32_t triangles = 1 + random_u32() % ((1u << SMALL_TRI_GROUP) - 1);
        uint32_t some = triangles & ((1u << random_u32() % SMALL_TRI_GROUP) - 1);
        uint64_t blocks = 0;

        random_triangles(&group, 1 + random_u32() % 2);
        EACH_ISA(k)
        {
            struct frag_spans spans = {0};

            if (some)
                k->add_whole(&spans, &group, some);
            if (triangles & ~some)
                k->add_whole(&spans, &group, triangles & ~some);
            check_spans(&spans, &group, triangles, isa_of(isa_));
            blocks = isa_ == ISA_SCALAR ? spans.blocks : blocks;
            ck_assert_uint_eq(spans.blocks, blocks);
            joined += !spans.several_tiles;
        }
        bits_bytes(&blocks, sizeof(blocks));
    }
    ck_assert_uint_gt(joined, ROUNDS / 4);
    bits_print("preshade_parts", 0);
}
END_TEST

/* --- Lists ------------------------------------------------------------------------------------ */

/* Spans with few pixels, sometimes with many or all. */
static void random_spans(struct frag_spans *spans)
{
    unsigned triangle = 0;

    memset(spans, 0, sizeof(*spans));
    for (; triangle < SMALL_TRI_GROUP; triangle++) {
        unsigned some = random_u32() % 8 ? 1 : random_u32() % 5;

        for (unsigned i = 0; i < some; i++) {
            uint64_t rows = random_u64();

            if (random_u32() % 16)
                rows &= random_u64() & random_u64() & random_u64();
            else if (random_u32() % 4 == 0)
                rows = ~UINT64_C(0);
            spans->rows[spans->n] = rows ? rows : 1;
            spans->triangle[spans->n] = (uint8_t)triangle;
            spans->pos[spans->n++] = (uint8_t)(random_u32() % 2 * 8 + random_u32() % 2 * 128);
        }
    }
}

START_TEST(lists_have_every_fragment)
{
    static struct frag_list frag_list;

    for (int round = 0; round < ROUNDS; round++) {
        struct frag_spans spans;

        random_spans(&spans);
        EACH_ISA(k)
        {
            unsigned n = 0;

            k->list(&frag_list, &spans);
            for (unsigned p = 0; p < spans.n; p++) {
                unsigned before = n;

                for (unsigned bit = 0; bit < 64; bit++) {
                    if (!(spans.rows[p] >> bit & 1))
                        continue;
                    ck_assert_uint_eq(frag_list.pos[n], spans.pos[p] + bit / 8 * 16 + bit % 8);
                    ck_assert_uint_eq(frag_list.triangle[n], spans.triangle[p]);
                    n++;
                }
                ck_assert_uint_eq(spans.count[p], n - before);
            }
            ck_assert_uint_eq(frag_list.n, n);
        }
        bits_bytes(frag_list.pos, frag_list.n);
        bits_bytes(frag_list.triangle, frag_list.n);
    }
    bits_print("preshade_list", 0);
}
END_TEST

/* --- Planes ----------------------------------------------------------------------------------- */

static const struct raster_attr attributes[ATTRS] = {{.slot = 4, .interp = RASTER_PERSPECTIVE},
                                                     {.slot = 3, .interp = RASTER_AFFINE},
                                                     {.slot = 0, .interp = RASTER_PERSPECTIVE},
                                                     {.slot = 1, .interp = RASTER_PERSPECTIVE},
                                                     {.slot = 2, .interp = RASTER_AFFINE}};
static _Alignas(64) float work[ATTRS][RASTER_LANES];

static void put_plane(struct raster_attr_plane_soa *to, unsigned k, struct raster_attr_plane plane)
{
    float words[6];

    memcpy(words, &plane.a0, sizeof(words));
    to->value[k] = plane.value;
    to->tiny[k] = plane.tiny;
    for (unsigned i = 0; i < 3; i++) {
        to->low[i][k] = words[2 * i];
        to->high[i][k] = words[2 * i + 1];
    }
}

static struct raster_attr_plane plane_of(const struct raster_attr_plane_soa *from, unsigned k)
{
    struct raster_attr_plane plane = {.value = from->value[k], .tiny = from->tiny[k]};
    float words[6];

    for (unsigned i = 0; i < 3; i++) {
        words[2 * i] = from->low[i][k];
        words[2 * i + 1] = from->high[i][k];
    }
    memcpy(&plane.a0, words, sizeof(words));
    return plane;
}

/* reference: raster/interpolation, raster/perspective */
static float attr_at(const struct raster_interp_plane_soa *rows, unsigned n, unsigned k, float dx,
                     float dy)
{
    struct raster_attr_plane plane = plane_of(&rows->attr[n], k), rhw = plane_of(&rows->rhw, k);

    if (!rows->divides || attributes[n].interp != RASTER_PERSPECTIVE)
        return raster_attr_at(&plane, dx, dy);
    return raster_attr_over_w_at(&plane, 1.0 / raster_attr_sum_at(&rhw, dx, dy), dx, dy);
}

static void random_rows(struct raster_interp_plane_soa *rows, struct raster_small_tri_group *group)
{
    int32_t everywhere = (int32_t)(random_u32() % (1 << ATTRS));
    bool all_affine = random_u32() % 4 == 0;

    memset(rows, 0, sizeof(*rows));
    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) {
        group->left[k] = (int32_t)(random_u32() % 4000) & ~1;
        group->top[k] = (int32_t)(random_u32() % 4000) & ~1;
        rows->anchor_x[k] = (float)group->left[k] + (float)(random_u32() % 4096) / 256.0f;
        rows->anchor_y[k] = (float)group->top[k] + (float)(random_u32() % 4096) / 256.0f;
        rows->depth_offset[k] = random_u32() % 2 ? random_float() : 0.0f;
        rows->const_attribs[k] = (int32_t)(random_u32() % (1 << ATTRS)) | everywhere;
        rows->varies |= ~(uint32_t)rows->const_attribs[k];
        for (unsigned i = 0; i < 3; i++) {
            rows->z[i][k] = random_float();
        }
        if (all_affine || random_u32() % 2) {
            put_plane(&rows->rhw, k, raster_const_plane(1.0f));
        } else {
            put_plane(&rows->rhw, k, random_attr_plane());
            rows->divides = true;
        }
        for (unsigned n = 0; n < ATTRS; n++)
            put_plane(&rows->attr[n], k,
                      rows->const_attribs[k] >> n & 1 ? random_const_plane() : random_attr_plane());
    }
    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) /* as setup finds it */
        for (unsigned n = 0; n < ATTRS; n++)
            rows->noncanonical_const |=
                (rows->const_attribs[k] >> n & 1) &&
                !bits_same(rows->attr[n].value[k] + 0.0f, rows->attr[n].value[k]);
}

/* reference: depth/interpolation */
static float value_at(const float plane[3][SMALL_TRI_GROUP], unsigned k, float dx, float dy)
{
    struct raster_interp_plane p = {plane[0][k], plane[1][k], plane[2][k]};

    return raster_interp_at(&p, dx, dy);
}

static void check_lane(const struct frag_batch *got, unsigned lane,
                       const struct raster_small_tri_group *group,
                       const struct raster_interp_plane_soa *rows, unsigned k, unsigned place,
                       int32_t dim, const char *name)
{
    int32_t x = group->left[k] + (int32_t)(place % 16), y = group->top[k] + (int32_t)(place / 16);
    float dx = (float)x - rows->anchor_x[k], dy = (float)y - rows->anchor_y[k];
    float z = value_at(rows->z, k, dx, dy) + rows->depth_offset[k];
    uint32_t at = (uint32_t)(y & (dim - 1)) << TILE_SHIFT | (uint32_t)(x & (dim - 1));

    ck_assert_uint_eq((uint32_t)got->pos[lane], at);
    check_floats(&got->z[lane], &z, 1, name);
    for (unsigned n = 0; n < ATTRS; n++) {
        bool same = rows->const_attribs[k] >> n & 1;
        float want = same ? rows->attr[n].value[k] : attr_at(rows, n, k, dx, dy);

        check_floats(&got->attr[n][lane], &want, 1, name);
    }
}

static void hash_lane(const struct frag_batch *frags, unsigned lane)
{
    bits_word((uint32_t)frags->pos[lane]);
    bits_floats(&frags->z[lane], 1);
    for (unsigned n = 0; n < ATTRS; n++)
        bits_floats(&frags->attr[n][lane], 1);
}

/* Triangles ascend, with few or many fragments each; bytes past the last are random. */
static void random_frag_list(struct frag_list *frag_list)
{
    uint32_t triangle = random_u32() % (random_u32() % 2 ? 4 : SMALL_TRI_GROUP);
    uint32_t seldom = 1 + random_u32() % 16, farthest = 1 + random_u32() % (SMALL_TRI_GROUP - 1);

    frag_list->n = 1 + random_u32() % 150;
    for (unsigned i = 0; i < frag_list->n + RASTER_LANES; i++) {
        frag_list->triangle[i] = (uint8_t)(i < frag_list->n ? triangle : random_u32());
        frag_list->pos[i] = (uint8_t)random_u32();
        if (random_u32() % seldom == 0)
            triangle += 1 + random_u32() % farthest;
        triangle = triangle < SMALL_TRI_GROUP ? triangle : SMALL_TRI_GROUP - 1;
    }
}

START_TEST(planes_are_evaluated_at_fragments)
{
    static struct frag_list frag_list;
    static struct frag_batch frags;
    static struct raster_interp_plane_soa rows;
    static struct raster_small_tri_group group;

    for (int round = 0; round < ROUNDS; round++) {
        int32_t dim = 8 << round % 4;

        random_rows(&rows, &group);
        random_frag_list(&frag_list);
        EACH_ISA(k)
        {
            unsigned next = 0;

            for (unsigned n = 0; n < ATTRS; n++)
                frags.attr[n] = work[attributes[n].slot];
            frags.n = round % RASTER_LANES; /* the batch is not empty */
            while (next < frag_list.n) {
                unsigned lane = frags.n, first = next;

                next =
                    k->interpolate(&frags, &group, &rows, &frag_list, next, attributes, ATTRS, dim);
                ck_assert_uint_eq(frags.n - lane, next - first);
                ck_assert(next == frag_list.n || frags.n == RASTER_LANES);
                for (; first < next; first++, lane++) {
                    check_lane(&frags, lane, &group, &rows, frag_list.triangle[first],
                               frag_list.pos[first], dim, isa_of(isa_));
                    if (isa_ == ISA_SCALAR)
                        hash_lane(&frags, lane);
                }
                frags.n = 0;
            }
        }
    }
    bits_print("preshade_spread", 0);
}
END_TEST

START_TEST(depths_are_encoded)
{
    static const struct raster_depth_stencil formats[] = {
        {.code = RASTER_DEPTH_UNORM, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_UNORM, .bits = 15, .shift = 1, .depth_field = 0xfffe},
        {.code = RASTER_DEPTH_FLOAT24, .bits = 24, .shift = 8, .depth_field = 0xffffff00},
        {.code = RASTER_DEPTH_FLOAT32, .bits = 32, .shift = 0, .depth_field = 0xffffffff}};
    const struct raster_depth_kern *scalar = KERN_FOR(raster_depth_kern, ISA_SCALAR);
    static struct frag_batch frags;

    for (int round = 0; round < ROUNDS; round++) {
        const struct raster_depth_stencil *ds = &formats[round % 4];

        random_floats(frags.z, RASTER_LANES);
        for (unsigned i = 0; i < RASTER_LANES; i++)
            frags.pos[i] = (int32_t)(random_u32() & 0xfff);
        EACH_ISA(k)
        {
            uint32_t depth[RASTER_LANES];
            uint16_t place[RASTER_LANES];

            k->finish(ds, &frags, depth, place);
            for (unsigned i = 0; i < RASTER_LANES; i++) {
                ck_assert_uint_eq(depth[i], scalar->depth_code(ds, frags.z[i]));
                ck_assert_uint_eq(place[i], (uint32_t)frags.pos[i]);
                if (isa_ == ISA_SCALAR)
                    bits_word(depth[i]);
            }
        }
    }
    bits_print("preshade_depths", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/preshade");
    TCase *tc = tcase_create("preshade_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, triangles_in_one_tile_become_spans);
    tcase_add_test(tc, lists_have_every_fragment);
    tcase_add_test(tc, planes_are_evaluated_at_fragments);
    tcase_add_test(tc, depths_are_encoded);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
