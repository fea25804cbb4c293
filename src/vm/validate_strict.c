/* Documented rules on the form of instructions: swizzles, masks, read ports. See validate.h. */
#include "vm/validate.h"

#define IS_TEXTURE(op) vm_op_is_texture((enum vm_op)(op))

static bool is_software(const struct vm_checker *c)
{
    return c->version.minor == 255;
}

/* --- Declarations ----------------------------------------------------------------------------- */

enum status vm_check_strict_dcl(struct vm_checker *c, const struct vm_dcl *dcl)
{
    const struct vm_dst *dst = &dcl->dst;
    const uint8_t *declared = dst->file == VM_FILE_INPUT    ? c->input
                              : dst->file == VM_FILE_OUTPUT ? c->output
                                                            : NULL;
    char name[VM_REGISTER_TEXT];

    vm_register_text(name, dst->file, dst->index);
    if (c->any_instr)
        return vm_refuse(c, "the declaration of %s stands after an instruction", name);
    if (dst->file == VM_FILE_SAMPLER && dcl->kind < 2)
        return vm_refuse(c, "the declaration of %s lacks its texture type", name);
    if (dst->file == VM_FILE_MISC && dst->index == 0 && dst->mask & ~(VM_MASK_X | VM_MASK_Y))
        return vm_refuse(c, "vPos has x and y only");
    if (!c->version.pixel && (dst->partial || dst->centroid))
        return vm_refuse(c, "the declaration of %s has a modifier", name);
    if (c->version.pixel && c->version.rank < VM_RANK_3_0 && (dcl->usage || dcl->usage_index))
        return vm_refuse(c, "the declaration of %s has a usage", name);
    if (declared && (c->version.rank >= VM_RANK_3_0 || !c->version.pixel) &&
        declared[dst->index] & dst->mask)
        return vm_refuse(c, "components of %s are declared twice", name);
    return ST_OK;
}

/* --- Sources ---------------------------------------------------------------------------------- */

static bool is_replicate(unsigned swizzle)
{
    return swizzle == (swizzle & 3) * 0x55;
}

static bool swizzle_exists(const struct vm_version *version, const struct vm_instr *instr,
                           unsigned i)
{
    unsigned swizzle = instr->src[i].swizzle;
    bool texture = IS_TEXTURE(instr->op);

    if (!version->pixel || version->rank >= VM_RANK_2_X || swizzle == VM_SWZ_XYZW)
        return true;
    if (version->rank == VM_RANK_2_0) /* .yzxw .zxyw .wzyx */
        return !texture && (is_replicate(swizzle) || swizzle == VM_SWZ(1, 2, 0, 3) ||
                            swizzle == VM_SWZ(2, 0, 1, 3) || swizzle == VM_SWZ(3, 2, 1, 0));
    if (version->rank == 14) /* coordinates: .xyz, .xyw */
        return texture ? swizzle == VM_SWZ(0, 1, 2, 2) || swizzle == VM_SWZ(0, 1, 3, 3)
                       : is_replicate(swizzle);
    return !texture &&
           (swizzle == VM_SWZ_W || (swizzle == VM_SWZ_Z && instr->dst.mask == VM_MASK_W));
}

static MUST_CHECK enum status check_src_form(struct vm_checker *c, const struct vm_instr *instr,
                                             unsigned i)
{
    const struct vm_op_info *info = &vm_op_info[instr->op];
    const struct vm_src *src = &instr->src[i];
    bool needs_replicate = c->version.rank >= VM_RANK_2_0 && info->replicate >> i & 1;

    if (!swizzle_exists(&c->version, instr, i))
        return vm_refuse(c, "source %u of %s has a swizzle that does not exist in this version",
                         i + 1, info->text);
    if (needs_replicate && !is_replicate(src->swizzle))
        return vm_refuse(c, "source %u of %s needs a single component", i + 1, info->text);
    if (src->modifier && info->shape == VM_SHAPE_MATRIX && i == 1)
        return vm_refuse(c, "the matrix of %s has a modifier", info->text);
    if (src->modifier && c->version.pixel && c->version.rank == 14 && src->file == VM_FILE_CONST)
        return vm_refuse(c, "a constant has a modifier in ps_1_4");
    if (src->file == VM_FILE_SAMPLER && !(c->samplers >> src->index & 1))
        return vm_refuse(c, "s%u is used without a declaration", src->index);
    return ST_OK;
}

/* --- Read ports ------------------------------------------------------------------------------- */

/* How many different registers of a file one instruction may read; 0: any. */
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

static MUST_CHECK enum status check_ports(struct vm_checker *c, const struct vm_instr *instr)
{
    if (instr->op == VM_OP_SINCOS) /* has its two constants by definition */
        return ST_OK;
    for (unsigned i = 0; i < instr->n_src; i++) {
        unsigned ports = read_ports(&c->version, instr->src[i].file), different = 1;

        for (unsigned k = 0; k < i; k++)
            different += instr->src[k].file == instr->src[i].file &&
                         !same_register(&instr->src[k], &instr->src[i]);
        if (ports && different > ports)
            return vm_refuse(c, "%s reads %u different registers of one file, the version can %u",
                             vm_op_info[instr->op].text, different, ports);
    }
    return ST_OK;
}

