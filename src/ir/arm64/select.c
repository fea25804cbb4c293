/* Instruction selection: a row per operation. Results are those of the formulas of ops.def, bit by
 * bit. Control flow and calls have no rows. functions.c has the rows of functions and of packed
 * numbers, memory.c those of memory.
 *
 * Tested by tests/unit/ir/compile/test_compile.c. */
#include "ir/arm64/select.h"

#include "ir/arm64/emit.h"

/* How an operation becomes instructions. */
struct row {
    arm64_row *emit;
    enum arm64_form form; /* for emit functions that many rows share */
    uint8_t needs;        /* EARLY: the result is written before all operands are read; TEMPORARY,
                             TEMPORARIES: one or two more registers */
};
static const struct row rows[IR_OP_COUNT];
enum { EARLY = 1, TEMPORARY = 2, TEMPORARIES = 4 };

const struct machine_registers ir_arm64_registers = {.end = {ARM64_VALUES}};

void ir_arm64_constraints(struct machine_constraint out[IR_OP_COUNT])
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        out[op] = (struct machine_constraint){.early = rows[op].needs & EARLY,
                                              .temporaries = rows[op].needs / TEMPORARY};
}

/* --- Rows: one instruction -------------------------------------------------------------------- */

static void emit_none(struct arm64_selector *s, const struct arm64_selection *n)
{
    (void)s, (void)n;
}

static void emit_unary(struct arm64_selector *s, const struct arm64_selection *n)
{
    emit2(s, rows[n->inst->op].form, n->d, n->x[0]);
}

static void emit_binary(struct arm64_selector *s, const struct arm64_selection *n)
{
    emit3(s, rows[n->inst->op].form, n->d, n->x[0], n->x[1]);
}

/* a < b is b > a. */
static void emit_exchanged(struct arm64_selector *s, const struct arm64_selection *n)
{
    emit3(s, rows[n->inst->op].form, n->d, n->x[1], n->x[0]);
}

static void emit_shift(struct arm64_selector *s, const struct arm64_selection *n)
{
    if (n->inst->imm)
        emit_imm(s, rows[n->inst->op].form, n->d, n->x[0], n->inst->imm);
    else
        emit_copy(s, n->d, n->x[0]);
}

/* --- Rows: floats ----------------------------------------------------------------------------- */

/* d = mask ? a : b. */
static void select_lanes(struct arm64_selector *s, unsigned d, unsigned mask, unsigned a,
                         unsigned b)
{
    if (d == a) {
        emit3(s, ARM64_BIF, d, b, mask);
    } else if (d == b) {
        emit3(s, ARM64_BIT, d, a, mask);
    } else {
        emit_copy(s, d, mask);
        emit3(s, ARM64_BSL, d, a, b);
    }
}

/* a < b ? a : b; the instruction of that name chooses otherwise for NaNs and zeros. */
static void emit_min_max(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned a = n->x[0], b = n->x[1], d = n->d, mask = d == a || d == b ? (unsigned)ARM64_T : d;

    if (n->inst->op == IR_FMIN)
        emit3(s, ARM64_FCMGT, mask, b, a);
    else
        emit3(s, ARM64_FCMGT, mask, a, b);
    select_lanes(s, d, mask, a, b);
}

/* If the product of |a| * 2^64 and |b| is not above 2^-62, that of |a| and |b| is at most 2^-126
 * after rounding, and scaling back flushes what x86 flushes. See products.c. */
static void emit_product(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned a = n->x[0], b = n->x[1], d = n->d, t = ARM64_T, small = ARM64_U;

    if (s->plain || ir_arm64_is_plain(s->least, n->inst)) {
        emit3(s, ARM64_FMUL, d, a, b);
        return;
    }
    emit3(s, ARM64_FMUL, t, a, ARM64_SCALE);
    emit3(s, ARM64_FMUL, t, t, b);
    emit3(s, ARM64_FMUL, d, a, b);
    emit3(s, ARM64_FACGE, small, ARM64_LEAST, t);
    emit3(s, ARM64_FMUL, t, t, ARM64_UNSCALE);
    emit3(s, ARM64_BIT, d, t, small);
}

/* Clears the products that are NaN and have a factor 0. */
static void emit_mul0(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned t = ARM64_T, u = ARM64_U, d = n->d;

    emit_product(s, n);
    emit2(s, ARM64_FCMEQ_0, t, n->x[0]);
    emit2(s, ARM64_FCMEQ_0, u, n->x[1]);
    emit3(s, ARM64_ORR_V, t, t, u);
    emit3(s, ARM64_FCMEQ, u, d, d);
    emit3(s, ARM64_BIC_V, t, t, u);
    emit3(s, ARM64_BIC_V, d, d, t);
}

