/* Batched setup kernels: coverage of each instruction set against scalar, which
 * unit/raster/test_oracle.c compares with the rule; planes against those of one triangle at
 * a time. */
#include "check_main.h"
#include "kernel/bits.h"
#include "kernel/raster/random.h"

#include "raster/prim/prim.h"
#include "raster/setup/setup.h"
#include "raster/setup/setup_kern.h"
#include "raster/state/pipeline.h"
#include "util/alloc.h"

#include <string.h>

enum { ROUNDS = 2000 };

#define EACH_ISA(k)                                                                                \
    for (int isa_ = 0; isa_ < ISA_COUNT; isa_++)                                                   \
        for (const struct raster_setup_kern *k = KERN_FOR(raster_setup_kern, isa_);                \
             k && cpu_has_isa((enum cpu_isa)isa_); k = NULL)

static int32_t within(int32_t reach)
{
    return (int32_t)(random_u32() % (2 * (uint32_t)reach + 1)) - reach;
}

enum { VERTICES = 3 * SMALL_TRI_GROUP, ATTRS = 6, STRIDE = RASTER_V_ATTR + 8 };

static struct raster_screen_vertex screen[VERTICES];
static float vertices[VERTICES * STRIDE];
static uint32_t indices[VERTICES];

/* Triangles of a few pixels, some at any position that corners may have. A few share vertices, have
 * invalid indices or fail clip planes. One group in four is affine, and in one of two an attribute
 * is constant in every triangle. */
static void random_triangles(void)
{
    int32_t reach = 1 << random_u32() % 12;
    unsigned affine = random_u32() % 4 ? 4 : 1; /* one corner in so many */
    unsigned even = random_u32() % (2 * ATTRS);

    for (unsigned i = 0; i < VERTICES; i++) {
        struct raster_screen_vertex *v = &screen[i], *first = &screen[i - i % 3];
        int32_t span = random_u32() % 8 ? 100 * SUBPIXEL : 1 << 23;
        bool near_first = i % 3 && random_u32() % 16;

        v->x = near_first ? first->x + within(reach) : within(span);
        v->y = near_first ? first->y + within(reach) : within(span);
        v->z = random_float();
        v->rhw = i % 3 && random_u32() % affine == 0 ? first->rhw : random_float();
        v->outside = random_u32() % 32 ? 0 : random_u32();
        v->v = vertices + i * STRIDE;
        random_floats(vertices + i * STRIDE, STRIDE);
        for (unsigned n = 0; i % 3 && n < ATTRS; n++)
            if (n == even || random_u32() % 4 == 0)
                vertices[i * STRIDE + RASTER_V_ATTR + n] =
                    vertices[(i - 1) * STRIDE + RASTER_V_ATTR + n];
        indices[i] = random_u32() % 32 ? i : random_u32() % (2 * VERTICES);
    }
}

static void random_group(struct raster_small_tri_group *g)
{
    random_triangles();
    memset(g, 0, sizeof(*g));
    g->indices = indices;
    g->screen = screen;
    g->n_vertices = VERTICES;
    g->inside = random_u32() % 4 == 0;
    for (unsigned i = 0; g->inside && i < VERTICES; i++)
        screen[i].outside = 0;
    g->clockwise = random_u32() % 4;
    g->counter_clockwise = random_u32() % 4;
    g->tile_shift = 3 + random_u32() % 4;
    g->tiles_x = 1 + random_u32() % 20;
    for (unsigned i = 0; i < 4; i++)
        g->rect[i] = (i < 2 ? -100 : 100) + within(30);
}

static void check_same(const struct raster_small_tri_group *got,
                       const struct raster_small_tri_group *want, const char *name)
{
    ck_assert_msg(got->fits_8x8 == want->fits_8x8 && got->needs_16x16 == want->needs_16x16 &&
                      got->fallback == want->fallback,
                  "%s: %x %x %x, scalar %x %x %x", name, got->fits_8x8, got->needs_16x16,
                  got->fallback, want->fits_8x8, want->needs_16x16, want->fallback);
    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) {
        bool drawn = want->fits_8x8 >> k & 1;

        ck_assert_uint_eq(got->n_parts[k], drawn);
        ck_assert_uint_eq(got->multi_tile >> k & 1, drawn && want->tile[k] == NO_TILE);
        if (!((want->fits_8x8 | want->needs_16x16) >> k & 1))
            continue;
        ck_assert_int_eq(got->left[k], want->left[k]);
        ck_assert_int_eq(got->top[k], want->top[k]);
        ck_assert_int_eq(got->tile[k], want->tile[k]);
        ck_assert_int_eq(got->area[k], want->area[k]);
        for (unsigned i = 0; i < 2 && drawn; i++)
            ck_assert_uint_eq(got->mask[i][k], want->mask[i][k]);
    }
}

