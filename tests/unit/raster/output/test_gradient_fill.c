/* Gradient fills against shading, for colours that are attributes times constants, and cases that
 * must be shaded. */
#include "check_main.h"

#include "fixture.h"

#include <math.h>

enum { WIDTH = 206, HEIGHT = 150, DRAWS = 24 };

static const float factor[4] = {0.75f, -1.5f, 1.0f, 3.0f};
static unsigned shaded; /* batches shaded */

static bool one_of(uint32_t n)
{
    return random_u32() % n == 0;
}

/* Attributes times constants; blue is a constant. */
static void shade_scaled(const void *ctx, struct raster_shade_batch *batch)
{
    const bool *saturated = ctx;
    float *work = batch->work;

    shaded++;
    for (unsigned c = 0; c < 4; c++) {
        float *out = work + (4 + c) * RASTER_LANES;

        for (unsigned i = 0; i < RASTER_LANES; i++) {
            float value = c == 2 ? factor[c] : work[c * RASTER_LANES + i] * factor[c];

            if (*saturated)
                value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
            out[i] = value;
        }
        batch->colour[0][c] = out;
    }
}

static void scaled_state(const struct canvas *c, struct raster_state *s, bool saturated,
                         bool gradients)
{
    static const bool yes = true, no = false;

    default_state(c, s);
    s->shade = shade_scaled;
    s->values.shade_ctx = saturated ? &yes : &no;
    s->is_gradient = gradients;
    s->gradient.saturated = saturated;
    for (unsigned i = 0; i < 4; i++) {
        s->gradient.attr[i] = i == 2 ? -1 : (int8_t)i;
        s->values.gradient_factor[i] = factor[i];
    }
}

static void draw_any(struct canvas *c, bool gradients)
{
    float x = (float)(random_u32() % 100) - 90.0f, y = (float)(random_u32() % 80) - 70.0f;
    float w = 40.0f + (float)(random_u32() % 300), h = 40.0f + (float)(random_u32() % 250);
    bool perspective = one_of(6), flat = one_of(4);
    struct raster_state s;
    struct vertex v[4];

    scaled_state(c, &s, one_of(3), gradients);
    s.blend_enable = !one_of(4);
    s.blend_rgb = s.blend_alpha = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    if (one_of(3))
        s.blend_rgb.src = D3DBLEND_SRCALPHA;
    if (one_of(3))
        s.blend_alpha = s.blend_rgb;
    s.separate_alpha = true;
    s.depth_test = one_of(4);
    s.depth_write = one_of(2);
    s.alpha_test = one_of(8);
    s.alpha_func = D3DCMP_GREATER;
    s.values.alpha_ref = 100;
    s.write_mask[0] = one_of(6) ? 7 : 15;
    s.fog = one_of(8) ? RASTER_FOG_LINEAR : RASTER_FOG_NONE;
    s.values.fog_end = 1.0f;
    for (unsigned i = 0; i < 4; i++) {
        v[i] = vertex_at(x + (i & 1 ? w : 0.0f), y + (i & 2 ? h : 0.0f),
                         (float)(random_u32() % 16) / 16.0f, 0);
        v[i].rhw = perspective ? 1.0f + (float)i : 1.0f;
        for (unsigned a = 0; a < 4; a++)
            v[i].rgba[a] = flat && i ? v[0].rgba[a] : (float)(random_u32() % 4096) / 2048.0f - 0.5f;
        if (one_of(40))
            v[i].rgba[one_of(2)] = one_of(2) ? INFINITY : 3e38f;
    }
    ck_assert_int_eq(draw_corners(c, &s, v), ST_OK);
}

static void take_picture(struct canvas *c, int scene, bool gradients, enum cpu_isa isa)
{
    static const D3DFORMAT format[] = {D3DFMT_A16B16G16R16F, D3DFMT_A16B16G16R16F, D3DFMT_A8R8G8B8};

    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    random_seed(11 + (uint64_t)scene);
    canvas_open(c, 1, WIDTH, HEIGHT, scene % 4 == 1 ? 4 : 1, format[scene % 3], D3DFMT_D24S8);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    ck_assert_int_eq(clear_all(c, 0x40206080, 1.0f, 0), ST_OK);
    shaded = 0;
    for (unsigned i = 0; i < DRAWS; i++)
        draw_any(c, gradients);
    raster_flush(c->raster);
}

/* _i: the scene. */
START_TEST(gradients_match_shading)
{
    struct canvas want, got;
    unsigned before;

    take_picture(&want, _i, false, ISA_SCALAR);
    before = shaded;
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        take_picture(&got, _i, true, (enum cpu_isa)isa);
        ck_assert_msg(!memcmp(got.memory[0], want.memory[0], want.bytes[0]), "%s: colours differ",
                      cpu_isa_name((enum cpu_isa)isa));
        ck_assert_msg(!memcmp(got.memory[RASTER_TARGETS], want.memory[RASTER_TARGETS],
                              want.bytes[RASTER_TARGETS]),
                      "%s: depth differs", cpu_isa_name((enum cpu_isa)isa));
        if (_i % 3 < 2)
            ck_assert_msg(shaded < before, "%u are shaded, of %u", shaded, before);
        canvas_close(&got);
    }
    canvas_close(&want);
}
END_TEST

/* A gradient fills a tile without calling the shader. */
START_TEST(tiles_are_not_shaded)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 64, 64, D3DFMT_A16B16G16R16F);
    scaled_state(&c, &s, false, true);
    shaded = 0;
    ck_assert_int_eq(draw_rect(&c, &s, -1.0f, -1.0f, 70.0f, 70.0f, 0.0f, 0xffffffff), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(shaded, 0);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/gradient_fill");
    TCase *tc = tcase_create("gradient");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, gradients_match_shading, 0, 24);
    tcase_add_test(tc, tiles_are_not_shaded);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
