/* Register access during lowering: sources to IR references, destinations to vregs.
 *
 * Tested by tests/unit/vm/lower/test_alu.c and tests/unit/vm/lower/test_lower.c. */
#include "vm/lower/passes.h"

/* --- Sources ---------------------------------------------------------------------------------- */

static uint32_t input(struct lower *l, unsigned file, unsigned reg, unsigned c)
{
    int slot = vm_program_input_slot(l->program, file, reg, c);

    return slot < 0 ? vm_lower_literal(l, 0.0f) : REF_INPUT | (uint32_t)slot;
}

uint32_t vm_lower_coord(struct lower *l, unsigned stage, unsigned c)
{
    return input(l, VM_FILE_TEXTURE, stage, c);
}

static uint32_t indexed(struct lower *l, const struct vm_src *src, unsigned reg, unsigned component)
{
    bool is_constant = src->file == VM_FILE_CONST;
    uint32_t at;

    l->indexes_constants |= is_constant;
    if (src->rel_file == VM_FILE_LOOP) /* all lanes share aL */
        return vm_lower_emit(l, is_constant ? VM_IR_CONST_LOOP : VM_IR_INPUT_LOOP, NULL,
                             reg * 4 + component, NULL);
    at = l->current_def[l->vreg_address + src->rel_component];
    return vm_lower_emit(l, is_constant ? VM_IR_CONST : VM_IR_INPUT, &at, reg * 4 + component,
                         NULL);
}

/* Constants that the program defines become literals. */
static uint32_t constant(struct lower *l, unsigned reg, unsigned component)
{
    float x;

    if (reg >= l->n_def_of || !l->def_of[reg])
        return vm_lower_scalar(l, VM_FROM_FLOAT, reg, component);
    x = l->program->def[l->def_of[reg] - 1].value.f[component];
    if (l->is_ps1) /* reference: shader/ps1-constants; a NaN passes */
        x = x < -1.0f ? -1.0f : x > 1.0f ? 1.0f : x;
    return vm_lower_literal(l, x);
}

uint32_t vm_lower_register(struct lower *l, const struct vm_src *src, unsigned row,
                           unsigned component)
{
    unsigned reg = src->index + row;

    if (src->rel_file != VM_FILE_NONE)
        return indexed(l, src, reg, component);
    switch (src->file) {
    case VM_FILE_TEMP:
        return reg * 4 + component < l->vreg_texture ? l->current_def[reg * 4 + component]
                                                     : vm_lower_literal(l, 0.0f);
    case VM_FILE_CONST:
        return constant(l, reg, component);
    case VM_FILE_SYSTEM:
        return vm_lower_scalar(l, VM_FROM_SYSTEM, reg, component);
    case VM_FILE_TEXTURE:
        /* Up to ps_1_3 t# is a register that texture instructions write; later it is an input. */
        if (l->is_ps1 && l->rank < 14)
            return l->current_def[l->vreg_texture + reg % 8 * 4 + component];
        return input(l, src->file, reg, component);
    case VM_FILE_ADDR:
        return l->current_def[l->vreg_address + component];
    case VM_FILE_INPUT:
        return input(l, src->file, reg, component);
    case VM_FILE_MISC: /* vFace has the same value in all components */
        return input(l, src->file, reg, reg == 1 ? 0 : component);
    default:
        return vm_lower_literal(l, 0.0f);
    }
}

/* Applies source modifiers (reference: shader/modifiers). Texture instructions handle _dz and
 * _dw. */
