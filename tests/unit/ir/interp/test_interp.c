/* The interpreter equals a plain evaluation lane by lane: random functions, and functions whose values move between
 * branches and iterations in all ways. Work memory is shared by values whose live ranges do not overlap. */
#include "check_main.h"
#include "evaluate.h"
#include "ir/check/check.h"
#include "ir/interp/interp.h"
#include "memory.h"
#include "random_function.h"
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <stdio.h>

static struct memory got, expected;

/* --- Running ---------------------------------------------------------------------------------------------------- */

static void record_call(void *ctx, uint32_t function)
{
    struct memory *memory = ctx;

    for (unsigned lane = 0; lane < IR_LANES; lane++)
        memory->words[0][lane] = memory->words[0][lane] * 5 + function;
    memory->uniform[0] += function;
}

static void run(const struct ir *ir, struct memory *memory)
{
    struct ir_args args = memory_args(memory);
    struct ir_interp *interp = NULL;
    struct fp_mode mode;
    void *work;

    ck_assert_int_eq(ir_interp_create(&interp, ir), ST_OK);
    work = mem_alloc(ir_interp_work_bytes(interp));
    memset(work, 0xfe, ir_interp_work_bytes(interp));
    args.call = record_call;
    args.call_ctx = memory;
    mode = fp_enter();
    ir_interp_run(interp, &args, work);
    fp_leave(mode);
    mem_free(work);
    ir_interp_destroy(interp);
}

/* Compares with the plain evaluation on each instruction set; destroys the function. */
static void check(struct ir *ir, uint64_t seed)
{
    enum cpu_isa best = cpu_isa();
    struct ir_args args = memory_args(&expected);
    struct ir_fault fault = {0};

    if (ir_verify(ir, &fault) != ST_OK)
        ck_abort_msg("seed %llu, instruction %u: %s", (unsigned long long)seed, fault.at, fault.rule);
    args.call = record_call;
    args.call_ctx = &expected;
    memory_fill(&expected, seed);
    evaluate(ir, &args, IR_LANES);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (cpu_set_isa((enum cpu_isa)isa) != ST_OK)
            continue;
        memory_fill(&got, seed);
        run(ir, &got);
        if (!memory_same(&got, &expected)) {
            ir_print(ir, stderr);
            ck_abort_msg("seed %llu, %s", (unsigned long long)seed, cpu_isa_name((enum cpu_isa)isa));
        }
    }
    ck_assert_int_eq(cpu_set_isa(best), ST_OK);
    ir_destroy(ir);
}

static ir_ref load(struct ir *ir, unsigned row)
{
    return ir_emit_mem(ir, IR_LOAD, INPUTS, row * sizeof(uint32_t[IR_LANES]), 0, 0, 0);
}

static void store(struct ir *ir, unsigned row, ir_ref value)
{
    ir_emit_mem(ir, IR_STORE, WORDS, row * sizeof(uint32_t[IR_LANES]), value, 0, 0);
}

static ir_ref op1(struct ir *ir, enum ir_op op, ir_ref a)
{
    return ir_emit(ir, op, a, 0, 0, 0);
}

static ir_ref op2(struct ir *ir, enum ir_op op, ir_ref a, ir_ref b)
{
    return ir_emit(ir, op, a, b, 0, 0);
}

static ir_ref mask_const(struct ir *ir, bool on)
{
    return ir_emit(ir, IR_MCONST, 0, 0, 0, on);
}

/* --- Random functions ------------------------------------------------------------------------------------------- */

START_TEST(random_functions_equal_their_evaluation)
{
    for (unsigned i = 0; i < 60; i++) {
        uint64_t seed = (uint64_t)_i * 1000 + i;

        check(random_function(seed, 1 + i * 4), seed);
    }
}
END_TEST

/* A function over variables: words and masks. IFs and LOOPs change and exchange them without regard to lanes; what one
 * computes depends on all 64 lanes. */
