/* Passes: random functions give the same results before and after, in vectors of every width. */
#include "check_main.h"

#include "evaluate.h"
#include "ir/check/check.h"
#include "ir/pass/pass.h"
#include "random_function.h"

static const unsigned widths[] = {4, 8, 16, 64};
enum { WIDTHS = sizeof(widths) / sizeof(widths[0]) };

static void verified(const struct ir *ir)
{
    struct ir_fault fault;

    ck_assert_ptr_nonnull(ir);
    ck_assert_msg(ir_verify(ir, &fault) == ST_OK, "%u: %s", fault.at, fault.rule);
}

/* preamble: runs before; may be NULL. */
static void compare(const struct ir *before, const struct ir *preamble, const struct ir *after,
                    unsigned seed)
{
    static struct memory expected, memory;
    struct ir_args args;

    for (unsigned i = 0; i < WIDTHS; i++) {
        memory_fill(&expected, seed);
        args = memory_args(&expected);
        evaluate(before, &args, 64);
        memory_fill(&memory, seed);
        args = memory_args(&memory);
        if (preamble)
            evaluate(preamble, &args, 64);
        evaluate(after, &args, widths[i]);
        ck_assert_msg(memory_same(&expected, &memory), "seed %u, width %u", seed, widths[i]);
    }
}

/* The functions of the tests themselves do not depend on the width. */
START_TEST(random_functions_do_not_depend_on_the_width)
{
    struct ir *ir = random_function((uint64_t)_i, 150);

    compare(ir, NULL, ir, (unsigned)_i);
    ir_destroy(ir);
}
END_TEST

START_TEST(dead_code_is_not_observed)
{
    struct ir *ir = random_function((uint64_t)_i, 150), *live = ir_remove_dead(ir);
    uint32_t n, n_live;

    verified(live);
    compare(ir, NULL, live, (unsigned)_i);
    ir_insts(ir, &n);
    ir_insts(live, &n_live);
    ck_assert_uint_lt(n_live, n);
    ir_destroy(ir);
    ir_destroy(live);
}
END_TEST

START_TEST(hoisted_values_are_the_same)
{
    struct ir *ir = random_function((uint64_t)_i, 150), *preamble;
    uint32_t bytes = 0;
    struct ir *body = ir_hoist(ir, HOISTED, &bytes, &preamble);

    verified(body);
    verified(preamble);
    ck_assert_uint_le(bytes, sizeof((struct memory *)0)->hoisted);
    compare(ir, preamble, body, (unsigned)_i);
    ir_destroy(ir);
    ir_destroy(body);
    ir_destroy(preamble);
}
END_TEST

START_TEST(products_are_exact)
{
    struct ir *ir = random_function((uint64_t)_i, 150), *expanded = ir_expand_mul0(ir);

    verified(expanded);
    compare(ir, NULL, expanded, (unsigned)_i);
    ir_destroy(ir);
    ir_destroy(expanded);
}
END_TEST

static unsigned count(const struct ir *ir, enum ir_op op)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    unsigned found = 0;

    for (uint32_t i = 1; i < n; i++)
        found += inst[i].op == op;
    return found;
}

