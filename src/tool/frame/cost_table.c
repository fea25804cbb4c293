/* Costs of a frame as an aligned table, the costliest first.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost.h"
#include "tool/frame/text_table.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void set_event(struct text_row *row, const struct frame_cost_event *e, bool timed)
{
    const uint64_t values[] = {
        e->target,         e->vertices, e->primitives, e->outside + e->culled,
        e->clipped,        e->drawn,    e->covered,    e->tested,
        e->shaded,         e->written,  e->lookups,    e->instructions[0],
        e->instructions[1]};

    snprintf(row->cell[0], TEXT_CELL, "%" PRIu64, e->call);
    snprintf(row->cell[1], TEXT_CELL, "%s", e->name);
    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        text_table_count(row->cell[2 + i], values[i]);
    text_table_ms(row->cell[15], timed, e->seconds);
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

static bool fill_draws(struct text_table *t, const struct frame_cost *cost)
{
    static const char *const names[TEXT_COLUMNS] = {
        "call",    "name",   "target", "vertices", "primitives", "culled",  "clipped", "drawn",
        "covered", "tested", "shaded", "written",  "samples",    "v instr", "p instr", "ms"};
    const struct frame_cost_event **order = mem_alloc((cost->n_events + 1) * sizeof(*order));
    struct frame_cost_event sum = {.draw = true};

    if (!order)
        return false;
    t->columns = TEXT_COLUMNS;
    t->left = 2;
    for (uint32_t i = 0; i < cost->n_events; i++)
        order[i] = &cost->event[i];
    qsort(order, cost->n_events, sizeof(*order), by_cost);
    text_table_head(&t->row[0], names, TEXT_COLUMNS);
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

bool frame_cost_print_table(const struct frame_cost *cost, FILE *out)
{
    struct text_table t = {.n = cost->n_events + (size_t)2};

    t.row = mem_calloc(t.n, sizeof(*t.row));
    if (!t.row || !fill_draws(&t, cost)) {
        mem_free(t.row);
        return false;
    }
    text_table_print(&t, out);
    mem_free(t.row);
    if (cost->n_targets)
        print_targets(cost, out);
    return true;
}
