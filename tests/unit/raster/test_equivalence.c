/* Equivalence of rasteriser options: early or late tests, fragment packing, tile sizes, worker
 * counts and instruction sets give the same results over random scenes with all states. */
#include "check_main.h"

#include "fixture.h"

#include <stdio.h>

enum { FRAMES = 4, WIDTH = 173, HEIGHT = 141, DRAWS = 48, TRIANGLES = 14, MESH = 48 };

/* --- Shaders with all pixel shader features --------------------------------------------------- */

struct shading {
    bool kills, depth, skips; /* skips: does not write colour 1 */
};

static float shaded_depth[256][RASTER_LANES];

static void shade_anything(const void *ctx, struct raster_shade_batch *batch)
{
    const struct shading *shading = ctx;

    shade_attributes(NULL, batch);
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        int pattern = (int)batch->x[i] / 3 + (int)batch->y[i] / 5 + (int)(batch->z[i] * 64.0f);

        if (shading->kills && pattern % 3 == 0)
            batch->killed |= UINT64_C(1) << i;
        shaded_depth[batch->worker][i] = (float)(pattern % 17) / 16.0f;
    }
    if (shading->depth)
        batch->depth = shaded_depth[batch->worker];
    if (shading->skips)
        batch->colour[1][0] = NULL;
}

/* Derivatives of two attributes, from the quad or from batch->derivs. */
enum { DERIV_ATTRIBS = 1 << 0 | 1 << 2 };

static float deriv_at(const struct raster_shade_batch *batch, unsigned c, unsigned lane)
{
    const float *value = (const float *)batch->work + (c & 2) * RASTER_LANES + (lane & ~3u);

    if (batch->derivs)
        return c & 1 ? batch->derivs->ddy[c / 2][lane] : batch->derivs->ddx[c / 2][lane];
    return value[1 + (c & 1)] - value[0];
}

/* Kills by attributes alone. */
static void kill_some(const struct shading *shading, struct raster_shade_batch *batch)
{
    const float *value = batch->work;

    for (unsigned i = 0; shading->kills && i < RASTER_LANES; i++)
        if (batch->lanes >> i & 1 && value[i] > 0.6f)
            batch->killed |= UINT64_C(1) << i;
}

static void shade_without_quads(const void *ctx, struct raster_shade_batch *batch)
{
    shade_attributes(NULL, batch);
    kill_some(ctx, batch);
}

static void shade_derivs(const void *ctx, struct raster_shade_batch *batch)
{
    static _Alignas(64) float out[256][4][RASTER_LANES];

    kill_some(ctx, batch);
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < RASTER_LANES; i++)
            if (batch->lanes >> i & 1)
                out[batch->worker][c][i] = 0.5f + 8.0f * deriv_at(batch, c, i);
        for (unsigned t = 0; t < RASTER_TARGETS; t++)
            batch->colour[t][c] = out[batch->worker][c];
    }
}

/* --- Random draws ----------------------------------------------------------------------------- */

static uint8_t any(int32_t low, int32_t high)
{
    return (uint8_t)random_between(low, high);
}

static bool one_of(uint32_t n)
{
    return random_u32() % n == 0;
}

static struct raster_blend any_blend(void)
{
    static const uint8_t factors[] = {
        D3DBLEND_ZERO,          D3DBLEND_ONE,          D3DBLEND_SRCCOLOR,    D3DBLEND_INVSRCCOLOR,
        D3DBLEND_SRCALPHA,      D3DBLEND_INVSRCALPHA,  D3DBLEND_DESTALPHA,   D3DBLEND_INVDESTALPHA,
        D3DBLEND_DESTCOLOR,     D3DBLEND_INVDESTCOLOR, D3DBLEND_SRCALPHASAT, D3DBLEND_BLENDFACTOR,
        D3DBLEND_INVBLENDFACTOR};

    return (struct raster_blend){factors[random_u32() % 13], factors[random_u32() % 13], any(1, 5)};
}

