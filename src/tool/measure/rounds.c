/* Rounds of calls, by turns with rounds of known work (reference.h). The known work says how fast
 * the processor's clock runs, and whether another thread shares the core. A turn is a time on one
 * processor, in which the clock is taken as constant.
 *
 * Tested by tests/unit/tool/measure/test_rounds.c. */
#include "tool/measure/rounds.h"

#include "tool/measure/processors.h"
#include "tool/measure/reference.h"
#include "util/alloc.h"

#include <time.h>

/* A round is long compared with reading the clock and short compared with the time between two
 * interrupts. A turn is long compared with moving to another processor. */
static const double round_seconds = 50e-6, turn_least = 2e-3, turn_most = 20e-3;

enum { MAX_ROUNDS = 1 << 14, MAX_TURNS = 1 << 10, MAX_REPEATS = 1 << 20 };

struct measurement {
    const struct measure_call *call;
    unsigned n_calls, repeats[MEASURE_CALLS];
    struct rounds rounds;
};

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

    while (n < MAX_REPEATS && time_calls(call, n) < round_seconds / 2)
        n *= 2;
    return n;
}

static void note_chain(struct turn *turn, double chain)
{
    if (!turn->rounds++)
        turn->chain[0] = turn->chain[1] = chain;
    else if (chain < turn->chain[0]) {
        turn->chain[1] = turn->chain[0];
        turn->chain[0] = chain;
    } else if (turn->rounds == 2 || chain < turn->chain[1])
        turn->chain[1] = chain;
}

static void take_round(struct measurement *m, double *width)
{
    struct rounds *all = &m->rounds;
    struct round *r = &all->round[all->n++];
    double after;

    note_chain(&all->turn[all->n_turns - 1], reference_chain());
    r->turn = all->n_turns - 1;
    for (unsigned i = 0; i < m->n_calls; i++)
        r->call[i] = time_calls(&m->call[i], m->repeats[i]) / m->repeats[i];
    after = reference_width();
    r->width = after > *width ? after : *width;
    *width = after;
}

/* When a time is over: that of the processor, or PATIENCE times as much of the clock on a machine
 * where others work as well. */
enum { PATIENCE = 2 };

struct deadline {
    double used, clock;
};

static double used_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct deadline deadline_of(double seconds)
{
    return (struct deadline){used_now() + seconds, measure_now() + PATIENCE * seconds};
}

static bool is_over(const struct deadline *d)
{
    return used_now() >= d->used || measure_now() >= d->clock;
}

static void take_turn(struct measurement *m, const struct deadline *turn,
                      const struct deadline *whole)
{
    double width = reference_width();

    m->rounds.n_turns++;
    do
        take_round(m, &width);
    while (m->rounds.n < MAX_ROUNDS && !is_over(turn) && !is_over(whole));
}

static void take_turns(struct measurement *m, double seconds)
{
    struct deadline whole = deadline_of(seconds);
    struct processors processors;
    double length;

    processors_open(&processors);
    length = seconds / 4 / (processors.n ? processors.n : 1);
    length = length < turn_least ? turn_least : length > turn_most ? turn_most : length;
    do {
        struct deadline turn = deadline_of(length);

        processors_use(&processors, m->rounds.n_turns);
        take_turn(m, &turn, &whole);
    } while (m->rounds.n < MAX_ROUNDS && m->rounds.n_turns < MAX_TURNS && !is_over(&whole));
    processors_close(&processors);
}

bool measure_calls(const struct measure_call *call, unsigned n, double seconds,
                   struct measure_result *out)
{
    struct rounds rounds = {.round = mem_alloc(MAX_ROUNDS * sizeof(struct round)),
                            .turn = mem_calloc(MAX_TURNS, sizeof(struct turn)),
                            .chain_cycles = reference_chain_cycles(),
                            .width_cycles = reference_width_cycles()};
    double *sorted = mem_alloc(MAX_ROUNDS * sizeof(double));
    struct measurement m = {.call = call, .n_calls = n, .rounds = rounds};
    bool good = rounds.round && rounds.turn && sorted;

    for (unsigned i = 0; i < n && good; i++)
        m.repeats[i] = calls_of_a_round(&call[i]);
    if (good) {
        take_turns(&m, seconds);
        rounds_find_calm(&m.rounds);
    }
    for (unsigned i = 0; i < n; i++) {
        out[i] = (struct measure_result){0};
        if (good)
            rounds_evaluate(&m.rounds, i, sorted, &out[i]);
        out[i].calls = m.repeats[i];
    }
    mem_free(rounds.round);
    mem_free(rounds.turn);
    mem_free(sorted);
    return good;
}
