/* Fast paths of whole blocks against the general path (no_packing): constant and varying
 * attributes, opaque and blended output, all byte orders, half floats, write masks, early and late
 * tests that leave partial blocks, partial tiles. */
#include "check_main.h"

#include "fixture.h"
#include "tex/shortcut/shortcut.h"

#include <math.h>

enum { WIDTH = 141, HEIGHT = 83, DRAWS = 300 };

static bool one_of(uint32_t n)
{
    return random_u32() % n == 0;
}

static struct raster_blend any_blend(void)
{
    static const struct raster_blend common[] = {
        {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
    };

    if (one_of(2))
        return common[random_u32() % 4];
    return (struct raster_blend){(uint8_t)(1 + random_u32() % 11), (uint8_t)(1 + random_u32() % 11),
                                 (uint8_t)(1 + random_u32() % 5)};
}

static void any_state(struct canvas *c, struct raster_state *s)
{
    default_state(c, s);
    s->attribs_only = !one_of(8);
    s->blend_enable = !one_of(3);
    s->separate_alpha = one_of(2);
    s->blend_rgb = any_blend();
    s->blend_alpha = one_of(2) ? s->blend_rgb : any_blend();
    s->srgb_write = one_of(10);
    s->write_mask[0] = one_of(3) ? (uint8_t)(random_u32() & 15) : 15;
    s->depth_test = one_of(3);
    s->depth_write = one_of(2);
    s->stencil_test = one_of(6);
    s->stencil[0].pass = s->stencil[0].zfail = (uint8_t)(1 + random_u32() % 8);
    s->stencil[0].func = (uint8_t)(one_of(2) ? D3DCMP_ALWAYS : 1 + random_u32() % 8);
    s->depth_func = (uint8_t)(one_of(2) ? D3DCMP_LESSEQUAL : 1 + random_u32() % 8);
    s->values.stencil_ref = (uint8_t)(random_u32() % 4);
    s->values.stencil_mask = (uint8_t)(random_u32() % 8);
    s->alpha_test = one_of(4);
    s->alpha_func = (uint8_t)(1 + random_u32() % 8);
    s->values.alpha_ref = (uint8_t)random_u32();
    s->alpha_to_coverage = one_of(8);
    s->ps_inputs = (uint8_t)(~random_u32() & 15);
    for (unsigned i = 0; i < 4; i++)
        s->values.blend_factor[i] = (float)(random_u32() % 256) / 255.0f;
}

/* Includes values above 1 and below 0. */
static void any_colour(float rgba[4])
{
    for (unsigned i = 0; i < 4; i++)
        rgba[i] =
            one_of(8) ? (float)(random_u32() % 3) - 0.5f : (float)(random_u32() % 511) / 510.0f;
}

static void draw_any_rect(struct canvas *c, const struct raster_state *s)
{
    float x = (float)(random_u32() % 100) - 60.0f, y = (float)(random_u32() % 80) - 60.0f;
    float w = (float)(random_u32() % 300), h = (float)(random_u32() % 200);
    float z = (float)(random_u32() % 16) / 16.0f;
    bool equal = !one_of(3);
    struct vertex v[4] = {vertex_at(x, y, z, 0), vertex_at(x + w, y, z, 0),
                          vertex_at(x, y + h, z, 0), vertex_at(x + w, y + h, z, 0)};

    any_colour(v[0].rgba);
    for (unsigned i = 1; i < 4; i++) {
        any_colour(v[i].rgba);
        if (equal)
            memcpy(v[i].rgba, v[0].rgba, sizeof(v[0].rgba));
    }
    ck_assert_int_eq(draw_corners(c, s, v), ST_OK);
}

/* Often clears everything; clears some or all of the bits. */
static void any_clear(struct canvas *c)
{
    int32_t rect[4] = {0, 0, WIDTH, HEIGHT};
    struct raster_clear clear = {.colour = !one_of(4),
                                 .depth = !one_of(4),
                                 .stencil = one_of(2),
                                 .rgba = {0.5f, 0.25f, 1.0f, 0.75f},
                                 .z = (float)(random_u32() % 16) / 16.0f,
                                 .stencil_value = (uint8_t)random_u32()};

    if (one_of(3)) {
        rect[0] = (int32_t)(random_u32() % 70);
        rect[3] = (int32_t)(random_u32() % 90);
    }
    ck_assert_int_eq(raster_clear(c->raster, &clear, &rect, 1), ST_OK);
}

static uint64_t counted;

static void take_picture(struct canvas *c, int scene, const struct raster_options *options,
                         enum cpu_isa isa)
{
    static const D3DFORMAT format[] = {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8,
                                       D3DFMT_X8B8G8R8, D3DFMT_R5G6B5,   D3DFMT_A16B16G16R16F,
                                       D3DFMT_R32F};

    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    random_seed(5 + (uint64_t)scene);
    canvas_open(c, 1, WIDTH, HEIGHT, scene % 3 ? 1 : 4, format[scene % 7], D3DFMT_D24S8);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, options);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    counted = 0;
    for (size_t i = 0; i < c->bytes[0]; i++)
        c->memory[0][i] = (uint8_t)random_u32();
    for (unsigned i = 0; i < DRAWS; i++) {
        struct raster_state s;

        any_state(c, &s);
        if (scene % 4 == 1 && one_of(4))
            s.values.samples_passed = &counted;
        draw_any_rect(c, &s);
        if (one_of(12))
            any_clear(c);
        if (one_of(50))
            raster_flush(c->raster);
    }
    raster_flush(c->raster);
}