/* Values from 2^31 on, and NaN, become INT32_MIN; lower ones do by saturation. */
static void emit_to_int(struct arm64_selector *s, const struct arm64_selection *n)
{
    enum { TWO_TO_31 = 0x4f000000 };

    emit_constant(s, ARM64_T, TWO_TO_31);
    emit3(s, ARM64_FCMGT, ARM64_T, ARM64_T, n->x[0]);
    emit2(s, rows[n->inst->op].form, n->d, n->x[0]);
    emit_constant(s, ARM64_U, UINT32_C(1) << 31);
    emit3(s, ARM64_BIF, n->d, ARM64_U, ARM64_T);
}

/* --- Rows: comparisons and masks -------------------------------------------------------------- */

static void emit_unordered(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned a = n->x[0], b = n->x[1];

    emit3(s, ARM64_FCMEQ, ARM64_T, a, a);
    if (b != a) {
        emit3(s, ARM64_FCMEQ, ARM64_U, b, b);
        emit3(s, ARM64_AND_V, ARM64_T, ARM64_T, ARM64_U);
    }
    emit2(s, ARM64_NOT_V, n->d, ARM64_T);
}

static void emit_select(struct arm64_selector *s, const struct arm64_selection *n)
{
    unsigned mask = n->x[0], a = n->x[1], b = n->x[2], d = n->d;

    if (d == mask)
        emit3(s, ARM64_BSL, d, a, b);
    else
        select_lanes(s, d, mask, a, b);
}

/* --- Rows: lanes ------------------------------------------------------------------------------ */

/* Orders of four lanes that have an instruction. */
static bool emit_order(struct arm64_selector *s, unsigned d, unsigned a, unsigned order)
{
    static const struct {
        uint8_t order, form, imm;
    } orders[] = {{0x00, ARM64_DUP_S, 0}, {0x55, ARM64_DUP_S, 1}, {0xaa, ARM64_DUP_S, 2},
                  {0xff, ARM64_DUP_S, 3}, {0x44, ARM64_DUP_D, 0}, {0xee, ARM64_DUP_D, 1},
                  {0xb1, ARM64_REV64, 0}, {0xe4, ARM64_MOV_V, 0}, {0x4e, ARM64_EXT, 8},
                  {0xa0, ARM64_TRN1, 0},  {0xf5, ARM64_TRN2, 0},  {0x50, ARM64_ZIP1, 0},
                  {0xfa, ARM64_ZIP2, 0},  {0x88, ARM64_UZP1, 0},  {0xdd, ARM64_UZP2, 0},
                  {0x39, ARM64_EXT, 4},   {0x93, ARM64_EXT, 12}};

    for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        enum arm64_form form = (enum arm64_form)orders[i].form;
        bool is_unary = form == ARM64_DUP_S || form == ARM64_DUP_D || form == ARM64_REV64;

        if (orders[i].order != order)
            continue;
        ir_arm64_emit(s->code, form, d, a, is_unary || form == ARM64_MOV_V ? 0 : a, orders[i].imm);
        return true;
    }
    return false;
}

static void emit_quad(struct arm64_selector *s, const struct arm64_selection *n)
{
    struct arm64_vector bytes;

    if (emit_order(s, n->d, n->x[0], n->inst->imm & 255))
        return;
    for (unsigned i = 0; i < ARM64_LANES; i++)
        bytes.word[i] = 0x03020100 + 0x04040404 * (n->inst->imm >> 2 * i & 3);
    ir_arm64_vector(s->code, ARM64_T, &bytes);
    emit3(s, ARM64_TBL, n->d, n->x[0], ARM64_T);
}

static void emit_first(struct arm64_selector *s, const struct arm64_selection *n)
{
    emit_imm(s, ARM64_DUP_S, n->d, n->x[0], 0);
}

static void emit_lane(struct arm64_selector *s, const struct arm64_selection *n)
{
    static const struct arm64_vector lanes = {{0, 1, 2, 3}};

    ir_arm64_vector(s->code, ARM64_T, &lanes);
    emit2(s, ARM64_DUP_W, n->d, ARM64_LANE);
    emit3(s, ARM64_ADD_V, n->d, n->d, ARM64_T);
}

/* --- The rows --------------------------------------------------------------------------------- */

enum { LOG2 = EARLY | TEMPORARIES };

