/* Benchmark of the IR's interpreter, for each instruction set:
 *   ir [--seconds S] [--isa NAME]
 *
 * Functions compute with 48 variables, as shaders do with 12 registers. A row is the time that 256
 * more operations of a kind take, so that loads and stores around them cancel out. Preparing is the
 * time from a function to the first run, for each of its instructions. */
#include "ir/interp/interp.h"
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VARIABLES = 48, OPERATIONS = 256, RUNS = 8, CONSTANTS = 16 };
enum { INPUTS, UNIFORMS, OUTPUTS };

static double round_seconds = 0.1;
static const char *only_isa;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- Functions -------------------------------------------------------------------------------- */

/* Variables rotate: the one that is read last is written next. */
struct function {
    struct ir *ir;
    ir_ref variable[VARIABLES], constant[CONSTANTS];
    unsigned at; /* operations so far */
};

static ir_ref source(const struct function *f, unsigned distance)
{
    return f->variable[(f->at + distance) % VARIABLES];
}

static ir_ref operate(struct function *f, enum ir_op op, ir_ref a, ir_ref b)
{
    f->at++;
    return ir_emit(f->ir, op, a, b, 0, 0);
}

typedef ir_ref row_fn(struct function *f); /* some operations */

static ir_ref add(struct function *f)
{
    return operate(f, IR_FADD, source(f, 1), source(f, 20));
}
static ir_ref multiply_add(struct function *f)
{
    ir_ref product = operate(f, IR_FMUL, source(f, 1), source(f, 20));

    return operate(f, IR_FADD, product, source(f, 9));
}
static ir_ref by_constant(struct function *f)
{
    ir_ref product = operate(f, IR_FMUL, source(f, 2), f->constant[f->at % CONSTANTS]);

    return operate(f, IR_FADD, product, f->constant[f->at % 7]);
}
static ir_ref dot_product(struct function *f)
{
    ir_ref sum = operate(f, IR_FMUL, source(f, 1), source(f, 20));

    for (unsigned i = 1; i < 4; i++)
        sum = operate(f, IR_FADD, sum, operate(f, IR_FMUL, source(f, 1), source(f, 20)));
    return sum;
}
static ir_ref integers(struct function *f)
{
    ir_ref low = ir_emit(f->ir, IR_ISHR, source(f, 1), 0, 0, 8);

    f->at++;
    low = operate(f, IR_IAND, low, source(f, 20));
    return operate(f, IR_IADD, low, source(f, 9));
}
static ir_ref compare_select(struct function *f)
{
    ir_ref mask = operate(f, IR_FLT, source(f, 1), source(f, 20));

    f->at++;
    return ir_emit(f->ir, IR_SELECT, mask, source(f, 9), source(f, 30), 0);
}

static const struct {
    const char *name;
    row_fn *fn;
} rows[] = {
    {"add", add},
    {"multiply, add", multiply_add},
    {"multiply, add constants", by_constant},
    {"dot product", dot_product},
    {"shift, and, add", integers},
    {"compare, select", compare_select},
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* *operations: their number. */
static struct ir *build(row_fn *fn, unsigned at_least, unsigned *operations)
{
    struct function f = {.ir = ir_create(1u << UNIFORMS)};
    ir_ref sum;

    if (!f.ir)
        exit(1);
    for (unsigned i = 0; i < CONSTANTS; i++)
        f.constant[i] = ir_emit_mem(f.ir, IR_UNIFORM, UNIFORMS, 4 * i, 0, 0, 0);
    for (unsigned i = 0; i < VARIABLES; i++)
        f.variable[i] = ir_emit(f.ir, IR_FADD, ir_emit_mem(f.ir, IR_LOAD, INPUTS, i % 8 * 256, 0, 0, 0),
                                f.constant[i % CONSTANTS], 0, 0);
    while (f.at < at_least) {
        ir_ref value = fn(&f);

        f.variable[f.at % VARIABLES] = value;
    }
    *operations = f.at;
    sum = f.variable[0];
    for (unsigned i = 1; i < VARIABLES; i++)
        sum = ir_emit(f.ir, IR_IXOR, sum, f.variable[i], 0, 0);
    ir_emit_mem(f.ir, IR_STORE, OUTPUTS, 0, sum, 0, 0);
    return f.ir;
}

/* --- Measuring -------------------------------------------------------------------------------- */

static struct ir_interp *prepare(const struct ir *ir)
{
    struct ir_interp *interp;

    if (ir_interp_create(&interp, ir) != ST_OK)
        exit(1);
    return interp;
}

/* Seconds of a run, the best of many. */
static double measure(const struct ir *ir)
{
    static float in[8 * IR_LANES] __attribute__((aligned(64))), uniforms[CONSTANTS],
        out[IR_LANES] __attribute__((aligned(64)));
    struct ir_args args = {.base = {[INPUTS] = in, [UNIFORMS] = uniforms, [OUTPUTS] = out}};
    struct ir_interp *interp = prepare(ir);
    void *work = mem_alloc(ir_interp_work_bytes(interp));
    double best = 1, end = seconds() + round_seconds;
    struct fp_mode mode = fp_enter();

    while (seconds() < end) {
        double start = seconds(), time;

        for (int i = 0; i < RUNS; i++)
            ir_interp_run(interp, &args, work);
        time = (seconds() - start) / RUNS;
        best = time < best ? time : best;
    }
    fp_leave(mode);
    mem_free(work);
    ir_interp_destroy(interp);
    return best;
}

/* Nanoseconds an instruction. */
static double measure_preparing(const struct ir *ir)
{
    double best = 1, end = seconds() + round_seconds;
    uint32_t n;

    ir_insts(ir, &n);
    while (seconds() < end) {
        double start = seconds(), time;

        ir_interp_destroy(prepare(ir));
        time = seconds() - start;
        best = time < best ? time : best;
    }
    return best * 1e9 / n;
}

static void measure_isa(enum cpu_isa isa)
{
    double preparing = 0;

    for (unsigned r = 0; r < N_ROWS; r++) {
        unsigned n, n_more;
        struct ir *ir = build(rows[r].fn, OPERATIONS, &n), *more = build(rows[r].fn, 2 * OPERATIONS, &n_more);
        double time = measure(more) - measure(ir);

        printf("%-7s %-24s %8.2f %8.4f\n", cpu_isa_name(isa), rows[r].name, time * 1e9 / (n_more - n),
               time * 1e9 / (n_more - n) / IR_LANES);
        preparing = r ? preparing : measure_preparing(more);
        ir_destroy(ir);
        ir_destroy(more);
    }
    printf("%-7s %-24s %8.2f\n", cpu_isa_name(isa), "preparing", preparing);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && !strcmp(argv[i], "--seconds"))
            round_seconds = atof(argv[i + 1]);
        else if (i + 1 < argc && !strcmp(argv[i], "--isa"))
            only_isa = argv[i + 1];
        else {
            fprintf(stderr, "usage: ir [--seconds S] [--isa NAME]\n");
            return 2;
        }
    }
    printf("%-7s %-24s %8s %8s\n", "simd", "IR interpreter, ns", "64 lanes", "lane");
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if ((!only_isa || !strcmp(only_isa, cpu_isa_name((enum cpu_isa)isa))) &&
            cpu_set_isa((enum cpu_isa)isa) == ST_OK)
            measure_isa((enum cpu_isa)isa);
    return 0;
}
