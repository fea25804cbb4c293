/* Pattern matching on code: see pattern_match.h. */
#include "vm/ir/pattern_match.h"
#include "util/sample.h"
#include "vm/ir/code.h"

#include <string.h>

/* Slot of a plain operand in work memory, or -1. */
static int slot_of(uint32_t arg)
{
    return arg & ~(uint32_t)VM_ARG_OFFSET ? -1 : (int)(arg / VM_LANE_BYTES);
}

static int input_slot(const struct vm_code *code, uint32_t arg)
{
    return slot_of(arg) >= 0 && arg < code->outputs_at ? slot_of(arg) : -1;
}

/* Slots of the texel's components until they are overwritten. */
struct texel {
    uint32_t at[4];
    bool used[4];
};

static int component_at(const struct texel *texel, uint32_t arg)
{
    for (int c = 0; c < 4; c++)
        if (texel->at[c] == arg)
            return c;
    return -1;
}

static void invalidate(struct texel *texel, uint32_t arg)
{
    for (unsigned c = 0; c < 4; c++)
        if (texel->at[c] == arg)
            texel->at[c] = (uint32_t)VM_ARG_NONE;
}

/* A store has the kernel of a move, unless it observes the lane mask. */
static bool is_move(const struct vm_ir_op *op)
{
    return op->opcode == VM_IR_MOV || op->opcode == VM_IR_STORE;
}

static bool match_sample(const struct vm_code *code, const struct vm_ir_op *op,
                         struct vm_modulate *out)
{
    int u, v;

    if (op->opcode != VM_IR_SAMPLE || op->n != 1 || op->arg[14] != LOD_IMPLICIT)
        return false;
    u = input_slot(code, op->arg[4]);
    v = input_slot(code, op->arg[5]);
    if (u < 0 || v < 0)
        return false;
    out->sampler = (uint8_t)op->arg[13];
    out->coord[0] = (uint16_t)u;
    out->coord[1] = (uint16_t)v;
    for (unsigned c = 0; c < 4; c++) {
        out->slot[c] = (int16_t)slot_of(op->arg[c]);
        out->factor[c] = -1;
        out->constant[c] = -1;
    }
    return true;
}

/* Matches one instance: a component of the texel, or its product with an input or a constant. */
static bool match_instance(const struct vm_code *code, const uint32_t *arg, unsigned n_src,
                           struct texel *texel, struct vm_modulate *out)
{
    int c = component_at(texel, arg[1]);
    uint32_t other = n_src == 2 ? arg[2] : (uint32_t)VM_ARG_NONE;

    if (c < 0 && n_src == 2) {
        c = component_at(texel, arg[2]);
        other = arg[1];
    }
    if (c < 0 || texel->used[c] || slot_of(arg[0]) < 0)
        return false;
    texel->used[c] = true;
    out->slot[c] = (int16_t)slot_of(arg[0]);
    invalidate(texel, arg[0]);
    if (n_src == 1)
        return true;
    out->factor[c] = (int16_t)input_slot(code, other);
    if (out->factor[c] < 0 && (other & ~(uint32_t)VM_ARG_OFFSET) == VM_ARG_UNIFORM)
        out->constant[c] = (int32_t)(other & (uint32_t)VM_ARG_OFFSET);
    return out->factor[c] >= 0 || out->constant[c] >= 0;
}

bool vm_code_match_modulate(const struct vm_code *code, struct vm_modulate *out)
{
    const struct vm_ir_op *op = code->op;
    struct texel texel = {{0}, {false}};

    if (!match_sample(code, op, out))
        return false;
    memcpy(texel.at, op->arg, sizeof(texel.at));
    for (op++; op->opcode != VM_IR_END; op++) {
        unsigned n_src = op->opcode == VM_IR_MUL ? 2 : is_move(op) ? 1 : 0;

        for (unsigned g = 0; n_src && g < op->n; g++)
            if (!match_instance(code, op->arg + g * (1 + n_src), n_src, &texel, out))
                return false;
        if (!n_src)
            return false;
    }
    for (unsigned c = 0; c < 4; c++) /* convert to output slots */
        out->slot[c] = (int16_t)(out->slot[c] - (int16_t)(code->outputs_at / VM_LANE_BYTES));
    return true;
}

