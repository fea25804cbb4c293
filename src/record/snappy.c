/* Snappy compressor: eight-byte sequences that occurred earlier in the same 64 KiB become copies,
 * the rest literals. */
#include "record/snappy.h"

#include <string.h>

enum {
    PIECE = 1 << 16, /* maximum copy distance, so that offsets have 16 bits */
    MARGIN = 16,     /* bytes at the end of a piece that are not searched */
};

static uint64_t word_at(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return word;
}

static uint32_t hash(uint64_t word)
{
    return (uint32_t)(word * 0x9e3779b97f4a7c15u >> (64 - SNAPPY_HASH_BITS));
}

static uint8_t *put_literal(uint8_t *out, const uint8_t *from, size_t n)
{
    if (!n)
        return out;
    if (n <= 60) {
        *out++ = (uint8_t)((n - 1) << 2);
    } else if (n <= 256) {
        *out++ = 60 << 2;
        *out++ = (uint8_t)(n - 1);
    } else {
        *out++ = 61 << 2;
        *out++ = (uint8_t)(n - 1);
        *out++ = (uint8_t)((n - 1) >> 8);
    }
    memcpy(out, from, n);
    return out + n;
}

static uint8_t *put_copy(uint8_t *out, size_t offset, size_t n)
{
    while (n) {
        size_t part = n < 64 ? n : 64;

        *out++ = (uint8_t)((part - 1) << 2 | 2);
        *out++ = (uint8_t)offset;
        *out++ = (uint8_t)(offset >> 8);
        n -= part;
    }
    return out;
}

static size_t same_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;

    while (end - b >= 8) {
        uint64_t x, y;

        memcpy(&x, a, sizeof(x));
        memcpy(&y, b, sizeof(y));
        if (x != y)
            return (size_t)(b - start) + (size_t)__builtin_ctzll(x ^ y) / 8;
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(b - start);
}

/* The step grows while nothing is found, so that incompressible data cost little time. */
static uint8_t *pack_piece(struct snappy_table *table, const uint8_t *in, size_t n, uint8_t *out)
{
    const uint8_t *at = in + 1, *literal = in, *end = in + n;
    const uint8_t *last = n > MARGIN ? end - MARGIN : in;
    unsigned misses = 32;

    memset(table, 0, sizeof(*table));
    while (at < last) {
        uint64_t word = word_at(at);
        uint16_t *slot = &table->at[hash(word)];
        const uint8_t *match = in + *slot;
        size_t length;

        *slot = (uint16_t)(at - in);
        if (word_at(match) != word) {
            at += misses++ >> 5;
            continue;
        }
        length = 8 + same_bytes(match + 8, at + 8, end);
        out = put_literal(out, literal, (size_t)(at - literal));
        out = put_copy(out, (size_t)(at - match), length);
        at += length;
        literal = at;
        misses = 32;
    }
    return put_literal(out, literal, (size_t)(end - literal));
}

size_t snappy_pack(struct snappy_table *table, const uint8_t *in, size_t n, uint8_t *out)
{
    uint8_t *start = out;
    size_t left = n;

    for (; left >= 0x80; left >>= 7)
        *out++ = (uint8_t)(left | 0x80);
    *out++ = (uint8_t)left;
    while (n) {
        size_t piece = n < PIECE ? n : PIECE;

        out = pack_piece(table, in, piece, out);
        in += piece;
        n -= piece;
    }
    return (size_t)(out - start);
}
