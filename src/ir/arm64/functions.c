/* Rows of functions of util/simd/math.h, which explains the formulas, and of packed numbers.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/emit.h"

#include <string.h>

static void load_number(struct arm64_selector *s, unsigned d, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    emit_constant(s, d, bits);
}

/* d = a OP x, by ARM64_U. */
static void emit_number(struct arm64_selector *s, enum arm64_form form, unsigned d, unsigned a,
                        float x)
{
    load_number(s, ARM64_U, x);
    emit3(s, form, d, a, ARM64_U);
}

/* d = polynomial of x with n coefficients, the highest first. */
static void emit_polynomial(struct arm64_selector *s, unsigned d, unsigned x,
                            const float *coefficient, unsigned n)
{
    emit_number(s, ARM64_FMUL, d, x, coefficient[0]);
    for (unsigned i = 1; i < n; i++) {
        if (i > 1)
            emit3(s, ARM64_FMUL, d, d, x);
        emit_number(s, ARM64_FADD, d, d, coefficient[i]);
    }
}

/* --- Functions -------------------------------------------------------------------------------- */

void ir_arm64_emit_rsq(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned d = n->d, a = ARM64_T;

    emit2(s, ARM64_FABS, a, n->x[0]);
    load_number(s, d, 4.0f);
    emit3(s, ARM64_FDIV, d, d, a);
    emit2(s, ARM64_FSQRT, d, d);
    emit_number(s, ARM64_FMUL, d, d, 0.5f);
    emit_number(s, ARM64_FCMEQ, a, a, 0x1p-126f);
    load_number(s, ARM64_U, 0x1p63f);
    emit3(s, ARM64_BIT, d, ARM64_U, a);
}

void ir_arm64_emit_exp2(struct arm64_selector *s, const struct arm64_selection *n)
{
    static const float coefficient[] = {0x1.40f6bep-13f, 0x1.5f310ap-10f, 0x1.3b2edcp-7f,
                                        0x1.c6af0ep-5f,  0x1.ebfbdap-3f,  0x1.8b90c2p-3f};
    unsigned d = n->d, f = ARM64_T, u = ARM64_U, whole = n->x[1];

    load_number(s, u, -126.5f);
    emit3(s, ARM64_FCMGT, f, u, n->x[0]);
    emit3(s, ARM64_BSL, f, u, n->x[0]);
    load_number(s, u, 128.0f);
    emit3(s, ARM64_FCMGT, whole, f, u);
    emit3(s, ARM64_BIT, f, u, whole);
    emit2(s, ARM64_FCVTNS, whole, f);
    emit2(s, ARM64_SCVTF, d, whole);
    emit3(s, ARM64_FSUB, f, f, d);
    emit_polynomial(s, d, f, coefficient, sizeof(coefficient) / sizeof(*coefficient));
    emit3(s, ARM64_FMUL, d, d, f);
    emit_number(s, ARM64_FMUL, f, f, 0.5f);
    emit3(s, ARM64_FADD, d, d, f);
    emit_number(s, ARM64_FADD, d, d, 1.0f);
    emit_imm(s, ARM64_SHL_V, whole, whole, 23);
    emit3(s, ARM64_ADD_V, d, d, whole);
    emit_number(s, ARM64_FADD, d, d, 0.0f); /* denormals become 0 */
}

/* The results for zeros, infinities and NaNs. x is |x|; t: a register. */
static void fix_log2(struct arm64_selector *s, unsigned d, unsigned x, unsigned t)
{
    enum { INF_BITS = 0x7f800000, MIN_BITS = 0x800000 };

    emit_constant(s, ARM64_U, MIN_BITS);
    emit3(s, ARM64_CMGT, t, ARM64_U, x);
    load_number(s, ARM64_U, -__builtin_inff());
    emit3(s, ARM64_BIT, d, ARM64_U, t);
    emit_constant(s, ARM64_U, INF_BITS);
    emit3(s, ARM64_CMGT, t, ARM64_U, x);
    emit3(s, ARM64_BIF, d, x, t);
}

