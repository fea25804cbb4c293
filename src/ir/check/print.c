/* Prints functions:
 *
 *     %1 = load b0[256]
 *     %2 = const 0x3f800000
 *     %3 = fadd %1, %2
 *     store b0[512], %3
 *
 * Tested by tests/unit/ir/check/test_print.c. */
#include "ir/check/check.h"

#include <ctype.h>
#include <inttypes.h>

static void print_name(const char *name, FILE *out)
{
    for (; *name; name++)
        fputc(tolower((unsigned char)*name), out);
}

static void print_operands(const struct ir_inst *inst, FILE *out)
{
    const struct ir_op_info *info = &ir_op_info[inst->op];
    const char *separator = " ";

    if (info->op_class == IR_CLASS_READ || info->op_class == IR_CLASS_WRITE) {
        fprintf(out, " b%u[%" PRIu32 "]", inst->base, inst->imm);
        separator = ", ";
    }
    for (unsigned k = 0; k < info->n_args; k++, separator = ", ")
        fprintf(out, "%s%%%" PRIu32, separator, inst->arg[k]);
    if (ir_has_number((enum ir_op)inst->op))
        fprintf(out, inst->op == IR_CONST ? "%s0x%" PRIx32 : "%s%" PRIu32, separator, inst->imm);
    if (inst->op == IR_IF && inst->imm)
        fputs(" rarely", out);
    if (inst->op == IR_LOOP && inst->imm)
        fputs(" uniform", out);
}

void ir_print(const struct ir *ir, FILE *out)
{
    uint32_t n, depth = 0;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (ir_ref ref = 1; ref < n; ref++) {
        unsigned op = inst[ref].op;

        depth -= (op == IR_ENDIF || op == IR_ENDLOOP) && depth;
        fprintf(out, "%*s", (int)(4 * depth), "");
        if (ir_op_info[op].result)
            fprintf(out, "%%%" PRIu32 " = ", ref);
        print_name(ir_op_info[op].name, out);
        print_operands(&inst[ref], out);
        fputc('\n', out);
        depth += op == IR_IF || op == IR_LOOP;
    }
}