enum { WORD_VARIABLES = 8, VARIABLES = 12 };
struct flow {
    struct ir *ir;
    uint64_t seed;
    ir_ref variable[VARIABLES]; /* masks from WORD_VARIABLES on */
    unsigned depth;
};

static unsigned below(struct flow *f, unsigned n)
{
    return memory_random(&f->seed) % n;
}

static ir_ref word_of(struct flow *f)
{
    return f->variable[below(f, WORD_VARIABLES)];
}

static ir_ref mask_of(struct flow *f)
{
    return f->variable[WORD_VARIABLES + below(f, VARIABLES - WORD_VARIABLES)];
}

/* A variable of the same type as variable i. */
static unsigned same_type(struct flow *f, unsigned i)
{
    return i < WORD_VARIABLES ? below(f, WORD_VARIABLES) : WORD_VARIABLES + below(f, VARIABLES - WORD_VARIABLES);
}

/* Changes a variable by an operation or a load, or stores one. */
static void flow_operation(struct flow *f)
{
    static const enum ir_op words[] = {IR_IADD, IR_ISUB, IR_IMUL, IR_IXOR, IR_IMIN, IR_UMAX};
    ir_ref *word = &f->variable[below(f, WORD_VARIABLES)], *mask = &f->variable[same_type(f, WORD_VARIABLES)];
    unsigned row = below(f, MEMORY_ROWS), base = below(f, 2) ? INPUTS : WORDS;
    uint32_t offset = row * sizeof(uint32_t[IR_LANES]);

    switch (below(f, 14)) {
    case 0:
        *mask = op2(f->ir, IR_ILT, word_of(f), word_of(f));
        break;
    case 1:
        *mask = op2(f->ir, below(f, 2) ? IR_MAND : IR_MANDNOT, mask_of(f), mask_of(f));
        break;
    case 2:
        *mask = below(f, 2) ? mask_const(f->ir, below(f, 2))
                            : ir_emit_mem(f->ir, IR_MLOAD, base, offset + 8 * below(f, 8), 0, 0, 0);
        break;
    case 3:
        *word = ir_emit(f->ir, IR_SELECT, mask_of(f), word_of(f), word_of(f), 0);
        break;
    case 4:
        *word = ir_const_i32(f->ir, (int32_t)below(f, 5));
        break;
    case 5:
        *word = ir_emit_mem(f->ir, IR_UNIFORM, base == WORDS ? WORDS : UNIFORMS, 4 * row, 0, 0, 0);
        break;
    case 6:
    case 7:
        *word = ir_emit_mem(f->ir, IR_LOAD, base, offset, 0, 0, 0);
        break;
    case 8:
        ir_emit_mem(f->ir, IR_STORE, WORDS, offset, word_of(f), 0, 0);
        break;
    case 9:
        ir_emit_mem(f->ir, IR_MSTORE, WORDS, offset + 8 * below(f, 8), mask_of(f), 0, 0);
        break;
    case 10:
        *word = below(f, 2) ? op1(f->ir, IR_FIRST, word_of(f)) : ir_emit(f->ir, IR_QUAD, word_of(f), 0, 0, 0x1b);
        break;
    case 11:
        if (below(f, 4) == 0)
            ir_emit(f->ir, IR_CALL, 0, 0, 0, below(f, 4));
        break;
    default:
        *word = op2(f->ir, words[below(f, 6)], word_of(f), word_of(f));
    }
}

static void flow_body(struct flow *f, unsigned n);

/* Every variable may become any old or new one. */
static void flow_if(struct flow *f)
{
    ir_ref before[VARIABLES], then[VARIABLES], merged[VARIABLES];

    memcpy(before, f->variable, sizeof(before));
    ir_if(f->ir, mask_of(f));
    f->depth++;
    flow_body(f, below(f, 10));
    f->depth--;
    ir_endif(f->ir);
    memcpy(then, f->variable, sizeof(then));
    for (unsigned i = 0; i < VARIABLES; i++) {
        bool straight = below(f, 4);

        merged[i] = ir_phi(f->ir, then[straight ? i : same_type(f, i)], before[straight ? i : same_type(f, i)]);
    }
    memcpy(f->variable, merged, sizeof(merged));
}

