/* Register access during lowering: sources to values, destinations to vregs.
 *
 * Tested by tests/unit/vm/lower/test_alu.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

/* --- Sources ---------------------------------------------------------------------------------- */

static ir_ref input(struct lower *l, unsigned file, unsigned reg, unsigned c)
{
    int slot = vm_program_input_slot(l->program, file, reg, c);

    if (slot < 0)
        return vm_literal(l, 0.0f);
    return ir_emit_mem(l->ir, IR_LOAD, VM_BASE_INPUTS, (uint32_t)slot * VM_LANE_BYTES, 0, 0, 0);
}

ir_ref vm_lower_coord(struct lower *l, unsigned stage, unsigned c)
{
    return input(l, VM_FILE_TEXTURE, stage, c);
}

/* --- Relative addressing ---------------------------------------------------------------------- */

/* The register number of an indexed operand, one beyond the last if it is out of range. limit:
 * number of registers. */
static ir_ref register_number(struct lower *l, unsigned rel_file, unsigned rel_component,
                              unsigned reg, uint32_t limit)
{
    ir_ref index = l->al;

    if (rel_file != VM_FILE_LOOP)
        index = vm_op1(l, IR_F2I, vm_lower_get(l, l->vreg_address + rel_component));
    index = vm_op2(l, IR_IADD, index, ir_const_i32(l->ir, (int32_t)reg));
    /* negative numbers are large ones */
    return vm_op2(l, IR_UMIN, index, ir_const_i32(l->ir, (int32_t)limit));
}

static ir_ref shifted(struct lower *l, ir_ref x, unsigned bits)
{
    return ir_emit(l->ir, IR_ISHL, x, 0, 0, bits);
}

/* Four words of a table at a byte offset per lane. Usually all lanes have one offset: vertices next
 * to each other belong to one bone. Words that nothing reads are dead code. */
static void look_up(struct lower *l, unsigned base, uint32_t at, ir_ref offset, ir_ref word[4])
{
    ir_ref first = vm_op1(l, IR_FIRST, offset), same, all, slow[4];

    for (unsigned c = 0; c < 4; c++)
        word[c] = ir_emit_mem(l->ir, IR_LOAD_AT, base, at + 4 * c, offset, 0, 0);
    if (first == offset)
        return;
    same = vm_op2(l, IR_IEQ, offset, first);
    all = ir_emit(l->ir, IR_MCONST, 0, 0, 0, 1);
    ir_if(l->ir, vm_op1(l, IR_MNOT, same));
    for (unsigned c = 0; c < 4; c++)
        slow[c] = ir_emit_mem(l->ir, IR_GATHER, base, at + 4 * c, offset, all, 0);
    ir_endif(l->ir);
    for (unsigned c = 0; c < 4; c++)
        word[c] = ir_phi(l->ir, slow[c], word[c]);
}

/* The register of an indexed constant. Components are read one after another, and rows of a matrix
 * several times, so the last ones are kept. */
static ir_ref indexed_constant(struct lower *l, const struct vm_src *src, unsigned reg,
                               unsigned component)
{
    enum { KEPT = sizeof(l->indexed) / sizeof(l->indexed[0]) };
    struct indexed *kept;
    ir_ref number;

    l->code->n_constants = l->program->info.float_constants;
    number = register_number(l, src->rel_file, src->rel_component, reg, l->code->n_constants);
    for (unsigned i = 0; i < KEPT; i++)
        if (l->indexed[i].number == number && l->indexed[i].n_flow == l->n_flow)
            return l->indexed[i].word[component];
    kept = &l->indexed[l->n_indexed++ % KEPT];
    look_up(l, VM_BASE_CONSTANTS, 0, shifted(l, number, 4), kept->word);
    kept->number = number;
    kept->n_flow = l->n_flow;
    return kept->word[component];
}

/* The byte offset of an indexed register's component for each lane, from a table of slots.
 * Registers that do not exist are at the lane itself of slot 0; *exists tells. */
static ir_ref indexed_slot(struct lower *l, uint32_t table, ir_ref number, unsigned component,
                           ir_ref *exists)
{
    ir_ref lane = shifted(l, ir_emit(l->ir, IR_LANE, 0, 0, 0, 0), 2), slot[4];

    look_up(l, VM_BASE_SLOTS, table, shifted(l, number, 4), slot);
    *exists = vm_op2(l, IR_ILT, ir_const_i32(l->ir, -1), slot[component]);
    return vm_op2(l, IR_IADD, shifted(l, slot[component], 8), lane);
}

