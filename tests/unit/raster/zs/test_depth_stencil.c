/* Depth and stencil tests: every function, operation and format; depth bias; early against late
 * tests. */
#include "check_main.h"

#include "fixture.h"

#include <math.h>

static const bool passes[9][3] = {
    /* new < stored, new == stored, new > stored */
    [D3DCMP_NEVER] = {false, false, false},      [D3DCMP_LESS] = {true, false, false},
    [D3DCMP_EQUAL] = {false, true, false},       [D3DCMP_LESSEQUAL] = {true, true, false},
    [D3DCMP_GREATER] = {false, false, true},     [D3DCMP_NOTEQUAL] = {true, false, true},
    [D3DCMP_GREATEREQUAL] = {false, true, true}, [D3DCMP_ALWAYS] = {true, true, true},
};

static const D3DFORMAT depth_formats[] = {
    D3DFMT_D16,           D3DFMT_D15S1,   D3DFMT_D24X8,
    D3DFMT_D24S8,         D3DFMT_D24X4S4, D3DFMT_D32,
    D3DFMT_D32F_LOCKABLE, D3DFMT_D24FS8,  (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'),
};
enum { N_FORMATS = sizeof(depth_formats) / sizeof(depth_formats[0]) };

/* Kills nothing, but forces late tests. */
static void shade_late(const void *ctx, struct raster_shade_batch *batch)
{
    shade_attributes(ctx, batch);
    batch->killed = 0;
}

START_TEST(depth_functions)
{
    static const float z[3] = {0.25f, 0.5f, 0.75f};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 20, 12, 1, D3DFMT_A8R8G8B8, depth_formats[_i]);
    for (unsigned func = D3DCMP_NEVER; func <= D3DCMP_ALWAYS; func++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned late = 0; late < 2; late++) {
                uint32_t before, after;

                default_state(&c, &s);
                s.depth_test = s.depth_write = true;
                s.depth_func = (uint8_t)func;
                s.kills = late;
                s.shade = late ? shade_late : shade_attributes;
                ck_assert_int_eq(clear_all(&c, 0, 0.5f, 0), ST_OK);
                raster_flush(c.raster);
                before = canvas_depth(&c, 11, 5);
                ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 19, 12, z[k], 0xff00ff00), ST_OK);
                raster_flush(c.raster);
                after = canvas_depth(&c, 11, 5);
                ck_assert_uint_eq(canvas_pixel(&c, 11, 5), passes[func][k] ? 0xff00ff00 : 0);
                if (!passes[func][k] || k == 1)
                    ck_assert_uint_eq(after, before);
                else
                    ck_assert(k ? after > before : after < before);
                ck_assert_uint_eq(canvas_pixel(&c, 19, 5), 0);
            }
    canvas_close(&c);
}
END_TEST

START_TEST(codes_of_the_formats)
{
    static const struct {
        D3DFORMAT format;
        float z;
        uint32_t word;
    } cases[] = {
        {D3DFMT_D16, 0.0f, 0},
        {D3DFMT_D16, 1.0f, 0xffff},
        {D3DFMT_D16, 0.5f, 0x8000},
        {D3DFMT_D15S1, 1.0f, 0xfffe},
        {D3DFMT_D24X8, 1.0f, 0xffffff00},
        {D3DFMT_D24S8, 0.5f, 0x80000000},
        {D3DFMT_D24S8, 0x1.fffffep-1f, 0xfffffe00},
        {D3DFMT_D24S8, 0x1p-24f, 0x100},
        {D3DFMT_D24X4S4, 0.25f, 0x40000000},
        {D3DFMT_D32, 1.0f, 0xffffffff},
        {D3DFMT_D32, 0.5f, 0x80000000},
        {D3DFMT_D32F_LOCKABLE, 0.75f, 0x3f400000},
        {D3DFMT_D32F_LOCKABLE, -0.0f, 0},
        {D3DFMT_D24FS8, 1.0f, 0xf0000000},
        {D3DFMT_D24FS8, 0.5f, 0xe0000000},
        {D3DFMT_D24FS8, 0x1.8p-14f, 0x18000000},
        {D3DFMT_D24FS8, 0x1p-15f, 0x08000000},
        {D3DFMT_D24FS8, 0x1.000003p-1f, 0xe0000000},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 8, 8, 1, D3DFMT_UNKNOWN, cases[i].format);
        default_state(&c, &s);
        s.depth_test = s.depth_write = true;
        s.depth_func = D3DCMP_ALWAYS;
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 8, 8, cases[i].z, 0), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg(canvas_depth(&c, 3, 3) == cases[i].word, "case %u: %08x", i,
                      canvas_depth(&c, 3, 3));
        ck_assert_int_eq(clear_all(&c, 0, cases[i].z, 0), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg(canvas_depth(&c, 3, 3) == cases[i].word, "clear, case %u: %08x", i,
                      canvas_depth(&c, 3, 3));
        canvas_close(&c);
    }
}
END_TEST

