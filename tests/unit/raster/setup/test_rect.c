/* Rectangles: two triangles drawn as one rectangle against the same triangles with no_packing.
 * Compares coverage, tests and the bits of all interpolated values, helper lanes included. */
#include "check_main.h"

#include "fixture.h"
#include "raster/prim/prim.h"
#include "raster/scene/scene.h"
#include "raster/setup/setup.h"

enum { WIDTH = 141, HEIGHT = 83, DRAWS = 400 };

static uint32_t any(uint32_t n)
{
    return random_u32() % n;
}

/* --- Random rectangles ------------------------------------------------------------------------ */

/* On whole pixels, half pixels, or any subpixel. */
static float any_position(int32_t least, uint32_t range)
{
    static const float unit[3] = {1.0f, 0.5f, 1.0f / 256.0f};
    unsigned kind = any(3);

    return (float)(least + (int32_t)any(range)) +
           unit[kind] * (float)(kind ? any(kind == 1 ? 2 : 256) : 0);
}

/* Values of four corners: equal, with slopes that floats represent exactly or not, or not
 * planar. */
static void any_values(float value[4], float width, float height)
{
    static const float start[4] = {0.0f, -0.0f, 0.25f, 1.0f / 3.0f};
    float first = start[any(4)], across = 0.0f, down = 0.0f;
    unsigned kind = any(5);

    if (kind == 1 || kind == 2) {
        across = width * (float)((int32_t)any(5) - 2) / (float)(64 << any(4));
        down = height * (float)((int32_t)any(5) - 2) / (float)(64 << any(4));
    } else if (kind == 3) {
        across = (float)any(3) * 0.3f;
        down = any(2) ? 0.0f : 1.0f;
    }
    for (unsigned i = 0; i < 4; i++)
        value[i] = first + (i & 1 ? across : 0.0f) + (i & 2 ? down : 0.0f);
    if (kind == 4)
        value[any(4)] += 0.125f;
}

static void any_corners(struct vertex v[4])
{
    float x = any_position(-40, 120), y = any_position(-40, 100);
    float width = any(3) ? any_position(0, 150) : 64.0f, height = any_position(0, 100), value[4];

    for (unsigned i = 0; i < 4; i++)
        v[i] = vertex_at(x + (i & 1 ? width : 0.0f), y + (i & 2 ? height : 0.0f), 0.0f, 0);
    any_values(value, width, height);
    for (unsigned i = 0; i < 4; i++)
        v[i].z = value[i] * 0.25f + 0.25f;
    for (unsigned c = 0; c < 4; c++) {
        any_values(value, width, height);
        for (unsigned i = 0; i < 4; i++)
            v[i].rgba[c] = value[i];
    }
    for (unsigned i = 0; i < 4; i++)
        v[i].rhw = 0.5f;
    if (!any(6))
        v[any(4)].rhw = 2.0f;
}

/* Either diagonal, any first corner, either winding, sometimes with halves that do not match. */
static void draw_any_rect(struct canvas *c, const struct raster_state *s)
{
    static const uint8_t halves[2][6] = {{0, 1, 2, 3, 2, 1}, {0, 1, 3, 3, 2, 0}};
    unsigned diagonal = any(2), turn[2] = {any(3), any(3)}, flip = any(3);
    struct vertex v[4], list[6];

    any_corners(v);
    for (unsigned i = 0; i < 6; i++)
        list[i] = v[halves[diagonal][i / 3 * 3 + (i + turn[i / 3]) % 3]];
    for (unsigned half = 0; half < 2; half++) {
        struct vertex swapped = list[3 * half + 1];

        if (flip == 1 || (flip == 2 && half && !any(4))) {
            list[3 * half + 1] = list[3 * half + 2];
            list[3 * half + 2] = swapped;
        }
    }
    if (!any(8))
        list[any(6)].rgba[any(4)] += 1.0f;
    if (!any(16))
        list[any(6)].x += 0.25f;
    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, list, 6), ST_OK);
}

/* --- Images ----------------------------------------------------------------------------------- */

/* Outputs two attributes and their derivatives in the quad, from which LODs come. */
static void shade_derivs(const void *ctx, struct raster_shade_batch *batch)
{
    const float *in = batch->work;
    float *out = (float *)batch->work + 4 * RASTER_LANES;

    (void)ctx;
    for (unsigned c = 0; c < 4; c++) {
        const float *from = in + c * RASTER_LANES;

        for (unsigned i = 0; i < RASTER_LANES; i++)
            out[c * RASTER_LANES + i] = c < 2 ? from[i] : from[i | 3] - from[i & ~3u];
        batch->colour[0][c] = out + c * RASTER_LANES;
    }
}