static void any_tests(struct raster_state *s)
{
    s->depth_test = !one_of(4);
    s->depth_write = !one_of(4);
    s->depth_func = any(1, 8);
    s->stencil_test = one_of(2);
    s->stencil_two_sided = one_of(2);
    for (unsigned i = 0; i < 2; i++)
        s->stencil[i] = (struct raster_stencil_face){any(1, 8), any(1, 8), any(1, 8), any(1, 8)};
    s->values.stencil_ref = any(0, 255);
    s->values.stencil_mask = one_of(2) ? 0xff : any(0, 255);
    s->values.stencil_write_mask = one_of(2) ? 0xff : any(0, 255);
    s->bounds_test = one_of(4);
    s->values.bounds[0] = (float)random_between(0, 50) / 100.0f;
    s->values.bounds[1] = (float)random_between(40, 110) / 100.0f;
    s->alpha_test = one_of(3);
    s->alpha_to_coverage = one_of(4);
    s->alpha_func = any(1, 8);
    s->values.alpha_ref = any(0, 255);
    s->values.depth_bias = one_of(3) ? (float)random_between(-100, 100) / 1000.0f : 0.0f;
    s->values.slope_bias = one_of(3) ? (float)random_between(-20, 20) / 10.0f : 0.0f;
    s->w_buffer = one_of(5);
    s->values.w_range[0] = (float)random_between(0, 10) / 10.0f;
    s->values.w_range[1] = (float)random_between(11, 40) / 10.0f;
}

static void any_output(struct raster_state *s)
{
    s->blend_enable = !one_of(3);
    s->separate_alpha = one_of(2);
    s->blend_rgb = any_blend();
    s->blend_alpha = any_blend();
    for (unsigned i = 0; i < 4; i++) {
        s->values.blend_factor[i] = (float)random_between(0, 255) / 255.0f;
        s->write_mask[i] = one_of(2) ? 15 : any(0, 15);
    }
    s->srgb_write = one_of(4);
    s->fog = one_of(3) ? any(1, 4) : RASTER_FOG_NONE;
    s->fog_w = one_of(2);
    s->fog_attr = 2;
    s->values.fog_end = s->values.fog_density = 1.0f;
    s->values.fog_colour[1] = 0.5f;
}

static void any_setup(struct raster_state *s)
{
    s->transformed = one_of(2);
    s->clipping = !one_of(4);
    s->clip_plane_mask = one_of(3) ? any(0, 255) : 0;
    for (unsigned p = 0; p < RASTER_CLIP_PLANES; p++)
        for (unsigned i = 0; i < 4; i++)
            s->values.clip_plane[p][i] = (float)random_between(i == 3 ? 0 : -100, 100) / 100.0f;
    s->cull = any(1, 3);
    s->fill = one_of(5) ? any(1, 2) : D3DFILL_SOLID;
    s->last_pixel = one_of(2);
    s->sample_mask = one_of(3) ? random_u32() : ~0u;
    s->at_centre = one_of(4);
    s->attr[2].centroid = one_of(2);
    s->point_sprite = one_of(2);
    s->attr[0].interp = any(0, 2);
    s->attr[1].wrap = one_of(4);
    s->attr[3].sprite = any(0, 2);
    s->values.scissor[0] = one_of(2) ? random_between(0, 60) : 0;
    s->values.scissor[3] = HEIGHT - (one_of(2) ? random_between(0, 60) : 0);
    if (one_of(4)) {
        s->values.viewport[4] = 0.75f;
        s->values.viewport[5] = 0.25f;
    }
}

static void any_shading(struct raster_state *s, struct shading *shading)
{
    *shading = (struct shading){one_of(4), one_of(5), one_of(6)};
    s->shade = shade_anything;
    s->values.shade_ctx = shading;
    s->kills = shading->kills;
    s->writes_depth = shading->depth;
    s->colours = shading->skips ? 13 : 15;
    if (!one_of(3))
        return;
    s->shade = shade_without_quads;
    s->writes_depth = s->stencil_test = s->bounds_test = false;
    s->colours = 15;
    s->ps_inputs = 0;
    s->needs_quads = false;
    if (one_of(2)) {
        s->shade = shade_derivs;
        s->deriv_attribs = DERIV_ATTRIBS;
    }
}

/* Vertex in pixels, or in clip space with w on both sides of the eye; usually within reach / 256
 * pixels of another. */
static struct vertex any_vertex(bool transformed, const struct vertex *near, int32_t reach)
{
    struct vertex v;

