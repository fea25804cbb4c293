/* Program builder: makes programs in memory without byte code. Literals become definitions, and
 * vm_builder_finish returns the first error. */
#include "vm/program/builder.h"
#include "vm/isa/array.h"
#include "vm/program/program.h"

#include <string.h>

struct vm_builder {
    struct vm_program *program;
    struct vm_dcl *dcl;
    size_t n_dcl, max_dcl, max_def, max_instr;
    unsigned n_inputs, n_outputs, n_temps; /* registers assigned */
    enum status status;                    /* the first error */
};

enum status vm_builder_create(struct vm_builder **out, enum vm_stage stage)
{
    struct vm_builder *b = mem_calloc(1, sizeof(*b));

    *out = NULL;
    if (!b)
        return ST_NOMEM;
    b->program = vm_program_new();
    if (!b->program) {
        vm_builder_destroy(b);
        return ST_NOMEM;
    }
    b->program->built = true;
    b->program->info.stage = stage;
    b->program->info.major = 3;
    b->program->info.minor = 255;
    *out = b;
    return ST_OK;
}

void vm_builder_destroy(struct vm_builder *b)
{
    if (!b)
        return;
    vm_program_destroy(b->program);
    mem_free(b->dcl);
    mem_free(b);
}

static void fail(struct vm_builder *b, enum status st)
{
    if (b->status == ST_OK)
        b->status = st;
}

enum status vm_builder_finish(struct vm_builder *b, struct vm_program **out)
{
    enum status st;

    *out = NULL;
    if (b->status == ST_OK)
        b->status = vm_program_fill_info(b->program, b->dcl, b->n_dcl, NULL);
    if (b->status == ST_OK) {
        *out = b->program;
        b->program = NULL;
    }
    st = b->status;
    vm_builder_destroy(b);
    return st;
}

/* --- Registers -------------------------------------------------------------------------------- */

static struct vm_src source(unsigned file, unsigned index)
{
    return (struct vm_src){
        .file = file, .index = index, .swizzle = VM_SWZ_XYZW, .rel_file = VM_FILE_NONE};
}

static struct vm_dst destination(unsigned file, unsigned index, unsigned mask)
{
    return (struct vm_dst){.file = file, .index = index, .mask = mask, .rel_file = VM_FILE_NONE};
}

/* The declaration of a semantic in a register file; NULL if there is none yet. */
static const struct vm_dcl *find_dcl(const struct vm_builder *b, unsigned file, unsigned usage,
                                     unsigned usage_index)
{
    for (size_t i = 0; i < b->n_dcl; i++) {
        const struct vm_dcl *dcl = &b->dcl[i];

        if (dcl->dst.file == file && dcl->usage == usage && dcl->usage_index == usage_index)
            return dcl;
    }
    return NULL;
}

static unsigned declare(struct vm_builder *b, unsigned file, unsigned usage, unsigned usage_index,
                        unsigned *n_registers, unsigned max)
{
    const struct vm_dcl *known = find_dcl(b, file, usage, usage_index);
    enum status st;

    if (known)
        return known->dst.index;
    st = *n_registers < max ? vm_grow((void **)&b->dcl, b->n_dcl, &b->max_dcl, sizeof(*b->dcl))
                            : ST_INVALID;
    if (st != ST_OK) {
        fail(b, st);
        return 0;
    }
    b->dcl[b->n_dcl++] = (struct vm_dcl){.usage = usage,
                                         .usage_index = usage_index,
                                         .dst = destination(file, *n_registers, VM_MASK_ALL)};
    return (*n_registers)++;
}

struct vm_src vm_build_input(struct vm_builder *b, enum vm_usage usage, unsigned index)
{
    bool pixel = b->program->info.stage == VM_PIXEL;

    if (pixel && (usage == VM_USAGE_VPOS || usage == VM_USAGE_VFACE))
        return source(VM_FILE_MISC, usage == VM_USAGE_VFACE);
    if (usage > VM_USAGE_SAMPLE || index > 15)
        fail(b, ST_INVALID);
    return source(VM_FILE_INPUT,
                  declare(b, VM_FILE_INPUT, usage, index, &b->n_inputs, VM_MAX_INPUTS));
}

