/* What rounds say: which ones are calm, the least, and how far one half agrees with the other.
 *
 * Tested by tests/unit/tool/measure/test_evaluate.c. */
#include "tool/measure/rounds.h"

#include <stddef.h>
#include <stdlib.h>

/* Rounds in which the core began instructions this much slower than in the best one are not calm.
 */
static const double width_slower = 1.05;

/* CALM_ROUNDS: of each half of the time, at least. */
enum { CALM_ROUNDS = 4, STEADY_ROUNDS = 3 };
#define STEADY_CHAIN 1.01

static bool is_steady(const struct turn *turn)
{
    return turn->rounds >= STEADY_ROUNDS && turn->chain[1] <= turn->chain[0] * STEADY_CHAIN;
}

static double least_chain(const struct rounds *all)
{
    const struct turn *best = &all->turn[0];

    for (unsigned i = 1; i < all->n_turns; i++) {
        const struct turn *turn = &all->turn[i];

        if (is_steady(turn) != is_steady(best) ? is_steady(turn) : turn->chain[0] < best->chain[0])
            best = turn;
    }
    return best->chain[0];
}

/* Seconds of a cycle in a round, or of the whole chain where its cycles are not known. */
static double cycle_of(const struct rounds *all, const struct round *r)
{
    const struct turn *turn = &all->turn[r->turn];

    return (is_steady(turn) ? turn->chain[0] : all->chain) /
           (all->chain_cycles > 0 ? all->chain_cycles : 1);
}

void rounds_find_calm(struct rounds *all)
{
    double best = 0, most = all->chain_cycles > 0 ? all->width_cycles : 0;

    all->chain = least_chain(all);
    for (unsigned i = 0; i < all->n; i++) {
        struct round *r = &all->round[i];
        double width = r->width / cycle_of(all, r);

        r->calm = is_steady(&all->turn[r->turn]) && (most <= 0 || width <= most);
        if (r->calm && (best <= 0 || width < best))
            best = width;
    }
    for (unsigned i = 0; i < all->n; i++) {
        struct round *r = &all->round[i];

        r->calm &= r->width / cycle_of(all, r) <= best * width_slower;
    }
}

/* Cycles of a call. */
static double cycles(const struct rounds *all, const struct round *r, unsigned k)
{
    return r->call[k] / cycle_of(all, r);
}

/* The quickest round of call k, calm ones first. NULL: there is none. */
static const struct round *quickest(const struct rounds *all, unsigned k, unsigned first,
                                    unsigned end)
{
    const struct round *best = NULL;

    for (unsigned i = first; i < end; i++) {
        const struct round *r = &all->round[i];

        if (!best || (r->calm && !best->calm) ||
            (r->calm == best->calm && cycles(all, r, k) < cycles(all, best, k)))
            best = r;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Of the calm rounds, or of all. */
static double median(const struct rounds *all, unsigned k, bool calm, double *sorted)
{
    unsigned n = 0;

    for (unsigned i = 0; i < all->n; i++)
        if (all->round[i].calm || !calm)
            sorted[n++] = all->round[i].call[k];
    qsort(sorted, n, sizeof(*sorted), ascending);
    return sorted[n / 2];
}

static unsigned count_calm(const struct rounds *all, unsigned first, unsigned end)
{
    unsigned n = 0;

    for (unsigned i = first; i < end; i++)
        n += all->round[i].calm;
    return n;
}

static double difference(const struct rounds *all, unsigned k)
{
    unsigned half = all->n / 2;
    const struct round *a = quickest(all, k, 0, half), *b = quickest(all, k, half, all->n);
    double x, y;

    if (!a || !b)
        return 0;
    x = cycles(all, a, k);
    y = cycles(all, b, k);
    return x < y ? y / x - 1 : x / y - 1;
}

void rounds_evaluate(const struct rounds *all, unsigned k, double *sorted,
                     struct measure_result *out)
{
    const struct round *best = quickest(all, k, 0, all->n);
    unsigned half = all->n / 2, calm = count_calm(all, 0, half),
             more = count_calm(all, half, all->n);
    bool known = all->chain_cycles > 0;

    *out = (struct measure_result){
        .seconds = best->call[k],
        .median = median(all, k, best->calm, sorted),
        .cycles = known ? cycles(all, best, k) : 0,
        .hertz = known ? 1 / cycle_of(all, best) : 0,
        .difference = difference(all, k),
        .rounds = all->n,
        .calm_rounds = calm + more,
    };
    out->calm = calm >= CALM_ROUNDS && more >= CALM_ROUNDS && out->difference <= MEASURE_CALM;
    if (out->median < out->seconds) /* rounds of a quicker clock may take fewer seconds */
        out->median = out->seconds;
}
