/* Results as tables and as CSV.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/results.h"

#include "util/plural.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { CELL = 11 };

/* --- Host and method -------------------------------------------------------------------------- */

static void print_host(const struct bench_results *r, FILE *out)
{
    fprintf(out, "novem %s, numerics %s, %s\n%s, " PLURAL_FORMAT "\n", r->novem, r->numerics,
            r->build, r->processor, PLURAL(r->processors, "processor", "processors"));
    fprintf(out,
            "the least of " PLURAL_FORMAT
            ", %.1f s; half of the figures vary by less than %.1f %%\n",
            PLURAL(r->passes, "pass", "passes"), r->seconds, 100 * bench_results_spread(r));
    if (!bench_is_calm(r))
        fprintf(out,
                "THE MACHINE IS NOT CALM: others took %.0f %% of the time, and shared the core of "
                "%.0f %% of the figures.\nQuote no figure of this run.\n",
                100 * r->lost, 100 * bench_results_shared(r));
}

/* --- Tables ----------------------------------------------------------------------------------- */

static const struct form {
    enum bench_group group;
    const char *title, *unit;
} forms[] = {
    {BENCH_OPERATION, "One instruction, over 12 registers", "ns a lane"},
    {BENCH_FLOW, "Flow control around 10 instructions", "ns a lane"},
    {BENCH_SAMPLER, "A texture lookup; shaders use the stand-in", "ns a lane"},
    {BENCH_SHADER, "Shaders, and the instructions that a lane executes", "ns a lane"},
};

static void print_cell(FILE *out, const char *form, ...) PRINTF_LIKE(2, 3);
static void print_cell(FILE *out, const char *form, ...)
{
    char text[32];
    va_list args;

    va_start(args, form);
    vsnprintf(text, sizeof(text), form, args);
    va_end(args);
    fprintf(out, " %*s", CELL, text);
}

static int name_width(const struct bench_results *r)
{
    size_t width = 24;

    for (unsigned i = 0; i < r->n; i++) {
        size_t n = strlen(r->figure[i].name) + (r->figure[i].group == BENCH_SHADER ? 14 : 0);

        width = n > width ? n : width;
    }
    return (int)width;
}

static void print_heads(const struct bench_column *column, unsigned n, bool threads, int width,
                        FILE *out)
{
    fprintf(out, "%-*s", width, "");
    for (unsigned c = 0; c < n; c++)
        print_cell(out, "%s", cpu_isa_name(column[c].isa));
    fprintf(out, "\n%-*s", width, "");
    for (unsigned c = 0; c < n; c++)
        print_cell(out, "%s", bench_mode(column[c].interpreted));
    fprintf(out, "\n");
    if (!threads)
        return;
    fprintf(out, "%-*s", width, "");
    for (unsigned c = 0; c < n; c++)
        print_cell(out, "%u threads", column[c].threads);
    fprintf(out, "\n");
}

static void print_name(const struct bench_figure *f, int width, FILE *out)
{
    char text[BENCH_NAME + 32];

    if (f->group == BENCH_SHADER)
        snprintf(text, sizeof(text), "%-*s %-7s %4.0f", width - 14, f->name, f->profile,
                 f->instructions);
    else
        snprintf(text, sizeof(text), "%s", f->name);
    fprintf(out, "%-*s", width, text);
}

/* Whether the figure is the first of its subject. */
static bool is_first(const struct bench_results *r, unsigned i)
{
    return !i || r->figure[i - 1].group != r->figure[i].group ||
           strcmp(r->figure[i - 1].name, r->figure[i].name) != 0;
}

static void print_rows(const struct bench_results *r, enum bench_group group,
                       const struct bench_column *column, unsigned n, bool threads, FILE *out)
{
    int width = name_width(r);

    for (unsigned i = 0; i < r->n; i++) {
        if (r->figure[i].group != group || !is_first(r, i))
            continue;
        print_name(&r->figure[i], width, out);
        for (unsigned c = 0; c < n; c++) {
            const struct bench_figure *f = bench_cell(r, group, r->figure[i].name, &column[c]);

            if (!f || f->ns <= 0)
                print_cell(out, "-");
            else if (threads)
                print_cell(out, "%.0f", 1e3 / f->ns);
            else
                print_cell(out, f->ns < 9.9995 ? "%.3f" : "%.1f", f->ns);
        }
        fprintf(out, "\n");
    }
}

static bool has_group(const struct bench_results *r, enum bench_group group)
{
    unsigned i = 0;

    while (i < r->n && r->figure[i].group != group)
        i++;
    return i < r->n;
}

static void print_ceilings(const struct bench_results *r, FILE *out)
{
    if (!has_group(r, BENCH_CEILING))
        return;
    fprintf(out, "\nload, load, multiply, store, G a second:");
    for (unsigned i = 0; i < r->n; i++)
        if (r->figure[i].group == BENCH_CEILING)
            fprintf(out, " %s %.1f%s", cpu_isa_name(r->figure[i].isa), 1 / r->figure[i].ns,
                    i + 1 < r->n && r->figure[i + 1].group == BENCH_CEILING ? "," : "\n");
}

void bench_print_table(const struct bench_results *results, FILE *out)
{
    struct bench_column column[BENCH_COLUMNS];
    unsigned n = bench_columns(results, true, column);

    print_host(results, out);
    print_ceilings(results, out);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && n; i++) {
        if (!has_group(results, forms[i].group))
            continue;
        fprintf(out, "\n%s: %s\n", forms[i].title, forms[i].unit);
        print_heads(column, n, false, name_width(results), out);
        print_rows(results, forms[i].group, column, n, false, out);
    }
    n = bench_columns(results, false, column);
    if (!n)
        return;
    fprintf(out, "\nShaders on several threads at once: million lanes a second\n");
    print_heads(column, n, true, name_width(results), out);
    print_rows(results, BENCH_SHADER, column, n, true, out);
}

/* --- CSV -------------------------------------------------------------------------------------- */

/* Quoted, so that separators and quotes in names stay what they are. */
static void put_csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

void bench_print_csv(const struct bench_results *results, FILE *out)
{
    fprintf(out, "group,name,profile,isa,mode,threads,lane_ns,spread,instructions,operations,"
                 "ceiling_share,extra\n");
    for (unsigned i = 0; i < results->n; i++) {
        const struct bench_figure *f = &results->figure[i];

        fprintf(out, "%s,", bench_group_name(f->group));
        put_csv_text(out, f->name);
        fprintf(out, ",%s,%s,%s,%u,%.6g,%.4g,%.6g,", f->profile, cpu_isa_name(f->isa),
                bench_mode(f->interpreted), f->threads, f->ns, f->spread, f->instructions);
        if (f->operations > 0)
            fprintf(out, "%.6g,%.4g,", f->operations, bench_share(results, f) / 100);
        else
            fprintf(out, ",,");
        if (f->group == BENCH_FLOW)
            fprintf(out, "%.4g", f->extra);
        fprintf(out, "\n");
    }
}
