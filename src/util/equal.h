/* Fast byte equality, for comparisons per draw call or per batch of pixels. */
#ifndef UTIL_EQUAL_H
#define UTIL_EQUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Compares 64 bytes at a time. Replaces memcmp of Windows C libraries, which may compare single
 * bytes, as Wine's does. */
static inline bool bytes_equal_by_pairs(const void *a, const void *b, size_t bytes)
{
    typedef uint64_t pair __attribute__((vector_size(16), aligned(1), may_alias));
    const uint8_t *p = a, *q = b;

    for (; bytes >= 4 * sizeof(pair); bytes -= 4 * sizeof(pair)) {
        const pair *x = (const void *)p, *y = (const void *)q;
        pair differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);

        if (differ[0] | differ[1])
            return false;
        p += 4 * sizeof(pair);
        q += 4 * sizeof(pair);
    }
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t)) {
        uint64_t x, y;

        memcpy(&x, p, sizeof(x));
        memcpy(&y, q, sizeof(y));
        if (x != y)
            return false;
        p += sizeof(x);
        q += sizeof(y);
    }
    for (; bytes; bytes--)
        if (*p++ != *q++)
            return false;
    return true;
}

static inline bool bytes_equal(const void *a, const void *b, size_t bytes)
{
#ifdef _WIN32
    return bytes_equal_by_pairs(a, b, bytes);
#else
    return !memcmp(a, b, bytes);
#endif
}

#endif
