/* Costs as text: a page for one shader, a table for several, and CSV.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/report.h"

#include <inttypes.h>
#include <string.h>

static const char *lane_name(const struct cost_report *r)
{
    return r->pixel ? "pixel" : "vertex";
}

/* --- One shader ------------------------------------------------------------------------------- */

static void print_calmness(const struct measure_result *time, FILE *out)
{
    if (time->calm)
        return;
    fprintf(out, "              the machine is not calm: ");
    if (time->calm_rounds * 10 < time->rounds)
        fprintf(out, "another thread shared the core in %u of %u rounds",
                time->rounds - time->calm_rounds, time->rounds);
    else
        fprintf(out, "the halves of the rounds differ by %.1f %%", 100.0 * time->difference);
    fprintf(out, "; measure again\n");
}

static const char *why_not_counted(const struct cost_report *r)
{
    return !r->compiled       ? "the shader is interpreted"
           : !cost_can_step() ? "that takes Linux and a processor for x86"
                              : "they are too many";
}

static void print_time(const struct cost_report *r, FILE *out)
{
    fprintf(out, "time          %.2f ns", r->ns);
    if (r->cycles >= 0.0)
        fprintf(out, ", %.1f cycles at %.2f GHz", r->cycles, r->time.hertz * 1e-9);
    fprintf(out, " a %s; least of %u rounds, the middle one takes %.1f %% more\n", lane_name(r),
            r->time.calm_rounds ? r->time.calm_rounds : r->time.rounds,
            100.0 * (r->time.median / r->time.seconds - 1.0));
    print_calmness(&r->time, out);
    fprintf(out, "instructions  ");
    if (r->instructions >= 0.0)
        fprintf(out, "%.1f of the processor a %s, counted one by one\n", r->instructions,
                lane_name(r));
    else
        fprintf(out, "of the processor are not counted: %s\n", why_not_counted(r));
}

static void print_limit(FILE *out, const char *name, uint32_t n, uint32_t max)
{
    fprintf(out, "%s%u", name, n);
    if (max)
        fprintf(out, " of %u", max);
}

static void print_budget(const struct cost_report *r, FILE *out)
{
    const struct vm_budget *b = &r->budget;

    print_limit(out, "slots         ", b->slots, b->max_slots);
    if (b->max_texture) {
        print_limit(out, "; texture ", b->texture, b->max_texture);
        print_limit(out, ", arithmetic ", b->arithmetic, b->max_arithmetic);
    }
    print_limit(out, "\nregisters     r# ", b->temps, b->max_temps);
    print_limit(out, ", c# ", b->constants, b->max_constants);
    fprintf(out, "%s", b->indexed ? " and by index" : "");
    print_limit(out, ", s# ", b->samplers, b->max_samplers);
    fprintf(out, "\n");
}

static void print_path(FILE *out, const struct vm_path *p)
{
    fprintf(out, "%" PRIu64 " slots, %" PRIu64 " instructions, %" PRIu64 " texture reads", p->slots,
            p->instructions, p->texture_reads);
}

static void print_paths(const struct cost_report *r, FILE *out)
{
    bool same = !memcmp(&r->shortest, &r->longest, sizeof(r->shortest));

    fprintf(out, "%s", same ? "path          " : "shortest path ");
    print_path(out, &r->shortest);
    if (!same) {
        fprintf(out, "\nlongest path  ");
        print_path(out, &r->longest);
    }
    fprintf(out, "\n");
}

static void print_machine(const struct cost_report *r, FILE *out)
{
    if (r->compiled)
        fprintf(out, "machine code  %s, %zu bytes, %u spilled values\n", cpu_isa_name(r->isa),
                r->code_bytes, r->spills);
    else
        fprintf(out, "machine code  none: the interpreter with the kernels of %s\n",
                cpu_isa_name(r->isa));
}

static void print_number(FILE *out, double x, int width, int digits)
{
    if (x < 0.0)
        fprintf(out, "%*s", width, "-");
    else
        fprintf(out, "%*.*f", width, digits, x);
}

static const char *rate_of(const struct vm_instr_operations *n)
{
    if (n->draw)
        return n->lane ? "both" : "draw";
    return n->lane ? "lane" : "-";
}