/* _i: the scene. */
START_TEST(fast_paths_match_general_path)
{
    static const struct raster_options general = {.no_packing = true};
    static const struct raster_options tiles[] = {{.tile = 64}, {.tile = 8}, {.tile = 16}};
    struct canvas want, got;
    uint64_t samples;

    take_picture(&want, _i, &general, ISA_SCALAR);
    samples = counted;
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        take_picture(&got, _i, &tiles[isa % 3], (enum cpu_isa)isa);
        for (size_t i = 0; i < want.bytes[0]; i++)
            ck_assert_msg(got.memory[0][i] == want.memory[0][i], "%s: byte %zu is %02x, not %02x",
                          cpu_isa_name((enum cpu_isa)isa), i, got.memory[0][i], want.memory[0][i]);
        ck_assert_msg(!memcmp(got.memory[RASTER_TARGETS], want.memory[RASTER_TARGETS],
                              want.bytes[RASTER_TARGETS]),
                      "%s: depth or stencil differ", cpu_isa_name((enum cpu_isa)isa));
        ck_assert_uint_eq(counted, samples);
        canvas_close(&got);
    }
    canvas_close(&want);
}
END_TEST

/* A shader that reads the position must run for every block. */
static void shade_position(const void *ctx, struct raster_shade_batch *batch)
{
    (void)ctx;
    for (unsigned c = 0; c < 4; c++) {
        float *out = (float *)batch->work + (4 + c) * RASTER_LANES;

        for (unsigned i = 0; i < RASTER_LANES; i++)
            out[i] = batch->x[i] / 255.0f;
        batch->colour[0][c] = out;
    }
}

START_TEST(position_dependent_colours_are_shaded)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 64, 64, D3DFMT_A8R8G8B8);
    s.shade = shade_position;
    ck_assert_int_eq(draw_rect(&c, &s, -1.0f, -1.0f, 70.0f, 70.0f, 0.0f, 0xffffffff), ST_OK);
    raster_flush(c.raster);
    for (uint32_t x = 0; x < 64; x++)
        ck_assert_uint_eq(canvas_pixel(&c, x, 63), x * 0x01010101u);
    canvas_close(&c);
}
END_TEST

/* An attribute that is 0 at (49, 0), up to a rounding error in double precision, is exactly 0: 1/49
 * times 49 is not 1. Other blocks of the tile are far from 0. _i: perspective. */
START_TEST(rounding_errors_around_zero_are_cleared)
{
    struct vertex v[3] = {vertex_at(0, 0, 0, 0), vertex_at(98, 0, 0, 0), vertex_at(0, 70, 0, 0)};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 64, 64, D3DFMT_R32F);
    v[0].rgba[0] = -1.0f;
    v[1].rgba[0] = 1.0f;
    v[2].rgba[0] = -71.0f;
    if (_i) {
        v[1].rgba[0] = 2.0f; /* over w: 1 */
        v[1].rhw = 0.5f;
    }
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 49, 0), 0);
    ck_assert_uint_ne(canvas_pixel(&c, 48, 0), 0);
    canvas_close(&c);
}
END_TEST

