/* Lowering of arithmetic instructions to IR. */
#include "vm/lower/passes.h"

#include "util/fault_injection.h"

#include <float.h>

/* Components of all sources. They are fetched before the first operation is emitted, so that
 * instances of one opcode are adjacent and share an IR instruction. */
struct sources {
    uint32_t s[3][4];
};

static bool writes(const struct vm_instr *in, unsigned c)
{
    return in->dst.mask >> c & 1;
}

/* Writes one result to all components of the mask. */
static void write_replicated(struct lower *l, const struct vm_instr *in, uint32_t ref)
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write(l, in, c, ref);
}

static void fetch_sources(struct lower *l, const struct vm_instr *in, unsigned n,
                          struct sources *src)
{
    for (unsigned s = 0; s < n; s++)
        for (unsigned c = 0; c < 4; c++)
            src->s[s][c] = writes(in, c) ? vm_lower_src(l, in, s, c) : REF_NONE;
}

/* --- Componentwise ---------------------------------------------------------------------------- */

/* Replaces negated operands by other opcodes: a + -b equals a - b in every bit and has a plain
 * kernel. */
static enum vm_ir_opcode fold_negations(enum vm_ir_opcode opcode, uint32_t *s)
{
    if (opcode == VM_IR_SUB) {
        opcode = VM_IR_ADD;
        s[1] = ref_neg(s[1]);
    }
    if (opcode == VM_IR_ADD && (s[0] & REF_NEG) && !(s[1] & REF_NEG)) {
        uint32_t swapped = s[0];

        s[0] = s[1];
        s[1] = swapped;
    }
    if (opcode == VM_IR_ADD && s[1] & REF_NEG) {
        s[1] = ref_neg(s[1]);
        return VM_IR_SUB;
    }
    if ((opcode == VM_IR_MUL || opcode == VM_IR_MAD) && s[0] & s[1] & REF_NEG) {
        s[0] = ref_neg(s[0]);
        s[1] = ref_neg(s[1]);
    }
    if (opcode == VM_IR_MAD && (s[0] ^ s[1]) & REF_NEG && !(s[2] & REF_NEG)) {
        s[0] &= ~REF_NEG;
        s[1] &= ~REF_NEG;
        return VM_IR_NMAD;
    }
    if (opcode == VM_IR_MAD && s[2] & REF_NEG && !((s[0] | s[1]) & REF_NEG)) {
        s[2] = ref_neg(s[2]);
        return VM_IR_MSUB;
    }
    return opcode;
}

/* Injected fault: vertical gradient with rows counted from the lower edge. */
static void wrong_gradient(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    struct sources src;

    fetch_sources(l, in, 1, &src);
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c)) {
            uint32_t s = ref_neg(vm_lower_emit1(l, VM_IR_DSY, src.s[0][c]));

            vm_lower_write(l, in, c, vm_lower_emit(l, VM_IR_MOV, &s, 0, &dst_mod));
        }
}

static void componentwise(struct lower *l, const struct vm_instr *in, enum vm_ir_opcode opcode,
                          unsigned n)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    struct sources src;

    fetch_sources(l, in, n, &src);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t s[3] = {src.s[0][c], n > 1 ? src.s[1][c] : 0, n > 2 ? src.s[2][c] : 0};

        if (writes(in, c)) {
            enum vm_ir_opcode chosen = fold_negations(opcode, s);

            vm_lower_write(l, in, c, vm_lower_emit(l, chosen, s, 0, &dst_mod));
        }
    }
}

/* mov. A destination of a0 rounds: mov in vs_1_1 rounds down, mova and later mov to nearest
 * (reference: shader/address). */
static void move(struct lower *l, const struct vm_instr *in)
{
    if (in->dst.file == VM_FILE_ADDR) {
        componentwise(l, in, l->rank < VM_RANK_2_0 ? VM_IR_FLOOR : VM_IR_ROUND, 1);
    } else {
        for (unsigned c = 0; c < 4; c++)
            if (writes(in, c))
                vm_lower_write_copy(l, in, c, vm_lower_src(l, in, 0, c));
    }
}

