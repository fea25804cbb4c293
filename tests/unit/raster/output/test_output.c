/* Alpha test, fog, blending, write masks and several targets against formulas written out here. */
#include "check_main.h"

#include "fixture.h"

#include <float.h>
#include <math.h>

static float unorm8(uint32_t argb, unsigned c) /* r g b a */
{
    return (float)(argb >> (c == 3 ? 24 : 16 - 8 * c) & 255) / 255.0f;
}

static float factor_of(unsigned factor, const float s[4], const float d[4], const float k[4],
                       unsigned c)
{
    switch (factor) {
    case D3DBLEND_ZERO:
        return 0.0f;
    case D3DBLEND_SRCCOLOR:
        return s[c];
    case D3DBLEND_INVSRCCOLOR:
        return 1.0f - s[c];
    case D3DBLEND_SRCALPHA:
        return s[3];
    case D3DBLEND_INVSRCALPHA:
        return 1.0f - s[3];
    case D3DBLEND_DESTALPHA:
        return d[3];
    case D3DBLEND_INVDESTALPHA:
        return 1.0f - d[3];
    case D3DBLEND_DESTCOLOR:
        return d[c];
    case D3DBLEND_INVDESTCOLOR:
        return 1.0f - d[c];
    case D3DBLEND_SRCALPHASAT:
        return c == 3 ? 1.0f : s[3] < 1.0f - d[3] ? s[3] : 1.0f - d[3];
    case D3DBLEND_BLENDFACTOR:
        return k[c];
    case D3DBLEND_INVBLENDFACTOR:
        return 1.0f - k[c];
    case D3DBLEND_SRCCOLOR2:
        return s[(c + 1) % 4];
    case D3DBLEND_INVSRCCOLOR2:
        return 1.0f - s[(c + 1) % 4];
    default:
        return 1.0f;
    }
}

static float blend_of(const struct raster_blend *b, const float s[4], const float d[4],
                      const float k[4], unsigned c)
{
    float x = s[c] * factor_of(b->src, s, d, k, c), y = d[c] * factor_of(b->dst, s, d, k, c);

    switch (b->op) {
    case D3DBLENDOP_SUBTRACT:
        return x - y;
    case D3DBLENDOP_REVSUBTRACT:
        return y - x;
    case D3DBLENDOP_MIN:
        return s[c] < d[c] ? s[c] : d[c];
    case D3DBLENDOP_MAX:
        return s[c] > d[c] ? s[c] : d[c];
    default:
        return x + y;
    }
}

static uint32_t to_argb(const float v[4])
{
    static const unsigned shift[4] = {16, 8, 0, 24};
    uint32_t argb = 0;

    for (unsigned c = 0; c < 4; c++) {
        float clamped = v[c] > 0.0f ? v[c] < 1.0f ? v[c] : 1.0f : 0.0f;

        argb |= (uint32_t)floorf(clamped * 255.0f + 0.5f) << shift[c];
    }
    return argb;
}

static const uint8_t factors[] = {
    D3DBLEND_ZERO,           D3DBLEND_ONE,          D3DBLEND_SRCCOLOR,     D3DBLEND_INVSRCCOLOR,
    D3DBLEND_SRCALPHA,       D3DBLEND_INVSRCALPHA,  D3DBLEND_DESTALPHA,    D3DBLEND_INVDESTALPHA,
    D3DBLEND_DESTCOLOR,      D3DBLEND_INVDESTCOLOR, D3DBLEND_SRCALPHASAT,  D3DBLEND_BLENDFACTOR,
    D3DBLEND_INVBLENDFACTOR, D3DBLEND_SRCCOLOR2,    D3DBLEND_INVSRCCOLOR2,
};
enum { N_FACTORS = sizeof(factors) };

/* The second colour is green, blue, alpha and red of the first. */
static void shade_two_colours(const void *ctx, struct raster_shade_batch *batch)
{
    shade_attributes(ctx, batch);
    for (unsigned i = 0; i < 4; i++)
        batch->colour[1][i] = batch->colour[0][(i + 1) % 4];
}

