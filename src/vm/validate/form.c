/* Validator rules for the form of declarations and instructions: swizzles, masks, modifiers, read
 * ports.
 *
 * Tested by tests/unit/vm/validate/test_rules.c and tests/unit/vm/validate/test_validate.c. */
#include "vm/isa/text.h"
#include "vm/validate/rules.h"

#define IS_TEXTURE(op) vm_op_is_texture((enum vm_op)(op))

static bool is_software(const struct vm_checker *c)
{
    return c->version.minor == 255;
}

/* --- Declarations ----------------------------------------------------------------------------- */

/* A semantic belongs to one register, which may use any of its components. */
static void check_semantic(struct vm_checker *c, const struct vm_dcl *dcl, const char *name)
{
    uint16_t *seen = &c->semantics[dcl->dst.file == VM_FILE_OUTPUT][dcl->usage & 15];

    if (*seen >> dcl->usage_index & 1)
        vm_rule_broken(c, VM_RULE_DCL_TWICE, "the semantic of %s is declared twice", name);
    *seen |= 1u << dcl->usage_index;
    if (dcl->dst.file == VM_FILE_OUTPUT && dcl->usage == VM_USAGE_POSITION && !dcl->usage_index &&
        dcl->dst.mask != VM_MASK_ALL)
        vm_rule_broken(c, VM_RULE_POSITION_MASK, "position0 needs all components of %s", name);
}

void vm_check_dcl_form(struct vm_checker *c, const struct vm_dcl *dcl)
{
    const struct vm_dst *dst = &dcl->dst;
    const uint8_t *declared = dst->file == VM_FILE_INPUT    ? c->input
                              : dst->file == VM_FILE_OUTPUT ? c->output
                                                            : NULL;
    bool semantic = declared && (c->version.rank >= VM_RANK_3_0 || !c->version.pixel);
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, dst->file, dst->index);
    if (c->any_instr)
        vm_rule_broken(c, VM_RULE_DCL_ORDER, "the declaration of %s follows an instruction", name);
    if (dst->file == VM_FILE_SAMPLER && dcl->kind < 2)
        vm_rule_broken(c, VM_RULE_DCL_FORM, "the declaration of %s lacks its texture type", name);
    if (dst->file == VM_FILE_MISC && dst->index == 0 && dst->mask & ~(VM_MASK_X | VM_MASK_Y))
        vm_rule_broken(c, VM_RULE_VPOS_MASK, "vPos has x and y only");
    if (!c->version.pixel && (dst->partial || dst->centroid))
        vm_rule_broken(c, VM_RULE_DCL_FORM, "the declaration of %s has a modifier", name);
    if (!semantic && (dcl->usage || dcl->usage_index))
        vm_rule_broken(c, VM_RULE_DCL_FORM, "the declaration of %s has a usage", name);
    if (!semantic)
        return;
    if (declared[dst->index] & dst->mask)
        vm_rule_broken(c, VM_RULE_DCL_TWICE, "components of %s are declared twice", name);
    check_semantic(c, dcl, name);
}

/* --- Sources ---------------------------------------------------------------------------------- */

static bool is_replicate(unsigned swizzle)
{
    return swizzle == (swizzle & 3) * 0x55;
}

/* ps_2_0 has .xyzw, .yzxw, .zxyw, .wzyx and replicates. Components that the instruction does not
 * read do not count: compilers fill them as they like. */
static bool ps_2_0_has_swizzle(const struct vm_instr *instr, unsigned i)
{
    static const uint8_t existing[] = {
        VM_SWZ_XYZW, VM_SWZ(1, 2, 0, 3), VM_SWZ(2, 0, 1, 3), VM_SWZ(3, 2, 1, 0),
        VM_SWZ_X,    VM_SWZ_Y,           VM_SWZ_Z,           VM_SWZ_W};
    unsigned asked = vm_instr_operation_reads(instr, i), counts = 0;

    for (unsigned c = 0; c < 4; c++)
        counts |= asked >> c & 1 ? 3u << 2 * c : 0u;
    for (unsigned k = 0; k < sizeof(existing); k++)
        if (!((instr->src[i].swizzle ^ existing[k]) & counts))
            return true;
    return false;
}

