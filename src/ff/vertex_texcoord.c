/* Texture coordinate generation of fixed-function vertices: takes coordinates from the vertex or
 * generates them, pads them, and applies the texture matrix (reference: texgen/matrix).
 * Tested by tests/unit/ff/test_texgen.c. */
#include "ff/vertex_code.h"

/* Reflection of the vector from the eye: I - 2 (N.I) N. */
static struct vm_src reflection(struct vertex_code *c)
{
    struct vm_builder *b = c->b;
    struct vm_src n_dot_i = scalar2(b, VM_OP_DP3, c->normal, c->to_vertex);
    struct vm_src twice = scalar2(b, VM_OP_ADD, n_dot_i, n_dot_i);

    return emit3(b, VM_OP_MAD, VM_MASK_XYZ, vm_neg(twice), c->normal, c->to_vertex);
}

/* R.xy / m + 0.5 with m = 2 |R + (0, 0, 1)|. */
static struct vm_src sphere(struct vertex_code *c)
{
    struct vm_builder *b = c->b;
    struct vm_src r = reflection(c), half = splat(b, 0.5f);
    struct vm_src v =
        emit2(b, VM_OP_ADD, VM_MASK_XYZ, r, vm_build_literal(b, 0.0f, 0.0f, 1.0f, 0.0f));
    struct vm_src inverse = scalar1(b, VM_OP_RSQ, scalar2(b, VM_OP_DP3, v, v));

    inverse = scalar2(b, VM_OP_MUL, inverse, half);
    return emit3(b, VM_OP_MAD, VM_MASK_X | VM_MASK_Y, r, inverse, half);
}

/* The coordinate with all four components. Before a matrix, the first missing component is 1 and
 * the others are 0; otherwise missing components are those of any attribute: 0, 0, 0, 1. */
static struct vm_src coordinate(struct vertex_code *c, const struct texgen_stage *stage)
{
    static const float pad[4][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}};
    struct vm_builder *b = c->b;
    unsigned size = stage->texgen == FF_TEXGEN_SPHERE ? 2 : 3;
    const float *p = pad[2]; /* generated coordinates have w = 1, and z = 0 if they lack it */
    struct vm_src given, result;

    switch (stage->texgen) {
    case FF_TEXGEN_NORMAL:
        given = c->normal;
        break;
    case FF_TEXGEN_POSITION:
        given = c->eye;
        break;
    case FF_TEXGEN_REFLECTION:
        given = reflection(c);
        break;
    case FF_TEXGEN_SPHERE:
        given = sphere(c);
        break;
    default:
        given = vm_build_input(b, VM_USAGE_TEXCOORD, stage->set);
        if (!stage->size || stage->size >= 4)
            return given;
        size = stage->size;
        p = pad[size - 1];
    }
    result = vm_build_temp(b);
    vm_emit1(b, VM_OP_MOV, vm_to(result, (1u << size) - 1), given);
    vm_emit1(b, VM_OP_MOV, vm_to(result, VM_MASK_ALL & ~((1u << size) - 1)),
             vm_build_literal(b, p[0], p[1], p[2], p[3]));
    return result;
}

/* Under PROJECTED, w is the component that shaders and stages divide by, as for texldp
 * (reference: texgen/projected-w). */
static void stage_texcoord(struct vertex_code *c, unsigned i)
{
    struct vm_builder *b = c->b;
    const struct texgen_stage *stage = &c->key->stage[i];
    struct vm_dst out = vm_build_output(b, VM_USAGE_TEXCOORD, i);
    struct vm_src in = coordinate(c, stage);
    unsigned last = stage->divisor ? stage->divisor - 1u : 3, written = 0;

    if (!stage->count) {
        vm_emit1(b, VM_OP_MOV, out, vm_swizzle(in, VM_SWZ(0, 1, 2, last)));
        return;
    }
    for (unsigned j = 0; j < stage->count; j++) {
        unsigned mask = 1u << j | (j == last ? VM_MASK_W : 0);

        vm_emit2(b, VM_OP_DP4, vm_mask(out, mask), in, vm_build_const(VC_TEXTURE + 4 * i + j));
        written |= mask;
    }
    if (written != VM_MASK_ALL)
        vm_emit1(b, VM_OP_MOV, vm_mask(out, VM_MASK_ALL & ~written),
                 vm_build_literal(b, 0.0f, 0.0f, 0.0f, 1.0f));
}

void vertex_code_texcoords(struct vertex_code *c)
{
    for (unsigned i = 0; i < FF_STAGES; i++) {
        if (c->key->stage[i].texgen != FF_TEXGEN_NONE)
            stage_texcoord(c, i);
    }
}
