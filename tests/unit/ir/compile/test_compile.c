/* Compiled functions against the evaluator of the tests: each operation with special values, and
 * random functions with spills, masks, IFs and LOOPs, on every instruction set that this machine
 * has. */
#include "evaluate.h"
#include "random_function.h"
#include "machine/pressure.h"

#include "ir/check/check.h"
#include "ir/pass/pass.h"
#include "ir/machine/pair.h"
#include "ir/compile/compile.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include "check_main.h"
#include "kernel/bits.h"

#include <stdio.h>
#include <time.h>

#ifdef _WIN64
#include <windows.h>
#endif

static const enum cpu_isa isas[] = {ISA_NEON, ISA_AVX2, ISA_AVX512};
enum { ISAS = 3 };

/* The widest instruction set of this machine that has a compiler; ISA_SCALAR: none. */
static enum cpu_isa widest(void)
{
    enum cpu_isa isa = ISA_SCALAR;

    for (unsigned i = 0; i < ISAS; i++)
        if (cpu_has_isa(isas[i]))
            isa = isas[i];
    return isa;
}

static unsigned lanes_of(enum cpu_isa isa)
{
    return isa == ISA_AVX512 ? 16 : isa == ISA_AVX2 ? 8 : 4;
}

/* Compiles and runs a function; false if this machine lacks the instruction set. */
static bool run(const struct ir *ir, struct memory *memory, enum cpu_isa isa)
{
    struct ir_args args = memory_args(memory);
    struct ir_code *code;
    struct fp_mode mode;
    void *work;

    if (!cpu_has_isa(isa))
        return false;
    ck_assert_int_eq(ir_compile(&code, ir, isa), ST_OK);
    work = mem_alloc(ir_code_work_bytes(code));
    memset(work, 0xee, ir_code_work_bytes(code));
    mode = fp_enter();
    ir_code_run(code, &args, work);
    fp_leave(mode);
    mem_free(work);
    ir_code_destroy(code);
    return true;
}

static bool has(const struct ir *ir, enum ir_op op)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (uint32_t i = 1; i < n; i++)
        if (inst[i].op == op)
            return true;
    return false;
}

static void expect(const struct ir *ir, struct memory *memory, enum cpu_isa isa)
{
    struct ir_args args = memory_args(memory);
    struct fp_mode mode = fp_enter();

    evaluate(ir, &args, has(ir, IR_CALL) ? IR_LANES : lanes_of(isa));
    fp_leave(mode);
}

static void first_difference(const struct memory *a, const struct memory *b, char *text,
                             size_t size)
{
    text[0] = 0;
    for (unsigned row = 0; row < MEMORY_ROWS; row++)
        for (unsigned lane = 0; lane < IR_LANES; lane++) {
            if (!memory_same_float(a->floats[row][lane], b->floats[row][lane])) {
                snprintf(text, size, "floats[%u][%u]: %08x, not %08x", row, lane,
                         a->floats[row][lane], b->floats[row][lane]);
                return;
            }
            if (a->words[row][lane] != b->words[row][lane]) {
                snprintf(text, size, "words[%u][%u]: %08x, not %08x", row, lane,
                         a->words[row][lane], b->words[row][lane]);
                return;
            }
        }
}

static void compare(const struct ir *ir, const struct memory *input, const char *name)
{
    static struct memory compiled, expected;
    char difference[96];

    ck_assert_int_eq(ir_status(ir), ST_OK);
    for (unsigned i = 0; i < ISAS; i++) {
        compiled = expected = *input;
        if (!run(ir, &compiled, isas[i]))
            continue;
        expect(ir, &expected, isas[i]);
        first_difference(&compiled, &expected, difference, sizeof(difference));
        ck_assert_msg(memory_same(&compiled, &expected), "%s, %s: %s", name, cpu_isa_name(isas[i]),
                      difference);
    }
}

/* --- Single operations ------------------------------------------------------------------------ */

static const struct {
    enum ir_op op;
    char letter[5];
} rows[] = {
#define IR_OP(name, result, a, b, c, class, nan, formula) {IR_##name, #result #a #b #c},
#include "ir/ops.def"
#undef IR_OP
};

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3fc00000, 0xbfc00000,
    0x40200000, 0x4b000000, 0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7fffffff,
    0x00000020, 0xfffffffe, 0x20000001, 0x1ffffffe}; /* the product of these two rounds up to
                                                        0x00800000 */
