/* Variant renderers: blocks decoded with other weights (util/variant.h). Endpoints are exact.
 *
 * VARIANT_BLOCKS_BINARY has the weights of a GPU that was measured: green 80.25/256 instead of 1/3,
 * red and blue 22/64 of 5-bit codes, and ramps of 3/16 and 6/16 instead of 1/5 and 2/5, or 223/512
 * instead of 3/7. VARIANT_BLOCKS_MIRRORED is off by as much to the other side.
 *
 * Tested by tests/unit/tex/codec/test_dxt_variant.c. */
#include "tex/codec/dxt_kern.h"

#include "util/variant.h"

#include <string.h>

static unsigned word16(const uint8_t *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

/* The value that this variant has instead of `exact`, where the approximation has `binary`. */
static unsigned deviate(int exact, int binary)
{
    int value = variant_current->blocks == VARIANT_BLOCKS_BINARY ? binary : 2 * exact - binary;

    return (unsigned)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static unsigned expand(unsigned code, unsigned bits)
{
    return code << (8 - bits) | code >> (2 * bits - 8);
}

/* A third of the way from a to b, or half of it; codes of 5 or 6 bits. */
static unsigned between(unsigned a, unsigned b, unsigned bits, bool half)
{
    int from = (int)expand(a, bits), to = (int)expand(b, bits), step = to - from;
    int exact = half ? (from + to + 1) / 2 : (2 * from + to + 1) / 3;

    if (bits == 5)
        return deviate(exact, (int)(half ? (a + b) * 33 / 8 : (2 * a + b) * 22 / 8));
    return deviate(exact, (256 * from + step / 4 + 128 + step * (half ? 128 : 80)) / 256);
}

static uint32_t mixed(unsigned a, unsigned b, bool half)
{
    return 0xff000000 | between(a >> 11, b >> 11, 5, half) << 16 |
           between(a >> 5 & 63, b >> 5 & 63, 6, half) << 8 | between(a & 31, b & 31, 5, half);
}

/* Replaces the interpolated colours of a block, which the exact decoder has decoded; alpha stays.
 */
static void replace_colours(uint32_t argb[16], const uint8_t *block, bool may_have_three)
{
    unsigned c0 = word16(block), c1 = word16(block + 2);
    bool three = may_have_three && c0 <= c1;
    const uint32_t palette[2] = {mixed(c0, c1, three), mixed(c1, c0, false)};

    for (unsigned i = 0; i < 16; i++) {
        unsigned entry = block[4 + i / 4] >> i % 4 * 2 & 3;

        if (entry == 2 || (entry == 3 && !three))
            argb[i] = (argb[i] & 0xff000000) | (palette[entry - 2] & 0xffffff);
    }
}

/* Value k of `steps` between the ends of a ramp. */
static unsigned ramp_value(int a, int b, int k, int steps)
{
    static const int seventh[] = {0, 73, 146, 223}, fifth[] = {0, 96, 192};
    bool near_a = 2 * k < steps;
    int weight = (steps == 7 ? seventh : fifth)[near_a ? k : steps - k];
    int from = near_a ? a : b, step = near_a ? b - a : a - b;

    return deviate((a * (steps - k) + b * k + steps / 2) / steps,
                   (512 * from + step * weight + 256) / 512);
}

/* Replaces the interpolated values of the channel at `shift`. */
static void replace_ramp(uint32_t argb[16], const uint8_t *block, unsigned shift)
{
    unsigned steps = block[0] > block[1] ? 7 : 5;
    uint64_t bits = 0;

    for (unsigned i = 0; i < 6; i++)
        bits |= (uint64_t)block[2 + i] << 8 * i;
    for (unsigned i = 0; i < 16; i++, bits >>= 3) {
        unsigned entry = bits & 7;

        if (entry >= 2 && entry <= steps)
            argb[i] = (argb[i] & ~(UINT32_C(255) << shift)) |
                      ramp_value(block[0], block[1], (int)entry - 1, (int)steps) << shift;
    }
}

void tex_variant_replace_block(enum tex_block_kind kind, uint32_t argb[16], const uint8_t *block)
{
    switch (kind) {
    case TEX_BLOCK_DXT1:
        replace_colours(argb, block, true);
        break;
    case TEX_BLOCK_DXT5:
        replace_ramp(argb, block, 24);
        replace_colours(argb, block + 8, false);
        break;
    case TEX_BLOCK_DXT3:
        replace_colours(argb, block + 8, false);
        break;
    case TEX_BLOCK_ATI1:
        replace_ramp(argb, block, 16);
        break;
    case TEX_BLOCK_ATI2:
        replace_ramp(argb, block, 8);
        replace_ramp(argb, block + 8, 16);
        break;
    case TEX_BLOCK_KINDS:
        break;
    }
}
