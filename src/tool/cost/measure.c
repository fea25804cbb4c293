/* Times of short calls: rounds of calls, by turns with rounds of a fixed amount of work, a chain of
 * multiplications. The chain says how fast the processor's clock runs, and whether other processes
 * disturb. */
#include "tool/cost/measure.h"

#include "util/alloc.h"

#include <stdlib.h>
#include <time.h>

/* A round is long compared with reading the clock and short compared with the time between two
 * interrupts. */
static const double round_seconds = 50e-6;

enum { MAX_ROUNDS = 1 << 14, MAX_CALLS = 1 << 20 };

/* Cycles of a multiplication whose operand is the product before it: three on all processors of
 * AMD since Zen and of Intel since Nehalem. */
enum { CHAIN_LENGTH = 16, CHAIN_ROUNDS = 1000, CHAIN_CYCLES = 3 };

double measure_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_chain(void)
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned x = 3;

    for (unsigned i = 0; i < CHAIN_ROUNDS; i++)
        __asm__ volatile(".rept 16\n\timull %0, %0\n\t.endr" : "+r"(x));
    return true;
#else
    volatile unsigned x = 3;

    for (unsigned i = 0; i < CHAIN_ROUNDS * CHAIN_LENGTH; i++)
        x *= x;
    return false;
#endif
}

static double time_chain(bool *known)
{
    double from = measure_now();

    *known = run_chain();
    return measure_now() - from;
}

static double time_calls(const struct measure_call *call, unsigned n)
{
    double from = measure_now();

    for (unsigned i = 0; i < n; i++)
        call->run(call->ctx);
    return measure_now() - from;
}

static unsigned calls_of_a_round(const struct measure_call *call)
{
    unsigned n = 1;

    while (n < MAX_CALLS && time_calls(call, n) < round_seconds / 2)
        n *= 2;
    return n;
}

struct rounds {
    double *call, *chain; /* seconds of each round */
    unsigned n;
    bool known_chain;
};

static void take_rounds(struct rounds *r, const struct measure_call *call, unsigned calls,
                        double seconds)
{
    double end = measure_now() + seconds;

    do {
        r->chain[r->n] = time_chain(&r->known_chain);
        r->call[r->n] = time_calls(call, calls) / calls;
        r->n++;
    } while (r->n < MAX_ROUNDS && measure_now() < end);
}

/* The least of every second round, from `first` on. */
static double least(const double *seconds, unsigned n, unsigned first)
{
    double best = seconds[first < n ? first : 0];

    for (unsigned i = first; i < n; i += 2)
        best = seconds[i] < best ? seconds[i] : best;
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void evaluate(struct rounds *r, struct measure_result *out)
{
    double even = least(r->call, r->n, 0), odd = least(r->call, r->n, 1), slow;

    out->rounds = r->n;
    out->seconds = even < odd ? even : odd;
    out->difference = (even < odd ? odd - even : even - odd) / out->seconds;
    qsort(r->call, r->n, sizeof(*r->call), ascending);
    qsort(r->chain, r->n, sizeof(*r->chain), ascending);
    out->median = r->call[r->n / 2];
    slow = r->chain[r->n / 2] / r->chain[0] - 1.0;
    out->calm = out->difference <= MEASURE_CALM && slow <= MEASURE_CALM;
    out->cycles = r->known_chain ? out->seconds / r->chain[0] *
                                       (double)(CHAIN_CYCLES * CHAIN_LENGTH * CHAIN_ROUNDS)
                                 : 0.0;
}

bool measure(const struct measure_call *call, double seconds, struct measure_result *out)
{
    struct rounds r = {.call = mem_alloc(2 * MAX_ROUNDS * sizeof(double))};

    *out = (struct measure_result){0};
    if (!r.call)
        return false;
    r.chain = r.call + MAX_ROUNDS;
    out->calls = calls_of_a_round(call);
    take_rounds(&r, call, out->calls, seconds);
    evaluate(&r, out);
    mem_free(r.call);
    return true;
}
