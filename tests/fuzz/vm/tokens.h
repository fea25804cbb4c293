/* Structure-preserving mutations of byte code: inserts, removes and moves whole instructions, and
 * changes opcodes, registers, swizzles, masks, modifiers and definitions. */
#ifndef TESTS_FUZZ_VM_TOKENS_H
#define TESTS_FUZZ_VM_TOKENS_H

#include "vm/isa/decode.h"

#include <string.h>

enum { TOKENS_MAX_ITEMS = 512 };

struct tokens {
    uint32_t *words;
    size_t n, max;
    uint32_t random;
    /* Start of each instruction, declaration and definition; the end token is no item. */
    size_t at[TOKENS_MAX_ITEMS + 1];
    size_t n_items;
};

static inline uint32_t tokens_random(struct tokens *t, uint32_t below)
{
    t->random ^= t->random << 13;
    t->random ^= t->random >> 17;
    t->random ^= t->random << 5;
    return t->random % below;
}

/* Finds the length by structure: from the length field, or from the top bit of parameters and the
 * fixed length of definitions. */
static inline size_t tokens_item_length(const uint32_t *words, size_t n, size_t at)
{
    unsigned op = words[at] & 0xffff;
    size_t length = 1;

    if (op == 0xfffe)
        length = (words[at] >> 16 & 0x7fff) + 1;
    else if ((words[0] >> 8 & 255) >= 2)
        length = (words[at] >> 24 & 15) + 1;
    else if (op == 0x51)
        length = 6;
    else
        while (at + length < n && words[at + length] >> 31)
            length++;
    return length < n - at ? length : n - at;
}

static inline void tokens_find_items(struct tokens *t)
{
    size_t at = 1;

    t->n_items = 0;
    while (at < t->n && t->n_items < TOKENS_MAX_ITEMS && t->words[at] != VM_TOKEN_END) {
        t->at[t->n_items++] = at;
        at += tokens_item_length(t->words, t->n, at);
    }
    t->at[t->n_items] = at < t->n ? at : t->n;
}

/* Replaces `old` words at a position by new ones; does nothing if there is no room. */
static inline void tokens_replace(struct tokens *t, size_t at, size_t old, const uint32_t *words,
                                  size_t n)
{
    if (t->n - old + n > t->max)
        return;
    memmove(t->words + at + n, t->words + at + old, (t->n - at - old) * sizeof(*words));
    if (n)
        memcpy(t->words + at, words, n * sizeof(*words));
    t->n += n - old;
}

static inline void tokens_insert_copy(struct tokens *t, const uint32_t *words, size_t n, size_t at)
{
    uint32_t copy[64];

    if (n > 64)
        return;
    memcpy(copy, words, n * sizeof(*copy));
    tokens_replace(t, at, 0, copy, n);
}

static inline uint32_t tokens_special(struct tokens *t)
{
    static const uint32_t special[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x7fa00001, 1,          2,          4,          255,        0x7fffffff,
        0xffffffff, 0x00000100, 0x47800000, 0x7f7fffff, 0x00800000,
    };

    return special[tokens_random(t, sizeof(special) / sizeof(special[0]))];
}

static inline uint32_t tokens_new_opcode(struct tokens *t)
{
    const struct vm_op_info *info = &vm_op_info[tokens_random(t, VM_OP_COUNT)];

    return info->token;
}

/* Changes one field of an operand. */
static inline uint32_t tokens_change_operand(struct tokens *t, uint32_t word, bool is_dst)
{
    static const uint8_t files[] = {0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19};
    uint32_t file;

    switch (tokens_random(t, 6)) {
    case 0:
        return (word & ~0x7ffu) | tokens_random(t, tokens_random(t, 4) ? 16 : 0x800);
    case 1: /* the register type has two parts */
        file = files[tokens_random(t, sizeof(files))];
        return (word & ~0x70001800u) | (file & 7) << 28 | (file & 0x18) << 8;
    case 2:
        return is_dst ? (word & ~0x000f0000u) | tokens_random(t, 16) << 16
                      : (word & ~0x00ff0000u) | tokens_random(t, 256) << 16;
    case 3:
        return is_dst ? (word & ~0x0ff00000u) | tokens_random(t, 256) << 20
                      : (word & ~0x0f000000u) | tokens_random(t, 14) << 24;
    case 4:
        return is_dst ? word : (word & ~0x00ff0000u) | (tokens_random(t, 4) * 0x55) << 16;
    default:
        return word ^ 0x2000; /* relative */
    }
}