static uint32_t stencil_op(unsigned op, uint32_t value, uint32_t ref, uint32_t max)
{
    switch (op) {
    case D3DSTENCILOP_ZERO:
        return 0;
    case D3DSTENCILOP_REPLACE:
        return ref & max;
    case D3DSTENCILOP_INCRSAT:
        return value < max ? value + 1 : max;
    case D3DSTENCILOP_DECRSAT:
        return value ? value - 1 : 0;
    case D3DSTENCILOP_INVERT:
        return ~value & max;
    case D3DSTENCILOP_INCR:
        return (value + 1) & max;
    case D3DSTENCILOP_DECR:
        return (value - 1) & max;
    default:
        return value;
    }
}

/* Random states, both facings, early and late, against the reference's order of tests. */
START_TEST(stencil_follows_the_reference)
{
    static const D3DFORMAT formats[3] = {D3DFMT_D24S8, D3DFMT_D24X4S4, D3DFMT_D15S1};
    static const uint32_t max[3] = {255, 15, 1};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 8, 8, 1, D3DFMT_A8R8G8B8, formats[_i]);
    for (int round = 0; round < 4000; round++) {
        bool ccw = round & 1, two_sided = round & 2, late = round & 4;
        uint32_t stored = random_u32() & max[_i], got, want;
        float z = 0.25f * (float)random_between(1, 3);
        struct vertex v[3] = {vertex_at(-20, -20, z, ~0u), vertex_at(60, -20, z, ~0u),
                              vertex_at(-20, 60, z, ~0u)};
        struct vertex turned[3] = {v[0], v[2], v[1]};
        const struct raster_stencil_face *face;
        uint32_t a, b;
        bool stencil, depth;

        default_state(&c, &s);
        s.stencil_test = true;
        s.stencil_two_sided = two_sided;
        s.depth_test = random_u32() & 1;
        s.depth_func = D3DCMP_LESS;
        s.kills = late;
        s.values.stencil_ref = (uint8_t)random_u32();
        s.values.stencil_mask = random_u32() & 1 ? 0xff : (uint8_t)random_u32();
        s.values.stencil_write_mask = random_u32() & 1 ? 0xff : (uint8_t)random_u32();
        if (random_u32() & 1)
            s.values.stencil_ref = (uint8_t)stored;
        for (int i = 0; i < 2; i++)
            s.stencil[i] = (struct raster_stencil_face){
                (uint8_t)random_between(1, 8), (uint8_t)random_between(1, 8),
                (uint8_t)random_between(1, 8), (uint8_t)random_between(1, 8)};
        ck_assert_int_eq(clear_all(&c, 0, 0.5f, (uint8_t)stored), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, ccw ? turned : v, 3), ST_OK);
        raster_flush(c.raster);
        got = canvas_depth(&c, 2, 2) & max[_i];

        face = &s.stencil[two_sided && ccw];
        a = s.values.stencil_ref & s.values.stencil_mask & max[_i];
        b = stored & s.values.stencil_mask;
        stencil = passes[face->func][a < b ? 0 : a == b ? 1 : 2];
        depth = !s.depth_test || z < 0.5f;
        want = stencil_op(!stencil ? face->fail
                          : !depth ? face->zfail
                                   : face->pass,
                          stored, s.values.stencil_ref, max[_i]);
        want = (stored & ~(uint32_t)s.values.stencil_write_mask) | (want & s.values.stencil_write_mask);
        ck_assert_msg(got == want, "round %d: %02x became %02x, not %02x", round, stored, got,
                      want);
        ck_assert_uint_eq(canvas_pixel(&c, 2, 2), stencil && depth ? ~0u : 0);
    }
    canvas_close(&c);
}
END_TEST

