/* Costs of a frame as an aligned table, the costliest first.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, CELL = 48 };

struct row {
    char cell[COLUMNS][CELL];
};

/* Rows of text; the first is the head, the last has the totals. */
struct table {
    unsigned columns, left; /* left: columns that are aligned to the left */
    struct row *row;
    size_t n;
};

static void print_table(const struct table *t, FILE *out)
{
    size_t width[COLUMNS] = {0};

    for (size_t i = 0; i < t->n; i++)
        for (unsigned c = 0; c < t->columns; c++)
            if (strlen(t->row[i].cell[c]) > width[c])
                width[c] = strlen(t->row[i].cell[c]);
    for (size_t i = 0; i < t->n; i++)
        for (unsigned c = 0; c < t->columns; c++) {
            int w = (int)width[c];

            fprintf(out, "%s%*s%s", c ? "  " : "", c < t->left ? -w : w, t->row[i].cell[c],
                    c + 1 == t->columns ? "\n" : "");
        }
}

static void set_count(char cell[CELL], uint64_t value)
{
    snprintf(cell, CELL, "%" PRIu64, value);
}

static void set_ms(char cell[CELL], bool known, double seconds)
{
    if (known)
        snprintf(cell, CELL, "%.3f", seconds * 1e3);
    else
        snprintf(cell, CELL, "-");
}

static void set_head(struct row *row, const char *const *names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        snprintf(row->cell[i], CELL, "%s", names[i]);
}

/* --- Draws ------------------------------------------------------------------------------------ */

static int compare(double x, double y, uint64_t a, uint64_t b, uint64_t order_a, uint64_t order_b)
{
    if (x != y)
        return x < y ? 1 : -1;
    if (a != b)
        return a < b ? 1 : -1;
    return order_a < order_b ? -1 : order_a > order_b;
}

static int by_cost(const void *a, const void *b)
{
    const struct frame_cost_event *x = *(const struct frame_cost_event *const *)a,
                                  *y = *(const struct frame_cost_event *const *)b;

    return compare(x->seconds, y->seconds, x->instructions[0] + x->instructions[1],
                   y->instructions[0] + y->instructions[1], x->call, y->call);
}

static void set_event(struct row *row, const struct frame_cost_event *e, bool timed)
{
    const uint64_t values[] = {
        e->target,         e->vertices, e->primitives, e->outside + e->culled,
        e->clipped,        e->drawn,    e->covered,    e->tested,
        e->shaded,         e->written,  e->lookups,    e->instructions[0],
        e->instructions[1]};

    snprintf(row->cell[0], CELL, "%" PRIu64, e->call);
    snprintf(row->cell[1], CELL, "%s", e->name);
    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        set_count(row->cell[2 + i], values[i]);
    set_ms(row->cell[15], timed, e->seconds);
}

static void add_event(struct frame_cost_event *sum, const struct frame_cost_event *e)
{
    sum->vertices += e->vertices;
    sum->primitives += e->primitives;
    sum->outside += e->outside;
    sum->culled += e->culled;
    sum->clipped += e->clipped;
    sum->drawn += e->drawn;
    sum->covered += e->covered;
    sum->tested += e->tested;
    sum->shaded += e->shaded;
    sum->written += e->written;
    sum->lookups += e->lookups;
    sum->instructions[0] += e->instructions[0];
    sum->instructions[1] += e->instructions[1];
    sum->seconds += e->seconds > 0.0 ? e->seconds : 0.0;
}

static bool fill_draws(struct table *t, const struct frame_cost *cost)
{
    static const char *const names[COLUMNS] = {
        "call",    "name",   "target", "vertices", "primitives", "culled",  "clipped", "drawn",
        "covered", "tested", "shaded", "written",  "samples",    "v instr", "p instr", "ms"};
    const struct frame_cost_event **order = mem_alloc((cost->n_events + 1) * sizeof(*order));
    struct frame_cost_event sum = {.draw = true};

    if (!order)
        return false;
    t->columns = COLUMNS;
    t->left = 2;
    for (uint32_t i = 0; i < cost->n_events; i++)
        order[i] = &cost->event[i];
    qsort(order, cost->n_events, sizeof(*order), by_cost);
    set_head(&t->row[0], names, COLUMNS);
    for (uint32_t i = 0; i < cost->n_events; i++) {
        set_event(&t->row[1 + i], order[i], cost->timed);
        add_event(&sum, order[i]);
    }
    set_event(&t->row[t->n - 1], &sum, cost->timed);
    strcpy(t->row[t->n - 1].cell[0], "total");
    t->row[t->n - 1].cell[2][0] = 0;
    mem_free(order);
    return true;
}

