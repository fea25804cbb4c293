/* Depth codes: codes of every depth format round-trip, and each depth gets its nearest code,
 * in every instruction set (reference: depth/quantise, format/depth). */
#include "check_main.h"

#include "fixture.h"
#include "raster/setup/preshade_kern.h"
#include "raster/state/depth.h"
#include "raster/state/params.h"
#include "tex/codec/codec.h"
#include "util/fpenv.h"

#include <math.h>

static struct fp_mode old_mode;

static void enter(void)
{
    old_mode = fp_enter();
}
static void leave(void)
{
    fp_leave(old_mode);
}

static const struct {
    D3DFORMAT format;
    unsigned bits, shift;
} formats[] = {
    {D3DFMT_D16, 16, 0},
    {D3DFMT_D16_LOCKABLE, 16, 0},
    {(D3DFORMAT)MAKEFOURCC('D', 'F', '1', '6'), 16, 0},
    {D3DFMT_D15S1, 15, 1},
    {D3DFMT_D24S8, 24, 8},
    {D3DFMT_D24X8, 24, 8},
    {D3DFMT_D24X4S4, 24, 8},
    {(D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'), 24, 8},
    {(D3DFORMAT)MAKEFOURCC('D', 'F', '2', '4'), 24, 8},
    {(D3DFORMAT)MAKEFOURCC('R', 'A', 'W', 'Z'), 24, 8},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const struct raster_preshade_kern *isa_kern(int isa)
{
    return cpu_has_isa((enum cpu_isa)isa) ? KERN_FOR(raster_preshade_kern, (enum cpu_isa)isa)
                                          : NULL;
}

struct batch {
    _Alignas(64) float z[RASTER_LANES];
    _Alignas(64) uint32_t code[RASTER_LANES], first[RASTER_LANES];
};

/* Encodes with all instruction sets and checks that they agree. */
static void encode(D3DFORMAT format, struct batch *b)
{
    struct raster_depth_stencil ds = {0};
    static struct frag_batch frags;
    uint16_t pos[RASTER_LANES];

    raster_depth_layout(&ds, tex_format_get(format));
    memcpy(frags.z, b->z, sizeof(b->z));
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        const struct raster_preshade_kern *k = isa_kern(isa);

        if (!k)
            continue;
        k->finish(&ds, &frags, b->code, pos);
        if (isa == ISA_SCALAR)
            memcpy(b->first, b->code, sizeof(b->first));
        if (memcmp(b->first, b->code, sizeof(b->first)))
            ck_abort_msg("%s differs", cpu_isa_name((enum cpu_isa)isa));
    }
}

/* Every code of D16, D15S1 and D24S8, and of the other 24-bit formats, whose layout is that of
 * D24S8, one of 61 blocks. */
START_TEST(codes_round_trip)
{
    unsigned bits = formats[_i].bits, shift = formats[_i].shift;
    const struct tex_format *f = tex_format_get(formats[_i].format);
    bool all = bits < 24 || formats[_i].format == D3DFMT_D24S8;
    double most = (double)((1u << bits) - 1);
    struct batch b;

    for (uint32_t code = 0; code < 1u << bits; code += all ? RASTER_LANES : 61 * RASTER_LANES) {
        for (uint32_t i = 0; i < RASTER_LANES; i++) {
            uint32_t texel = (code + i) << shift | ((1u << shift) - 1); /* other bits are ignored */

            b.z[i] = tex_depth_decode(f, texel);
            if (b.z[i] != (float)((code + i) / most))
                ck_abort_msg("%s %06x: %a", f->name, code + i, (double)b.z[i]);
        }
        encode(formats[_i].format, &b);
        for (uint32_t i = 0; i < RASTER_LANES; i++)
            if (b.code[i] != (code + i) << shift)
                ck_abort_msg("%s %06x became %08x", f->name, code + i, b.code[i]);
    }
}
END_TEST

/* A depth 0.49 of a step from a code gets this code, within single precision: below 2^-2 for 24
 * bits. */
START_TEST(nearest_code)
{
    unsigned bits = formats[_i].bits, shift = formats[_i].shift;
    uint32_t end = bits == 24 ? 1u << 19 : 1u << bits;
    double most = (double)((1u << bits) - 1), off = bits == 24 ? 0.45 : 0.49;
    struct batch b;

    for (uint32_t code = 0; code + 1 < end; code += RASTER_LANES / 2) {
        for (uint32_t i = 0; i < RASTER_LANES; i++)
            b.z[i] = (float)((code + i / 2 + (i & 1 ? 1.0 - off : off)) / most);
        encode(formats[_i].format, &b);
        for (uint32_t i = 0; i < RASTER_LANES && code + i / 2 < most; i++)
            if (b.code[i] != (code + i / 2 + (i & 1)) << shift)
                ck_abort_msg("%a became %08x", (double)b.z[i], b.code[i]);
    }
}
END_TEST

/* Depths around the middle between two codes: the product is rounded, the sum is not
 * (numbers/unorm). All codes of 16 bits, one of 61 of 24. */
START_TEST(rounding_between_codes)
{
    enum { AROUND = 8 };
    unsigned bits = formats[_i].bits, shift = formats[_i].shift;
    uint32_t most = (1u << bits) - 1, step = bits == 24 ? 61 : 1, code = 0;
    struct batch b;

    while (code < most) {
        for (uint32_t i = 0; i < RASTER_LANES; i += AROUND, code += step) {
            float middle = (float)((code + 0.5) / most);
            uint32_t word;

            memcpy(&word, &middle, sizeof(word));
            for (uint32_t k = 0; k < AROUND; k++) {
                uint32_t beside = word + k - AROUND / 2;

                memcpy(&b.z[i + k], &beside, sizeof(beside));
            }
        }
        encode(formats[_i].format, &b);
        for (uint32_t i = 0; i < RASTER_LANES; i++) {
            float product = (b.z[i] < 1.0f ? b.z[i] : 1.0f) * (float)most;

            if (b.code[i] != (uint32_t)((double)product + 0.5) << shift)
                ck_abort_msg("%a became %08x", (double)b.z[i], b.code[i]);
        }
    }
}
END_TEST

static double float24(uint32_t code)
{
    int exponent = (int)(code >> 20), fraction = (int)(code & 0xfffff);

    return exponent ? ldexp(0x100000 + fraction, exponent - 15 - 20) : ldexp(fraction, -14 - 20);
}

/* 24-bit floats up to 1, a prime number of blocks apart so that all exponents occur, the midpoint
 * to the next (ties to even) and its neighbours. */
START_TEST(float24_codes)
{
    struct batch b;

    for (uint32_t code = 0; code < 0xf00000; code += 7 * RASTER_LANES / 4) {
        for (uint32_t i = 0; i < RASTER_LANES; i += 4) {
            double here = float24(code + i / 4), next = float24(code + i / 4 + 1);
            float middle = (float)((here + next) / 2.0);

            b.z[i] = (float)here;
            b.z[i + 1] = nextafterf(middle, 0.0f);
            b.z[i + 2] = middle;
            b.z[i + 3] = nextafterf(middle, 2.0f);
        }
        encode(D3DFMT_D24FS8, &b);
        for (uint32_t i = 0; i < RASTER_LANES; i++) {
            uint32_t at = code + i / 4, up = i % 4 == 3 || (i % 4 == 2 && (at & 1));

            if (b.code[i] != (at + up) << 8)
                ck_abort_msg("%a became %08x", (double)b.z[i], b.code[i]);
        }
    }
}
END_TEST

/* Floats keep their bits; 32-bit UNORM takes the nearest code. A sweep through [0,1]. */
START_TEST(codes_of_32_bits)
{
    struct batch b;

    for (uint32_t bits = 0x00800000; bits < 0x3f800000; bits += 509 * RASTER_LANES) {
        for (uint32_t i = 0; i < RASTER_LANES; i++) {
            uint32_t word = bits + 509 * i < 0x3f800000 ? bits + 509 * i : 0x3f800000;

            memcpy(&b.z[i], &word, 4);
        }
        encode(D3DFMT_D32F_LOCKABLE, &b);
        if (memcmp(b.code, b.z, sizeof(b.z)))
            ck_abort_msg("from %08x on", bits);
        encode(D3DFMT_D32, &b);
        for (uint32_t i = 0; i < RASTER_LANES; i++) {
            double want = floor((double)b.z[i] * 4294967295.0 + 0.5);
            float back = tex_depth_decode(tex_format_get(D3DFMT_D32), b.code[i]);

            if (b.code[i] != (uint32_t)want || fabs(back - b.z[i]) > 0x1p-32 + b.z[i] * 0x1p-23)
                ck_abort_msg("%a became %08x, %a", (double)b.z[i], b.code[i], (double)back);
        }
    }
}
END_TEST

START_TEST(out_of_range_depths)
{
    static const float odd[] = {-1.0f, -0.0f, NAN, -INFINITY, 1.5f, INFINITY};
    static const D3DFORMAT all[] = {D3DFMT_D16, D3DFMT_D15S1,         D3DFMT_D24S8,
                                    D3DFMT_D32, D3DFMT_D32F_LOCKABLE, D3DFMT_D24FS8};
    static const uint32_t top[] = {0xffff, 0xfffe, 0xffffff00, 0xffffffff, 0x3f800000, 0xf0000000};
    struct batch b;

    for (int f = 0; f < 6; f++)
        for (int i = 0; i < 6; i++) {
            for (int lane = 0; lane < RASTER_LANES; lane++)
                b.z[lane] = odd[i];
            encode(all[f], &b);
            ck_assert_uint_eq(b.code[RASTER_LANES - 1], i < 4 ? 0 : top[f]);
        }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/depth_codes");
    TCase *tc = tcase_create("codes");

    tcase_add_checked_fixture(tc, enter, leave);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, codes_round_trip, 0, FORMATS);
    tcase_add_loop_test(tc, nearest_code, 0, FORMATS);
    tcase_add_loop_test(tc, rounding_between_codes, 0, FORMATS);
    tcase_add_test(tc, float24_codes);
    tcase_add_test(tc, codes_of_32_bits);
    tcase_add_test(tc, out_of_range_depths);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