    if (transformed) {
        v = vertex_at((float)random_between(-20000, 70000) / 256.0f,
                      (float)random_between(-20000, 60000) / 256.0f,
                      (float)random_between(-30, 285) / 255.0f, random_u32());
        if (near && !one_of(4)) {
            v.x = near->x + (float)random_between(-reach, reach) / 256.0f;
            v.y = near->y + (float)random_between(-reach, reach) / 256.0f;
        }
        v.rhw = (float)random_between(1, 100) / 50.0f;
    } else {
        v = vertex_at((float)random_between(-3000, 3000) / 1000.0f,
                      (float)random_between(-3000, 3000) / 1000.0f,
                      (float)random_between(-200, 1500) / 1000.0f, random_u32());
        v.rhw = (float)random_between(-500, 3000) / 1000.0f;
        if (near && !one_of(4)) {
            v.x = near->x + (float)random_between(-reach, reach) / 12500.0f;
            v.y = near->y + (float)random_between(-reach, reach) / 12500.0f;
            v.rhw = near->rhw;
        }
    }
    v.size = (float)random_between(0, 2500) / 100.0f;
    return v;
}

static void any_clear(struct canvas *c)
{
    const int32_t rect[2][4] = {{random_between(0, 100), random_between(0, 60), 150, 100},
                                {0, 0, random_between(-10, 99), random_between(0, 80)}};
    struct raster_clear clear = {.colour = one_of(2),
                                 .depth = one_of(2),
                                 .stencil = one_of(2),
                                 .rgba = {0.25f, 0.5f, 0.75f, 0.5f},
                                 .z = (float)random_between(0, 8) / 8.0f,
                                 .stencil_value = any(0, 255)};

    ck_assert_int_eq(raster_clear(c->raster, &clear, rect, 2), ST_OK);
}

static void draw_anything(struct canvas *c, uint64_t samples[3], unsigned draws)
{
    static struct shading shading[DRAWS]; /* live until the flush */

    for (unsigned i = 0; i < draws; i++) {
        enum raster_primitive primitive = one_of(5) ? random_u32() % 2 : RASTER_TRIANGLES;
        unsigned corners = 3 * (i % 3 ? TRIANGLES : MESH); /* most of them small */
        int32_t reach = i % 3 ? 2500 : 700;
        struct vertex v[3 * MESH];
        struct raster_state s;

        default_state(c, &s);
        any_setup(&s);
        any_tests(&s);
        any_output(&s);
        any_shading(&s, &shading[i]);
        s.antialiased_lines = c->targets.samples == 1 &&
                              (primitive == RASTER_LINES ||
                               (primitive == RASTER_TRIANGLES && s.fill == D3DFILL_WIREFRAME)) &&
                              one_of(2);
        s.values.samples_passed = one_of(3) ? NULL : &samples[random_u32() % 3];
        for (unsigned k = 0; k < corners; k++)
            v[k] = any_vertex(s.transformed, k % 3 ? &v[k - k % 3] : NULL, reach);
        ck_assert_int_eq(draw(c, &s, primitive, v, corners), ST_OK);
        if (one_of(8))
            any_clear(c);
    }
}

/* --- One scene, one configuration ------------------------------------------------------------- */

struct config {
    const char *name;
    struct raster_options options;
    unsigned threads;
    enum cpu_isa isa;
};

struct picture {
    struct canvas canvas;
    uint64_t samples[3];
};

static void take_picture(struct picture *out, const struct config *config, int scene)
{
    static const D3DFORMAT depth[] = {D3DFMT_D24S8, D3DFMT_D16, D3DFMT_D24FS8, D3DFMT_D24X8,
                                      D3DFMT_D32F_LOCKABLE};
    static const unsigned samples[8] = {1, 16, 4, 1, 2, 1, 8, 4};
    struct canvas *c = &out->canvas;
    struct raster_targets targets;

    memset(out, 0, sizeof(*out));
    ck_assert_int_eq(cpu_set_isa(config->isa), ST_OK);
    random_seed(77 + (uint64_t)scene);
    canvas_open(c, config->threads, WIDTH, HEIGHT, samples[scene % 8], D3DFMT_A8R8G8B8,
                scene % 2 ? depth[scene / 2 % 5] : D3DFMT_D24S8);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, &config->options);
    if (scene % 3 == 0) {
        c->targets.colour[1] = canvas_surface(c, 1, D3DFMT_R5G6B5);
        c->targets.colour[2] = canvas_surface(c, 2, D3DFMT_A16B16G16R16F);
    }
    targets = c->targets;
    ck_assert_int_eq(raster_set_targets(c->raster, &targets), ST_OK);
    for (unsigned frame = 0; frame < FRAMES; frame++) { /* later frames start with fast-clear
                                                           records */
        bool ends = scene % 4 < 2 && frame + 1 < FRAMES, begins = !frame || scene % 4;

        ck_assert_int_eq(begins ? clear_all(c, 0x80336699, 0.75f, 0x55) : ST_OK, ST_OK);
        draw_anything(c, out->samples, DRAWS / FRAMES);
        if (ends) /* depth is cleared without being read */
            ck_assert_int_eq(clear_depth(c, frame % 2 ? 0.75f : 0.5f, 0x55), ST_OK);
        raster_flush(c->raster);
    }
}

