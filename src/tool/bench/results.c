/* Results in memory: the host line, look-ups, and what they say together.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/results.h"

#include "tool/help/help.h"
#include "util/alloc.h"
#include "util/version.h"

#include <stdlib.h>
#include <string.h>

/* --- The host line ---------------------------------------------------------------------------- */

static void name_processor(char out[BENCH_TEXT])
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[2 * BENCH_TEXT];

    strcpy(out, "unknown processor");
    while (file && fgets(line, sizeof(line), file)) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(out, BENCH_TEXT, "%.*s", BENCH_TEXT - 1, colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file)
        fclose(file);
}

void bench_results_init(struct bench_results *results)
{
    *results = (struct bench_results){.processors = cpu_count()};
    snprintf(results->novem, BENCH_TEXT, "%s", version_text());
    snprintf(results->numerics, BENCH_TEXT, "%s", NOVEM_NUMERICS);
    snprintf(results->build, BENCH_TEXT, "%s", tool_build_text());
    name_processor(results->processor);
}

void bench_results_fini(struct bench_results *results)
{
    mem_free(results->figure);
    results->figure = NULL;
    results->n = results->max = 0;
}

/* --- Figures ---------------------------------------------------------------------------------- */

struct bench_figure *bench_results_add(struct bench_results *results)
{
    struct bench_figure *more;

    if (results->n == results->max) {
        unsigned max = results->max ? 2 * results->max : 256;

        if (!(more = mem_realloc(results->figure, max * sizeof(*more))))
            return NULL;
        results->figure = more;
        results->max = max;
    }
    more = &results->figure[results->n++];
    memset(more, 0, sizeof(*more));
    return more;
}

const struct bench_figure *bench_results_find(const struct bench_results *results,
                                              const struct bench_figure *figure)
{
    const struct bench_column column = {figure->isa, figure->interpreted, figure->threads};

    return bench_cell(results, figure->group, figure->name, &column);
}

const struct bench_figure *bench_cell(const struct bench_results *results, enum bench_group group,
                                      const char *name, const struct bench_column *column)
{
    for (unsigned i = 0; i < results->n; i++) {
        const struct bench_figure *f = &results->figure[i];

        if (f->group == group && f->isa == column->isa && f->interpreted == column->interpreted &&
            f->threads == column->threads && !strcmp(f->name, name))
            return f;
    }
    return NULL;
}

double bench_results_ceiling(const struct bench_results *results, enum cpu_isa isa)
{
    for (unsigned i = 0; i < results->n; i++)
        if (results->figure[i].group == BENCH_CEILING && results->figure[i].isa == isa)
            return results->figure[i].ns;
    return 0;
}

double bench_share(const struct bench_results *results, const struct bench_figure *figure)
{
    return figure->ns > 0 ? 100 * figure->operations * bench_results_ceiling(results, figure->isa) /
                                (figure->ns * figure->threads)
                          : 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double bench_results_spread(const struct bench_results *results)
{
    double *spread = mem_alloc((results->n + 1) * sizeof(*spread)), median = 0;

    if (!spread)
        return 1; /* not calm */
    for (unsigned i = 0; i < results->n; i++)
        spread[i] = results->figure[i].spread;
    qsort(spread, results->n, sizeof(*spread), compare_doubles);
    if (results->n)
        median = spread[results->n / 2];
    mem_free(spread);
    return median;
}

double bench_results_shared(const struct bench_results *results)
{
    unsigned n = 0, shared = 0;

    for (unsigned i = 0; i < results->n; i++)
        if (results->figure[i].threads == 1) {
            n++;
            shared += !results->figure[i].calm;
        }
    return n ? (double)shared / n : 0;
}

static bool has_threads(const struct bench_results *results)
{
    unsigned i = 0;

    while (i < results->n && results->figure[i].threads == 1)
        i++;
    return i < results->n;
}

bool bench_is_calm(const struct bench_results *results)
{
    return bench_results_shared(results) < BENCH_SHARED &&
           bench_results_spread(results) < BENCH_SPREAD &&
           (results->lost < BENCH_LOST || !has_threads(results));
}

/* --- Columns ---------------------------------------------------------------------------------- */

const char *bench_mode(bool interpreted)
{
    return interpreted ? "interpreted" : "compiled";
}

static int compare_columns(const void *a, const void *b)
{
    const struct bench_column *x = a, *y = b;

    if (x->interpreted != y->interpreted)
        return x->interpreted ? 1 : -1;
    if (x->isa != y->isa)
        return x->isa < y->isa ? -1 : 1;
    return (x->threads > y->threads) - (x->threads < y->threads);
}

unsigned bench_columns(const struct bench_results *results, bool one_thread,
                       struct bench_column column[BENCH_COLUMNS])
{
    unsigned n = 0, k;

    for (unsigned i = 0; i < results->n; i++) {
        const struct bench_figure *f = &results->figure[i];
        const struct bench_column c = {f->isa, f->interpreted, f->threads};

        if (f->group == BENCH_CEILING || (f->threads == 1) != one_thread)
            continue;
        for (k = 0; k < n && compare_columns(&column[k], &c); k++)
            ;
        if (k == n && n < BENCH_COLUMNS)
            column[n++] = c;
    }
    qsort(column, n, sizeof(*column), compare_columns);
    return n;
}
