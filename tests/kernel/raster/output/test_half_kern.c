/* Half-float kernel: gradients in each instruction set against blocks of the output kernel, with
 * special values. */
#include "check_main.h"

#include "kernel/bits.h"
#include "kernel/raster/random.h"
#include "raster/prim/prim.h"
#include "raster/output/half_kern.h"
#include "raster/output/output_kern.h"
#include "util/half.h"

enum { LANES = RASTER_LANES, DIM = 8, ROUNDS = 600 };

static const struct raster_blend blends[] = {
    {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
    {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
    {D3DBLEND_SRCALPHASAT, D3DBLEND_INVBLENDFACTOR, D3DBLENDOP_REVSUBTRACT},
    {D3DBLEND_DESTALPHA, D3DBLEND_INVDESTCOLOR, D3DBLENDOP_SUBTRACT},
    {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_MAX},
};
enum { BLENDS = sizeof(blends) / sizeof(blends[0]) };

/* Canonical NaN. */
static uint16_t plain_half(float value)
{
    return isnan(value) ? 0x7e00 : half_from_float(value);
}

/* A block, as the output kernel writes it. */
static void write_half(const struct raster_blend_params *params, uint8_t *rows, size_t pitch,
                       const float *const from[4])
{
    const struct raster_pixel_write how = {
        .format = tex_format_get(D3DFMT_A16B16G16R16F),
        .class = RASTER_PIXEL_HALF4,
        .plain = !params,
        .blend = params,
    };

    KERN_FOR(raster_output_kern, ISA_SCALAR)
        ->write[RASTER_PIXEL_HALF4](&how, rows, pitch, from, ~UINT64_C(0));
}

enum { GRADIENT_PITCH = 4 * GRADIENT_WIDTH + 4 };
typedef uint16_t gradient_picture[2 * DIM][GRADIENT_PITCH];

static float small_float(void)
{
    return (float)(int32_t)random_u32() * 0x1p-34f;
}

/* One statement per random number, so that every compiler draws them in the same order. */
static struct gradient_fill any_gradient(void)
{
    struct gradient_fill gradient;

    memset(&gradient, 0, sizeof(gradient));
    gradient.anchor_x = small_float() * 0x1p10f;
    gradient.anchor_y = small_float() * 0x1p10f;
    gradient.const_channels = random_u32() & 15;
    gradient.const_channels &= random_u32();
    gradient.saturated = random_u32() % 2;
    for (unsigned c = 0; c < 4; c++) {
        gradient.plane[c].value = small_float();
        gradient.plane[c].tiny = random_u32() % 2 ? 0x1p-4f : 0.0f;
        gradient.plane[c].dadx = small_float() * 0x1p-6f;
        gradient.plane[c].dady = small_float() / 3.0 * 0x1p-6;
        if (random_u32() % 8 == 0)
            gradient.plane[c].value = -0.0f;
        gradient.plane[c].a0 = gradient.plane[c].value;
        if (gradient.const_channels >> c & 1)
            gradient.plane[c] = (struct raster_attr_plane){.value = gradient.plane[c].value,
                                                           .a0 = gradient.plane[c].value};
        gradient.factor[c] = random_u32() % 4 ? small_float() * 0x1p4f : 1.0f;
    }
    return gradient;
}

/* Position in the target and size in blocks. */
static struct gradient_area any_area(unsigned n, gradient_picture rows)
{
    struct gradient_area area = {.rows = (uint8_t *)rows, .pitch = sizeof(rows[0])};

    area.x = (float)(random_u32() % 1024 * 8);
    area.y = (float)(random_u32() % 1024 * 8);
    area.width = n % 3 ? DIM * (1 + random_u32() % 8) : GRADIENT_WIDTH;
    area.height = DIM * (1 + n % 2);
    return area;
}

static float gradient_value(const struct gradient_fill *gradient, unsigned c, float x, float y)
{
    const struct raster_attr_plane *plane = &gradient->plane[c];
    float value = gradient->const_channels >> c & 1
                      ? plane->value
                      : raster_attr_at(plane, x - gradient->anchor_x, y - gradient->anchor_y);

    value *= gradient->factor[c];
    if (!gradient->saturated)
        return value;
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

/* The same gradient block by block, with the block functions. */
static void gradient_reference(const struct raster_blend_params *params,
                               const struct gradient_fill *gradient,
                               const struct gradient_area *area, gradient_picture p)
{
    static _Alignas(64) float from[4][LANES];
    const float *const source[4] = {from[0], from[1], from[2], from[3]};

    for (unsigned y = 0; y < area->height; y += DIM) {
        for (unsigned x = 0; x < area->width; x += DIM) {
            uint8_t *rows = (uint8_t *)&p[y][4 * x];

            for (unsigned i = 0; i < LANES; i++)
                for (unsigned c = 0; c < 4; c++)
                    from[c][i] =
                        gradient_value(gradient, c, area->x + (float)(x + i / 4 % 4 * 2 + i % 2),
                                       area->y + (float)(y + i / 16 * 2 + i / 2 % 2));
            write_half(params, rows, sizeof(p[0]), source);
        }
    }
}

/* _i: the instruction set. */
START_TEST(gradients_are_planes_times_factors)
{
    static gradient_picture want, got;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct raster_blend_params params = {.rgb = blends[n % BLENDS],
                                             .alpha = blends[n / 2 % BLENDS]};
        struct gradient_fill gradient = any_gradient();
        struct gradient_area area = any_area(n, got);

        random_floats(params.factor, 4);
        for (unsigned y = 0; y < 2 * DIM; y++)
            for (unsigned x = 0; x < GRADIENT_PITCH; x++)
                want[y][x] = random_u32() % 4 ? plain_half(random_float()) : (uint16_t)random_u32();
        memcpy(got, want, sizeof(got));
        gradient_reference(n % 4 ? &params : NULL, &gradient, &area, want);
        KERN_FOR(raster_half_kern, (enum cpu_isa)_i)
            ->gradient(n % 4 ? &params : NULL, &gradient, &area);
        for (unsigned y = 0; y < 2 * DIM; y++)
            for (unsigned x = 0; x < GRADIENT_PITCH; x++)
                ck_assert_msg(got[y][x] == want[y][x], "round %u, row %u, half %u: %04x, not %04x",
                              n, y, x, got[y][x], want[y][x]);
        if (_i == ISA_SCALAR)
            bits_bytes(got, sizeof(got));
    }
    if (_i == ISA_SCALAR)
        bits_print("gradients", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/half_kern");
    TCase *tc = tcase_create("kern");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, gradients_are_planes_times_factors, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
