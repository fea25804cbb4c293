/* Instruction encoder: REX, VEX and EVEX prefixes, operand bytes, jumps and the pool of constants
 * (Intel, Software Developer's Manual, volume 2, chapter 2).
 *
 * Tested by tests/unit/ir/x86/test_encode.c. */
#include "ir/x86/encode.h"

#include "util/alloc.h"

#include <string.h>

enum prefix { PREFIX_NONE, PREFIX_66, PREFIX_F3, PREFIX_W = 4, PREFIX_66W = PREFIX_66 | PREFIX_W };
enum map { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A };
enum length { LENGTH_128, LENGTH_256, LENGTH_V };
enum tuple { TUPLE_WORD, TUPLE_QUARTER, TUPLE_VECTOR, TUPLE_FULL, TUPLE_HALF };

const struct x86_form_info ir_x86_form_info[X86_FORM_COUNT] = {
#define X86_FORM(id, name, evex_name, encoding, prefix, map, opcode, shape, kinds, length, tuple)  \
    [X86_##id] = {                                                                                 \
        name,      evex_name, #shape,          kinds,        X86_##encoding, PREFIX_##prefix,      \
        MAP_##map, opcode,    LENGTH_##length, TUPLE_##tuple},
#include "ir/x86/forms.def"
#undef X86_FORM
};

/* --- Buffers ---------------------------------------------------------------------------------- */

/* Makes room for one more element. */
static bool reserve(struct x86_code *code, void **array, size_t n, size_t *capacity, size_t size)
{
    size_t more = *capacity ? *capacity * 2 : 256;
    void *grown;

    if (n < *capacity)
        return true;
    grown = code->failed ? NULL : mem_realloc(*array, more * size);
    if (!grown) {
        code->failed = true;
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

static void emit_byte(struct x86_code *code, unsigned byte)
{
    void *bytes = code->bytes;

    if (reserve(code, &bytes, code->n, &code->capacity, 1))
        ((uint8_t *)bytes)[code->n++] = (uint8_t)byte;
    code->bytes = bytes;
}

static void emit_dword(struct x86_code *code, int32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        emit_byte(code, (uint32_t)word >> 8 * i & 0xff);
}

static void patch_dword(struct x86_code *code, size_t at, int32_t word)
{
    if (!code->failed)
        memcpy(code->bytes + at, &word, sizeof(word));
}

static void add_pool_word(struct x86_code *code, uint32_t word)
{
    void *pool = code->pool;

    if (reserve(code, &pool, code->n_pool, &code->pool_capacity, sizeof(*code->pool)))
        ((uint32_t *)pool)[code->n_pool++] = word;
    code->pool = pool;
}

static void add_pool_use(struct x86_code *code, uint32_t to_next)
{
    void *use = code->use;

    if (reserve(code, &use, code->n_uses, &code->use_capacity, sizeof(*code->use)))
        ((struct x86_pool_use *)use)[code->n_uses++] = (struct x86_pool_use){code->n, to_next};
    code->use = use;
}

void ir_x86_code_init(struct x86_code *code, const struct x86_target *target)
{
    *code = (struct x86_code){.target = *target};
    for (unsigned i = 0; i < 16; i++)
        add_pool_word(code, i);
    for (unsigned i = 0; i < 16; i++)
        add_pool_word(code, 1u << i);
    for (unsigned i = 0; i < 16; i++) /* bytes 0 1 4 5 8 9 12 13, or those behind */
        add_pool_word(code, i % 4 > 1 ? 0x80808080
                                      : 0x05040100 + i % 4 * 0x08080808 + i / 8 * 0x02020202);
}

void ir_x86_code_fini(struct x86_code *code)
{
    mem_free(code->bytes);
    mem_free(code->pool);
    mem_free(code->pool_slot);
    mem_free(code->use);
    *code = (struct x86_code){.failed = true};
}

/* --- The pool of constants -------------------------------------------------------------------- */

/* Where a constant's number is, or the free place for it. */
static uint32_t *find_slot(struct x86_code *code, uint32_t bits)
{
    uint32_t i = bits * UINT32_C(0x9e3779b1) >> 7 & (code->n_pool_slots - 1);

    while (code->pool_slot[i] && code->pool[code->pool_slot[i]] != bits)
        i = (i + 1) & (code->n_pool_slots - 1);
    return &code->pool_slot[i];
}

/* Keeps half of the hash table free. */
static bool grow_table(struct x86_code *code)
{
    uint32_t n = code->n_pool_slots, *old = code->pool_slot;

    if (2 * code->n_constants < n)
        return true;
    code->n_pool_slots = n ? 2 * n : 64;
    code->pool_slot =
        code->failed ? NULL : mem_calloc(code->n_pool_slots, sizeof(*code->pool_slot));
    if (!code->pool_slot) {
        code->failed = true;
        code->pool_slot = old;
        code->n_pool_slots = n;
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (old[i])
            *find_slot(code, code->pool[old[i]]) = old[i];
    mem_free(old);
    return true;
}

struct x86_operand ir_x86_pool_vector(unsigned offset)
{
    return (struct x86_operand){.is_mem = true, .is_pool = true, .disp = (int32_t)offset};
}

struct x86_operand ir_x86_constant(struct x86_code *code, uint32_t bits)
{
    struct x86_operand to = ir_x86_pool_vector(0);
    uint32_t *slot;

    to.broadcast = code->target.avx512;
    if (!grow_table(code))
        return to;
    slot = find_slot(code, bits);
    if (!*slot) {
        *slot = (uint32_t)code->n_pool;
        code->n_constants++;
        for (unsigned i = 0; i < (code->target.avx512 ? 1 : x86_lanes(&code->target)); i++)
            add_pool_word(code, bits);
    }
    to.disp = (int32_t)(*slot * sizeof(*code->pool));
    return to;
}

/* --- Operands --------------------------------------------------------------------------------- */

/* What a shape asks for. */
struct fields {
    bool has_v, has_imm8, has_imm32, in_opcode;
    unsigned extension; /* ModRM.reg if R is no operand */
};

static struct fields fields_of(const char *shape)
{
    struct fields f = {0};

    for (; *shape; shape++) {
        f.has_v |= *shape == 'V';
        f.has_imm8 |= *shape == 'I' || *shape == '4';
        f.has_imm32 |= *shape == 'D';
        f.in_opcode |= *shape == 'O';
        if (shape[1] >= '0' && shape[1] <= '7' && *shape == 'M')
            f.extension = (unsigned)shape[1] - '0';
    }
    return f;
}

/* Bytes by which the encoding scales a displacement of 8 bits. */
static int32_t displacement_unit(const struct x86_inst *inst, bool evex)
{
    static const uint8_t bytes[] = {[TUPLE_WORD] = 4,
                                    [TUPLE_QUARTER] = 16,
                                    [TUPLE_VECTOR] = 64,
                                    [TUPLE_FULL] = 64,
                                    [TUPLE_HALF] = 32};

    return !evex ? 1 : inst->m.broadcast ? 4 : bytes[ir_x86_form_info[inst->form].tuple];
}

/* ModRM byte, SIB byte, displacement. */
static void emit_operands(struct x86_code *code, const struct x86_inst *inst, unsigned reg,
                          int32_t unit, uint32_t imm_bytes)
{
    enum { NO_DISP, DISP_8, DISP_32, REGISTER };
    enum { RM_SIB = 4, RM_ABSOLUTE = 5, NO_INDEX = 4 };
    const struct x86_operand *m = &inst->m;
    unsigned mod, has_sib = m->index != X86_NO_REGISTER || (m->base & 7) == RM_SIB;

    reg = (reg & 7) << 3;
    if (!m->is_mem) {
        emit_byte(code, REGISTER << 6 | reg | (m->reg & 7));
        return;
    }
    if (m->is_pool) {
        emit_byte(code, NO_DISP << 6 | reg | RM_ABSOLUTE);
        add_pool_use(code, 4 + imm_bytes);
        emit_dword(code, m->disp);
        return;
    }
    if (!m->disp && (m->base & 7) != RM_ABSOLUTE)
        mod = NO_DISP;
    else
        mod = m->disp % unit == 0 && m->disp / unit >= -128 && m->disp / unit <= 127 ? DISP_8
                                                                                     : DISP_32;
    emit_byte(code, mod << 6 | reg | (has_sib ? RM_SIB : m->base & 7));
    if (has_sib) {
        unsigned index = m->index == X86_NO_REGISTER ? NO_INDEX : m->index & 7;

        emit_byte(code, (unsigned)m->scale << 6 | index << 3 | (m->base & 7));
    }
    if (mod == DISP_8)
        emit_byte(code, (unsigned)(m->disp / unit) & 0xff);
    else if (mod == DISP_32)
        emit_dword(code, m->disp);
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* Bits 3 and 4 of the registers in M. */
struct high_bits {
    bool b, x, v; /* B, X, and EVEX.V' for a vector of indices */
};

static struct high_bits high_bits(const struct x86_inst *inst, bool is_vsib)
{
    const struct x86_operand *m = &inst->m;

    if (!m->is_mem)
        return (struct high_bits){.b = m->reg & 8, .x = m->reg & 16};
    if (m->is_pool)
        return (struct high_bits){0};
    return (struct high_bits){.b = m->base & 8,
                              .x = m->index != X86_NO_REGISTER && m->index & 8,
                              .v = is_vsib && m->index & 16};
}

static void emit_legacy(struct x86_code *code, const struct x86_inst *inst, unsigned reg,
                        struct fields f)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];
    struct high_bits high = high_bits(inst, false);
    bool wide = code->target.is_64 && form->encoding == X86_POINTER;
    unsigned rex = (unsigned)wide << 3 | (reg & 8) >> 1 | (unsigned)high.x << 1 | (unsigned)high.b;

    if (form->prefix == PREFIX_F3)
        emit_byte(code, 0xf3);
    if (rex)
        emit_byte(code, 0x40 | rex);
    if (form->map != MAP_ONE)
        emit_byte(code, 0x0f);
    emit_byte(code, f.in_opcode ? form->opcode | (inst->m.reg & 7u) : form->opcode);
}

/* The bits of a VEX or EVEX prefix are inverted register bits. */
static void emit_vex(struct x86_code *code, const struct x86_inst *inst, unsigned reg, unsigned v)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];
    struct high_bits high = high_bits(inst, false);
    unsigned not_r = reg & 8 ? 0 : 0x80, not_x = high.x ? 0 : 0x40, not_b = high.b ? 0 : 0x20;
    unsigned w = form->prefix & PREFIX_W ? 0x80 : 0, prefix = form->prefix & ~(unsigned)PREFIX_W;
    unsigned last = w | (~v & 15) << 3 | (form->length == LENGTH_128 ? 0 : 4) | prefix;

    if (form->map == MAP_0F && not_x && not_b && !w) {
        emit_byte(code, 0xc5);
        emit_byte(code, not_r | last);
    } else {
        emit_byte(code, 0xc4);
        emit_byte(code, not_r | not_x | not_b | form->map);
        emit_byte(code, last);
    }
    emit_byte(code, form->opcode);
}

static void emit_evex(struct x86_code *code, const struct x86_inst *inst, unsigned reg, unsigned v)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];
    struct high_bits high = high_bits(inst, form->kinds[0] == 's' || form->kinds[1] == 's');
    unsigned not_r = reg & 8 ? 0 : 0x80, not_high = reg & 16 ? 0 : 0x10;
    unsigned not_x = high.x ? 0 : 0x40, not_b = high.b ? 0 : 0x20;
    unsigned not_v = v & 16 || high.v ? 0 : 8, length = form->length == LENGTH_V ? 0x40 : 0;

    emit_byte(code, 0x62);
    emit_byte(code, not_r | not_x | not_b | not_high | form->map);
    emit_byte(code, (~v & 15) << 3 | 4 | form->prefix);
    emit_byte(code, (unsigned)inst->zeroing << 7 | length | (unsigned)inst->m.broadcast << 4 |
                        not_v | inst->k);
    emit_byte(code, form->opcode);
}

