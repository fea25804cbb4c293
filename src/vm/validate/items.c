/* Validator rules for single items: versions, declarations, definitions, instructions.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

static enum status status_of(const struct vm_checker *c)
{
    return c->refused ? ST_INVALID : ST_OK;
}

enum status vm_check_version(struct vm_checker *c)
{
    unsigned highest = c->version.pixel ? c->limits->ps_major : c->limits->vs_major;

    if (c->version.major > highest)
        vm_rule_broken(c, VM_RULE_MODEL, "the highest model of the device is %u", highest);
    if (c->version.minor == 255 && !c->limits->software)
        vm_rule_broken(c, VM_RULE_MODEL, "software models need software vertex processing");
    return status_of(c);
}

/* --- Declarations ----------------------------------------------------------------------------- */

static bool dcl_file_allowed(const struct vm_version *version, unsigned file)
{
    bool sm3 = version->rank >= VM_RANK_3_0;

    switch (file) {
    case VM_FILE_INPUT:
        return true;
    case VM_FILE_TEXTURE:
        return version->pixel && !sm3;
    case VM_FILE_MISC:
        return version->pixel && sm3;
    case VM_FILE_OUTPUT:
        return !version->pixel && sm3;
    case VM_FILE_SAMPLER:
        return version->pixel || sm3;
    default:
        return false;
    }
}

static bool dcl_has_semantic(const struct vm_version *version, unsigned file)
{
    if (version->pixel)
        return file == VM_FILE_INPUT && version->rank >= VM_RANK_3_0;
    return file == VM_FILE_INPUT || file == VM_FILE_OUTPUT;
}

static void check_dcl_word(struct vm_checker *c, const struct vm_dcl *dcl, const char *name)
{
    if (!dcl_file_allowed(&c->version, dcl->dst.file))
        vm_rule_broken(c, VM_RULE_DECLARATION, "%s cannot be declared", name);
    else if (dcl->dst.saturate || dcl->dst.shift || dcl->dst.rel_file != VM_FILE_NONE)
        vm_rule_broken(c, VM_RULE_DECLARATION, "the declaration of %s has a modifier or an index",
                       name);
    else if (!dcl->dst.mask)
        vm_rule_broken(c, VM_RULE_DECLARATION, "the declaration of %s has an empty mask", name);
    else if (dcl->kind > 4 || (dcl->kind && dcl->dst.file != VM_FILE_SAMPLER))
        vm_rule_broken(c, VM_RULE_DECLARATION, "the declaration of %s has texture type %u", name,
                       dcl->kind);
}

static void declare_sampler(struct vm_checker *c, unsigned index, unsigned kind)
{
    c->samplers |= 1u << index;
    c->sampler_kind[index] = kind == 1 ? 2 : kind; /* there are no 1D textures */
}

static void declare(struct vm_checker *c, const struct vm_dcl *dcl)
{
    unsigned index = dcl->dst.index;

    if (dcl->dst.file == VM_FILE_INPUT)
        c->input[index] |= dcl->dst.mask;
    else if (dcl->dst.file == VM_FILE_TEXTURE)
        c->texture[index] |= dcl->dst.mask;
    else if (dcl->dst.file == VM_FILE_OUTPUT)
        c->output[index] |= dcl->dst.mask;
    else if (dcl->dst.file == VM_FILE_MISC)
        c->misc[index] |= dcl->dst.mask;
    else
        declare_sampler(c, index, dcl->kind);
}

static void check_dcl(struct vm_checker *c, const struct vm_dcl *dcl)
{
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, dcl->dst.file, dcl->dst.index);
    if (!vm_op_exists(VM_OP_DCL, &c->version))
        vm_rule_broken(c, VM_RULE_OPCODE, "there are no declarations");
    check_dcl_word(c, dcl, name);
    vm_check_register(c, dcl->dst.file, dcl->dst.index, 1);
    if (dcl_has_semantic(&c->version, dcl->dst.file)) {
        if (dcl->usage > VM_USAGE_SAMPLE)
            vm_rule_broken(c, VM_RULE_DECLARATION, "%s is declared with usage %u", name,
                           dcl->usage);
        /* Drivers accept position1 as an interpolant, but not position0. */
        if (c->version.pixel && dcl->usage == VM_USAGE_POSITION && dcl->usage_index == 0)
            vm_rule_broken(c, VM_RULE_POSITION_INPUT, "position0 cannot be a pixel shader input");
    }
    if (c->refused)
        return;
    vm_check_dcl_form(c, dcl);
    declare(c, dcl);
}

static void check_def(struct vm_checker *c, const struct vm_definition *def)
{
    enum vm_op op = def->file == VM_FILE_CONST      ? VM_OP_DEF
                    : def->file == VM_FILE_CONSTINT ? VM_OP_DEFI
                                                    : VM_OP_DEFB;

    if (!vm_op_exists(op, &c->version))
        vm_rule_broken(c, VM_RULE_OPCODE, "there is no %s", vm_op_info[op].text);
    if (c->any_instr)
        vm_rule_broken(c, VM_RULE_DCL_ORDER, "%s follows an instruction", vm_op_info[op].text);
    vm_check_register(c, def->file, def->index, 1);
}

/* --- Instructions ----------------------------------------------------------------------------- */

static void check_predicate(struct vm_checker *c, const struct vm_instr *instr)
{
    if (!instr->predicated)
        return;
    if (!vm_op_info[instr->op].predicable)
        vm_rule_broken(c, VM_RULE_PREDICATED, "%s cannot be predicated",
                       vm_op_info[instr->op].text);
    vm_check_register(c, instr->predicate.file, instr->predicate.index, 1);
}

static void check_instr(struct vm_checker *c, const struct vm_instr *instr)
{
    if (!vm_op_exists(instr->op, &c->version))
        vm_rule_broken(c, VM_RULE_OPCODE, "there is no %s",
                       vm_op_text(instr->op, instr->control, &c->version));
    check_predicate(c, instr);
    if (instr->dst.file != VM_FILE_NONE)
        vm_check_dst(c, instr);
    for (unsigned i = 0; i < instr->n_src; i++)
        vm_check_src(c, instr, i);
    if (c->refused)
        return;
    vm_check_form(c, instr);
    vm_check_history(c, instr);
    vm_check_ps1(c, instr);
    c->any_instr |= !c->refused;
}

enum status vm_check_item(struct vm_checker *c, const struct vm_item *item)
{
    c->token = item->token;
    c->refused = false;
    switch (item->kind) {
    case VM_ITEM_DCL:
        check_dcl(c, &item->dcl);
        break;
    case VM_ITEM_DEF:
        check_def(c, &item->def);
        break;
    case VM_ITEM_INSTR:
        check_instr(c, &item->instr);
        break;
    default:
        break;
    }
    return status_of(c);
}

enum status vm_check_end(struct vm_checker *c)
{
    vm_check_history_end(c);
    return status_of(c);
}
