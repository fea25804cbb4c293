/* Solid blends in u8 against float blends: all stored bytes, source colours of bytes and others. */
#include "check_main.h"

#include "kernel/bits.h"
#include "kernel/raster/random.h"
#include "raster/output/blend_kern.h"
#include "raster/output/solid_blend_u8.h"

enum { CODES = 256, WIDTH = 32, HEIGHT = CODES / WIDTH };

static const struct raster_blend blends[] = {
    {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
    {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
    {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD},
    {D3DBLEND_SRCALPHA, D3DBLEND_ONE, D3DBLENDOP_ADD},
    {D3DBLEND_INVDESTALPHA, D3DBLEND_ONE, D3DBLENDOP_REVSUBTRACT},
};
enum { SIMPLE = 5 };

static void expect_equal(const struct raster_blend_kern *kern, const struct raster_pixel_write *how,
                         const float colour[4], bool must)
{
    uint32_t want[CODES], got[CODES];
    struct solid_blend_u8 coeffs;

    if (!raster_solid_blend_u8_find(&coeffs, KERN_FOR(raster_blend_kern, ISA_SCALAR), how,
                                    colour)) {
        ck_assert(!must);
        return;
    }
    for (uint32_t i = 0; i < CODES; i++)
        want[i] = got[i] = i * 0x01010101u ^ 0x5a00a500;
    KERN_FOR(raster_blend_kern, ISA_SCALAR)
        ->solid(how, (uint8_t *)want, WIDTH * 4, WIDTH, HEIGHT, colour);
    kern->solid_u8(&coeffs, (uint8_t *)got, WIDTH * 4, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < CODES; i++)
        ck_assert_msg(want[i] == got[i], "colour %g %g %g %g: %08x, not %08x", colour[0], colour[1],
                      colour[2], colour[3], got[i], want[i]);
    bits_bytes(got, sizeof(got));
}

/* _i: the instruction set. */
START_TEST(solid_blend_u8_equals_float_blend)
{
    const struct raster_blend_kern *kern;

    if (!cpu_has_isa((enum cpu_isa)_i))
        return;
    kern = KERN_FOR(raster_blend_kern, (enum cpu_isa)_i);
    for (unsigned n = 0; n < 2000; n++) {
        unsigned which = n % (sizeof(blends) / sizeof(blends[0]));
        struct raster_blend_params params = {.rgb = blends[which], .alpha = blends[which]};
        struct raster_pixel_write how = {
            .blend = &params, .red_lowest = n & 1, .alpha = n & 2, .keeps = n % 5 == 0};
        bool bytes = n % 3;
        float colour[4];

        how.keep[0] = how.keeps ? 0x00ff00ff : 0;
        for (unsigned c = 0; c < 4; c++)
            colour[c] = bytes ? (float)(random_u32() % 256) / 255.0f
                              : (float)(random_u32() % 1000) * 0.0015f - 0.25f;
        expect_equal(kern, &how, colour, bytes && which < SIMPLE);
    }
    if (_i == ISA_SCALAR)
        bits_print("solid_blend_u8", 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/solid_blend_u8");
    TCase *tc = tcase_create("coeffs");

    tcase_add_loop_test(tc, solid_blend_u8_equals_float_blend, 0, ISA_COUNT);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
