/* Transcendental functions as operations of the IR, with the bits of util/simd/math.h, which
 * explains the formulas. The IR has some of them. All products are plain, but that of pow.
 *
 * Tested by tests/unit/vm/lower/test_functions.c. */
#include "vm/lower/passes.h"

#include "util/variant.h"

#include <float.h>

static ir_ref number(struct lower *l, float x)
{
    return vm_literal(l, x);
}

static ir_ref integer(struct lower *l, int32_t x)
{
    return ir_const_i32(l->ir, x);
}

static ir_ref mul(struct lower *l, ir_ref a, ir_ref b)
{
    return vm_op2(l, IR_FMUL, a, b);
}

static ir_ref shift(struct lower *l, enum ir_op op, ir_ref a, unsigned bits)
{
    return ir_emit(l->ir, op, a, 0, 0, bits);
}

/* A variant renderer computes functions with an error that the specification allows
 * (util/variant.h). */
static ir_ref perturbed(struct lower *l, ir_ref result)
{
    if (!variant_current || variant_current->function == 0.0f)
        return result;
    return vm_mul(l, result, number(l, 1.0f + variant_current->function));
}

/* --- Quotients and roots ---------------------------------------------------------------------- */

ir_ref vm_rcp(struct lower *l, ir_ref x)
{
    return perturbed(l, vm_op2(l, IR_FDIV, number(l, 1.0f), x));
}

ir_ref vm_rsq(struct lower *l, ir_ref x)
{
    return perturbed(l, vm_op1(l, IR_FRSQ, x));
}

ir_ref vm_nrm(struct lower *l, ir_ref x)
{
    ir_ref zero = vm_op2(l, IR_FEQ, x, number(l, 0.0f));

    return perturbed(l, vm_bool(l, zero, number(l, FLT_MAX), vm_op1(l, IR_FRSQ, x)));
}

ir_ref vm_div(struct lower *l, ir_ref a, ir_ref b)
{
    return perturbed(l, vm_op2(l, IR_FDIV, a, b));
}

ir_ref vm_div_one(struct lower *l, ir_ref a, ir_ref b)
{
    ir_ref zero = vm_op2(l, IR_FEQ, b, number(l, 0.0f));

    return vm_bool(l, zero, number(l, 1.0f), vm_op2(l, IR_FDIV, a, b));
}

/* Ties go to even; numbers that round to 0 give +0. Numbers from 2^23 on are whole, and need not
 * fit an integer. */
ir_ref vm_round_even(struct lower *l, ir_ref x)
{
    ir_ref rounded = vm_op1(l, IR_I2F, vm_op1(l, IR_F2I_ROUND, x));

    return vm_bool(l, vm_op2(l, IR_FLT, vm_abs(l, x), number(l, 8388608.0f)), rounded, x);
}

/* --- Exponential and logarithm ---------------------------------------------------------------- */

ir_ref vm_exp2(struct lower *l, ir_ref x)
{
    return perturbed(l, vm_op1(l, IR_FEXP2, x));
}

ir_ref vm_log2(struct lower *l, ir_ref x)
{
    return perturbed(l, vm_op1(l, IR_FLOG2, x));
}

/* The zero rule holds even where other products are those of IEEE 754, so that x^0 is 1. */
static ir_ref pow_of(struct lower *l, ir_ref x, ir_ref y)
{
    return vm_op1(l, IR_FEXP2, vm_op2(l, IR_FMUL0, y, vm_op1(l, IR_FLOG2, x)));
}

ir_ref vm_pow(struct lower *l, ir_ref x, ir_ref y)
{
    return perturbed(l, pow_of(l, x, y));
}

ir_ref vm_exponent(struct lower *l, ir_ref x)
{
    ir_ref a = vm_abs(l, x), e = vm_op2(l, IR_ISUB, shift(l, IR_ISHR, a, 23), integer(l, 127)), r;

    r = vm_bool(l, vm_op2(l, IR_FEQ, x, number(l, 0.0f)), number(l, -FLT_MAX),
                vm_op1(l, IR_I2F, e));
    return vm_bool(l, vm_op2(l, IR_FLT, a, number(l, __builtin_inff())), r, a);
}

ir_ref vm_mantissa(struct lower *l, ir_ref x)
{
    ir_ref bits = vm_op2(l, IR_IOR, vm_op2(l, IR_IAND, x, integer(l, 0x7fffff)), number(l, 1.0f));
    ir_ref m = vm_bool(l, vm_op2(l, IR_FEQ, x, number(l, 0.0f)), number(l, 1.0f), bits);

    return vm_bool(l, vm_op2(l, IR_FUNORD, x, x), x, m);
}

