/* A plot of the shaders: a row each, a dot for each instruction set and mode, time on a logarithmic
 * axis.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/results.h"

#include "util/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 190,
    WIDTH = 900,
    RIGHT = 24,
    TOP = 92,
    ROW = 19,
    BOTTOM = 44,
    LEGEND = 142,
    COLUMNS = 5
};

/* Colours that are told apart on white and on black; both modes of an instruction set share one. */
static const char style[] =
    "<style>\n"
    "svg { font: 12px system-ui, sans-serif; --back: #fff; --text: #1b1b1b; --weak: #5b5b5b;\n"
    "  --line: #ddd; --scalar: #6b6b6b; --sse2: #b85c00; --neon: #1d7a3e; --avx2: #0b6bb8;\n"
    "  --avx512: #8a2fb8 }\n"
    "@media (prefers-color-scheme: dark) { svg { --back: #161616; --text: #eee; --weak: #aaa;\n"
    "  --line: #3a3a3a; --scalar: #a8a8a8; --sse2: #f0a04b; --neon: #5fc987; --avx2: #5db0f5;\n"
    "  --avx512: #cf8df2 } }\n"
    ".back { fill: var(--back) } text { fill: var(--text) } .weak { fill: var(--weak) }\n"
    ".title { font-size: 15px; font-weight: 600 } .end { text-anchor: end }\n"
    ".middle { text-anchor: middle } line { stroke: var(--line) }\n"
    "circle { stroke-width: 1.6 } .interpreted { fill: var(--back) }\n"
    "</style>\n";

struct plot {
    const struct bench_results *results;
    struct bench_column column[BENCH_COLUMNS];
    unsigned columns;
    unsigned rows;
    double low, high; /* logarithms to base 10 of the ends of the axis */
    FILE *out;
};

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if ((unsigned char)*text >= 32)
            fputc(*text, out);
    }
}

/* --- Rows and the axis ------------------------------------------------------------------------ */

static double fastest(const struct plot *p, const char *name)
{
    double best = 0;

    for (unsigned c = 0; c < p->columns; c++) {
        const struct bench_figure *f = bench_cell(p->results, BENCH_SHADER, name, &p->column[c]);

        if (f && f->ns > 0 && (best <= 0 || f->ns < best))
            best = f->ns;
    }
    return best;
}

struct sorted {
    const struct bench_figure *figure;
    double ns;
};

static int compare(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns)
                          : strcmp(x->figure->name, y->figure->name);
}

/* The shaders, the fastest first. NULL: out of memory. */
static struct sorted *sort_shaders(struct plot *p)
{
    const struct bench_results *r = p->results;
    struct sorted *list = mem_alloc((r->n + 1) * sizeof(*list));

    for (unsigned i = 0; list && i < r->n; i++) {
        const struct bench_figure *f = &r->figure[i];
        unsigned k = 0;

        if (f->group != BENCH_SHADER || f->threads != 1 || f->ns <= 0)
            continue;
        while (k < p->rows && strcmp(list[k].figure->name, f->name) != 0)
            k++;
        if (k == p->rows)
            list[p->rows++] = (struct sorted){f, fastest(p, f->name)};
        if (p->rows == 1 && k == 0 && p->low > p->high)
            p->low = p->high = log10(f->ns);
        p->low = fmin(p->low, log10(f->ns));
        p->high = fmax(p->high, log10(f->ns));
    }
    if (list)
        qsort(list, p->rows, sizeof(*list), compare);
    return list;
}

static double x_of(const struct plot *p, double ns)
{
    return LEFT + (log10(ns) - p->low) / (p->high - p->low) * (WIDTH - LEFT - RIGHT);
}