/* A biased depth outside [0,1] is clamped. */
START_TEST(biased_depth_is_clamped)
{
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 8, 8, 1, D3DFMT_UNKNOWN, depth_formats[_i]);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    s.depth_func = D3DCMP_ALWAYS;
    for (int sign = -1; sign <= 1; sign += 2) {
        uint32_t biased;

        s.values.depth_bias = 3.0f * (float)sign;
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 8, 8, 0.5f, 0), ST_OK);
        raster_flush(c.raster);
        biased = canvas_depth(&c, 3, 3);
        ck_assert_int_eq(clear_all(&c, 0, sign < 0 ? 0.0f : 1.0f, 0), ST_OK);
        raster_flush(c.raster);
        ck_assert_uint_eq(canvas_depth(&c, 3, 3), biased);
    }
    canvas_close(&c);
}
END_TEST

/* Pixels with x / 640 + bias <= 0.5, measured on hardware with four biased quads over each
 * other. */
START_TEST(depth_bias_is_in_units_of_depth)
{
    static const struct {
        float bias;
        uint32_t colour;
    } quads[4] = {{-0.2f, 0xff0000}, {0.0f, 0x00ff00}, {0.2f, 0x0000ff}, {0.4f, 0xffffff}};
    static const struct {
        uint32_t x, colour;
    } probes[] = {{61, 0xffffff},  {65, 0x0000ff},  {190, 0x0000ff}, {194, 0x00ff00},
                  {318, 0x00ff00}, {322, 0xff0000}, {446, 0xff0000}, {450, 0}};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 640, 4, 1, D3DFMT_A8R8G8B8, depth_formats[_i]);
    default_state(&c, &s);
    s.depth_test = true;
    ck_assert_int_eq(clear_all(&c, 0, 0.5f, 0), ST_OK);
    for (int i = 0; i < 4; i++) {
        struct vertex v[3] = {vertex_at(0, 0, 0, quads[i].colour),
                              vertex_at(1280, 0, 2, quads[i].colour),
                              vertex_at(0, 8, 0, quads[i].colour)};

        s.values.depth_bias = quads[i].bias;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    }
    raster_flush(c.raster);
    for (unsigned i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
        ck_assert_uint_eq(canvas_pixel(&c, probes[i].x, 1) & 0xffffff, probes[i].colour);
    canvas_close(&c);
}
END_TEST

START_TEST(slope_bias_takes_the_steeper_direction)
{
    struct vertex v[3] = {vertex_at(0, 0, 0.25f, ~0u), vertex_at(64, 0, 0.25f + 0.125f, ~0u),
                          vertex_at(0, 64, 0.25f - 0.25f, ~0u)};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 8, 8, 1, D3DFMT_UNKNOWN, D3DFMT_D32F_LOCKABLE);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    s.depth_func = D3DCMP_ALWAYS;
    s.values.slope_bias = 2.0f;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    /* dz/dx = 1/512, dz/dy = -1/256 */
    for (uint32_t i = 0; i < 8; i++) {
        float want = 0.25f + (float)i / 512.0f - (float)i / 256.0f + 2.0f / 256.0f, got;
        uint32_t word = canvas_depth(&c, i, i);

        memcpy(&got, &word, 4);
        ck_assert(got == want);
    }
    canvas_close(&c);
}
END_TEST

static void shade_depth(const void *ctx, struct raster_shade_batch *batch)
{
    float *depth = (float *)batch->work + 4 * RASTER_LANES;

    shade_attributes(ctx, batch);
    for (unsigned i = 0; i < RASTER_LANES; i++) {
        depth[i] = (batch->x[i] + 1.0f) / 16.0f;
        if (batch->y[i] == 3.0f)
            batch->killed |= UINT64_C(1) << i;
    }
    batch->depth = depth;
}

