/* Scalar conversion between binary16 and binary32 with integer operations, independent of the
 * rounding and denormal modes. */
#ifndef UTIL_HALF_H
#define UTIL_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31;
    uint32_t fraction = half & 0x3ff, bits;
    float value;

    if (exponent == 31) {
        bits = sign | 0x7f800000 | fraction << 13;
    } else if (exponent) {
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    } else if (fraction) {
        /* A denormal half is a normal float: shift its leading one into place. */
        unsigned shift = 0;

        while (!(fraction & 0x400)) {
            fraction <<= 1;
            shift++;
        }
        bits = sign | (113 - shift) << 23 | (fraction & 0x3ff) << 13;
    } else {
        bits = sign;
    }
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Rounds to nearest even. Overflow becomes infinity, NaN becomes 0x7e00. */
static inline uint16_t half_from_float(float value)
{
    uint32_t bits, sign, rest, shift;

    memcpy(&bits, &value, sizeof(bits));
    sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return 0x7e00;
    if (bits >= 0x477ff000) /* 65520 and above round to infinity */
        return (uint16_t)(sign | 0x7c00);
    if (bits >= 0x38800000) { /* normal: rebias the exponent, round off 13 bits */
        bits -= 112u << 23;
        return (uint16_t)(sign | (bits + 0xfff + (bits >> 13 & 1)) >> 13);
    }
    if (bits < 0x33000000) /* below half of the least denormal */
        return (uint16_t)sign;
    shift = 126 - (bits >> 23); /* drops 14 … 24 bits of the 24-bit significand */
    rest = (bits & 0x7fffff) | 0x800000;
    bits = rest >> shift;
    rest &= (1u << shift) - 1;
    if (rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && (bits & 1)))
        bits++;
    return (uint16_t)(sign | bits);
}

#endif