void ir_arm64_emit_log2(struct arm64_selector *s, const struct arm64_selection *n)
{
    enum { SQRT_HALF = 0x3f3504f3, EXPONENT = ~0x7fffff };
    static const float coefficient[] = {-0x1.c673b8p-4f, 0x1.812262p-3f,  -0x1.886172p-3f,
                                        0x1.a26cb2p-3f,  -0x1.ea803ep-3f, 0x1.2780f6p-2f,
                                        -0x1.715bfap-2f, 0x1.ec709p-2f,   0x1.d5721ap-6f};
    unsigned x = n->x[0], d = n->d, r = ARM64_T, e = n->x[1], t = n->x[2];

    emit2(s, ARM64_FABS, r, x);
    emit_constant(s, ARM64_U, SQRT_HALF);
    emit3(s, ARM64_SUB_V, e, r, ARM64_U);
    emit_constant(s, ARM64_U, (uint32_t)EXPONENT);
    emit3(s, ARM64_AND_V, t, e, ARM64_U);
    emit_imm(s, ARM64_SSHR, e, e, 23);
    emit2(s, ARM64_SCVTF, e, e);
    emit3(s, ARM64_SUB_V, r, r, t);
    emit_number(s, ARM64_FSUB, r, r, 1.0f);
    emit_polynomial(s, d, r, coefficient, sizeof(coefficient) / sizeof(*coefficient));
    emit3(s, ARM64_FMUL, d, d, r);
    emit_number(s, ARM64_FMUL, t, r, -0.75f);
    emit_number(s, ARM64_FADD, t, t, -0x1.d5713p-5f);
    emit3(s, ARM64_FADD, d, d, t);
    emit3(s, ARM64_FMUL, d, d, r);
    emit_number(s, ARM64_FMUL, t, r, 1.5f);
    emit3(s, ARM64_FADD, d, d, t);
    emit3(s, ARM64_FADD, d, d, e);
    emit2(s, ARM64_FABS, r, x);
    fix_log2(s, d, r, t);
}

/* --- Packed numbers --------------------------------------------------------------------------- */

/* The field, and then one multiplication by 1/d in two parts: util/simd/generic.h,
 * f32v_div_codes. */
void ir_arm64_emit_unorm(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned shift = n->inst->imm & 31, bits = (n->inst->imm >> 5) + 1, d = n->d, t = ARM64_T;
    uint32_t max = (1u << bits) - 1;
    bool is_last = shift + bits == 32; /* the field has the sign bit */
    float by = (float)max * (is_last ? 1.0f : (float)(1u << shift)), high = 1.0f / by,
          low = (float)((1.0 - (double)high * (double)by) / (double)by);

    if (is_last) {
        emit_imm(s, ARM64_USHR, t, n->x[0], shift);
    } else {
        emit_constant(s, t, max << shift);
        emit3(s, ARM64_AND_V, t, n->x[0], t);
    }
    emit2(s, ARM64_SCVTF, t, t);
    if (bits == 1) {
        emit_number(s, ARM64_FMUL, d, t, high);
        return;
    }
    emit_number(s, ARM64_FMUL, d, t, low);
    emit_number(s, ARM64_FMLA, d, t, high);
}

void ir_arm64_emit_h2f(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned from = n->x[0];

    if (n->inst->imm) {
        emit_imm(s, ARM64_USHR, n->d, from, n->inst->imm);
        from = n->d;
    }
    emit2(s, ARM64_XTN, n->d, from);
    emit2(s, ARM64_FCVTL, n->d, n->d);
}

void ir_arm64_emit_f2h(struct arm64_selector *s, const struct arm64_selection *n)
{
    enum { NAN_BITS = 0x7e00 };

    emit3(s, ARM64_FCMEQ, ARM64_T, n->x[0], n->x[0]);
    emit2(s, ARM64_FCVTN, n->d, n->x[0]);
    emit2(s, ARM64_UXTL, n->d, n->d);
    emit_constant(s, ARM64_U, NAN_BITS);
    emit3(s, ARM64_BIF, n->d, ARM64_U, ARM64_T);
}
