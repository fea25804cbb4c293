/* Validator of instruction slots: compares the cost of a program with the limits of its model. */
#include "vm/validate/rules.h"

unsigned vm_max_slots(const struct vm_version *version)
{
    if (version->minor == 255)
        return VM_NO_LIMIT;
    if (version->rank >= VM_RANK_3_0)
        return VM_SLOTS_3_0;
    if (!version->pixel)
        return version->rank >= VM_RANK_2_0 ? 256 : 128;
    if (version->rank == VM_RANK_2_X)
        return VM_PS_2_X_SLOTS;
    return version->rank == VM_RANK_2_0 ? 96 : version->rank == 14 ? 28 : 12;
}

/* Slots that the machine runs, where the caps claim none for the version. */
static unsigned room(const struct vm_version *version, unsigned limit)
{
    bool claimed = version->rank >= VM_RANK_2_X && (version->pixel || version->rank >= VM_RANK_3_0);

    return claimed || limit == VM_NO_LIMIT ? limit : VM_SLOTS_3_0;
}

enum status vm_check_slots(struct vm_checker *c, const struct vm_program *program)
{
    unsigned limit = vm_max_slots(&c->version), most = room(&c->version, limit);
    enum vm_rule rule =
        program->info.instructions > most ? VM_RULE_SLOTS : VM_RULE_SLOTS_OF_VERSION;
    uint32_t used = 0;

    if (program->info.instructions <= limit)
        return ST_OK;
    for (uint32_t i = 0; i < program->n_instr && used <= limit; i++) {
        used += vm_instr_slots(&program->instr[i], &c->version, program->info.sampler_kind);
        c->token = program->instr[i].token;
    }
    vm_rule_broken(c, rule, "there are more than %u instructions", limit);
    return c->refused ? ST_INVALID : ST_OK;
}

/* texbeml counts as one of each kind; a co-issued pair counts once. */
void vm_add_split(struct vm_history *h, const struct vm_instr *instr, unsigned slots)
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

void vm_split_limits(const struct vm_version *version, unsigned *texture, unsigned *arithmetic)
{
    *texture = 32;
    *arithmetic = 64;
    if (version->rank < VM_RANK_2_0) {
        *texture = version->rank == 14 ? 6 : 4;
        *arithmetic = 8;
    }
}

void vm_check_split(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned texture, arithmetic;

    if (!c->version.pixel || c->version.rank > VM_RANK_2_0)
        return;
    vm_split_limits(&c->version, &texture, &arithmetic);
    vm_add_split(h, instr, vm_instr_slots(instr, &c->version, c->sampler_kind));
    if (h->texture_slots > texture)
        vm_rule_broken(c, VM_RULE_SLOTS_OF_VERSION, "there are more than %u texture instructions",
                       texture);
    if (h->arithmetic_slots > arithmetic)
        vm_rule_broken(c, VM_RULE_SLOTS_OF_VERSION,
                       "there are more than %u arithmetic instructions", arithmetic);
}