static void put_axis(const struct plot *p, double bottom)
{
    static const double steps[] = {1, 2, 5};

    for (int decade = (int)floor(p->low) - 1; decade <= (int)ceil(p->high); decade++)
        for (unsigned k = 0; k < 3; k++) {
            double ns = steps[k] * pow(10, decade), x = x_of(p, ns);

            if (log10(ns) < p->low - 1e-9 || log10(ns) > p->high + 1e-9)
                continue;
            fprintf(p->out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.0f\"/>\n", x, TOP, x,
                    bottom);
            fprintf(p->out, "<text class=\"middle weak\" x=\"%.1f\" y=\"%.0f\">%g</text>\n", x,
                    bottom + 16, ns);
        }
    fprintf(p->out, "<text class=\"middle weak\" x=\"%d\" y=\"%.0f\">ns a lane</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, bottom + 34);
}

/* --- Dots ------------------------------------------------------------------------------------- */

static void put_dot(const struct plot *p, const struct bench_column *column, double x, double y)
{
    const char *isa = cpu_isa_name(column->isa);

    fprintf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" style=\"stroke: var(--%s)%s%s%s\"%s>",
            x, y, isa, column->interpreted ? "" : "; fill: var(--", column->interpreted ? "" : isa,
            column->interpreted ? "" : ")", column->interpreted ? " class=\"interpreted\"" : "");
}

static void put_row(const struct plot *p, const struct bench_figure *shader, double y)
{
    fprintf(p->out, "<text class=\"end\" x=\"%d\" y=\"%.1f\">", LEFT - 64, y + 4);
    put_text(p->out, shader->name);
    fprintf(p->out, "</text><text class=\"end weak\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT - 12,
            y + 4, shader->profile);
    fprintf(p->out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT, y, WIDTH - RIGHT,
            y);
    for (unsigned c = p->columns; c-- > 0;) {
        const struct bench_figure *f =
            bench_cell(p->results, BENCH_SHADER, shader->name, &p->column[c]);

        if (!f || f->ns <= 0)
            continue;
        put_dot(p, &p->column[c], x_of(p, f->ns), y);
        fprintf(p->out, "<title>");
        put_text(p->out, f->name);
        fprintf(p->out, ", %s, %s: %.4g ns a lane</title></circle>\n", cpu_isa_name(f->isa),
                bench_mode(f->interpreted), f->ns);
    }
}

static void put_legend(const struct plot *p)
{
    for (unsigned c = 0; c < p->columns; c++) {
        double x = 18 + LEGEND * (c % COLUMNS), y = 58 + 16 * (c / COLUMNS);

        put_dot(p, &p->column[c], x, y);
        fprintf(p->out, "</circle><text x=\"%.1f\" y=\"%.1f\">%s%s</text>\n", x + 9, y + 4,
                cpu_isa_name(p->column[c].isa), p->column[c].interpreted ? ", interpreted" : "");
    }
}

static void put_plot(const struct plot *p, const struct sorted *list)
{
    const struct bench_results *r = p->results;
    double bottom = TOP + ROW * (p->rows + 0.5);

    fprintf(p->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
            "width=\"%d\" height=\"%.0f\" role=\"img\">\n"
            "<title>Shaders: ns a lane on one thread</title>\n%s"
            "<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n",
            WIDTH, bottom + BOTTOM, WIDTH, bottom + BOTTOM, style);
    fprintf(p->out, "<text class=\"title\" x=\"12\" y=\"22\">Shaders on one thread</text>\n"
                    "<text class=\"weak\" x=\"12\" y=\"40\">");
    put_text(p->out, r->processor);
    fprintf(p->out, "; novem %s, %s%s</text>\n", r->novem, r->build,
            bench_is_calm(r) ? "" : "; the machine was not calm");
    put_legend(p);
    put_axis(p, bottom);
    for (unsigned i = 0; i < p->rows; i++)
        put_row(p, list[i].figure, TOP + ROW * (i + 0.75));
    fprintf(p->out, "</svg>\n");
}

bool bench_print_svg(const struct bench_results *results, FILE *out)
{
    struct plot p = {.results = results, .low = 1, .high = 0, .out = out};
    struct sorted *list;

    p.columns = bench_columns(results, true, p.column);
    if (!(list = sort_shaders(&p)) || !p.rows) {
        mem_free(list);
        return false;
    }
    p.low -= 0.05;
    p.high += 0.05;
    put_plot(&p, list);
    mem_free(list);
    return true;
}