static void print_line(const struct cost_line *line, const char *number, const char *rate,
                       const char *text, FILE *out)
{
    print_number(out, line->share < 0.0 ? -1.0 : 100.0 * line->share, 6, 1);
    print_number(out, line->cycles, 8, 2);
    print_number(out, line->instructions, 8, 2);
    fprintf(out, "  %-4s %4s  %s\n", rate, number, text);
}

/* The line of the source, if it is another than that of the instruction before. The shader of a
 * text of assembly stands in its lines as it does here. */
static void print_source(const struct cost_line *line, const struct cost_line *before, FILE *out)
{
    bool same = before && before->line == line->line && !before->file == !line->file &&
                (!line->file || !strcmp(before->file, line->file));

    if (line->line && !line->assembly && !same)
        fprintf(out, "%34s// %s:%u\n", "", line->file ? line->file : "line", line->line);
}

static void print_lines(const struct cost_report *r, FILE *out)
{
    fprintf(out, "\n%6s%8s%8s  %-4s %4s\n", "%", "cycles", "instr.", "rate", "#");
    for (uint32_t i = 0; i < r->n_lines; i++) {
        char number[12];

        print_source(&r->line[i], i ? &r->line[i - 1] : NULL, out);
        snprintf(number, sizeof(number), "%u", i);
        print_line(&r->line[i], number, rate_of(&r->line[i].operations), r->line[i].text, out);
    }
    print_line(&r->rest, "", "", "entry and exit", out);
}

void cost_print(const struct cost_report *r, FILE *out)
{
    fprintf(out, "%s: %s\n\n", r->path, r->model);
    print_time(r, out);
    print_budget(r, out);
    print_paths(r, out);
    print_machine(r, out);
    print_lines(r, out);
}

/* --- Several ---------------------------------------------------------------------------------- */

void cost_print_table(const struct cost_report *const *report, size_t n, FILE *out)
{
    bool calm = true;

    fprintf(out, "%9s%9s%9s%7s%9s%7s%7s%7s  %-7s %s\n", "ns", "cycles", "instr.", "slots",
            "longest", "reads", "r#", "spills", "model", "shader");
    for (size_t i = 0; i < n; i++) {
        const struct cost_report *r = report[i];

        print_number(out, r->ns, 9, 2);
        print_number(out, r->cycles, 9, 1);
        print_number(out, r->instructions, 9, 1);
        fprintf(out, "%7u%9" PRIu64 "%7" PRIu64 "%7u%7u  %-7s %s%s\n", r->budget.slots,
                r->longest.slots, r->longest.texture_reads, r->budget.temps, r->spills, r->model,
                r->path, r->time.calm ? "" : " *");
        calm &= r->time.calm;
    }
    if (!calm)
        fprintf(out, "* The machine was not calm: measure again.\n");
}

/* A field in quotes. */
static void put_csv(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void put_csv_number(FILE *out, double x)
{
    if (x >= 0.0)
        fprintf(out, ",%.6g", x);
    else
        fprintf(out, ",");
}

static void print_csv_lines(const struct cost_report *r, FILE *out)
{
    for (uint32_t i = 0; i <= r->n_lines; i++) {
        const struct cost_line *line = i < r->n_lines ? &r->line[i] : &r->rest;

        put_csv(out, r->path);
        fprintf(out, i < r->n_lines ? ",%u," : ",,", i);
        put_csv(out, i < r->n_lines ? line->text : "entry and exit");
        fprintf(out, ",%s", i < r->n_lines ? rate_of(&line->operations) : "");
        put_csv_number(out, line->share);
        put_csv_number(out, line->ns);
        put_csv_number(out, line->cycles);
        put_csv_number(out, line->instructions);
        fprintf(out, ",");
        put_csv(out, line->file ? line->file : "");
        if (line->line)
            fprintf(out, ",%u\n", line->line);
        else
            fprintf(out, ",\n");
    }
}

void cost_print_csv(const struct cost_report *const *report, size_t n, FILE *out)
{
    fprintf(out, "shader,instruction,text,rate,share,ns,cycles,machine instructions,file,line\n");
    for (size_t i = 0; i < n; i++)
        print_csv_lines(report[i], out);
}
