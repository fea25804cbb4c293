/* Instruction selection: a row per operation. Results are those of the formulas of ops.def, bit by
 * bit. Control flow and calls have no rows.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/x86/select.h"

#include "ir/x86/emit.h"

#include <string.h>

enum { MEMORY_A = 1, MEMORY_B = 2, MEMORY_AB = 3 };
enum { EARLY = 1, TEMPORARY = 2, TEMPORARIES = 4 };

/* How an operation becomes instructions. */
struct row {
    void (*emit)(struct x86_selector *s, const struct x86_selection *n);
    enum x86_form form; /* for emit functions that many rows share */
    uint8_t predicate;  /* of comparisons */
    uint8_t memory[2];  /* operands that may be in memory, on AVX2 and on AVX-512 */
    uint8_t needs[2];   /* EARLY: the result is written before all operands are read; TEMPORARY,
                           TEMPORARIES: one or two more registers */
};
static const struct row rows[IR_OP_COUNT];

/* --- Registers -------------------------------------------------------------------------------- */

const struct machine_registers *ir_x86_registers(const struct x86_target *t)
{
    static const struct machine_registers registers[2][2] = {
        {{.end = {7}}, {.first = {0, 34}, .end = {7, 40}, .masks = true, .uniforms = true}},
        {{.end = {15}}, {.first = {0, 34}, .end = {31, 40}, .masks = true, .uniforms = true}}};

    return &registers[t->is_64][t->avx512];
}

void ir_x86_constraints(struct machine_constraint out[IR_OP_COUNT], const struct x86_target *t)
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        out[op] = (struct machine_constraint){.memory = rows[op].memory[t->avx512],
                                              .early = rows[op].needs[t->avx512] & EARLY,
                                              .temporaries = rows[op].needs[t->avx512] / TEMPORARY};
}

enum predicate { EQUAL = 0, UNORDERED = 3, LESS = 0x11, LESS_EQUAL = 0x12 };

static void emit_compare(struct x86_selector *s, unsigned predicate, unsigned d, unsigned a,
                         struct x86_operand m)
{
    emit_imm(s, X86_CMPPS, d, a, m, (int32_t)predicate);
}

/* A byte or two of a mask of 64 bits. */
static struct x86_operand mask_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    emit2(s, X86_MOV, X86_AX, x86_reg(X86_LANE));
    emit_imm(s, X86_SHR, 0, 0, x86_reg(X86_AX), 3);
    return x86_indexed(base_register(s, inst->base), X86_AX, 0, (int32_t)inst->imm);
}

/* --- Rows: one instruction -------------------------------------------------------------------- */

static void emit_none(struct x86_selector *s, const struct x86_selection *n)
{
    (void)s, (void)n;
}

static void emit_unary(struct x86_selector *s, const struct x86_selection *n)
{
    emit2(s, rows[n->inst->op].form, n->d, n->x[0]);
}

static void emit_binary(struct x86_selector *s, const struct x86_selection *n)
{
    emit3(s, rows[n->inst->op].form, n->d, n->x[0].reg, n->x[1]);
}

static void emit_commutes(struct x86_selector *s, const struct x86_selection *n)
{
    bool exchange = n->x[0].is_mem;

    emit3(s, rows[n->inst->op].form, n->d, n->x[exchange].reg, n->x[!exchange]);
}

static void emit_shift(struct x86_selector *s, const struct x86_selection *n)
{
    emit_imm(s, rows[n->inst->op].form, 0, n->d, n->x[0], (int32_t)n->inst->imm);
}

static void emit_floor(struct x86_selector *s, const struct x86_selection *n)
{
    enum { DOWN = 1, NO_EXCEPTION = 8 };

    emit_imm(s, X86_ROUNDPS, n->d, 0, n->x[0], DOWN | NO_EXCEPTION);
}

static void emit_quad(struct x86_selector *s, const struct x86_selection *n)
{
    emit_imm(s, X86_PSHUFD, n->d, 0, n->x[0], (int32_t)n->inst->imm);
}

static void emit_neg(struct x86_selector *s, const struct x86_selection *n)
{
    emit3(s, X86_PXOR, n->d, n->x[0].reg, ir_x86_constant(s->code, UINT32_C(1) << 31));
}