static void absolute(struct lower *l, const struct vm_instr *in)
{
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_copy(l, in, c, ref_abs(vm_lower_src(l, in, 0, c)));
}

/* cnd. In ps_1_1 … 1_3 a co-issued cnd that writes colour selects its second source, whatever the
 * condition (reference: shader/cnd). */
static void conditional(struct lower *l, const struct vm_instr *in)
{
    if (in->coissue && l->rank < 14 && in->dst.mask != VM_MASK_W) {
        for (unsigned c = 0; c < 4; c++)
            if (writes(in, c))
                vm_lower_write_copy(l, in, c, vm_lower_src(l, in, 1, c));
    } else {
        componentwise(l, in, VM_IR_CND, 3);
    }
}

/* --- Scalar results --------------------------------------------------------------------------- */

/* Scalar operations read the component that the swizzle puts in w. */
static void scalar(struct lower *l, const struct vm_instr *in, enum vm_ir_opcode opcode, unsigned n)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t s[2] = {vm_lower_src(l, in, 0, 3), n > 1 ? vm_lower_src(l, in, 1, 3) : 0};

    write_replicated(l, in, vm_lower_emit(l, opcode, s, 0, &dst_mod));
}

/* logp from 2_0 on: log2, but -FLT_MAX for 0. MAX yields its second operand for a NaN. */
static void partial_log(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t s[2] = {vm_lower_literal(l, -FLT_MAX),
                     vm_lower_emit1(l, VM_IR_LOG2, vm_lower_src(l, in, 0, 3))};

    write_replicated(l, in, vm_lower_emit(l, VM_IR_MAX, s, 0, &dst_mod));
}

/* expp and logp of vs_1_1 return parts of the number in x and y, the result in z, 1 in w. */
static void exponent_parts(struct lower *l, const struct vm_instr *in)
{
    uint32_t s = vm_lower_src(l, in, 0, 3), part[4];

    if (in->op == VM_OP_EXPP) {
        part[0] = vm_lower_emit1(l, VM_IR_EXP2, vm_lower_emit1(l, VM_IR_FLOOR, s));
        part[1] = vm_lower_emit1(l, VM_IR_FRC, s);
        part[2] = vm_lower_emit1(l, VM_IR_EXP2, s);
    } else {
        part[0] = vm_lower_emit1(l, VM_IR_EXPONENT, s);
        part[1] = vm_lower_emit1(l, VM_IR_MANTISSA, s);
        part[2] = vm_lower_emit2(l, VM_IR_MAX, vm_lower_literal(l, -FLT_MAX),
                                 vm_lower_emit1(l, VM_IR_LOG2, s));
    }
    part[3] = vm_lower_literal(l, 1.0f);
    for (unsigned c = 0; c < 4; c++)
        if (writes(in, c))
            vm_lower_write_copy(l, in, c, part[c]);
}

/* Dot product of the first n components of two operands; the second is `row` registers further
 * on. */
static uint32_t dot(struct lower *l, const struct vm_instr *in, unsigned n, unsigned row,
                    const struct dst_mod *dst_mod)
{
    uint32_t s[8];

    for (unsigned c = 0; c < n; c++) {
        s[2 * c] = vm_lower_src(l, in, 0, c);
        s[2 * c + 1] = vm_lower_operand(l, &in->src[1], row, c);
    }
    return vm_lower_emit(l, n == 4 ? VM_IR_DP4 : VM_IR_DP3, s, 0, dst_mod);
}

static void dot_product(struct lower *l, const struct vm_instr *in, unsigned n)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);

    write_replicated(l, in, dot(l, in, n, 0, &dst_mod));
}

static void dot2_add(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t s[] = {
        vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 1, 0), vm_lower_src(l, in, 0, 1),
        vm_lower_src(l, in, 1, 1), vm_lower_src(l, in, 2, 0),
    };

    write_replicated(l, in, vm_lower_emit(l, VM_IR_DP2ADD, s, 0, &dst_mod));
}

/* --- Vectors ---------------------------------------------------------------------------------- */

