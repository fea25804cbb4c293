/* Validator rules that depend on earlier instructions: reads of unwritten registers, dependent
 * texture reads, outputs.
 *
 * Tested by tests/unit/vm/validate/test_rules.c and tests/unit/vm/validate/test_validate.c. */
#include "vm/validate/rules.h"

enum { MAX_READ_ORDER = 3 };

static bool is_ps1(const struct vm_checker *c)
{
    return c->version.pixel && c->version.rank < VM_RANK_2_0;
}

/* --- Reads of unwritten registers ------------------------------------------------------------- */

static void check_written(struct vm_checker *c, unsigned file, unsigned index, unsigned reads)
{
    const struct vm_history *h = &c->history;
    unsigned written = VM_MASK_ALL;
    char name[VM_REGISTER_TEXT];

    if (file == VM_FILE_TEMP)
        written = h->temp[index];
    else if (file == VM_FILE_TEXTURE && is_ps1(c) && c->version.rank < 14)
        written = h->texture[index];
    else if (file == VM_FILE_ADDR)
        written = h->address;
    else if (file == VM_FILE_PREDICATE)
        written = h->predicate;
    if (h->calls || !(reads & ~written))
        return;
    vm_register_text(name, file, index);
    vm_rule_broken(c, VM_RULE_UNWRITTEN, "%s is read before it is written", name);
}

/* Components that must have been written. 2D coordinates count as two, although depth textures
 * would compare the third. */
static unsigned needed_reads(const struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    unsigned reads = vm_instr_src_reads(instr, i);
    const struct vm_src *sampler = &instr->src[1];
    struct vm_instr flat = *instr;

    if (vm_op_info[instr->op].op_class == VM_CLASS_COMPWISE &&
        ((instr->dst.file == VM_FILE_RASTOUT && instr->dst.index > 0) ||
         instr->dst.file == VM_FILE_DEPTHOUT)) {
        flat.dst.mask = VM_MASK_X; /* oFog, oPts, oDepth: one component, whatever the mask */
        return vm_instr_src_reads(&flat, i);
    }
    if (instr->n_src < 2 || i == 1 || sampler->file != VM_FILE_SAMPLER ||
        c->sampler_kind[sampler->index] != 2)
        return reads;
    flat.op = VM_OP_MOV; /* reads the components of its mask */
    flat.dst.mask = VM_MASK_X | VM_MASK_Y;
    if (i == 0 && (instr->op == VM_OP_TEXLDL || instr->control != VM_TEX_PLAIN))
        flat.dst.mask |= VM_MASK_W;
    return vm_instr_src_reads(&flat, i);
}

static unsigned dst_reads(const struct vm_checker *c, const struct vm_instr *instr)
{
    if (instr->op == VM_OP_TEXDEPTH)
        return VM_MASK_X | VM_MASK_Y;
    return c->version.rank == 14 ? VM_MASK_XYZ : VM_MASK_ALL;
}

static void check_predicate_written(struct vm_checker *c, const struct vm_instr *instr)
{
    for (unsigned i = 0; i < 4; i++) {
        if (instr->dst.mask >> i & 1)
            check_written(c, VM_FILE_PREDICATE, 0, 1u << (instr->predicate.swizzle >> 2 * i & 3));
    }
}

static void check_reads(struct vm_checker *c, const struct vm_instr *instr)
{
    for (unsigned i = 0; i < instr->n_src; i++) {
        const struct vm_src *src = &instr->src[i];
        unsigned reads = needed_reads(c, instr, i);

        for (unsigned k = 0; k < vm_instr_src_rows(instr, i); k++)
            check_written(c, src->file, src->index + k, reads);
        if (src->rel_file == VM_FILE_ADDR)
            check_written(c, VM_FILE_ADDR, 0, 1u << src->rel_component);
    }
    if (instr->dst.rel_file == VM_FILE_ADDR)
        check_written(c, VM_FILE_ADDR, 0, 1u << instr->dst.rel_component);
    if (instr->predicated)
        check_predicate_written(c, instr);
    if (instr->op == VM_OP_TEXDEPTH || (instr->op == VM_OP_TEXKILL && c->version.rank >= 14))
        check_written(c, instr->dst.file, instr->dst.index, dst_reads(c, instr));
}