enum { SPECIALS = sizeof(special) / sizeof(special[0]) };

/* How an operand comes: from memory that nothing writes, from a register, the same for all lanes.
 */
enum { FROM_LOAD, FROM_REGISTER, FROM_UNIFORM, FROM_CONSTANT, WAYS };

static ir_ref operand(struct ir *ir, unsigned k, char letter, unsigned way, uint32_t bits)
{
    uint32_t offset = k * (uint32_t)sizeof(uint32_t[IR_LANES]);
    ir_ref x;

    if (letter == 'M') /* the words' lowest bits: inputs[8 + k] has bits of a mask */
        return ir_emit_mem(ir, IR_MLOAD, INPUTS, offset + 8 * (uint32_t)sizeof(uint32_t[IR_LANES]),
                           0, 0, 0);
    if (way == FROM_UNIFORM)
        return ir_emit_mem(ir, IR_UNIFORM, UNIFORMS, 4 * k, 0, 0, 0);
    if (way == FROM_CONSTANT)
        return ir_const_i32(ir, (int32_t)bits);
    x = ir_emit_mem(ir, IR_LOAD, INPUTS, offset, 0, 0, 0);
    if (way == FROM_REGISTER) /* x ^ lane ^ lane */
        for (unsigned i = 0; i < 2; i++)
            x = ir_emit(ir, IR_IXOR, x,
                        ir_emit_mem(ir, IR_LOAD, INPUTS, 12 * sizeof(uint32_t[IR_LANES]), 0, 0, 0),
                        0, 0);
    return x;
}

static struct ir *single_operation(unsigned row, const unsigned way[3], uint32_t bits, unsigned imm)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref arg[3] = {0, 0, 0}, result;

    for (unsigned k = 0; k < 3; k++)
        if (rows[row].letter[1 + k] != '_')
            arg[k] = operand(ir, k, rows[row].letter[1 + k], way[k], bits);
    result =
        ir_emit(ir, rows[row].op, arg[0], arg[1], arg[2], ir_has_number(rows[row].op) ? imm : 0);
    if (rows[row].letter[0] == 'M')
        ir_emit_mem(ir, IR_MSTORE, WORDS, 0, result, 0, 0);
    else
        ir_emit_mem(ir, IR_STORE, rows[row].letter[0] == 'F' ? FLOATS : WORDS, 0, result, 0, 0);
    return ir;
}

static void fill_special(struct memory *memory, unsigned round, uint64_t seed)
{
    memory_fill(memory, seed);
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned lane = 0; lane < IR_LANES; lane++) {
            unsigned i = round * IR_LANES + lane;

            memory->input[k][lane] = special[(k == 0   ? i / SPECIALS
                                              : k == 1 ? i
                                                       : i + 1) %
                                             SPECIALS];
        }
        memory->uniform[k] = special[(round * 7 + k) % SPECIALS];
    }
}

START_TEST(operations)
{
    unsigned row = (unsigned)_i;
    static struct memory memory;
    char name[64];

    if (ir_op_info[rows[row].op].op_class > IR_CLASS_COMMUTES)
        return;
    for (unsigned round = 0; round * IR_LANES < SPECIALS * SPECIALS; round++)
        for (unsigned ways = 0; ways < WAYS * WAYS; ways++) {
            unsigned way[3] = {ways % WAYS, ways / WAYS, ways % WAYS};
            unsigned imm = rows[row].op == IR_QUAD    ? (0x1b + round * 37) & 255
                           : rows[row].op == IR_CONST ? special[round % SPECIALS]
                           : rows[row].op == IR_UNORM ? round % 17 | (round % 16) << 5
                                                      : round % 32;
            struct ir *ir = single_operation(row, way, special[round % SPECIALS], imm);

            snprintf(name, sizeof(name), "%s, ways %u %u", ir_op_info[rows[row].op].name, way[0],
                     way[1]);
            fill_special(&memory, round, round * 100 + ways);
            compare(ir, &memory, name);
            ir_destroy(ir);
        }
}
END_TEST

/* --- Random functions ------------------------------------------------------------------------- */