START_TEST(coverage_agrees)
{
    unsigned drawn = 0, wide = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_small_tri_group g, out[2];

        random_group(&g);
        EACH_ISA(k)
        {
            struct raster_small_tri_group *to = &out[isa_ != ISA_SCALAR];

            *to = g;
            k->find_coverage(to);
            check_same(to, &out[0], cpu_isa_name((enum cpu_isa)isa_));
        }
        drawn += (unsigned)__builtin_popcount(out[0].fits_8x8);
        wide += (unsigned)__builtin_popcount(out[0].needs_16x16);
        bits_bytes(&out[0].fits_8x8, sizeof(out[0].fits_8x8));
        bits_bytes(&out[0].needs_16x16, sizeof(out[0].needs_16x16));
        for (unsigned k = 0; k < SMALL_TRI_GROUP; k++)
            if (out[0].fits_8x8 >> k & 1)
                bits_bytes(&out[0].mask[0][k], sizeof(out[0].mask[0][k]));
    }
    ck_assert_uint_gt(drawn, ROUNDS);
    ck_assert_uint_gt(wide, ROUNDS / 5);
    bits_print("small", 0);
}
END_TEST

/* --- Planes ----------------------------------------------------------------------------------- */

static void random_pipeline(struct raster_pipeline *pipeline)
{
    memset(pipeline, 0, sizeof(*pipeline));
    pipeline->s.n_attrs = (uint8_t)(random_u32() % (ATTRS + 1));
    for (unsigned n = 0; n < pipeline->s.n_attrs; n++)
        pipeline->s.attr[n].interp = (uint8_t)(random_u32() % 3);
    pipeline->s.values.depth_bias = random_u32() % 2 ? random_float() : 0.0f;
    pipeline->s.values.slope_bias = random_u32() % 2 ? random_float() : 0.0f;
}

static void check_prim(const struct raster_prim *got, const struct raster_prim *want,
                       const char *name)
{
    unsigned n_attrs = want->pipeline->s.n_attrs;

    ck_assert(got->pipeline == want->pipeline && got->kind == PRIM_MASK8X8 && !got->scissored);
    ck_assert_int_eq(got->affine, want->affine);
    ck_assert_uint_eq(got->const_attribs, want->const_attribs);
    check_floats(&got->anchor_x, &want->anchor_x, 4, name);
    check_floats(&got->z.a0, &want->z.a0, 3, name);
    check_planes(&got->rhw, &want->rhw, name);
    for (unsigned n = 0; n < n_attrs; n++)
        check_planes(&got->attr[n], &want->attr[n], name);
    bits_floats(&got->z.a0, 3);
    for (unsigned n = 0; n < n_attrs; n++)
        bits_plane(&got->attr[n]);
}

/* Gives triangles of needs_16x16 a number of mask parts; returns the triangles with parts. */
static uint32_t some_parts(struct raster_small_tri_group *g, unsigned round)
{
    uint32_t some = g->fits_8x8;

    for (unsigned k = 0; k < SMALL_TRI_GROUP; k++) {
        if (g->needs_16x16 >> k & 1)
            g->n_parts[k] = (round + k) % (MAX_MASK_PARTS + 1);
        some |= (uint32_t)(g->n_parts[k] != 0) << k;
    }
    return some;
}

/* Planes against those of raster_triangle_planes. */
START_TEST(planes_agree)
{
    enum { BYTES = 512 };
    static _Alignas(64) char storage[(MAX_MASK_PARTS * SMALL_TRI_GROUP + 2) * BYTES], one[BYTES];
    struct raster_prim *want = (struct raster_prim *)(void *)one;
    struct raster_pipeline *pipeline = mem_calloc(1, sizeof(*pipeline));
    uint64_t hash = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_small_tri_group g;
        struct raster_small_tri_buffers to = {.pipeline = pipeline,
                                              .vertices = vertices,
                                              .stride_bytes = STRIDE * sizeof(float),
                                              .prims = storage,
                                              .prim_bytes = BYTES};

        random_pipeline(pipeline);
        random_group(&g);
        EACH_ISA(k)
        {
            unsigned n = 0;
            uint32_t some;

            k->find_coverage(&g);
            some = some_parts(&g, (unsigned)round);
            k->planes(&g, &to);
            for (unsigned i = 0; i < SMALL_TRI_GROUP; i++) {
                const struct raster_screen_vertex *v[3];
                const struct raster_prim *prim =
                    (struct raster_prim *)(void *)(storage + n * BYTES);

                if (!(some >> i & 1))
                    continue;
                for (unsigned c = 0; c < 3; c++)
                    v[c] = &screen[indices[3 * i + c]];
                raster_triangle_planes(want, pipeline, v);
                check_prim(prim, want, cpu_isa_name((enum cpu_isa)isa_));
                ck_assert_int_eq(prim->coverage.x, g.left[i]);
                ck_assert_int_eq(prim->coverage.y, g.top[i]);
                n += g.n_parts[i];
                if (!(g.fits_8x8 >> i & 1))
                    continue;
                ck_assert_uint_eq(prim->coverage.mask[0], g.mask[0][i]);
                ck_assert_uint_eq(prim->coverage.mask[1], g.mask[1][i]);
            }
            if (isa_ == ISA_SCALAR)
                hash = bits_hash;
            bits_hash = hash;
        }
    }
    bits_print("planes", 0);
    mem_free(pipeline);
}
END_TEST

