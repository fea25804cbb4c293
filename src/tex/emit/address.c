/* Texel addresses along one axis: address modes, indices and weights of point and linear texels
 * (reference: texture/point, texture/linear, texture/address).
 *
 * Tested by tests/unit/tex/emit/test_emit.c. */
#include "tex/emit/parts.h"

#include "util/d3dtypes.h"

/* The triangle wave of MIRROR, of period 2. */
static ir_ref mirrored(const struct emit *e, ir_ref t)
{
    ir_ref two = number(e, 2.0f);
    ir_ref pairs = op1(e, IR_FFLOOR, op2(e, IR_FMUL, t, number(e, 0.5f)));

    t = op2(e, IR_FSUB, t, op2(e, IR_FMUL, two, pairs));
    return op2(e, IR_FMIN, t, op2(e, IR_FSUB, two, t));
}

/* A coordinate in 1/256 texels, rounded to nearest even: in 0 … size * 256, except with BORDER. */
static ir_ref fixed_position(const struct emit *e, unsigned axis, ir_ref t)
{
    ir_ref top = level_value(e, offsetof(struct tex_emit_level, size) + axis * sizeof(float));
    ir_ref low = number(e, 0.0f), high = top;
    bool is_periodic = false; /* in 0 … 1, or NaN */

    switch (e->shape->address[axis]) {
    case D3DTADDRESS_WRAP:
        t = op2(e, IR_FSUB, t, op1(e, IR_FFLOOR, t));
        is_periodic = true;
        break;
    case D3DTADDRESS_MIRROR:
        t = mirrored(e, t);
        is_periodic = true;
        break;
    case D3DTADDRESS_MIRRORONCE:
        t = op1(e, IR_FABS, t);
        break;
    case D3DTADDRESS_BORDER:
        low = number(e, -512.0f);
        high = op2(e, IR_FADD, top, number(e, 512.0f));
        break;
    }
    /* FMAX returns its second operand for a NaN, so the result is always bounded. */
    t = op2(e, IR_FMAX, op2(e, IR_FMUL, t, top), low);
    return op1(e, IR_F2I_ROUND, is_periodic ? t : op2(e, IR_FMIN, t, high));
}

/* Moves an index from -1 … size to a texel. A position of `size` yields the index `size`; the
 * halves of linear positions yield -1 on the left and `size` on the right. Borders are further
 * away. */
static ir_ref inside(const struct emit *e, unsigned axis, ir_ref index, bool is_left,
                     ir_ref *outside)
{
    ir_ref last = level_value(e, offsetof(struct tex_emit_level, last) + axis * sizeof(int32_t)),
           zero = integer(e, 0);

    switch (e->shape->address[axis]) {
    case D3DTADDRESS_WRAP:
        return is_left ? choose(e, op2(e, IR_ILT, index, zero), last, index)
                       : choose(e, op2(e, IR_ILT, last, index), zero, index);
    case D3DTADDRESS_BORDER:
        *outside = op2(e, IR_MNOT, op2(e, IR_ULE, index, last), 0);
        return op2(e, IR_IMAX, op2(e, IR_IMIN, index, last), zero);
    default:
        return is_left ? op2(e, IR_IMAX, index, zero) : op2(e, IR_IMIN, index, last);
    }
}

struct emit_axis emit_axis(const struct emit *e, unsigned axis, ir_ref coordinate)
{
    ir_ref position = fixed_position(e, axis, coordinate), index, fraction;
    struct emit_axis a = {{0}, {0}, {0}};

    if (!e->shape->linear) {
        a.index[0] = inside(e, axis, shifted(e, IR_ISAR, position, 8), false, &a.outside[0]);
        return a;
    }
    position = op2(e, IR_ISUB, position, integer(e, 128));
    index = shifted(e, IR_ISAR, position, 8);
    fraction = op2(e, IR_IAND, position, integer(e, 255));
    /* Both weights are exact. */
    a.weight[1] = op2(e, IR_FMUL, op1(e, IR_I2F, fraction), number(e, 1.0f / 256.0f));
    a.weight[0] = op2(e, IR_FSUB, number(e, 1.0f), a.weight[1]);
    a.index[0] = inside(e, axis, index, true, &a.outside[0]);
    a.index[1] = inside(e, axis, op2(e, IR_IADD, index, integer(e, 1)), false, &a.outside[1]);
    return a;
}
