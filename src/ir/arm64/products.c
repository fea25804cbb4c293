/* Products that may underflow. AArch64 flushes a product to zero if it is below 2^-126 before
 * rounding, x86 if it is below after rounding: a product that rounds up to 2^-126 differs. Code
 * corrects it (select.c, emit_product), unless the factors are too large for it.
 *
 * A correction takes five instructions, and hardly any product needs it. The processor notes each
 * flush in its status register. So a function that can run twice does so with plain products first,
 * and with corrections if anything was flushed (arm64.c).
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/select.h"

#include <string.h>

enum { LEAST_NORMAL = -126, LARGEST = 127 };

/* Of a constant. Denormals count as zeros, zeros do not matter. A power of two makes exact
 * products, which never round: it counts as large. */
static int least_of_constant(uint32_t bits)
{
    int exponent = (int)(bits >> 23 & 0xff);

    return !exponent || !(bits & 0x7fffff) ? LARGEST : exponent - 127;
}

static int lower(int a, int b)
{
    return a < b ? a : b;
}

static int least_of(const int16_t *least, const struct ir_inst *inst)
{
    int a = least[inst->arg[0]], b = least[inst->arg[1]], c = least[inst->arg[2]];

    switch (inst->op) {
    case IR_CONST:
        return least_of_constant(inst->imm);
    case IR_I2F:
    case IR_FFLOOR:
        return 0;
    case IR_UNORM: /* 1 / (2^n - 1) */
        return -(int)(inst->imm >> 5) - 1;
    case IR_H2F:
        return -24;
    case IR_FLOG2: /* of 1 - 2^-24: -2^-23.5 */
        return -30;
    case IR_FRSQ:
    case IR_FSQRT:
        return -65;
    case IR_FMUL:
        return a != LARGEST && b != LARGEST && a + b > LEAST_NORMAL ? a + b : LEAST_NORMAL;
    case IR_FNEG:
    case IR_FABS:
    case IR_QUAD:
    case IR_FIRST:
        return a;
    case IR_FMIN:
    case IR_FMAX:
        return lower(a, b);
    case IR_SELECT:
        return lower(b, c);
    default:
        return LEAST_NORMAL;
    }
}

void ir_arm64_find_least(int16_t *least, const struct ir_inst *inst, uint32_t n)
{
    least[0] = LEAST_NORMAL;
    for (uint32_t i = 1; i < n; i++)
        least[i] = (int16_t)least_of(least, &inst[i]);
}

bool ir_arm64_is_plain(const int16_t *least, const struct ir_inst *inst)
{
    return least[inst->arg[0]] + least[inst->arg[1]] >= LEAST_NORMAL;
}

bool ir_arm64_corrects(const int16_t *least, const struct ir_inst *inst, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if ((inst[i].op == IR_FMUL || inst[i].op == IR_FMUL0) &&
            !ir_arm64_is_plain(least, &inst[i]))
            return true;
    return false;
}

/* --- Functions that can run twice ------------------------------------------------------------- */

/* Bytes at a base. */
struct range {
    uint64_t begin, end;
};

static struct range range_of(const struct ir_inst *inst)
{
    uint64_t bytes = sizeof(uint32_t[IR_LANES]);

    switch (inst->op) {
    case IR_LOAD:
    case IR_STORE:
        break;
    case IR_MLOAD:
    case IR_MSTORE:
        bytes = sizeof(uint64_t);
        break;
    case IR_UNIFORM:
    case IR_USTORE:
        bytes = sizeof(uint32_t);
        break;
    default: /* at offsets of lanes */
        return (struct range){0, UINT64_MAX};
    }
    return (struct range){inst->imm, inst->imm + bytes};
}

static void extend(struct range *range, struct range by)
{
    if (range->begin == range->end)
        *range = by;
    range->begin = by.begin < range->begin ? by.begin : range->begin;
    range->end = by.end > range->end ? by.end : range->end;
}

bool ir_arm64_can_repeat(const struct ir_inst *inst, uint32_t n, bool calls_repeat)
{
    struct range read[IR_BASES], stored[IR_BASES];

    memset(read, 0, sizeof(read));
    memset(stored, 0, sizeof(stored));
    for (uint32_t i = 1; i < n; i++) {
        unsigned op_class = ir_op_info[inst[i].op].op_class;

        if ((op_class == IR_CLASS_CALL && !calls_repeat) || inst[i].op == IR_F2H)
            return false;
        if (op_class == IR_CLASS_READ)
            extend(&read[inst[i].base], range_of(&inst[i]));
        else if (op_class == IR_CLASS_WRITE)
            extend(&stored[inst[i].base], range_of(&inst[i]));
    }
    for (unsigned b = 0; b < IR_BASES; b++)
        if (read[b].begin < stored[b].end && stored[b].begin < read[b].end)
            return false;
    return true;
}
