/* Documented rules on the order of instructions: written before read, phases, pairs, counts. See
 * validate.h. */
#include "vm/validate.h"

enum { MAX_STATIC_FLOW = 16, MAX_READ_ORDER = 3 };

static bool is_ps1(const struct vm_checker *c)
{
    return c->version.pixel && c->version.rank < VM_RANK_2_0;
}

/* --- Written before read ---------------------------------------------------------------------- */

static MUST_CHECK enum status check_written(struct vm_checker *c, unsigned file, unsigned index,
                                            unsigned reads)
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
        return ST_OK;
    vm_register_text(name, file, index);
    return vm_refuse(c, "%s is read before it is written", name);
}

/* 2D coordinates are two components here, though depth textures would compare with the third. */
static unsigned needed_reads(const struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    unsigned reads = vm_instr_src_reads(NULL, instr, i);
    const struct vm_src *sampler = &instr->src[1];
    struct vm_instr flat = *instr;

    if (instr->n_src < 2 || i == 1 || sampler->file != VM_FILE_SAMPLER ||
        c->sampler_kind[sampler->index] != 2)
        return reads;
    flat.op = VM_OP_MOV; /* reads what its mask says */
    flat.dst.mask = VM_MASK_X | VM_MASK_Y;
    if (i == 0 && (instr->op == VM_OP_TEXLDL || instr->control != VM_TEX_PLAIN))
        flat.dst.mask |= VM_MASK_W;
    return vm_instr_src_reads(NULL, &flat, i);
}

static MUST_CHECK enum status check_reads(struct vm_checker *c, const struct vm_instr *instr)
{
    enum status st = ST_OK;

    for (unsigned i = 0; i < instr->n_src && st == ST_OK; i++) {
        const struct vm_src *src = &instr->src[i];
        unsigned reads = needed_reads(c, instr, i);

        for (unsigned k = 0; k < vm_instr_src_rows(instr, i) && st == ST_OK; k++)
            st = check_written(c, src->file, src->index + k, reads);
        if (st == ST_OK && src->rel_file == VM_FILE_ADDR)
            st = check_written(c, VM_FILE_ADDR, 0, 1u << src->rel_component);
    }
    if (st == ST_OK && instr->dst.rel_file == VM_FILE_ADDR)
        st = check_written(c, VM_FILE_ADDR, 0, 1u << instr->dst.rel_component);
    if (st == ST_OK && instr->predicated) {
        for (unsigned i = 0; i < 4 && st == ST_OK; i++) {
            if (instr->dst.mask >> i & 1)
                st = check_written(c, VM_FILE_PREDICATE, 0,
                                   1u << (instr->predicate.swizzle >> 2 * i & 3));
        }
    }
    if (st == ST_OK && instr->op == VM_OP_TEXKILL && c->version.rank >= 14)
        st = check_written(c, instr->dst.file, instr->dst.index,
                           c->version.rank == 14 ? VM_MASK_XYZ : VM_MASK_ALL);
    return st;
}