static void emit_abs(struct x86_selector *s, const struct x86_selection *n)
{
    emit3(s, X86_PAND, n->d, n->x[0].reg, ir_x86_constant(s->code, INT32_MAX));
}

/* --- Rows: packed numbers --------------------------------------------------------------------- */

/* The field, and then one multiplication by 1/d in two parts: util/simd/generic.h,
 * f32v_div_codes. */
static void emit_unorm(struct x86_selector *s, const struct x86_selection *n)
{
    unsigned shift = n->inst->imm & 31, bits = (n->inst->imm >> 5) + 1, d = n->d, t = scratch(s);
    uint32_t max = (1u << bits) - 1;
    bool is_last = shift + bits == 32; /* the field has the sign bit */
    float by = (float)max * (is_last ? 1.0f : (float)(1u << shift)), high = 1.0f / by,
          low = (float)((1.0 - (double)high * (double)by) / (double)by);
    uint32_t high_bits, low_bits;

    memcpy(&high_bits, &high, sizeof(high_bits));
    memcpy(&low_bits, &low, sizeof(low_bits));
    if (is_last && shift)
        emit_imm(s, X86_PSRLD, 0, d, n->x[0], (int32_t)shift);
    else
        emit3(s, X86_PAND, d, n->x[0].reg, ir_x86_constant(s->code, max << shift));
    emit2(s, X86_CVTDQ2PS, d, x86_reg(d));
    if (bits == 1) {
        emit3(s, X86_MULPS, d, d, ir_x86_constant(s->code, high_bits));
        return;
    }
    emit3(s, X86_MULPS, t, d, ir_x86_constant(s->code, low_bits));
    emit3(s, X86_FMADD132PS, d, t, ir_x86_constant(s->code, high_bits));
}

static void emit_h2f(struct x86_selector *s, const struct x86_selection *n)
{
    enum { EVEN_WORDS = 0x08 }; /* of 64 bits: 0 and 2 */
    unsigned shift = n->inst->imm, d = n->d;
    bool is_pair = !avx512(s) && (shift == 0 || shift == 16);
    struct x86_operand from = n->x[0];

    if (shift && !is_pair) {
        emit_imm(s, X86_PSRLD, 0, d, from, (int32_t)shift);
        from = x86_reg(d);
    }
    if (avx512(s)) {
        emit2(s, X86_PMOVDW, from.reg, x86_reg(d));
    } else {
        emit3(s, X86_PSHUFB, d, from.reg,
              ir_x86_pool_vector(is_pair && shift ? X86_POOL_HIGH_HALVES : X86_POOL_LOW_HALVES));
        emit_imm(s, X86_PERMQ, d, 0, x86_reg(d), EVEN_WORDS);
    }
    emit2(s, X86_CVTPH2PS, d, x86_reg(d));
}

static void emit_f2h(struct x86_selector *s, const struct x86_selection *n)
{
    enum { NAN_BITS = 0x7fc00000 };
    struct x86_operand nan = ir_x86_constant(s->code, NAN_BITS);
    unsigned a = n->x[0].reg, d = n->d, t = scratch(s);

    if (avx512(s)) {
        emit_compare(s, UNORDERED, SCRATCH_MASK, a, x86_reg(a));
        emit_masked(s, X86_PBLENDMD, d, a, nan, SCRATCH_MASK, false);
    } else {
        emit_compare(s, UNORDERED, t, a, x86_reg(a));
        emit_imm(s, X86_BLENDVPS, d, a, nan, (int32_t)t << 4);
    }
    emit_imm(s, X86_CVTPS2PH, d, 0, x86_reg(d), 0); /* to nearest even */
    emit2(s, X86_PMOVZXWD, d, x86_reg(d));
}

/* --- Rows: multiplication with the zero rule -------------------------------------------------- */

/* Clears the products that are NaN and have a factor 0. AVX-512 looks for such factors where the
 * product is NaN. AVX2 looks for NaNs among the products with such a factor, other lanes are 0
 * there. */
