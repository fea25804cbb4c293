/* Compiled functions against the evaluator of the tests: each operation with special values, and
 * random functions with spills, masks, IFs and LOOPs, on every instruction set that this machine
 * has. */
#include "evaluate.h"
#include "random_function.h"

#include "ir/x86/x86.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include "check_main.h"

#include <stdio.h>
#include <time.h>

static const enum cpu_isa isas[] = {ISA_AVX2, ISA_AVX512};
enum { ISAS = 2 };

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

static bool calls(const struct ir *ir)
{
    uint32_t n;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (uint32_t i = 1; i < n; i++)
        if (inst[i].op == IR_CALL)
            return true;
    return false;
}

static void expect(const struct ir *ir, struct memory *memory, enum cpu_isa isa)
{
    struct ir_args args = memory_args(memory);
    struct fp_mode mode = fp_enter();

    evaluate(ir, &args, calls(ir) ? IR_LANES : isa == ISA_AVX512 ? 16 : 8);
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
    for (unsigned i = 0; i < ISAS; i++)
        for (int fast = 0; fast < 2; fast++) {
            int fast_gathers = cpu_fast_gathers;

            compiled = expected = *input;
            cpu_fast_gathers = fast;
            if (run(ir, &compiled, isas[i])) {
                expect(ir, &expected, isas[i]);
                first_difference(&compiled, &expected, difference, sizeof(difference));
                ck_assert_msg(memory_same(&compiled, &expected), "%s, %s, %s: %s", name,
                              cpu_isa_name(isas[i]), fast ? "fast gathers" : "slow gathers",
                              difference);
            }
            cpu_fast_gathers = fast_gathers;
        }
}

/* --- Single operations
 * ------------------------------------------------------------------------------------------ */

static const struct {
    enum ir_op op;
    char letter[5];
} rows[] = {
#define IR_OP(name, result, a, b, c, class, nan, formula) {IR_##name, #result #a #b #c},
#include "ir/ops.def"
#undef IR_OP
};

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3fc00000, 0xbfc00000, 0x40200000, 0x4b000000,
    0x4b000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00001, 0x7fffffff, 0x00000020, 0xfffffffe};
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
    result = ir_emit(ir, rows[row].op, arg[0], arg[1], arg[2],
                     ir_has_number(rows[row].op) ? imm : 0);
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
            unsigned imm = rows[row].op == IR_QUAD    ? 0x1b + round * 37 & 255
                           : rows[row].op == IR_CONST ? special[round % SPECIALS]
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

/* --- Random functions
 * ------------------------------------------------------------------------------------------- */

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

static double compile_time(unsigned layers_of_50)
{
    struct ir *ir = layers(50, layers_of_50, 1);
    double best = 1e9;

    for (unsigned i = 0; i < 5; i++) {
        struct timespec a, b;
        struct ir_code *code;
        double ms;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        ck_assert_int_eq(ir_compile(&code, ir, cpu_has_isa(ISA_AVX512) ? ISA_AVX512 : ISA_AVX2),
                         ST_OK);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        ir_code_destroy(code);
        ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) * 1e-6;
        best = ms < best ? ms : best;
    }
    ir_destroy(ir);
    return best;
}

/* 2,000 and 16,000 instructions: eight times the time, with a margin for new pages and other
 * programs on the machine. */
START_TEST(time_is_linear)
{
    double small, large;

    if (!cpu_has_isa(ISA_AVX2))
        return;
    small = compile_time(25);
    large = compile_time(200);
    printf("2,000 instructions: %.2f ms, 16,000: %.2f ms\n", small, large);
    ck_assert(large < 40 * small);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir/x86");
    TCase *tc = tcase_create("x86");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, operations, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, register_pressure);
    tcase_add_loop_test(tc, random_functions, 0, 20);
    tcase_add_test(tc, time_is_linear);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