static ir_ref indexed_input(struct lower *l, const struct vm_src *src, unsigned reg,
                            unsigned component)
{
    ir_ref number = register_number(l, src->rel_file, src->rel_component, reg, VM_SLOT_REGISTERS),
           exists, at;

    at = indexed_slot(l, VM_INPUT_SLOTS_AT, number, component, &exists);
    return ir_emit_mem(l->ir, IR_GATHER, VM_BASE_INPUTS, 0, at, exists, 0);
}

static void write_indexed_output(struct lower *l, const struct vm_instr *in, unsigned c, ir_ref ref,
                                 ir_ref predicate)
{
    ir_ref number, at, exists;

    number = register_number(l, in->dst.rel_file, in->dst.rel_component, in->dst.index,
                             VM_SLOT_REGISTERS);
    at = indexed_slot(l, VM_OUTPUT_SLOTS_AT, number, c, &exists);
    exists = vm_op2(l, IR_MAND, exists, l->exec);
    if (predicate)
        exists = vm_op2(l, IR_MAND, exists, predicate);
    ir_emit_mem(l->ir, IR_SCATTER, VM_BASE_OUTPUTS, 0, at, ref, exists);
}

/* --- Registers -------------------------------------------------------------------------------- */

/* Constants that the program defines become literals. */
static ir_ref constant(struct lower *l, unsigned reg, unsigned component)
{
    float x;

    if (reg >= l->n_def_of || !l->def_of[reg])
        return vm_scalar(l, VM_FROM_FLOAT, reg, component);
    x = l->program->def[l->def_of[reg] - 1].value.f[component];
    if (l->is_ps1) /* reference: shader/ps1-constants; a NaN passes */
        x = x < -1.0f ? -1.0f : x > 1.0f ? 1.0f : x;
    return vm_literal(l, x);
}

ir_ref vm_lower_register(struct lower *l, const struct vm_src *src, unsigned row,
                         unsigned component)
{
    unsigned reg = src->index + row;

    if (src->rel_file != VM_FILE_NONE)
        return src->file == VM_FILE_CONST ? indexed_constant(l, src, reg, component)
                                          : indexed_input(l, src, reg, component);
    switch (src->file) {
    case VM_FILE_TEMP:
        if (reg * 4 + component >= l->vreg_texture)
            return vm_literal(l, 0.0f);
        return l->takes_gradient ? vm_lower_all_lanes(l, reg * 4 + component)
                                 : vm_lower_get(l, reg * 4 + component);
    case VM_FILE_CONST:
        return constant(l, reg, component);
    case VM_FILE_SYSTEM:
        return vm_scalar(l, VM_FROM_SYSTEM, reg, component);
    case VM_FILE_TEXTURE:
        /* Up to ps_1_3 t# is a register that texture instructions write; later it is an input. */
        if (l->is_ps1 && l->rank < 14)
            return vm_lower_get(l, l->vreg_texture + reg % 8 * 4 + component);
        return input(l, src->file, reg, component);
    case VM_FILE_ADDR:
        return vm_lower_get(l, l->vreg_address + component);
    case VM_FILE_INPUT:
        return input(l, src->file, reg, component);
    case VM_FILE_MISC: /* vFace has the same value in all components */
        return input(l, src->file, reg, reg == 1 ? 0 : component);
    default:
        return vm_literal(l, 0.0f);
    }
}

/* Applies source modifiers (reference: shader/modifiers). Texture instructions handle _dz and _dw.
 */
static ir_ref modified(struct lower *l, ir_ref ref, unsigned modifier)
{
    switch (modifier) {
    case VM_MOD_NEG:
        return vm_neg(l, ref);
    case VM_MOD_ABS:
        return vm_abs(l, ref);
    case VM_MOD_ABSNEG:
        return vm_neg(l, vm_abs(l, ref));
    case VM_MOD_BIAS:
    case VM_MOD_BIASNEG:
        ref = vm_sub(l, ref, vm_literal(l, 0.5f));
        return modifier == VM_MOD_BIASNEG ? vm_neg(l, ref) : ref;
    case VM_MOD_SIGN:
    case VM_MOD_SIGNNEG: /* 2 * s is exact, so this equals 2 * (s - 1/2) in every bit */
        ref = vm_mad(l, ref, vm_literal(l, 2.0f), vm_literal(l, -1.0f));
        return modifier == VM_MOD_SIGNNEG ? vm_neg(l, ref) : ref;
    case VM_MOD_COMP:
        return vm_sub(l, vm_literal(l, 1.0f), ref);
    case VM_MOD_X2:
    case VM_MOD_X2NEG:
        ref = vm_add(l, ref, ref);
        return modifier == VM_MOD_X2NEG ? vm_neg(l, ref) : ref;
    default:
        return ref;
    }
}

