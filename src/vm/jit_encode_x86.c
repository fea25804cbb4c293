/* Encodings: prefix, operand bytes (Intel, Software Developer's Manual, volume 2). */
#include "vm/jit_encode_x86.h"

#include "util/alloc.h"

#include <string.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

static void put(struct jit_code *code, unsigned byte)
{
    if (code->n == code->room && !code->failed) {
        size_t room = code->room * 2;
        uint8_t *more = mem_realloc(code->bytes, room);

        if (more) {
            code->bytes = more;
            code->room = room;
        } else {
            code->failed = true;
        }
    }
    if (!code->failed)
        code->bytes[code->n++] = (uint8_t)byte;
}

static void put_some(struct jit_code *code, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(code, bytes[i]);
}
#define PUT(code, ...)                                                                             \
    put_some(code, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_word(struct jit_code *code, int32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        put(code, (uint32_t)word >> 8 * i & 0xff);
}

static void put_constants(struct jit_code *code)
{
    static const uint32_t bits[JIT_CONSTANT_COUNT] = {
        [JIT_SIGN] = 0x80000000,         [JIT_MAGNITUDE] = 0x7fffffff,
        [JIT_ONE] = 0x3f800000,          [JIT_HALF] = 0x3f000000,
        [JIT_FOUR] = 0x40800000,         [JIT_LARGEST] = 0x7f7fffff,
        [JIT_LEAST_NORMAL] = 0x00800000, [JIT_ROOT_OF_LEAST] = 0x5f000000,
        [JIT_ROUNDER] = 0x4b400000,      [JIT_SMALL] = 0x4a800000,
    };

    for (unsigned c = 0; c < JIT_CONSTANT_COUNT; c++)
        for (unsigned lane = 0; lane < JIT_VECTOR_BYTES / 4; lane++)
            put_word(code, c == JIT_LANE_BITS ? (int32_t)(1u << lane) : (int32_t)bits[c]);
}

void jit_begin(struct jit_code *code, bool avx512)
{
    *code = (struct jit_code){.room = 4096, .avx512 = avx512};
    code->bytes = mem_alloc(code->room);
    code->failed = !code->bytes;
    put_constants(code);
}

void jit_free(struct jit_code *code)
{
    mem_free(code->bytes);
    code->bytes = NULL;
}

/* --- Vectors ---------------------------------------------------------------------------------- */

enum { PREFIX_NONE, PREFIX_66, PREFIX_F3 };
enum { MAP_0F = 1, MAP_0F38, MAP_0F3A };

enum { R11 = 11 };

struct form {
    uint8_t prefix, map, opcode;
};

/* How an instruction of VEX or EVEX is put together. */
struct shape {
    struct form form;
    unsigned reg, second;
    struct jit_ref third;
    unsigned mask; /* EVEX: a mask register, 0 for none */
    bool evex, short_vector;
    bool scalar;   /* the third is no whole vector */
    bool indexed;  /* r11 is added to the third's base; scalar */
    unsigned tail; /* bytes that follow the operands */
};

/* The last operand's byte and what belongs to it. Short distances are multiples of the vector in
 * EVEX. */
static void put_operands(struct jit_code *code, const struct shape *s)
{
    unsigned reg = (s->reg & 7) << 3;
    int32_t at = s->third.at, unit = s->evex ? JIT_VECTOR_BYTES : 1;

    if (!s->third.memory) {
        put(code, 0xc0 | reg | ((unsigned)s->third.reg & 7));
    } else if (s->indexed) {
        put(code, 0x84 | reg);
        put(code, (R11 & 7) << 3 | (s->third.base & 7));
        put_word(code, at);
    } else if (s->third.base == JIT_POOL) {
        put(code, reg | 5);
        put_word(code, at - (int32_t)(code->n + 4 + s->tail));
    } else if (!s->scalar && at % unit == 0 && at / unit >= -128 && at / unit <= 127) {
        put(code, 0x40 | reg | (s->third.base & 7));
        put(code, (unsigned)(at / unit) & 0xff);
    } else {
        put(code, 0x80 | reg | (s->third.base & 7));
        put_word(code, at);
    }
}

static void put_shape(struct jit_code *code, const struct shape *s)
{
    unsigned third = s->third.memory ? s->third.base & 15u : (unsigned)s->third.reg;
    unsigned not_r = s->reg & 8 ? 0 : 0x80, not_b = third & 8 ? 0 : 0x20;
    unsigned not_x = s->indexed || third & 16 ? 0 : 0x40;
    unsigned not_second = (~s->second & 15) << 3;

    if (s->evex) {
        unsigned not_high = s->reg & 16 ? 0 : 0x10;

        put(code, 0x62);
        put(code, not_r | not_x | not_b | not_high | s->form.map);
        put(code, not_second | 4 | s->form.prefix);
        put(code, 0x40 | (s->second & 16 ? 0 : 8) | s->mask);
    } else {
        put(code, 0xc4);
        put(code, not_r | not_x | not_b | s->form.map);
        put(code, not_second | (s->short_vector ? 0 : 4) | s->form.prefix);
    }
    put(code, s->form.opcode);
    put_operands(code, s);
}

static void put_vector(struct jit_code *code, struct form form, int reg, int second,
                       struct jit_ref third, unsigned tail)
{
    const struct shape shape = {.form = form,
                                .reg = (unsigned)reg,
                                .second = (unsigned)second,
                                .third = third,
                                .evex = code->avx512,
                                .tail = tail};

    put_shape(code, &shape);
}

void jit_put(struct jit_code *code, enum jit_instruction op, int to, int second,
             struct jit_ref third)
{
    static const struct form forms[JIT_INSTRUCTION_COUNT] = {
        [JIT_LOAD] = {PREFIX_NONE, MAP_0F, 0x10},   [JIT_STORE] = {PREFIX_NONE, MAP_0F, 0x11},
        [JIT_ADD] = {PREFIX_NONE, MAP_0F, 0x58},    [JIT_MUL] = {PREFIX_NONE, MAP_0F, 0x59},
        [JIT_SUB] = {PREFIX_NONE, MAP_0F, 0x5c},    [JIT_MIN] = {PREFIX_NONE, MAP_0F, 0x5d},
        [JIT_DIV] = {PREFIX_NONE, MAP_0F, 0x5e},    [JIT_MAX] = {PREFIX_NONE, MAP_0F, 0x5f},
        [JIT_SQRT] = {PREFIX_NONE, MAP_0F, 0x51},   [JIT_AND] = {PREFIX_NONE, MAP_0F, 0x54},
        [JIT_ANDNOT] = {PREFIX_NONE, MAP_0F, 0x55}, [JIT_OR] = {PREFIX_NONE, MAP_0F, 0x56},
        [JIT_XOR] = {PREFIX_NONE, MAP_0F, 0x57},
    };
    bool lone = op == JIT_LOAD || op == JIT_STORE || op == JIT_SQRT;

    put_vector(code, forms[op], to, lone ? 0 : second, third, 0);
}

void jit_put_floor(struct jit_code *code, int to, struct jit_ref from)
{
    enum { DOWN = 1, NO_EXCEPTION = 8 };

    put_vector(code, (struct form){PREFIX_66, MAP_0F3A, 0x08}, to, 0, from, 1);
    put(code, DOWN | NO_EXCEPTION);
}

/* --- Lanes of AVX2 ---------------------------------------------------------------------------- */

void jit_put_compare(struct jit_code *code, enum jit_predicate predicate, int to, int second,
                     struct jit_ref third)
{
    put_vector(code, (struct form){PREFIX_NONE, MAP_0F, 0xc2}, to, second, third, 1);
    put(code, predicate);
}

void jit_put_blend(struct jit_code *code, int to, int no, struct jit_ref yes, int mask)
{
    put_vector(code, (struct form){PREFIX_66, MAP_0F3A, 0x4a}, to, no, yes, 1);
    put(code, (unsigned)mask << 4);
}

void jit_put_lanes(struct jit_code *code, int to, struct jit_ref byte)
{
    struct jit_ref bits = jit_constant(JIT_LANE_BITS);

    put_vector(code, (struct form){PREFIX_66, MAP_0F38, 0x78}, to, 0, byte, 0); /* to all bytes */
    jit_put(code, JIT_AND, to, to, bits);
    put_vector(code, (struct form){PREFIX_66, MAP_0F, 0x76}, to, to, bits, 0); /* equal words */
}

/* Signs of lanes to r11. */
static void put_signs(struct jit_code *code, int from)
{
    put_vector(code, (struct form){PREFIX_NONE, MAP_0F, 0x50}, R11, 0, jit_register(from), 0);
}

void jit_put_lane_bits(struct jit_code *code, int from, struct jit_ref byte)
{
    put_signs(code, from);
    PUT(code, 0x45, 0x88, 0x80 | 3 << 3 | (byte.base & 7)); /* mov [r8 + at], r11b */
    put_word(code, byte.at);
}

void jit_put_test(struct jit_code *code, int from)
{
    put_signs(code, from);
    PUT(code, 0x45, 0x85, 0xdb); /* test r11d, r11d */
}

/* --- Masks of AVX-512 ------------------------------------------------------------------------- */

void jit_put_compare_k(struct jit_code *code, enum jit_predicate predicate, int to, int second,
                       struct jit_ref third, int among)
{
    const struct shape shape = {.form = {PREFIX_NONE, MAP_0F, 0xc2},
                                .reg = (unsigned)to,
                                .second = (unsigned)second,
                                .third = third,
                                .mask = (unsigned)among,
                                .evex = true,
                                .tail = 1};

    put_shape(code, &shape);
    put(code, predicate);
}

void jit_put_blend_k(struct jit_code *code, int to, int no, struct jit_ref yes, int mask)
{
    const struct shape shape = {.form = {PREFIX_66, MAP_0F38, 0x65},
                                .reg = (unsigned)to,
                                .second = (unsigned)no,
                                .third = yes,
                                .mask = (unsigned)mask,
                                .evex = true};

    put_shape(code, &shape);
}

void jit_put_zero_k(struct jit_code *code, int to, int mask)
{
    const struct shape shape = {.form = {PREFIX_NONE, MAP_0F, 0x57},
                                .reg = (unsigned)to,
                                .second = (unsigned)to,
                                .third = jit_register(to),
                                .mask = (unsigned)mask,
                                .evex = true};

    put_shape(code, &shape);
}

static void put_k(struct jit_code *code, unsigned opcode, int reg, int second, struct jit_ref third,
                  bool short_vector)
{
    const struct shape shape = {.form = {PREFIX_NONE, MAP_0F, (uint8_t)opcode},
                                .reg = (unsigned)reg,
                                .second = (unsigned)second,
                                .third = third,
                                .short_vector = short_vector};

    put_shape(code, &shape);
}

void jit_put_load_k(struct jit_code *code, int to, struct jit_ref word)
{
    put_k(code, 0x90, to, 0, word, true);
}

void jit_put_store_k(struct jit_code *code, int from, struct jit_ref word)
{
    put_k(code, 0x91, from, 0, word, true);
}

void jit_put_or_k(struct jit_code *code, int to, int other)
{
    put_k(code, 0x45, to, to, jit_register(other), false);
}

void jit_put_all_k(struct jit_code *code, int to)
{
    put_k(code, 0x46, to, to, jit_register(to), false);
}

void jit_put_test_k(struct jit_code *code, int from)
{
    put_k(code, 0x98, from, 0, jit_register(from), true);
}

/* --- Indexed constants ------------------------------------------------------------------------ */

void jit_put_constants(struct jit_code *code, int32_t at)
{
    PUT(code, 0x49, 0x8b, 0x80 | JIT_CONSTANTS << 3 | (JIT_FRAME & 7)); /* mov rdx, [r9 + at] */
    put_word(code, at);
}

/* Towards 0. */
static void put_whole_number(struct jit_code *code, struct jit_ref lane)
{
    const struct shape shape = {.form = {PREFIX_F3, MAP_0F, 0x2c},
                                .reg = R11,
                                .third = lane,
                                .short_vector = true,
                                .scalar = true};

    put_shape(code, &shape);
}

void jit_put_index(struct jit_code *code, struct jit_ref lane)
{
    put_whole_number(code, lane);
    PUT(code, 0x4d, 0x63, 0xdb);    /* movsxd r11, r11d: what is added may make it positive */
    PUT(code, 0x49, 0xc1, 0xe3, 4); /* shl r11, 4 */
}

static void put_spread(struct jit_code *code, int to, struct jit_ref lane, bool indexed)
{
    const struct shape shape = {.form = {PREFIX_66, MAP_0F38, 0x18},
                                .reg = (unsigned)to,
                                .third = lane,
                                .evex = code->avx512,
                                .scalar = true,
                                .indexed = indexed};

    put_shape(code, &shape);
}

void jit_put_indexed(struct jit_code *code, int to, int32_t at)
{
    put_spread(code, to, jit_memory(JIT_CONSTANTS, at), true);
}

void jit_put_spread(struct jit_code *code, int to, struct jit_ref lane)
{
    put_spread(code, to, lane, false);
}

size_t jit_put_jump_outside(struct jit_code *code, struct jit_ref lane, int32_t least,
                            int32_t count)
{
    put_whole_number(code, lane);
    PUT(code, 0x41, 0x81, 0xeb); /* sub r11d, least */
    put_word(code, least);
    PUT(code, 0x41, 0x81, 0xfb); /* cmp r11d, count */
    put_word(code, count);
    PUT(code, 0x0f, 0x83); /* jae */
    put_word(code, 0);
    return code->n;
}

/* --- The function ----------------------------------------------------------------------------- */

enum { FIRST_ARGUMENT = 7, SECOND_ARGUMENT = 6 }; /* rdi, rsi, on all systems */

void jit_put_entry(struct jit_code *code, int32_t base_at, unsigned vectors)
{
    PUT(code, 0x49, 0x89, 0xc1 | SECOND_ARGUMENT << 3); /* mov r9, the frame */
    PUT(code, 0x49, 0x8b, 0x81);                        /* mov rax, [r9 + base_at] */
    put_word(code, base_at);
    PUT(code, 0x4d, 0x8b, 0x91); /* mov r10, [r9 + base_at + 8] */
    put_word(code, base_at + 8);
    PUT(code, 0x4d, 0x89, 0xc8); /* mov r8, r9 */
    PUT(code, 0xb9);             /* mov ecx, vectors */
    put_word(code, (int32_t)vectors);
}

void jit_put_next_vector(struct jit_code *code, size_t loop)
{
    unsigned bytes = code->avx512 ? 64 : 32;

    PUT(code, 0x48, 0x83, 0xc0, (uint8_t)bytes);        /* add rax, bytes */
    PUT(code, 0x49, 0x83, 0xc0, (uint8_t)(bytes / 32)); /* add r8, bits of masks, in bytes */
    PUT(code, 0xff, 0xc9);                              /* dec ecx */
    PUT(code, 0x0f, 0x85);                              /* jnz loop */
    put_word(code, (int32_t)loop - (int32_t)(code->n + 4));
}

void jit_put_exit(struct jit_code *code, int32_t word_at, int32_t add)
{
    PUT(code, 0xc5, 0xf8, 0x77); /* vzeroupper */
    if (add) {
        PUT(code, 0x49, 0x81, 0x81); /* add qword [r9 + word_at], add */
        put_word(code, word_at);
        put_word(code, add);
    }
    PUT(code, 0xc3); /* ret */
}

void jit_put_other(struct jit_code *code, uintptr_t function, int32_t word_at, int32_t less)
{
    PUT(code, 0xc5, 0xf8, 0x77);                       /* vzeroupper */
    PUT(code, 0x4c, 0x89, 0xc8 | SECOND_ARGUMENT);     /* mov second, r9 */
    PUT(code, 0x49, 0x8b, 0x81 | FIRST_ARGUMENT << 3); /* mov first, [r9 + word_at] */
    put_word(code, word_at);
    PUT(code, 0x48, 0x81, 0xe8 | FIRST_ARGUMENT); /* sub first, less */
    put_word(code, less);
    PUT(code, 0x48, 0xb8); /* mov rax, function */
    put_word(code, (int32_t)(uint32_t)function);
    put_word(code, (int32_t)(uint32_t)((uint64_t)function >> 32));
    PUT(code, 0xff, 0xe0); /* jmp rax */
}

size_t jit_put_jump_unless(struct jit_code *code)
{
    PUT(code, 0x0f, code->avx512 ? 0x83 : 0x85); /* jnc, jnz */
    put_word(code, 0);
    return code->n;
}

size_t jit_put_jump(struct jit_code *code)
{
    PUT(code, 0xe9);
    put_word(code, 0);
    return code->n;
}

void jit_set_goal(struct jit_code *code, size_t jump, size_t goal)
{
    int32_t distance = (int32_t)goal - (int32_t)jump;

    if (!code->failed)
        memcpy(code->bytes + jump - 4, &distance, sizeof(distance));
}

unsigned jit_registers(bool avx512, const uint8_t **numbers)
{
    static const uint8_t many[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    static const uint8_t few[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    *numbers = avx512 ? many : few;
    return avx512 ? sizeof(many) : sizeof(few);
}