void ir_x86_emit(struct x86_code *code, const struct x86_inst *inst)
{
    const struct x86_form_info *form = &ir_x86_form_info[inst->form];
    struct fields f = fields_of(form->shape);
    bool has_r = strchr(form->shape, 'R'), evex = form->encoding == X86_EVEX;
    unsigned reg = has_r ? inst->r : f.extension, v = f.has_v ? inst->v : 0;

    evex |= form->encoding == X86_BOTH && code->target.avx512;
    if (form->encoding == X86_LEGACY || form->encoding == X86_POINTER)
        emit_legacy(code, inst, reg, f);
    else if (evex)
        emit_evex(code, inst, reg, v);
    else
        emit_vex(code, inst, reg, v);
    if (!f.in_opcode)
        emit_operands(code, inst, reg, displacement_unit(inst, evex), f.has_imm32 ? 4 : f.has_imm8);
    if (f.has_imm8)
        emit_byte(code, (unsigned)inst->imm & 0xff);
    if (f.has_imm32)
        emit_dword(code, inst->imm);
}

void ir_x86_ret(struct x86_code *code)
{
    emit_byte(code, 0xc3);
}

void ir_x86_clear_upper(struct x86_code *code)
{
    emit_byte(code, 0xc5);
    emit_byte(code, 0xf8);
    emit_byte(code, 0x77);
}

