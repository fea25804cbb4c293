/* Instruction table, generated from isa.def: look-up by opcode bits, and the versions and source
 * counts of an instruction. */
#include "vm/isa/instr.h"

const struct vm_op_info vm_op_info[VM_OP_COUNT] = {
#define OP(id, token, text, vs_first, vs_last, ps_first, ps_last, n_dst, n_src, class, slots, sat, \
           prd, rep)                                                                               \
    [VM_OP_##id] = {text,    token, vs_first, vs_last,          ps_first,                          \
                    ps_last, n_dst, n_src,    VM_CLASS_##class, slots,                             \
                    sat,     prd,   rep},
#include "vm/isa/isa.def"
#undef OP
};

int vm_op_from_token(unsigned token)
{
    /* All opcodes but phase are small numbers. Entries are op + 1, so that 0 means none. */
    static const uint8_t ops[] = {
#define OP(id, token, ...) [(token) == 0xfffd ? 0x61 : (token)] = VM_OP_##id + 1,
#include "vm/isa/isa.def"
#undef OP
    };

    if (token == 0xfffd)
        return VM_OP_PHASE;
    return token < 0x61 ? ops[token] - 1 : -1;
}

unsigned vm_version_rank(bool pixel, unsigned major, unsigned minor)
{
    switch (major) {
    case 1:
        /* vs_1_0 and ps_1_0 are Direct3D 8 versions; they follow the rules of 1_1. */
        if (minor > (pixel ? 4u : 1u))
            return 0;
        return minor ? 10 + minor : 11;
    case 2:
        return minor <= 1 ? 20 + minor : minor == 255 ? VM_RANK_2_SW : 0;
    case 3:
        return minor == 0 ? VM_RANK_3_0 : minor == 255 ? VM_RANK_3_SW : 0;
    default:
        return 0;
    }
}

bool vm_op_exists(enum vm_op op, const struct vm_version *version)
{
    const struct vm_op_info *info = &vm_op_info[op];

    return version->pixel ? info->ps_first <= version->rank && version->rank <= info->ps_last
                          : info->vs_first <= version->rank && version->rank <= info->vs_last;
}

unsigned vm_op_sources(enum vm_op op, const struct vm_version *version)
{
    unsigned rank = version->rank;

    switch (op) {
    case VM_OP_TEX:
        return rank >= VM_RANK_2_0 ? 1 << 2 : rank == 14 ? 1 << 1 : 1 << 0;
    case VM_OP_TEXCOORD:
        return rank == 14 ? 1 << 1 : 1 << 0;
    case VM_OP_SINCOS: /* 3_0 dropped the two constants of the 2_x form */
        return rank >= VM_RANK_3_0 ? 1 << 1 : 1 << 3;
    case VM_OP_SGN: /* producers disagree on whether to store the scratch registers */
        return 1 << 1 | 1 << 3;
    default:
        return 1u << vm_op_info[op].n_src;
    }
}

bool vm_op_is_texture(enum vm_op op)
{
    return vm_op_info[op].op_class == VM_CLASS_TEXTURE ||
           vm_op_info[op].op_class == VM_CLASS_TEXTURE1;
}