static double word_pair(float low, float high)
{
    float words[2] = {low, high};
    double value;

    memcpy(&value, words, sizeof(value));
    return value;
}

static void check_attr(const struct raster_attr_plane_soa *got, unsigned i,
                       const struct raster_attr_plane *want, const char *name)
{
    const struct raster_attr_plane plane = {
        got->value[i], got->tiny[i], word_pair(got->low[0][i], got->high[0][i]),
        word_pair(got->low[1][i], got->high[1][i]), word_pair(got->low[2][i], got->high[2][i])};

    check_planes(&plane, want, name);
}

static void check_row(const float row[SMALL_TRI_GROUP], unsigned i, float want, const char *name)
{
    check_floats(&row[i], &want, 1, name);
}

/* Whether adding 0 changes the value. */
static bool is_noncanonical(float value)
{
    float sum = value + 0.0f;

    return memcmp(&sum, &value, sizeof(sum)) != 0;
}

static void check_rows(const struct raster_interp_plane_soa *got, unsigned i,
                       const struct raster_prim *want, const char *name)
{
    const struct raster_interp_plane *z = &want->z;
    const struct raster_attr_plane one = raster_const_plane(1.0f);

    check_row(got->anchor_x, i, want->anchor_x, name);
    check_row(got->anchor_y, i, want->anchor_y, name);
    check_row(got->depth_offset, i, want->depth_offset, name);
    ck_assert_uint_eq((uint32_t)got->const_attribs[i], want->const_attribs);
    for (unsigned n = 0; n < want->pipeline->s.n_attrs; n++)
        ck_assert(got->varies >> n & 1 || want->const_attribs >> n & 1);
    for (unsigned n = 0; n < want->pipeline->s.n_attrs; n++)
        ck_assert(got->noncanonical_const || !(want->const_attribs >> n & 1) ||
                  !is_noncanonical(want->attr[n].value));
    ck_assert(got->divides || want->affine);
    for (unsigned k = 0; k < 3; k++)
        check_row(got->z[k], i, (&z->a0)[k], name);
    check_attr(&got->rhw, i, want->affine ? &one : &want->rhw, name);
    for (unsigned n = 0; n < want->pipeline->s.n_attrs; n++)
        check_attr(&got->attr[n], i, &want->attr[n], name);
}

/* The same for planes in SoA form. */
START_TEST(soa_planes_agree)
{
    enum { BYTES = 512 };
    static _Alignas(64) char one[BYTES];
    static struct raster_interp_plane_soa rows;
    struct raster_prim *want = (struct raster_prim *)(void *)one;
    struct raster_pipeline *pipeline = mem_calloc(1, sizeof(*pipeline));

    for (int round = 0; round < ROUNDS; round++) {
        struct raster_small_tri_group g;
        struct raster_small_tri_buffers from = {
            .pipeline = pipeline, .vertices = vertices, .stride_bytes = STRIDE * sizeof(float)};

        random_pipeline(pipeline);
        random_group(&g);
        EACH_ISA(k)
        {
            k->find_coverage(&g);
            k->planes_soa(&g, &from, &rows);
            for (unsigned i = 0; i < SMALL_TRI_GROUP; i++) {
                const struct raster_screen_vertex *v[3];

                if (!((g.fits_8x8 | g.needs_16x16) >> i & 1))
                    continue;
                for (unsigned c = 0; c < 3; c++)
                    v[c] = &screen[indices[3 * i + c]];
                raster_triangle_planes(want, pipeline, v);
                check_rows(&rows, i, want, cpu_isa_name((enum cpu_isa)isa_));
            }
        }
    }
    mem_free(pipeline);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/raster/setup");
    TCase *tc = tcase_create("setup_kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, coverage_agrees);
    tcase_add_test(tc, planes_agree);
    tcase_add_test(tc, soa_planes_agree);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