/* One to four iterations; a number of lanes or all count them. */
static void flow_loop(struct flow *f)
{
    ir_ref phi[VARIABLES], count, next, limit = ir_const_i32(f->ir, (int32_t)below(f, 4)), again;
    unsigned keep = memory_random(&f->seed) & memory_random(&f->seed);

    if (below(f, 2))
        limit = op2(f->ir, IR_IAND, word_of(f), ir_const_i32(f->ir, 3));
    next = ir_const_i32(f->ir, 0);
    ir_loop(f->ir);
    f->depth++;
    count = ir_loop_phi(f->ir, next);
    for (unsigned i = 0; i < VARIABLES; i++) {
        phi[i] = 0;
        if (!(keep >> i & 1))
            f->variable[i] = phi[i] = ir_loop_phi(f->ir, f->variable[i]);
    }
    flow_body(f, below(f, 10));
    for (unsigned i = 0; i < VARIABLES; i++)
        if (phi[i])
            ir_loop_next(f->ir, phi[i], f->variable[below(f, 3) ? i : same_type(f, i)]);
    next = op2(f->ir, IR_IADD, count, ir_const_i32(f->ir, 1));
    ir_loop_next(f->ir, count, next);
    again = op2(f->ir, IR_ILT, count, limit);
    ir_endloop(f->ir, again);
    f->depth--;
    if (below(f, 4) == 0) /* the variable, not its next value */
        for (unsigned i = 0; i < VARIABLES; i++)
            f->variable[i] = phi[i] && below(f, 2) ? phi[i] : f->variable[i];
    if (below(f, 4) == 0)
        f->variable[0] = count;
}

static void flow_body(struct flow *f, unsigned n)
{
    while (n--) {
        unsigned kind = below(f, 12);

        if (kind == 0 && f->depth < 4)
            flow_if(f);
        else if (kind == 1 && f->depth < 3)
            flow_loop(f);
        else
            flow_operation(f);
    }
}

START_TEST(values_move_between_branches_and_iterations)
{
    for (unsigned i = 0; i < 100; i++) {
        struct flow f = {.ir = ir_create(0), .seed = (uint64_t)_i * 1000 + i};

        for (unsigned v = 0; v < VARIABLES; v++)
            f.variable[v] = v < WORD_VARIABLES ? load(f.ir, v) : ir_emit_mem(f.ir, IR_MLOAD, INPUTS, 8 * v, 0, 0, 0);
        f.variable[1] = ir_emit_mem(f.ir, IR_UNIFORM, UNIFORMS, 4, 0, 0, 0);
        f.variable[2] = ir_emit_mem(f.ir, IR_UNIFORM, UNIFORMS, 8, 0, 0, 0);
        flow_body(&f, 1 + i / 2);
        for (unsigned v = 0; v < WORD_VARIABLES; v++)
            store(f.ir, v, f.variable[v]);
        for (unsigned v = WORD_VARIABLES; v < VARIABLES; v++)
            ir_emit_mem(f.ir, IR_MSTORE, WORDS, v * sizeof(uint32_t[IR_LANES]), f.variable[v], 0, 0);
        check(f.ir, f.seed);
    }
}
END_TEST

/* So many that not all values of a variable are in one class. */
START_TEST(variables_may_change_in_many_branches)
{
    struct ir *ir = ir_create(0);
    ir_ref x = load(ir, 0), then;

    for (int i = 0; i < 200; i++) {
        ir_if(ir, op2(ir, IR_ILT, x, load(ir, (unsigned)i % MEMORY_ROWS)));
        then = op2(ir, IR_IADD, op2(ir, IR_IMUL, x, x), load(ir, 1));
        ir_endif(ir);
        x = ir_phi(ir, then, x);
    }
    store(ir, 0, x);
    check(ir, 3);
}
END_TEST

/* --- Memory ----------------------------------------------------------------------------------------------------- */

