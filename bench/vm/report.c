/* Benchmark reports: tables on standard output, and a file for comparing runs, one result a
 * line. */
#include "bench.h"
#include "util/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RESULTS = 2048, NAME_BYTES = 64, NAME_COLUMN = 36 };

static struct result_table {
    struct bench_result result[MAX_RESULTS];
    unsigned n;
} now_table, old_table;
static const char *heading_title, *heading_cell;
static int cell_width;

double report_share(const struct bench_result *result)
{
    return 100 * result->operations * result->ceiling_ns / result->lane_ns;
}

void report_add(const struct bench_result *result)
{
    struct bench_result *to = &now_table.result[now_table.n];

    if (now_table.n == MAX_RESULTS)
        return;
    *to = *result;
    to->isa = cpu_isa_name(cpu_isa());
    if (!(to->name = mem_strdup(result->name)))
        bench_fail("no memory");
    now_table.n++;
}

/* --- Tables ----------------------------------------------------------------------------------- */

void report_heading(const char *title, const char *cell)
{
    heading_title = title;
    heading_cell = cell;
    cell_width = (int)strlen(cell);
}

/* Prints a group's heading together with its first row. */
static void print_heading(void)
{
    printf("\n%s\n%-*s", heading_title, NAME_COLUMN, "");
    for (int isa = -1; bench_next_isa(&isa);)
        printf("  %*s", cell_width, cpu_isa_name((enum cpu_isa)isa));
    printf("\n%-*s", NAME_COLUMN, "");
    for (int isa = -1; bench_next_isa(&isa);)
        printf("  %s", heading_cell);
    printf("\n");
    heading_title = NULL;
}

void report_name(const char *name)
{
    if (heading_title)
        print_heading();
    printf("%-*s", NAME_COLUMN, name);
    fflush(stdout);
}

void report_cell(const char *format, ...)
{
    char text[80];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    printf("  %*s", cell_width, text);
    fflush(stdout);
}

void report_end_row(void)
{
    printf("\n");
}

/* --- Files ------------------------------------------------------------------------------------ */

static const char line_format[] =
    "{\"group\": \"%s\", \"name\": \"%s\", \"isa\": \"%s\", "
    "\"lane_ns\": %.6g, \"ceiling_ns\": %.6g, \"instructions\": %.6g, "
    "\"operations\": %.6g, \"percent\": %.4g}%s\n";
static const char scan_format[] =
    " {\"group\": \"%15[^\"]\", \"name\": \"%63[^\"]\", \"isa\": \"%15[^\"]\", "
    "\"lane_ns\": %lf, \"ceiling_ns\": %lf, \"instructions\": %lf, \"operations\": %lf, "
    "\"percent\": %lf}";

/* Applies the best ceiling of the run to all of its results. */
static void settle_ceilings(struct result_table *table)
{
    for (unsigned i = 0; i < table->n; i++)
        for (unsigned k = 0; k < table->n; k++)
            if (!strcmp(table->result[i].isa, table->result[k].isa) &&
                table->result[k].ceiling_ns < table->result[i].ceiling_ns)
                table->result[i].ceiling_ns = table->result[k].ceiling_ns;
}

void report_write(const char *file)
{
    FILE *to = fopen(file, "w");

    settle_ceilings(&now_table);
    if (!to)
        bench_fail("cannot write %s", file);
    fprintf(to, "{\"format\": \"novem-bench-vm 1\", \"results\": [\n");
    for (unsigned i = 0; i < now_table.n; i++) {
        const struct bench_result *r = &now_table.result[i];

        fprintf(to, line_format, r->group, r->name, r->isa, r->lane_ns, r->ceiling_ns,
                r->instructions, r->operations, r->percent, i + 1 < now_table.n ? "," : "");
    }
    fprintf(to, "]}\n");
    if (fclose(to))
        bench_fail("cannot write %s", file);
}

static void read_old(const char *file)
{
    char line[512];
    FILE *from = fopen(file, "r");

    if (!from)
        bench_fail("cannot read %s", file);
    while (old_table.n < MAX_RESULTS && fgets(line, sizeof(line), from)) {
        struct bench_result *r = &old_table.result[old_table.n];
        char group[16], name[NAME_BYTES], isa[16];

        if (sscanf(line, scan_format, group, name, isa, &r->lane_ns, &r->ceiling_ns,
                   &r->instructions, &r->operations, &r->percent) != 8)
            continue;
        if (!(r->group = mem_strdup(group)) || !(r->name = mem_strdup(name)) ||
            !(r->isa = mem_strdup(isa)))
            bench_fail("no memory");
        old_table.n++;
    }
    fclose(from);
    if (!old_table.n)
        bench_fail("%s has no results of this bench", file);
}

/* --- Comparison ------------------------------------------------------------------------------- */

static const struct bench_result *find(const struct result_table *table, const char *group,
                                       const char *name, const char *isa)
{
    for (unsigned i = 0; i < table->n; i++) {
        const struct bench_result *r = &table->result[i];

        if (!strcmp(r->group, group) && !strcmp(r->name, name) && !strcmp(r->isa, isa))
            return r;
    }
    return NULL;
}

/* Speed relative to the earlier run, normalised by the ceilings; 0: no such rows. */
static double speedup(const char *group, const char *name, const char *isa)
{
    const struct bench_result *old = find(&old_table, group, name, isa);
    const struct bench_result *new = find(&now_table, group, name, isa);

    if (!old || !new || !(old->lane_ns > 0) || !(new->lane_ns > 0))
        return 0;
    return old->lane_ns / old->ceiling_ns / (new->lane_ns / new->ceiling_ns);
}

static void print_speedup(double ratio)
{
    if (ratio > 0)
        report_cell("%.3f", ratio);
    else
        report_cell("-");
}

/* Geometric mean of a group. */
static void compare_group(const char *group)
{
    char label[NAME_BYTES];

    snprintf(label, sizeof(label), "= mean of %s", group);
    report_name(label);
    for (int isa = -1; bench_next_isa(&isa);) {
        double sum = 0;
        unsigned n = 0;

        for (unsigned i = 0; i < now_table.n; i++) {
            const struct bench_result *r = &now_table.result[i];
            double ratio =
                strcmp(r->group, group) || strcmp(r->isa, cpu_isa_name((enum cpu_isa)isa))
                    ? 0
                    : speedup(group, r->name, r->isa);

            sum += ratio > 0 ? log(ratio) : 0;
            n += ratio > 0;
        }
        print_speedup(n ? exp(sum / n) : 0);
    }
    report_end_row();
}

void report_compare(const char *file)
{
    read_old(file);
    settle_ceilings(&now_table);
    report_heading("Speed-up over the earlier run, normalised by the ceilings", "  factor");
    for (unsigned i = 0; i < now_table.n; i++) {
        const struct bench_result *r = &now_table.result[i];
        bool last = i + 1 == now_table.n || strcmp(now_table.result[i + 1].group, r->group);

        if (strcmp(r->group, "ceiling") && find(&now_table, r->group, r->name, r->isa) == r &&
            (i == 0 || strcmp(now_table.result[i - 1].name, r->name) ||
             strcmp(now_table.result[i - 1].group, r->group))) {
            report_name(r->name);
            for (int isa = -1; bench_next_isa(&isa);)
                print_speedup(speedup(r->group, r->name, cpu_isa_name((enum cpu_isa)isa)));
            report_end_row();
        }
        if (last && strcmp(r->group, "ceiling"))
            compare_group(r->group);
    }
}
