/* Simplification: each result equals that of the operation that was asked for, in every bit that
 * can be observed. */
#include "check_main.h"

#include "evaluate.h"
#include "memory.h"

static const struct {
    enum ir_op op;
    const char *letters; /* result and operands, as in ops.def */
} rows[] = {
#define IR_OP(name, result, a, b, c, class, nan, formula) {IR_##name, #result #a #b #c},
#include "ir/ops.def"
#undef IR_OP
};

static const uint32_t words[] = {0,          1,          2,          UINT32_MAX, 0x80000000,
                                 0x7fffffff, 64,         0x3f800000, 0xbf800000, 0x7f800000,
                                 0xff800000, 0x7fc00000, 0x00000001, 0x7f7fffff};
enum { N_WORDS = sizeof(words) / sizeof(words[0]), N_KINDS = 4 };

/* An operand: a constant, a loaded value, or the negation or absolute value of one. */
static ir_ref operand(struct ir *ir, char letter, unsigned kind, unsigned word)
{
    ir_ref value;

    if (letter == '_')
        return 0;
    if (letter == 'M') {
        value = kind % 2 ? ir_emit_mem(ir, IR_MLOAD, INPUTS, 8 * (word % 4), 0, 0, 0)
                         : ir_emit(ir, IR_MCONST, 0, 0, 0, word % 2);
        return kind < 2 ? value : ir_emit(ir, IR_MNOT, value, 0, 0, 0);
    }
    value = kind ? ir_emit_mem(ir, IR_LOAD, INPUTS, word % 3 * 256, 0, 0, 0)
                 : ir_const_i32(ir, (int32_t)words[word]);
    if (letter == 'F' && kind == 2)
        return ir_emit(ir, IR_FNEG, value, 0, 0, 0);
    return letter == 'F' && kind == 3 ? ir_emit(ir, IR_FABS, value, 0, 0, 0) : value;
}

/* Evaluates the operation itself, not what the builder made of it. */
static void check_row(unsigned row, const ir_ref arg[3], struct ir *ir, uint32_t imm)
{
    const struct ir_op_info *info = &ir_op_info[rows[row].op];
    ir_ref result = ir_emit(ir, rows[row].op, arg[0], arg[1], arg[2], imm);
    struct evaluation e = {.first = 0, .end = IR_LANES};
    static struct memory memory;
    struct ir_args args = memory_args(&memory);

    memory_fill(&memory, 7);
    e.inst = ir_insts(ir, &e.n);
    e.args = &args;
    e.value = calloc(e.n, sizeof(*e.value));
    evaluate_body(&e, 1, true);
    for (unsigned lane = 0; lane < IR_LANES; lane++) {
        uint32_t word[3], expected;

        for (unsigned k = 0; k < 3; k++)
            word[k] = e.value[arg[k]][lane];
        expected = ir_eval(rows[row].op, word, imm);
        if (rows[row].op == IR_LANE)
            expected = lane;
        if (rows[row].op == IR_QUAD)
            expected = e.value[arg[0]][(lane & ~3u) + (imm >> 2 * (lane & 3) & 3)];
        if (rows[row].op == IR_FIRST)
            expected = e.value[arg[0]][0];
        if (rows[row].letters[0] == 'F')
            ck_assert_msg(memory_same_float(e.value[result][lane], expected), "%s: %#x, not %#x",
                          info->name, e.value[result][lane], expected);
        else
            ck_assert_msg(e.value[result][lane] == expected, "%s: %#x, not %#x", info->name,
                          e.value[result][lane], expected);
    }
    free(e.value);
}

/* Operands of kinds `kinds` with the words a and b. */
static void check_operands(unsigned row, unsigned kinds, unsigned a, unsigned b)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    uint32_t imm = (a * 7 + b) % 32;
    ir_ref arg[3];

    arg[0] = operand(ir, rows[row].letters[1], kinds % N_KINDS, a);
    arg[1] = operand(ir, rows[row].letters[2], kinds / N_KINDS, b);
    arg[2] = operand(ir, rows[row].letters[3], a % N_KINDS, b);
    if (rows[row].op == IR_MCONST)
        imm = a % 2;
    check_row(row, arg, ir, ir_has_number(rows[row].op) ? imm : 0);
    ir_destroy(ir);
}

/* Constants have any of the words; loaded operands come from one of three rows. */
START_TEST(simplified_operations_keep_their_results)
{
    if (ir_op_info[rows[_i].op].op_class > IR_CLASS_COMMUTES)
        return;
    for (unsigned kinds = 0; kinds < N_KINDS * N_KINDS; kinds++)
        for (unsigned a = 0; a < (kinds % N_KINDS ? 3 : N_WORDS); a++)
            for (unsigned b = 0; b < (kinds / N_KINDS ? 3 : N_WORDS); b++)
                check_operands((unsigned)_i, kinds, a, b);
}
END_TEST

static struct ir *ir;
static ir_ref x, y, m;