/* Hashes what the function stores. It does not depend on the width. */
static void hash(const struct ir *ir, const struct memory *input)
{
    static struct memory expected;

    expected = *input;
    expect(ir, &expected, ISA_AVX512);
    for (unsigned row = 0; row < MEMORY_ROWS; row++) {
        bits_floats((const float *)(const void *)expected.floats[row], IR_LANES);
        bits_bytes(expected.words[row], sizeof(expected.words[row]));
    }
}

/* Which functions are made of pairs of vectors. */
START_TEST(pairs_where_rounds_wait)
{
    unsigned n = 0;

    for (unsigned seed = 0; seed < 64; seed++) {
        struct ir *ir = random_function(seed, 60), *pairs = ir_machine_make_pairs(ir, 16);
        struct ir_fault fault = {0};
        bool wants;

        ck_assert_int_eq(ir_machine_want_pairs(ir, &wants), ST_OK);
        ck_assert(seed % 4 == 3 || !wants);
        n += wants;
        ck_assert_msg(ir_verify(pairs, &fault) == ST_OK, "seed %u: %s", seed, fault.rule);
        ir_destroy(pairs);
        ir_destroy(ir);
    }
    ck_assert_uint_eq(n, 16);
}
END_TEST

START_TEST(random_functions)
{
    static struct memory memory;
    char name[64];

    for (unsigned i = 0; i < 40; i++) {
        uint64_t seed = (uint64_t)_i * 1000 + i;
        unsigned size = 10 + (unsigned)(seed * 37 % 400);
        struct ir *ir = random_function_of(seed, size, _i % 2);

        snprintf(name, sizeof(name), "seed %u", (unsigned)seed);
        memory_fill(&memory, seed + 1);
        compare(ir, &memory, name);
        hash(ir, &memory);
        ir_destroy(ir);
    }
    bits_print("random_functions", _i);
}
END_TEST

/* What passes make of a function, compiled, against the function. */
static void compare_passes(const struct ir *ir, const struct memory *input, enum cpu_isa isa)
{
    static struct memory compiled, expected;
    struct ir *live = ir_remove_dead(ir), *plain = ir_expand_mul0(live), *preamble, *body;
    uint32_t bytes = 0;
    char difference[96];

    body = ir_hoist(plain, HOISTED, &bytes, &preamble);
    ck_assert(body && preamble && bytes <= sizeof(compiled.hoisted));
    compiled = expected = *input;
    if (run(preamble, &compiled, isa) && run(body, &compiled, isa)) {
        expect(ir, &expected, isa);
        first_difference(&compiled, &expected, difference, sizeof(difference));
        ck_assert_msg(memory_same(&compiled, &expected), "%s: %s", cpu_isa_name(isa), difference);
    }
    ir_destroy(body);
    ir_destroy(preamble);
    ir_destroy(plain);
    ir_destroy(live);
}

START_TEST(passes)
{
    static struct memory memory;

    for (unsigned i = 0; i < 40; i++) {
        struct ir *ir = random_function((uint64_t)_i * 100 + i, 20 + i * 20);

        memory_fill(&memory, i);
        for (unsigned k = 0; k < ISAS; k++)
            compare_passes(ir, &memory, isas[k]);
        ir_destroy(ir);
    }
}
END_TEST

/* Each value of a layer needs two random ones of the last: more live values than registers. */
static struct ir *layers(unsigned width, unsigned n, uint64_t seed)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref layer[2][256];

    for (unsigned i = 0; i < width; i++)
        layer[0][i] = ir_emit_mem(ir, IR_LOAD, INPUTS, 256 * (i % MEMORY_ROWS), 0, 0, 0);
    for (unsigned l = 0; l < n; l++)
        for (unsigned i = 0; i < width; i++) {
            ir_ref a = layer[l % 2][memory_random(&seed) % width],
                   b = layer[l % 2][memory_random(&seed) % width];
            enum ir_op op = memory_random(&seed) % 2 ? IR_IADD : IR_IXOR;

            layer[(l + 1) % 2][i] = ir_emit(ir, op, a, ir_emit(ir, IR_ISHL, b, 0, 0, 1), 0, 0);
        }
    for (unsigned i = 0; i < width; i++)
        ir_emit_mem(ir, IR_STORE, WORDS, 256 * (i % MEMORY_ROWS), layer[n % 2][i], 0, 0);
    return ir;
}

