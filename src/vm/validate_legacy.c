/* What is particular to ps_1_x: matrices spelled out over several instructions, phases, r5 as
 * depth. */
#include "vm/validate.h"

/* Rows of the matrix that an instruction begins or goes on with (pads) or completes (others); 0 for
 * none. */
static unsigned matrix_rows(enum vm_op op, bool *pad)
{
    *pad = op == VM_OP_TEXM3X2PAD || op == VM_OP_TEXM3X3PAD;
    switch (op) {
    case VM_OP_TEXM3X2PAD:
    case VM_OP_TEXM3X2TEX:
    case VM_OP_TEXM3X2DEPTH:
        return 2;
    case VM_OP_TEXM3X3PAD:
    case VM_OP_TEXM3X3TEX:
    case VM_OP_TEXM3X3SPEC:
    case VM_OP_TEXM3X3VSPEC:
    case VM_OP_TEXM3X3:
        return 3;
    default:
        return 0;
    }
}

/* The rows of a matrix stand in consecutive stages, all but the last as pads. */
static MUST_CHECK enum status check_matrix(struct vm_checker *c, const struct vm_instr *instr)
{
    const char *text = vm_op_info[instr->op].text;
    bool pad;
    unsigned rows = matrix_rows(instr->op, &pad);

    if (!rows)
        return ST_OK;
    if (c->pads && rows != c->pad_rows)
        return vm_refuse(c, "%s follows a pad of the other size", text);
    if (c->pads && instr->dst.index != c->pad_stage + c->pads)
        return vm_refuse(c, "%s is not in the stage after the pad before it", text);
    if (pad && c->pads == rows - 1)
        return vm_refuse(c, "there are more %s than the matrix has rows", text);
    if (!pad && c->pads != rows - 1)
        return vm_refuse(c, "%s lacks %u pads before it", text, rows - 1 - c->pads);
    if (c->limits->strict && c->pads && instr->src[0].index != c->pad_source)
        return vm_refuse(c, "%s reads another register than the pad before it", text);
    if (pad && c->pads == 0) {
        c->pad_rows = rows;
        c->pad_stage = instr->dst.index;
        c->pad_source = instr->src[0].index;
    }
    c->pads = pad ? c->pads + 1 : 0;
    return ST_OK;
}

enum status vm_check_legacy(struct vm_checker *c, const struct vm_instr *instr)
{
    if (!c->version.pixel || c->version.rank >= VM_RANK_2_0)
        return ST_OK;
    if (instr->op == VM_OP_PHASE) {
        if (c->phase_seen)
            return vm_refuse(c, "there is a second phase instruction");
        c->phase_seen = true;
    }
    if (instr->op == VM_OP_TEXDEPTH && instr->dst.index != 5)
        return vm_refuse(c, "texdepth works on r5 only");
    return check_matrix(c, instr);
}
