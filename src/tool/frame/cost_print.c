/* Costs of a frame as CSV and as folded stacks.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost.h"

#include <inttypes.h>

static const char *const stage_name[2] = {"vertex", "pixel"};

/* --- CSV -------------------------------------------------------------------------------------- */

/* Quoted, so that separators and quotes in names stay what they are. */
static void put_csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void put_csv_seconds(FILE *out, bool known, double seconds)
{
    if (known)
        fprintf(out, ",%.9f\n", seconds);
    else
        fprintf(out, ",\n");
}

static void put_csv_event(FILE *out, const struct frame_cost *cost,
                          const struct frame_cost_event *e)
{
    const uint64_t values[] = {
        e->references, e->vertices,       e->primitives,      e->outside,        e->culled,
        e->clipped,    e->drawn,          e->covered,         e->killed,         e->alpha_failed,
        e->tested,     e->stencil_failed, e->depth_failed,    e->passed,         e->shaded,
        e->written,    e->lookups,        e->instructions[0], e->instructions[1]};

    fprintf(out, "%" PRIu64 ",", e->call);
    put_csv_text(out, e->name);
    fputc(',', out);
    put_csv_text(out, e->marker);
    fprintf(out, ",%" PRIu32, e->target);
    for (unsigned k = 0; k < 2; k++)
        fprintf(out, ",%s", e->shader[k] == FRAME_COST_NONE ? "" : cost->shader[e->shader[k]].id);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        fprintf(out, ",%" PRIu64, values[i]);
    put_csv_seconds(out, e->seconds >= 0.0, e->seconds);
}

void frame_cost_print_csv(const struct frame_cost *cost, FILE *out)
{
    fprintf(out, "call,name,marker,target,vertex_shader,pixel_shader,references,vertices,"
                 "primitives,outside,culled,clipped,drawn,covered,killed,alpha_failed,tested,"
                 "stencil_failed,depth_failed,passed,shaded,written,samples,"
                 "vertex_instructions,pixel_instructions,seconds\n");
    for (uint32_t i = 0; i < cost->n_events; i++)
        put_csv_event(out, cost, &cost->event[i]);
}

/* --- Folded stacks ---------------------------------------------------------------------------- */

/* A pass is a run of draws to one target. */
void frame_cost_print_folded(const struct frame_cost *cost, FILE *out)
{
    uint32_t pass = 0, target = 0;

    for (uint32_t i = 0; i < cost->n_events; i++) {
        const struct frame_cost_event *e = &cost->event[i];

        if (!e->draw)
            continue;
        if (!pass || e->target != target)
            pass++;
        target = e->target;
        for (unsigned k = 0; k < 2; k++)
            if (e->instructions[k])
                fprintf(out,
                        "frame %" PRIu64 ";pass %" PRIu32 " (target %" PRIu32 ")%s%s;%" PRIu64
                        " %s;%s %" PRIu64 "\n",
                        cost->frame, pass, target, *e->marker ? ";" : "", e->marker, e->call,
                        e->name, stage_name[k], e->instructions[k]);
    }
}
