/* Costs as JSON.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/report.h"

/* Numbers that are not known are left out. */
static void put_number(cJSON *o, const char *name, double x, bool *failed)
{
    if (x >= 0.0 && !cJSON_AddNumberToObject(o, name, x))
        *failed = true;
}

static void put_text(cJSON *o, const char *name, const char *text, bool *failed)
{
    if (!cJSON_AddStringToObject(o, name, text))
        *failed = true;
}

static void put_budget(cJSON *o, const struct vm_budget *b, bool *failed)
{
    const struct {
        const char *name, *limit;
        uint32_t n, max;
    } rows[] = {{"slots", "slots_limit", b->slots, b->max_slots},
                {"texture_slots", "texture_slots_limit", b->texture, b->max_texture},
                {"arithmetic_slots", "arithmetic_slots_limit", b->arithmetic, b->max_arithmetic},
                {"temporaries", "temporaries_limit", b->temps, b->max_temps},
                {"constants", "constants_limit", b->constants, b->max_constants},
                {"samplers", "samplers_limit", b->samplers, b->max_samplers}};

    *failed |= !cJSON_AddBoolToObject(o, "indexed_constants", b->indexed);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool is_split = i == 1 || i == 2;

        if (is_split && !rows[i].max)
            continue;
        put_number(o, rows[i].name, rows[i].n, failed);
        if (rows[i].max)
            put_number(o, rows[i].limit, rows[i].max, failed);
    }
}

static void put_path(cJSON *o, const char *name, const struct vm_path *path, bool *failed)
{
    cJSON *p = cJSON_AddObjectToObject(o, name);

    *failed |= !p;
    put_number(p, "slots", (double)path->slots, failed);
    put_number(p, "instructions", (double)path->instructions, failed);
    put_number(p, "texture_reads", (double)path->texture_reads, failed);
}

static void put_weights(cJSON *o, const struct cost_line *line, bool *failed)
{
    put_number(o, "share", line->share, failed);
    put_number(o, "ns", line->ns, failed);
    put_number(o, "cycles", line->cycles, failed);
    put_number(o, "machine_instructions", line->instructions, failed);
}

static cJSON *line_of(const struct cost_line *line, bool *failed)
{
    cJSON *o = cJSON_CreateObject();

    *failed |= !o;
    put_text(o, "text", line->text, failed);
    if (line->file)
        put_text(o, "file", line->file, failed);
    if (line->line)
        put_number(o, "line", line->line, failed);
    put_number(o, "operations_draw", line->operations.draw, failed);
    put_number(o, "operations_lane", line->operations.lane, failed);
    put_weights(o, line, failed);
    return o;
}

static void put_lines(cJSON *o, const struct cost_report *r, bool *failed)
{
    cJSON *list = cJSON_AddArrayToObject(o, "instructions"), *rest;

    for (uint32_t i = 0; list && i < r->n_lines; i++) {
        cJSON *line = line_of(&r->line[i], failed);

        if (!cJSON_AddItemToArray(list, line)) {
            cJSON_Delete(line);
            *failed = true;
        }
    }
    rest = cJSON_AddObjectToObject(o, "rest");
    put_weights(rest, &r->rest, failed);
    *failed |= !list || !rest;
}

static cJSON *shader_of(const struct cost_report *r, bool *failed)
{
    cJSON *o = cJSON_CreateObject();

    *failed |= !o;
    put_text(o, "shader", r->path, failed);
    put_text(o, "model", r->model, failed);
    put_text(o, "isa", cpu_isa_name(r->isa), failed);
    *failed |= !cJSON_AddBoolToObject(o, "compiled", r->compiled);
    *failed |= !cJSON_AddBoolToObject(o, "calm", r->time.calm);
    put_number(o, "lanes", r->lanes, failed);
    put_number(o, "ns", r->ns, failed);
    put_number(o, "cycles", r->cycles, failed);
    put_number(o, "ghz", r->time.hertz > 0.0 ? r->time.hertz * 1e-9 : -1.0, failed);
    put_number(o, "spread", r->time.median / r->time.seconds - 1.0, failed);
    put_number(o, "difference", r->time.difference, failed);
    put_number(o, "rounds", r->time.rounds, failed);
    put_number(o, "calm_rounds", r->time.calm_rounds, failed);
    put_number(o, "samples", (double)r->samples, failed);
    put_number(o, "machine_instructions", r->instructions, failed);
    put_number(o, "machine_code_bytes", r->compiled ? (double)r->code_bytes : -1.0, failed);
    put_number(o, "spills", r->compiled ? r->spills : -1.0, failed);
    put_budget(o, &r->budget, failed);
    put_path(o, "shortest_path", &r->shortest, failed);
    put_path(o, "longest_path", &r->longest, failed);
    put_lines(o, r, failed);
    return o;
}

cJSON *cost_json(const struct cost_report *const *report, size_t n)
{
    cJSON *all = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(all, "shaders");
    bool failed = !all || !list;

    for (size_t i = 0; i < n && !failed; i++) {
        cJSON *shader = shader_of(report[i], &failed);

        if (!cJSON_AddItemToArray(list, shader)) {
            cJSON_Delete(shader);
            failed = true;
        }
    }
    if (!failed)
        return all;
    cJSON_Delete(all);
    return NULL;
}
