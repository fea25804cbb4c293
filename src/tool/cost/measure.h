/* Times of short calls on a machine that does other things as well: least of many rounds, their
 * spread, and processor cycles. Knows nothing of shaders. */
#ifndef TOOL_COST_MEASURE_H
#define TOOL_COST_MEASURE_H

#include <stdbool.h>

struct measure_call {
    void (*run)(void *ctx);
    void *ctx;
};

struct measure_result {
    double seconds; /* a call, in the quickest round */
    double median;  /* a call, in the middle round */
    /* What another run would differ by: the least of the odd rounds against that of the even ones,
     * as a part of the least. */
    double difference;
    /* Cycles of a call in the quickest round. The clock is that at which a chain of multiplications
     * ran best meanwhile; 0: the processor has no known chain. */
    double cycles;
    unsigned rounds, calls; /* calls of a round */
    /* False: the two halves differ by more than MEASURE_CALM, or more than half of the rounds of a
     * fixed amount of work were slower than its best by more than that. */
    bool calm;
};
#define MEASURE_CALM 0.03

/* Calls for about the given time; at least one round is measured. Other processes only slow a round
 * down, so the least is the best estimate. False: no memory. */
bool measure(const struct measure_call *call, double seconds, struct measure_result *out);

/* Seconds of a clock that never stops or jumps. */
double measure_now(void);

#endif