static bool swizzle_exists(const struct vm_version *version, const struct vm_instr *instr,
                           unsigned i)
{
    unsigned swizzle = instr->src[i].swizzle;
    bool texture = IS_TEXTURE(instr->op);

    if (!version->pixel || version->rank >= VM_RANK_2_X || swizzle == VM_SWZ_XYZW)
        return true;
    if (version->rank == VM_RANK_2_0)
        return !texture && ps_2_0_has_swizzle(instr, i);
    if (version->rank == 14) /* coordinates: .xyz, .xyw */
        return texture ? swizzle == VM_SWZ(0, 1, 2, 2) || swizzle == VM_SWZ(0, 1, 3, 3)
                       : is_replicate(swizzle);
    return !texture &&
           (swizzle == VM_SWZ_W || (swizzle == VM_SWZ_Z && instr->dst.mask == VM_MASK_W));
}

/* _dz divides r# by its third component, _dw divides t# by its fourth. */
static void check_division(struct vm_checker *c, const struct vm_src *src)
{
    if (src->modifier == VM_MOD_DZ && src->file != VM_FILE_TEMP)
        vm_rule_broken(c, VM_RULE_SELECTOR, "_dz belongs to r#");
    if (src->modifier == VM_MOD_DW && src->file != VM_FILE_TEXTURE)
        vm_rule_broken(c, VM_RULE_SELECTOR, "_dw belongs to t#");
}

/* Sources that allow no swizzle or modifier: the rows of a matrix, and the coordinate and sampler
 * of texture instructions in ps_2_0 and ps_2_x. */
static bool is_plain_source(const struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    bool ps2 =
        c->version.pixel && (c->version.rank == VM_RANK_2_0 || c->version.rank == VM_RANK_2_X);

    return (vm_op_info[instr->op].op_class == VM_CLASS_MATRIX && i == 1) ||
           (ps2 && IS_TEXTURE(instr->op) && i < 2);
}

static void check_src_form(struct vm_checker *c, const struct vm_instr *instr, unsigned i)
{
    const char *text = vm_op_text(instr->op, instr->control, &c->version);
    const struct vm_src *src = &instr->src[i];
    bool needs_replicate =
        c->version.rank >= VM_RANK_2_0 && vm_op_info[instr->op].replicate >> i & 1;
    bool swizzled = src->swizzle != VM_SWZ_XYZW;

    if (!swizzle_exists(&c->version, instr, i))
        vm_rule_broken(c, VM_RULE_SWIZZLE, "source %u of %s has a swizzle that does not exist",
                       i + 1, text);
    if (needs_replicate && !is_replicate(src->swizzle))
        vm_rule_broken(c, VM_RULE_REPLICATE, "source %u of %s needs a single component", i + 1,
                       text);
    if (is_plain_source(c, instr, i) && (swizzled || src->modifier))
        vm_rule_broken(c, VM_RULE_PLAIN_SOURCE, "source %u of %s takes no swizzle or modifier",
                       i + 1, text);
    if (instr->op == VM_OP_CRS && swizzled)
        vm_rule_broken(c, VM_RULE_SWIZZLE, "source %u of crs takes no swizzle", i + 1);
    if (src->modifier && c->version.pixel && c->version.rank == 14 && src->file == VM_FILE_CONST)
        vm_rule_broken(c, VM_RULE_SRC_MODIFIER, "a constant has a modifier");
    if (src->file == VM_FILE_SAMPLER && !(c->samplers >> src->index & 1))
        vm_rule_broken(c, VM_RULE_UNDECLARED, "s%u is used without a declaration", src->index);
    check_division(c, src);
}

/* --- Read ports ------------------------------------------------------------------------------- */

/* Number of different registers of a file that one instruction may read; 0: no limit. */
static unsigned read_ports(const struct vm_version *version, unsigned file)
{
    unsigned rank = version->rank;

    if (version->minor == 255)
        return 0;
    if (version->pixel && rank < VM_RANK_2_0) {
        switch (file) {
        case VM_FILE_TEMP:
            return rank == 14 ? 3 : 2;
        case VM_FILE_TEXTURE:
            return rank == 14 ? 1 : rank == 11 ? 2 : 3;
        case VM_FILE_CONST:
        case VM_FILE_INPUT:
            return 2;
        default:
            return 0;
        }
    }
    return file == VM_FILE_CONST || file == VM_FILE_INPUT || file == VM_FILE_TEXTURE ? 1
           : file == VM_FILE_TEMP                                                    ? 3
                                                                                     : 0;
}

static bool same_register(const struct vm_src *a, const struct vm_src *b)
{
    return a->file == b->file && a->index == b->index && a->rel_file == b->rel_file &&
           (a->rel_file == VM_FILE_NONE || a->rel_component == b->rel_component);
}

static bool is_first_read(const struct vm_instr *instr, unsigned s)
{
    for (unsigned k = 0; k < s; k++)
        if (same_register(&instr->src[k], &instr->src[s]))
            return false;
    return true;
}

