/* Fog as operations, with the bits of raster_colour_kern (reference: fog/table).
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/emit.h"

static ir_ref saturated(struct ir *ir, ir_ref x)
{
    return merge_op(ir, IR_FMIN, merge_op(ir, IR_FMAX, x, ir_const_f32(ir, 0.0f)),
                    ir_const_f32(ir, 1.0f));
}

static ir_ref factor_of(struct ir *ir, unsigned mode, ir_ref coord)
{
    ir_ref t;

    if (mode == RASTER_FOG_LINEAR) {
        t = merge_op(ir, IR_FSUB,
                     merge_uniform(ir, offsetof(struct raster_merge_uniforms, fog_end)), coord);
        return saturated(
            ir, merge_op(ir, IR_FDIV, t,
                         merge_uniform(ir, offsetof(struct raster_merge_uniforms, fog_range))));
    }
    if (mode != RASTER_FOG_EXP && mode != RASTER_FOG_EXP2)
        return saturated(ir, coord);
    t = merge_op(ir, IR_FMUL, coord,
                 merge_uniform(ir, offsetof(struct raster_merge_uniforms, fog_density)));
    if (mode == RASTER_FOG_EXP2)
        t = merge_op(ir, IR_FMUL, t, t);
    t = merge_op(ir, IR_FMUL, t, ir_const_f32(ir, -1.44269504f));
    return saturated(ir, merge_op(ir, IR_FEXP2, t, 0));
}

void merge_fog(struct ir *ir, unsigned mode, ir_ref rgb[3])
{
    ir_ref coord = ir_emit_mem(ir, IR_LOAD, RASTER_MERGE_FOG, 0, 0, 0, 0);
    ir_ref f = factor_of(ir, mode, coord), rest = merge_op(ir, IR_FSUB, ir_const_f32(ir, 1.0f), f);

    for (unsigned c = 0; c < 3; c++) {
        size_t at = offsetof(struct raster_merge_uniforms, fog_colour) + c * sizeof(float);

        rgb[c] = merge_op(ir, IR_FADD, merge_op(ir, IR_FMUL, f, rgb[c]),
                          merge_op(ir, IR_FMUL, rest, merge_uniform(ir, at)));
    }
}