START_TEST(register_pressure)
{
    static struct memory memory;

    for (unsigned width = 4; width <= 256; width *= 2) {
        struct ir *ir = layers(width, 6, width);

        memory_fill(&memory, width);
        compare(ir, &memory, "layers");
        ir_destroy(ir);
    }
}
END_TEST

/* --- Control flow ----------------------------------------------------------------------------- */

static ir_ref input(struct ir *ir, unsigned row)
{
    return ir_emit_mem(ir, IR_LOAD, INPUTS, row * (uint32_t)sizeof(uint32_t[IR_LANES]), 0, 0, 0);
}

static void output(struct ir *ir, unsigned row, ir_ref value)
{
    ir_emit_mem(ir, IR_STORE, WORDS, row * (uint32_t)sizeof(uint32_t[IR_LANES]), value, 0, 0);
}

static ir_ref input_mask(struct ir *ir, unsigned row)
{
    return ir_emit_mem(ir, IR_MLOAD, INPUTS, row * (uint32_t)sizeof(uint32_t[IR_LANES]), 0, 0, 0);
}

static ir_ref mask_word(struct ir *ir, ir_ref mask)
{
    return ir_emit(ir, IR_SELECT, mask, ir_const_i32(ir, 1), ir_const_i32(ir, 0), 0);
}

static ir_ref add(struct ir *ir, ir_ref a, ir_ref b)
{
    return ir_emit(ir, IR_IADD, a, b, 0, 0);
}

/* A loop that runs five times; each variable takes the value of the next one, or of another.
 * Words, and masks. */
static struct ir *rotation(unsigned n, unsigned step, bool with_call)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref word[64] = {0}, mask[64] = {0}, count, next, limit = ir_const_i32(ir, 4), zero, sum;

    for (unsigned i = 0; i < n; i++) {
        word[i] = i % 4 ? input(ir, i % MEMORY_ROWS) : ir_const_i32(ir, (int)i);
        mask[i] =
            i % 4 ? input_mask(ir, i % MEMORY_ROWS) : ir_emit(ir, IR_MCONST, 0, 0, 0, i / 4 % 2);
    }
    zero = ir_const_i32(ir, 0);
    ir_loop(ir);
    count = ir_loop_phi(ir, zero);
    for (unsigned i = 0; i < n; i++)
        word[i] = ir_loop_phi(ir, word[i]);
    for (unsigned i = 0; i < n; i++)
        mask[i] = ir_loop_phi(ir, mask[i]);
    if (with_call)
        ir_emit(ir, IR_CALL, 0, 0, 0, 3);
    sum = add(ir, word[0], mask_word(ir, mask[0]));
    next = add(ir, count, ir_const_i32(ir, 1));
    ir_loop_next(ir, count, next);
    for (unsigned i = 0; i < n; i++) {
        ir_loop_next(ir, word[i], word[(i + step) % n]);
        ir_loop_next(ir, mask[i], mask[(i + step) % n]);
    }
    ir_endloop(ir, ir_emit(ir, IR_ILT, count, limit, 0, 0));
    for (unsigned i = 0; i < n; i++)
        sum = add(ir, ir_emit(ir, IR_ISHL, sum, 0, 0, 1), add(ir, word[i], mask_word(ir, mask[i])));
    output(ir, 1, sum);
    output(ir, 3, word[0]);
    return ir;
}

START_TEST(variables_of_loops)
{
    static const uint8_t counts[] = {2, 3, 7, 16, 40};
    static struct memory memory;

    for (unsigned i = 0; i < sizeof(counts); i++)
        for (unsigned step = 0; step < 3; step++) {
            struct ir *ir = rotation(counts[i], step, _i);

            memory_fill(&memory, counts[i] + step);
            compare(ir, &memory, "rotation");
            ir_destroy(ir);
        }
}
END_TEST

/* An IF that exchanges values, pairwise, where some are used later and some are not. */
static struct ir *exchange(unsigned n, bool with_call)
{
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref word[64] = {0}, mask[64] = {0}, sum, condition = input_mask(ir, 0);