static void note_write(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    const struct vm_dst *dst = &instr->dst;

    if (instr->op == VM_OP_TEXKILL)
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

/* --- ps_1_x ----------------------------------------------------------------------------------- */

/* One of a pair writes colour, the other alpha. */
static MUST_CHECK enum status check_pair(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_instr *first = &c->history.previous;
    unsigned masks = first->dst.mask | instr->dst.mask << 4;

    if (!instr->coissue)
        return ST_OK;
    if (!c->any_instr || first->coissue)
        return vm_refuse(c, "there is no instruction to pair %s with", vm_op_info[instr->op].text);
    if (vm_op_is_texture(instr->op) || vm_op_is_texture(first->op) ||
        !vm_op_info[instr->op].n_dst || !vm_op_info[first->op].n_dst || instr->op == VM_OP_DP4 ||
        first->op == VM_OP_DP4 || instr->op == VM_OP_BEM || first->op == VM_OP_BEM)
        return vm_refuse(c, "%s and %s cannot be paired", vm_op_info[first->op].text,
                         vm_op_info[instr->op].text);
    if (masks != 0x87 && masks != 0x78)
        return vm_refuse(c, "a pair does not write .rgb and .a");
    return ST_OK;
}

/* Texture instructions stand before the others of a phase; v#, and r# as coordinates, are for
 * phase 2. */
static MUST_CHECK enum status check_phase(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    bool texture = vm_op_is_texture(instr->op);

    if (instr->op == VM_OP_PHASE) {
        if (h->reads_v || h->reads_r_as_coord)
            return vm_refuse(c, h->reads_v ? "v# is read before phase"
                                           : "r# is a coordinate before phase");
        h->arithmetic = false;
        h->texture_slots = h->arithmetic_slots = 0;
        for (unsigned i = 0; i < 32; i++)
            h->temp[i] &= VM_MASK_XYZ; /* alpha does not survive */
        return ST_OK;
    }
    if (instr->op == VM_OP_NOP)
        return ST_OK;
    if (texture && h->arithmetic)
        return vm_refuse(c, "%s stands after an arithmetic instruction",
                         vm_op_info[instr->op].text);
    if (instr->op == VM_OP_BEM && c->phase_seen)
        return vm_refuse(c, "bem stands after phase");
    h->arithmetic |= !texture;
    for (unsigned i = 0; i < instr->n_src; i++) {
        h->reads_v |= instr->src[i].file == VM_FILE_INPUT;
        h->reads_r_as_coord |= texture && instr->src[i].file == VM_FILE_TEMP;
    }
    return ST_OK;
}

/* --- Counts ----------------------------------------------------------------------------------- */

static MUST_CHECK enum status check_split(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned slots = vm_instr_slots(instr, &c->version, c->sampler_kind);
    unsigned texture = 32, arithmetic = 64;

    if (!c->version.pixel || c->version.rank > VM_RANK_2_0)
        return ST_OK;
    if (is_ps1(c)) {
        texture = c->version.rank == 14 ? 6 : 4;
        arithmetic = 8;
    }
    *(vm_op_is_texture(instr->op) ? &h->texture_slots : &h->arithmetic_slots) += slots;
    if (h->texture_slots > texture)
        return vm_refuse(c, "there are more than %u texture instructions", texture);
    if (h->arithmetic_slots > arithmetic)
        return vm_refuse(c, "there are more than %u arithmetic instructions", arithmetic);
    return ST_OK;
}

static MUST_CHECK enum status check_flow(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    bool counted = !c->version.pixel && c->version.rank < VM_RANK_2_SW;
    bool on_bool = instr->n_src && instr->src[instr->n_src - 1].file == VM_FILE_CONSTBOOL;

    switch (instr->op) {
    case VM_OP_LOOP:
    case VM_OP_REP:
        h->static_flow++;
        if (++h->loops > 1 && c->version.rank == VM_RANK_2_0)
            return vm_refuse(c, "loops cannot be nested in this version");
        break;
    case VM_OP_ENDLOOP:
    case VM_OP_ENDREP:
        h->loops -= h->loops > 0;
        break;
    case VM_OP_IF:
    case VM_OP_CALLNZ:
        h->static_flow += on_bool;
        h->calls |= instr->op == VM_OP_CALLNZ;
        break;
    case VM_OP_CALL:
        h->static_flow++;
        h->calls = true;
        break;
    case VM_OP_LABEL:
        h->calls = true;
        break;
    default:
        break;
    }
    return counted && h->static_flow > MAX_STATIC_FLOW
               ? vm_refuse(c, "there are more than %d static flow instructions", MAX_STATIC_FLOW)
               : ST_OK;
}

/* ps_2_0: a texture read by a coordinate that comes from a texture read … */
static MUST_CHECK enum status check_read_order(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned order = 0;

    if (!c->version.pixel || c->version.rank != VM_RANK_2_0 || instr->dst.file != VM_FILE_TEMP)
        return ST_OK;
    for (unsigned i = 0; i < instr->n_src; i++) {
        if (instr->src[i].file == VM_FILE_TEMP && order < h->order[instr->src[i].index])
            order = h->order[instr->src[i].index];
    }
    if (instr->op == VM_OP_TEX && (instr->src[0].file == VM_FILE_TEMP || h->temp[instr->dst.index]))
        order++;
    if (order > MAX_READ_ORDER)
        return vm_refuse(c, "more than %d texture reads depend on one another", MAX_READ_ORDER + 1);
    if (h->order[instr->dst.index] < order || instr->dst.mask == VM_MASK_ALL)
        h->order[instr->dst.index] = (uint8_t)order;
    return ST_OK;
}

static MUST_CHECK enum status check_outputs(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_history *h = &c->history;
    unsigned bit = 1u << (instr->dst.index & 7);

    if (instr->dst.file == VM_FILE_DEPTHOUT)
        h->depth_writes++;
    else if (instr->dst.file != VM_FILE_COLOROUT)
        return ST_OK;
    else if (h->colours & bit && c->version.rank < VM_RANK_3_0)
        return vm_refuse(c, "oC%u is written twice", instr->dst.index);
    else
        h->colours |= bit;
    return h->depth_writes > 1 && c->version.rank < VM_RANK_3_0
               ? vm_refuse(c, "oDepth is written twice")
               : ST_OK;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum status vm_check_history(struct vm_checker *c, const struct vm_instr *instr)
{
    enum status st;

    if ((st = check_flow(c, instr)) != ST_OK || (st = check_reads(c, instr)) != ST_OK)
        return st;
    if (is_ps1(c) &&
        ((st = check_pair(c, instr)) != ST_OK || (st = check_phase(c, instr)) != ST_OK))
        return st;
    if ((st = check_split(c, instr)) != ST_OK || (st = check_read_order(c, instr)) != ST_OK)
        return st;
    if ((st = check_outputs(c, instr)) != ST_OK)
        return st;
    note_write(c, instr);
    c->history.previous = *instr;
    return ST_OK;
}

enum status vm_check_history_end(struct vm_checker *c)
{
    const struct vm_history *h = &c->history;
    unsigned rank = c->version.rank;

    if (h->calls)
        return ST_OK;
    if (!c->version.pixel && rank < VM_RANK_3_0 && h->position != VM_MASK_ALL)
        return vm_refuse(c, "oPos is not written completely");
    if (is_ps1(c) && h->temp[0] != VM_MASK_ALL)
        return vm_refuse(c, "r0 is not written completely");
    if (c->version.pixel && !is_ps1(c) && rank < VM_RANK_3_0 && (h->colours & 1) == 0)
        return vm_refuse(c, "oC0 is not written");
    if (c->version.pixel && !is_ps1(c) && rank < VM_RANK_3_0 && h->colours & (h->colours + 1))
        return vm_refuse(c, "colour outputs have a gap");
    return ST_OK;
}