/* A load that a later store changes keeps its value. */
START_TEST(loads_keep_values_that_stores_and_calls_change)
{
    struct ir *ir = ir_create(0);
    ir_ref a = ir_emit_mem(ir, IR_LOAD, WORDS, 0, 0, 0, 0), b;

    store(ir, 0, load(ir, 1));
    b = ir_emit_mem(ir, IR_LOAD, WORDS, 0, 0, 0, 0);
    ir_emit(ir, IR_CALL, 0, 0, 0, 7);
    store(ir, 1, a);
    store(ir, 2, b);
    store(ir, 3, ir_emit_mem(ir, IR_LOAD, WORDS, 0, 0, 0, 0));
    memory_fill(&got, 1);
    memcpy(got.words[0], got.input[0], sizeof(got.words[0]));
    run(ir, &got);
    for (unsigned lane = 0; lane < IR_LANES; lane++) {
        ck_assert_uint_eq(got.words[1][lane], got.input[0][lane]);
        ck_assert_uint_eq(got.words[2][lane], got.input[1][lane]);
        ck_assert_uint_eq(got.words[3][lane], got.input[1][lane] * 5 + 7);
    }
    ir_destroy(ir);
}
END_TEST

/* The second iteration loads what the first one has stored. */
START_TEST(loops_load_what_they_have_stored)
{
    struct ir *ir = ir_create(0);
    ir_ref zero = ir_const_i32(ir, 0), one = ir_const_i32(ir, 1), count, next, sum;

    ir_loop(ir);
    count = ir_loop_phi(ir, zero);
    sum = op2(ir, IR_IADD, ir_emit_mem(ir, IR_LOAD, WORDS, 0, 0, 0, 0), load(ir, 0));
    store(ir, 0, sum);
    next = op2(ir, IR_IADD, count, one);
    ir_loop_next(ir, count, next);
    ir_endloop(ir, op2(ir, IR_ILT, next, ir_const_i32(ir, 3)));
    memory_fill(&got, 1);
    run(ir, &got);
    for (unsigned lane = 0; lane < IR_LANES; lane++)
        ck_assert_uint_eq(got.words[0][lane], got.input[0][lane] * 3);
    ir_destroy(ir);
}
END_TEST

/* Offsets that vectors cannot load at: the value is copied. */
START_TEST(loads_need_no_alignment_of_offsets)
{
    struct ir *ir = ir_create(0);
    ir_ref a = ir_emit_mem(ir, IR_LOAD, INPUTS, 4, 0, 0, 0);

    store(ir, 0, op2(ir, IR_IADD, a, ir_const_i32(ir, 1)));
    memory_fill(&got, 1);
    run(ir, &got);
    for (unsigned lane = 0; lane < IR_LANES; lane++)
        ck_assert_uint_eq(got.words[0][lane], (&got.input[0][1])[lane] + 1);
    ir_destroy(ir);
}
END_TEST

/* --- Slots ------------------------------------------------------------------------------------------------------ */

static size_t work_bytes(struct ir *ir)
{
    struct ir_interp *interp = NULL;
    size_t bytes;

    ck_assert_int_eq(ir_interp_create(&interp, ir), ST_OK);
    bytes = ir_interp_work_bytes(interp);
    ir_interp_destroy(interp);
    ir_destroy(ir);
    return bytes;
}

/* One slot of each kind is for exchanges. */
static size_t slots(unsigned lanes, unsigned uniforms, unsigned masks)
{
    return (lanes + 1) * 256 + (uniforms + 1) * 64 + (masks + 1) * 8;
}

START_TEST(values_share_slots)
{
    struct ir *ir = ir_create(0);
    ir_ref x = load(ir, 0);

    for (int i = 0; i < 1000; i++)
        x = op2(ir, IR_IMUL, op2(ir, IR_IADD, x, ir_const_i32(ir, i + 1)), x);
    store(ir, 0, x);
    ck_assert_uint_eq(work_bytes(ir), slots(2, 0, 0));
}
END_TEST

