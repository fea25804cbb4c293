/* Verifier: right functions pass, and each rule refuses a function that breaks it. */
#include "check_main.h"

#include "ir/build/build.h"
#include "ir/check/check.h"
#include "random_function.h"

static struct ir *ir;
static struct ir_fault fault;

static void begin(void)
{
    ir = ir_create(1u << UNIFORMS);
}

static void finish(void)
{
    ir_destroy(ir);
}

static ir_ref load(void)
{
    return ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0);
}

static ir_ref mask(void)
{
    return ir_emit_mem(ir, IR_MLOAD, INPUTS, 0, 0, 0, 0);
}

/* Takes back the last instruction. Value numbering forgets all. */
static void drop_last(void)
{
    ir->n--;
    memset(ir->bucket, 0, ir->n_buckets * sizeof(*ir->bucket));
}

/* The function breaks a rule at its last instruction. */
static void refused(const char *rule)
{
    ck_assert_int_eq(ir_verify(ir, &fault), ST_INVALID);
    ck_assert_msg(strstr(fault.rule, rule), "%s", fault.rule);
    ck_assert_uint_eq(fault.at, ir->n - 1);
}

START_TEST(random_functions_pass)
{
    struct ir *random = random_function((uint64_t)_i, 200);

    ck_assert_msg(ir_verify(random, &fault) == ST_OK, "%u: %s", fault.at, fault.rule);
    ir_destroy(random);
}
END_TEST

START_TEST(operands_have_types)
{
    ir_ref a = load(), m = mask();

    ir->inst[ir_emit(ir, IR_FADD, a, a, 0, 0)].arg[1] = m;
    refused("type");
    drop_last();
    ir->inst[ir_emit(ir, IR_FADD, a, a, 0, 0)].arg[1] = 0;
    refused("operand is a value");
    drop_last();
    ir->inst[ir_emit(ir, IR_FADD, a, a, 0, 0)].arg[2] = a;
    refused("no more operands");
}
END_TEST

START_TEST(values_are_defined_before_use)
{
    ir_ref a = load(), sum = ir_emit(ir, IR_FADD, a, a, 0, 0);

    ir->inst[sum].arg[1] = sum;
    refused("before its use");
}
END_TEST

START_TEST(values_of_an_if_stay_inside)
{
    ir_ref a = load(), b;

    ir_if(ir, mask());
    b = ir_emit(ir, IR_FADD, a, a, 0, 0);
    ir_endif(ir);
    ir_emit(ir, IR_FMUL, a, b, 0, 0);
    refused("inside it");
}
END_TEST

START_TEST(phis_follow_the_end)
{
    ir_ref a = load(), b;

    ir_if(ir, mask());
    b = ir_emit(ir, IR_FADD, a, a, 0, 0);
    ir_endif(ir);
    ir_phi(ir, b, a);
    ck_assert_int_eq(ir_verify(ir, &fault), ST_OK);
    ir_emit(ir, IR_FMUL, a, a, 0, 0);
    ir_emit(ir, IR_PHI, a, a, 0, 0);
    refused("directly after ENDIF");
    drop_last();
    ir_loop_phi(ir, a);
    refused("directly after LOOP");
}
END_TEST

START_TEST(next_values_belong_to_the_loop)
{
    ir_ref a = load(), m = mask(), phi, inner;

    ir_loop(ir);
    phi = ir_loop_phi(ir, a);
    ir_if(ir, m);
    inner = ir_emit(ir, IR_FADD, phi, a, 0, 0);
    ir_endif(ir);
    ir_loop_next(ir, phi, inner);
    ir_endloop(ir, m);
    ck_assert_int_eq(ir_verify(ir, &fault), ST_INVALID);
    ck_assert_uint_eq(fault.at, phi);
    ir_loop_next(ir, phi, a);
    ck_assert_int_eq(ir_verify(ir, &fault), ST_OK);
}
END_TEST

START_TEST(scopes_are_nested)
{
    ir_ref m = mask();

    ir_if(ir, m);
    refused("nested");
    ir_emit(ir, IR_ENDLOOP, m, 0, 0, 0);
    refused("nested");
    drop_last();
    ir_endif(ir);
    ir_emit(ir, IR_ENDIF, 0, 0, 0, 0);
    refused("nested");
}
END_TEST

START_TEST(numbers_are_in_range)
{
    ir_ref a = load();

    ir_emit_mem(ir, IR_STORE, UNIFORMS, 0, a, 0, 0);
    refused("constant memory");
    drop_last();
    ir_emit_mem(ir, IR_USTORE, INPUTS, 0, a, 0, 0);
    refused("rate of a draw");
    drop_last();
    ir_emit(ir, IR_ISHL, a, 0, 0, 32);
    refused("below 32");
    drop_last();
    ir_emit(ir, IR_H2F, a, 0, 0, 32);
    refused("below 32");
    drop_last();
    ir_emit(ir, IR_UNORM, a, 0, 0, 7 << 5 | 25);
    refused("up to 16 bits");
    drop_last();
    ir_emit(ir, IR_UNORM, a, 0, 0, 16 << 5);
    refused("up to 16 bits");
    drop_last();
    ir_emit(ir, IR_QUAD, a, 0, 0, 256);
    refused("8 bits");
    drop_last();
    ir_emit(ir, IR_FNEG, a, 0, 0, 1);
    refused("0 where");
    drop_last();
    ir->inst[ir_emit(ir, IR_FNEG, a, 0, 0, 0)].base = 1;
    refused("base");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/verify");
    TCase *t = tcase_create("verify");

    tcase_add_checked_fixture(t, begin, finish);
    tcase_add_loop_test(t, random_functions_pass, 0, 100);
    tcase_add_test(t, operands_have_types);
    tcase_add_test(t, values_are_defined_before_use);
    tcase_add_test(t, values_of_an_if_stay_inside);
    tcase_add_test(t, phis_follow_the_end);
    tcase_add_test(t, next_values_belong_to_the_loop);
    tcase_add_test(t, scopes_are_nested);
    tcase_add_test(t, numbers_are_in_range);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
