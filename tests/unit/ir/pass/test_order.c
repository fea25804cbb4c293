/* Order of operations: functions give the same results before and after, whatever they load and
 * store, and fewer values are alive at once. */
#include "check_main.h"

#include "evaluate.h"
#include "ir/check/check.h"
#include "ir/pass/pass.h"
#include "random_function.h"

static const unsigned few_registers[] = {1, 3, 7};
enum { FEW = sizeof(few_registers) / sizeof(few_registers[0]) };

static struct ir *order(const struct ir *ir, unsigned registers, bool masks)
{
    struct ir *ordered;

    ck_assert_int_eq(ir_order(&ordered, ir, registers, masks), ST_OK);
    return ordered;
}

/* Compares results before and after. 1 if the order has changed, otherwise 0. */
static unsigned compare(const struct ir *ir, unsigned registers, bool masks, unsigned seed)
{
    static struct memory expected, memory;
    struct ir *ordered = order(ir, registers, masks);
    struct ir_fault fault;
    struct ir_args args;
    uint32_t n, n_ordered;
    const struct ir_inst *inst = ir_insts(ir, &n), *after;
    unsigned changed;

    if (!ordered)
        return 0;
    ck_assert_msg(ir_verify(ordered, &fault) == ST_OK, "%u: %s", fault.at, fault.rule);
    after = ir_insts(ordered, &n_ordered);
    changed = n != n_ordered || memcmp(inst, after, n * sizeof(*inst)) != 0;
    memory_fill(&expected, seed);
    args = memory_args(&expected);
    evaluate(ir, &args, 64);
    memory_fill(&memory, seed);
    args = memory_args(&memory);
    evaluate(ordered, &args, 8);
    ck_assert_msg(memory_same(&expected, &memory), "seed %u, %u registers", seed, registers);
    ir_destroy(ordered);
    return changed;
}

START_TEST(random_functions_keep_their_results)
{
    struct ir *ir = random_function((uint64_t)_i, 150);
    unsigned changed = 0;

    for (unsigned i = 0; i < FEW; i++)
        changed += compare(ir, few_registers[i], i % 2, (unsigned)_i);
    ck_assert_uint_gt(changed, 0);
    ir_destroy(ir);
}
END_TEST

/* --- Loads and stores of the same memory ------------------------------------------------------ */

static uint32_t random_row_offset(uint64_t *seed)
{
    return memory_random(seed) % 4 * (uint32_t)sizeof(uint32_t[IR_LANES]);
}

/* A load, a store or a sum. Each lane touches its own words of four rows. */
static void random_access(struct ir *ir, uint64_t *seed, ir_ref *value, unsigned n)
{
    uint32_t offset = random_row_offset(seed);
    ir_ref a = value[memory_random(seed) % n], b = value[memory_random(seed) % n],
           at = ir_emit(ir, IR_ISHL, ir_emit(ir, IR_LANE, 0, 0, 0, 0), 0, 0, 2),
           all = ir_emit(ir, IR_MCONST, 0, 0, 0, 1), *to = &value[memory_random(seed) % n];

    switch (memory_random(seed) % 8) {
    case 0:
        ir_emit_mem(ir, IR_STORE, WORDS, offset, a, 0, 0);
        break;
    case 1:
        ir_emit_mem(ir, IR_SCATTER, WORDS, offset, at, a, ir_emit(ir, IR_ILT, a, b, 0, 0));
        break;
    case 2:
        *to = ir_emit_mem(ir, IR_LOAD, WORDS, offset, 0, 0, 0);
        break;
    case 3:
        *to = ir_emit_mem(ir, IR_GATHER, WORDS, offset, at, all, 0);
        break;
    default:
        *to = ir_emit(ir, IR_IADD, a, ir_emit(ir, IR_ISHL, b, 0, 0, 1), 0, 0);
    }
}

START_TEST(loads_and_stores_keep_their_order)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    uint64_t seed = (uint64_t)_i;
    ir_ref value[12];

    for (unsigned i = 0; i < 12; i++)
        value[i] = ir_emit_mem(ir, IR_LOAD, INPUTS, 256 * i, 0, 0, 0);
    for (unsigned i = 0; i < 120; i++)
        random_access(ir, &seed, value, 12);
    for (unsigned i = 0; i < 12; i++)
        ir_emit_mem(ir, IR_STORE, WORDS, 1024 + 256 * i, value[i], 0, 0);
    for (unsigned i = 0; i < FEW; i++)
        compare(ir, few_registers[i], false, (unsigned)_i);
    ir_destroy(ir);
}
END_TEST

/* --- Pressure --------------------------------------------------------------------------------- */

