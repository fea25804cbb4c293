/* Fog as operations, with the bits of raster_colour_kern (reference: fog/table).
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/emit.h"

/* 2^x, as f32v_exp2 of util/simd/math.h, which explains the formula. */
static ir_ref exp2_of(struct ir *ir, ir_ref x)
{
    static const float coefficient[] = {0x1.40f6bep-13f, 0x1.5f310ap-10f, 0x1.3b2edcp-7f,
                                        0x1.c6af0ep-5f,  0x1.ebfbdap-3f,  0x1.8b90c2p-3f};
    ir_ref bounded = merge_op(ir, IR_FMIN, ir_const_f32(ir, 128.0f),
                              merge_op(ir, IR_FMAX, ir_const_f32(ir, -126.5f), x));
    ir_ref whole = merge_op(ir, IR_F2I_ROUND, bounded, 0),
           f = merge_op(ir, IR_FSUB, bounded, merge_op(ir, IR_I2F, whole, 0));
    ir_ref q = ir_const_f32(ir, coefficient[0]);

    for (unsigned i = 1; i < sizeof(coefficient) / sizeof(coefficient[0]); i++)
        q = merge_op(ir, IR_FADD, merge_op(ir, IR_FMUL, q, f), ir_const_f32(ir, coefficient[i]));
    q = merge_op(ir, IR_FADD, merge_op(ir, IR_FMUL, f, ir_const_f32(ir, 0.5f)),
                 merge_op(ir, IR_FMUL, f, q));
    q = merge_op(ir, IR_FADD, q, ir_const_f32(ir, 1.0f));
    q = merge_op(ir, IR_IADD, q, merge_shift(ir, IR_ISHL, whole, 23));
    return merge_op(ir, IR_FADD, q, ir_const_f32(ir, 0.0f));
}

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
    return saturated(ir, exp2_of(ir, merge_op(ir, IR_FMUL, t, ir_const_f32(ir, -1.44269504f))));
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
