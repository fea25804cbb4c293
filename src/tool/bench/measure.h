/* Measuring core: least times of short calls on a machine that others may use too.
 *
 * A measurement is divided into passes, which the caller spreads over its run. A pass runs a call
 * in many short rounds and keeps the least time of one call: other processes only slow a round
 * down. The least of all passes is the figure, and the spread says how far the passes agree. */
#ifndef TOOL_BENCH_MEASURE_H
#define TOOL_BENCH_MEASURE_H

#include "util/threads.h"

struct measure_call {
    void (*run)(void *ctx);
    void *ctx;
};

/* The time that measuring has taken so far, in seconds: by the clock, and of the processor. */
struct measure_load {
    double wall, used;
};

/* One pass of `seconds` of processor time. Returns the least time of one call in ns; of `beside`
 * in *beside_ns, whose rounds alternate with those of `call`. beside may be NULL. */
double measure_pass(struct measure_load *load, double seconds, const struct measure_call *call,
                    const struct measure_call *beside, double *beside_ns);
/* The same for n calls at once, one on each worker of the pool: a round ends when all have ended.
 * Returns the time of one round's calls, divided by their number on one worker. */
double measure_pass_threads(struct measure_load *load, double seconds, struct pool *pool,
                            const struct measure_call *calls, unsigned n);

/* The share of the time that the processor worked for others while it should have measured. */
double measure_lost(const struct measure_load *load);

/* Least times of passes. */
enum { MEASURE_PASSES = 32 };
struct measure_passes {
    double ns[MEASURE_PASSES];
    unsigned n;
};
/* Adds a pass; of too many, the least ones stay. */
void measure_add(struct measure_passes *passes, double ns);
double measure_least(const struct measure_passes *passes); /* 0: there are none */
/* The median of the passes over the least, minus 1: 0.03 is 3 %. */
double measure_spread(const struct measure_passes *passes);

#endif
