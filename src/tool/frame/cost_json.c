/* Costs of a frame as JSON.
 *
 * Tested by tests/unit/tool/frame/test_cost.c. */
#include "tool/frame/cost_json.h"

#include <math.h>

/* Puts the value into the object, or notes that memory is short. */
static void put(cJSON *object, const char *name, cJSON *value, bool *failed)
{
    if (value && cJSON_AddItemToObject(object, name, value))
        return;
    cJSON_Delete(value);
    *failed = true;
}

struct count {
    const char *name;
    uint64_t value;
};

/* Counts are exact up to 2^53. */
static void put_counts(cJSON *object, const struct count *counts, size_t n, bool *failed)
{
    for (size_t i = 0; i < n; i++)
        put(object, counts[i].name, cJSON_CreateNumber((double)counts[i].value), failed);
}

#define PUT_COUNTS(object, failed, ...)                                                            \
    put_counts(object, (const struct count[]){__VA_ARGS__},                                        \
               sizeof((const struct count[]){__VA_ARGS__}) / sizeof(struct count), failed)

/* Rounded to nanoseconds. */
static cJSON *seconds_of(double seconds)
{
    return cJSON_CreateNumber(round(seconds * 1e9) / 1e9);
}

static cJSON *event_of(const struct frame_cost *cost, const struct frame_cost_event *e,
                       bool *failed)
{
    static const char *const shader[2] = {"vertex_shader", "pixel_shader"};
    cJSON *o = cJSON_CreateObject();

    PUT_COUNTS(o, failed, {"call", e->call});
    put(o, "name", cJSON_CreateString(e->name), failed);
    put(o, "marker", cJSON_CreateString(e->marker), failed);
    for (unsigned k = 0; k < 2; k++)
        if (e->shader[k] != FRAME_COST_NONE)
            put(o, shader[k], cJSON_CreateString(cost->shader[e->shader[k]].id), failed);
    PUT_COUNTS(o, failed, {"target", e->target}, {"references", e->references},
               {"vertices", e->vertices}, {"primitives", e->primitives}, {"outside", e->outside},
               {"culled", e->culled}, {"clipped", e->clipped}, {"drawn", e->drawn},
               {"covered", e->covered}, {"killed", e->killed}, {"alpha_failed", e->alpha_failed},
               {"tested", e->tested}, {"stencil_failed", e->stencil_failed},
               {"depth_failed", e->depth_failed}, {"passed", e->passed}, {"shaded", e->shaded},
               {"written", e->written}, {"samples", e->lookups},
               {"vertex_instructions", e->instructions[0]},
               {"pixel_instructions", e->instructions[1]});
    if (e->seconds >= 0.0)
        put(o, "seconds", seconds_of(e->seconds), failed);
    return o;
}

static cJSON *shader_of(const struct frame_cost *cost, const struct frame_cost_shader *s,
                        bool *failed)
{
    cJSON *o = cJSON_CreateObject(), *lines = cJSON_CreateArray();

    put(o, "id", cJSON_CreateString(s->id), failed);
    put(o, "kind", cJSON_CreateString(s->pixel ? "pixel" : "vertex"), failed);
    PUT_COUNTS(o, failed, {"draws", s->draws}, {"invocations", s->invocations},
               {"instructions", s->instructions}, {"samples", s->lookups});
    if (cost->timed)
        put(o, "seconds", seconds_of(s->seconds), failed);
    for (uint32_t i = 0; i < s->n_lines; i++)
        *failed |= !cJSON_AddItemToArray(lines, cJSON_CreateNumber((double)s->line[i]));
    put(o, "lines", lines, failed);
    return o;
}

static cJSON *target_of(const struct frame_cost_target *t, bool *failed)
{
    cJSON *o = cJSON_CreateObject();

    PUT_COUNTS(o, failed, {"resource", t->resource}, {"width", t->width}, {"height", t->height},
               {"multisamples", t->samples}, {"written", t->written});
    put(o, "depth", cJSON_CreateBool(t->depth), failed);
    put(o, "overdraw", cJSON_CreateNumber(t->overdraw), failed);
    return o;
}

cJSON *frame_cost_json(const struct frame_cost *cost)
{
    cJSON *all = cJSON_CreateObject(), *events = cJSON_CreateArray(),
          *shaders = cJSON_CreateArray(), *targets = cJSON_CreateArray();
    bool failed = !all;

    PUT_COUNTS(all, &failed, {"frame", cost->frame});
    for (uint32_t i = 0; i < cost->n_events; i++)
        failed |= !cJSON_AddItemToArray(events, event_of(cost, &cost->event[i], &failed));
    for (uint32_t i = 0; i < cost->n_shaders; i++)
        failed |= !cJSON_AddItemToArray(shaders, shader_of(cost, &cost->shader[i], &failed));
    for (uint32_t i = 0; i < cost->n_targets; i++)
        failed |= !cJSON_AddItemToArray(targets, target_of(&cost->target[i], &failed));
    put(all, "events", events, &failed);
    put(all, "shaders", shaders, &failed);
    put(all, "targets", targets, &failed);
    if (!failed)
        return all;
    cJSON_Delete(all);
    return NULL;
}

bool frame_cost_print_json(const struct frame_cost *cost, FILE *out)
{
    cJSON *all = frame_cost_json(cost);
    char *text = all ? cJSON_PrintUnformatted(all) : NULL;

    if (text)
        fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(all);
    return text != NULL;
}
