/* Instruction slots: what an instruction costs in a version.
 *
 * Tested by tests/unit/vm/validate/test_slots.c. */
#include "vm/isa/instr.h"

/* Texture instructions cost more in versions without limits on dependent reads and texture
 * instructions. */
static unsigned texture_slots(const struct vm_instr *instr, unsigned rank,
                              const uint8_t sampler_kind[VM_MAX_SAMPLERS])
{
    bool cube = instr->n_src > 1 && sampler_kind[instr->src[1].index & 15] == 3;

    if (rank <= VM_RANK_2_0)
        return 1;
    switch (instr->op) {
    case VM_OP_TEX:
        if (instr->control == VM_TEX_BIAS)
            return 6;
        return cube ? 4 : instr->control == VM_TEX_PROJECT ? 3 : 1;
    case VM_OP_TEXLDL:
        return cube ? 5 : 2;
    default:
        return vm_op_info[instr->op].slots;
    }
}

static unsigned slots_1_x(const struct vm_version *version, const struct vm_instr *instr)
{
    unsigned rank = version->rank;

    switch (instr->op) {
    case VM_OP_EXP: /* macros in vs_1_1 */
    case VM_OP_LOG:
        return 10;
    case VM_OP_FRC:
        return 3;
    case VM_OP_LIT:
    case VM_OP_LRP:
        return 1;
    case VM_OP_DP4:
    case VM_OP_CMP:
        return version->pixel && (rank == 12 || rank == 13) ? 2 : 1;
    case VM_OP_NOP:
        return version->pixel ? 0 : 1;
    default:
        return instr->coissue ? 0 : vm_op_info[instr->op].slots;
    }
}

unsigned vm_instr_slots(const struct vm_instr *instr, const struct vm_version *version,
                        const uint8_t sampler_kind[VM_MAX_SAMPLERS])
{
    unsigned predicate = instr->predicated ? 1 : 0;

    if (version->pixel && vm_op_info[instr->op].op_class == VM_CLASS_TEXTURE)
        return texture_slots(instr, version->rank, sampler_kind) + predicate;
    if (version->rank < VM_RANK_2_0)
        return slots_1_x(version, instr);
    return vm_op_info[instr->op].slots + predicate;
}
