/* Timing: reports the best of many short rounds, because other processes only slow a round down.
 * The ceiling kernel runs between rounds as a probe of the processor's speed; while the probe is
 * slow, measuring is extended. */
#include "bench.h"
#include "util/alloc.h"
#include "util/fpenv.h"

#include <stdio.h>
#include <time.h>

/* A round is long compared with reading the clock and short compared with the interval of
 * interrupts. */
static const double round_seconds = 50e-6, ceiling_seconds = 25e-6;
/* While the ceiling is slower than its best by slow_factor, measuring continues, up to `patience`
 * times longer. */
static const double slow_factor = 1.03, patience = 8;

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Interrupts rarely hit a short round, so the wall clock is accurate. It is finer than the thread
 * clock and never stops. */
static double time_calls(const struct bench_call *call, unsigned calls)
{
    double from = seconds_of(CLOCK_MONOTONIC);

    for (unsigned i = 0; i < calls; i++)
        call->run(call->ctx);
    return seconds_of(CLOCK_MONOTONIC) - from;
}

/* CPU time of the thread: the budget of a measurement. */
static double used(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* A call, the number of calls per round, the best round. */
struct measured {
    const struct bench_call *call;
    unsigned calls;
    double best;
};

static void start(struct measured *m, const struct bench_call *call, double seconds)
{
    m->call = call;
    m->calls = 1;
    m->best = 1e9;
    while (m->calls < 1u << 20 && time_calls(call, m->calls) < seconds / 2)
        m->calls *= 2;
}

static void measure_round(struct measured *m)
{
    double took = time_calls(m->call, m->calls) / m->calls;

    m->best = took < m->best ? took : m->best;
}

static float *ceiling_rows(void)
{
    static float *rows;

    if (!rows && !(rows = mem_alloc(CEILING_ROWS * CEILING_STRIDE * sizeof(float))))
        bench_fail("no memory");
    for (unsigned i = 0; i < CEILING_ROWS * CEILING_STRIDE; i++)
        rows[i] = 0.5f + (float)(i % 61) / 64.0f;
    return rows;
}

enum { CEILING_PASSES = 16 };

static void ceiling_pass(void *ctx)
{
    KERN_PICK(ceiling_kern)->run(ctx, CEILING_PASSES);
}

static void nothing(void *ctx)
{
    (void)ctx;
}

/* Best ceiling so far, per instruction set. */
static double best_ceiling[ISA_COUNT];

static bool was_slow(double ceiling)
{
    double *best = &best_ceiling[cpu_isa()];

    if (*best == 0 || ceiling < *best)
        *best = ceiling;
    return ceiling > slow_factor * *best;
}

struct bench_timing bench_measure(const struct bench_call *call, const struct bench_call *beside)
{
    const struct bench_call none = {nothing, NULL}, ceiling_call = {ceiling_pass, ceiling_rows()};
    struct fp_mode mode = fp_enter();
    struct measured first, second, ceiling;
    double from, passed;

    start(&first, call ? call : &none, call ? round_seconds : 0);
    start(&second, beside ? beside : &none, beside ? round_seconds : 0);
    start(&ceiling, &ceiling_call, ceiling_seconds);
    from = used();
    do {
        measure_round(&first);
        measure_round(&second);
        measure_round(&ceiling);
        passed = used() - from;
    } while (passed < bench_options.seconds ||
             (was_slow(ceiling.best) && passed < patience * bench_options.seconds));
    fp_leave(mode);
    return (struct bench_timing){.call_ns = first.best * 1e9,
                                 .beside_ns = beside ? second.best * 1e9 : 0,
                                 .ceiling_ns =
                                     best_ceiling[cpu_isa()] / CEILING_PASSES / CEILING_OPS * 1e9};
}

void bench_ceiling(void)
{
    report_heading("The ceiling: load, load, multiply, store", "G/s      ns");
    report_name("lane-operations");
    for (int isa = -1; bench_next_isa(&isa);) {
        double ns = bench_measure(NULL, NULL).ceiling_ns;

        report_add(&(struct bench_result){.group = "ceiling",
                                          .name = "lane-operations",
                                          .lane_ns = ns,
                                          .ceiling_ns = ns,
                                          .instructions = 1,
                                          .operations = 1});
        report_cell("%.1f %7.4f", 1 / ns, ns);
    }
    report_end_row();
}