    for (unsigned i = 0; i < n; i++)
        word[i] = add(ir, input(ir, i % MEMORY_ROWS), ir_const_i32(ir, (int)i));
    for (unsigned i = 0; i < n; i++)
        mask[i] = ir_emit(ir, IR_ILT, word[i], word[(i + 1) % n], 0, 0);
    sum = add(ir, word[0], word[1]);
    ir_if(ir, condition);
    sum = ir_emit(ir, IR_SELECT, condition, add(ir, sum, word[n / 2]), sum, 0);
    if (with_call)
        ir_emit(ir, IR_CALL, 0, 0, 0, 5);
    for (unsigned i = 0; i < n; i++)
        word[i] = ir_emit(ir, IR_SELECT, condition, word[i], word[i], 0);
    ir_endif(ir);
    for (unsigned i = 0; i < n; i++) {
        ir_ref phi = ir_phi(ir, word[i ^ 1], word[i]);
        ir_ref phi_mask = ir_phi(ir, mask[i ^ 1], mask[i]);

        (void)phi, (void)phi_mask;
        if (i % 3 == 0)
            word[i] = phi;
        if (i % 5 == 0)
            mask[i] = phi_mask;
    }
    for (unsigned i = 0; i < n; i++)
        sum = add(ir, ir_emit(ir, IR_ISHL, word[i], 0, 0, 1), mask_word(ir, mask[i]));
    output(ir, 1, sum);
    return ir;
}

START_TEST(exchanges)
{
    static struct memory memory;

    for (unsigned n = 2; n <= 64; n *= 2) {
        struct ir *ir = exchange(n, _i);

        memory_fill(&memory, n);
        memory.input[0][0] = 0x00ff0000; /* some vectors run the IF */
        compare(ir, &memory, "exchange");
        ir_destroy(ir);
    }
}
END_TEST

static unsigned n_calls;
static void count_call(void *ctx, uint32_t function)
{
    ck_assert(ctx == &n_calls);
    ck_assert_uint_eq(function, 77);
    n_calls++;
}

#ifdef _WIN64
/* Whether a stack walk from a called function finds the caller, by way of known functions. */
struct walk {
    const void *caller; /* address in the function around the test's */
    bool found;
};

static void walk_stack(void *ctx, uint32_t function)
{
    struct walk *walk = ctx;
    void *frame[64];
    unsigned n = RtlCaptureStackBackTrace(0, 64, frame, NULL), i = 0;
    DWORD64 base;

    (void)function;
    while (i < n && frame[i] != walk->caller &&
           RtlLookupFunctionEntry((DWORD64)(uintptr_t)frame[i], &base, NULL))
        i++;
    walk->found = i < n && frame[i] == walk->caller;
}

/* Saved registers and bases differ with the number of bases, and so does the frame. */
START_TEST(stack_walks_pass_compiled_code)
{
    static struct memory memory;
    struct ir_args args = memory_args(&memory);
    struct walk walk = {__builtin_return_address(0), false};

    args.call = walk_stack;
    args.call_ctx = &walk;
    for (unsigned n_bases = 0; n_bases <= IR_BASES; n_bases++) {
        for (unsigned i = 1; i < ISAS && cpu_has_isa(isas[i]); i++) {
            struct ir *ir = ir_create(0);
            struct ir_code *code;
            void *work;

            for (unsigned b = 0; b < n_bases; b++) {
                args.base[b] = args.base[0];
                ir_emit_mem(ir, IR_STORE, b, 0, ir_const_i32(ir, 1), 0, 0);
            }
            ir_emit(ir, IR_CALL, 0, 0, 0, 0);
            ck_assert_int_eq(ir_compile(&code, ir, isas[i]), ST_OK);
            work = mem_alloc(ir_code_work_bytes(code));
            walk.found = false;
            ir_code_run(code, &args, work);
            ck_assert_msg(walk.found, "%u bases, %s", n_bases, cpu_isa_name(isas[i]));
            mem_free(work);
            ir_code_destroy(code);
            ir_destroy(ir);
        }
    }
}
END_TEST
#endif