/* m4x4 … m3x2: one dot product per row. Mask components beyond the rows are ignored: shipped vs_1_1
 * shaders have m3x3 with all four components. */
static void matrix(struct lower *l, const struct vm_instr *in, unsigned n, unsigned rows)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);

    for (unsigned row = 0; row < rows; row++)
        if (writes(in, row))
            vm_lower_write(l, in, row, dot(l, in, n, row, &dst_mod));
}

static void lit(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t one = vm_lower_literal(l, 1.0f), zero = vm_lower_literal(l, 0.0f);

    if (writes(in, 0))
        vm_lower_write_copy(l, in, 0, one);
    if (writes(in, 1)) {
        uint32_t s[] = {vm_lower_src(l, in, 0, 0), zero};

        vm_lower_write(l, in, 1, vm_lower_emit(l, VM_IR_MAX, s, 0, &dst_mod));
    }
    if (writes(in, 2)) {
        uint32_t s[] = {vm_lower_src(l, in, 0, 0), vm_lower_src(l, in, 0, 1),
                        vm_lower_src(l, in, 0, 3)};

        vm_lower_write(l, in, 2, vm_lower_emit(l, VM_IR_LIT, s, 0, &dst_mod));
    }
    if (writes(in, 3))
        vm_lower_write_copy(l, in, 3, one);
}

static void distance(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);

    if (writes(in, 0))
        vm_lower_write_copy(l, in, 0, vm_lower_literal(l, 1.0f));
    if (writes(in, 1)) {
        uint32_t s[] = {vm_lower_src(l, in, 0, 1), vm_lower_src(l, in, 1, 1)};

        vm_lower_write(l, in, 1, vm_lower_emit(l, VM_IR_MUL, s, 0, &dst_mod));
    }
    if (writes(in, 2))
        vm_lower_write_copy(l, in, 2, vm_lower_src(l, in, 0, 2));
    if (writes(in, 3))
        vm_lower_write_copy(l, in, 3, vm_lower_src(l, in, 1, 3));
}

static void cross(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t a[3], b[3];

    for (unsigned c = 0; c < 3; c++) {
        a[c] = vm_lower_src(l, in, 0, c);
        b[c] = vm_lower_src(l, in, 1, c);
    }
    for (unsigned c = 0; c < 3; c++) {
        unsigned i = (c + 1) % 3, j = (c + 2) % 3;
        uint32_t s[] = {a[i], b[j], a[j], b[i]};

        if (writes(in, c))
            vm_lower_write(l, in, c, vm_lower_emit(l, VM_IR_CRS, s, 0, &dst_mod));
    }
}

/* s / |s|, w scaled along; a zero vector stays zero (reference: shader/nrm). */
static void normalize(struct lower *l, const struct vm_instr *in)
{
    struct dst_mod dst_mod = vm_lower_dst_mod(in);
    uint32_t v[4], s[6], factor;

    for (unsigned c = 0; c < 4; c++)
        v[c] = c < 3 || writes(in, 3) ? vm_lower_src(l, in, 0, c) : REF_NONE;
    for (unsigned c = 0; c < 3; c++)
        s[2 * c] = s[2 * c + 1] = v[c];
    factor = vm_lower_emit1(l, VM_IR_NRM, vm_lower_emit(l, VM_IR_DP3, s, 0, NULL));
    for (unsigned c = 0; c < 4; c++) {
        uint32_t product[] = {v[c], factor};

        if (writes(in, c))
            vm_lower_write(l, in, c, vm_lower_emit(l, VM_IR_MUL, product, 0, &dst_mod));
    }
}

static void sine_cosine(struct lower *l, const struct vm_instr *in)
{
    uint32_t angle = vm_lower_src(l, in, 0, 0);

    if (writes(in, 0))
        vm_lower_write_copy(l, in, 0, vm_lower_emit1(l, VM_IR_COS, angle));
    if (writes(in, 1))
        vm_lower_write_copy(l, in, 1, vm_lower_emit1(l, VM_IR_SIN, angle));
}

