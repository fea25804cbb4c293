/* Measuring core: rounds of calls, and passes of rounds.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/measure.h"

#include "util/fpenv.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

/* A round is long compared with reading the clock and short compared with the interval of
 * interrupts. Rounds of several threads are long compared with waking them. */
static const double round_seconds = 50e-6, threads_round_seconds = 1e-3;

/* --- One thread ------------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Interrupts rarely hit a short round, so the wall clock is accurate. It is finer than the thread
 * clock and never stops. */
static double time_calls(const struct measure_call *call, unsigned calls)
{
    double from = seconds_of(CLOCK_MONOTONIC);

    for (unsigned i = 0; i < calls; i++)
        call->run(call->ctx);
    return seconds_of(CLOCK_MONOTONIC) - from;
}

/* A call, the number of calls per round, the best round. */
struct measured {
    const struct measure_call *call;
    unsigned calls;
    double best;
};

static void start(struct measured *m, const struct measure_call *call)
{
    m->call = call;
    m->calls = 1;
    m->best = 1e9;
    while (m->calls < 1u << 20 && time_calls(call, m->calls) < round_seconds / 2)
        m->calls *= 2;
}

static void measure_round(struct measured *m)
{
    double took = time_calls(m->call, m->calls) / m->calls;

    m->best = took < m->best ? took : m->best;
}

double measure_pass(struct measure_load *load, double seconds, const struct measure_call *call,
                    const struct measure_call *beside, double *beside_ns)
{
    struct fp_mode mode = fp_enter();
    double used = seconds_of(CLOCK_THREAD_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC), passed;
    struct measured first, second;

    start(&first, call);
    if (beside)
        start(&second, beside);
    do {
        measure_round(&first);
        if (beside)
            measure_round(&second);
        passed = seconds_of(CLOCK_THREAD_CPUTIME_ID) - used;
    } while (passed < seconds);
    fp_leave(mode);
    load->used += passed;
    load->wall += seconds_of(CLOCK_MONOTONIC) - wall;
    if (beside)
        *beside_ns = second.best * 1e9;
    return first.best * 1e9;
}

double measure_lost(const struct measure_load *load)
{
    double lost = load->wall > 0 ? 1 - load->used / load->wall : 0;

    return lost > 0 ? lost : 0;
}

/* --- Several threads -------------------------------------------------------------------------- */

struct threads_round {
    const struct measure_call *calls;
    unsigned repeats;
};

static void run_calls(void *ctx, unsigned index, unsigned worker)
{
    const struct threads_round *round = ctx;

    (void)worker;
    for (unsigned i = 0; i < round->repeats; i++)
        round->calls[index].run(round->calls[index].ctx);
}

static double time_round(struct threads_round *round, struct pool *pool, unsigned n)
{
    double from = seconds_of(CLOCK_MONOTONIC);

    pool_run_affine(pool, n, run_calls, round);
    return seconds_of(CLOCK_MONOTONIC) - from;
}

double measure_pass_threads(struct measure_load *load, double seconds, struct pool *pool,
                            const struct measure_call *calls, unsigned n)
{
    struct threads_round round = {calls, 1};
    double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
    double best = 1e9;

    while (round.repeats < 1u << 20 && time_round(&round, pool, n) < threads_round_seconds / 2)
        round.repeats *= 2;
    do {
        double took = time_round(&round, pool, n) / round.repeats;

        best = took < best ? took : best;
    } while (seconds_of(CLOCK_MONOTONIC) - wall < seconds);
    load->wall += n * (seconds_of(CLOCK_MONOTONIC) - wall);
    load->used += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
    return best * 1e9;
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* Sorted, the least first. */
void measure_add(struct measure_passes *passes, double ns)
{
    unsigned at = passes->n;

    if (at == MEASURE_PASSES && ns >= passes->ns[at - 1])
        return;
    if (at == MEASURE_PASSES)
        at--;
    else
        passes->n++;
    while (at && passes->ns[at - 1] > ns)
        at--;
    memmove(&passes->ns[at + 1], &passes->ns[at], (passes->n - 1 - at) * sizeof(double));
    passes->ns[at] = ns;
}

double measure_least(const struct measure_passes *passes)
{
    return passes->n ? passes->ns[0] : 0;
}

double measure_spread(const struct measure_passes *passes)
{
    unsigned n = passes->n;
    double median = n ? (passes->ns[(n - 1) / 2] + passes->ns[n / 2]) / 2 : 0;

    return n && passes->ns[0] > 0 ? median / passes->ns[0] - 1 : 0;
}
