/* Comparison of two results: which figures are slower beyond tolerance and noise. */
#ifndef TOOL_BENCH_COMPARE_H
#define TOOL_BENCH_COMPARE_H

#include "tool/bench/results.h"

enum bench_verdict {
    BENCH_SAME,
    BENCH_FASTER,
    BENCH_SLOWER,  /* a regression: beyond the tolerance and the noise of both */
    BENCH_UNSURE,  /* slower beyond the tolerance, within the noise */
    BENCH_UNKNOWN, /* not in both, of another text, or too short to be measured */
};

/* What a figure is compared with its base. ratio: new time over old. scaled: the same in units of
 * the ceilings, which cancels a processor that was faster or slower as a whole. */
struct bench_difference {
    enum bench_verdict verdict;
    double ratio, scaled, noise;
};

/* tolerance 0.05: slower by more than 5 %. A figure is slower only if ratio and scaled both pass
 * 1 + tolerance + noise. The noise is three times the largest of four spreads: of the figure in
 * both results, and of half of all figures in both. */
struct bench_difference bench_compare(const struct bench_results *base,
                                      const struct bench_results *now,
                                      const struct bench_figure *figure, double tolerance);

/* Sets suspects[i] for figures that are slower beyond the tolerance, in or out of the noise.
 * Returns their number. */
unsigned bench_suspects(const struct bench_results *base, const struct bench_results *now,
                        double tolerance, bool *suspects);

/* Prints figures that changed, means of groups, and the verdict. Returns the number of
 * regressions. */
unsigned bench_print_comparison(const struct bench_results *base, const struct bench_results *now,
                                double tolerance, FILE *out);

/* Whether two results may be compared: figures of the same processor and numerics. If not, prints a
 * message. */
bool bench_comparable(const char *command, const char *path, const struct bench_results *base,
                      const struct bench_results *now);

#endif