static const char *file_letter(unsigned file)
{
    return file == VM_FILE_CONST   ? "c"
           : file == VM_FILE_INPUT ? "v"
           : file == VM_FILE_TEMP  ? "r"
                                   : "t";
}

static void check_ports(struct vm_checker *c, const struct vm_instr *instr)
{
    if (instr->op == VM_OP_SINCOS || instr->op == VM_OP_TEXM3X3SPEC)
        return; /* their constants are exempt */
    for (unsigned i = 0; i < instr->n_src; i++) {
        unsigned ports = read_ports(&c->version, instr->src[i].file), different = 0;

        for (unsigned k = 0; k <= i; k++)
            different += instr->src[k].file == instr->src[i].file && is_first_read(instr, k);
        if (ports && different > ports)
            vm_rule_broken(c, VM_RULE_READ_PORTS,
                           "%s reads %u different %s registers, of which it can read %u",
                           vm_op_text(instr->op, instr->control, &c->version), different,
                           file_letter(instr->src[i].file), ports);
    }
}

/* --- Destinations ----------------------------------------------------------------------------- */

/* Write masks that the opcode allows. */
static bool mask_exists(const struct vm_version *version, const struct vm_instr *instr)
{
    unsigned mask = instr->dst.mask;
    bool old = version->pixel && version->rank < 14;

    switch (instr->op) {
    case VM_OP_M4X4:
    case VM_OP_M3X4:
        return mask == VM_MASK_ALL;
    case VM_OP_M4X3:
    case VM_OP_M3X3: /* all components: VM_RULE_M3X3_MASK */
        return mask == VM_MASK_XYZ || mask == VM_MASK_ALL;
    case VM_OP_M3X2:
    case VM_OP_BEM:
        return mask == (VM_MASK_X | VM_MASK_Y);
    case VM_OP_CRS:
        return !(mask & VM_MASK_W);
    case VM_OP_SINCOS:
        return !(mask & ~(VM_MASK_X | VM_MASK_Y));
    case VM_OP_FRC:
        return version->rank >= VM_RANK_2_0 || mask == VM_MASK_Y || mask == (VM_MASK_X | VM_MASK_Y);
    case VM_OP_TEXCOORD:
        return old ? mask == VM_MASK_ALL : mask == VM_MASK_XYZ || mask == (VM_MASK_X | VM_MASK_Y);
    default:
        break;
    }
    if (IS_TEXTURE(instr->op))
        return mask == VM_MASK_ALL || version->rank >= VM_RANK_3_0;
    return !old || mask == VM_MASK_ALL || mask == VM_MASK_XYZ || mask == VM_MASK_W;
}

static void check_mask(struct vm_checker *c, const struct vm_instr *instr)
{
    const char *text = vm_op_text(instr->op, instr->control, &c->version);
    const struct vm_dst *dst = &instr->dst;

    if (!mask_exists(&c->version, instr))
        vm_rule_broken(c, VM_RULE_MASK, "%s has a write mask that it cannot have", text);
    if ((instr->op == VM_OP_M3X3 || instr->op == VM_OP_M4X3) && dst->mask == VM_MASK_ALL)
        vm_rule_broken(c, VM_RULE_M3X3_MASK, "%s has a write mask that it cannot have", text);
    if (c->version.rank == 11 && !c->version.pixel && dst->file == VM_FILE_ADDR &&
        dst->mask != VM_MASK_X)
        vm_rule_broken(c, VM_RULE_MASK, "a0 has x only");
}

static void check_result_modifiers(struct vm_checker *c, const struct vm_instr *instr)
{
    const char *text = vm_op_text(instr->op, instr->control, &c->version);
    const struct vm_dst *dst = &instr->dst;
    bool ps1 = c->version.pixel && c->version.rank < VM_RANK_2_0;
    bool saturates =
        vm_op_info[instr->op].saturate && (c->version.pixel || c->version.rank >= VM_RANK_3_0);

    if (dst->saturate && !saturates)
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "%s cannot saturate", text);
    if (dst->partial && (!c->version.pixel || ps1))
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "there is no _pp");
    /* On texture instructions _centroid has no effect and is accepted. */
    if (dst->centroid && (!c->version.pixel || ps1 || !IS_TEXTURE(instr->op)))
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "_centroid belongs to declarations");
    if (dst->shift && c->version.rank < 14 && (dst->shift < -1 || dst->shift > 2))
        vm_rule_broken(c, VM_RULE_RESULT_MODIFIER, "%s has a shift that does not exist", text);
}

