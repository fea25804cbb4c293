/* Block and YUV decoding of every instruction set equals the scalar decoder: random blocks, any
 * count. */
#include "check_main.h"
#include "kernel/bits.h"
#include "tex/codec/dxt_kern.h"
#include "tex/codec/yuv_kern.h"

#include <stdlib.h>

enum { MAX = 40, ROUNDS = 400, PITCH = 4 * MAX + 3 };

static uint64_t seed;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}

/* Endpoints are occasionally equal. */
static void fill(uint32_t *blocks, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        blocks[i] = random32();
        if (!(random32() & 7))
            blocks[i] = (blocks[i] & 0xffff) * 0x10001;
        if (!(random32() & 7))
            blocks[i] = (blocks[i] & 0xffff00ff) | (blocks[i] & 0xff) << 8;
    }
}

static void decode_plainly(uint32_t out[4][PITCH], const struct tex_format *format,
                           const uint32_t *blocks, unsigned n)
{
    tex_block_fn *decode = tex_block_decoder(format);
    uint32_t texel[16];

    for (unsigned i = 0; i < n; i++) {
        decode(texel, (const uint8_t *)blocks + (size_t)i * format->bytes);
        for (unsigned t = 0; t < 16; t++)
            out[t / 4][4 * i + t % 4] = texel[t];
    }
}

START_TEST(blocks)
{
    const struct tex_format *format = tex_format_at((unsigned)_i);
    enum tex_block_kind kind = tex_block_kind(format);
    uint32_t in[4 * MAX], expected[4][PITCH], got[4][PITCH];

    if (kind == TEX_BLOCK_KINDS)
        return;
    seed = (uint64_t)_i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned n = 1 + random32() % MAX;

        fill(in, n * format->bytes / 4);
        memset(expected, 0x3c, sizeof(expected));
        decode_plainly(expected, format, in, n);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            memset(got, 0x3c, sizeof(got));
            KERN_FOR(tex_block_kern, isa)->decode[kind](in, n, got[0], PITCH);
            ck_assert_msg(!memcmp(got, expected, sizeof(got)), "%s: %s, round %u of %u blocks",
                          cpu_isa_name((enum cpu_isa)isa), format->name, round, n);
        }
        for (unsigned y = 0; y < 4; y++)
            bits_bytes(expected[y], n * 16);
    }
    bits_print(format->name, _i);
}
END_TEST

/* Every Y with many U and V, in each of the four byte positions. */
START_TEST(video)
{
    static const D3DFORMAT formats[TEX_YUV_KINDS] = {D3DFMT_UYVY, D3DFMT_YUY2, D3DFMT_R8G8_B8G8,
                                                     D3DFMT_G8R8_G8B8};
    const struct tex_format *format = tex_format_get(formats[_i]);
    uint32_t in[MAX], expected[2 * MAX + 1], got[2 * MAX + 1];

    seed = (uint64_t)_i;
    for (unsigned round = 0; round < 10 * ROUNDS; round++) {
        unsigned n = 1 + random32() % MAX;

        memset(expected, 0x3c, sizeof(expected));
        for (unsigned i = 0; i < n; i++) {
            in[i] = random32() & (random32() & 1 ? 0xffffffff : 0x0f0ff0f0);
            tex_yuv_decode(format, expected + 2 * i, (const uint8_t *)(in + i));
        }
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            memset(got, 0x3c, sizeof(got));
            KERN_FOR(tex_yuv_kern, isa)->decode[_i](in, n, got);
            ck_assert_msg(!memcmp(got, expected, sizeof(got)), "%s: %s, round %u of %u pairs",
                          cpu_isa_name((enum cpu_isa)isa), format->name, round, n);
        }
        bits_bytes(expected, n * 8);
    }
    bits_print(format->name, _i);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex blocks of instruction sets");
    TCase *tc = tcase_create("blocks");

    tcase_add_loop_test(tc, blocks, 0, (int)tex_format_count());
    tcase_add_loop_test(tc, video, 0, TEX_YUV_KINDS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
