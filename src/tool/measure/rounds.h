/* Rounds of calls as they were measured, and what they say. */
#ifndef TOOL_MEASURE_ROUNDS_H
#define TOOL_MEASURE_ROUNDS_H

#include "tool/measure/measure.h"

struct round {
    double call[MEASURE_CALLS]; /* seconds of a call */
    double width; /* seconds of reference_width, the longer ones of before and after */
    unsigned turn;
    bool calm; /* set by rounds_find_calm */
};

/* Of reference_chain in a turn. One reading may be one of an interruption, so a turn is steady if
 * it has a few and the two least ones agree. */
struct turn {
    double chain[2]; /* seconds: the least, and the one after it */
    unsigned rounds;
};

struct rounds {
    struct round *round;
    struct turn *turn;
    unsigned n, n_turns;
    double chain;        /* the least of the steady turns, or of all; set by rounds_find_calm */
    double chain_cycles; /* of reference_chain; 0: not known */
    double
        width_cycles; /* of reference_width, at most, on a core that is not shared; 0: not known */
};

void rounds_find_calm(struct rounds *rounds);
/* Fills all of *out but `calls`, for call k; after rounds_find_calm. n is not 0. sorted: room for n
 * numbers. */
void rounds_evaluate(const struct rounds *rounds, unsigned k, double *sorted,
                     struct measure_result *out);

#endif