/* Every pair of factors and every operation, with separate alpha. */
START_TEST(blending_follows_the_formulas)
{
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 4, 4, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    for (unsigned src = 0; src < N_FACTORS; src++)
        for (unsigned dst = 0; dst < N_FACTORS; dst++)
            for (unsigned op = D3DBLENDOP_ADD; op <= D3DBLENDOP_MAX; op++) {
                uint32_t below = random_u32(), above = random_u32(), want;
                float sv[4], dv[4], out[4];

                default_state(&c, &s);
                s.shade = shade_two_colours;
                s.blend_enable = s.separate_alpha = true;
                s.blend_rgb = (struct raster_blend){factors[src], factors[dst], (uint8_t)op};
                s.blend_alpha = (struct raster_blend){factors[random_u32() % N_FACTORS],
                                                      factors[random_u32() % N_FACTORS],
                                                      (uint8_t)random_between(1, 5)};
                for (unsigned i = 0; i < 4; i++) {
                    s.values.blend_factor[i] = unorm8(random_u32(), i);
                    sv[i] = unorm8(above, i);
                    dv[i] = unorm8(below, i);
                }
                for (unsigned i = 0; i < 4; i++)
                    out[i] = blend_of(i == 3 ? &s.blend_alpha : &s.blend_rgb, sv, dv,
                                      s.values.blend_factor, i);
                want = to_argb(out);
                ck_assert_int_eq(clear_all(&c, below, 1, 0), ST_OK);
                ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 4, 4, 0, above), ST_OK);
                raster_flush(c.raster);
                ck_assert_msg(canvas_pixel(&c, 1, 2) == want,
                              "%08x over %08x, %u %u %u: %08x, not %08x", above, below,
                              factors[src], factors[dst], op, canvas_pixel(&c, 1, 2), want);
            }
    canvas_close(&c);
}
END_TEST

START_TEST(a_target_without_alpha_has_alpha_one)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 4, 4, D3DFMT_X8R8G8B8);
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_DESTALPHA, D3DBLEND_INVDESTALPHA, D3DBLENDOP_ADD};
    ck_assert_int_eq(clear_all(&c, 0x00ff0000, 1, 0), ST_OK);
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 4, 4, 0, 0x00123456), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 1, 1) & 0xffffff, 0x123456);
    canvas_close(&c);
}
END_TEST

/* Integer targets clamp sources beyond [0,1] before blending, float targets do not. */
START_TEST(clamping_depends_on_the_target)
{
    static const struct {
        D3DFORMAT format;
        float want;
    } cases[2] = {{D3DFMT_A8R8G8B8, 1.0f}, {D3DFMT_A32B32G32R32F, 4.0f}};

    for (int i = 0; i < 2; i++) {
        struct vertex v[3] = {vertex_at(0, 0, 0, 0), vertex_at(8, 0, 0, 0), vertex_at(0, 8, 0, 0)};
        struct raster_state s;
        struct canvas c;
        float got;

        canvas_open_default(&c, &s, 4, 4, cases[i].format);
        s.blend_enable = true;
        s.blend_rgb = (struct raster_blend){D3DBLEND_BLENDFACTOR, D3DBLEND_ZERO, D3DBLENDOP_ADD};
        s.values.blend_factor[0] = 2.0f;
        for (int k = 0; k < 3; k++)
            v[k].rgba[0] = 2.0f;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        raster_flush(c.raster);
        if (i)
            memcpy(&got, c.memory[0], 4);
        else
            got = (float)(canvas_pixel(&c, 0, 0) >> 16 & 255) / 255.0f;
        ck_assert(got == cases[i].want);
        canvas_close(&c);
    }
}
END_TEST