/* --- Coordinates ------------------------------------------------------------------------------ */

static bool samples(const struct vm_ir_op *op, unsigned sampler)
{
    for (unsigned i = 0; i < op->n; i++)
        if (op->arg[i * VM_SAMPLE_WORDS + 13] == sampler)
            return true;
    return false;
}

bool vm_code_implicit_lod_inputs(const struct vm_code *code, unsigned sampler, uint64_t *slots)
{
    *slots = 0;
    for (const struct vm_ir_op *op = code->op; op < code->op + code->n_ops; op++) {
        if (op->opcode != VM_IR_SAMPLE || !samples(op, sampler) || op->arg[14] == LOD_EXPLICIT ||
            op->arg[14] == LOD_GRADIENT)
            continue;
        for (unsigned i = 4; i < 6; i++) {
            int slot = input_slot(code, op->arg[i]);

            if (slot < 0 || slot > 63 || op->arg[14] != LOD_IMPLICIT)
                return false;
            *slots |= UINT64_C(1) << slot;
        }
    }
    return true;
}

bool vm_code_is_cheap(const struct vm_code *code)
{
    enum { MAX_CHEAP_INSTANCES = 32 };
    unsigned n = 0;

    for (const struct vm_ir_op *op = code->op; op < code->op + code->n_ops; op++) {
        if (op->opcode == VM_IR_FLOW || op->opcode == VM_IR_SAMPLE)
            return false;
        n += op->n;
    }
    return n <= MAX_CHEAP_INSTANCES;
}

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Matches an operand as the input or the constant of component c. */
static bool match_operand(const struct vm_code *code, uint32_t arg, unsigned c,
                          struct vm_scaled_inputs *out)
{
    int input = input_slot(code, arg);

    if (input >= 0 && out->input[c] < 0)
        out->input[c] = (int16_t)input;
    else if ((arg & ~(uint32_t)VM_ARG_OFFSET) == VM_ARG_UNIFORM && out->constant[c] < 0)
        out->constant[c] = (int32_t)(arg & (uint32_t)VM_ARG_OFFSET);
    else
        return false;
    return true;
}

/* Matches one instance. */
static bool match_scaled(const struct vm_code *code, const uint32_t *arg, unsigned n_src,
                         const int16_t slot[4], struct vm_scaled_inputs *out)
{
    int to = slot_of(arg[0]) - (int)(code->outputs_at / VM_LANE_BYTES);
    unsigned c = 0;

    while (c < 4 && slot[c] != to)
        c++;
    if (to < 0 || c == 4 || out->input[c] >= 0 || out->constant[c] >= 0)
        return false;
    for (unsigned i = 1; i <= n_src; i++)
        if (!match_operand(code, arg[i], c, out))
            return false;
    return true;
}

bool vm_code_match_scaled_inputs(const struct vm_code *code, const int16_t slot[4],
                                 struct vm_scaled_inputs *out)
{
    const struct vm_ir_op *op = code->op;
    unsigned found = 0, saturated = 0;

    *out = (struct vm_scaled_inputs){{-1, -1, -1, -1}, {-1, -1, -1, -1}, false};
    for (; op->opcode != VM_IR_END; op++) {
        bool is_mul = op->opcode == VM_IR_MUL;
        unsigned n_src = is_mul ? 2 : 1;

        if (!is_mul && !is_move(op))
            return false;
        for (unsigned g = 0; g < op->n; g++)
            if (!match_scaled(code, op->arg + g * (1 + n_src), n_src, slot, out))
                return false;
        found += op->n;
        saturated += op->saturate ? op->n : 0;
    }
    out->saturated = saturated == 4;
    return found == 4 && (!saturated || out->saturated);
}

float vm_uniform_value(const void *uniforms, int32_t offset)
{
    float value;

    memcpy(&value, (const char *)uniforms + offset, sizeof(value));
    return value;
}