static void emit_mul0(struct x86_selector *s, const struct x86_selection *n)
{
    enum { ZERO_BECOMES_0 = 0x800 }; /* table of vfixupimmps: other classes keep the product */
    unsigned a = n->x[0].reg, b = n->x[1].reg, d = n->d, t = scratch(s);
    struct x86_operand zero;

    if (avx512(s)) {
        struct x86_operand table = ir_x86_constant(s->code, ZERO_BECOMES_0);

        emit3(s, X86_MULPS, d, a, n->x[1]);
        emit_compare(s, UNORDERED, SCRATCH_MASK, d, x86_reg(d));
        emit_masked(s, X86_FIXUPIMMPS, d, a, table, SCRATCH_MASK, false);
        if (b != a)
            emit_masked(s, X86_FIXUPIMMPS, d, b, table, SCRATCH_MASK, false);
        return;
    }
    zero = ir_x86_constant(s->code, 0);
    emit_compare(s, EQUAL, t, a, zero);
    emit_compare(s, EQUAL, d, b, zero);
    emit3(s, X86_POR, d, d, x86_reg(t));
    emit3(s, X86_MULPS, t, a, n->x[1]);
    emit3(s, X86_PAND, d, d, x86_reg(t));
    emit_compare(s, UNORDERED, d, d, x86_reg(d));
    emit3(s, X86_PANDN, d, d, x86_reg(t));
}

/* --- Rows: functions of util/simd/math.h, which explains the formulas ------------------------- */

static struct x86_operand number(struct x86_selector *s, float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return ir_x86_constant(s->code, bits);
}

/* A constant in a register. */
static void load_constant(struct x86_selector *s, unsigned d, struct x86_operand constant)
{
    constant.broadcast = false;
    emit2(s, avx512(s) ? X86_BROADCASTSS : X86_MOVUPS, d, constant);
}

static void load_number(struct x86_selector *s, unsigned d, float x)
{
    load_constant(s, d, number(s, x));
}

/* d = polynomial of x with n coefficients, the highest first. */
static void emit_polynomial(struct x86_selector *s, unsigned d, unsigned x,
                            const float *coefficient, unsigned n)
{
    emit3(s, X86_MULPS, d, x, number(s, coefficient[0]));
    for (unsigned i = 1; i < n; i++) {
        if (i > 1)
            emit3(s, X86_MULPS, d, d, x86_reg(x));
        emit3(s, X86_ADDPS, d, d, number(s, coefficient[i]));
    }
}

static void emit_rsq(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand least = number(s, 0x1p-126f), at_least = number(s, 0x1p63f);
    unsigned d = n->d, a = scratch(s);

    emit3(s, X86_PAND, a, n->x[0].reg, ir_x86_constant(s->code, INT32_MAX));
    load_number(s, d, 4.0f);
    emit3(s, X86_DIVPS, d, d, x86_reg(a));
    emit2(s, X86_SQRTPS, d, x86_reg(d));
    emit3(s, X86_MULPS, d, d, number(s, 0.5f));
    if (avx512(s)) {
        emit_compare(s, EQUAL, SCRATCH_MASK, a, least);
        emit_masked(s, X86_PBLENDMD, d, d, at_least, SCRATCH_MASK, false);
    } else {
        emit_compare(s, EQUAL, a, a, least);
        emit_imm(s, X86_BLENDVPS, d, d, at_least, (int32_t)a << 4);
    }
}

/* AVX-512 needs no bounds: the scaling gives 0 and infinity. */
static void emit_exp2(struct x86_selector *s, const struct x86_selection *n)
{
    enum { NEAREST = 0, NO_EXCEPTION = 8 };
    static const float coefficient[] = {0x1.40f6bep-13f, 0x1.5f310ap-10f, 0x1.3b2edcp-7f,
                                        0x1.c6af0ep-5f,  0x1.ebfbdap-3f,  0x1.8b90c2p-3f};
    unsigned d = n->d, f = scratch(s), whole = s->allocation->place[n->i][2];

    if (avx512(s)) {
        emit_imm(s, X86_ROUNDPS, whole, 0, n->x[0], NEAREST | NO_EXCEPTION);
        emit_imm(s, X86_REDUCEPS, f, 0, n->x[0], NEAREST | NO_EXCEPTION);
    } else {
        load_number(s, f, -126.5f);
        emit3(s, X86_MAXPS, f, f, n->x[0]);
        load_number(s, whole, 128.0f);
        emit3(s, X86_MINPS, f, whole, x86_reg(f));
        emit2(s, X86_CVTPS2DQ, whole, x86_reg(f));
        emit2(s, X86_CVTDQ2PS, d, x86_reg(whole));
        emit3(s, X86_SUBPS, f, f, x86_reg(d));
    }
    emit_polynomial(s, d, f, coefficient, sizeof(coefficient) / sizeof(*coefficient));
    emit3(s, X86_MULPS, d, d, x86_reg(f));
    emit3(s, X86_MULPS, f, f, number(s, 0.5f));
    emit3(s, X86_ADDPS, d, d, x86_reg(f));
    emit3(s, X86_ADDPS, d, d, number(s, 1.0f));
    if (avx512(s)) {
        emit3(s, X86_SCALEFPS, d, d, x86_reg(whole));
        return;
    }
    emit_imm(s, X86_PSLLD, 0, whole, x86_reg(whole), 23);
    emit3(s, X86_PADDD, d, d, x86_reg(whole));
    emit_zero(s, f);
    emit3(s, X86_ADDPS, d, d, x86_reg(f)); /* denormals become 0 */
}

