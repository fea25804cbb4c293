/* Code generation for texture stage operations (reference: stage/operations).
 * Tested by tests/unit/ff/test_pixel.c and tests/unit/ff/test_pixel_cascade.c. */
#include "ff/pixel_op.h"

#include "ff/emit.h"

/* (a1 a2) times a factor. */
static void emit_modulate(struct vm_builder *b, const struct pixel_op_code *o, float factor)
{
    struct vm_src product = emit2(b, VM_OP_MUL, o->out.mask, o->a[1], o->a[2]);

    vm_emit2(b, VM_OP_MUL, o->out, product, splat(b, factor));
}

static struct vm_src signed_sum(struct vm_builder *b, const struct pixel_op_code *o)
{
    struct vm_src sum = emit2(b, VM_OP_ADD, o->out.mask, o->a[1], o->a[2]);

    return emit2(b, VM_OP_ADD, o->out.mask, sum, splat(b, -0.5f));
}

/* (1 - factor) x + y. */
static void emit_inverse_mad(struct vm_builder *b, const struct pixel_op_code *o,
                             struct vm_src factor, struct vm_src x, struct vm_src y)
{
    struct vm_src rest = emit2(b, VM_OP_SUB, o->out.mask, splat(b, 1.0f), factor);

    vm_emit3(b, VM_OP_MAD, o->out, rest, x, y);
}

/* 4 (a1 - 1/2) . (a2 - 1/2). */
static void emit_dot(struct vm_builder *b, const struct pixel_op_code *o)
{
    struct vm_src two = splat(b, 2.0f), minus_one = splat(b, -1.0f);
    struct vm_src x = emit3(b, VM_OP_MAD, VM_MASK_XYZ, o->a[1], two, minus_one);
    struct vm_src y = emit3(b, VM_OP_MAD, VM_MASK_XYZ, o->a[2], two, minus_one);

    vm_emit2(b, VM_OP_DP3, o->out, x, y);
}

void pixel_emit_op(struct vm_builder *b, unsigned op, const struct pixel_op_code *o)
{
    const struct vm_src *a = o->a;

    switch (op) {
    case D3DTOP_SELECTARG1:
        vm_emit1(b, VM_OP_MOV, o->out, a[1]);
        break;
    case D3DTOP_SELECTARG2:
        vm_emit1(b, VM_OP_MOV, o->out, a[2]);
        break;
    case D3DTOP_MODULATE:
        vm_emit2(b, VM_OP_MUL, o->out, a[1], a[2]);
        break;
    case D3DTOP_MODULATE2X:
        emit_modulate(b, o, 2.0f);
        break;
    case D3DTOP_MODULATE4X:
        emit_modulate(b, o, 4.0f);
        break;
    case D3DTOP_ADD:
        vm_emit2(b, VM_OP_ADD, o->out, a[1], a[2]);
        break;
    case D3DTOP_ADDSIGNED:
        vm_emit1(b, VM_OP_MOV, o->out, signed_sum(b, o));
        break;
    case D3DTOP_ADDSIGNED2X:
        vm_emit2(b, VM_OP_MUL, o->out, signed_sum(b, o), splat(b, 2.0f));
        break;
    case D3DTOP_SUBTRACT:
        vm_emit2(b, VM_OP_SUB, o->out, a[1], a[2]);
        break;
    case D3DTOP_ADDSMOOTH:
        emit_inverse_mad(b, o, a[1], a[2], a[1]);
        break;
    case D3DTOP_BLENDDIFFUSEALPHA:
    case D3DTOP_BLENDTEXTUREALPHA:
    case D3DTOP_BLENDFACTORALPHA:
    case D3DTOP_BLENDCURRENTALPHA:
        vm_emit3(b, VM_OP_LRP, o->out, o->factor, a[1], a[2]);
        break;
    case D3DTOP_BLENDTEXTUREALPHAPM:
        emit_inverse_mad(b, o, o->factor, a[2], a[1]);
        break;
    case D3DTOP_MODULATEALPHA_ADDCOLOR:
        vm_emit3(b, VM_OP_MAD, o->out, component(a[1], 3), a[2], a[1]);
        break;
    case D3DTOP_MODULATECOLOR_ADDALPHA:
        vm_emit3(b, VM_OP_MAD, o->out, a[1], a[2], component(a[1], 3));
        break;
    case D3DTOP_MODULATEINVALPHA_ADDCOLOR:
        emit_inverse_mad(b, o, component(a[1], 3), a[2], a[1]);
        break;
    case D3DTOP_MODULATEINVCOLOR_ADDALPHA:
        emit_inverse_mad(b, o, a[1], a[2], component(a[1], 3));
        break;
    case D3DTOP_DOTPRODUCT3:
        emit_dot(b, o);
        break;
    case D3DTOP_MULTIPLYADD:
        vm_emit3(b, VM_OP_MAD, o->out, a[1], a[2], a[0]);
        break;
    case D3DTOP_LERP:
        vm_emit3(b, VM_OP_LRP, o->out, a[0], a[1], a[2]);
        break;
    }
}