/* y^w for x, y > 0, with w clamped (reference: shader/lit). */
ir_ref vm_lit_z(struct lower *l, ir_ref x, ir_ref y, ir_ref w)
{
    ir_ref zero = number(l, 0.0f), limit = number(l, 127.9961f), p, lit;

    p = vm_op2(l, IR_FMAX, vm_neg(l, limit), vm_op2(l, IR_FMIN, limit, w));
    lit = vm_op2(l, IR_MAND, vm_op2(l, IR_FLT, zero, x), vm_op2(l, IR_FLT, zero, y));
    return vm_bool(l, lit, pow_of(l, y, p), zero);
}

/* --- Sine and cosine -------------------------------------------------------------------------- */

struct angle {
    ir_ref rest, quadrant, odd; /* odd: sine and cosine change places */
    ir_ref s, c;
};

static ir_ref reduce(struct lower *l, ir_ref x, ir_ref *quadrant)
{
    static const float half_pi[] = {0x1.92p0f, 0x1.fap-12f, 0x1.54p-20f, 0x1.10b462p-30f};
    ir_ref n = vm_op1(l, IR_F2I_ROUND, mul(l, x, number(l, 0x1.45f306p-1f)));
    ir_ref k = vm_op1(l, IR_I2F, n), nan = mul(l, x, number(l, 0.0f));

    *quadrant = n;
    for (unsigned i = 0; i < 4; i++)
        x = vm_sub(l, x, mul(l, k, number(l, half_pi[i])));
    x = vm_op2(l, IR_FMAX, number(l, -0.8125f), x);
    x = vm_op2(l, IR_FMIN, number(l, 0.8125f), x);
    return vm_add(l, x, nan);
}

/* Horner's scheme: the polynomial of x with n coefficients, the highest first. */
static ir_ref polynomial(struct lower *l, ir_ref x, const float *coefficient, unsigned n)
{
    ir_ref q = number(l, coefficient[0]);

    for (unsigned i = 1; i < n; i++)
        q = vm_add(l, mul(l, q, x), number(l, coefficient[i]));
    return q;
}

/* The series of both, for the rest; value numbering finds those of sin and cos of one angle. */
static struct angle split(struct lower *l, ir_ref x)
{
    static const float sine[] = {-0x1.9ab2e0p-13f, 0x1.110be4p-7f, -0x1.555552p-3f};
    static const float cosine[] = {0x1.9bc64ep-16f, -0x1.6c129cp-10f, 0x1.555554p-5f};
    struct angle a;
    ir_ref z, one = integer(l, 1);

    a.rest = reduce(l, x, &a.quadrant);
    z = mul(l, a.rest, a.rest);
    a.s = polynomial(l, z, sine, 3);
    a.s = vm_add(l, a.rest, mul(l, a.rest, mul(l, z, a.s)));
    a.c = polynomial(l, z, cosine, 3);
    a.c = vm_sub(l, mul(l, mul(l, z, z), a.c), mul(l, z, number(l, 0.5f)));
    a.c = vm_add(l, a.c, number(l, 1.0f));
    a.odd = vm_op2(l, IR_IEQ, vm_op2(l, IR_IAND, a.quadrant, one), one);
    return a;
}

/* Negative in quadrants 2 and 3. */
static ir_ref with_sign(struct lower *l, ir_ref value, ir_ref quadrant)
{
    ir_ref half = vm_op2(l, IR_IAND, quadrant, integer(l, 2));

    return vm_op2(l, IR_IXOR, value, shift(l, IR_ISHL, half, 30));
}

static ir_ref perturbed_angle(struct lower *l, ir_ref result)
{
    if (!variant_current || variant_current->function == 0.0f)
        return result;
    return vm_add(l, result, number(l, variant_current->function > 0.0f ? 0.0008f : -0.0008f));
}

ir_ref vm_sin(struct lower *l, ir_ref x)
{
    struct angle a = split(l, x);

    return perturbed_angle(l, with_sign(l, vm_bool(l, a.odd, a.c, a.s), a.quadrant));
}

ir_ref vm_cos(struct lower *l, ir_ref x)
{
    struct angle a = split(l, x);
    ir_ref quadrant = vm_op2(l, IR_IADD, a.quadrant, integer(l, 1));

    return perturbed_angle(l, with_sign(l, vm_bool(l, a.odd, a.s, a.c), quadrant));
}