static uint32_t dithered(uint32_t argb, const struct tex_format *format, int32_t x, int32_t y)
{
    static const unsigned order[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    uint32_t word = 0;

    for (unsigned i = 0; i < 4; i++) {
        unsigned max = (1u << format->channel[i].bits) - 1;
        double up = i == 3 ? 0.5 : (2 * order[y & 3][x & 3] + 1) / 32.0;

        word |= (uint32_t)((double)unorm8(argb, i) * max + up) << format->channel[i].shift;
    }
    return word;
}

static void expect_dithered(const struct canvas *c, uint32_t argb)
{
    const struct tex_format *format = c->targets.colour[0].format;
    uint32_t bits = format->channel[3].bits ? 0xffff : 0x7fff; /* of X1R5G5B5 */

    for (uint32_t y = 0; y < c->targets.height; y++)
        for (uint32_t x = 0; x < c->targets.width; x++)
            ck_assert_uint_eq(canvas_pixel(c, x, y) & bits,
                              dithered(argb, format, (int32_t)x, (int32_t)y) & bits);
}

/* _i: one rectangle, or pixels each of a primitive; quads, or single fragments; blended with black,
 * or stored. */
START_TEST(dithering_depends_on_the_place_alone)
{
    static const D3DFORMAT formats[] = {D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5, D3DFMT_A4R4G4B4};

    for (unsigned n = 0; n < 60; n++) {
        uint32_t argb = random_u32();
        struct raster_state s;
        struct canvas c;

        canvas_open_default(&c, &s, 37, 21, formats[n % 3]);
        s.dithers = true;
        s.blend_enable = _i & 4;
        s.blend_rgb = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
        s.needs_quads = !(_i & 2);
        s.ps_inputs = _i & 2 ? 0 : RASTER_PS_INPUT_ALL;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        for (int32_t y = 0; y < (_i & 1 ? 21 : 1); y++)
            for (int32_t x = 0; x < (_i & 1 ? 37 : 1); x++)
                ck_assert_int_eq(draw_rect(&c, &s, (float)x, (float)y, (float)(_i & 1 ? x + 1 : 37),
                                           (float)(_i & 1 ? y + 1 : 21), 0, argb),
                                 ST_OK);
        raster_flush(c.raster);
        expect_dithered(&c, argb);
        canvas_close(&c);
    }
}
END_TEST

START_TEST(write_masks_protect_bits)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_R5G6B5, D3DFMT_A16B16G16R16F,
                                        D3DFMT_A2R10G10B10, D3DFMT_G16R16};

    for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
        for (unsigned mask = 0; mask < 16; mask++) {
            const struct tex_format *format = tex_format_get(formats[f]);
            uint64_t below = 0, above = 0, got = 0;
            struct raster_state s;
            struct canvas c;

            canvas_open_default(&c, &s, 3, 3, formats[f]);
            ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 3, 3, 0, 0xffffffff), ST_OK);
            raster_flush(c.raster);
            memcpy(&above, c.memory[0], format->bytes);
            ck_assert_int_eq(clear_all(&c, 0x12345678, 1, 0), ST_OK);
            raster_flush(c.raster);
            memcpy(&below, c.memory[0], format->bytes);
            for (unsigned t = 0; t < RASTER_TARGETS; t++)
                s.write_mask[t] = (uint8_t)mask;
            ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 3, 3, 0, 0xffffffff), ST_OK);
            raster_flush(c.raster);
            memcpy(&got, c.memory[0], format->bytes);
            for (unsigned i = 0; i < 4; i++) {
                const struct tex_channel *channel = &format->channel[i];
                uint64_t field = ((UINT64_C(1) << channel->bits) - 1) << channel->shift;

                ck_assert_msg(((got ^ (mask >> i & 1 ? above : below)) & field) == 0,
                              "%s, mask %x, channel %u", format->name, mask, i);
            }
            canvas_close(&c);
        }
}
END_TEST