static void set_predicate(struct lower *l, const struct vm_instr *in)
{
    for (unsigned c = 0; c < 4; c++) {
        if (writes(in, c)) {
            uint32_t words[] = {vm_lower_src(l, in, 0, c), vm_lower_src(l, in, 1, c), c,
                                in->control};

            vm_lower_instance(l, VM_IR_SETP, words);
        }
    }
}

void vm_lower_alu(struct lower *l, const struct vm_instr *in)
{
    switch (in->op) {
    case VM_OP_MOV:
    case VM_OP_MOVA:
        move(l, in);
        break;
    case VM_OP_ABS:
        absolute(l, in);
        break;
    case VM_OP_ADD:
        componentwise(l, in, VM_IR_ADD, 2);
        break;
    case VM_OP_SUB:
        componentwise(l, in, VM_IR_SUB, 2);
        break;
    case VM_OP_MUL:
        componentwise(l, in, VM_IR_MUL, 2);
        break;
    case VM_OP_MAD:
        componentwise(l, in, VM_IR_MAD, 3);
        break;
    case VM_OP_LRP:
        componentwise(l, in, VM_IR_LRP, 3);
        break;
    case VM_OP_MIN:
        componentwise(l, in, VM_IR_MIN, 2);
        break;
    case VM_OP_MAX:
        componentwise(l, in, VM_IR_MAX, 2);
        break;
    case VM_OP_SLT:
        componentwise(l, in, VM_IR_SLT, 2);
        break;
    case VM_OP_SGE:
        componentwise(l, in, VM_IR_SGE, 2);
        break;
    case VM_OP_CMP:
        componentwise(l, in, VM_IR_CMP, 3);
        break;
    case VM_OP_CND:
        conditional(l, in);
        break;
    case VM_OP_FRC:
        componentwise(l, in, VM_IR_FRC, 1);
        break;
    case VM_OP_SGN:
        componentwise(l, in, VM_IR_SGN, 1);
        break;
    case VM_OP_DSX:
        componentwise(l, in, VM_IR_DSX, 1);
        break;
    case VM_OP_DSY:
        if (fault_is(FAULT_DSY_SIGN))
            wrong_gradient(l, in);
        else
            componentwise(l, in, VM_IR_DSY, 1);
        break;
    case VM_OP_RCP:
        scalar(l, in, VM_IR_RCP, 1);
        break;
    case VM_OP_RSQ:
        scalar(l, in, VM_IR_RSQ, 1);
        break;
    case VM_OP_EXP:
        scalar(l, in, VM_IR_EXP2, 1);
        break;
    case VM_OP_LOG:
        scalar(l, in, VM_IR_LOG2, 1);
        break;
    case VM_OP_POW:
        scalar(l, in, VM_IR_POW, 2);
        break;
    case VM_OP_EXPP:
        if (l->rank < VM_RANK_2_0)
            exponent_parts(l, in);
        else
            scalar(l, in, VM_IR_EXP2, 1);
        break;
    case VM_OP_LOGP:
        if (l->rank < VM_RANK_2_0)
            exponent_parts(l, in);
        else
            partial_log(l, in);
        break;
    case VM_OP_DP3:
        dot_product(l, in, 3);
        break;
    case VM_OP_DP4:
        dot_product(l, in, 4);
        break;
    case VM_OP_DP2ADD:
        dot2_add(l, in);
        break;
    case VM_OP_M4X4:
        matrix(l, in, 4, 4);
        break;
    case VM_OP_M4X3:
        matrix(l, in, 4, 3);
        break;
    case VM_OP_M3X4:
        matrix(l, in, 3, 4);
        break;
    case VM_OP_M3X3:
        matrix(l, in, 3, 3);
        break;
    case VM_OP_M3X2:
        matrix(l, in, 3, 2);
        break;
    case VM_OP_LIT:
        lit(l, in);
        break;
    case VM_OP_DST:
        distance(l, in);
        break;
    case VM_OP_CRS:
        cross(l, in);
        break;
    case VM_OP_NRM:
        normalize(l, in);
        break;
    case VM_OP_SINCOS:
        sine_cosine(l, in);
        break;
    case VM_OP_SETP:
        set_predicate(l, in);
        break;
    default:
        break;
    }
}
