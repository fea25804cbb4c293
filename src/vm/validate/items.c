/* Validator rules for single items: versions, declarations, definitions, instructions.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

enum status vm_check_version(struct vm_checker *c)
{
    unsigned highest = c->version.pixel ? c->limits->ps_major : c->limits->vs_major;

    if (c->version.major > highest)
        return vm_refuse(c, "the highest model of the device is %u", highest);
    if (c->version.minor == 255 && !c->limits->software)
        return vm_refuse(c, "software models need software vertex processing");
    return ST_OK;
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

static MUST_CHECK enum status check_dcl_word(struct vm_checker *c, const struct vm_dcl *dcl,
                                             const char *name)
{
    if (!dcl_file_allowed(&c->version, dcl->dst.file))
        return vm_refuse(c, "%s cannot be declared", name);
    if (dcl->dst.saturate || dcl->dst.shift || dcl->dst.rel_file != VM_FILE_NONE)
        return vm_refuse(c, "the declaration of %s has a modifier or an index", name);
    if (!dcl->dst.mask)
        return vm_refuse(c, "the declaration of %s has an empty mask", name);
    if (dcl->kind > 4 || (dcl->kind && dcl->dst.file != VM_FILE_SAMPLER))
        return vm_refuse(c, "the declaration of %s has texture type %u", name, dcl->kind);
    return ST_OK;
}

static void declare_sampler(struct vm_checker *c, unsigned index, unsigned kind)
{
    c->samplers |= 1u << index;
    c->sampler_kind[index] = kind == 1 ? 2 : kind; /* there are no 1D textures */
}

static MUST_CHECK enum status check_dcl(struct vm_checker *c, const struct vm_dcl *dcl)
{
    unsigned index = dcl->dst.index;
    char name[VM_REGISTER_TEXT];
    enum status st;

    vm_register_text(name, dcl->dst.file, index);
    if (!vm_op_exists(VM_OP_DCL, &c->version))
        return vm_refuse(c, "there are no declarations");
    if ((st = check_dcl_word(c, dcl, name)) != ST_OK)
        return st;
    if ((st = vm_check_register(c, dcl->dst.file, index, 1)) != ST_OK)
        return st;
    if (dcl_has_semantic(&c->version, dcl->dst.file)) {
        if (dcl->usage > VM_USAGE_SAMPLE)
            return vm_refuse(c, "%s is declared with usage %u", name, dcl->usage);
        /* Drivers accept position1 as an interpolant, but not position0. */
        if (c->version.pixel && dcl->usage == VM_USAGE_POSITION && dcl->usage_index == 0)
            return vm_refuse(c, "position0 cannot be a pixel shader input");
    }
    if (!c->limits->lenient && (st = vm_check_dcl_form(c, dcl)) != ST_OK)
        return st;
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
    return ST_OK;
}

static MUST_CHECK enum status check_def(struct vm_checker *c, const struct vm_definition *def)
{
    enum vm_op op = def->file == VM_FILE_CONST      ? VM_OP_DEF
                    : def->file == VM_FILE_CONSTINT ? VM_OP_DEFI
                                                    : VM_OP_DEFB;

    if (!vm_op_exists(op, &c->version))
        return vm_refuse(c, "there is no %s", vm_op_info[op].text);
    if (!c->limits->lenient && c->any_instr)
        return vm_refuse(c, "%s follows an instruction", vm_op_info[op].text);
    return vm_check_register(c, def->file, def->index, 1);
}

/* --- Instructions ----------------------------------------------------------------------------- */

static MUST_CHECK enum status check_predicate(struct vm_checker *c, const struct vm_instr *instr)
{
    if (!instr->predicated)
        return ST_OK;
    if (!vm_op_info[instr->op].predicable)
        return vm_refuse(c, "%s cannot be predicated", vm_op_info[instr->op].text);
    return vm_check_register(c, instr->predicate.file, instr->predicate.index, 1);
}

static MUST_CHECK enum status check_instr(struct vm_checker *c, const struct vm_instr *instr)
{
    enum status st;

    if (!vm_op_exists(instr->op, &c->version))
        return vm_refuse(c, "there is no %s", vm_op_text(instr->op, instr->control, &c->version));
    if ((st = check_predicate(c, instr)) != ST_OK)
        return st;
    if (instr->dst.file != VM_FILE_NONE && (st = vm_check_dst(c, instr)) != ST_OK)
        return st;
    for (unsigned i = 0; i < instr->n_src; i++) {
        if ((st = vm_check_src(c, instr, i)) != ST_OK)
            return st;
    }
    if (!c->limits->lenient &&
        ((st = vm_check_form(c, instr)) != ST_OK || (st = vm_check_history(c, instr)) != ST_OK))
        return st;
    if ((st = vm_check_ps1(c, instr)) != ST_OK)
        return st;
    c->any_instr = true;
    return ST_OK;
}

enum status vm_check_item(struct vm_checker *c, const struct vm_item *item)
{
    c->token = item->token;
    switch (item->kind) {
    case VM_ITEM_DCL:
        return check_dcl(c, &item->dcl);
    case VM_ITEM_DEF:
        return check_def(c, &item->def);
    case VM_ITEM_INSTR:
        return check_instr(c, &item->instr);
    default:
        return ST_OK;
    }
}

enum status vm_check_end(struct vm_checker *c)
{
    return c->limits->lenient ? ST_OK : vm_check_history_end(c);
}