/* Opcodes that hardware executes in several steps may not overwrite a source. */
static bool keeps_source(const struct vm_version *version, enum vm_op op, unsigned i)
{
    switch (op) {
    case VM_OP_CRS:
    case VM_OP_NRM:
        return true;
    case VM_OP_POW:
        return i == 1;
    case VM_OP_CMP:
        return version->rank < 14;
    default:
        return vm_op_info[op].op_class == VM_CLASS_MATRIX;
    }
}

static void check_overlap(struct vm_checker *c, const struct vm_instr *instr)
{
    const char *text = vm_op_info[instr->op].text;
    bool temp_only = instr->op == VM_OP_CRS || instr->op == VM_OP_NRM || instr->op == VM_OP_POW ||
                     instr->op == VM_OP_SINCOS;

    if (temp_only && instr->dst.file != VM_FILE_TEMP)
        vm_rule_broken(c, VM_RULE_MACRO_OPERANDS, "%s writes to r# only", text);
    for (unsigned i = 0; i < instr->n_src; i++) {
        const struct vm_src *src = &instr->src[i];

        if (keeps_source(&c->version, instr->op, i) && src->file == instr->dst.file &&
            src->index <= instr->dst.index &&
            instr->dst.index < src->index + vm_instr_src_rows(instr, i))
            vm_rule_broken(c, VM_RULE_MACRO_OPERANDS, "%s overwrites its source %u", text, i + 1);
    }
}

/* Checks the scratch and constant registers that the macros sgn and sincos use beside their
 * argument. */
static void check_helpers(struct vm_checker *c, const struct vm_instr *instr)
{
    unsigned file = instr->op == VM_OP_SGN ? VM_FILE_TEMP : VM_FILE_CONST;

    if ((instr->op != VM_OP_SGN && instr->op != VM_OP_SINCOS) || instr->n_src < 3)
        return;
    if (instr->src[1].file != file || instr->src[2].file != file ||
        instr->src[1].index == instr->src[2].index)
        vm_rule_broken(c, VM_RULE_MACRO_OPERANDS, "sources 2 and 3 of %s are not two different %s",
                       vm_op_info[instr->op].text, file == VM_FILE_TEMP ? "r#" : "c#");
}

/* Before ps_3_0 a plain mov writes all components of an output. */
static void check_output(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_dst *dst = &instr->dst;
    const struct vm_src *src = &instr->src[0];
    bool colour = dst->file == VM_FILE_COLOROUT;

    if (c->version.rank >= VM_RANK_3_0 || (!colour && dst->file != VM_FILE_DEPTHOUT))
        return;
    if (instr->op != VM_OP_MOV || instr->predicated || dst->saturate || dst->mask != VM_MASK_ALL)
        vm_rule_broken(c, VM_RULE_OUTPUT_MOVE, "outputs are written by a plain mov");
    else if (colour && (src->swizzle != VM_SWZ_XYZW || src->modifier))
        vm_rule_broken(c, VM_RULE_OUTPUT_MOVE,
                       "the source of a colour output has a swizzle or modifier");
    else if (!colour && !is_replicate(src->swizzle))
        vm_rule_broken(c, VM_RULE_OUTPUT_MOVE, "the source of oDepth needs a single component");
}

static void check_cnd(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_src *src = &instr->src[0];

    if (instr->op != VM_OP_CND || c->version.rank == 14)
        return;
    if (src->file != VM_FILE_TEMP || src->index != 0 || src->swizzle != VM_SWZ_W)
        vm_rule_broken(c, VM_RULE_CONDITION, "the condition of cnd must be r0.a");
}

static void check_predicate_form(struct vm_checker *c, const struct vm_instr *instr)
{
    unsigned swizzle = instr->predicate.swizzle;

    if (!instr->predicated || is_replicate(swizzle))
        return;
    if (swizzle != VM_SWZ_XYZW)
        vm_rule_broken(c, VM_RULE_PREDICATE_SWIZZLE,
                       "a predicate takes no swizzle or a single component");
    else if (instr->op == VM_OP_SINCOS && c->version.rank < VM_RANK_3_0)
        vm_rule_broken(c, VM_RULE_PREDICATE_SWIZZLE,
                       "the predicate of sincos needs a single component");
}

void vm_check_form(struct vm_checker *c, const struct vm_instr *instr)
{
    for (unsigned i = 0; i < instr->n_src; i++)
        check_src_form(c, instr, i);
    check_predicate_form(c, instr);
    check_helpers(c, instr);
    if (!is_software(c))
        check_ports(c, instr);
    if (instr->dst.file == VM_FILE_NONE)
        return;
    check_mask(c, instr);
    check_result_modifiers(c, instr);
    check_overlap(c, instr);
    check_output(c, instr);
    check_cnd(c, instr);
}
