/* Copies of one call: the same work with code and data at other addresses. Some places are a few
 * percent slower than others (caches, branch predictors), by chance of each process. */
#ifndef TOOL_MEASURE_COPIES_H
#define TOOL_MEASURE_COPIES_H

#include "tool/measure/measure.h"

enum { MEASURE_COPIES = 8 };

/* Measures n copies for about `seconds` together. False: no memory. */
bool measure_copies(const struct measure_call *copy, unsigned n, double seconds,
                    struct measure_result *out);

/* The figures of n copies together: those of the quickest copy, calm ones first. The difference is
 * also that of the least of every second copy against the least of the others. Calm: most copies
 * were, and the difference is at most MEASURE_CALM. */
struct measure_result copies_combine(const struct measure_result *copy, unsigned n);

#endif
