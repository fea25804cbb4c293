/* Validator rules of ps_1_x: matrices that span several instructions, co-issue, phases, and
 * registers with restricted use.
 *
 * Tested by tests/unit/vm/validate/test_rules.c and tests/unit/vm/validate/test_validate.c. */
#include "util/plural.h"
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

enum { MAX_COMPARES = 3, MAX_BEMS = 1, MAX_DIVISIONS = 2 };

/* Number of rows of the matrix to which an instruction belongs, or 0. *pad: it is a pad, which
 * computes any row but the last; other instructions complete the matrix. */
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

/* The rows of a matrix use consecutive stages. All but the last are pads. */
static void check_matrix(struct vm_checker *c, const struct vm_instr *instr)
{
    const char *text = vm_op_info[instr->op].text;
    struct vm_ps1_history *h = &c->ps1;
    bool pad;
    unsigned rows = matrix_rows(instr->op, &pad);

    if (!rows)
        return;
    if (h->pads && rows != h->pad_rows)
        vm_rule_broken(c, VM_RULE_MATRIX, "%s follows a pad of a different matrix size", text);
    else if (h->pads && instr->dst.index != h->pad_stage + h->pads)
        vm_rule_broken(c, VM_RULE_MATRIX, "%s is not in the stage after that of the preceding pad",
                       text);
    else if (pad && h->pads == rows - 1)
        vm_rule_broken(c, VM_RULE_MATRIX, "there are more %s than the matrix has rows", text);
    else if (!pad && h->pads != rows - 1)
        vm_rule_broken(c, VM_RULE_MATRIX, "%s lacks " PLURAL_FORMAT " before it", text,
                       PLURAL(rows - 1 - h->pads, "pad", "pads"));
    else if (h->pads && instr->src[0].index != h->pad_source)
        vm_rule_broken(c, VM_RULE_MATRIX_SOURCE,
                       "%s and the preceding pad read different registers", text);
    if (c->refused)
        return;
    if (pad && h->pads == 0) {
        h->pad_rows = rows;
        h->pad_stage = instr->dst.index;
        h->pad_source = instr->src[0].index;
    }
    h->pads = pad ? h->pads + 1 : 0;
}

static bool can_pair(const struct vm_instr *instr)
{
    return !vm_op_is_texture(instr->op) && vm_op_info[instr->op].n_dst && instr->op != VM_OP_DP4 &&
           instr->op != VM_OP_BEM;
}

/* One instruction of a co-issued pair writes colour, the other alpha. */
static void check_pair(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_instr *first = &c->ps1.previous;
    unsigned masks = first->dst.mask | instr->dst.mask << 4;

    if (!instr->coissue)
        return;
    if (!c->any_instr || first->coissue)
        vm_rule_broken(c, VM_RULE_PAIR, "there is no instruction to pair %s with",
                       vm_op_info[instr->op].text);
    else if (!can_pair(instr) || !can_pair(first))
        vm_rule_broken(c, VM_RULE_PAIR, "%s and %s cannot be paired",
                       vm_op_text(first->op, first->control, &c->version),
                       vm_op_text(instr->op, instr->control, &c->version));
    else if (masks != 0x87 && masks != 0x78)
        vm_rule_broken(c, VM_RULE_PAIR, "a co-issued pair must write .rgb and .a");
}

static void begin_phase(struct vm_checker *c)
{
    struct vm_ps1_history *h = &c->ps1;

    if (h->reads_v || h->reads_r_as_coord)
        vm_rule_broken(c, VM_RULE_PHASE_ORDER, "%s",
                       h->reads_v ? "v# is read before phase"
                                  : "r# is used as a coordinate before phase");
    h->arithmetic = false;
    c->history.texture_slots = c->history.arithmetic_slots = 0;
    for (unsigned i = 0; i < VM_TEMPS; i++)
        c->history.temp[i] &= VM_MASK_XYZ; /* the phase marker destroys alpha */
}

/* Texture instructions precede the others of a phase. v#, and r# as coordinates, are allowed in
 * phase 2 only. */
static void check_phase(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_ps1_history *h = &c->ps1;
    bool texture = vm_op_is_texture(instr->op);

    if (instr->op == VM_OP_PHASE) {
        begin_phase(c);
        return;
    }
    if (instr->op == VM_OP_NOP)
        return;
    if (texture && h->arithmetic)
        vm_rule_broken(c, VM_RULE_PHASE_ORDER, "%s follows an arithmetic instruction",
                       vm_op_text(instr->op, instr->control, &c->version));
    if (instr->op == VM_OP_BEM && h->phase_seen)
        vm_rule_broken(c, VM_RULE_PHASE_ORDER, "bem follows phase");
    h->arithmetic |= !texture;
    for (unsigned i = 0; i < instr->n_src; i++) {
        h->reads_v |= instr->src[i].file == VM_FILE_INPUT;
        h->reads_r_as_coord |= texture && instr->src[i].file == VM_FILE_TEMP;
    }
}

