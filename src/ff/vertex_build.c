/* Fixed-function vertex shader generator: position, normal, colours, texture coordinates, fog,
 * point size.
 * Tested by tests/unit/ff/test_vertex.c. */
#include "ff/vertex_code.h"

#include <string.h>

static void emit_clip_position(struct vertex_code *c, struct vm_src position)
{
    vm_emit2(c->b, VM_OP_M4X4, vm_build_output(c->b, VM_USAGE_POSITION, 0), position,
             vm_build_const(VC_CLIP));
}

/* An input. With tweening, interpolates between its two values. */
static struct vm_src tweened(struct vertex_code *c, enum vm_usage usage, bool tween)
{
    struct vm_src first = vm_build_input(c->b, usage, 0);

    if (!tween)
        return first;
    return emit3(c->b, VM_OP_LRP, VM_MASK_ALL, const_component(VC_MISC, 1),
                 vm_build_input(c->b, usage, 1), first);
}

/* --- Vertex blending ------------------------------------------------------------------------- */

/* Converts indices to integers from 0 to 255: rounds to nearest and clamps
 * (reference: vertices/blend-indices). */
static struct vm_src matrix_numbers(struct vertex_code *c, struct vm_src indices)
{
    struct vm_builder *b = c->b;
    struct vm_src up = emit2(b, VM_OP_ADD, VM_MASK_ALL, indices, splat(b, 0.5f));
    struct vm_src whole =
        emit2(b, VM_OP_SUB, VM_MASK_ALL, up, emit1(b, VM_OP_FRC, VM_MASK_ALL, up));

    whole = emit2(b, VM_OP_MAX, VM_MASK_ALL, whole, splat(b, 0.0f)); /* NaN gives 0 */
    return emit2(b, VM_OP_MIN, VM_MASK_ALL, whole, splat(b, 255.0f));
}

/* a0 = palette row of each of the four matrices. */
static void emit_indices(struct vertex_code *c)
{
    float stride = (float)vertex_blend_stride(c->key);
    struct vm_src indices = vm_build_input(c->b, VM_USAGE_BLENDINDICES, 0);

    if (c->key->indexed == 2) { /* bytes, read as b, g, r, a divided by 255 */
        indices = vm_swizzle(indices, VM_SWZ(2, 1, 0, 3));
        indices = emit2(c->b, VM_OP_MUL, VM_MASK_ALL, indices, splat(c->b, 255.0f));
    }
    indices = emit2(c->b, VM_OP_MUL, VM_MASK_ALL, matrix_numbers(c, indices), splat(c->b, stride));
    vm_emit1(c->b, VM_OP_MOVA, vm_build_address(), indices);
}

/* Weight i. The last weight is 1 minus the others. */
static struct vm_src blend_weight(struct vertex_code *c, unsigned i)
{
    struct vm_src weights, rest;

    if (!c->key->weights)
        return splat(c->b, 1.0f);
    weights = vm_build_input(c->b, VM_USAGE_BLENDWEIGHT, 0);
    if (i < c->key->weights)
        return component(weights, i);
    rest = splat(c->b, 1.0f);
    for (unsigned w = 0; w < c->key->weights; w++)
        rest = scalar2(c->b, VM_OP_SUB, rest, component(weights, w));
    return rest;
}

static struct vm_src matrix_row(struct vertex_code *c, unsigned matrix, unsigned row)
{
    if (c->key->indexed)
        return vm_indexed(vm_build_const(VC_BLEND + row), matrix);
    return vm_build_const(VC_BLEND + matrix * vertex_blend_stride(c->key) + row);
}

/* sum + weight * (v * matrix), in `columns` components. */
static struct vm_src add_blended(struct vertex_code *c, struct vm_src sum, struct vm_src weight,
                                 struct vm_src v, unsigned matrix, unsigned row, unsigned columns)
{
    struct vm_src product = vm_build_temp(c->b);

    for (unsigned j = 0; j < columns; j++)
        vm_emit2(c->b, columns == 3 ? VM_OP_DP3 : VM_OP_DP4, vm_to(product, 1u << j), v,
                 matrix_row(c, matrix, row + j));
    return emit3(c->b, VM_OP_MAD, (1u << columns) - 1, weight, product, sum);
}

/* The eye position is the weighted sum of the positions that the world matrices give
 * (reference: vertices/blending). */
static void emit_blended(struct vertex_code *c)
{
    struct vm_src position = vm_build_input(c->b, VM_USAGE_POSITION, 0);
    struct vm_src zero = splat(c->b, 0.0f);

    c->eye = c->normal = zero;
    if (c->key->indexed)
        emit_indices(c);
    for (unsigned i = 0; i <= c->key->weights; i++) {
        struct vm_src weight = blend_weight(c, i);

        c->eye = add_blended(c, c->eye, weight, position, i, 0, 4);
        if (c->key->normal)
            c->normal = add_blended(c, c->normal, weight, vm_build_input(c->b, VM_USAGE_NORMAL, 0),
                                    i, 4, 3);
    }
    vm_emit2(c->b, VM_OP_M4X4, vm_build_output(c->b, VM_USAGE_POSITION, 0), c->eye,
             vm_build_const(VC_PROJECTION));
}

/* --- Geometry -------------------------------------------------------------------------------- */

/* World * view * projection in one matrix gives the clip position, so that passes with and without
 * lighting have equal depth. */
static void emit_unblended(struct vertex_code *c)
{
    struct vm_src position = tweened(c, VM_USAGE_POSITION, c->key->tween);

    emit_clip_position(c, position);
    c->eye = emit2(c->b, VM_OP_M4X3, VM_MASK_XYZ, position, vm_build_const(VC_EYE));
    c->normal = splat(c->b, 0.0f);
    if (c->key->normal)
        c->normal =
            emit2(c->b, VM_OP_M3X3, VM_MASK_XYZ, tweened(c, VM_USAGE_NORMAL, c->key->tween_normal),
                  vm_build_const(VC_NORMAL));
}

