/* Body of a comment in byte code as little-endian bytes. Private to the module. */
#ifndef VM_ASM_COMMENT_H
#define VM_ASM_COMMENT_H

#include <stddef.h>
#include <stdint.h>

struct asm_comment {
    const uint32_t *words;
    size_t n_bytes;
};

/* Bytes outside read as 0. */
static inline unsigned asm_comment_byte(const struct asm_comment *c, size_t at)
{
    return at < c->n_bytes ? c->words[at / 4] >> at % 4 * 8 & 255 : 0;
}

static inline uint32_t asm_comment_number(const struct asm_comment *c, size_t at, unsigned n_bytes)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint32_t)asm_comment_byte(c, at + i) << 8 * i;
    return value;
}

/* Copies a string, cut to the size; bytes that do not print become question marks. */
static inline void asm_comment_string(const struct asm_comment *c, size_t at, char *out,
                                      size_t size)
{
    size_t n = 0;

    for (; n + 1 < size && asm_comment_byte(c, at + n); n++) {
        unsigned letter = asm_comment_byte(c, at + n);

        out[n] = letter >= 0x20 && letter != 0x7f ? (char)letter : '?';
    }
    out[n] = 0;
}

#endif
