/* The parts of a sampling function, and short names for operations. Private to the module. */
#ifndef TEX_EMIT_PARTS_H
#define TEX_EMIT_PARTS_H

#include "tex/emit/emit.h"

enum { TEX_EMIT_CHANNELS = 4 };

/* A function under construction. */
struct emit {
    struct ir *ir;
    const struct tex_emit_shape *shape;
    ir_ref reference; /* of shadow maps */
    unsigned level;   /* that is sampled: 0 or 1 */
};

static inline ir_ref op1(const struct emit *e, enum ir_op op, ir_ref a)
{
    return ir_emit(e->ir, op, a, 0, 0, 0);
}
static inline ir_ref op2(const struct emit *e, enum ir_op op, ir_ref a, ir_ref b)
{
    return ir_emit(e->ir, op, a, b, 0, 0);
}
static inline ir_ref choose(const struct emit *e, ir_ref mask, ir_ref a, ir_ref b)
{
    return ir_emit(e->ir, IR_SELECT, mask, a, b, 0);
}
static inline ir_ref number(const struct emit *e, float x)
{
    return ir_const_f32(e->ir, x);
}
static inline ir_ref integer(const struct emit *e, int32_t x)
{
    return ir_const_i32(e->ir, x);
}
static inline ir_ref shifted(const struct emit *e, enum ir_op op, ir_ref a, unsigned bits)
{
    return bits ? ir_emit(e->ir, op, a, 0, 0, bits) : a;
}
static inline ir_ref value(const struct emit *e, size_t at)
{
    return ir_emit_mem(e->ir, IR_UNIFORM, TEX_EMIT_VALUES, (uint32_t)at, 0, 0, 0);
}
static inline ir_ref all_lanes(const struct emit *e)
{
    return ir_emit(e->ir, IR_MCONST, 0, 0, 0, 1);
}

static inline ir_ref level_value(const struct emit *e, size_t at)
{
    return value(e, offsetof(struct tex_emit_values, level) +
                        e->level * sizeof(struct tex_emit_level) + at);
}

/* --- address.c -------------------------------------------------------------------------------- */

/* Two neighbouring texels of an axis. Point sampling has only the first. */
struct emit_axis {
    ir_ref index[2], weight[2];
    ir_ref outside[2]; /* masks; 0 unless the axis has a border */
};
struct emit_axis emit_axis(const struct emit *e, unsigned axis, ir_ref coordinate);

/* --- texel.c ---------------------------------------------------------------------------------- */

struct emit_texel {
    ir_ref c[TEX_EMIT_CHANNELS]; /* stored channels; 0: there is none */
};

bool emit_is_shadow(const struct tex_emit_shape *shape);
/* Stored channels are values. Otherwise they are codes, which a division converts. */
bool emit_has_values(const struct tex_emit_shape *shape, unsigned c);
/* Stored channels of floats and halves: they may be infinite or NaN. */
bool emit_is_float(const struct tex_emit_shape *shape);

/* The texel at x in a row that begins `row` bytes behind the level's first texel. outside: mask; 0:
 * none. */
struct emit_texel emit_texel(const struct emit *e, ir_ref row, ir_ref x, ir_ref outside);
/* The texels [lower][right] of two rows, at both indices of an axis. */
void emit_texel_quad(const struct emit *e, const ir_ref row[2], const struct emit_axis *x,
                     const ir_ref outside[2][2], struct emit_texel quad[2][2]);
/* Converts a filtered channel to a result. */
ir_ref emit_result(const struct emit *e, const struct emit_texel *texel, unsigned c);

#endif