/* Position and normal in eye space, and derived values. Lowering eliminates unused code. */
static void emit_geometry(struct vertex_code *c)
{
    struct vm_src d2;

    if (vertex_blends(c->key))
        emit_blended(c);
    else
        emit_unblended(c);
    if (c->key->normalize)
        c->normal = emit1(c->b, VM_OP_NRM, VM_MASK_XYZ, c->normal);
    c->to_vertex = emit1(c->b, VM_OP_NRM, VM_MASK_XYZ, c->eye);
    d2 = scalar2(c->b, VM_OP_DP3, c->eye, c->eye);
    /* Unlike d2 * rsq(d2), the reciprocal is right for infinity. */
    c->eye_distance = scalar1(c->b, VM_OP_RCP, scalar1(c->b, VM_OP_RSQ, d2));
}

/* --- Colours, fog, point size ---------------------------------------------------------------- */

/* Saturates colours per vertex, before clipping and interpolation. */
static void copy_colour(struct vertex_code *c, unsigned index)
{
    vm_emit1(c->b, VM_OP_MOV, vm_saturated(vm_build_output(c->b, VM_USAGE_COLOR, index)),
             vm_build_input(c->b, VM_USAGE_COLOR, index));
}

static void emit_colours(struct vertex_code *c)
{
    if (c->key->lit)
        vertex_code_light(c);
    else if (c->key->diffuse)
        copy_colour(c, 0);
    else
        vm_emit1(c->b, VM_OP_MOV, vm_build_output(c->b, VM_USAGE_COLOR, 0), splat(c->b, 1.0f));
    if (c->key->specular && !c->key->lit_specular)
        copy_colour(c, 1);
}

/* Depth for the fog equation: |z| of the eye position, or its distance. */
static struct vm_src fog_depth(struct vertex_code *c)
{
    if (c->key->range_fog)
        return c->eye_distance;
    return vm_abs(component(c->eye, 2));
}

static struct vm_src fog_value(struct vertex_code *c)
{
    struct vm_builder *b = c->b;
    struct vm_src t;

    switch (c->key->fog) {
    case FF_FOG_INPUT:
        return component(vm_build_input(b, VM_USAGE_FOG, 0), 0);
    case FF_FOG_SPECULAR:
        return component(vm_build_input(b, VM_USAGE_COLOR, 1), 3);
    case FF_FOG_LINEAR:
        t = scalar2(b, VM_OP_SUB, const_component(VC_FOG, 0), fog_depth(c));
        return scalar2(b, VM_OP_MUL, t, const_component(VC_FOG, 1));
    case FF_FOG_EXP:
        return scalar1(b, VM_OP_EXP,
                       scalar2(b, VM_OP_MUL, fog_depth(c), const_component(VC_FOG, 0)));
    case FF_FOG_EXP2:
        t = scalar2(b, VM_OP_MUL, fog_depth(c), const_component(VC_FOG, 0));
        return scalar1(b, VM_OP_EXP, vm_neg(scalar2(b, VM_OP_MUL, t, t)));
    default:
        return splat(b, 0.0f);
    }
}

static void emit_fog(struct vertex_code *c)
{
    struct vm_dst out;

    if (c->key->fog == FF_FOG_OFF)
        return;
    out = vm_mask(vm_build_output(c->b, VM_USAGE_FOG, 0), VM_MASK_X);
    vm_emit1(c->b, VM_OP_MOV, vm_saturated(out), fog_value(c));
}

/* Point size in pixels; the rasteriser clamps it. With scaling: H * S * sqrt(1 / (A + B d + C
 * d^2)) (reference: point/scale). */
static void emit_point_size(struct vertex_code *c)
{
    struct vm_builder *b = c->b;
    struct vm_dst out = vm_mask(vm_build_output(b, VM_USAGE_PSIZE, 0), VM_MASK_X);
    struct vm_src size = const_component(VC_POINT, 3), sum;

    if (c->key->psize)
        size = component(vm_build_input(b, VM_USAGE_PSIZE, 0), 0);
    if (!c->key->point_scale) {
        vm_emit1(b, VM_OP_MOV, out, size);
        return;
    }
    sum = scalar3(b, VM_OP_MAD, c->eye_distance, const_component(VC_POINT, 2),
                  const_component(VC_POINT, 1));
    sum = scalar3(b, VM_OP_MAD, c->eye_distance, sum, const_component(VC_POINT, 0));
    size = scalar2(b, VM_OP_MUL, size, const_component(VC_MISC, 0));
    vm_emit2(b, VM_OP_MUL, out, size, scalar1(b, VM_OP_RSQ, sum));
}

/* Transformed vertices go to the rasteriser unchanged. */
static void emit_transformed(struct vertex_code *c)
{
    vm_emit1(c->b, VM_OP_MOV, vm_build_output(c->b, VM_USAGE_POSITION, 0),
             vm_build_input(c->b, VM_USAGE_POSITIONT, 0));
}

enum status ff_vertex_build(struct vm_program **out, const struct ff_vertex_key *bytes)
{
    struct vertex_key key;
    struct vertex_code c = {.key = &key};
    enum status st;

    memcpy(&key, bytes, sizeof(key));
    if ((st = vm_builder_create(&c.b, VM_VERTEX)) != ST_OK)
        return st;
    if (key.transformed)
        emit_transformed(&c);
    else
        emit_geometry(&c);
    emit_colours(&c);
    vertex_code_texcoords(&c);
    emit_fog(&c);
    emit_point_size(&c);
    return vm_builder_finish(c.b, out);
}