/* shade_rgba8 runs only if the unit attributes are 1 and the format can store its words. */
static void rgba8_of_nine(const void *ctx, const struct raster_shade_batch *batch, uint32_t *words)
{
    (void)ctx;
    (void)batch;
    for (unsigned i = 0; i < RASTER_LANES; i++)
        words[i] = 0x09090909;
}

START_TEST(rgba8_where_attribs_are_one)
{
    static const struct {
        D3DFORMAT format;
        uint32_t colour;
        bool blend;
        uint32_t want;
    } cases[] = {
        {D3DFMT_A8R8G8B8, 0x12ffffff, false, 0x09090909},
        {D3DFMT_X8R8G8B8, 0x12ffffff, false, 0xff090909},
        {D3DFMT_A8R8G8B8, 0x12fffeff, false, 0x12fffeff},
        {D3DFMT_A8B8G8R8, 0x12ffffff, false, 0x12ffffff},
        {D3DFMT_A8R8G8B8, 0x12ffffff, true, 0x12ffffff},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct raster_state s;
        struct canvas c;

        canvas_open_default(&c, &s, 64, 64, cases[i].format);
        s.shade_texture_only = s.shade;
        s.shade_rgba8 = rgba8_of_nine;
        s.unit_attribs = 7;
        s.blend_enable = cases[i].blend;
        ck_assert_int_eq(draw_rect(&c, &s, -1.0f, -1.0f, 70.0f, 70.0f, 0.0f, cases[i].colour),
                         ST_OK);
        raster_flush(c.raster);
        ck_assert_uint_eq(canvas_pixel(&c, 20, 30), cases[i].want);
        canvas_close(&c);
    }
}
END_TEST

/* --- Axis-aligned tiles ----------------------------------------------------------------------- */

static unsigned axis_aligned_calls;

/* Depends on all bits of both coordinates. */
static uint32_t mix(float u, float v)
{
    uint32_t a, b;

    memcpy(&a, &u, sizeof(a));
    memcpy(&b, &v, sizeof(b));
    return (a ^ b * 0x9e3779b1u) * 0x85ebca6bu;
}

static void mixed_rgba8(const void *ctx, const struct raster_shade_batch *batch, uint32_t *words)
{
    const float *work = batch->work;

    (void)ctx;
    for (unsigned i = 0; i < RASTER_LANES; i++)
        words[i] = mix(work[i], work[RASTER_LANES + i]);
}

static bool mixed_axis_aligned(const void *ctx, const struct tex_axis_aligned *grid)
{
    (void)ctx;
    axis_aligned_calls++;
    for (unsigned y = 0; y < TEX_AXIS_ALIGNED_SIZE; y++) {
        uint32_t *row = (uint32_t *)(void *)(grid->rows + y * grid->pitch);

        for (unsigned x = 0; x < TEX_AXIS_ALIGNED_SIZE; x++)
            row[x] = mix(grid->u[x], grid->v[y]) | grid->set;
    }
    return true;
}

/* Attributes 0 and 1 over the canvas: their changes to the right and down. */
struct slopes {
    float right[2], down[2], rhw_right;
};

static void draw_slopes(struct canvas *c, const struct slopes *slopes, bool grid)
{
    struct vertex v[4];
    struct raster_state s;

    default_state(c, &s);
    s.shade_texture_only = s.shade;
    s.shade_rgba8 = mixed_rgba8;
    s.shade_axis_aligned = grid ? mixed_axis_aligned : NULL;
    s.axis_aligned_attr[1] = 1;
    s.at_centre = true;
    s.unit_attribs = 4;
    for (unsigned i = 0; i < 4; i++) {
        float right = (float)(i & 1), down = (float)(i >> 1);

        v[i] = vertex_at(-0.5f + right * 256.0f, -0.5f + down * 128.0f, 0.0f, 0xffffffff);
        v[i].rhw = 1.0f + right * slopes->rhw_right;
        for (unsigned a = 0; a < 2; a++)
            v[i].rgba[a] = 0.25f + right * slopes->right[a] + down * slopes->down[a];
    }
    ck_assert_int_eq(draw_corners(c, &s, v), ST_OK);
    raster_flush(c->raster);
}