/* A loop around a call runs as often as the lane that needs it most. */
START_TEST(calls_are_barriers)
{
    static struct memory memory;
    struct ir_args args = memory_args(&memory);

    args.call = count_call;
    args.call_ctx = &n_calls;
    for (unsigned i = 0; i < ISAS; i++) {
        ir_ref lane, zero, count, next;
        struct ir_code *code;
        struct ir *ir;
        void *work;

        if (!cpu_has_isa(isas[i]))
            continue;
        ir = ir_create(MEMORY_CONSTANT);
        lane = ir_emit(ir, IR_LANE, 0, 0, 0, 0);
        zero = ir_const_i32(ir, 0);
        ir_loop(ir);
        count = ir_loop_phi(ir, zero);
        ir_if(ir, ir_emit(ir, IR_IEQ, count, lane, 0, 0));
        ir_emit(ir, IR_CALL, 0, 0, 0, 77);
        ir_endif(ir);
        next = add(ir, count, ir_const_i32(ir, 1));
        ir_loop_next(ir, count, next);
        ir_endloop(ir, ir_emit(ir, IR_ILT, count, ir_emit(ir, IR_IADD, lane, lane, 0, 0), 0, 0));
        output(ir, 0, next);
        ck_assert_int_eq(ir_compile(&code, ir, isas[i]), ST_OK);
        work = mem_alloc(ir_code_work_bytes(code));
        n_calls = 0;
        ir_code_run(code, &args, work);
        ck_assert_uint_eq(n_calls, IR_LANES);
        ck_assert_uint_eq(memory.words[0][0], 2 * (IR_LANES - 1) + 1);
        mem_free(work);
        ir_code_destroy(code);
        ir_destroy(ir);
    }
}
END_TEST

/* --- Memory ----------------------------------------------------------------------------------- */

/* Words at offsets of lanes; the offsets of inactive lanes and the base are not valid. */
START_TEST(inactive_lanes)
{
    static struct memory compiled;
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref mask = input_mask(ir, 0), none = input_mask(ir, 1), at = input(ir, 2);

    output(ir, 1, ir_emit_mem(ir, IR_GATHER, TABLE, 0, at, mask, 0));
    output(ir, 3, ir_emit_mem(ir, IR_GATHER, 7, 0, at, none, 0));
    ir_emit_mem(ir, IR_SCATTER, FLOATS, 0, at, input(ir, 3), mask);
    ir_emit_mem(ir, IR_SCATTER, 6, 0, at, input(ir, 3), none);
    memory_fill(&compiled, 1);
    memset(compiled.input[1], 0, 8);
    for (unsigned lane = 0; lane < IR_LANES; lane++) /* two lanes to a word: the last one wins */
        compiled.input[2][lane] = compiled.input[0][lane / 32] >> lane % 32 & 1 ? lane / 2 * 4
                                  : lane % 2                                    ? 0x7ffffff0
                                                                                : 0x80000000;
    compare(ir, &compiled, "inactive lanes");
    ir_destroy(ir);
}
END_TEST

/* Operations that the random functions leave out. */
START_TEST(words_for_all_lanes)
{
    static struct memory memory;
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref x = input(ir, 0), first = ir_emit(ir, IR_FIRST, add(ir, x, x), 0, 0, 0), at, u;

    at = ir_emit(ir, IR_IAND, x, ir_const_i32(ir, 0xfc), 0, 0);
    output(ir, 1, add(ir, first, ir_emit(ir, IR_FIRST, x, 0, 0, 0)));
    output(ir, 3, ir_emit_mem(ir, IR_LOAD_AT, TABLE, 0, at, 0, 0));
    output(ir, 5, ir_emit_mem(ir, IR_LOAD_AT, TABLE, 4, ir_const_i32(ir, -4), 0, 0));
    u = ir_emit_mem(ir, IR_UNIFORM, UNIFORMS, 0, 0, 0, 0);
    output(ir, 7, ir_emit(ir, IR_QUAD, u, 0, 0, 0x1b));
    output(ir, 9, ir_emit(ir, IR_FIRST, u, 0, 0, 0));
    ir_emit_mem(ir, IR_USTORE, WORDS, 0, u, 0, 0);
    ir_emit_mem(ir, IR_USTORE, WORDS, 4, add(ir, u, u), 0, 0);
    ir_emit_mem(ir, IR_USTORE, WORDS, 8, ir_const_i32(ir, 5), 0, 0);
    memory_fill(&memory, 1);
    compare(ir, &memory, "words for all lanes");
    ir_destroy(ir);
    ir = ir_create(MEMORY_CONSTANT);
    u = ir_emit_mem(ir, IR_UNIFORM, UNIFORMS, 0, 0, 0, 0);
    ir_emit_mem(ir, IR_USTORE, WORDS, 0, ir_emit(ir, IR_FSQRT, u, 0, 0, 0), 0, 0);
    compare(ir, &memory, "a preamble");
    ir_destroy(ir);
    ir = ir_create(MEMORY_CONSTANT);
    ir_if(ir, ir_emit(ir, IR_IEQ, ir_emit(ir, IR_LANE, 0, 0, 0, 0), ir_const_i32(ir, 63), 0, 0));
    ir_emit_mem(ir, IR_USTORE, WORDS, 0, ir_const_i32(ir, 1), 0, 0);
    ir_endif(ir);
    compare(ir, &memory, "a word that one lane stores");
    ir_destroy(ir);
}
END_TEST