/* --- Jumps ------------------------------------------------------------------------------------ */

size_t ir_x86_jump(struct x86_code *code, enum x86_condition condition)
{
    if (condition == X86_ALWAYS) {
        emit_byte(code, 0xe9);
    } else {
        emit_byte(code, 0x0f);
        emit_byte(code, 0x80 | condition);
    }
    emit_dword(code, 0);
    return code->n;
}

void ir_x86_land(struct x86_code *code, size_t jump)
{
    patch_dword(code, jump - 4, (int32_t)(code->n - jump));
}

void ir_x86_jump_back(struct x86_code *code, enum x86_condition condition, size_t target)
{
    size_t jump = ir_x86_jump(code, condition);

    patch_dword(code, jump - 4, (int32_t)((int64_t)target - (int64_t)jump));
}

void ir_x86_finish(struct x86_code *code, uintptr_t pool)
{
    enum { ALIGNMENT = 64, BREAKPOINT = 0xcc };
    size_t start;

    if (code->target.is_64)
        while (code->n % ALIGNMENT && !code->failed)
            emit_byte(code, BREAKPOINT);
    start = code->n;
    for (size_t i = 0; i < code->n_uses && !code->failed; i++) {
        const struct x86_pool_use *use = &code->use[i];
        uint32_t offset;

        memcpy(&offset, code->bytes + use->at, sizeof(offset));
        if (code->target.is_64)
            patch_dword(code, use->at, (int32_t)(start + offset - use->at - use->to_next));
        else
            patch_dword(code, use->at, (int32_t)(uint32_t)(pool + offset));
    }
    if (code->target.is_64)
        for (size_t i = 0; i < code->n_pool; i++)
            emit_dword(code, (int32_t)code->pool[i]);
}
