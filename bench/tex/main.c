/* Driver of the texture benchmarks, for each instruction set.
 *
 * Results are the fastest of many calls in CPU time, so a busy machine affects them little.
 * NOVEM_THREADS applies to rows with a device. */
#include "bench.h"

#include "tool/cli/cli.h"
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

static bool wanted(const char *name, const char *const *words)
{
    bool any = !*words;

    for (; *words; words++)
        any |= strstr(name, *words) != NULL;
    return any;
}

static bool next_isa(int *isa)
{
    while (++*isa < ISA_COUNT)
        if (cpu_has_isa((enum cpu_isa) * isa) &&
            (!only_isa || !strcmp(only_isa, cpu_isa_name((enum cpu_isa) * isa))))
            return cpu_set_isa((enum cpu_isa) * isa) == ST_OK;
    return false;
}

static void run_table(const struct bench_table *table, const char *const *words)
{
    bool titled = false;

    for (unsigned i = 0; i < table->count; i++) {
        const struct bench_row *row = &table->rows[i];

        if (!wanted(row->name, words))
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

static bool has_row(const char *const *words)
{
    for (int i = 0; i < TABLES; i++)
        for (unsigned k = 0; k < tables[i]->count; k++)
            if (wanted(tables[i]->rows[k].name, words))
                return true;
    return false;
}

/* False after a message: this machine lacks the instruction set, or a word is in no row's name. */
static bool check(const char *const *words)
{
    int isa = -1;
    bool has_isa = next_isa(&isa);

    if (!has_isa)
        tool_error("", "this machine has no instruction set '%s'", only_isa);
    for (; has_isa && *words; words++) {
        const char *one[] = {*words, NULL};

        if (!has_row(one)) {
            tool_error("", "no row's name contains '%s'", *words);
            return false;
        }
    }
    return has_isa;
}

/* Returns an exit code, or a negative number to continue. */
static int parse(double *seconds, int argc, char **argv, const char **words)
{
    const struct tool_option options[] = {
        {"--seconds", "S", "time per row and instruction set (default: 0.2)", OPT_REAL, seconds},
        {"--isa", "NAME", "only this instruction set: scalar, sse2, neon, avx2 or avx512", OPT_TEXT,
         &only_isa},
    };
    const struct tool_usage usage = {
        "[options] [WORD ...]",
        "Measures the work on textures apart from sampling, in CPU time.\n"
        "With words, only rows whose name contains one of them.",
        options,
        sizeof(options) / sizeof(options[0]),
        0,
        (unsigned)argc,
    };
    int code;

    tool_set_program("tex");
    code = tool_parse(&usage, argc, argv, words);
    return code < 0 && !check(words) ? TOOL_ERROR : code;
}

int main(int argc, char **argv)
{
    const char **words = calloc((size_t)argc + 1, sizeof(*words));
    int code = words ? parse(&budget, argc, argv, words) : TOOL_ERROR;

    if (code >= 0)
        return code;
    setenv("NOVEM_SINK", "none", 0);
    for (int i = 0; i < TABLES; i++)
        run_table(tables[i], words);
    free(words);
    return 0;
}