/* The results for zeros, infinities and NaNs. x is |x| on AVX2. t: a register. */
static void fix_log2(struct x86_selector *s, unsigned d, unsigned x, unsigned t)
{
    enum { INF_BITS = 0x7f800000, MIN_BITS = 0x800000 };
    enum { TABLE = 0x550421 }; /* of vfixupimmps: NaNs stay, 0 becomes -infinity, +-infinity + */

    if (avx512(s)) {
        emit_imm(s, X86_FIXUPIMMPS, d, x, ir_x86_constant(s->code, TABLE), 0);
        return;
    }
    load_constant(s, t, ir_x86_constant(s->code, MIN_BITS));
    emit3(s, X86_PCMPGTD, t, t, x86_reg(x));
    emit_imm(s, X86_BLENDVPS, d, d, number(s, -__builtin_inff()), (int32_t)t << 4);
    load_constant(s, t, ir_x86_constant(s->code, INF_BITS));
    emit3(s, X86_PCMPGTD, t, t, x86_reg(x));
    emit_imm(s, X86_BLENDVPS, d, x, x86_reg(d), (int32_t)t << 4);
}

static void emit_log2(struct x86_selector *s, const struct x86_selection *n)
{
    enum { SQRT_HALF = 0x3f3504f3, EXPONENT = ~0x7fffff };
    static const float coefficient[] = {-0x1.c673b8p-4f, 0x1.812262p-3f,  -0x1.886172p-3f,
                                        0x1.a26cb2p-3f,  -0x1.ea803ep-3f, 0x1.2780f6p-2f,
                                        -0x1.715bfap-2f, 0x1.ec709p-2f,   0x1.d5721ap-6f};
    const uint8_t *place = s->allocation->place[n->i];
    struct x86_operand abs = ir_x86_constant(s->code, INT32_MAX);
    unsigned x = n->x[0].reg, d = n->d, r = scratch(s), e = place[2], t = place[3];

    emit3(s, X86_PAND, r, x, abs);
    emit3(s, X86_PSUBD, e, r, ir_x86_constant(s->code, SQRT_HALF));
    emit3(s, X86_PAND, t, e, ir_x86_constant(s->code, (uint32_t)EXPONENT));
    emit_imm(s, X86_PSRAD, 0, e, x86_reg(e), 23);
    emit2(s, X86_CVTDQ2PS, e, x86_reg(e));
    emit3(s, X86_PSUBD, r, r, x86_reg(t));
    emit3(s, X86_SUBPS, r, r, number(s, 1.0f));
    emit_polynomial(s, d, r, coefficient, sizeof(coefficient) / sizeof(*coefficient));
    emit3(s, X86_MULPS, d, d, x86_reg(r));
    emit3(s, X86_MULPS, t, r, number(s, -0.75f));
    emit3(s, X86_ADDPS, t, t, number(s, -0x1.d5713p-5f));
    emit3(s, X86_ADDPS, d, d, x86_reg(t));
    emit3(s, X86_MULPS, d, d, x86_reg(r));
    emit3(s, X86_MULPS, t, r, number(s, 1.5f));
    emit3(s, X86_ADDPS, d, d, x86_reg(t));
    emit3(s, X86_ADDPS, d, d, x86_reg(e));
    if (!avx512(s))
        emit3(s, X86_PAND, r, x, abs);
    fix_log2(s, d, avx512(s) ? x : r, t);
}