static void any_state(struct canvas *c, struct raster_state *s, uint64_t *counted)
{
    default_state(c, s);
    s->shade = any(2) ? shade_derivs : shade_attributes;
    s->depth_test = any(2);
    s->depth_write = any(2);
    s->depth_func = (uint8_t)(1 + any(8));
    s->alpha_test = !any(4);
    s->alpha_func = D3DCMP_GREATER;
    s->values.alpha_ref = 100;
    s->cull = (uint8_t)(1 + any(3));
    s->attr[any(4)].interp = (uint8_t)any(3);
    s->values.depth_bias = any(3) ? 0.0f : 0.001f;
    s->values.slope_bias = any(3) ? 0.0f : 1.0f;
    s->stencil_test = !any(3);
    s->stencil_two_sided = any(2);
    s->stencil[0].pass = D3DSTENCILOP_INCR;
    s->stencil[1].pass = D3DSTENCILOP_DECR;
    s->values.samples_passed = counted;
    if (!any(4)) {
        s->values.scissor[0] = (int32_t)any(40);
        s->values.scissor[3] = HEIGHT - (int32_t)any(40);
    }
}

static uint64_t take_picture(struct canvas *c, int scene, bool no_packing)
{
    const struct raster_options options = {.no_packing = no_packing, .tile = 8u << scene % 4};
    uint64_t counted = 0;

    random_seed(77 + (uint64_t)scene);
    canvas_open(c, 1, WIDTH, HEIGHT, 1, D3DFMT_A32B32G32R32F, D3DFMT_D24S8);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, &options);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        struct raster_state s;

        any_state(c, &s, &counted);
        draw_any_rect(c, &s);
    }
    raster_flush(c->raster);
    return counted;
}

/* _i: the scene. */
START_TEST(rectangles_equal_two_triangles)
{
    struct canvas want, got;
    uint64_t counted = take_picture(&want, _i, true);

    ck_assert_uint_eq(take_picture(&got, _i, false), counted);
    for (size_t i = 0; i < want.bytes[0]; i++)
        ck_assert_msg(got.memory[0][i] == want.memory[0][i], "byte %zu is %02x, not %02x", i,
                      got.memory[0][i], want.memory[0][i]);
    ck_assert_mem_eq(got.memory[RASTER_TARGETS], want.memory[RASTER_TARGETS],
                     want.bytes[RASTER_TARGETS]);
    canvas_close(&got);
    canvas_close(&want);
}
END_TEST

/* --- Merged rectangles ------------------------------------------------------------------------ */

static unsigned batches;

static void shade_counted(const void *ctx, struct raster_shade_batch *batch)
{
    batches++;
    shade_attributes(ctx, batch);
}

/* The value grows from 0 to `right` and to `below` over 64 pixels. One rectangle takes 64
 * batches. */
START_TEST(one_rectangle_if_bits_agree)
{
    static const struct {
        uint8_t corners[6];
        float right, below;
        bool one;
    } cases[] = {
        {{0, 1, 2, 1, 3, 2}, 0.0f, 0.0f, true},
        {{0, 1, 2, 1, 3, 2}, 1.0f, 0.5f, true},
        {{0, 1, 2, 1, 3, 2}, 0.3f, 0.0f, true}, /* no rounding in double precision */
        {{0, 1, 2, 1, 3, 2}, 0.3f, 0.7f, true},
        {{0, 1, 2, 1, 3, 2}, 0.3f, 0.1f, false}, /* their sum is no float */
        {{1, 2, 0, 1, 3, 2}, 0.3f, 0.7f, true},
        {{0, 1, 3, 0, 3, 2}, 0.3f, 0.0f, true},
        {{0, 1, 2, 1, 2, 3}, 0.0f, 0.0f, false}, /* opposite winding */
        {{0, 1, 2, 0, 1, 2}, 0.0f, 0.0f, false},
        {{0, 1, 2, 0, 3, 2}, 0.0f, 0.0f, false}, /* not the same diagonal */
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vertex list[6];
        struct raster_state s;
        struct canvas c;

        canvas_open_default(&c, &s, 64, 64, D3DFMT_A8R8G8B8);
        s.shade = shade_counted;
        for (unsigned k = 0; k < 6; k++) {
            bool right = cases[i].corners[k] & 1, below = cases[i].corners[k] & 2;

            list[k] = vertex_at(right ? 64.0f : 0.0f, below ? 64.0f : 0.0f, 0.5f, 0);
            list[k].rgba[0] = (right ? cases[i].right : 0.0f) + (below ? cases[i].below : 0.0f);
        }
        batches = 0;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, list, 6), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg((batches == 64) == cases[i].one, "case %u: %u batches", i, batches);
        canvas_close(&c);
    }
}
END_TEST

