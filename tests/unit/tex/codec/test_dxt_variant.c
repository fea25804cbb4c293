/* Blocks as variant renderers decode them: the values that a GPU gave for known blocks, and those
 * as far off to the other side. */
#include "check_main.h"
#include "tex/codec/codec.h"
#include "tex_helpers.h"
#include "util/variant.h"

#include <stdlib.h>

static const struct variant binary = {.blocks = VARIANT_BLOCKS_BINARY},
                            mirrored = {.blocks = VARIANT_BLOCKS_MIRRORED};

/* Decodes the block; *exact as the reference does. */
static void decode(D3DFORMAT d3d, const uint32_t *block, const struct variant *variant,
                   uint32_t argb[16], uint32_t exact[16])
{
    const struct tex_format *format = tex_format_get(d3d);

    variant_current = NULL;
    tex_blocks_decoder(format)(block, 1, exact, 4);
    variant_current = variant;
    tex_blocks_decoder(format)(block, 1, argb, 4);
    variant_current = NULL;
}

/* Codes 0 to 7 in both halves; white. */
static const struct {
    uint32_t ends; /* of the ramp */
    uint8_t measured[8];
} ramps[] = {
    {0x00ff, {0xff, 0x00, 0xdb, 0xb6, 0x90, 0x6f, 0x49, 0x24}},
    {0xff00, {0x00, 0xff, 0x30, 0x60, 0x9f, 0xcf, 0x00, 0xff}},
};

START_TEST(ramps_have_the_measured_values)
{
    const uint32_t block[4] = {ramps[_i].ends | 0xc688u << 16, 0xc688fau | 0xfau << 24, 0xffffffff,
                               0};
    uint32_t argb[16], other[16], exact[16];

    decode(D3DFMT_DXT5, block, &binary, argb, exact);
    decode(D3DFMT_DXT5, block, &mirrored, other, exact);
    for (unsigned i = 0; i < 8; i++) {
        int value = (int)(argb[i] >> 24), reference = (int)(exact[i] >> 24);

        ck_assert_msg(abs(value - ramps[_i].measured[i]) <= 1, "code %u: %02x", i, (unsigned)value);
        ck_assert_int_eq((int)(other[i] >> 24), 2 * reference - value);
        ck_assert_uint_eq(argb[i] & 0xffffff, 0xffffff);
    }
}
END_TEST

/* Ends 0 and 63 of green, 0 and 31 of red and blue: the far end's weight of green is 80.25/256. */
START_TEST(colours_have_other_weights)
{
    static const D3DFORMAT formats[] = {D3DFMT_DXT1, D3DFMT_DXT3, D3DFMT_DXT5};
    const uint32_t colours[2] = {0x0000ffff, 0xe4e4e4e4}, zero[2] = {0, 0};
    uint32_t block[4], argb[16], other[16], exact[16];
    bool plain = formats[_i] == D3DFMT_DXT1;

    memcpy(block, plain ? colours : zero, sizeof(zero));
    memcpy(block + 2, colours, sizeof(colours));
    decode(formats[_i], block, &binary, argb, exact);
    decode(formats[_i], block, &mirrored, other, exact);
    ck_assert_uint_eq(argb[0] & 0xffffff, 0xffffff);
    ck_assert_uint_eq(argb[1] & 0xffffff, 0);
    ck_assert_uint_eq(argb[2] & 0xffffff, 0xaaafaa); /* exact: aaaaaa */
    ck_assert_uint_eq(argb[3] & 0xffffff, 0x555055); /* exact: 555555 */
    ck_assert_uint_eq(other[2] & 0xffffff, 0xaaa5aa);
    ck_assert_uint_eq(other[3] & 0xffffff, 0x555a55);
    for (unsigned i = 0; i < 16; i++)
        ck_assert_uint_eq(argb[i] >> 24, exact[i] >> 24);
}
END_TEST

/* In three-colour mode code 3 stays transparent. */
START_TEST(three_colours_stay)
{
    const uint32_t block[2] = {0xffff0000, 0xe4e4e4e4};
    uint32_t argb[16], exact[16];

    decode(D3DFMT_DXT1, block, &binary, argb, exact);
    ck_assert_uint_eq(argb[3], 0);
    ck_assert_uint_eq(argb[0], 0xff000000);
    ck_assert_uint_eq(argb[1], 0xffffffff);
    ck_assert_uint_eq(argb[2] & 0xff00, exact[2] & 0xff00);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("dxt variant");
    TCase *tc = tcase_create("dxt variant");

    tcase_add_loop_test(tc, ramps_have_the_measured_values, 0, 2);
    tcase_add_loop_test(tc, colours_have_other_weights, 0, 3);
    tcase_add_test(tc, three_colours_stay);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