static uint32_t modified(struct lower *l, uint32_t ref, unsigned modifier)
{
    uint32_t half, one, minus_one;

    switch (modifier) {
    case VM_MOD_NEG:
        return ref_neg(ref);
    case VM_MOD_ABS:
        return ref_abs(ref);
    case VM_MOD_ABSNEG:
        return ref_neg(ref_abs(ref));
    case VM_MOD_BIAS:
    case VM_MOD_BIASNEG:
        half = vm_lower_literal(l, 0.5f);
        ref = vm_lower_emit2(l, VM_IR_SUB, ref, half);
        return modifier == VM_MOD_BIASNEG ? ref_neg(ref) : ref;
    case VM_MOD_SIGN:
    case VM_MOD_SIGNNEG: /* 2 * s is exact, so this equals 2 * (s - 1/2) in every bit */
        minus_one = vm_lower_literal(l, -1.0f);
        ref = vm_lower_emit3(l, VM_IR_MAD, ref, vm_lower_literal(l, 2.0f), minus_one);
        return modifier == VM_MOD_SIGNNEG ? ref_neg(ref) : ref;
    case VM_MOD_COMP:
        one = vm_lower_literal(l, 1.0f);
        return vm_lower_emit2(l, VM_IR_SUB, one, ref);
    case VM_MOD_X2:
    case VM_MOD_X2NEG:
        ref = vm_lower_emit2(l, VM_IR_ADD, ref, ref);
        return modifier == VM_MOD_X2NEG ? ref_neg(ref) : ref;
    default:
        return ref;
    }
}

uint32_t vm_lower_operand(struct lower *l, const struct vm_src *src, unsigned row, unsigned c)
{
    unsigned component = src->swizzle >> (2 * c) & 3;

    return modified(l, vm_lower_register(l, src, row, component), src->modifier);
}

uint32_t vm_lower_src(struct lower *l, const struct vm_instr *in, unsigned s, unsigned c)
{
    return vm_lower_operand(l, &in->src[s], 0, c);
}

uint32_t vm_lower_predicate(const struct vm_src *predicate, unsigned c)
{
    uint32_t component = predicate->swizzle >> (2 * c) & 3;

    return VM_PRED_ON | component | (predicate->modifier == VM_MOD_NOT ? VM_PRED_NOT : 0);
}

/* --- Destinations ----------------------------------------------------------------------------- */

/* Vreg of a component of a destination, or -1. */
static int64_t destination(const struct lower *l, unsigned file, unsigned reg, unsigned c)
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

static void defer_write(struct lower *l, int64_t vreg, uint32_t ref)
{
    if (vreg >= 0 && l->n_pending < sizeof(l->pending) / sizeof(l->pending[0]))
        l->pending[l->n_pending++] = (struct pending){(uint32_t)vreg, ref};
}

void vm_lower_write(struct lower *l, const struct vm_instr *in, unsigned c, uint32_t ref)
{
    uint32_t predicate = in->predicated ? vm_lower_predicate(&in->predicate, c) : 0;
    int64_t vreg;

    if (in->dst.rel_file != VM_FILE_NONE) {
        bool by_loop = in->dst.rel_file == VM_FILE_LOOP;
        uint32_t words[] = {l->current_def[l->vreg_address + in->dst.rel_component], ref,
                            (uint32_t)in->dst.index * 4 + c + (predicate << 16)};

        vm_lower_instance(l, by_loop ? VM_IR_SCATTER_LOOP : VM_IR_SCATTER, words + by_loop);
        return;
    }
    vreg = destination(l, in->dst.file, in->dst.index, c);
    if (predicate && vreg >= 0) {
        uint32_t src[] = {ref, l->current_def[vreg]};

        ref = vm_lower_emit(l, VM_IR_SELECT, src, predicate, NULL);
    }
    defer_write(l, vreg, ref);
}

struct dst_mod vm_lower_dst_mod(const struct vm_instr *in)
{
    static const float scale[] = {1, 2, 4, 8};
    int shift = in->dst.shift < -3 ? -3 : in->dst.shift > 3 ? 3 : in->dst.shift;

    return (struct dst_mod){
        .saturate = in->dst.saturate,
        .scale = shift < 0 ? 1.0f / scale[-shift] : scale[shift],
    };
}

void vm_lower_write_copy(struct lower *l, const struct vm_instr *in, unsigned c, uint32_t ref)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);

    if (dst_mod.saturate || dst_mod.scale != 1.0f)
        ref = vm_lower_emit(l, VM_IR_MOV, &ref, 0, &dst_mod);
    vm_lower_write(l, in, c, ref);
}

void vm_lower_write_output(struct lower *l, unsigned file, unsigned reg, unsigned c, uint32_t ref)
{
    defer_write(l, destination(l, file, reg, c), ref);
}

void vm_lower_commit(struct lower *l)
{
    for (uint32_t i = 0; i < l->n_pending; i++)
        l->current_def[l->pending[i].vreg] = l->pending[i].ref;
    l->n_pending = 0;
}