START_TEST(alpha_test_functions)
{
    static const bool passes[9][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const uint8_t refs[3] = {0x90, 0x80, 0x70}; /* less, equal, greater */
    uint64_t samples = 0;
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 8, 8, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    for (unsigned func = 1; func <= 8; func++)
        for (unsigned k = 0; k < 3; k++) {
            default_state(&c, &s);
            s.alpha_test = true;
            s.alpha_func = (uint8_t)func;
            s.values.alpha_ref = refs[k];
            s.values.samples_passed = &samples;
            samples = 0;
            ck_assert_int_eq(clear_all(&c, 0xffff0000, 1, 0), ST_OK);
            ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 8, 8, 0, 0x8000ff00), ST_OK);
            raster_flush(c.raster);
            ck_assert_uint_eq(canvas_pixel(&c, 3, 3), passes[func][k] ? 0x8000ff00 : 0xffff0000);
            ck_assert_uint_eq(samples, passes[func][k] ? 64 : 0);
        }
    canvas_close(&c);
}
END_TEST

/* 127.4 / 255 counts as 127, 127.5 / 255 as 128. */
START_TEST(alpha_test_rounds_to_eight_bits)
{
    static const float alphas[2] = {127.4f / 255.0f, 127.6f / 255.0f};

    for (int i = 0; i < 2; i++) {
        struct vertex v[3] = {vertex_at(0, 0, 0, 0), vertex_at(8, 0, 0, 0), vertex_at(0, 8, 0, 0)};
        struct raster_state s;
        struct canvas c;

        canvas_open_default(&c, &s, 4, 4, D3DFMT_A8R8G8B8);
        s.alpha_test = true;
        s.alpha_func = D3DCMP_EQUAL;
        s.values.alpha_ref = (uint8_t)(127 + i);
        for (int k = 0; k < 3; k++)
            v[k].rgba[3] = alphas[i];
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        raster_flush(c.raster);
        ck_assert_uint_eq(canvas_pixel(&c, 0, 0) >> 24, 127u + (unsigned)i);
        canvas_close(&c);
    }
}
END_TEST

/* Alphas that equal ALPHAREF 0x80 at the precision of the target, and alphas beside it. */
START_TEST(alpha_test_has_the_precision_of_the_target)
{
    static const struct {
        D3DFORMAT format;
        float equal, beside;
    } cases[] = {
        {D3DFMT_A8R8G8B8, 0.5035f, 0.5045f},
        {D3DFMT_R5G6B5, 0.5035f, 0.5045f},
        {D3DFMT_A2R10G10B10, 0.5022f, 0.5035f},
        {D3DFMT_A16B16G16R16, 0.501965f, 0.5022f},
        {D3DFMT_A16B16G16R16F, 128.0f / 255.0f, 0.501965f},
        {D3DFMT_R32F, 128.0f / 255.0f, 0.501965f},
    };
    static const float sizes[2] = {4, 64}; /* fragments, whole blocks */

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases) * 4; i++) {
        float size = sizes[i & 1], alpha = i & 2 ? cases[i / 4].beside : cases[i / 4].equal;
        struct vertex v[3] = {vertex_at(0, 0, 0, 0), vertex_at(size, 0, 0, 0),
                              vertex_at(0, size, 0, 0)};
        uint64_t samples = 0;
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 32, 32, 1, cases[i / 4].format, D3DFMT_UNKNOWN);
        default_state(&c, &s);
        s.alpha_test = true;
        s.alpha_func = D3DCMP_EQUAL;
        s.values.alpha_ref = 0x80;
        s.values.samples_passed = &samples;
        for (int k = 0; k < 3; k++)
            v[k].rgba[3] = alpha;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg(!samples == !!(i & 2), "format %d, alpha %.9g: %u samples",
                      cases[i / 4].format, (double)alpha, (unsigned)samples);
        canvas_close(&c);
    }
}
END_TEST