/* --- Rows: comparisons and masks -------------------------------------------------------------- */

static void emit_compare_floats(struct x86_selector *s, const struct x86_selection *n)
{
    bool exchange = n->x[0].is_mem; /* only where the operation commutes */

    emit_compare(s, rows[n->inst->op].predicate, n->d, n->x[exchange].reg, n->x[!exchange]);
}

enum { INT_EQUAL = 0, INT_LESS = 1, INT_LESS_EQUAL = 2 };

static void emit_ieq(struct x86_selector *s, const struct x86_selection *n)
{
    bool exchange = n->x[0].is_mem;

    if (avx512(s))
        emit_imm(s, X86_PCMPD, n->d, n->x[exchange].reg, n->x[!exchange], INT_EQUAL);
    else
        emit3(s, X86_PCMPEQD, n->d, n->x[exchange].reg, n->x[!exchange]);
}

static void emit_ilt(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s))
        emit_imm(s, X86_PCMPD, n->d, n->x[0].reg, n->x[1], INT_LESS);
    else
        emit3(s, X86_PCMPGTD, n->d, n->x[1].reg, n->x[0]);
}

static void emit_ule(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s)) {
        emit_imm(s, X86_PCMPUD, n->d, n->x[0].reg, n->x[1], INT_LESS_EQUAL);
        return;
    }
    emit3(s, X86_PMINUD, scratch(s), n->x[0].reg, n->x[1]);
    emit3(s, X86_PCMPEQD, n->d, scratch(s), n->x[0]);
}

static void emit_mand(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s))
        emit3(s, X86_KANDW, n->d, n->x[0].reg, n->x[1]);
    else
        emit_commutes(s, n);
}

static void emit_mor(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s))
        emit3(s, X86_KORW, n->d, n->x[0].reg, n->x[1]);
    else
        emit_commutes(s, n);
}

static void emit_mandnot(struct x86_selector *s, const struct x86_selection *n)
{
    emit3(s, avx512(s) ? X86_KANDNW : X86_PANDN, n->d, n->x[1].reg, n->x[0]);
}

static void emit_mnot(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s))
        emit2(s, X86_KNOTW, n->d, n->x[0]);
    else
        emit3(s, X86_PXOR, n->d, n->x[0].reg, ir_x86_constant(s->code, UINT32_MAX));
}

static void emit_select(struct x86_selector *s, const struct x86_selection *n)
{
    if (avx512(s))
        emit_masked(s, X86_PBLENDMD, n->d, n->x[2].reg, n->x[1], n->x[0].reg, false);
    else
        emit_imm(s, X86_BLENDVPS, n->d, n->x[2].reg, n->x[1], n->x[0].reg << 4);
}

/* --- Rows: lanes ------------------------------------------------------------------------------ */

static void emit_first(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand x = n->x[0];

    x.broadcast = false;
    emit2(s, X86_PBROADCASTD, n->d, x);
}

static void emit_lane(struct x86_selector *s, const struct x86_selection *n)
{
    emit2(s, X86_MOVD, n->d, x86_reg(X86_LANE));
    emit2(s, X86_PBROADCASTD, n->d, x86_reg(n->d));
    emit3(s, X86_PADDD, n->d, n->d, ir_x86_pool_vector(X86_POOL_LANES));
}

/* --- Rows: memory ----------------------------------------------------------------------------- */

static void emit_uniform(struct x86_selector *s, const struct x86_selection *n)
{
    emit2(s, X86_BROADCASTSS, n->d, uniform_memory(s, n->inst));
}

static void emit_load(struct x86_selector *s, const struct x86_selection *n)
{
    emit2(s, X86_MOVUPS, n->d, lane_memory(s, n->inst));
}

static void emit_store(struct x86_selector *s, const struct x86_selection *n)
{
    emit2(s, X86_MOVUPS_TO, n->x[0].reg, lane_memory(s, n->inst));
}

static void emit_ustore(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand x = n->x[0];

    x.broadcast = false;
    if (x.is_mem)
        emit2(s, X86_MOV, X86_AX, x);
    emit2(s, x.is_mem ? X86_MOV_TO : X86_MOVD_TO, x.is_mem ? X86_AX : x.reg,
          uniform_memory(s, n->inst));
}

