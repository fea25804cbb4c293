/* Validator of instruction slots: counts the cost of a program and compares it with the limits of
 * its model. */
#include "vm/validate/validate.h"

enum { UNLIMITED = 0xffffffff };

static unsigned max_slots(const struct vm_version *version)
{
    if (version->minor == 255)
        return UNLIMITED;
    if (version->rank >= VM_RANK_3_0)
        return VM_SLOTS_3_0;
    if (!version->pixel)
        return version->rank >= VM_RANK_2_0 ? 256 : 128;
    if (version->rank == VM_RANK_2_X)
        return VM_PS_2_X_SLOTS;
    return version->rank == VM_RANK_2_0 ? 96 : version->rank == 14 ? 28 : 12;
}

bool vm_op_is_texture(enum vm_op op)
{
    return vm_op_info[op].op_class == VM_CLASS_TEXTURE ||
           vm_op_info[op].op_class == VM_CLASS_TEXTURE1;
}

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

enum status vm_check_slots(struct vm_program *program, const struct vm_version *version,
                           struct vm_error *error)
{
    unsigned limit = max_slots(version);

    program->info.instructions = 0;
    program->info.texture_instructions = 0;
    for (uint32_t i = 0; i < program->n_instr; i++) {
        const struct vm_instr *instr = &program->instr[i];
        unsigned slots = vm_instr_slots(instr, version, program->info.sampler_kind);

        program->info.instructions += slots;
        if (vm_op_is_texture(instr->op))
            program->info.texture_instructions += slots;
        if (program->info.instructions > limit)
            return vm_set_error(error, instr->token, "there are more than %u instructions", limit);
    }
    return ST_OK;
}

/* texbeml counts as one of each kind; a co-issued pair counts once. */
static void add_split(struct vm_history *h, const struct vm_instr *instr, unsigned slots)
{
    if (instr->op == VM_OP_TEXBEML) {
        h->texture_slots++;
        h->arithmetic_slots++;
    } else if (vm_op_is_texture(instr->op)) {
        h->texture_slots += slots;
    } else {
        h->arithmetic_slots += slots;
    }
}

enum status vm_check_split(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned texture = 32, arithmetic = 64;

    if (!c->version.pixel || c->version.rank > VM_RANK_2_0)
        return ST_OK;
    if (c->version.rank < VM_RANK_2_0) {
        texture = c->version.rank == 14 ? 6 : 4;
        arithmetic = 8;
    }
    add_split(h, instr, vm_instr_slots(instr, &c->version, c->sampler_kind));
    if (h->texture_slots > texture)
        return vm_refuse(c, "there are more than %u texture instructions", texture);
    if (h->arithmetic_slots > arithmetic)
        return vm_refuse(c, "there are more than %u arithmetic instructions", arithmetic);
    return ST_OK;
}