static void check_same(const struct picture *a, const struct picture *b, const char *what)
{
    for (unsigned t = 0; t <= RASTER_TARGETS; t++) {
        const uint8_t *p = a->canvas.memory[t], *q = b->canvas.memory[t];

        for (size_t i = 0; p && i < a->canvas.bytes[t]; i++)
            if (p[i] != q[i])
                ck_abort_msg("%s: target %u differs at byte %zu", what, t, i);
    }
    ck_assert_msg(!memcmp(a->samples, b->samples, sizeof(a->samples)), "%s: queries differ", what);
}

/* _i: the scene. */
START_TEST(options_do_not_change_results)
{
    static const struct config plain = {"", {0}, 1, ISA_SCALAR};
    static const struct config configs[] = {
        {"late tests", {.force_late_zs = true}, 1, ISA_SCALAR},
        {"no packing", {.no_packing = true}, 1, ISA_SCALAR},
        {"keep_overdrawn", {.keep_overdrawn = true}, 1, ISA_SCALAR},
        {"no_fast_clear", {.no_fast_clear = true}, 1, ISA_SCALAR},
        {"tiles of 8", {.tile = 8}, 1, ISA_SCALAR},
        {"tiles of 16", {.tile = 16}, 2, ISA_SCALAR},
        {"tiles of 32", {.tile = 32}, 3, ISA_SSE2},
        {"tiles of 64", {.tile = 64}, 5, ISA_SSE2},
        {"late, no_packing, 8", {true, true, 8, true, true, true}, 8, ISA_SSE2},
        {"sse2", {0}, 1, ISA_SSE2},
        {"sse2, late", {.force_late_zs = true}, 4, ISA_SSE2},
        {"avx2", {0}, 1, ISA_AVX2},
        {"avx2, late, no_packing, 32", {true, true, 32, true, true, false}, 1, ISA_AVX2},
        {"avx2, interpreted", {.interpret = true}, 1, ISA_AVX2},
        {"avx512", {0}, 1, ISA_AVX512},
        {"neon", {0}, 1, ISA_NEON},
        {"neon, interpreted", {.interpret = true}, 1, ISA_NEON},
    };
    struct picture first, other;

    take_picture(&first, &plain, _i);
    for (unsigned i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
        if (!cpu_has_isa(configs[i].isa))
            continue;
        take_picture(&other, &configs[i], _i);
        check_same(&first, &other, configs[i].name);
        canvas_close(&other.canvas);
    }
    canvas_close(&first.canvas);
}
END_TEST

/* The scenes are not trivial: most pixels change, and queries count. */
START_TEST(scenes_are_not_trivial)
{
    static const struct config plain = {"", {0}, 1, ISA_SCALAR};
    unsigned changed = 0, counted = 0;

    for (int scene = 0; scene < 10; scene++) {
        struct picture p;

        take_picture(&p, &plain, scene);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                changed += canvas_pixel(&p.canvas, x, y) != 0x80336699;
        counted += p.samples[0] && p.samples[1] && p.samples[2];
        canvas_close(&p.canvas);
    }
    ck_assert_uint_gt(changed, 10 * WIDTH * HEIGHT / 2);
    ck_assert_uint_ge(counted, 8);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/equivalence");
    TCase *tc = tcase_create("equivalence");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, options_do_not_change_results, 0, 40);
    tcase_add_test(tc, scenes_are_not_trivial);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