/* A constant alpha keeps its bits under perspective, so an alpha test for EQUAL is meaningful. */
START_TEST(constant_attributes_are_exact_under_perspective)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 64, 64, D3DFMT_A8R8G8B8);
    s.alpha_test = true;
    s.alpha_func = D3DCMP_EQUAL;
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        struct vertex v[3] = {vertex_at(0, 0, 0, alpha << 24), vertex_at(128, 0, 0, alpha << 24),
                              vertex_at(0, 128, 0, alpha << 24)};

        v[0].rhw = 0.3f;
        v[1].rhw = 0.7f;
        v[2].rhw = 0.011f;
        s.values.alpha_ref = (uint8_t)alpha;
        ck_assert_int_eq(clear_all(&c, ~(alpha << 24), 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        raster_flush(c.raster);
        for (uint32_t i = 0; i < 64; i++)
            ck_assert_uint_eq(canvas_pixel(&c, i, 63 - i), alpha << 24);
    }
    canvas_close(&c);
}
END_TEST

START_TEST(fog_formulas)
{
    static const float starts[][2] = {{0.1f, 0.9f}, {-1.0f, 0.5f}, {0.8f, 0.2f}, {0.5f, 0.5f}};
    static const float depths[] = {-0.5f, 0.0f, 0.1f, 0.3f, 0.49f, 0.51f, 0.7f, 1.0f};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 8, 8, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    for (unsigned mode = RASTER_FOG_VERTEX; mode <= RASTER_FOG_EXP2; mode++)
        for (unsigned r = 0; r < 4; r++)
            for (unsigned k = 0; k < sizeof(depths) / sizeof(depths[0]); k++) {
                double z = depths[k], f, density = 0.75 + r;
                struct vertex v[3] = {vertex_at(0, 0, depths[k], 0xffff0000),
                                      vertex_at(16, 0, depths[k], 0xffff0000),
                                      vertex_at(0, 16, depths[k], 0xffff0000)};
                uint32_t got, red;

                default_state(&c, &s);
                s.fog = (uint8_t)mode;
                s.fog_attr = 3;
                s.values.fog_start = starts[r][0];
                s.values.fog_end = starts[r][1];
                s.values.fog_density = (float)density;
                s.values.fog_colour[1] = 1.0f;
                for (int i = 0; i < 3; i++)
                    v[i].rgba[3] = depths[k] * 2.0f;
                ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
                raster_flush(c.raster);
                got = canvas_pixel(&c, 2, 2);
                f = mode == RASTER_FOG_VERTEX ? z * 2
                    : mode == RASTER_FOG_EXP  ? exp(-density * z)
                    : mode == RASTER_FOG_EXP2 ? exp(-(density * z) * (density * z))
                    : starts[r][0] == starts[r][1]
                        ? z < starts[r][0]
                        : (starts[r][1] - z) / ((double)starts[r][1] - starts[r][0]);
                f = f < 0 ? 0 : f > 1 ? 1 : f;
                red = (uint32_t)floor(f * 255 + 0.5);
                ck_assert_msg(abs((int)(got >> 16 & 255) - (int)red) <= 1 &&
                                  abs((int)(got >> 8 & 255) - (int)(255 - red)) <= 1 &&
                                  (got & 255) == 0,
                              "mode %u, range %u, z %g: %08x, f %g", mode, r, z, got, f);
            }
    canvas_close(&c);
}
END_TEST