static void emit_mload(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand lane_bits = ir_x86_pool_vector(X86_POOL_LANE_BITS),
                       m = mask_memory(s, n->inst);

    if (avx512(s)) {
        emit2(s, X86_KMOVW, n->d, m);
        return;
    }
    emit2(s, X86_PBROADCASTB, n->d, m);
    emit3(s, X86_PAND, n->d, n->d, lane_bits);
    emit3(s, X86_PCMPEQD, n->d, n->d, lane_bits);
}

static void emit_mstore(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand m = mask_memory(s, n->inst);

    if (avx512(s)) {
        emit2(s, X86_KMOVW_TO, n->x[0].reg, m);
        return;
    }
    emit2(s, X86_MOVMSKPS, X86_DX, n->x[0]);
    emit2(s, X86_MOV8_TO, X86_DX, m);
}

/* Loads a signed offset into X86_AX. */
static void load_offset(struct x86_selector *s, struct x86_operand from)
{
    from.broadcast = false;
    emit2(s, s->code->target.is_64 ? X86_MOVSXD : X86_MOV, X86_AX, from);
}

static struct x86_operand offset_memory(struct x86_selector *s, const struct ir_inst *inst)
{
    return x86_indexed(base_register(s, inst->base), X86_AX, 0, (int32_t)inst->imm);
}

/* True if the instruction before has left its offset, which is the same, in X86_AX. */
static bool has_offset(const struct x86_selector *s, const struct x86_selection *n)
{
    return n->inst[-1].op == IR_LOAD_AT && n->inst[-1].arg[0] == n->inst->arg[0] &&
           !s->live->dead[n->i - 1] && !s->live->cut[n->i];
}

static void emit_load_at(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand from = n->x[0];

    if (!has_offset(s, n)) {
        if (!from.is_mem) {
            emit2(s, X86_MOVD_TO, from.reg, x86_reg(X86_AX));
            from = x86_reg(X86_AX);
        }
        load_offset(s, from);
    }
    emit2(s, X86_BROADCASTSS, n->d, offset_memory(s, n->inst));
}

static struct x86_operand work_offsets(unsigned lane)
{
    return x86_mem(X86_WORK, X86_WORK_OFFSETS + 4 * (int32_t)lane);
}

/* Rows of 16 bytes, each lane its own, into a register: of the given lane and every fourth one
 * behind it. */
static void emit_load_rows(struct x86_selector *s, unsigned d, unsigned lane, struct x86_operand m)
{
    for (unsigned part = 0; 4 * part < x86_lanes(&s->code->target); part++) {
        load_offset(s, work_offsets(lane + 4 * part));
        if (!part)
            emit2(s, X86_MOVUPS_128, d, m);
        else
            emit_imm(s, X86_INSERTF128, d, d, m, (int32_t)part);
    }
}

/* The words of rows, in four registers by their place in the row: loads of 16 bytes a lane, and a
 * transposition. Shaders with indexed constants run twice as fast as with gather instructions on
 * Zen 4. */
static void emit_rows(struct x86_selector *s, const struct x86_selection *n)
{
    enum { LOW_HALVES = 0x44, HIGH_HALVES = 0xee };
    unsigned size = machine_row_size(s->live, n->i), t = scratch(s), reg[4], free = 0;
    const uint8_t(*place)[4] = (const uint8_t(*)[4]) & s->allocation->place[n->i];
    struct x86_operand m = x86_indexed(base_register(s, n->inst->base), X86_AX, 0,
                                       (int32_t)(n->inst->imm & ~UINT32_C(15)));
    bool used[4] = {false};

    for (unsigned k = 0; k < size; k++) {
        unsigned word = n->inst[k].imm / 4 % 4;

        reg[word] = place[k][0];
        used[word] = true;
    }
    for (unsigned word = 0; word < 4; word++)
        if (!used[word])
            reg[word] = place[free++][3];
    emit2(s, X86_MOVUPS_TO, n->x[0].reg, work_offsets(0));
    emit_load_rows(s, t, 0, m);
    emit_load_rows(s, reg[1], 1, m);
    emit_load_rows(s, reg[3], 2, m);
    emit_load_rows(s, reg[0], 3, m);
    emit3(s, X86_UNPCKLPS, reg[2], t, x86_reg(reg[1]));
    emit3(s, X86_UNPCKHPS, t, t, x86_reg(reg[1]));
    emit3(s, X86_UNPCKLPS, reg[1], reg[3], x86_reg(reg[0]));
    emit3(s, X86_UNPCKHPS, reg[3], reg[3], x86_reg(reg[0]));
    emit_imm(s, X86_SHUFPS, reg[0], reg[2], x86_reg(reg[1]), LOW_HALVES);
    emit_imm(s, X86_SHUFPS, reg[1], reg[2], x86_reg(reg[1]), HIGH_HALVES);
    emit_imm(s, X86_SHUFPS, reg[2], t, x86_reg(reg[3]), LOW_HALVES);
    emit_imm(s, X86_SHUFPS, reg[3], t, x86_reg(reg[3]), HIGH_HALVES);
}

