/* Validator after an error: supposes that the registers of a refused item are declared and written,
 * so that one mistake is one error.
 *
 * Tested by tests/unit/vm/validate/test_validate.c. */
#include "vm/validate/rules.h"

static void assume_register(struct vm_checker *c, unsigned file, unsigned index)
{
    struct vm_history *h = &c->history;

    switch (file) {
    case VM_FILE_TEMP:
        if (index < VM_TEMPS)
            h->temp[index] = VM_MASK_ALL;
        break;
    case VM_FILE_INPUT:
        if (index < sizeof(c->input))
            c->input[index] = VM_MASK_ALL;
        break;
    case VM_FILE_OUTPUT:
        if (index < sizeof(c->output))
            c->output[index] = VM_MASK_ALL;
        break;
    case VM_FILE_SAMPLER:
        if (index < VM_MAX_SAMPLERS)
            c->samplers |= (uint16_t)(1u << index);
        break;
    case VM_FILE_MISC:
        if (index < sizeof(c->misc))
            c->misc[index] = VM_MASK_ALL;
        break;
    case VM_FILE_PREDICATE:
        h->predicate = VM_MASK_ALL;
        break;
    case VM_FILE_ADDR: /* t# of pixel shaders has the same number */
    case VM_FILE_TEXTURE:
        h->address = VM_MASK_ALL;
        if (index < sizeof(c->texture)) {
            c->texture[index] = VM_MASK_ALL;
            h->texture[index] = VM_MASK_ALL;
        }
        break;
    default:
        break;
    }
}

void vm_assume_item(struct vm_checker *c, const struct vm_item *item)
{
    const struct vm_instr *instr = &item->instr;

    if (item->kind == VM_ITEM_DCL)
        assume_register(c, item->dcl.dst.file, item->dcl.dst.index);
    if (item->kind != VM_ITEM_INSTR)
        return;
    c->any_instr = true;
    assume_register(c, instr->dst.file, instr->dst.index);
    assume_register(c, instr->dst.rel_file, 0);
    if (instr->predicated)
        assume_register(c, VM_FILE_PREDICATE, 0);
    for (unsigned i = 0; i < instr->n_src; i++) {
        for (unsigned row = 0; row < vm_instr_src_rows(instr, i); row++)
            assume_register(c, instr->src[i].file, instr->src[i].index + row);
        assume_register(c, instr->src[i].rel_file, 0);
    }
}
