/* Pattern matching on code: see pattern_match.h. */
#include "vm/ir/pattern_match.h"
#include "util/sample.h"
#include "vm/ir/code.h"

#include <string.h>

enum { ONE = 0x3f800000 };

/* The body before the multiply-zero rule was expanded. */
struct function {
    const struct vm_code *code;
    const struct ir_inst *inst;
    uint32_t n;
};

static struct function function_of(const struct vm_code *code)
{
    struct function f = {.code = code};

    f.inst = ir_insts(code->body, &f.n);
    return f;
}

static bool multiplies(const struct ir_inst *inst)
{
    return inst->op == IR_FMUL0 || inst->op == IR_FMUL;
}

static bool is_constant(const struct function *f, ir_ref ref, uint32_t bits)
{
    return f->inst[ref].op == IR_CONST && f->inst[ref].imm == bits;
}

/* The operand of a saturation, min(max(x, 0), 1); 0 if ref is none. */
static ir_ref operand_of_saturation(const struct function *f, ir_ref ref)
{
    const struct ir_inst *min = &f->inst[ref], *max = &f->inst[min->arg[0]];

    if (min->op != IR_FMIN || max->op != IR_FMAX || !is_constant(f, min->arg[1], ONE) ||
        !is_constant(f, max->arg[1], 0))
        return 0;
    return max->arg[0];
}

/* Slot of an input, or -1. */
static int input_slot(const struct function *f, ir_ref ref)
{
    const struct ir_inst *inst = &f->inst[ref];

    return inst->op == IR_LOAD && inst->base == VM_BASE_INPUTS ? (int)(inst->imm / VM_LANE_BYTES)
                                                               : -1;
}

/* Place of a value of a draw among the uniforms, or -1. */
static int32_t uniform_place(const struct function *f, ir_ref ref)
{
    const struct ir_inst *inst = &f->inst[ref];

    if (inst->op == IR_UNIFORM && inst->base == VM_BASE_UNIFORMS)
        return (int32_t)inst->imm;
    if (inst->op == IR_UNIFORM && inst->base == VM_BASE_HOISTED)
        return (int32_t)(f->code->hoisted_at + inst->imm);
    for (uint32_t i = 0; inst->op == IR_CONST && i < f->code->n_scalars; i++)
        if (f->code->scalar[i].from == VM_FROM_LITERAL && f->code->scalar[i].component == inst->imm)
            return (int32_t)(i * sizeof(uint32_t));
    return -1;
}

/* Output slot that an instruction stores to, or -1. */
static int output_slot(const struct ir_inst *inst)
{
    return inst->op == IR_STORE && inst->base == VM_BASE_OUTPUTS ? (int)(inst->imm / VM_LANE_BYTES)
                                                                 : -1;
}

/* True for an instruction that changes something but an output. */
static bool has_other_effect(const struct ir_inst *inst)
{
    return ir_op_info[inst->op].op_class >= IR_CLASS_WRITE && output_slot(inst) < 0;
}

/* --- A texel times factors -------------------------------------------------------------------- */

/* The only sample of the code, of one texture at two unmodified inputs. */
static bool match_sample(const struct vm_code *code, struct vm_modulate *out)
{
    const struct vm_sample_op *sample = code->sample;

    if (code->n_samples != 1 || sample->n != 1 || sample->lod_mode != LOD_IMPLICIT ||
        sample->coord[0] >= code->outputs_at || sample->coord[1] >= code->outputs_at)
        return false;
    out->sampler = sample->sampler[0];
    for (unsigned i = 0; i < 2; i++)
        out->coord[i] = (uint16_t)(sample->coord[i] / VM_LANE_BYTES);
    for (unsigned c = 0; c < 4; c++) {
        out->slot[c] = out->factor[c] = -1;
        out->constant[c] = -1;
    }
    return true;
}

/* Component of the texel that a value is, or -1. */
static int texel_component(const struct function *f, ir_ref ref)
{
    const struct ir_inst *inst = &f->inst[ref];

    for (int c = 0; inst->op == IR_LOAD && inst->base == VM_BASE_TEXELS && c < 4; c++)
        if (f->code->sample->texel[0][c] == inst->imm)
            return c;
    return -1;
}

/* Matches an output: a component of the texel, or its product with an input or a constant. */
static bool match_component(const struct function *f, const struct ir_inst *store,
                            struct vm_modulate *out)
{
    ir_ref value = store->arg[0], saturated = operand_of_saturation(f, value), factor = 0;
    const struct ir_inst *inst;
    int c;

    value = saturated ? saturated : value;
    inst = &f->inst[value];
    c = texel_component(f, value);
    for (unsigned k = 0; c < 0 && multiplies(inst) && k < 2; k++) {
        c = texel_component(f, inst->arg[k]);
        factor = inst->arg[1 - k];
    }
    if (c < 0 || out->slot[c] >= 0)
        return false;
    out->slot[c] = (int16_t)output_slot(store);
    if (!factor)
        return true;
    out->factor[c] = (int16_t)input_slot(f, factor);
    if (out->factor[c] < 0)
        out->constant[c] = uniform_place(f, factor);
    return out->factor[c] >= 0 || out->constant[c] >= 0;
}