/* Integers hide the NaNs of two values, but a sum shows the product that all of them come from. */
START_TEST(one_check_is_enough_for_a_product)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT), *expanded;
    ir_ref x = ir_emit_mem(ir, IR_LOAD, INPUTS, 0, 0, 0, 0),
           y = ir_emit_mem(ir, IR_LOAD, INPUTS, 256, 0, 0, 0), product, sum, hidden[2];

    product = ir_emit(ir, IR_FMUL0, x, y, 0, 0);
    sum = ir_emit(ir, IR_FADD, product, y, 0, 0);
    hidden[0] = ir_emit(ir, IR_FADD, ir_emit(ir, IR_FABS, product, 0, 0, 0), y, 0, 0);
    hidden[1] = ir_emit(ir, IR_FSUB, y, product, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        hidden[i] = ir_emit(ir, IR_F2I, hidden[i], 0, 0, 0);
    ir_emit_mem(ir, IR_STORE, FLOATS, 0, sum, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        ir_emit_mem(ir, IR_STORE, WORDS, 256 * i, hidden[i], 0, 0);
    expanded = ir_expand_mul0(ir);
    verified(expanded);
    for (unsigned seed = 0; seed < 20; seed++)
        compare(ir, NULL, expanded, seed);
    ck_assert_uint_eq(count(expanded, IR_FUNORD), 1);
    ir_destroy(ir);
    ir_destroy(expanded);
}
END_TEST

static ir_ref load(struct ir *ir, unsigned base, uint32_t offset)
{
    return ir_emit_mem(ir, IR_LOAD, base, offset, 0, 0, 0);
}

static void store(struct ir *ir, uint32_t offset, ir_ref value)
{
    ir_emit_mem(ir, IR_STORE, FLOATS, offset, value, 0, 0);
}

/* The results are the same after the pass, which makes `segments` of the function. */
static void expand_stores(struct ir *ir, unsigned segments)
{
    struct ir *expanded = ir_expand_mul0(ir);

    verified(expanded);
    for (unsigned seed = 0; seed < 20; seed++)
        compare(ir, NULL, expanded, seed);
    ck_assert_uint_eq(count(expanded, IR_IF), segments);
    ir_destroy(ir);
    ir_destroy(expanded);
}

/* The exact copy stores again, so that products need not live until they are checked. */
START_TEST(stores_are_part_of_a_segment)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT), *expanded;

    for (unsigned i = 0; i < 4; i++)
        store(ir, 256 * i, ir_emit(ir, IR_FMUL0, load(ir, INPUTS, 256 * i),
                                   load(ir, INPUTS, 256 * i + 256), 0, 0));
    expanded = ir_expand_mul0(ir);
    ck_assert_uint_eq(count(expanded, IR_PHI), 0);
    ir_destroy(expanded);
    expand_stores(ir, 1);
}
END_TEST

/* It must not load what the plain copy has stored. */
START_TEST(stores_end_a_segment_that_loads_the_same_words)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref one = ir_const_f32(ir, 1.0f), product;

    product = ir_emit(ir, IR_FMUL0, load(ir, FLOATS, 256), load(ir, INPUTS, 0), 0, 0);
    store(ir, 256 - 4 * (uint32_t)_i, ir_emit(ir, IR_FADD, product, one, 0, 0));
    product = ir_emit(ir, IR_FMUL0, load(ir, INPUTS, 256), load(ir, INPUTS, 512), 0, 0);
    store(ir, 1024, product);
    expand_stores(ir, 2);
}
END_TEST

/* Of two stores of a word, the second one wins, with and without a product. */
START_TEST(stores_keep_their_order)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref product = ir_emit(ir, IR_FMUL0, load(ir, INPUTS, 0), load(ir, INPUTS, 256), 0, 0);

    store(ir, 0, _i ? product : load(ir, INPUTS, 512));
    store(ir, 0, _i ? load(ir, INPUTS, 512) : product);
    expand_stores(ir, 1);
}
END_TEST

START_TEST(passes_follow_one_another)
{
    struct ir *ir = random_function((uint64_t)_i, 300), *preamble, *body, *live, *expanded;
    uint32_t bytes = 64;

    body = ir_hoist(ir, HOISTED, &bytes, &preamble);
    live = ir_remove_dead(body);
    expanded = ir_expand_mul0(live);
    verified(expanded);
    compare(ir, preamble, expanded, (unsigned)_i);
    ir_destroy(ir);
    ir_destroy(preamble);
    ir_destroy(body);
    ir_destroy(live);
    ir_destroy(expanded);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/pass");
    TCase *t = tcase_create("passes");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, random_functions_do_not_depend_on_the_width, 0, 100);
    tcase_add_loop_test(t, dead_code_is_not_observed, 0, 100);
    tcase_add_loop_test(t, hoisted_values_are_the_same, 0, 100);
    tcase_add_loop_test(t, products_are_exact, 0, 100);
    tcase_add_test(t, one_check_is_enough_for_a_product);
    tcase_add_test(t, stores_are_part_of_a_segment);
    tcase_add_loop_test(t, stores_end_a_segment_that_loads_the_same_words, 0, 2);
    tcase_add_loop_test(t, stores_keep_their_order, 0, 2);
    tcase_add_loop_test(t, passes_follow_one_another, 0, 100);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