/* The fog factor: a white pixel in black fog on a float target. */
static float fog_factor_of(struct canvas *c, const struct raster_state *state, float z, float rhw)
{
    struct vertex v[3] = {vertex_at(0, 0, z, ~0u), vertex_at(16, 0, z, ~0u),
                          vertex_at(0, 16, z, ~0u)};
    float f;

    for (int i = 0; i < 3; i++)
        v[i].rhw = rhw;
    ck_assert_int_eq(draw(c, state, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c->raster);
    memcpy(&f, c->memory[0] + (2 * 8 + 2) * 16, sizeof(f));
    return f;
}

/* Against the formulas in double precision, for exact depths and distances. */
START_TEST(table_fog_of_random_parameters)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 8, 8, D3DFMT_A32B32G32R32F);
    for (int round = 0; round < 600; round++) {
        double start = random_between(-4000, 9000) / 1000.0;
        double end = random_between(-4000, 9000) / 1000.0;
        double density = random_between(0, 3000) / 1000.0, f, tolerance = 1e-6;
        double z = random_between(-2048, 8192) / 1024.0;
        float rhw = 1.0f / (float)(1 << random_between(0, 3)), got;

        s.fog = (uint8_t)(RASTER_FOG_LINEAR + round % 3);
        s.fog_w = round & 1;
        s.values.fog_start = (float)start;
        s.values.fog_end = (float)end;
        s.values.fog_density = (float)density;
        got = fog_factor_of(&c, &s, (float)z, rhw);
        if (s.fog_w)
            z = 1.0 / rhw;
        start = s.values.fog_start;
        end = s.values.fog_end;
        density = s.values.fog_density;
        f = s.fog == RASTER_FOG_LINEAR ? (start == end ? z < start : (end - z) / (end - start))
            : s.fog == RASTER_FOG_EXP  ? exp(-density * z)
                                       : exp(-(density * z) * (density * z));
        f = f < 0 ? 0 : f > 1 ? 1 : f;
        if (s.fog == RASTER_FOG_LINEAR && start != end)
            tolerance = 1e-6 * (1 + 1 / fabs(end - start));
        ck_assert_msg(fabs(got - f) <= tolerance, "round %d, mode %u: %g, want %g", round, s.fog,
                      got, f);
    }
    canvas_close(&c);
}
END_TEST

/* Parameters that are invalid or infinite: reference fog/infinite-range and fog/not-a-number. */
START_TEST(table_fog_limits)
{
    static const struct {
        uint8_t mode;
        float start, end, density, rhw, factor;
    } cases[] = {
        {RASTER_FOG_LINEAR, 0, FLT_MAX, 0, 1, 1},
        {RASTER_FOG_LINEAR, 0, INFINITY, 0, 1, 1},
        {RASTER_FOG_LINEAR, -INFINITY, 9, 0, 1, 0},
        {RASTER_FOG_LINEAR, FLT_MAX, 0, 0, 1, 0},
        {RASTER_FOG_LINEAR, 1, -INFINITY, 0, 1, 1},
        {RASTER_FOG_LINEAR, 0, NAN, 0, 1, 0},
        {RASTER_FOG_LINEAR, 0, 9, 0, 0, 0},
        {RASTER_FOG_LINEAR, 0, 9, 0, NAN, 0},
        {RASTER_FOG_EXP, 0, 1, 0, 1, 1},
        {RASTER_FOG_EXP, 0, 1, 0, 0, 1},
        {RASTER_FOG_EXP2, 0, 1, 0, 0, 1},
        {RASTER_FOG_EXP, 0, 1, 1, 0, 0},
        {RASTER_FOG_EXP, 0, 1, -1, 1, 1},
        {RASTER_FOG_EXP, 0, 1, NAN, 1, 0},
        {RASTER_FOG_EXP2, 0, 1, FLT_MAX, 1, 0},
        {RASTER_FOG_EXP2, 0, 1, -FLT_MAX, 1, 0},
    };
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 8, 8, D3DFMT_A32B32G32R32F);
    s.fog_w = true;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        float got;

        s.fog = cases[i].mode;
        s.values.fog_start = cases[i].start;
        s.values.fog_end = cases[i].end;
        s.values.fog_density = cases[i].density;
        got = fog_factor_of(&c, &s, 0.5f, cases[i].rhw);
        ck_assert_msg(fabsf(got - cases[i].factor) < 1e-30f, "case %u: %g", i, got);
    }
    canvas_close(&c);
}
END_TEST

/* Table fog by z in one draw, by w = 1 / rhw in the other. */
START_TEST(fog_by_w)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 8, 8, D3DFMT_A8R8G8B8);
    s.fog = RASTER_FOG_LINEAR;
    s.fog_w = true;
    s.values.fog_end = 8.0f;
    {
        struct vertex v[3] = {vertex_at(0, 0, 0.5f, ~0u), vertex_at(16, 0, 0.5f, ~0u),
                              vertex_at(0, 16, 0.5f, ~0u)};

        for (int i = 0; i < 3; i++)
            v[i].rhw = 0.25f;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    }
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 3, 3), 0xff808080);
    canvas_close(&c);
}
END_TEST

