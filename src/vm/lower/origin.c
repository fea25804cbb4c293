/* Origins: which instruction of the program an operation of the IR is for. An operation's number is
 * that of its instruction, counted from 1.
 *
 * Tested by tests/unit/vm/run/test_machine.c. */
#include "vm/lower/passes.h"

#include "util/alloc.h"

void vm_lower_set_origin(struct lower *l, uint32_t origin)
{
    if (l->options->origins && l->ir)
        ir_set_origin(l->ir, origin);
}

static bool writes_slot(const struct vm_program *p, const struct vm_dst *dst, uint32_t slot)
{
    for (unsigned c = 0; c < 4; c++)
        if (dst->mask >> c & 1 && vm_program_output_slot(p, dst->file, dst->index, c) == (int)slot)
            return true;
    return false;
}

/* An output is stored for the last instruction that names it. */
uint32_t vm_lower_output_origin(const struct lower *l, uint32_t slot)
{
    for (uint32_t i = l->program->n_instr; l->options->origins && i-- > 0;)
        if (l->program->instr[i].op != VM_OP_TEXKILL &&
            writes_slot(l->program, &l->program->instr[i].dst, slot))
            return i + 1;
    return 0;
}

/* Constants and uniforms are operands of machine instructions. */
static bool is_counted(const struct ir_inst *inst)
{
    unsigned op_class = ir_op_info[inst->op].op_class;

    return inst->op != IR_NONE && inst->op != IR_CONST && inst->op != IR_MCONST &&
           inst->op != IR_UNIFORM && inst->op != IR_USTORE && op_class != IR_CLASS_FLOW;
}

static void count(uint32_t *ops, uint32_t n_instr, const struct ir *ir)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (ir_ref ref = 1; ref < n; ref++)
        if (is_counted(&inst[ref]) && inst[ref].origin && inst[ref].origin <= n_instr)
            ops[inst[ref].origin - 1]++;
}

enum status vm_lower_count_operations(struct lower *l, const struct ir *body,
                                      const struct ir *preamble)
{
    struct vm_code *code = l->code;
    uint32_t n = l->program->n_instr;

    if (!l->options->origins)
        return ST_OK;
    if (!code->operations) {
        code->operations = mem_calloc(2 * ((size_t)n + 1), sizeof(*code->operations));
        if (!code->operations)
            return ST_NOMEM;
        code->n_instr = n;
    }
    count(code->operations, n, body);
    count(code->operations + n, n, preamble);
    return ST_OK;
}