/* --- Shaders ---------------------------------------------------------------------------------- */

static int by_shader_cost(const void *a, const void *b)
{
    const struct frame_cost_shader *x = *(const struct frame_cost_shader *const *)a,
                                   *y = *(const struct frame_cost_shader *const *)b;

    return compare((double)x->instructions, (double)y->instructions, x->invocations, y->invocations,
                   x < y ? 0 : 1, x < y ? 1 : 0);
}

static void set_shader(struct row *row, const struct frame_cost_shader *s, bool timed)
{
    snprintf(row->cell[0], CELL, "%s", s->id);
    snprintf(row->cell[1], CELL, "%s", s->pixel ? "pixel" : "vertex");
    set_count(row->cell[2], s->draws);
    set_count(row->cell[3], s->invocations);
    set_count(row->cell[4], s->instructions);
    set_count(row->cell[5], s->lookups);
    set_ms(row->cell[6], timed, s->seconds);
}

/* Draws and times have no totals: both shaders of a draw count it. */
static bool fill_shaders(struct table *t, const struct frame_cost *cost)
{
    static const char *const names[7] = {"shader",       "kind",    "draws", "invocations",
                                         "instructions", "samples", "ms"};
    const struct frame_cost_shader **order = mem_alloc((cost->n_shaders + 1) * sizeof(*order));
    struct frame_cost_shader sum = {.id = "total"};

    if (!order)
        return false;
    t->columns = 7;
    t->left = 2;
    for (uint32_t i = 0; i < cost->n_shaders; i++)
        order[i] = &cost->shader[i];
    qsort(order, cost->n_shaders, sizeof(*order), by_shader_cost);
    set_head(&t->row[0], names, 7);
    for (uint32_t i = 0; i < cost->n_shaders; i++) {
        set_shader(&t->row[1 + i], order[i], cost->timed);
        sum.invocations += order[i]->invocations;
        sum.instructions += order[i]->instructions;
        sum.lookups += order[i]->lookups;
    }
    set_shader(&t->row[t->n - 1], &sum, false);
    t->row[t->n - 1].cell[1][0] = t->row[t->n - 1].cell[2][0] = t->row[t->n - 1].cell[6][0] = 0;
    mem_free(order);
    return true;
}

/* --- Output ----------------------------------------------------------------------------------- */

static void print_targets(const struct frame_cost *cost, FILE *out)
{
    fprintf(out, "\n");
    for (uint32_t i = 0; i < cost->n_targets; i++) {
        const struct frame_cost_target *t = &cost->target[i];

        fprintf(out, "%s %" PRIu32 ", %" PRIu32 "x%" PRIu32, t->depth ? "depth" : "target",
                t->resource, t->width, t->height);
        if (t->samples > 1)
            fprintf(out, ", %" PRIu32 " samples", t->samples);
        fprintf(out, ": %" PRIu64 " samples written, overdraw %.2f\n", t->written, t->overdraw);
    }
}

bool frame_cost_print_table(const struct frame_cost *cost, bool by_shader, FILE *out)
{
    struct table t = {.n = (by_shader ? cost->n_shaders : cost->n_events) + (size_t)2};

    t.row = mem_calloc(t.n, sizeof(*t.row));
    if (!t.row || !(by_shader ? fill_shaders(&t, cost) : fill_draws(&t, cost))) {
        mem_free(t.row);
        return false;
    }
    print_table(&t, out);
    mem_free(t.row);
    if (!by_shader && cost->n_targets)
        print_targets(cost, out);
    return true;
}
