/* Sampling functions: coordinates to texels, filters, results
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
    ir_ref row = op2(e, IR_IMUL, y, level_value(e, offsetof(struct tex_emit_level, row_pitch)));

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

static ir_ref slice_of(const struct emit *e, ir_ref start, ir_ref z)
{
    ir_ref pitch = level_value(e, offsetof(struct tex_emit_level, slice_pitch));
    ir_ref slice = op2(e, IR_IMUL, z, pitch);

    return start ? op2(e, IR_IADD, start, slice) : slice;
}

/* start: bytes to the face of a cube map, or to the second level; 0: none. */
static struct emit_texel filtered(const struct emit *e, ir_ref start,
                                  const struct emit_axis axis[3])
{
    ir_ref slice[2] = {start, 0}, outside;
    struct emit_texel first, second;

    for (unsigned k = 0; e->shape->axes == 3 && k < 2 && axis[2].index[k]; k++)
        slice[k] = slice_of(e, start, axis[2].index[k]);
    if (!e->shape->linear) {
        outside = either(e, axis[2].outside[0], either(e, axis[0].outside[0], axis[1].outside[0]));
        return emit_texel(e, row_of(e, slice[0], axis[1].index[0]), axis[0].index[0], outside);
    }
    first = bilinear(e, slice[0], axis[2].outside[0], axis);
    if (e->shape->axes == 2)
        return first;
    second = bilinear(e, slice[1], axis[2].outside[1], axis);
    blend(e, &first, &second, axis[2].weight);
    return first;
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

/* The results of a level. */
static void sample_level(struct emit *e, unsigned level, ir_ref results[TEX_EMIT_CHANNELS])
{
    struct emit_axis axis[3] = {{{0}, {0}, {0}}};
    struct emit_texel texel;
    ir_ref start = 0, offset;

    e->level = level;
    for (unsigned a = 0; a < e->shape->axes; a++)
        axis[a] = emit_axis(e, a, array(e, TEX_EMIT_AXES + a));
    if (e->shape->faces)
        start = shifted(e, IR_ISHL, array(e, TEX_EMIT_EXTRA), 2);
    if (level) {
        offset = level_value(e, offsetof(struct tex_emit_level, offset));
        start = start ? op2(e, IR_IADD, start, offset) : offset;
    }
    texel = filtered(e, start, axis);
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        results[c] = result(e, &texel, c);
}

/* A weight of 0 leaves the first level's results as they are. */
static void blend_levels(struct emit *e, ir_ref results[TEX_EMIT_CHANNELS])
{
    ir_ref weight = array(e, TEX_EMIT_WEIGHTS), second[TEX_EMIT_CHANNELS];
    ir_ref rest = op2(e, IR_FSUB, number(e, 1.0f), weight);
    ir_ref none = op2(e, IR_FEQ, weight, number(e, 0.0f));

    sample_level(e, 1, second);
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++) {
        ir_ref sum =
            op2(e, IR_FADD, op2(e, IR_FMUL, results[c], rest), op2(e, IR_FMUL, second[c], weight));

        results[c] = choose(e, none, results[c], sum);
    }
}

struct ir *tex_emit_function(const struct tex_emit_shape *shape)
{
    struct emit e = {ir_create((1u << TEX_EMIT_RESULTS) - 1), shape, 0, 0};
    ir_ref lanes, results[TEX_EMIT_CHANNELS];

    if (!e.ir)
        return NULL;
    lanes = ir_emit_mem(e.ir, IR_MLOAD, TEX_EMIT_VALUES, offsetof(struct tex_emit_values, lanes), 0,
                        0, 0);
    ir_if(e.ir, lanes);
    if (emit_is_shadow(shape))
        e.reference = array(&e, TEX_EMIT_EXTRA);
    sample_level(&e, 0, results);
    if (shape->two_levels)
        blend_levels(&e, results);
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        results[c] = choose(&e, lanes, results[c], array(&e, TEX_EMIT_RESULTS + c));
    for (unsigned c = 0; c < TEX_EMIT_CHANNELS; c++)
        ir_emit_mem(e.ir, IR_STORE, TEX_EMIT_RESULTS + c, 0, results[c], 0, 0);
    ir_endif(e.ir);
    return e.ir;
}