/* What a function has written at a base it reads there later. */
START_TEST(written_memory)
{
    static struct memory memory;
    struct ir *ir = ir_create(MEMORY_CONSTANT);
    ir_ref before = ir_emit_mem(ir, IR_LOAD, WORDS, 256, 0, 0, 0), after;

    output(ir, 1, add(ir, before, ir_const_i32(ir, 1)));
    after = ir_emit_mem(ir, IR_LOAD, WORDS, 256, 0, 0, 0);
    output(ir, 3, add(ir, before, after));
    ir_emit(ir, IR_CALL, 0, 0, 0, 2);
    output(ir, 5, add(ir, after, ir_emit_mem(ir, IR_LOAD, INPUTS, 512, 0, 0, 0)));
    memory_fill(&memory, 1);
    compare(ir, &memory, "written memory");
    ir_destroy(ir);
}
END_TEST

/* A product of one lane rounds up to the least normal number: a machine that flushes before it
 * rounds finds out, and may run the function again if that changes nothing. */
enum { STORED, ADDED_IN_PLACE, BEFORE_CALL, BEFORE_CALL_THAT_REPEATS, BESIDE_HALF, IN_LOOP, USES };

static struct ir *use_of_product(unsigned use)
{
    struct ir *ir =
        ir_create(MEMORY_CONSTANT | (use == BEFORE_CALL_THAT_REPEATS ? IR_CALLS_REPEAT : 0));
    ir_ref product, x = input(ir, 0), zero = ir_const_i32(ir, 0), phi = 0, next;

    if (use == IN_LOOP) {
        ir_loop(ir);
        phi = ir_loop_phi(ir, zero);
    }
    product = ir_emit(ir, IR_FMUL, x, input(ir, 1), 0, 0);
    if (use == ADDED_IN_PLACE)
        product = ir_emit(ir, IR_FADD, product, ir_emit_mem(ir, IR_LOAD, FLOATS, 0, 0, 0, 0), 0, 0);
    ir_emit_mem(ir, IR_STORE, FLOATS, 0, product, 0, 0);
    if (use == BEFORE_CALL || use == BEFORE_CALL_THAT_REPEATS) {
        ir_emit_mem(ir, IR_STORE, WORDS, 3 * sizeof(uint32_t[IR_LANES]), product, 0, 0);
        ir_emit(ir, IR_CALL, 0, 0, 0, use == BEFORE_CALL ? 3 : MEMORY_AGAIN | 3);
        output(ir, 1, input(ir, 3));
    }
    if (use == BESIDE_HALF)
        output(ir, 1, ir_emit(ir, IR_F2H, x, 0, 0, 0));
    if (use == IN_LOOP) {
        next = add(ir, phi, ir_const_i32(ir, 1));
        ir_loop_next(ir, phi, next);
        ir_endloop(ir, ir_emit(ir, IR_ILT, next, ir_const_i32(ir, 3), 0, 0));
    }
    return ir;
}

START_TEST(products_that_round_up)
{
    static struct memory memory;

    for (unsigned lane = 0; lane < IR_LANES; lane += 7) {
        struct ir *ir = use_of_product((unsigned)_i);

        memory_fill(&memory, 1);
        for (unsigned i = 0; i < IR_LANES; i++) {
            memory.input[0][i] = i == lane ? 0x20000001 : 0x3fc00000;
            memory.input[1][i] = i == lane ? 0x1ffffffe : 0x40200000;
            memory.floats[0][i] = 0;
        }
        compare(ir, &memory, "products that round up");
        ir_destroy(ir);
    }
}
END_TEST