/* _i: with multisampling. */
START_TEST(axis_aligned_where_attribs_are)
{
    static const struct {
        struct slopes slopes;
        unsigned axis_aligned_calls;
    } cases[] = {
        {{{1.5f, 0}, {0, -2.5f}, 0}, 6},    {{{0, 0}, {0, 1.0f}, 0}, 6},
        {{{1.5f, 0}, {0, -2.5f}, 0.5f}, 0}, {{{1.7f, 0.01f}, {0, 1.0f}, 0}, 0},
        {{{1.5f, 0}, {0.01f, 1.0f}, 0}, 0},
    };
    uint32_t samples = _i ? 4 : 1;

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        D3DFORMAT format = i & 1 ? D3DFMT_X8R8G8B8 : D3DFMT_A8R8G8B8;
        struct canvas want, got;

        canvas_open(&want, 1, 197, 138, samples, format, D3DFMT_UNKNOWN);
        canvas_open(&got, 1, 197, 138, samples, format, D3DFMT_UNKNOWN);
        draw_slopes(&want, &cases[i].slopes, false);
        axis_aligned_calls = 0;
        draw_slopes(&got, &cases[i].slopes, true);
        ck_assert_uint_eq(axis_aligned_calls, cases[i].axis_aligned_calls * samples);
        ck_assert_msg(!memcmp(want.memory[0], got.memory[0], want.bytes[0]), "case %u", i);
        canvas_close(&want);
        canvas_close(&got);
    }
}
END_TEST

/* --- Attribute gradients ---------------------------------------------------------------------- */

static unsigned gradients_seen;
static double largest_error; /* relative to error_bound */

static void check_quads(const float *lane, const struct raster_attrib_gradient *gradient)
{
    for (unsigned i = 0; i < RASTER_LANES; i += 4) {
        for (unsigned k = 0; k < 2; k++) {
            double error = fabs((double)lane[i + 1 + k] - (double)lane[i] - gradient->step[k]);

            ck_assert_msg(error <= gradient->error_bound, "%g off, %g allowed", error,
                          gradient->error_bound);
            largest_error = fmax(largest_error, error / gradient->error_bound);
        }
    }
}

static void shade_gradients(const void *ctx, struct raster_shade_batch *batch)
{
    const float *work = batch->work;
    struct raster_attrib_gradient gradient;

    (void)ctx;
    for (unsigned a = 0; a < 4 && batch->prim; a++) {
        if (!raster_find_attrib_gradient(batch, a, &gradient))
            continue;
        gradients_seen++;
        check_quads(work + (size_t)a * RASTER_LANES, &gradient);
    }
}

/* _i: with perspective, which has no gradient. */
START_TEST(attrib_gradients_are_bounded)
{
    struct canvas c;
    struct raster_state s;

    canvas_open_default(&c, &s, 197, 138, D3DFMT_A8R8G8B8);
    s.shade = shade_gradients;
    s.attribs_only = false;
    gradients_seen = 0;
    largest_error = 0.0;
    for (unsigned i = 0; i < 200; i++) {
        struct vertex v[3];

        for (unsigned k = 0; k < 3; k++) {
            v[k] = vertex_at((float)(random_u32() % 4096) / 16.0f,
                             (float)(random_u32() % 4096) / 16.0f, 0, 0);
            v[k].rhw = _i ? 1.0f + (float)k : 1.0f;
            for (unsigned a = 0; a < 4; a++)
                v[k].rgba[a] = (float)(random_u32() % 65536) / (float)(1u << (random_u32() % 20));
        }
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    }
    raster_flush(c.raster);
    ck_assert(_i ? !gradients_seen : gradients_seen > 1000);
    ck_assert(_i || largest_error > 0.01);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/blocks");
    TCase *tc = tcase_create("blocks");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, fast_paths_match_general_path, 0, 28);
    tcase_add_test(tc, position_dependent_colours_are_shaded);
    tcase_add_loop_test(tc, rounding_errors_around_zero_are_cleared, 0, 2);
    tcase_add_test(tc, rgba8_where_attribs_are_one);
    tcase_add_loop_test(tc, axis_aligned_where_attribs_are, 0, 2);
    tcase_add_loop_test(tc, attrib_gradients_are_bounded, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
