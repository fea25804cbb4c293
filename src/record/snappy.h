/* Snappy block compressor for captures: a length, then literals and copies of earlier bytes. */
#ifndef RECORD_SNAPPY_H
#define RECORD_SNAPPY_H

#include <stddef.h>
#include <stdint.h>

enum { SNAPPY_HASH_BITS = 14 };

struct snappy_table {
    uint16_t at[1 << SNAPPY_HASH_BITS];
};

/* Upper bound of the compressed size of n bytes. */
static inline size_t snappy_bound(size_t n)
{
    return 32 + n + n / 6;
}

/* Compresses n bytes and returns the block size. table: working memory. */
size_t snappy_pack(struct snappy_table *table, const uint8_t *in, size_t n, uint8_t *out);

#endif