/* The instruction clears the mask as it goes. A load a lane would be slower, also on processors
 * with slow gathers: the loads would wait until the offsets are in memory (4 gathers of 64 words on
 * Zen 4: 83 ns by the instruction, 140 ns by loads). */
static void emit_gather(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand m;

    if (s->live->row[n->i] == 1)
        emit_rows(s, n);
    if (s->live->row[n->i])
        return;
    m = x86_indexed(base_register(s, n->inst->base), n->x[0].reg, 0, (int32_t)n->inst->imm);
    emit_zero(s, n->d);
    if (avx512(s)) {
        emit2(s, X86_KMOVW, SCRATCH_MASK, n->x[1]);
        emit_masked(s, X86_PGATHERDD, n->d, 0, m, SCRATCH_MASK, false);
    } else {
        emit2(s, X86_MOVAPS, scratch(s), n->x[1]);
        emit3(s, X86_PGATHERDD, n->d, scratch(s), m);
    }
}

/* AVX2: a test and a store a lane. */
static void emit_store_lanes(struct x86_selector *s, const struct x86_selection *n)
{
    unsigned from = n->x[1].reg;

    emit2(s, X86_MOVUPS_TO, n->x[0].reg, work_offsets(0));
    emit2(s, X86_MOVMSKPS, X86_DX, n->x[2]);
    for (unsigned lane = 0; lane < 8; lane++) {
        size_t inactive;

        if (lane == 4) {
            from = scratch(s);
            emit_imm(s, X86_EXTRACTI128, n->x[1].reg, 0, x86_reg(from), 1);
        }
        emit_imm(s, X86_TEST_I, 0, 0, x86_reg(X86_DX), 1 << lane);
        inactive = ir_x86_jump(s->code, X86_ZERO);
        load_offset(s, work_offsets(lane));
        emit_imm(s, X86_PEXTRD, from, 0, offset_memory(s, n->inst), (int32_t)lane % 4);
        ir_x86_land(s->code, inactive);
    }
}

static void emit_scatter(struct x86_selector *s, const struct x86_selection *n)
{
    struct x86_operand m;

    if (!avx512(s)) {
        emit_store_lanes(s, n);
        return;
    }
    emit2(s, X86_KMOVW, SCRATCH_MASK, n->x[2]);
    m = x86_indexed(base_register(s, n->inst->base), n->x[0].reg, 0, (int32_t)n->inst->imm);
    emit_masked(s, X86_PSCATTERDD, n->x[1].reg, 0, m, SCRATCH_MASK, false);
}

/* --- The rows --------------------------------------------------------------------------------- */