/* The most values alive at once. Constants and loads are not counted. */
static unsigned most_alive(const struct ir *ir)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);
    uint32_t *last = calloc(n, sizeof(*last));
    unsigned most = 0;

    for (uint32_t i = 1; i < n; i++)
        for (unsigned k = 0; k < ir_op_info[inst[i].op].n_args; k++)
            last[inst[i].arg[k]] = i;
    for (uint32_t at = 1; at < n; at++) {
        unsigned alive = 0;

        for (uint32_t i = 1; i <= at; i++)
            alive += ir_op_info[inst[i].op].op_class <= IR_CLASS_COMMUTES &&
                     inst[i].op != IR_CONST && last[i] > at;
        most = alive > most ? alive : most;
    }
    free(last);
    return most;
}

static ir_ref load(struct ir *ir, unsigned row)
{
    return ir_emit_mem(ir, IR_LOAD, INPUTS, 256 * (row % MEMORY_ROWS), 0, 0, 0);
}

/* Vectors of n components, each computed from two loads in `steps` steps, which are side by side.
 */
static struct ir *make_chains(unsigned n, unsigned steps)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref value[64];

    for (unsigned c = 0; c < n; c++)
        value[c] = ir_emit(ir, IR_FADD, load(ir, c), load(ir, c + 1), 0, 0);
    for (unsigned step = 0; step < steps; step++)
        for (unsigned c = 0; c < n; c++) {
            ir_ref product = ir_emit(ir, IR_FMUL, value[c], load(ir, c + step), 0, 0);

            value[c] = ir_emit(ir, IR_FADD, product, value[c], 0, 0);
        }
    for (unsigned c = 0; c < n; c++)
        ir_emit_mem(ir, IR_STORE, FLOATS, 256 * c, value[c], 0, 0);
    return ir;
}

START_TEST(chains_have_enough_registers)
{
    struct ir *ir = make_chains(16, 5), *ordered = order(ir, 7, false);

    ck_assert_uint_ge(most_alive(ir), 16);
    ck_assert_uint_le(most_alive(ordered), 7);
    ck_assert_uint_ge(most_alive(ordered), 4); /* side by side as far as there are registers */
    ck_assert_uint_eq(compare(ir, 7, false, 1), 1);
    ir_destroy(ir);
    ir_destroy(ordered);
}
END_TEST

START_TEST(enough_registers_change_nothing)
{
    struct ir *ir = make_chains(16, 5);

    ck_assert_uint_eq(compare(ir, 31, true, 1), 0);
    ir_destroy(ir);
}
END_TEST

/* A balanced tree over 2^depth loads takes depth + 1 registers. */
START_TEST(trees_take_few_registers)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT), *ordered;
    ir_ref value[32];

    for (unsigned i = 0; i < 32; i++)
        value[i] = ir_emit(ir, IR_FMUL, load(ir, i), load(ir, i / 2 + 1), 0, 0);
    for (unsigned n = 16; n > 0; n /= 2)
        for (unsigned i = 0; i < n; i++)
            value[i] = ir_emit(ir, IR_FADD, value[i], value[i + n], 0, 0);
    ir_emit_mem(ir, IR_STORE, FLOATS, 0, value[0], 0, 0);
    ordered = order(ir, 1, false);
    ck_assert_uint_ge(most_alive(ir), 16);
    ck_assert_uint_le(most_alive(ordered), 6);
    ir_destroy(ir);
    ir_destroy(ordered);
}
END_TEST

/* Products that are added up from the last to the first: the operand that is a sum comes first. */
START_TEST(deep_operands_come_first)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT), *ordered;
    ir_ref value[16], sum;

    for (unsigned i = 0; i < 16; i++)
        value[i] = ir_emit(ir, IR_FMUL, load(ir, i), load(ir, i + 1), 0, 0);
    sum = value[15];
    for (unsigned i = 15; i-- > 0;)
        sum = ir_emit(ir, IR_FSUB, value[i], sum, 0, 0);
    ir_emit_mem(ir, IR_STORE, FLOATS, 0, sum, 0, 0);
    ordered = order(ir, 1, false);
    ck_assert_uint_ge(most_alive(ir), 16);
    ck_assert_uint_le(most_alive(ordered), 3);
    ir_destroy(ir);
    ir_destroy(ordered);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/pass/order");
    TCase *t = tcase_create("order");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, random_functions_keep_their_results, 0, 100);
    tcase_add_loop_test(t, loads_and_stores_keep_their_order, 0, 100);
    tcase_add_test(t, chains_have_enough_registers);
    tcase_add_test(t, enough_registers_change_nothing);
    tcase_add_test(t, trees_take_few_registers);
    tcase_add_test(t, deep_operands_come_first);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