ir_ref vm_lower_operand(struct lower *l, const struct vm_src *src, unsigned row, unsigned c)
{
    unsigned component = src->swizzle >> (2 * c) & 3;

    return modified(l, vm_lower_register(l, src, row, component), src->modifier);
}

ir_ref vm_lower_src(struct lower *l, const struct vm_instr *in, unsigned s, unsigned c)
{
    return vm_lower_operand(l, &in->src[s], 0, c);
}

ir_ref vm_lower_predicate(struct lower *l, const struct vm_src *predicate, unsigned c)
{
    ir_ref mask = vm_lower_get(l, l->vreg_predicate + (predicate->swizzle >> (2 * c) & 3));

    return predicate->modifier == VM_MOD_NOT ? vm_op1(l, IR_MNOT, mask) : mask;
}

/* --- Destinations ----------------------------------------------------------------------------- */

int64_t vm_lower_destination(const struct lower *l, unsigned file, unsigned reg, unsigned c)
{
    int slot;

    switch (file) {
    case VM_FILE_TEMP:
        return reg * 4 + c < l->vreg_texture ? (int64_t)(reg * 4 + c) : -1;
    case VM_FILE_ADDR:
        return l->vreg_address + c;
    case VM_FILE_TEXTURE:
        return l->is_ps1 ? (int64_t)(l->vreg_texture + reg % 8 * 4 + c) : -1;
    default:
        slot = vm_program_output_slot(l->program, file, reg, c);
        return slot < 0 ? -1 : (int64_t)l->vreg_output + slot;
    }
}

static void defer_write(struct lower *l, int64_t vreg, ir_ref ref)
{
    if (vreg >= 0 && l->n_pending < sizeof(l->pending) / sizeof(l->pending[0]))
        l->pending[l->n_pending++] = (struct pending){(uint32_t)vreg, ref};
}

void vm_lower_write(struct lower *l, const struct vm_instr *in, unsigned c, ir_ref ref)
{
    ir_ref predicate = in->predicated ? vm_lower_predicate(l, &in->predicate, c) : 0;
    int64_t vreg;

    if (in->dst.rel_file != VM_FILE_NONE) {
        write_indexed_output(l, in, c, ref, predicate);
        return;
    }
    vreg = vm_lower_destination(l, in->dst.file, in->dst.index, c);
    if (predicate && vreg >= 0)
        ref = vm_bool(l, predicate, ref, vm_lower_get(l, (uint32_t)vreg));
    defer_write(l, vreg, ref);
}

/* Saturation and shift of an instruction. */
static struct dst_mod dst_mod(const struct vm_instr *in)
{
    static const float scale[] = {1, 2, 4, 8};
    int shift = in->dst.shift < -3 ? -3 : in->dst.shift > 3 ? 3 : in->dst.shift;

    return (struct dst_mod){
        .saturate = in->dst.saturate,
        .scale = shift < 0 ? 1.0f / scale[-shift] : scale[shift],
    };
}

void vm_lower_write_result(struct lower *l, const struct vm_instr *in, unsigned c, ir_ref ref)
{
    struct dst_mod modifier = dst_mod(in);

    if (modifier.scale != 1.0f)
        ref = vm_mul(l, ref, vm_literal(l, modifier.scale));
    vm_lower_write(l, in, c, modifier.saturate ? vm_saturate(l, ref) : ref);
}

void vm_lower_write_output(struct lower *l, unsigned file, unsigned reg, unsigned c, ir_ref ref)
{
    defer_write(l, vm_lower_destination(l, file, reg, c), ref);
}

void vm_lower_commit(struct lower *l)
{
    for (uint32_t i = 0; i < l->n_pending; i++)
        vm_lower_set(l, l->pending[i].vreg, l->pending[i].ref);
    l->n_pending = 0;
}
