/* Times of short calls on a machine that does other things as well: the least of many rounds, in
 * seconds and in cycles of the processor, and whether it is the truth. Knows nothing of what the
 * calls do. */
#ifndef TOOL_MEASURE_MEASURE_H
#define TOOL_MEASURE_MEASURE_H

#include <stdbool.h>

struct measure_call {
    void (*run)(void *ctx);
    void *ctx;
};

/* Processes that take turns with this one only slow rounds down, so the least is right. A thread
 * that shares the processor's core (SMT) slows all rounds down. A round is calm if the core could
 * begin about as many instructions before and after it as it can when it is not shared. The figures
 * are those of calm rounds; if there are none, of all. */
struct measure_result {
    double seconds; /* a call, in the quickest round */
    double median;  /* a call, in the middle round */
    /* Cycles of a call, in the quickest round. 0: the processor has no known chain (reference.h).
     */
    double cycles;
    double hertz; /* of the processor in that round; 0: not known */
    /* What another run would differ by: the least of the first half of the time against that of the
     * second half, in cycles, as a part of the least. */
    double difference;
    unsigned rounds, calls; /* calls of a round */
    unsigned calm_rounds;
    /* False: a half of the time has too few calm rounds, or they differ by more than MEASURE_CALM.
     */
    bool calm;
};
#define MEASURE_CALM 0.02

/* Calls for about the given time of the processor, or for twice as long beside others, from 1 to
 * MEASURE_CALLS different ones, whose rounds alternate; at least one round is measured. The
 * processors that the calling thread may use take turns; afterwards it may use the same ones as
 * before. out: one result for each call. False: no memory. */
enum { MEASURE_CALLS = 2 };
bool measure_calls(const struct measure_call *call, unsigned n, double seconds,
                   struct measure_result *out);

/* Seconds of a clock that never stops or jumps. */
double measure_now(void);

#endif
