/* Copies of one call.
 *
 * Tested by tests/unit/tool/measure/test_copies.c. */
#include "tool/measure/copies.h"

#include <stddef.h>

static double time_of(const struct measure_result *r)
{
    return r->cycles > 0 ? r->cycles : r->seconds;
}

static bool is_better(const struct measure_result *a, const struct measure_result *b)
{
    return a->calm != b->calm                   ? a->calm
           : !a->calm_rounds != !b->calm_rounds ? a->calm_rounds != 0
                                                : time_of(a) < time_of(b);
}

/* Of every second copy, from `first` on. */
static const struct measure_result *quickest(const struct measure_result *copy, unsigned n,
                                             unsigned first, unsigned step)
{
    const struct measure_result *best = NULL;

    for (unsigned i = first; i < n; i += step)
        if (!best || is_better(&copy[i], best))
            best = &copy[i];
    return best;
}

static double difference(const struct measure_result *a, const struct measure_result *b)
{
    double x = time_of(a), y = time_of(b);

    return x < y ? y / x - 1 : x / y - 1;
}

struct measure_result copies_combine(const struct measure_result *copy, unsigned n)
{
    const struct measure_result *even = quickest(copy, n, 0, 2), *odd = quickest(copy, n, 1, 2);
    struct measure_result all = *quickest(copy, n, 0, 1);
    double more = odd ? difference(even, odd) : 0;
    unsigned calm = 0;

    all.rounds = all.calm_rounds = 0;
    for (unsigned i = 0; i < n; i++) {
        all.rounds += copy[i].rounds;
        all.calm_rounds += copy[i].calm_rounds;
        calm += copy[i].calm;
    }
    all.difference = more > all.difference ? more : all.difference;
    all.calm = 2 * calm > n && all.difference <= MEASURE_CALM;
    return all;
}

bool measure_copies(const struct measure_call *copy, unsigned n, double seconds,
                    struct measure_result *out)
{
    struct measure_result result[MEASURE_COPIES];

    for (unsigned i = 0; i < n; i++)
        if (!measure_calls(&copy[i], 1, seconds / n, &result[i]))
            return false;
    *out = copies_combine(result, n);
    return true;
}