/* clang-format off */
/*                     emit                 form             predicate   memory                   needs */
#define ROW_CONST     {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MCONST    {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_LANE      {emit_lane,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_FADD      {emit_commutes,       X86_ADDPS,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FSUB      {emit_binary,         X86_SUBPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FMUL      {emit_commutes,       X86_MULPS,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FMUL0     {emit_mul0,           0,               0,          {0, 0},                  {EARLY, EARLY}}
#define ROW_FDIV      {emit_binary,         X86_DIVPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FSQRT     {emit_unary,          X86_SQRTPS,      0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FRSQ      {emit_rsq,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_FEXP2     {emit_exp2,           0,               0,          {0, 0},                  {TEMPORARY, TEMPORARY}}
#define ROW_FLOG2     {emit_log2,           0,               0,          {0, 0},                  {LOG2, LOG2}}
#define ROW_FMIN      {emit_binary,         X86_MINPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FMAX      {emit_binary,         X86_MAXPS,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FFLOOR    {emit_floor,          0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FNEG      {emit_neg,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_FABS      {emit_abs,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_F2I       {emit_unary,          X86_CVTTPS2DQ,   0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_F2I_ROUND {emit_unary,          X86_CVTPS2DQ,    0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_I2F       {emit_unary,          X86_CVTDQ2PS,    0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_UNORM     {emit_unorm,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_H2F       {emit_h2f,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_F2H       {emit_f2h,            0,               0,          {0, 0},                  {0, 0}}
#define ROW_IADD      {emit_commutes,       X86_PADDD,       0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ISUB      {emit_binary,         X86_PSUBD,       0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_IMUL      {emit_commutes,       X86_PMULLD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IAND      {emit_commutes,       X86_PAND,        0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IOR       {emit_commutes,       X86_POR,         0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IXOR      {emit_commutes,       X86_PXOR,        0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ISHL      {emit_shift,          X86_PSLLD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_ISHR      {emit_shift,          X86_PSRLD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_ISAR      {emit_shift,          X86_PSRAD,       0,          {0, MEMORY_A},           {0, 0}}
#define ROW_IMIN      {emit_commutes,       X86_PMINSD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IMAX      {emit_commutes,       X86_PMAXSD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_UMIN      {emit_commutes,       X86_PMINUD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_UMAX      {emit_commutes,       X86_PMAXUD,      0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FEQ       {emit_compare_floats, 0,               EQUAL,      {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_FLT       {emit_compare_floats, 0,               LESS,       {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FLE       {emit_compare_floats, 0,               LESS_EQUAL, {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_FUNORD    {emit_compare_floats, 0,               UNORDERED,  {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_IEQ       {emit_ieq,            0,               0,          {MEMORY_AB, MEMORY_AB},  {0, 0}}
#define ROW_ILT       {emit_ilt,            0,               0,          {MEMORY_A, MEMORY_B},    {0, 0}}
#define ROW_ULE       {emit_ule,            0,               0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_MAND      {emit_mand,           X86_PAND,        0,          {MEMORY_AB, 0},          {0, 0}}
#define ROW_MOR       {emit_mor,            X86_POR,         0,          {MEMORY_AB, 0},          {0, 0}}
#define ROW_MANDNOT   {emit_mandnot,        0,               0,          {MEMORY_A, 0},           {0, 0}}
#define ROW_MNOT      {emit_mnot,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_SELECT    {emit_select,         0,               0,          {MEMORY_B, MEMORY_B},    {0, 0}}
#define ROW_QUAD      {emit_quad,           0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_FIRST     {emit_first,          0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_UNIFORM   {emit_uniform,        0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOAD      {emit_load,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MLOAD     {emit_mload,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOAD_AT   {emit_load_at,        0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_GATHER    {emit_gather,         0,               0,          {0, 0},                  {EARLY, EARLY}}
#define ROW_STORE     {emit_store,          0,               0,          {0, 0},                  {0, 0}}
#define ROW_USTORE    {emit_ustore,         0,               0,          {MEMORY_A, MEMORY_A},    {0, 0}}
#define ROW_MSTORE    {emit_mstore,         0,               0,          {0, 0},                  {0, 0}}
#define ROW_SCATTER   {emit_scatter,        0,               0,          {0, 0},                  {0, 0}}
#define ROW_IF        {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_ENDIF     {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_LOOP      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_ENDLOOP   {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_PHI       {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MPHI      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_LPHI      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_MLPHI     {emit_none,           0,               0,          {0, 0},                  {0, 0}}
#define ROW_CALL      {emit_none,           0,               0,          {0, 0},                  {0, 0}}
/* clang-format on */

enum { LOG2 = EARLY | TEMPORARIES };

static const struct row rows[IR_OP_COUNT] = {
    {emit_none, 0, 0, {0, 0}, {0, 0}},
#define IR_OP(name, ...) [IR_##name] = ROW_##name,
#include "ir/ops.def"
#undef IR_OP
};

void ir_x86_select(struct x86_selector *s, const struct x86_selection *n)
{
    rows[n->inst->op].emit(s, n);
}