struct vm_dst vm_build_output(struct vm_builder *b, enum vm_usage usage, unsigned index)
{
    if (b->program->info.stage == VM_VERTEX) {
        unsigned mask = usage == VM_USAGE_PSIZE ? VM_MASK_X : VM_MASK_ALL;

        if (usage > VM_USAGE_SAMPLE || index > 15)
            fail(b, ST_INVALID);
        return destination(VM_FILE_OUTPUT,
                           declare(b, VM_FILE_OUTPUT, usage, index, &b->n_outputs, VM_MAX_OUTPUTS),
                           mask);
    }
    if (usage == VM_USAGE_DEPTH)
        return destination(VM_FILE_DEPTHOUT, 0, VM_MASK_X);
    if (usage != VM_USAGE_TARGET || index > 3)
        fail(b, ST_INVALID);
    return destination(VM_FILE_COLOROUT, index & 3, VM_MASK_ALL);
}

struct vm_src vm_build_sampler(struct vm_builder *b, unsigned number, unsigned kind)
{
    if (number >= VM_MAX_SAMPLERS || kind > 4) {
        fail(b, ST_INVALID);
        number = 0;
    }
    b->program->info.sampler_kind[number] = kind;
    return source(VM_FILE_SAMPLER, number);
}

struct vm_src vm_build_temp(struct vm_builder *b)
{
    if (b->n_temps == UINT16_MAX) {
        fail(b, ST_INVALID);
        return source(VM_FILE_TEMP, 0);
    }
    return source(VM_FILE_TEMP, b->n_temps++);
}

struct vm_src vm_build_const(unsigned index)
{
    return source(VM_FILE_CONST, index);
}

struct vm_dst vm_build_address(void)
{
    return destination(VM_FILE_ADDR, 0, VM_MASK_ALL);
}

/* Reuses the definition of an equal literal. The comparison is of bits: -0 differs from 0, and a
 * NaN equals itself. */
struct vm_src vm_build_literal(struct vm_builder *b, float x, float y, float z, float w)
{
    struct vm_program *program = b->program;
    struct vm_definition def = {
        .file = VM_FILE_CONST, .index = VM_FIRST_LITERAL + program->n_def, .value.f = {x, y, z, w}};
    enum status st;

    for (uint32_t i = 0; i < program->n_def; i++) {
        if (!memcmp(&program->def[i].value, &def.value, sizeof(def.value)))
            return source(VM_FILE_CONST, program->def[i].index);
    }
    st = VM_FIRST_LITERAL + program->n_def < UINT16_MAX
             ? vm_grow((void **)&program->def, program->n_def, &b->max_def, sizeof(def))
             : ST_INVALID;
    if (st != ST_OK) {
        fail(b, st);
        return source(VM_FILE_CONST, VM_FIRST_LITERAL);
    }
    program->def[program->n_def++] = def;
    return source(VM_FILE_CONST, def.index);
}

/* --- Operand modifiers ------------------------------------------------------------------------ */

struct vm_src vm_swizzle(struct vm_src src, unsigned swizzle)
{
    unsigned old = src.swizzle;

    src.swizzle = 0;
    for (unsigned i = 0; i < 4; i++)
        src.swizzle |= (old >> 2 * (swizzle >> 2 * i & 3) & 3) << 2 * i;
    return src;
}

struct vm_src vm_neg(struct vm_src src)
{
    static const uint8_t negated[] = {
        [VM_MOD_NONE] = VM_MOD_NEG,     [VM_MOD_NEG] = VM_MOD_NONE,
        [VM_MOD_BIAS] = VM_MOD_BIASNEG, [VM_MOD_BIASNEG] = VM_MOD_BIAS,
        [VM_MOD_SIGN] = VM_MOD_SIGNNEG, [VM_MOD_SIGNNEG] = VM_MOD_SIGN,
        [VM_MOD_COMP] = VM_MOD_COMP,    [VM_MOD_X2] = VM_MOD_X2NEG,
        [VM_MOD_X2NEG] = VM_MOD_X2,     [VM_MOD_DZ] = VM_MOD_DZ,
        [VM_MOD_DW] = VM_MOD_DW,        [VM_MOD_ABS] = VM_MOD_ABSNEG,
        [VM_MOD_ABSNEG] = VM_MOD_ABS,   [VM_MOD_NOT] = VM_MOD_NOT,
    };

    src.modifier = negated[src.modifier];
    return src;
}

struct vm_src vm_abs(struct vm_src src)
{
    src.modifier = VM_MOD_ABS;
    return src;
}

struct vm_src vm_indexed(struct vm_src src, unsigned a0_component)
{
    src.rel_file = VM_FILE_ADDR;
    src.rel_component = a0_component & 3;
    return src;
}

struct vm_dst vm_to(struct vm_src reg, unsigned mask)
{
    return destination(reg.file, reg.index, mask);
}

struct vm_dst vm_mask(struct vm_dst dst, unsigned mask)
{
    dst.mask &= mask;
    return dst;
}

