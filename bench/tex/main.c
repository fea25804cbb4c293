/* Driver of the texture benchmarks, for each instruction set:
 *   tex [--seconds S] [--isa NAME] [WORD ...]      rows whose name contains one of the words
 *
 * Results are the fastest of many calls in CPU time, so a busy machine affects them little.
 * NOVEM_THREADS applies to rows with a device. */
#include "bench.h"

#include "util/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct bench_table *const tables[] = {&bench_decode, &bench_upload, &bench_copies};
enum { TABLES = sizeof(tables) / sizeof(tables[0]), MIN_CALLS = 3 };

static double budget = 0.2;
static const char *only_isa;

void bench_fail(const char *what)
{
    fprintf(stderr, "tex: %s\n", what);
    exit(1);
}

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_seconds(const struct bench_work *work)
{
    double best = 1e9, spent = 0.0;

    for (unsigned calls = 0; calls < MIN_CALLS || spent < budget; calls++) {
        double took;

        if (work->prepare)
            work->prepare(work->ctx);
        took = processor_seconds();
        work->run(work->ctx);
        took = processor_seconds() - took;
        spent += took;
        if (took < best)
            best = took;
    }
    return best;
}

static bool wanted(const char *name, char **words, int n)
{
    for (int i = 0; i < n; i++)
        if (strstr(name, words[i]))
            return true;
    return n == 0;
}

static bool next_isa(int *isa)
{
    while (++*isa < ISA_COUNT)
        if (cpu_has_isa((enum cpu_isa) * isa) &&
            (!only_isa || !strcmp(only_isa, cpu_isa_name((enum cpu_isa) * isa))))
            return cpu_set_isa((enum cpu_isa) * isa) == ST_OK;
    return false;
}

static void run_table(const struct bench_table *table, char **words, int n)
{
    bool titled = false;

    for (unsigned i = 0; i < table->count; i++) {
        const struct bench_row *row = &table->rows[i];

        if (!wanted(row->name, words, n))
            continue;
        if (!titled) {
            printf("%-50s", table->title);
            for (int isa = -1; next_isa(&isa);)
                printf(" %8s", cpu_isa_name((enum cpu_isa)isa));
            printf("\n");
        }
        titled = true;
        printf("%-44s %5s", row->name, row->unit);
        for (int isa = -1; next_isa(&isa);) {
            printf(" %8.3f", row->measure(row));
            fflush(stdout);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    int first = 1;

    setenv("NOVEM_SINK", "none", 0);
    for (; first + 1 < argc && !strncmp(argv[first], "--", 2); first += 2) {
        if (!strcmp(argv[first], "--seconds"))
            budget = atof(argv[first + 1]);
        else if (!strcmp(argv[first], "--isa"))
            only_isa = argv[first + 1];
        else
            bench_fail("only --seconds S and --isa NAME are understood");
    }
    for (int i = 0; i < TABLES; i++)
        run_table(tables[i], argv + first, argc - first);
    return 0;
}
