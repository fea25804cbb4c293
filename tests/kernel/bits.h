/* Hashes of kernel results, which must be equal on every platform and compiler: lines "bits <test>
 * <number> <hash>", which scripts/test.sh compares.
 *
 * Which NaN a NaN is, and whether a moved denormal stays one, are unspecified (docs/reference.md,
 * numbers/nan and numbers/denormals). Hashes therefore treat all NaNs as equal and denormals as
 * zero. */
#ifndef TESTS_KERNEL_BITS_H
#define TESTS_KERNEL_BITS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits_hash;

static inline void bits_word(uint32_t word)
{
    bits_hash = (bits_hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    bits_hash ^= bits_hash >> 29;
}

static inline uint32_t bits_of(float value)
{
    uint32_t word, magnitude;

    memcpy(&word, &value, sizeof(word));
    magnitude = word & 0x7fffffff;
    return magnitude > 0x7f800000 ? 0x7fc00000 : magnitude < 0x800000 ? word & 0x80000000 : word;
}

static inline bool bits_same(float a, float b)
{
    return bits_of(a) == bits_of(b);
}

static inline void bits_floats(const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bits_word(bits_of(values[i]));
}

static inline void bits_bytes(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    for (size_t i = 0; i < n; i++)
        bits_word(p[i]);
}

static inline void bits_print(const char *test, int number)
{
    printf("bits %s %d %016" PRIx64 "\n", test, number, bits_hash);
    fflush(stdout);
    bits_hash = 0;
}

#endif