struct vm_dst vm_saturated(struct vm_dst dst)
{
    dst.saturate = true;
    return dst;
}

/* --- Instructions ----------------------------------------------------------------------------- */

static bool dst_is_good(const struct vm_builder *b, enum vm_op op, const struct vm_dst *dst)
{
    bool pixel = b->program->info.stage == VM_PIXEL;

    if (!dst->mask || dst->mask > VM_MASK_ALL)
        return false;
    switch (dst->file) {
    case VM_FILE_TEMP:
        return op != VM_OP_MOVA && dst->index < b->n_temps;
    case VM_FILE_ADDR:
        return op == VM_OP_MOVA;
    case VM_FILE_OUTPUT:
        return op != VM_OP_MOVA && !pixel && dst->index < b->n_outputs;
    case VM_FILE_COLOROUT:
    case VM_FILE_DEPTHOUT:
        return pixel;
    default:
        return false;
    }
}

static bool src_is_good(const struct vm_builder *b, const struct vm_src *src, bool sampler,
                        unsigned rows)
{
    const struct vm_program *program = b->program;
    unsigned end = src->index + rows;

    if (sampler)
        return src->file == VM_FILE_SAMPLER && src->index < VM_MAX_SAMPLERS;
    if (src->rel_file != VM_FILE_NONE &&
        (src->file != VM_FILE_CONST || program->info.stage != VM_VERTEX))
        return false;
    switch (src->file) {
    case VM_FILE_TEMP:
        return end <= b->n_temps;
    case VM_FILE_INPUT:
        return end <= b->n_inputs;
    case VM_FILE_MISC:
        return program->info.stage == VM_PIXEL;
    case VM_FILE_CONST: /* set by the draw, or a literal */
        return end <= VM_FIRST_LITERAL || (src->index >= VM_FIRST_LITERAL && rows == 1 &&
                                           end <= VM_FIRST_LITERAL + program->n_def);
    case VM_FILE_SYSTEM:
        return end <= VM_SYSTEM_COUNT;
    default:
        return false;
    }
}

static bool instr_is_good(const struct vm_builder *b, const struct vm_instr *instr)
{
    struct vm_version version = vm_program_version(b->program);
    bool texture = vm_op_info[instr->op].op_class == VM_CLASS_TEXTURE;

    if (!vm_op_exists(instr->op, &version) ||
        !(vm_op_sources(instr->op, &version) >> instr->n_src & 1))
        return false;
    if (!dst_is_good(b, instr->op, &instr->dst))
        return false;
    for (unsigned i = 0; i < instr->n_src; i++) {
        if (!src_is_good(b, &instr->src[i], texture && i == 1, vm_instr_src_rows(instr, i)))
            return false;
    }
    return true;
}

static void emit(struct vm_builder *b, unsigned op, unsigned control, struct vm_dst dst,
                 const struct vm_src *src, unsigned n_src)
{
    struct vm_instr instr = {.control = control,
                             .n_src = n_src,
                             .dst = dst,
                             .target = VM_NO_TARGET,
                             .predicate = source(VM_FILE_NONE, 0)};
    struct vm_program *program = b->program;
    enum status st = op < VM_OP_COUNT && vm_op_info[op].n_dst ? ST_OK : ST_INVALID;

    instr.op = op;
    for (unsigned i = 0; i < n_src; i++)
        instr.src[i] = src[i];
    if (st == ST_OK && !instr_is_good(b, &instr))
        st = ST_INVALID;
    if (st == ST_OK)
        st = vm_grow((void **)&program->instr, program->n_instr, &b->max_instr, sizeof(instr));
    if (st == ST_OK)
        program->instr[program->n_instr++] = instr;
    else
        fail(b, st);
}

void vm_emit1(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0)
{
    emit(b, op, 0, dst, &s0, 1);
}

void vm_emit2(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1)
{
    emit(b, op, 0, dst, (struct vm_src[]){s0, s1}, 2);
}

void vm_emit3(struct vm_builder *b, unsigned op, struct vm_dst dst, struct vm_src s0,
              struct vm_src s1, struct vm_src s2)
{
    emit(b, op, 0, dst, (struct vm_src[]){s0, s1, s2}, 3);
}

void vm_emit_texld(struct vm_builder *b, struct vm_dst dst, struct vm_src coord,
                   struct vm_src sampler, bool projected)
{
    emit(b, VM_OP_TEX, projected ? VM_TEX_PROJECT : VM_TEX_PLAIN, dst,
         (struct vm_src[]){coord, sampler}, 2);
}
