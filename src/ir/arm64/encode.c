/* Instruction encoder: words of 32 bits, jumps, constants (Arm, Architecture Reference Manual for
 * A-profile, chapter C4).
 *
 * Tested by tests/unit/ir/arm64/test_encode.c. */
#include "ir/arm64/encode.h"

#include "util/alloc.h"

#include <string.h>

enum imm_kind {
    IMM_NONE,
    IMM_SHL,
    IMM_SHR,
    IMM_WORD,
    IMM_DOUBLE,
    IMM_BYTE,
    IMM_EXT,
    IMM_LANE,
    IMM_U4,
    IMM_U8,
    IMM_U16,
    IMM_U12,
    IMM_U12H,
    IMM_H0,
    IMM_H16,
    IMM_P8,
    IMM_B19,
    IMM_B26,
    IMM_T14
};

static const struct form {
    uint32_t opcode;
    uint8_t imm; /* enum imm_kind */
} forms[ARM64_FORM_COUNT] = {
#define ARM64_FORM(id, text, opcode, imm) [ARM64_##id] = {opcode, IMM_##imm},
#include "ir/arm64/forms.def"
#undef ARM64_FORM
};

/* --- Buffers ---------------------------------------------------------------------------------- */

/* Makes room for so many more bytes of an array. */
static bool reserve(struct arm64_code *code, void **array, size_t used, size_t *capacity,
                    size_t size)
{
    size_t more = *capacity ? *capacity * 2 : 1024;
    void *grown;

    if (used + size <= *capacity)
        return true;
    grown = code->failed ? NULL : mem_realloc(*array, more);
    if (!grown) {
        code->failed = true;
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

static void emit_word(struct arm64_code *code, uint32_t word)
{
    void *bytes = code->bytes;

    if (reserve(code, &bytes, code->n, &code->capacity, sizeof(word))) {
        memcpy((char *)bytes + code->n, &word, sizeof(word));
        code->n += sizeof(word);
    }
    code->bytes = bytes;
}

void ir_arm64_code_init(struct arm64_code *code)
{
    *code = (struct arm64_code){0};
}

void ir_arm64_code_fini(struct arm64_code *code)
{
    mem_free(code->bytes);
    mem_free(code->pool);
    mem_free(code->pool_slot);
    mem_free(code->use);
    *code = (struct arm64_code){.failed = true};
}

/* --- Immediates ------------------------------------------------------------------------------- */

/* A field of so many bits for a signed or unsigned number of units. */
static uint32_t field(int64_t imm, unsigned unit, unsigned bits, bool is_signed, unsigned shift,
                      bool *reaches)
{
    int64_t number = imm / (int64_t)unit, half = INT64_C(1) << (bits - 1);

    *reaches &= imm % (int64_t)unit == 0 &&
                (is_signed ? number >= -half && number < half : number >= 0 && number < 2 * half);
    return ((uint32_t)number & ((1u << bits) - 1)) << shift;
}

static uint32_t immediate(enum imm_kind kind, int64_t imm, bool *reaches)
{
    uint32_t u = (uint32_t)imm;

    switch (kind) {
    case IMM_NONE:
        return 0;
    case IMM_SHL:
        return field(32 + imm, 1, 7, false, 16, reaches);
    case IMM_SHR:
        return field(64 - imm, 1, 7, false, 16, reaches);
    case IMM_WORD:
        return (u << 3 | 4) << 16;
    case IMM_DOUBLE:
        return (u << 4 | 8) << 16;
    case IMM_BYTE:
        return (u >> 5 & 7) << 16 | (u & 31) << 5;
    case IMM_EXT:
        return field(imm, 1, 4, false, 11, reaches);
    case IMM_LANE:
        return (u >> 1) << 30 | (u & 1) << 12;
    case IMM_U4:
        return field(imm, 4, 12, false, 10, reaches);
    case IMM_U8:
        return field(imm, 8, 12, false, 10, reaches);
    case IMM_U16:
        return field(imm, 16, 12, false, 10, reaches);
    case IMM_U12:
    case IMM_U12H:
        return field(imm, 1, 12, false, 10, reaches);
    case IMM_H0:
    case IMM_H16:
        return field(imm, 1, 16, false, 5, reaches);
    case IMM_P8:
        return field(imm, 8, 7, true, 15, reaches);
    case IMM_B19:
        return field(imm, 4, 19, true, 5, reaches);
    case IMM_B26:
        return field(imm, 4, 26, true, 0, reaches);
    case IMM_T14:
        return field(imm, 4, 14, true, 5, reaches);
    }
    return 0;
}

/* --- Instructions ----------------------------------------------------------------------------- */

uint32_t ir_arm64_encode(enum arm64_form form, unsigned d, unsigned n, unsigned m, int64_t imm,
                         bool *reaches)
{
    const struct form *f = &forms[form];
    uint32_t last = f->imm == IMM_T14 ? (m & 31) << 19 | m >> 5 << 31 : m << 16;

    if (form == ARM64_MOV_V)
        last = n << 16;
    *reaches = true;
    return f->opcode | d | n << 5 | last | immediate((enum imm_kind)f->imm, imm, reaches);
}

void ir_arm64_emit(struct arm64_code *code, enum arm64_form form, unsigned d, unsigned n,
                   unsigned m, int64_t imm)
{
    bool reaches;
    uint32_t word = ir_arm64_encode(form, d, n, m, imm, &reaches);

    code->too_long |= !reaches;
    emit_word(code, word);
}

/* Sets the distance of a jump or of a literal. */
static void patch(struct arm64_code *code, size_t at, int64_t distance)
{
    uint32_t word;
    enum imm_kind kind;
    bool reaches = true;

    if (code->failed)
        return;
    memcpy(&word, code->bytes + at, sizeof(word));
    kind = (word & 0x7c000000) == 0x14000000   ? IMM_B26
           : (word & 0x7e000000) == 0x36000000 ? IMM_T14
                                               : IMM_B19;
    word |= immediate(kind, distance, &reaches);
    memcpy(code->bytes + at, &word, sizeof(word));
    code->too_long |= !reaches;
}

void ir_arm64_land(struct arm64_code *code, size_t jump)
{
    patch(code, jump, (int64_t)(code->n - jump));
}

void ir_arm64_jump_back(struct arm64_code *code, enum arm64_form form, unsigned d, size_t target)
{
    ir_arm64_emit(code, form, d, 0, 0, (int64_t)target - (int64_t)code->n);
}

/* --- Constants -------------------------------------------------------------------------------- */

/* The 8 bits of a modified immediate for a float; -1: it has none. */
static int float_immediate(uint32_t bits)
{
    uint32_t exponent = bits >> 25 & 0x3f; /* bits 30 to 25: not b, b, b, b, b, b */

    if (bits & 0x7ffff || (exponent != 0x1f && exponent != 0x20))
        return -1;
    return (int)(bits >> 24 & 0x80) | (int)(bits >> 19 & 0x7f);
}

/* Builds a constant from one byte if that is possible. */
static bool emit_immediate(struct arm64_code *code, unsigned d, uint32_t bits)
{
    static const uint8_t moves[4] = {ARM64_MOVI_0, ARM64_MOVI_8, ARM64_MOVI_16, ARM64_MOVI_24};
    static const uint8_t inverted[4] = {ARM64_MVNI_0, ARM64_MVNI_8, ARM64_MVNI_16, ARM64_MVNI_24};
    int number = float_immediate(bits);

    for (unsigned byte = 0; byte < 4; byte++) {
        uint32_t others = ~(UINT32_C(0xff) << 8 * byte);

        if (!(bits & others)) {
            ir_arm64_emit(code, (enum arm64_form)moves[byte], d, 0, 0, bits >> 8 * byte & 0xff);
            return true;
        }
        if (!(~bits & others)) {
            ir_arm64_emit(code, (enum arm64_form)inverted[byte], d, 0, 0, ~bits >> 8 * byte & 0xff);
            return true;
        }
    }
    if (bits == (bits & 0xff) * 0x01010101u)
        ir_arm64_emit(code, ARM64_MOVI_B, d, 0, 0, bits & 0xff);
    else if (number >= 0)
        ir_arm64_emit(code, ARM64_FMOV_I, d, 0, 0, number);
    else
        return false;
    return true;
}

/* Where the number of a vector is, or the free place for it. */
static uint32_t *find_slot(struct arm64_code *code, const struct arm64_vector *vector)
{
    uint32_t hash = 0, i;

    for (unsigned k = 0; k < ARM64_LANES; k++)
        hash = (hash ^ vector->word[k]) * UINT32_C(0x9e3779b1);
    i = hash >> 7 & (code->n_pool_slots - 1);
    while (code->pool_slot[i] &&
           memcmp(&code->pool[code->pool_slot[i] - 1], vector, sizeof(*vector)))
        i = (i + 1) & (code->n_pool_slots - 1);
    return &code->pool_slot[i];
}

/* Keeps half of the hash table free. */
static bool grow_table(struct arm64_code *code)
{
    uint32_t n = code->n_pool_slots;

    if (2 * code->n_pool < n)
        return true;
    n = n ? 2 * n : 64;
    mem_free(code->pool_slot);
    code->pool_slot = code->failed ? NULL : mem_calloc(n, sizeof(*code->pool_slot));
    code->n_pool_slots = code->pool_slot ? n : 0;
    code->failed |= !code->pool_slot;
    for (uint32_t i = 0; code->pool_slot && i < code->n_pool; i++)
        *find_slot(code, &code->pool[i]) = i + 1;
    return code->pool_slot;
}

static void add_use(struct arm64_code *code, uint32_t index)
{
    void *use = code->use;

    if (reserve(code, &use, code->n_uses * sizeof(*code->use), &code->use_capacity,
                sizeof(*code->use)))
        ((struct arm64_pool_use *)use)[code->n_uses++] = (struct arm64_pool_use){code->n, index};
    code->use = use;
}

void ir_arm64_vector(struct arm64_code *code, unsigned d, const struct arm64_vector *vector)
{
    uint32_t *slot;
    void *pool = code->pool;

    if (!grow_table(code))
        return;
    slot = find_slot(code, vector);
    if (!*slot && reserve(code, &pool, code->n_pool * sizeof(*vector), &code->pool_capacity,
                          sizeof(*vector))) {
        ((struct arm64_vector *)pool)[code->n_pool++] = *vector;
        *slot = (uint32_t)code->n_pool;
    }
    code->pool = pool;
    if (*slot)
        add_use(code, *slot - 1);
    ir_arm64_emit(code, ARM64_LDR_Q_L, d, 0, 0, 0);
}

void ir_arm64_constant(struct arm64_code *code, unsigned d, uint32_t bits)
{
    if (!emit_immediate(code, d, bits))
        ir_arm64_vector(code, d, &(struct arm64_vector){{bits, bits, bits, bits}});
}

void ir_arm64_rewind(struct arm64_code *code, size_t position)
{
    code->n = position;
    while (code->n_uses && code->use[code->n_uses - 1].at >= position)
        code->n_uses--;
}

void ir_arm64_finish(struct arm64_code *code)
{
    while (code->n % ARM64_VECTOR_BYTES && !code->failed)
        emit_word(code, 0); /* udf */
    for (size_t i = 0; i < code->n_uses; i++)
        patch(code, code->use[i].at,
              (int64_t)(code->n + code->use[i].index * sizeof(*code->pool) - code->use[i].at));
    for (size_t i = 0; i < code->n_pool; i++)
        for (unsigned k = 0; k < ARM64_LANES; k++)
            emit_word(code, code->pool[i].word[k]);
}