static void check_counts(struct vm_checker *c, const struct vm_instr *instr)
{
    struct vm_ps1_history *h = &c->ps1;

    if (instr->op == VM_OP_CMP && c->version.rank < 14 && ++h->compares > MAX_COMPARES)
        vm_rule_broken(c, VM_RULE_PS1_COUNT, "there are more than %d cmp", MAX_COMPARES);
    if (instr->op == VM_OP_BEM && ++h->bems > MAX_BEMS)
        vm_rule_broken(c, VM_RULE_PS1_COUNT, "there is more than one bem");
    for (unsigned i = 0; i < instr->n_src; i++) {
        if (instr->src[i].modifier == VM_MOD_DZ && ++h->dzs > MAX_DIVISIONS)
            vm_rule_broken(c, VM_RULE_PS1_COUNT, "there are more than %d _dz", MAX_DIVISIONS);
    }
}

/* ps_1_1 … 1_3: sources are results of earlier stages. The source of a bump instruction has no
 * other use. */
static void check_stages(struct vm_checker *c, const struct vm_instr *instr)
{
    bool bump = instr->op == VM_OP_TEXBEM || instr->op == VM_OP_TEXBEML;
    uint8_t *sources = &c->ps1.bump_sources;
    const char *text = vm_op_text(instr->op, instr->control, &c->version);

    for (unsigned i = 0; i < instr->n_src; i++) {
        const struct vm_src *src = &instr->src[i];

        if (src->file != VM_FILE_TEXTURE)
            continue;
        if (vm_op_is_texture(instr->op) && src->index >= instr->dst.index)
            vm_rule_broken(c, VM_RULE_STAGE_ORDER, "%s reads t%u, which is no earlier stage", text,
                           src->index);
        if (*sources >> src->index & 1 && !bump)
            vm_rule_broken(c, VM_RULE_BUMP_SOURCE,
                           "t%u has been read by texbem and cannot be read by %s", src->index,
                           text);
        if (bump)
            *sources |= 1u << src->index;
    }
    if (instr->dst.file == VM_FILE_TEXTURE && !vm_op_is_texture(instr->op))
        *sources &= ~(1u << instr->dst.index);
}

/* ps_1_4: all reads of a t# use the same selector, .xyz or .xyw, divided or not. */
static void check_selectors(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_src *src = &instr->src[0];
    bool divides = src->modifier == VM_MOD_DW;
    uint8_t selector = (src->swizzle >> 4 & 3) == 3 ? 2 : 1;

    if (!instr->n_src || !vm_op_is_texture(instr->op) || src->file != VM_FILE_TEXTURE)
        return;
    if (divides && selector != 2)
        vm_rule_broken(c, VM_RULE_SELECTOR, "_dw needs .xyw");
    if (divides && instr->op == VM_OP_TEXCOORD && instr->dst.mask != (VM_MASK_X | VM_MASK_Y))
        vm_rule_broken(c, VM_RULE_MASK, "texcrd with _dw writes .rg");
    if (c->ps1.selector[src->index] && c->ps1.selector[src->index] != selector)
        vm_rule_broken(c, VM_RULE_SELECTOR, "t%u is read both as .xyz and as .xyw", src->index);
    c->ps1.selector[src->index] = selector;
}

/* texdepth consumes r5. */
static void check_depth(struct vm_checker *c, const struct vm_instr *instr)
{
    bool uses = instr->dst.file == VM_FILE_TEMP && instr->dst.index == 5;

    for (unsigned i = 0; i < instr->n_src; i++)
        uses |= instr->src[i].file == VM_FILE_TEMP && instr->src[i].index == 5;
    if (uses && c->ps1.depth)
        vm_rule_broken(c, VM_RULE_DEPTH_REGISTER, "r5 is used after texdepth");
    c->ps1.depth |= instr->op == VM_OP_TEXDEPTH;
}

void vm_check_ps1(struct vm_checker *c, const struct vm_instr *instr)
{
    if (!c->version.pixel || c->version.rank >= VM_RANK_2_0)
        return;
    if (instr->op == VM_OP_PHASE && c->ps1.phase_seen)
        vm_rule_broken(c, VM_RULE_SECOND_PHASE, "there is a second phase instruction");
    c->ps1.phase_seen |= instr->op == VM_OP_PHASE;
    if (instr->op == VM_OP_TEXDEPTH && instr->dst.index != 5)
        vm_rule_broken(c, VM_RULE_TEXDEPTH, "texdepth works on r5 only");
    check_matrix(c, instr);
    check_pair(c, instr);
    check_phase(c, instr);
    check_counts(c, instr);
    if (c->version.rank < 14)
        check_stages(c, instr);
    else
        check_selectors(c, instr);
    check_depth(c, instr);
    if (!c->refused)
        c->ps1.previous = *instr;
}