/* --- Destinations ----------------------------------------------------------------------------- */

/* Write masks that belong to the op: a set of which the mask must be one (exact) or a part. */
static bool mask_exists(const struct vm_version *version, const struct vm_instr *instr)
{
    unsigned mask = instr->dst.mask;
    bool old = version->pixel && version->rank < 14;

    switch (instr->op) {
    case VM_OP_M4X4:
    case VM_OP_M3X4:
        return mask == VM_MASK_ALL;
    case VM_OP_M4X3:
    case VM_OP_M3X3:
        return mask == VM_MASK_XYZ;
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

static MUST_CHECK enum status check_dst_form(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_op_info *info = &vm_op_info[instr->op];
    const struct vm_dst *dst = &instr->dst;
    bool ps1 = c->version.pixel && c->version.rank < VM_RANK_2_0;

    if (!mask_exists(&c->version, instr))
        return vm_refuse(c, "%s has a write mask that it cannot have in this version", info->text);
    if (dst->saturate && (!info->saturate || (!c->version.pixel && c->version.rank < VM_RANK_3_0)))
        return vm_refuse(c, "%s cannot saturate in this version", info->text);
    if (dst->partial && (!c->version.pixel || ps1))
        return vm_refuse(c, "_pp does not exist in this version");
    if (dst->centroid)
        return vm_refuse(c, "_centroid belongs to declarations");
    if (dst->shift && c->version.rank < 14 && (dst->shift < -1 || dst->shift > 2))
        return vm_refuse(c, "%s has a shift that does not exist in this version", info->text);
    if (c->version.rank == 11 && !c->version.pixel && dst->file == VM_FILE_ADDR &&
        dst->mask != VM_MASK_X)
        return vm_refuse(c, "a0 has x only in this version");
    return ST_OK;
}

/* Ops that hardware carries out in several steps may not overwrite what they still read. */
static MUST_CHECK enum status check_overlap(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_op_info *info = &vm_op_info[instr->op];
    bool all = instr->op == VM_OP_CRS || instr->op == VM_OP_NRM || info->shape == VM_SHAPE_MATRIX;
    bool temp_only = instr->op == VM_OP_CRS || instr->op == VM_OP_NRM || instr->op == VM_OP_POW;

    if (temp_only && instr->dst.file != VM_FILE_TEMP)
        return vm_refuse(c, "%s writes to r# only", info->text);
    for (unsigned i = 0; i < instr->n_src; i++) {
        const struct vm_src *src = &instr->src[i];

        if (!all && !(instr->op == VM_OP_POW && i == 1))
            continue;
        if (src->file == instr->dst.file && src->index <= instr->dst.index &&
            instr->dst.index < src->index + vm_instr_src_rows(instr, i))
            return vm_refuse(c, "%s overwrites its source %u", info->text, i + 1);
    }
    return ST_OK;
}

/* ps_2_x gives its results at the end and in one go. */
static MUST_CHECK enum status check_output(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_dst *dst = &instr->dst;
    const struct vm_src *src = &instr->src[0];
    bool colour = dst->file == VM_FILE_COLOROUT;

    if (c->version.rank >= VM_RANK_3_0 || (!colour && dst->file != VM_FILE_DEPTHOUT))
        return ST_OK;
    if (instr->op != VM_OP_MOV || instr->predicated || dst->saturate || dst->mask != VM_MASK_ALL)
        return vm_refuse(c, "outputs are written by a plain mov in this version");
    if (colour && (src->swizzle != VM_SWZ_XYZW || src->modifier))
        return vm_refuse(c, "the source of a colour output has a swizzle or modifier");
    if (!colour && !is_replicate(src->swizzle))
        return vm_refuse(c, "the source of oDepth needs a single component");
    return ST_OK;
}

static MUST_CHECK enum status check_cnd(struct vm_checker *c, const struct vm_instr *instr)
{
    const struct vm_src *src = &instr->src[0];

    if (instr->op != VM_OP_CND || c->version.rank == 14)
        return ST_OK;
    return src->file == VM_FILE_TEMP && src->index == 0 && src->swizzle == VM_SWZ_W
               ? ST_OK
               : vm_refuse(c, "cnd decides on r0.a in this version");
}

enum status vm_check_strict_instr(struct vm_checker *c, const struct vm_instr *instr)
{
    enum status st;

    for (unsigned i = 0; i < instr->n_src; i++) {
        if ((st = check_src_form(c, instr, i)) != ST_OK)
            return st;
    }
    if (instr->predicated && instr->predicate.swizzle != VM_SWZ_XYZW &&
        !is_replicate(instr->predicate.swizzle))
        return vm_refuse(c,
                         "a predicate has a swizzle that is neither plain nor a single component");
    if (!is_software(c) && (st = check_ports(c, instr)) != ST_OK)
        return st;
    if (instr->dst.file == VM_FILE_NONE)
        return ST_OK;
    if ((st = check_dst_form(c, instr)) != ST_OK || (st = check_overlap(c, instr)) != ST_OK)
        return st;
    if ((st = check_output(c, instr)) != ST_OK)
        return st;
    return check_cnd(c, instr);
}
