/* Comparison of two results.
 *
 * Tested by tests/unit/tool/bench/test_compare.c. */
#include "tool/bench/compare.h"

#include "tool/cli/cli.h"
#include "util/plural.h"

#include <math.h>
#include <string.h>

/* Spreads that two least times of one program may differ by. */
#define NOISE 3

/* --- One figure ------------------------------------------------------------------------------- */

struct bench_difference bench_compare(const struct bench_results *base,
                                      const struct bench_results *now,
                                      const struct bench_figure *figure, double tolerance)
{
    struct bench_difference d = {.verdict = BENCH_UNKNOWN};
    const struct bench_figure *old = bench_results_find(base, figure);
    double ceiling = bench_results_ceiling(now, figure->isa),
           old_ceiling = bench_results_ceiling(base, figure->isa), least, most;

    if (!old || old->text != figure->text || old->ns <= 0 || figure->ns <= 0)
        return d;
    d.ratio = d.scaled = figure->ns / old->ns;
    if (ceiling > 0 && old_ceiling > 0)
        d.scaled = d.ratio * old_ceiling / ceiling;
    d.noise = fmax(fmax(figure->spread, old->spread),
                   fmax(bench_results_spread(now), bench_results_spread(base)));
    d.noise *= NOISE;
    least = fmin(d.ratio, d.scaled);
    most = fmax(d.ratio, d.scaled);
    if (least > 1 + tolerance + d.noise)
        d.verdict = BENCH_SLOWER;
    else if (least > 1 + tolerance)
        d.verdict = BENCH_UNSURE;
    else if (most * (1 + tolerance + d.noise) < 1)
        d.verdict = BENCH_FASTER;
    else
        d.verdict = BENCH_SAME;
    return d;
}

unsigned bench_suspects(const struct bench_results *base, const struct bench_results *now,
                        double tolerance, bool *suspects)
{
    unsigned n = 0;

    for (unsigned i = 0; i < now->n; i++) {
        enum bench_verdict verdict = bench_compare(base, now, &now->figure[i], tolerance).verdict;

        suspects[i] = now->figure[i].group != BENCH_CEILING &&
                      (verdict == BENCH_SLOWER || verdict == BENCH_UNSURE);
        n += suspects[i];
    }
    return n;
}

bool bench_comparable(const char *command, const char *path, const struct bench_results *base,
                      const struct bench_results *now)
{
    if (!strcmp(base->processor, now->processor) && base->processors == now->processors)
        return true;
    tool_error(command, "%s was measured on another machine (%s, " PLURAL_FORMAT ")", path,
               base->processor, PLURAL(base->processors, "processor", "processors"));
    return false;
}

/* --- The report ------------------------------------------------------------------------------- */

static const char *const words[] = {"same", "faster", "SLOWER", "unsure", "unknown"};

static void print_difference(const struct bench_figure *f, const struct bench_difference *d,
                             const struct bench_figure *old, FILE *out)
{
    fprintf(out, "%-8s %-10s %-28s %-7s %-11s %4u %9.3f %9.3f %+6.1f %% %5.1f %%\n",
            words[d->verdict], bench_group_name(f->group), f->name, cpu_isa_name(f->isa),
            bench_mode(f->interpreted), f->threads, old->ns, f->ns, 100 * (d->ratio - 1),
            100 * d->noise);
}

/* Changed figures. Counts the figures of each verdict. */
static void print_changed(const struct bench_results *base, const struct bench_results *now,
                          double tolerance, unsigned counts[BENCH_UNKNOWN + 1], FILE *out)
{
    unsigned printed = 0;

    for (unsigned i = 0; i < now->n; i++) {
        const struct bench_figure *f = &now->figure[i];
        struct bench_difference d = bench_compare(base, now, f, tolerance);

        if (f->group == BENCH_CEILING)
            continue;
        counts[d.verdict]++;
        if (d.verdict == BENCH_SAME || d.verdict == BENCH_UNKNOWN)
            continue;
        if (!printed++)
            fprintf(out, "\n%-8s %-10s %-28s %-7s %-11s %4s %9s %9s %8s %7s\n", "", "group", "name",
                    "isa", "mode", "thr.", "base ns", "ns", "time", "noise");
        print_difference(f, &d, bench_results_find(base, f), out);
    }
}

/* Geometric mean of the ratios of a group, and the number of figures. */
static double mean_of(const struct bench_results *base, const struct bench_results *now,
                      enum bench_group group, unsigned *n)
{
    double sum = 0;

    *n = 0;
    for (unsigned i = 0; i < now->n; i++) {
        struct bench_difference d = bench_compare(base, now, &now->figure[i], 0);

        if (now->figure[i].group != group || d.verdict == BENCH_UNKNOWN)
            continue;
        sum += log(d.ratio);
        ++*n;
    }
    return *n ? exp(sum / *n) : 1;
}

static void print_means(const struct bench_results *base, const struct bench_results *now,
                        FILE *out)
{
    fprintf(out, "\ntime over that of the base, geometric means:\n");
    for (unsigned g = 0; g < BENCH_GROUPS; g++) {
        unsigned n;
        double mean = mean_of(base, now, (enum bench_group)g, &n);

        if (n)
            fprintf(out, "  %-10s %.3f of " PLURAL_FORMAT "\n",
                    bench_group_name((enum bench_group)g), mean, PLURAL(n, "figure", "figures"));
    }
}

static void print_noise(const struct bench_results *base, const struct bench_results *now,
                        FILE *out)
{
    if (!bench_is_calm(now))
        fprintf(out,
                "the machine is not calm: %.0f %% of the time lost, figures vary by %.1f %%, "
                "the core of %.0f %% was shared\n",
                100 * now->lost, 100 * bench_results_spread(now), 100 * bench_results_shared(now));
    if (!bench_is_calm(base))
        fprintf(out,
                "it was not calm for the base: %.0f %% lost, figures vary by %.1f %%, the core "
                "of %.0f %% was shared\n",
                100 * base->lost, 100 * bench_results_spread(base),
                100 * bench_results_shared(base));
}

unsigned bench_print_comparison(const struct bench_results *base, const struct bench_results *now,
                                double tolerance, FILE *out)
{
    unsigned counts[BENCH_UNKNOWN + 1] = {0};

    fprintf(out, "base: novem %s, numerics %s, %s\nthis: novem %s, numerics %s, %s\n%s\n",
            base->novem, base->numerics, base->build, now->novem, now->numerics, now->build,
            now->processor);
    print_changed(base, now, tolerance, counts, out);
    print_means(base, now, out);
    print_noise(base, now, out);
    fprintf(out, PLURAL_FORMAT ", %u faster, %u the same",
            PLURAL(counts[BENCH_SLOWER], "regression", "regressions"), counts[BENCH_FASTER],
            counts[BENCH_SAME]);
    if (counts[BENCH_UNSURE])
        fprintf(out, ", %u slower within the noise: no verdict", counts[BENCH_UNSURE]);
    if (counts[BENCH_UNKNOWN])
        fprintf(out, ", %u not in both", counts[BENCH_UNKNOWN]);
    fprintf(out, " (tolerance %g %%)\n", 100 * tolerance);
    return counts[BENCH_SLOWER];
}