static void shade_two(const void *ctx, struct raster_shade_batch *batch)
{
    (void)ctx;
    for (unsigned i = 0; i < 4; i++) {
        batch->colour[0][i] = (const float *)batch->work + i * RASTER_LANES;
        batch->colour[2][i] = (const float *)batch->work + (3 - i) * RASTER_LANES;
    }
}

START_TEST(targets_of_several_formats_and_unwritten_targets)
{
    const int32_t all[1][4] = {{0, 0, 9, 9}};
    struct raster_clear clear = {.colour = true, .rgba = {0.0f, 0.0f, 1.0f, 1.0f}};
    struct raster_state s;
    struct canvas c;
    uint16_t word;

    canvas_open(&c, 1, 9, 9, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    c.targets.colour[1] = canvas_surface(&c, 1, D3DFMT_A8R8G8B8);
    c.targets.colour[2] = canvas_surface(&c, 2, D3DFMT_R5G6B5);
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
    default_state(&c, &s);
    s.shade = shade_two;
    ck_assert_int_eq(raster_clear(c.raster, &clear, all, 1), ST_OK);
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 9, 9, 0, 0xff00ff00), ST_OK);
    raster_flush(c.raster);
    for (unsigned i = 0; i < 81; i++) {
        uint32_t value;

        memcpy(&value, c.memory[0] + i / 9 * c.targets.colour[0].row_pitch + i % 9 * 4, 4);
        ck_assert_uint_eq(value, 0xff00ff00);
        memcpy(&value, c.memory[1] + i / 9 * c.targets.colour[1].row_pitch + i % 9 * 4, 4);
        ck_assert_uint_eq(value, 0xff0000ff);
        memcpy(&word, c.memory[2] + i / 9 * c.targets.colour[2].row_pitch + i % 9 * 2, 2);
        ck_assert_uint_eq(word, 0xf81f);
    }
    canvas_close(&c);
}
END_TEST

START_TEST(srgb_write_encodes_after_blending)
{
    struct raster_clear clear = {
        .colour = true, .srgb_write = true, .rgba = {0.498f, 0.0f, 1.0f, 0.498f}};
    const int32_t all[1][4] = {{0, 0, 4, 4}};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 4, 4, D3DFMT_A8R8G8B8);
    ck_assert_int_eq(raster_clear(c.raster, &clear, all, 1), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 0, 0), 0x7fbb00ff);
    s.srgb_write = true;
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_ZERO, D3DBLEND_ONE, D3DBLENDOP_ADD};
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 4, 4, 0, 0x12345678), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 0, 0), 0x7fbb00ff);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/output");
    TCase *tc = tcase_create("output");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, blending_follows_the_formulas);
    tcase_add_test(tc, a_target_without_alpha_has_alpha_one);
    tcase_add_test(tc, clamping_depends_on_the_target);
    tcase_add_loop_test(tc, dithering_depends_on_the_place_alone, 0, 8);
    tcase_add_test(tc, write_masks_protect_bits);
    tcase_add_test(tc, alpha_test_functions);
    tcase_add_test(tc, alpha_test_rounds_to_eight_bits);
    tcase_add_test(tc, alpha_test_has_the_precision_of_the_target);
    tcase_add_test(tc, constant_attributes_are_exact_under_perspective);
    tcase_add_test(tc, fog_formulas);
    tcase_add_test(tc, table_fog_of_random_parameters);
    tcase_add_test(tc, table_fog_limits);
    tcase_add_test(tc, fog_by_w);
    tcase_add_test(tc, targets_of_several_formats_and_unwritten_targets);
    tcase_add_test(tc, srgb_write_encodes_after_blending);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