bool vm_code_match_modulate(const struct vm_code *code, struct vm_modulate *out)
{
    struct function f = function_of(code);
    unsigned n_calls = 0;

    if (!match_sample(code, out))
        return false;
    for (ir_ref ref = 1; ref < f.n; ref++) {
        bool is_call = f.inst[ref].op == IR_CALL;

        n_calls += is_call;
        if (!is_call && has_other_effect(&f.inst[ref]))
            return false;
        if (output_slot(&f.inst[ref]) >= 0 && !match_component(&f, &f.inst[ref], out))
            return false;
    }
    return n_calls == 1;
}

/* --- Coordinates ------------------------------------------------------------------------------ */

static bool samples(const struct vm_sample_op *op, unsigned sampler)
{
    for (unsigned i = 0; i < op->n; i++)
        if (op->sampler[i] == sampler)
            return true;
    return false;
}

bool vm_code_implicit_lod_inputs(const struct vm_code *code, unsigned sampler, uint64_t *slots)
{
    *slots = 0;
    for (uint32_t s = 0; s < code->n_samples; s++) {
        const struct vm_sample_op *op = &code->sample[s];

        if (!samples(op, sampler) || op->lod_mode == LOD_EXPLICIT || op->lod_mode == LOD_GRADIENT)
            continue;
        for (unsigned i = 0; i < 2; i++) {
            uint32_t slot = op->coord[i] / VM_LANE_BYTES;

            if (op->coord[i] >= code->outputs_at || slot > 63 || op->lod_mode != LOD_IMPLICIT)
                return false;
            *slots |= UINT64_C(1) << slot;
        }
    }
    return true;
}

bool vm_code_is_cheap(const struct vm_code *code)
{
    enum { MAX_CHEAP_OPERATIONS = 64 };
    struct function f = function_of(code);
    unsigned n = 0;

    for (ir_ref ref = 1; ref < f.n; ref++) {
        unsigned op_class = ir_op_info[f.inst[ref].op].op_class;

        if (op_class == IR_CLASS_FLOW || op_class == IR_CLASS_CALL)
            return false;
        n += op_class <= IR_CLASS_COMMUTES && f.inst[ref].op != IR_CONST;
    }
    return n <= MAX_CHEAP_OPERATIONS;
}

/* --- Inputs ----------------------------------------------------------------------------------- */

/* True if a value of the draw lies in [0, 1] whatever the constants are. */
static bool is_saturated_constant(const struct function *f, ir_ref ref)
{
    const struct ir_inst *inst = &f->inst[ref];
    struct function preamble = {.code = f->code};

    if (inst->op == IR_CONST)
        return inst->imm <= ONE;
    preamble.inst = ir_insts(f->code->preamble, &preamble.n);
    for (ir_ref at = 1; inst->base == VM_BASE_HOISTED && at < preamble.n; at++)
        if (preamble.inst[at].op == IR_USTORE && preamble.inst[at].imm == inst->imm)
            return operand_of_saturation(&preamble, preamble.inst[at].arg[0]) != 0;
    return false;
}

/* Matches an operand as the input or the constant of component c. */
static bool match_operand(const struct function *f, ir_ref ref, unsigned c,
                          struct vm_scaled_inputs *out)
{
    int input = input_slot(f, ref);
    int32_t constant = uniform_place(f, ref);

    if (input >= 0 && out->input[c] < 0)
        out->input[c] = (int16_t)input;
    else if (constant >= 0 && out->constant[c] < 0)
        out->constant[c] = constant;
    else
        return false;
    return true;
}

/* Matches an output. *saturated: 1 if it is saturated, 0 if not; unchanged if that is the same. */
static bool match_scaled(const struct function *f, const struct ir_inst *store,
                         const int16_t slot[4], struct vm_scaled_inputs *out, int saturated[4])
{
    ir_ref value = store->arg[0], inner = operand_of_saturation(f, value);
    const struct ir_inst *inst = &f->inst[inner ? inner : value];
    unsigned c = 0;

    while (c < 4 && slot[c] != output_slot(store))
        c++;
    if (c == 4 || out->input[c] >= 0 || out->constant[c] >= 0)
        return false;
    saturated[c] = inner != 0;
    if (!inner && uniform_place(f, value) >= 0 && is_saturated_constant(f, value))
        saturated[c] = -1;
    if (!multiplies(inst))
        return match_operand(f, inner ? inner : value, c, out);
    return match_operand(f, inst->arg[0], c, out) && match_operand(f, inst->arg[1], c, out);
}

bool vm_code_match_scaled_inputs(const struct vm_code *code, const int16_t slot[4],
                                 struct vm_scaled_inputs *out)
{
    struct function f = function_of(code);
    int saturated[4] = {-1, -1, -1, -1};
    unsigned found = 0;

    *out = (struct vm_scaled_inputs){{-1, -1, -1, -1}, {-1, -1, -1, -1}, false};
    for (ir_ref ref = 1; ref < f.n; ref++) {
        if (has_other_effect(&f.inst[ref]))
            return false;
        if (output_slot(&f.inst[ref]) < 0)
            continue;
        if (!match_scaled(&f, &f.inst[ref], slot, out, saturated))
            return false;
        found++;
    }
    for (unsigned c = 0; c < 4; c++)
        out->saturated |= saturated[c] == 1;
    for (unsigned c = 0; c < 4; c++)
        if (saturated[c] >= 0 && saturated[c] != out->saturated)
            return false;
    return found == 4;
}

float vm_uniform_value(const void *uniforms, int32_t place)
{
    float value;

    memcpy(&value, (const char *)uniforms + place, sizeof(value));
    return value;
}
