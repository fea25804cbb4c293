/* Passes of rounds, and what they say together.
 *
 * Tested by tests/unit/tool/measure/test_passes.c. */
#include "tool/measure/passes.h"

#include "util/fpenv.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

/* Rounds of several threads are long compared with waking them. */
static const double threads_round_seconds = 1e-3;

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool measure_pass(struct measure_load *load, double seconds, const struct measure_call *call,
                  unsigned n, struct measure_result *out)
{
    double used = seconds_of(CLOCK_THREAD_CPUTIME_ID), wall = measure_now();
    struct fp_mode mode = fp_enter();
    bool good = measure_calls(call, n, seconds, out);

    fp_leave(mode);
    load->used += seconds_of(CLOCK_THREAD_CPUTIME_ID) - used;
    load->wall += measure_now() - wall;
    return good;
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
    double from = measure_now();

    pool_run_affine(pool, n, run_calls, round);
    return measure_now() - from;
}

double measure_pass_threads(struct measure_load *load, double seconds, struct pool *pool,
                            const struct measure_call *calls, unsigned n)
{
    struct threads_round round = {calls, 1};
    double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = measure_now();
    double best = 1e9;

    while (round.repeats < 1u << 20 && time_round(&round, pool, n) < threads_round_seconds / 2)
        round.repeats *= 2;
    do {
        double took = time_round(&round, pool, n) / round.repeats;

        best = took < best ? took : best;
    } while (measure_now() - wall < seconds);
    load->wall += n * (measure_now() - wall);
    load->used += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
    return best * 1e9;
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* Sorted, the least first. */
void measure_add(struct measure_passes *passes, double ns, bool calm)
{
    unsigned at;

    if (passes->calm && !calm)
        return;
    if (calm && !passes->calm)
        *passes = (struct measure_passes){.calm = true};
    at = passes->n;
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