/* --- Split rectangles ------------------------------------------------------------------------- */

/* Corners of a box of constant depth and 1/w. Attribute 0 has slopes that no float represents. */
static void make_box(struct raster_screen_vertex v[4], float storage[4][RASTER_V_ATTR + 4],
                     int32_t width, int32_t height)
{
    for (unsigned i = 0; i < 4; i++) {
        memset(storage[i], 0, sizeof(storage[i]));
        storage[i][RASTER_V_ATTR] = (float)(i & 1) * 0.3f + (float)(i >> 1) * 0.7f;
        v[i] = (struct raster_screen_vertex){.x = 300 + (i & 1 ? width * SUBPIXEL : 0),
                                             .y = 500 + (i & 2 ? height * SUBPIXEL : 0),
                                             .z = 0.5f,
                                             .rhw = 1.0f,
                                             .v = storage[i]};
    }
}

START_TEST(split_rectangles)
{
    static const struct {
        int32_t width, height, at;
        float z, rhw;
        uint8_t corners[6];
        bool split;
    } cases[] = {
        {40, 40, 0, 0.5f, 1.0f, {0, 1, 2, 1, 3, 2}, true},
        {17, 100, 0, 0.5f, 1.0f, {1, 2, 0, 1, 3, 2}, true},
        {40, 40, 0, 0.5f, 1.0f, {0, 1, 3, 0, 3, 2}, true},
        {16, 40, 0, 0.5f, 1.0f, {0, 1, 2, 1, 3, 2}, false},
        {128, 128, 0, 0.5f, 1.0f, {0, 1, 2, 1, 3, 2}, false}, /* a half covers a tile */
        {40, 40, 1, 0.25f, 1.0f, {0, 1, 2, 1, 3, 2}, false},
        {40, 40, 3, 0.5f, 2.0f, {0, 1, 2, 1, 3, 2}, false},
        {40, 40, 0, 0.5f, 1.0f, {0, 1, 2, 1, 2, 3}, false}, /* opposite winding */
        {40, 40, 0, 0.5f, 1.0f, {0, 1, 2, 0, 3, 2}, false},
    };
    static _Alignas(64) char storage[2048];
    struct canvas c;
    struct raster_state s;

    canvas_open_default(&c, &s, 256, 256, D3DFMT_A8R8G8B8);
    raster_draw_begin(c.raster, &s);
    ck_assert(raster_pipeline_get(c.raster) != NULL);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct raster_tri_setup tri = {.prim = (struct raster_prim *)(void *)storage};
        struct raster_screen_vertex corner[4];
        const struct raster_screen_vertex *v[6];
        float attributes[4][RASTER_V_ATTR + 4];

        make_box(corner, attributes, cases[i].width, cases[i].height);
        corner[cases[i].at].z = cases[i].z;
        corner[cases[i].at].rhw = cases[i].rhw;
        for (unsigned k = 0; k < 6; k++)
            v[k] = &corner[cases[i].corners[k]];
        ck_assert_msg(!raster_split_rect_setup(c.raster, &tri, c.raster->pipeline, v) ==
                          !cases[i].split,
                      "case %u", i);
        if (!cases[i].split)
            continue;
        ck_assert_int_eq(tri.prim->kind, PRIM_SPLIT_RECT);
        ck_assert_int_eq(tri.prim->rect[2] - tri.prim->rect[0], cases[i].width);
        ck_assert_int_eq(tri.prim->rect[3] - tri.prim->rect[1], cases[i].height);
    }
    raster_draw_end(c.raster);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/rect");
    TCase *tc = tcase_create("rect");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, rectangles_equal_two_triangles, 0, 24);
    tcase_add_test(tc, one_rectangle_if_bits_agree);
    tcase_add_test(tc, split_rectangles);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