/* --- Compilation ------------------------------------------------------------------------------ */

START_TEST(refusals)
{
    struct ir *ir = random_function(1, 100);
    struct ir_code *code;

    ck_assert_int_eq(ir_compile(&code, ir, ISA_SCALAR), ST_UNSUPPORTED);
    ck_assert(!code);
    ck_assert_int_eq(ir_compile(&code, ir, ISA_SSE2), ST_UNSUPPORTED);
    for (unsigned i = 0; i < ISAS; i++)
        if ((isas[i] == ISA_NEON) != (widest() == ISA_NEON))
            ck_assert_int_eq(ir_compile(&code, ir, isas[i]), ST_UNSUPPORTED);
    ir_code_destroy(NULL);
    ir_destroy(ir);
}
END_TEST

/* Every allocation fails once. */
START_TEST(memory_shortage)
{
    struct ir *ir = random_function_of(3, 600, true);
    int64_t blocks = mem_live_blocks();
    struct ir_code *code;
    enum status st;
    int64_t n = 0;

    if (widest() == ISA_SCALAR) {
        ir_destroy(ir);
        return;
    }
    do {
        mem_fail_once(n++);
        st = ir_compile(&code, ir, widest() == ISA_AVX512 ? ISA_AVX2 : widest());
        ck_assert(st == ST_OK || st == ST_NOMEM);
        ck_assert(st == ST_OK || !code);
        mem_fail_once(-1);
        if (st != ST_OK)
            ck_assert_int_eq(mem_live_blocks(), blocks);
    } while (st == ST_NOMEM);
    ck_assert_int_gt(n, 20);
    ir_code_destroy(code);
    ck_assert_int_eq(mem_live_blocks(), blocks);
    ir_destroy(ir);
}
END_TEST

START_TEST(conditional_eviction)
{
    static struct memory memory;

    for (unsigned n = 4; n < 96; n += 3) {
        struct ir *ir = conditional_pressure(n / 2, n % 2);

        memory_fill(&memory, n);
        compare(ir, &memory, "conditional pressure");
        ir_destroy(ir);
    }
}
END_TEST

static double processor_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The mean of at least 200 ms of compiling: clocks may have steps of 10 ms and more. */
static double compile_time(unsigned layers_of_50)
{
    struct ir *ir = layers(50, layers_of_50, 1);
    double start = processor_ms(), ms = 0.0;
    unsigned n = 0;

    for (; ms < 200.0; n++, ms = processor_ms() - start) {
        struct ir_code *code;

        ck_assert_int_eq(ir_compile(&code, ir, widest()), ST_OK);
        ir_code_destroy(code);
    }
    ir_destroy(ir);
    return ms / n;
}

/* 2,000 and 16,000 instructions: eight times the time, with a margin for new pages and other
 * programs on the machine. */
START_TEST(time_is_linear)
{
    double small, large;

    if (widest() == ISA_SCALAR)
        return;
    small = compile_time(25);
    large = compile_time(200);
    printf("2,000 instructions: %.2f ms, 16,000: %.2f ms\n", small, large);
    ck_assert(large < 40 * small);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/compile");
    TCase *tc = tcase_create("compile");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, operations, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, register_pressure);
    tcase_add_loop_test(tc, random_functions, 0, 20);
    tcase_add_loop_test(tc, passes, 0, 5);
    tcase_add_loop_test(tc, variables_of_loops, 0, 2);
    tcase_add_loop_test(tc, exchanges, 0, 2);
    tcase_add_test(tc, conditional_eviction);
    tcase_add_test(tc, pairs_where_rounds_wait);
    tcase_add_test(tc, calls_are_barriers);
#ifdef _WIN64
    tcase_add_test(tc, stack_walks_pass_compiled_code);
#endif
    tcase_add_test(tc, inactive_lanes);
    tcase_add_test(tc, words_for_all_lanes);
    tcase_add_test(tc, written_memory);
    tcase_add_loop_test(tc, products_that_round_up, 0, USES);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, memory_shortage);
    tcase_add_test(tc, time_is_linear);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