static void begin(void)
{
    ir = ir_create(MEMORY_CONSTANT);
    x = ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0);
    y = ir_emit_mem(ir, IR_LOAD, INPUTS, 256, 0, 0, 0);
    m = ir_emit_mem(ir, IR_MLOAD, INPUTS, 512, 0, 0, 0);
}

static void finish(void)
{
    ir_destroy(ir);
}

static ir_ref unary(enum ir_op op, ir_ref a)
{
    return ir_emit(ir, op, a, 0, 0, 0);
}

static ir_ref binary(enum ir_op op, ir_ref a, ir_ref b)
{
    return ir_emit(ir, op, a, b, 0, 0);
}

START_TEST(constants_are_evaluated)
{
    ck_assert_uint_eq(binary(IR_FADD, ir_const_f32(ir, 1), ir_const_f32(ir, 2)),
                      ir_const_f32(ir, 3));
    ck_assert_uint_eq(binary(IR_FLT, ir_const_f32(ir, 1), ir_const_f32(ir, 2)),
                      ir_emit(ir, IR_MCONST, 0, 0, 0, 1));
    ck_assert_uint_eq(ir_emit(ir, IR_ISHL, ir_const_i32(ir, 3), 0, 0, 4), ir_const_i32(ir, 48));
}
END_TEST

START_TEST(identities_need_no_operation)
{
    ir_ref zero = ir_const_i32(ir, 0), one = ir_const_i32(ir, 1), all = ir_const_i32(ir, -1);
    ir_ref yes = ir_emit(ir, IR_MCONST, 0, 0, 0, 1);

    ck_assert_uint_eq(binary(IR_IADD, x, zero), x);
    ck_assert_uint_eq(binary(IR_IMUL, one, x), x);
    ck_assert_uint_eq(binary(IR_IAND, all, x), x);
    ck_assert_uint_eq(binary(IR_IAND, x, zero), zero);
    ck_assert_uint_eq(binary(IR_IXOR, x, x), zero);
    ck_assert_uint_eq(binary(IR_MAND, m, yes), m);
    ck_assert_uint_eq(unary(IR_MNOT, unary(IR_MNOT, m)), m);
    ck_assert_uint_eq(unary(IR_FNEG, unary(IR_FNEG, x)), x);
    ck_assert_uint_eq(ir_emit(ir, IR_SELECT, m, x, x, 0), x);
    ck_assert_uint_eq(ir_emit(ir, IR_SELECT, unary(IR_MNOT, m), x, y, 0),
                      ir_emit(ir, IR_SELECT, m, y, x, 0));
    ck_assert_uint_eq(binary(IR_FADD, x, unary(IR_FNEG, y)), binary(IR_FSUB, x, y));
    ck_assert_uint_eq(binary(IR_IMUL, x, ir_const_i32(ir, 8)), ir_emit(ir, IR_ISHL, x, 0, 0, 3));
    ck_assert_uint_eq(ir_emit(ir, IR_QUAD, one, 0, 0, 0), one);
}
END_TEST

/* Products that cannot be 0 times infinity. */
START_TEST(plain_products)
{
    ck_assert_uint_eq(binary(IR_FMUL0, x, x), binary(IR_FMUL, x, x));
    ck_assert_uint_eq(binary(IR_FMUL0, ir_const_f32(ir, -3), x),
                      binary(IR_FMUL, x, ir_const_f32(ir, -3)));
    ck_assert_uint_ne(binary(IR_FMUL0, x, y), binary(IR_FMUL, x, y));
    ck_assert_uint_ne(binary(IR_FMUL0, x, ir_const_i32(ir, 0)),
                      binary(IR_FMUL, x, ir_const_i32(ir, 0)));
    ck_assert_uint_ne(binary(IR_FMUL0, x, ir_const_i32(ir, 0x7fffff)),
                      binary(IR_FMUL, x, ir_const_i32(ir, 0x7fffff)));
    ck_assert_uint_ne(binary(IR_FMUL0, x, ir_const_i32(ir, 0x7f800000)),
                      binary(IR_FMUL, x, ir_const_i32(ir, 0x7f800000)));
}
END_TEST

/* They flush denormals. */
START_TEST(float_identities_are_none)
{
    ck_assert_uint_ne(binary(IR_FADD, x, ir_const_f32(ir, 0)), x);
    ck_assert_uint_ne(binary(IR_FMUL, x, ir_const_f32(ir, 1)), x);
    ck_assert_uint_ne(binary(IR_FSUB, x, x), ir_const_f32(ir, 0)); /* infinity minus infinity */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/fold");
    TCase *t = tcase_create("fold");

    tcase_add_checked_fixture(t, begin, finish);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, simplified_operations_keep_their_results, 0,
                        sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(t, constants_are_evaluated);
    tcase_add_test(t, identities_need_no_operation);
    tcase_add_test(t, plain_products);
    tcase_add_test(t, float_identities_are_none);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