static void note_write(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    const struct vm_dst *dst = &instr->dst;

    /* Pads, texm3x2depth and texkill leave no readable result. */
    if (instr->op == VM_OP_TEXKILL || instr->op == VM_OP_TEXM3X2PAD ||
        instr->op == VM_OP_TEXM3X3PAD || instr->op == VM_OP_TEXM3X2DEPTH)
        return;
    switch (dst->file) {
    case VM_FILE_TEMP:
        h->temp[dst->index] |= dst->mask;
        break;
    case VM_FILE_TEXTURE:
        h->texture[dst->index] |= dst->mask;
        break;
    case VM_FILE_ADDR:
        h->address |= dst->mask;
        break;
    case VM_FILE_PREDICATE:
        h->predicate |= dst->mask;
        break;
    case VM_FILE_RASTOUT:
        h->position |= dst->index == 0 ? dst->mask : 0;
        break;
    default:
        break;
    }
}

/* --- Dependent reads -------------------------------------------------------------------------- */

/* ps_2_0: limits the chain of texture reads whose coordinates come from texture reads. */
static void check_read_order(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned order = 0;

    if (!c->version.pixel || c->version.rank != VM_RANK_2_0 || instr->dst.file != VM_FILE_TEMP)
        return;
    for (unsigned i = 0; i < instr->n_src; i++) {
        if (instr->src[i].file == VM_FILE_TEMP && order < h->order[instr->src[i].index])
            order = h->order[instr->src[i].index];
    }
    if (instr->op == VM_OP_TEX && (instr->src[0].file == VM_FILE_TEMP || h->temp[instr->dst.index]))
        order++;
    if (order > MAX_READ_ORDER) {
        vm_rule_broken(c, VM_RULE_READ_ORDER, "more than %d texture reads depend on one another",
                       MAX_READ_ORDER + 1);
        order = MAX_READ_ORDER;
    }
    if (h->order[instr->dst.index] < order || instr->dst.mask == VM_MASK_ALL)
        h->order[instr->dst.index] = (uint8_t)order;
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void check_outputs(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned bit = 1u << (instr->dst.index & 7);
    bool twice = false;

    if (instr->dst.file == VM_FILE_DEPTHOUT) {
        twice = h->depth;
        h->depth = true;
    } else if (instr->dst.file == VM_FILE_COLOROUT) {
        twice = h->colours & bit;
        h->colours |= bit;
    }
    if (!twice || c->version.rank >= VM_RANK_3_0)
        return;
    if (instr->dst.file == VM_FILE_COLOROUT)
        vm_rule_broken(c, VM_RULE_OUTPUT_MOVE, "oC%u is written twice", instr->dst.index);
    else
        vm_rule_broken(c, VM_RULE_OUTPUT_MOVE, "oDepth is written twice");
}

/* --- Interface -------------------------------------------------------------------------------- */

void vm_check_history(struct vm_checker *c, const struct vm_instr *instr)
{
    c->history.calls |=
        instr->op == VM_OP_CALL || instr->op == VM_OP_CALLNZ || instr->op == VM_OP_LABEL;
    check_reads(c, instr);
    vm_check_split(c, instr);
    check_read_order(c, instr);
    check_outputs(c, instr);
    if (!c->refused)
        note_write(c, instr);
}

static void check_position(struct vm_checker *c)
{
    if (c->version.rank >= VM_RANK_3_0) {
        if (!(c->semantics[1][VM_USAGE_POSITION] & 1))
            vm_rule_broken(c, VM_RULE_OUTPUT_MISSING, "no output is position0");
    } else if (c->history.position != VM_MASK_ALL && !c->history.calls) {
        vm_rule_broken(c, VM_RULE_OUTPUT_MISSING, "oPos is not written completely");
    }
}

void vm_check_history_end(struct vm_checker *c)
{
    const struct vm_history *h = &c->history;

    if (!c->version.pixel) {
        check_position(c);
    } else if (is_ps1(c)) {
        if (h->temp[0] != VM_MASK_ALL)
            vm_rule_broken(c, VM_RULE_OUTPUT_MISSING, "r0 is not written completely");
    } else if (c->version.rank < VM_RANK_3_0) {
        if ((h->colours & 1) == 0)
            vm_rule_broken(c, VM_RULE_OUTPUT_MISSING, "oC0 is not written");
        else if (h->colours & (h->colours + 1))
            vm_rule_broken(c, VM_RULE_OUTPUT_GAP, "colour outputs have a gap");
    }
}
