/* One block with the fixed code; of earlier places a table keeps only the last one of a hash. */
#include "present/deflate.h"

#include "util/alloc.h"

#include <stdbool.h>
#include <string.h>

enum { HASH_BITS = 15, WINDOW = 32768, MATCH_MIN = 4, MATCH_MAX = 258, END = 256 };

struct bits {
    uint8_t *at;
    uint64_t held;
    unsigned count;
};

/* At most 48 bits a call. */
static void put(struct bits *b, uint64_t value, unsigned count)
{
    b->held |= value << b->count;
    b->count += count;
    while (b->count >= 8) {
        *b->at++ = (uint8_t)b->held;
        b->held >>= 8;
        b->count -= 8;
    }
}

/* Codes of literals and lengths (RFC 1951, 3.2.6), first bit lowest. */
struct codes {
    uint16_t bits[288];
    uint8_t count[288];
};

static unsigned reversed(unsigned value, unsigned count)
{
    unsigned out = 0;

    for (unsigned i = 0; i < count; i++)
        out |= (value >> i & 1) << (count - 1 - i);
    return out;
}

static void make_codes(struct codes *codes)
{
    for (unsigned i = 0; i < 288; i++) {
        unsigned count = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        unsigned code = i < 144   ? 0x30 + i
                        : i < 256 ? 0x190 + i - 144
                        : i < 280 ? i - 256
                                  : 0xc0 + i - 280;

        codes->count[i] = (uint8_t)count;
        codes->bits[i] = (uint16_t)reversed(code, count);
    }
}

static unsigned top_bit(unsigned value)
{
    return 31 - (unsigned)__builtin_clz(value);
}

/* Symbols of lengths go in fours, those of distances in twos, each group with one bit more. */
static void put_match(struct bits *b, const struct codes *codes, unsigned length, unsigned distance)
{
    unsigned l = length - 3, d = distance - 1, symbol = 257 + l, extra = 0;

    if (length == MATCH_MAX) {
        symbol = 285;
    } else if (l >= 8) {
        extra = top_bit(l) - 2;
        symbol = 257 + 4 * extra + (l >> extra);
    }
    put(b, codes->bits[symbol], codes->count[symbol]);
    put(b, l & ((1u << extra) - 1), symbol == 285 ? 0 : extra);
    extra = d >= 4 ? top_bit(d) - 1 : 0;
    put(b, reversed(2 * extra + (d >> extra), 5), 5);
    put(b, d & ((1u << extra) - 1), extra);
}

static uint32_t word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static unsigned match_length(const uint8_t *a, const uint8_t *b, size_t most)
{
    unsigned n = MATCH_MIN;

    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* last: the places of hashes, plus 1. */
static void put_block(struct bits *b, const uint8_t *bytes, size_t n, size_t *last)
{
    struct codes codes;
    size_t at = 0;

    make_codes(&codes);
    put(b, 3, 3); /* the last block; the fixed code */
    while (at < n) {
        bool room = n - at >= MATCH_MIN;
        uint32_t now = room ? word(bytes + at) : 0;
        size_t *slot = last + (now * 2654435761u >> (32 - HASH_BITS)), before = *slot;

        if (room)
            *slot = at + 1;
        if (room && before && at + 1 - before <= WINDOW && word(bytes + before - 1) == now) {
            size_t most = n - at < MATCH_MAX ? n - at : MATCH_MAX;
            unsigned length = match_length(bytes + at, bytes + before - 1, most);

            put_match(b, &codes, length, (unsigned)(at + 1 - before));
            at += length;
        } else {
            put(b, codes.bits[bytes[at]], codes.count[bytes[at]]);
            at++;
        }
    }
    put(b, codes.bits[END], codes.count[END]);
    put(b, 0, 7); /* the rest of a byte */
}

static uint32_t adler32(const uint8_t *bytes, size_t n)
{
    enum { MODULUS = 65521, STEP = 5552 }; /* so many bytes do not overflow: RFC 1950 */
    uint32_t a = 1, b = 0;

    for (size_t at = 0; at < n;) {
        size_t end = n - at < STEP ? n : at + STEP;

        for (; at < end; at++) {
            a += bytes[at];
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    return b << 16 | a;
}

uint8_t *deflate_quickly(const uint8_t *bytes, size_t n, size_t *out_n)
{
    /* No literal has more than 9 bits, no match more than its literals. */
    uint8_t *out = mem_alloc(n + n / 8 + 16);
    size_t *last = mem_calloc((size_t)1 << HASH_BITS, sizeof(*last));
    struct bits b = {.at = out};

    if (out && last) {
        uint32_t sum = adler32(bytes, n);

        put(&b, 0x0178, 16);
        put_block(&b, bytes, n, last);
        for (unsigned i = 0; i < 4; i++)
            *b.at++ = (uint8_t)(sum >> (24 - 8 * i));
        *out_n = (size_t)(b.at - out);
    } else {
        mem_free(out);
        out = NULL;
    }
    mem_free(last);
    return out;
}