START_TEST(shader_depth_and_kill_precede_tests)
{
    uint64_t samples = 0;
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 16, 16, 1, D3DFMT_A8R8G8B8, D3DFMT_D16);
    default_state(&c, &s);
    s.shade = shade_depth;
    s.kills = s.writes_depth = true;
    s.depth_test = s.depth_write = true;
    s.depth_func = D3DCMP_GREATEREQUAL;
    s.values.samples_passed = &samples;
    ck_assert_int_eq(clear_all(&c, 0, 0.5f, 0), ST_OK);
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 16, 16, 0.0f, ~0u), ST_OK);
    raster_flush(c.raster);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++) {
            bool drawn = y != 3 && x >= 7;

            ck_assert_uint_eq(canvas_pixel(&c, x, y), drawn ? ~0u : 0);
            ck_assert_uint_eq(canvas_depth(&c, x, y),
                              drawn ? (uint32_t)lrintf((float)(x + 1) / 16 * 65535) : 0x8000);
        }
    ck_assert_uint_eq(samples, 9 * 15);
    canvas_close(&c);
}
END_TEST

/* Missing surfaces are not written; a smaller depth buffer clips the draws that use it. */
START_TEST(missing_and_small_surfaces)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 40, 40, D3DFMT_A8R8G8B8);
    s.depth_test = s.depth_write = s.stencil_test = true;
    s.depth_func = D3DCMP_NEVER;
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 40, 40, 0.5f, 0x12345678), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 39, 39), 0x12345678);
    canvas_close(&c);

    canvas_open(&c, 1, 40, 40, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    c.targets.depth.width = c.targets.depth.height = 20;
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
    default_state(&c, &s);
    ck_assert_int_eq(clear_all(&c, 0x01020304, 1.0f, 7), ST_OK);
    s.depth_test = s.depth_write = true;
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 40, 40, 0.5f, 0x12345678), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 19, 19), 0x12345678);
    ck_assert_uint_eq(canvas_pixel(&c, 20, 19), 0x01020304);
    ck_assert_uint_eq(canvas_depth(&c, 19, 19), 0x80000007);
    ck_assert_uint_eq(canvas_depth(&c, 20, 19), 0);
    ck_assert_uint_eq(canvas_depth(&c, 0, 20), 0);
    canvas_close(&c);
}
END_TEST

START_TEST(clears_write_only_named_parts)
{
    struct raster_clear stencil = {.stencil = true, .stencil_value = 0x5a};
    struct raster_clear depth = {.depth = true, .z = 1.0f};
    const int32_t rects[2][4] = {{2, 2, 5, 5}, {-3, 7, 3, 900}}, inverted[1][4] = {{5, 5, 2, 2}};
    struct canvas c;

    canvas_open(&c, 1, 10, 10, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    ck_assert_int_eq(clear_all(&c, 0xaabbccdd, 0.5f, 1), ST_OK);
    ck_assert_int_eq(raster_clear(c.raster, &stencil, rects, 2), ST_OK);
    ck_assert_int_eq(raster_clear(c.raster, &depth, rects, 1), ST_OK);
    ck_assert_int_eq(raster_clear(c.raster, &depth, inverted, 1), ST_OK);
    raster_flush(c.raster);
    for (uint32_t y = 0; y < 10; y++)
        for (uint32_t x = 0; x < 10; x++) {
            bool first = x >= 2 && x < 5 && y >= 2 && y < 5, second = x < 3 && y >= 7;

            ck_assert_uint_eq(canvas_depth(&c, x, y),
                              (first ? 0xffffff00 : 0x80000000) | (first || second ? 0x5a : 1));
            ck_assert_uint_eq(canvas_pixel(&c, x, y), 0xaabbccdd);
        }
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/depth");
    TCase *tc = tcase_create("depth");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, depth_functions, 0, N_FORMATS);
    tcase_add_test(tc, codes_of_the_formats);
    tcase_add_loop_test(tc, stencil_follows_the_reference, 0, 3);
    tcase_add_loop_test(tc, biased_depth_is_clamped, 0, N_FORMATS);
    tcase_add_loop_test(tc, depth_bias_is_in_units_of_depth, 0, N_FORMATS);
    tcase_add_test(tc, slope_bias_takes_the_steeper_direction);
    tcase_add_test(tc, shader_depth_and_kill_precede_tests);
    tcase_add_test(tc, missing_and_small_surfaces);
    tcase_add_test(tc, clears_write_only_named_parts);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
