/* Sampling functions of one level: coordinates to texels, filters, results
 * (reference: texture/linear, texture/volume).
 *
 * Tested by tests/unit/tex/emit/test_emit.c. */
#include "tex/emit/parts.h"

/* --- Filters ---------------------------------------------------------------------------------- */

/* Weighs a texel's channel. A texel with weight 0 does not contribute, even if it is infinite or
 * NaN. */
static ir_ref weigh(const struct emit *e, ir_ref x, ir_ref weight)
{
    ir_ref zero = number(e, 0.0f), product = op2(e, IR_FMUL, x, weight);

    return emit_is_float(e->shape) ? choose(e, op2(e, IR_FEQ, weight, zero), zero, product)
                                   : product;
}

/* Blends b into a. The first weight is never 0. */
static void blend(const struct emit *e, struct emit_texel *a, const struct emit_texel *b,
                  const ir_ref weight[2])
{
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        if (a->c[c])
            a->c[c] =
                op2(e, IR_FADD, op2(e, IR_FMUL, a->c[c], weight[0]), weigh(e, b->c[c], weight[1]));
}

static ir_ref either(const struct emit *e, ir_ref a, ir_ref b)
{
    return a && b ? op2(e, IR_MOR, a, b) : a ? a : b;
}

/* Bytes from the level's first texel to row y of a slice. */
static ir_ref row_of(const struct emit *e, ir_ref slice, ir_ref y)
{
    ir_ref row = op2(e, IR_IMUL, y, value(e, offsetof(struct tex_emit_values, row_pitch)));

    return slice ? op2(e, IR_IADD, slice, row) : row;
}

static struct emit_texel bilinear(const struct emit *e, ir_ref slice, ir_ref slice_outside,
                                  const struct emit_axis axis[2])
{
    struct emit_texel quad[2][2];
    ir_ref row[2], outside[2][2];

    for (unsigned j = 0; j < 2; j++) {
        ir_ref row_outside = either(e, slice_outside, axis[1].outside[j]);

        row[j] = row_of(e, slice, axis[1].index[j]);
        for (unsigned i = 0; i < 2; i++)
            outside[j][i] = either(e, row_outside, axis[0].outside[i]);
    }
    emit_texel_quad(e, row, &axis[0], outside, quad);
    for (unsigned j = 0; j < 2; j++)
        blend(e, &quad[j][0], &quad[j][1], axis[0].weight);
    blend(e, &quad[0][0], &quad[1][0], axis[1].weight);
    return quad[0][0];
}

static ir_ref slice_of(const struct emit *e, ir_ref z)
{
    return op2(e, IR_IMUL, z, value(e, offsetof(struct tex_emit_values, slice_pitch)));
}

/* slice: bytes to the face of a cube map; 0: none. */
static struct emit_texel filtered(const struct emit *e, ir_ref slice,
                                  const struct emit_axis axis[3])
{
    bool is_3d = e->shape->axes == 3;
    struct emit_texel near, far;
    ir_ref outside;

    if (!e->shape->linear) {
        outside = either(e, axis[2].outside[0], either(e, axis[0].outside[0], axis[1].outside[0]));
        slice = is_3d ? slice_of(e, axis[2].index[0]) : slice;
        return emit_texel(e, row_of(e, slice, axis[1].index[0]), axis[0].index[0], outside);
    }
    if (!is_3d)
        return bilinear(e, slice, 0, axis);
    near = bilinear(e, slice_of(e, axis[2].index[0]), axis[2].outside[0], axis);
    far = bilinear(e, slice_of(e, axis[2].index[1]), axis[2].outside[1], axis);
    blend(e, &near, &far, axis[2].weight);
    return near;
}

/* --- Functions -------------------------------------------------------------------------------- */

static ir_ref array(const struct emit *e, unsigned base)
{
    return ir_emit_mem(e->ir, IR_LOAD, base, 0, 0, 0, 0);
}

static ir_ref result(const struct emit *e, const struct emit_texel *texel, unsigned c)
{
    unsigned from = e->shape->swizzle[c];

    if (from >= TEX_EMIT_ZERO)
        return number(e, from == TEX_EMIT_ONE ? 1.0f : 0.0f);
    return emit_result(e, texel, from);
}

static void emit_sample(struct emit *e, ir_ref lanes)
{
    struct emit_axis axis[3] = {{{0}, {0}, {0}}};
    struct emit_texel texel;
    ir_ref slice = 0, results[TEX_EMIT_CHANNELS];

    for (unsigned a = 0; a < e->shape->axes; a++)
        axis[a] = emit_axis(e, a, array(e, TEX_EMIT_AXES + a));
    if (emit_is_shadow(e->shape))
        e->reference = array(e, TEX_EMIT_EXTRA);
    if (e->shape->faces)
        slice = shifted(e, IR_ISHL, array(e, TEX_EMIT_EXTRA), 2);
    texel = filtered(e, slice, axis);
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        results[c] = choose(e, lanes, result(e, &texel, c), array(e, TEX_EMIT_RESULTS + c));
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        ir_emit_mem(e->ir, IR_STORE, TEX_EMIT_RESULTS + c, 0, results[c], 0, 0);
}

struct ir *tex_emit_function(const struct tex_emit_shape *shape)
{
    struct emit e = {ir_create((1u << TEX_EMIT_RESULTS) - 1), shape, 0};
    ir_ref lanes;

    if (!e.ir)
        return NULL;
    lanes = ir_emit_mem(e.ir, IR_MLOAD, TEX_EMIT_VALUES, offsetof(struct tex_emit_values, lanes), 0,
                        0, 0);
    ir_if(e.ir, lanes);
    emit_sample(&e, lanes);
    ir_endif(e.ir);
    return e.ir;
}