static inline void tokens_change_item(struct tokens *t, size_t item)
{
    size_t at = t->at[item], n = t->at[item + 1] - at;
    uint32_t *words = t->words + at;
    unsigned op = words[0] & 0xffff;
    size_t i = n > 1 ? 1 + tokens_random(t, (uint32_t)n - 1) : 0;

    switch (tokens_random(t, 8)) {
    case 0:
        words[0] = (words[0] & 0xffff0000u) | tokens_new_opcode(t);
        break;
    case 1: /* comparison or texld variant */
        words[0] = (words[0] & ~0x00ff0000u) | tokens_random(t, 7) << 16;
        break;
    case 2: /* predicated: a register after the destination */
        words[0] ^= 0x10000000;
        if (n > 2 && n < 14 && words[0] & 0x10000000) {
            uint32_t predicate =
                0xb0001000u | (tokens_random(t, 2) ? 0xe4u : tokens_random(t, 4) * 0x55u) << 16;

            words[0] += 1u << 24;
            tokens_replace(t, at + 2, 0, &predicate, 1);
        }
        break;
    case 3:
        words[0] ^= 0x40000000; /* co-issued */
        break;
    default:
        if (!i)
            break;
        if (op == 0x30 && i > 1 && tokens_random(t, 16)) /* loop iterations: usually few */
            words[i] = tokens_random(t, 6);
        else if ((op == 0x51 || op == 0x30 || op == 0x2f || op == 0xfffe) && i > 1)
            words[i] = tokens_special(t);
        else if (op == 0x1f && i == 1) /* usage and index, or texture type */
            words[i] = 0x80000000u | tokens_random(t, 14) | tokens_random(t, 4) << 16 |
                       tokens_random(t, 5) << 27;
        else
            words[i] = tokens_change_operand(t, words[i], i == 1 || op == 0x1f);
    }
}

/* other: byte code to take instructions from. */
static inline void tokens_mutate(struct tokens *t, const uint32_t *other, size_t n_other)
{
    struct tokens from = {.words = (uint32_t *)(uintptr_t)other, .n = n_other};
    size_t item, to;

    tokens_find_items(t);
    if (!t->n_items || tokens_random(t, 64) == 0) {
        static const uint32_t versions[] = {0xfffe0101, 0xfffe0200, 0xfffe0201, 0xfffe02ff,
                                            0xfffe0300, 0xfffe03ff, 0xffff0101, 0xffff0102,
                                            0xffff0103, 0xffff0104, 0xffff0200, 0xffff0201,
                                            0xffff02ff, 0xffff0300, 0xffff03ff};

        if (t->n)
            t->words[0] = versions[tokens_random(t, sizeof(versions) / sizeof(versions[0]))];
        return;
    }
    item = tokens_random(t, (uint32_t)t->n_items);
    to = tokens_random(t, (uint32_t)t->n_items + 1);
    switch (tokens_random(t, 10)) {
    case 0:
        tokens_replace(t, t->at[item], t->at[item + 1] - t->at[item], NULL, 0);
        break;
    case 1: /* duplicate or move */
    case 2:
        tokens_insert_copy(t, t->words + t->at[item], t->at[item + 1] - t->at[item], t->at[to]);
        break;
    case 3:
    case 4:
        tokens_find_items(&from);
        if (!from.n_items)
            break;
        item = tokens_random(t, (uint32_t)from.n_items);
        tokens_insert_copy(t, other + from.at[item], from.at[item + 1] - from.at[item], t->at[to]);
        break;
    default:
        tokens_change_item(t, item);
    }
}

#endif
