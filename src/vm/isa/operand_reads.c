/* Operand reads: finds the components that an instruction reads of each operand. vm_info and the
 * validator depend on them. */
#include "vm/isa/instr.h"

enum { X = VM_MASK_X, Y = VM_MASK_Y, Z = VM_MASK_Z, W = VM_MASK_W, XYZ = VM_MASK_XYZ };

/* lit, dst, crs: operand components that the written result components depend on. */
static unsigned lit_reads(unsigned mask)
{
    return (mask & Y ? X : 0) | (mask & Z ? X | Y | W : 0);
}

static unsigned dst_reads(unsigned mask, unsigned s)
{
    return (mask & Y) | (mask & (s == 0 ? Z : W));
}

static unsigned crs_reads(unsigned mask)
{
    return (mask & X ? Y | Z : 0) | (mask & Y ? Z | X : 0) | (mask & Z ? X | Y : 0);
}

static unsigned special_reads(const struct vm_instr *instr, unsigned s)
{
    unsigned mask = instr->dst.mask;

    switch (instr->op) {
    case VM_OP_LIT:
        return lit_reads(mask);
    case VM_OP_DST:
        return dst_reads(mask, s);
    case VM_OP_CRS:
        return crs_reads(mask);
    case VM_OP_NRM:
        return XYZ | (mask & W);
    case VM_OP_SINCOS: /* the constants of the 2_x form serve hardware only */
        return s == 0 ? X : 0;
    case VM_OP_SGN: /* scratch registers are not read */
        return s == 0 ? mask : 0;
    case VM_OP_BEM:
        return s == 0 ? mask & (X | Y) : X | Y;
    default:
        return VM_MASK_ALL;
    }
}

/* z counts for 2D textures too: depth textures compare it. */
static unsigned texture_reads(const struct vm_instr *instr, unsigned s)
{
    if (s == 1)
        return 0; /* the sampler */
    if (instr->op == VM_OP_TEXLDL)
        return s == 0 ? VM_MASK_ALL : 0;
    return XYZ | (instr->op == VM_OP_TEX && instr->control != VM_TEX_PLAIN ? W : 0);
}

static unsigned texture1_reads(const struct vm_instr *instr)
{
    switch (instr->op) {
    case VM_OP_TEXCOORD:
        return instr->dst.mask & XYZ;
    case VM_OP_TEXBEM:
        return X | Y;
    case VM_OP_TEXREG2AR:
        return W | X;
    case VM_OP_TEXREG2GB:
        return Y | Z;
    default:
        return XYZ;
    }
}

static unsigned flow_reads(const struct vm_instr *instr, unsigned s)
{
    switch (instr->op) {
    case VM_OP_IF:
    case VM_OP_IFC:
    case VM_OP_BREAKC:
    case VM_OP_BREAKP:
        return X;
    case VM_OP_CALLNZ:
        return s == 1 ? X : 0;
    default:
        return 0;
    }
}

unsigned vm_instr_operation_reads(const struct vm_instr *instr, unsigned s)
{
    switch (vm_op_info[instr->op].op_class) {
    case VM_CLASS_COMPWISE:
        return instr->dst.mask;
    case VM_CLASS_SCALAR:
        return W;
    case VM_CLASS_DOT:
        if (instr->op == VM_OP_DP2ADD)
            return s == 2 ? X : X | Y;
        return instr->op == VM_OP_DP3 ? XYZ : VM_MASK_ALL;
    case VM_CLASS_MATRIX:
        return instr->op == VM_OP_M4X4 || instr->op == VM_OP_M4X3 ? VM_MASK_ALL : XYZ;
    case VM_CLASS_SPECIAL:
        return special_reads(instr, s);
    case VM_CLASS_TEXTURE:
        return texture_reads(instr, s);
    case VM_CLASS_TEXTURE1:
        return texture1_reads(instr);
    default:
        return flow_reads(instr, s);
    }
}

unsigned vm_instr_src_reads(const struct vm_instr *instr, unsigned s)
{
    const struct vm_src *src = &instr->src[s];
    unsigned asked = vm_instr_operation_reads(instr, s), reads = 0;

    if (src->file == VM_FILE_LABEL || src->file == VM_FILE_CONSTINT || src->file == VM_FILE_LOOP)
        return 0;
    /* Division modifiers read x and y of the register, whatever the swizzle. */
    if (src->modifier == VM_MOD_DZ)
        return X | Y | Z;
    if (src->modifier == VM_MOD_DW)
        return X | Y | W;
    for (unsigned i = 0; i < 4; i++) {
        if (asked >> i & 1)
            reads |= 1u << (src->swizzle >> 2 * i & 3);
    }
    return reads;
}

unsigned vm_instr_dst_reads(const struct vm_instr *instr, const struct vm_version *version)
{
    if (instr->op == VM_OP_TEXDEPTH)
        return X | Y;
    if (instr->op != VM_OP_TEXKILL || version->rank < 14)
        return 0;
    /* The documentation says three components; drivers also test w from 2_0 on. */
    return version->rank < VM_RANK_2_0 ? XYZ : VM_MASK_ALL;
}

unsigned vm_instr_coord_reads(const struct vm_instr *instr, const struct vm_version *version)
{
    if (!version->pixel || version->rank >= 14)
        return 0;
    switch (instr->op) {
    case VM_OP_TEX: /* may be divided by z or w: D3DTTFF_PROJECTED */
    case VM_OP_TEXBEM:
    case VM_OP_TEXBEML:
        return VM_MASK_ALL;
    case VM_OP_TEXREG2AR:
    case VM_OP_TEXREG2GB:
    case VM_OP_TEXREG2RGB:
        return 0;
    case VM_OP_TEXKILL:
        return XYZ;
    case VM_OP_TEXM3X3PAD: /* w is a component of the eye vector of texm3x3vspec */
    case VM_OP_TEXM3X3VSPEC:
        return VM_MASK_ALL;
    default:
        return vm_op_info[instr->op].op_class == VM_CLASS_TEXTURE1 ? XYZ : 0;
    }
}

unsigned vm_instr_src_rows(const struct vm_instr *instr, unsigned s)
{
    if (s != 1)
        return 1;
    switch (instr->op) {
    case VM_OP_M4X4:
    case VM_OP_M3X4:
        return 4;
    case VM_OP_M4X3:
    case VM_OP_M3X3:
        return 3;
    case VM_OP_M3X2:
        return 2;
    default:
        return 1;
    }
}
