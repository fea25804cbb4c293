/* Building of functions: value numbering and what ends it. */
#include "check_main.h"

#include "ir/ir.h"

static struct ir *ir;

static void begin(void)
{
    ir = ir_create(1u << 1);
}

static void finish(void)
{
    ck_assert_int_eq(ir_status(ir), ST_OK);
    ir_destroy(ir);
}

static ir_ref load(unsigned base, uint32_t offset)
{
    return ir_emit_mem(ir, IR_LOAD, base, offset, 0, 0, 0);
}

START_TEST(equal_instructions_have_one_value)
{
    ir_ref a = load(0, 0), b = load(0, 256);

    ck_assert_uint_eq(load(0, 0), a);
    ck_assert_uint_ne(a, b);
    ck_assert_uint_eq(ir_emit(ir, IR_FADD, a, b, 0, 0), ir_emit(ir, IR_FADD, b, a, 0, 0));
    ck_assert_uint_ne(ir_emit(ir, IR_FSUB, a, b, 0, 0), ir_emit(ir, IR_FSUB, b, a, 0, 0));
    ck_assert_uint_ne(ir_emit(ir, IR_ISHL, a, 0, 0, 1), ir_emit(ir, IR_ISHL, a, 0, 0, 2));
    ck_assert_uint_eq(ir_const_f32(ir, 1.0f), ir_const_i32(ir, 0x3f800000));
}
END_TEST

/* A store changes memory at its base only; a call changes all but constant memory. */
START_TEST(stores_and_calls_end_the_value_of_loads)
{
    ir_ref changed = load(0, 0), constant = load(1, 0), other = load(2, 0);

    ir_emit_mem(ir, IR_STORE, 0, 512, constant, 0, 0);
    ck_assert_uint_ne(load(0, 0), changed);
    ck_assert_uint_eq(load(2, 0), other);
    ir_emit(ir, IR_CALL, 0, 0, 0, 0);
    ck_assert_uint_ne(load(2, 0), other);
    ck_assert_uint_eq(load(1, 0), constant);
}
END_TEST

/* The second iteration reads what the first has stored. */
START_TEST(loads_before_a_loop_are_not_those_in_it)
{
    ir_ref before = load(0, 0), constant = load(1, 0);

    ir_loop(ir);
    ck_assert_uint_ne(load(0, 0), before);
    ck_assert_uint_eq(load(1, 0), constant);
    ir_emit_mem(ir, IR_STORE, 0, 0, constant, 0, 0);
    ir_endloop(ir, ir_emit(ir, IR_MCONST, 0, 0, 0, 0));
}
END_TEST

START_TEST(values_of_an_if_are_not_visible_after_it)
{
    ir_ref a = load(0, 0), b = load(0, 256), outer = ir_emit(ir, IR_FADD, a, b, 0, 0), inner;

    ir_if(ir, ir_emit(ir, IR_FLT, a, b, 0, 0));
    ck_assert_uint_eq(ir_emit(ir, IR_FADD, a, b, 0, 0), outer);
    inner = ir_emit(ir, IR_FMUL, a, b, 0, 0);
    ck_assert_uint_eq(ir_emit(ir, IR_FMUL, a, b, 0, 0), inner);
    ir_endif(ir);
    ck_assert_uint_ne(ir_emit(ir, IR_FMUL, a, b, 0, 0), inner);
    ck_assert_uint_eq(ir_emit(ir, IR_FADD, a, b, 0, 0), outer);
}
END_TEST

START_TEST(values_of_a_loop_are_visible_after_it)
{
    ir_ref a = load(0, 0), inner;

    ir_loop(ir);
    inner = ir_emit(ir, IR_FMUL, a, a, 0, 0);
    ir_endloop(ir, ir_emit(ir, IR_MCONST, 0, 0, 0, 0));
    ck_assert_uint_eq(ir_emit(ir, IR_FMUL, a, a, 0, 0), inner);
}
END_TEST

START_TEST(phis_of_one_value_are_that_value)
{
    ir_ref a = load(0, 0), phi;

    ir_if(ir, ir_emit(ir, IR_FLT, a, ir_const_f32(ir, 0), 0, 0));
    ir_endif(ir);
    ck_assert_uint_eq(ir_phi(ir, a, a), a);
    ir_loop(ir);
    phi = ir_loop_phi(ir, a);
    ck_assert_uint_ne(phi, a);
    ir_loop_next(ir, phi, phi);
    ir_endloop(ir, ir_emit(ir, IR_MCONST, 0, 0, 0, 0));
}
END_TEST

START_TEST(rates_follow_from_operands)
{
    ir_ref lane = load(0, 0), draw = ir_emit_mem(ir, IR_UNIFORM, 1, 0, 0, 0, 0);
    ir_ref varying = ir_emit_mem(ir, IR_UNIFORM, 0, 0, 0, 0, 0), one = ir_const_f32(ir, 1);
    uint32_t n;
    const struct ir_inst *inst;
    ir_ref sum = ir_emit(ir, IR_FADD, draw, one, 0, 0),
           mixed = ir_emit(ir, IR_FADD, draw, lane, 0, 0);

    inst = ir_insts(ir, &n);
    ck_assert_uint_eq(inst[sum].rate, IR_RATE_DRAW);
    ck_assert_uint_eq(inst[mixed].rate, IR_RATE_LANE);
    ck_assert_uint_eq(inst[varying].rate, IR_RATE_LANE); /* memory that is not constant */
}
END_TEST

/* The hash table grows without losing or reviving values. */
START_TEST(long_functions_keep_their_values)
{
    enum { N = 3000 };
    ir_ref value[N], hidden;

    ir_if(ir, ir_emit(ir, IR_MCONST, 0, 0, 0, 1));
    hidden = ir_const_i32(ir, -1);
    ir_endif(ir);
    for (int32_t i = 0; i < N; i++)
        value[i] = ir_const_i32(ir, i);
    for (int32_t i = 0; i < N; i++)
        ck_assert_uint_eq(ir_const_i32(ir, i), value[i]);
    ck_assert_uint_ne(ir_const_i32(ir, -1), hidden);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/build");
    TCase *t = tcase_create("build");

    tcase_add_checked_fixture(t, begin, finish);
    tcase_add_test(t, equal_instructions_have_one_value);
    tcase_add_test(t, stores_and_calls_end_the_value_of_loads);
    tcase_add_test(t, loads_before_a_loop_are_not_those_in_it);
    tcase_add_test(t, values_of_an_if_are_not_visible_after_it);
    tcase_add_test(t, values_of_a_loop_are_visible_after_it);
    tcase_add_test(t, phis_of_one_value_are_that_value);
    tcase_add_test(t, rates_follow_from_operands);
    tcase_add_test(t, long_functions_keep_their_values);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