/* clang-format off */
static const struct row rows[IR_OP_COUNT] = {
    [IR_NONE]      = {emit_none,           0,               0},
    [IR_CONST]     = {emit_none,           0,               0},
    [IR_MCONST]    = {emit_none,           0,               0},
    [IR_LANE]      = {emit_lane,           0,               0},
    [IR_FADD]      = {emit_binary,         ARM64_FADD,      0},
    [IR_FSUB]      = {emit_binary,         ARM64_FSUB,      0},
    [IR_FMUL]      = {emit_product,        0,               0},
    [IR_FMUL0]     = {emit_mul0,           0,               EARLY},
    [IR_FDIV]      = {emit_binary,         ARM64_FDIV,      0},
    [IR_FSQRT]     = {emit_unary,          ARM64_FSQRT,     0},
    [IR_FRSQ]      = {ir_arm64_emit_rsq,   0,               0},
    [IR_FEXP2]     = {ir_arm64_emit_exp2,  0,               TEMPORARY},
    [IR_FLOG2]     = {ir_arm64_emit_log2,  0,               LOG2},
    [IR_FMIN]      = {emit_min_max,        0,               0},
    [IR_FMAX]      = {emit_min_max,        0,               0},
    [IR_FFLOOR]    = {emit_unary,          ARM64_FRINTM,    0},
    [IR_FNEG]      = {emit_unary,          ARM64_FNEG,      0},
    [IR_FABS]      = {emit_unary,          ARM64_FABS,      0},
    [IR_F2I]       = {emit_to_int,         ARM64_FCVTZS,    0},
    [IR_F2I_ROUND] = {emit_to_int,         ARM64_FCVTNS,    0},
    [IR_I2F]       = {emit_unary,          ARM64_SCVTF,     0},
    [IR_UNORM]     = {ir_arm64_emit_unorm, 0,               0},
    [IR_H2F]       = {ir_arm64_emit_h2f,   0,               0},
    [IR_F2H]       = {ir_arm64_emit_f2h,   0,               0},
    [IR_IADD]      = {emit_binary,         ARM64_ADD_V,     0},
    [IR_ISUB]      = {emit_binary,         ARM64_SUB_V,     0},
    [IR_IMUL]      = {emit_binary,         ARM64_MUL_V,     0},
    [IR_IAND]      = {emit_binary,         ARM64_AND_V,     0},
    [IR_IOR]       = {emit_binary,         ARM64_ORR_V,     0},
    [IR_IXOR]      = {emit_binary,         ARM64_EOR_V,     0},
    [IR_ISHL]      = {emit_shift,          ARM64_SHL_V,     0},
    [IR_ISHR]      = {emit_shift,          ARM64_USHR,      0},
    [IR_ISAR]      = {emit_shift,          ARM64_SSHR,      0},
    [IR_IMIN]      = {emit_binary,         ARM64_SMIN,      0},
    [IR_IMAX]      = {emit_binary,         ARM64_SMAX,      0},
    [IR_UMIN]      = {emit_binary,         ARM64_UMIN,      0},
    [IR_UMAX]      = {emit_binary,         ARM64_UMAX,      0},
    [IR_FEQ]       = {emit_binary,         ARM64_FCMEQ,     0},
    [IR_FLT]       = {emit_exchanged,      ARM64_FCMGT,     0},
    [IR_FLE]       = {emit_exchanged,      ARM64_FCMGE,     0},
    [IR_FUNORD]    = {emit_unordered,      0,               0},
    [IR_IEQ]       = {emit_binary,         ARM64_CMEQ,      0},
    [IR_ILT]       = {emit_exchanged,      ARM64_CMGT,      0},
    [IR_ULE]       = {emit_exchanged,      ARM64_CMHS,      0},
    [IR_MAND]      = {emit_binary,         ARM64_AND_V,     0},
    [IR_MOR]       = {emit_binary,         ARM64_ORR_V,     0},
    [IR_MANDNOT]   = {emit_binary,         ARM64_BIC_V,     0},
    [IR_MNOT]      = {emit_unary,          ARM64_NOT_V,     0},
    [IR_SELECT]    = {emit_select,         0,               0},
    [IR_QUAD]      = {emit_quad,           0,               0},
    [IR_FIRST]     = {emit_first,          0,               0},
    [IR_UNIFORM]   = {ir_arm64_emit_uniform, 0,             0},
    [IR_LOAD]      = {ir_arm64_emit_load,  0,               0},
    [IR_MLOAD]     = {ir_arm64_emit_mload, 0,               0},
    [IR_LOAD_AT]   = {ir_arm64_emit_load_at, 0,             0},
    [IR_GATHER]    = {ir_arm64_emit_gather, 0,              EARLY},
    [IR_STORE]     = {ir_arm64_emit_store, 0,               0},
    [IR_USTORE]    = {ir_arm64_emit_ustore, 0,              0},
    [IR_MSTORE]    = {ir_arm64_emit_mstore, 0,              0},
    [IR_SCATTER]   = {ir_arm64_emit_scatter, 0,             0},
    [IR_IF]        = {emit_none,           0,               0},
    [IR_ENDIF]     = {emit_none,           0,               0},
    [IR_LOOP]      = {emit_none,           0,               0},
    [IR_ENDLOOP]   = {emit_none,           0,               0},
    [IR_PHI]       = {emit_none,           0,               0},
    [IR_MPHI]      = {emit_none,           0,               0},
    [IR_LPHI]      = {emit_none,           0,               0},
    [IR_MLPHI]     = {emit_none,           0,               0},
    [IR_CALL]      = {emit_none,           0,               0},
};
/* clang-format on */

void ir_arm64_select(struct arm64_selector *s, uint32_t i)
{
    const uint8_t *place = s->allocation->place[i];
    struct arm64_selection n = {
        .inst = &s->live->inst[i], .i = i, .d = place[0], .x = {place[1], place[2], place[3]}};

    rows[n.inst->op].emit(s, &n);
}
