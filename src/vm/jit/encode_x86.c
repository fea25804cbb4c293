/* x86-64 instruction encoder: VEX and EVEX prefixes and operand bytes (Intel, Software Developer's
 * Manual, volume 2).
 *
 * Tested by tests/unit/vm/jit/test_jit.c. */
#include "vm/jit/encode_x86.h"

#include "util/alloc.h"

#include <string.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

static void emit_byte(struct x86_code *code, unsigned byte)
{
    if (code->n == code->capacity && !code->failed) {
        size_t capacity = code->capacity * 2;
        uint8_t *more = mem_realloc(code->bytes, capacity);

        if (more) {
            code->bytes = more;
            code->capacity = capacity;
        } else {
            code->failed = true;
        }
    }
    if (!code->failed)
        code->bytes[code->n++] = (uint8_t)byte;
}

static void emit_bytes(struct x86_code *code, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        emit_byte(code, bytes[i]);
}
#define EMIT(code, ...)                                                                            \
    emit_bytes(code, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void emit_dword(struct x86_code *code, int32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        emit_byte(code, (uint32_t)word >> 8 * i & 0xff);
}

static void emit_constant_pool(struct x86_code *code)
{
    static const uint32_t bits[X86_CONST_COUNT] = {
        [X86_CONST_SIGN_BIT] = 0x80000000,    [X86_CONST_ABS_MASK] = 0x7fffffff,
        [X86_CONST_ONE] = 0x3f800000,         [X86_CONST_HALF] = 0x3f000000,
        [X86_CONST_FOUR] = 0x40800000,        [X86_CONST_FLT_MAX] = 0x7f7fffff,
        [X86_CONST_FLT_MIN] = 0x00800000,     [X86_CONST_RSQ_FLT_MIN] = 0x5f000000,
        [X86_CONST_ROUND_MAGIC] = 0x4b400000, [X86_CONST_ROUND_LIMIT] = 0x4a800000,
    };

    for (unsigned c = 0; c < X86_CONST_COUNT; c++)
        for (unsigned lane = 0; lane < X86_VECTOR_BYTES / 4; lane++)
            emit_dword(code, c == X86_CONST_LANE_BITS ? (int32_t)(1u << lane) : (int32_t)bits[c]);
}

void x86_code_init(struct x86_code *code, bool avx512)
{
    *code = (struct x86_code){.capacity = 4096, .avx512 = avx512};
    code->bytes = mem_alloc(code->capacity);
    code->failed = !code->bytes;
    emit_constant_pool(code);
}

void x86_code_fini(struct x86_code *code)
{
    mem_free(code->bytes);
    code->bytes = NULL;
}

/* --- Vectors ---------------------------------------------------------------------------------- */

enum { PREFIX_NONE, PREFIX_66, PREFIX_F3 };
enum { MAP_0F = 1, MAP_0F38, MAP_0F3A };

enum { R11 = 11 };

struct opcode_bytes {
    uint8_t prefix, map, byte;
};

/* Fields of a VEX or EVEX instruction. */
struct vex_inst {
    struct opcode_bytes opcode;
    unsigned reg, src1;
    struct x86_operand src2;
    unsigned mask; /* EVEX: a mask register, 0 for none */
    bool evex, is_128;
    bool scalar;        /* src2 is a scalar in memory */
    bool indexed;       /* r11 is added to src2's base; scalar */
    unsigned imm_bytes; /* bytes that follow the operands */
};

/* ModRM byte, SIB byte and displacement. EVEX scales 8-bit displacements by the vector size. */
static void emit_modrm(struct x86_code *code, const struct vex_inst *s)
{
    unsigned reg = (s->reg & 7) << 3;
    int32_t disp = s->src2.disp, unit = s->evex ? X86_VECTOR_BYTES : 1;

    if (!s->src2.is_mem) {
        emit_byte(code, 0xc0 | reg | ((unsigned)s->src2.reg & 7));
    } else if (s->indexed) {
        emit_byte(code, 0x84 | reg);
        emit_byte(code, (R11 & 7) << 3 | (s->src2.base & 7));
        emit_dword(code, disp);
    } else if (s->src2.base == X86_BASE_POOL) {
        emit_byte(code, reg | 5);
        emit_dword(code, disp - (int32_t)(code->n + 4 + s->imm_bytes));
    } else if (!s->scalar && disp % unit == 0 && disp / unit >= -128 && disp / unit <= 127) {
        emit_byte(code, 0x40 | reg | (s->src2.base & 7));
        emit_byte(code, (unsigned)(disp / unit) & 0xff);
    } else {
        emit_byte(code, 0x80 | reg | (s->src2.base & 7));
        emit_dword(code, disp);
    }
}

static void emit_inst(struct x86_code *code, const struct vex_inst *s)
{
    unsigned src2 = s->src2.is_mem ? s->src2.base & 15u : (unsigned)s->src2.reg;
    unsigned not_r = s->reg & 8 ? 0 : 0x80, not_b = src2 & 8 ? 0 : 0x20;
    unsigned not_x = s->indexed || src2 & 16 ? 0 : 0x40;
    unsigned not_vvvv = (~s->src1 & 15) << 3;

    if (s->evex) {
        unsigned not_high = s->reg & 16 ? 0 : 0x10;

        emit_byte(code, 0x62);
        emit_byte(code, not_r | not_x | not_b | not_high | s->opcode.map);
        emit_byte(code, not_vvvv | 4 | s->opcode.prefix);
        emit_byte(code, 0x40 | (s->src1 & 16 ? 0 : 8) | s->mask);
    } else {
        emit_byte(code, 0xc4);
        emit_byte(code, not_r | not_x | not_b | s->opcode.map);
        emit_byte(code, not_vvvv | (s->is_128 ? 0 : 4) | s->opcode.prefix);
    }
    emit_byte(code, s->opcode.byte);
    emit_modrm(code, s);
}

static void emit_vector(struct x86_code *code, struct opcode_bytes opcode, int reg, int src1,
                        struct x86_operand src2, unsigned imm_bytes)
{
    const struct vex_inst inst = {.opcode = opcode,
                                  .reg = (unsigned)reg,
                                  .src1 = (unsigned)src1,
                                  .src2 = src2,
                                  .evex = code->avx512,
                                  .imm_bytes = imm_bytes};

    emit_inst(code, &inst);
}

void x86_emit(struct x86_code *code, enum x86_opcode op, int dst, int src1, struct x86_operand src2)
{
    static const struct opcode_bytes opcodes[X86_OPCODE_COUNT] = {
        [X86_LOAD] = {PREFIX_NONE, MAP_0F, 0x10},   [X86_STORE] = {PREFIX_NONE, MAP_0F, 0x11},
        [X86_ADD] = {PREFIX_NONE, MAP_0F, 0x58},    [X86_MUL] = {PREFIX_NONE, MAP_0F, 0x59},
        [X86_SUB] = {PREFIX_NONE, MAP_0F, 0x5c},    [X86_MIN] = {PREFIX_NONE, MAP_0F, 0x5d},
        [X86_DIV] = {PREFIX_NONE, MAP_0F, 0x5e},    [X86_MAX] = {PREFIX_NONE, MAP_0F, 0x5f},
        [X86_SQRT] = {PREFIX_NONE, MAP_0F, 0x51},   [X86_AND] = {PREFIX_NONE, MAP_0F, 0x54},
        [X86_ANDNOT] = {PREFIX_NONE, MAP_0F, 0x55}, [X86_OR] = {PREFIX_NONE, MAP_0F, 0x56},
        [X86_XOR] = {PREFIX_NONE, MAP_0F, 0x57},
    };
    bool is_unary = op == X86_LOAD || op == X86_STORE || op == X86_SQRT;

    emit_vector(code, opcodes[op], dst, is_unary ? 0 : src1, src2, 0);
}

void x86_emit_floor(struct x86_code *code, int dst, struct x86_operand from)
{
    enum { DOWN = 1, NO_EXCEPTION = 8 };

    emit_vector(code, (struct opcode_bytes){PREFIX_66, MAP_0F3A, 0x08}, dst, 0, from, 1);
    emit_byte(code, DOWN | NO_EXCEPTION);
}

/* --- AVX2 lane masks -------------------------------------------------------------------------- */

void x86_emit_compare(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                      struct x86_operand src2)
{
    emit_vector(code, (struct opcode_bytes){PREFIX_NONE, MAP_0F, 0xc2}, dst, src1, src2, 1);
    emit_byte(code, predicate);
}

void x86_emit_blend(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask)
{
    emit_vector(code, (struct opcode_bytes){PREFIX_66, MAP_0F3A, 0x4a}, dst, no, yes, 1);
    emit_byte(code, (unsigned)mask << 4);
}

void x86_emit_expand_mask(struct x86_code *code, int dst, struct x86_operand byte)
{
    struct x86_operand bits = x86_constant(X86_CONST_LANE_BITS);

    emit_vector(code, (struct opcode_bytes){PREFIX_66, MAP_0F38, 0x78}, dst, 0, byte,
                0); /* broadcast to all bytes */
    x86_emit(code, X86_AND, dst, dst, bits);
    emit_vector(code, (struct opcode_bytes){PREFIX_66, MAP_0F, 0x76}, dst, dst, bits,
                0); /* compare dwords for equality */
}

/* Sign bits of the lanes to r11. */
static void emit_movmsk(struct x86_code *code, int from)
{
    emit_vector(code, (struct opcode_bytes){PREFIX_NONE, MAP_0F, 0x50}, R11, 0, x86_reg(from), 0);
}

void x86_emit_store_mask(struct x86_code *code, int from, struct x86_operand byte)
{
    emit_movmsk(code, from);
    EMIT(code, 0x45, 0x88, 0x80 | 3 << 3 | (byte.base & 7)); /* mov [r8 + at], r11b */
    emit_dword(code, byte.disp);
}

void x86_emit_test(struct x86_code *code, int from)
{
    emit_movmsk(code, from);
    EMIT(code, 0x45, 0x85, 0xdb); /* test r11d, r11d */
}

/* --- AVX-512 mask registers ------------------------------------------------------------------- */

void x86_emit_compare_k(struct x86_code *code, enum x86_cmp predicate, int dst, int src1,
                        struct x86_operand src2, int among)
{
    const struct vex_inst inst = {.opcode = {PREFIX_NONE, MAP_0F, 0xc2},
                                  .reg = (unsigned)dst,
                                  .src1 = (unsigned)src1,
                                  .src2 = src2,
                                  .mask = (unsigned)among,
                                  .evex = true,
                                  .imm_bytes = 1};

    emit_inst(code, &inst);
    emit_byte(code, predicate);
}

void x86_emit_blend_k(struct x86_code *code, int dst, int no, struct x86_operand yes, int mask)
{
    const struct vex_inst inst = {.opcode = {PREFIX_66, MAP_0F38, 0x65},
                                  .reg = (unsigned)dst,
                                  .src1 = (unsigned)no,
                                  .src2 = yes,
                                  .mask = (unsigned)mask,
                                  .evex = true};

    emit_inst(code, &inst);
}

void x86_emit_zero_k(struct x86_code *code, int dst, int mask)
{
    const struct vex_inst inst = {.opcode = {PREFIX_NONE, MAP_0F, 0x57},
                                  .reg = (unsigned)dst,
                                  .src1 = (unsigned)dst,
                                  .src2 = x86_reg(dst),
                                  .mask = (unsigned)mask,
                                  .evex = true};

    emit_inst(code, &inst);
}

static void emit_k(struct x86_code *code, unsigned opcode, int reg, int src1,
                   struct x86_operand src2, bool is_128)
{
    const struct vex_inst inst = {.opcode = {PREFIX_NONE, MAP_0F, (uint8_t)opcode},
                                  .reg = (unsigned)reg,
                                  .src1 = (unsigned)src1,
                                  .src2 = src2,
                                  .is_128 = is_128};

    emit_inst(code, &inst);
}

void x86_emit_load_k(struct x86_code *code, int dst, struct x86_operand word)
{
    emit_k(code, 0x90, dst, 0, word, true);
}

void x86_emit_store_k(struct x86_code *code, int from, struct x86_operand word)
{
    emit_k(code, 0x91, from, 0, word, true);
}

void x86_emit_or_k(struct x86_code *code, int dst, int other)
{
    emit_k(code, 0x45, dst, dst, x86_reg(other), false);
}

void x86_emit_set_k(struct x86_code *code, int dst)
{
    emit_k(code, 0x46, dst, dst, x86_reg(dst), false);
}

void x86_emit_test_k(struct x86_code *code, int from)
{
    emit_k(code, 0x98, from, 0, x86_reg(from), true);
}

/* --- Indexed constants ------------------------------------------------------------------------ */

void x86_emit_load_constants(struct x86_code *code, int32_t disp)
{
    EMIT(code, 0x49, 0x8b,
         0x80 | X86_BASE_CONSTANTS << 3 | (X86_BASE_FRAME & 7)); /* mov rdx, [r9 + at] */
    emit_dword(code, disp);
}

/* Truncates towards 0. */
static void emit_cvttss2si(struct x86_code *code, struct x86_operand lane)
{
    const struct vex_inst inst = {.opcode = {PREFIX_F3, MAP_0F, 0x2c},
                                  .reg = R11,
                                  .src2 = lane,
                                  .is_128 = true,
                                  .scalar = true};

    emit_inst(code, &inst);
}

void x86_emit_index(struct x86_code *code, struct x86_operand lane)
{
    emit_cvttss2si(code, lane);
    EMIT(code, 0x4d, 0x63, 0xdb);    /* movsxd r11, r11d: the sum with an offset may become
                                        positive */
    EMIT(code, 0x49, 0xc1, 0xe3, 4); /* shl r11, 4 */
}

static void emit_broadcast(struct x86_code *code, int dst, struct x86_operand lane, bool indexed)
{
    const struct vex_inst inst = {.opcode = {PREFIX_66, MAP_0F38, 0x18},
                                  .reg = (unsigned)dst,
                                  .src2 = lane,
                                  .evex = code->avx512,
                                  .scalar = true,
                                  .indexed = indexed};

    emit_inst(code, &inst);
}

void x86_emit_load_indexed(struct x86_code *code, int dst, int32_t disp)
{
    emit_broadcast(code, dst, x86_mem(X86_BASE_CONSTANTS, disp), true);
}

void x86_emit_broadcast(struct x86_code *code, int dst, struct x86_operand lane)
{
    emit_broadcast(code, dst, lane, false);
}

size_t x86_emit_jump_outside(struct x86_code *code, struct x86_operand lane, int32_t min,
                             int32_t count)
{
    emit_cvttss2si(code, lane);
    EMIT(code, 0x41, 0x81, 0xeb); /* sub r11d, min */
    emit_dword(code, min);
    EMIT(code, 0x41, 0x81, 0xfb); /* cmp r11d, count */
    emit_dword(code, count);
    EMIT(code, 0x0f, 0x83); /* jae */
    emit_dword(code, 0);
    return code->n;
}

/* --- Function frame --------------------------------------------------------------------------- */

enum { FIRST_ARGUMENT = 7, SECOND_ARGUMENT = 6 }; /* rdi, rsi, on all systems */

void x86_emit_prologue(struct x86_code *code, int32_t base_at, unsigned vectors)
{
    EMIT(code, 0x49, 0x89, 0xc1 | SECOND_ARGUMENT << 3); /* mov r9, frame */
    EMIT(code, 0x49, 0x8b, 0x81);                        /* mov rax, [r9 + base_at] */
    emit_dword(code, base_at);
    EMIT(code, 0x4d, 0x8b, 0x91); /* mov r10, [r9 + base_at + 8] */
    emit_dword(code, base_at + 8);
    EMIT(code, 0x4d, 0x89, 0xc8); /* mov r8, r9 */
    EMIT(code, 0xb9);             /* mov ecx, vectors */
    emit_dword(code, (int32_t)vectors);
}

void x86_emit_loop_end(struct x86_code *code, size_t loop)
{
    unsigned bytes = code->avx512 ? 64 : 32;

    EMIT(code, 0x48, 0x83, 0xc0, (uint8_t)bytes);        /* add rax, bytes */
    EMIT(code, 0x49, 0x83, 0xc0, (uint8_t)(bytes / 32)); /* add r8, bytes of lane mask */
    EMIT(code, 0xff, 0xc9);                              /* dec ecx */
    EMIT(code, 0x0f, 0x85);                              /* jnz loop */
    emit_dword(code, (int32_t)loop - (int32_t)(code->n + 4));
}

void x86_emit_epilogue(struct x86_code *code, int32_t word_at, int32_t add)
{
    EMIT(code, 0xc5, 0xf8, 0x77); /* vzeroupper */
    if (add) {
        EMIT(code, 0x49, 0x81, 0x81); /* add qword [r9 + word_at], add */
        emit_dword(code, word_at);
        emit_dword(code, add);
    }
    EMIT(code, 0xc3); /* ret */
}

void x86_emit_tail_call(struct x86_code *code, uintptr_t function, int32_t word_at, int32_t less)
{
    EMIT(code, 0xc5, 0xf8, 0x77);                       /* vzeroupper */
    EMIT(code, 0x4c, 0x89, 0xc8 | SECOND_ARGUMENT);     /* mov second argument, r9 */
    EMIT(code, 0x49, 0x8b, 0x81 | FIRST_ARGUMENT << 3); /* mov first argument, [r9 + word_at] */
    emit_dword(code, word_at);
    EMIT(code, 0x48, 0x81, 0xe8 | FIRST_ARGUMENT); /* sub first argument, less */
    emit_dword(code, less);
    EMIT(code, 0x48, 0xb8); /* mov rax, function */
    emit_dword(code, (int32_t)(uint32_t)function);
    emit_dword(code, (int32_t)(uint32_t)((uint64_t)function >> 32));
    EMIT(code, 0xff, 0xe0); /* jmp rax */
}

size_t x86_emit_jump_unless(struct x86_code *code)
{
    EMIT(code, 0x0f, code->avx512 ? 0x83 : 0x85); /* jnc, jnz */
    emit_dword(code, 0);
    return code->n;
}

size_t x86_emit_jump(struct x86_code *code)
{
    EMIT(code, 0xe9);
    emit_dword(code, 0);
    return code->n;
}

void x86_set_jump_target(struct x86_code *code, size_t jump, size_t target)
{
    int32_t distance = (int32_t)target - (int32_t)jump;

    if (!code->failed)
        memcpy(code->bytes + jump - 4, &distance, sizeof(distance));
}

unsigned x86_allocatable_registers(bool avx512, const uint8_t **numbers)
{
    static const uint8_t all32[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    static const uint8_t low16[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    *numbers = avx512 ? all32 : low16;
    return avx512 ? sizeof(all32) : sizeof(low16);
}
