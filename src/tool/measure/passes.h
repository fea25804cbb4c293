/* Passes: a measurement is divided into passes, which the caller spreads over its run. The least of
 * all passes is the figure, and the spread says how far they agree. */
#ifndef TOOL_MEASURE_PASSES_H
#define TOOL_MEASURE_PASSES_H

#include "tool/measure/measure.h"
#include "util/threads.h"

/* The time that measuring has taken so far, in seconds: by the clock, and of the processor. */
struct measure_load {
    double wall, used;
};

/* One pass of about `seconds`. Returns what measure_calls does; nothing else runs in the mode of
 * util/fpenv.h, which the calls run in. */
bool measure_pass(struct measure_load *load, double seconds, const struct measure_call *call,
                  unsigned n, struct measure_result *out);
/* The same for n calls at once, one on each worker of the pool: a round ends when all have ended.
 * Returns the time of one round's calls in ns, divided by their number on one worker. Whether the
 * threads share cores is not known. */
double measure_pass_threads(struct measure_load *load, double seconds, struct pool *pool,
                            const struct measure_call *calls, unsigned n);

/* The share of the time that the processor worked for others while it should have measured. */
double measure_lost(const struct measure_load *load);

/* Least times of passes. Passes on a core that another thread shares are left out as soon as there
 * is one on a core that no other shares. */
enum { MEASURE_PASSES = 32 };
struct measure_passes {
    double ns[MEASURE_PASSES];
    unsigned n;
    bool calm;
};
/* Adds a pass; of too many, the least ones stay. */
void measure_add(struct measure_passes *passes, double ns, bool calm);
double measure_least(const struct measure_passes *passes); /* 0: there are none */
/* The median of the passes over the least, minus 1: 0.03 is 3 %. */
double measure_spread(const struct measure_passes *passes);

#endif