/* What all lanes share takes 64 bytes; loads and constants take nothing. */
START_TEST(uniforms_are_small)
{
    struct ir *ir = ir_create(0);
    ir_ref u = ir_emit_mem(ir, IR_UNIFORM, UNIFORMS, 0, 0, 0, 0), v = op2(ir, IR_IMUL, u, ir_const_i32(ir, 3));

    v = ir_emit(ir, IR_SELECT, op2(ir, IR_ILT, u, v), u, v, 0);
    store(ir, 0, v);
    store(ir, 1, load(ir, 0));
    ck_assert_uint_eq(work_bytes(ir), slots(0, 2, 1));
}
END_TEST

/* The product stays in a register, unless another operation reads it. */
START_TEST(pairs_need_no_slot_between_them)
{
    for (unsigned others = 0; others < 2; others++) {
        struct ir *ir = ir_create(0);
        ir_ref product = op2(ir, IR_FMUL, load(ir, 0), load(ir, 1));

        store(ir, 0, op2(ir, IR_FADD, load(ir, 2), product));
        if (others)
            store(ir, 1, product);
        ck_assert_uint_eq(work_bytes(ir), slots(1 + others, 0, 0));
    }
}
END_TEST

/* A variable that an IF changes, and one that a loop counts, stay in one slot each. */
START_TEST(phis_share_the_slot_of_what_they_merge)
{
    struct ir *ir = ir_create(0);
    ir_ref sum = op2(ir, IR_IADD, load(ir, 0), load(ir, 1)), then, again;

    ir_if(ir, op2(ir, IR_ILT, sum, load(ir, 2)));
    then = op2(ir, IR_IADD, sum, load(ir, 3));
    ir_endif(ir);
    sum = ir_phi(ir, then, sum);
    ir_loop(ir);
    sum = ir_loop_phi(ir, sum);
    then = op2(ir, IR_IADD, sum, load(ir, 3));
    ir_loop_next(ir, sum, then);
    again = op2(ir, IR_ILT, then, load(ir, 4));
    ir_endloop(ir, again);
    store(ir, 0, then);
    ck_assert_uint_eq(work_bytes(ir), slots(1, 0, 1));
}
END_TEST

/* --- Errors ----------------------------------------------------------------------------------------------------- */

START_TEST(memory_shortage_leaves_nothing_behind)
{
    struct ir *ir = random_function(5, 200);
    int64_t before = mem_live_blocks();
    enum status status = ST_NOMEM;
    unsigned n;

    for (n = 0; status; n++) {
        struct ir_interp *interp = NULL;

        mem_fail_after(n);
        status = ir_interp_create(&interp, ir);
        mem_fail_after(-1);
        ck_assert(!status == !!interp);
        ck_assert(status == ST_OK || status == ST_NOMEM);
        ir_interp_destroy(interp);
        ck_assert_int_eq(mem_live_blocks(), before);
    }
    ck_assert_uint_gt(n, 5);
    ir_destroy(ir);
}
END_TEST

START_TEST(a_function_may_be_empty)
{
    check(ir_create(0), 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir_interp");
    TCase *t = tcase_create("ir_interp");

    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, random_functions_equal_their_evaluation, 0, 10);
    tcase_add_loop_test(t, values_move_between_branches_and_iterations, 0, 20);
    tcase_add_test(t, variables_may_change_in_many_branches);
    tcase_add_test(t, loads_keep_values_that_stores_and_calls_change);
    tcase_add_test(t, loops_load_what_they_have_stored);
    tcase_add_test(t, loads_need_no_alignment_of_offsets);
    tcase_add_test(t, values_share_slots);
    tcase_add_test(t, uniforms_are_small);
    tcase_add_test(t, pairs_need_no_slot_between_them);
    tcase_add_test(t, phis_share_the_slot_of_what_they_merge);
    tcase_add_test(t, memory_shortage_leaves_nothing_behind);
    tcase_add_test(t, a_function_may_be_empty);
    suite_add_tcase(s, t);
    return s;
}
TEST_MAIN(suite)
