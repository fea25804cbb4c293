/* Costs of shaders as a table, as CSV, as JSON, and as files of assembly.
 *
 * Tested by tests/unit/tool/frame/test_shader_costs.c. */
#include "tool/frame/shader_costs.h"

#include "tool/cli/cli.h"
#include "tool/frame/text_table.h"
#include "util/alloc.h"
#include "util/path.h"
#include "util/plural.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const kinds[2] = {"vertex", "pixel"};

void frame_shader_model(const struct frame_shader *shader, char out[16])
{
    const char *from = shader->text + strspn(shader->text, " \t\n");

    snprintf(out, 16, "%.*s", (int)strcspn(from, " \r\n"), from);
}

/* --- Table ------------------------------------------------------------------------------------ */

enum { SHADER_COLUMNS = 11 };

static void set_shader(struct text_row *row, const struct frame_shader *s, bool timed,
                       uint64_t total)
{
    snprintf(row->cell[0], TEXT_CELL, "%s", s->id);
    frame_shader_model(s, row->cell[1]);
    text_table_count(row->cell[2], s->frames);
    text_table_count(row->cell[3], s->draws);
    text_table_count(row->cell[4], s->invocations);
    text_table_count(row->cell[5], s->instructions);
    snprintf(row->cell[6], TEXT_CELL, "%.1f %%",
             total ? 100.0 * (double)s->instructions / (double)total : 0.0);
    text_table_count(row->cell[7], s->lookups);
    text_table_ms(row->cell[8], timed, s->seconds);
    text_table_count(row->cell[9], s->most_frame);
    text_table_count(row->cell[10], s->most_call);
}

/* Draws and times have no totals: both shaders of a draw count it. */
static void set_total(struct text_row *row, const struct frame_shader *sum)
{
    snprintf(row->cell[0], TEXT_CELL, "total");
    text_table_count(row->cell[4], sum->invocations);
    text_table_count(row->cell[5], sum->instructions);
    text_table_count(row->cell[7], sum->lookups);
}

bool frame_shaders_print_table(const struct frame_shaders *all, FILE *out)
{
    static const char *const names[SHADER_COLUMNS] = {
        "shader",  "model", "frames",           "draws", "invocations", "instructions", "share",
        "samples", "ms",    "costliest: frame", "call"};
    struct text_table t = {.columns = SHADER_COLUMNS, .left = 2, .n = all->n + (size_t)2};
    struct frame_shader sum = {0};

    if (!(t.row = mem_calloc(t.n, sizeof(*t.row))))
        return false;
    for (uint32_t i = 0; i < all->n; i++) {
        sum.invocations += all->shader[i].invocations;
        sum.instructions += all->shader[i].instructions;
        sum.lookups += all->shader[i].lookups;
    }
    text_table_head(&t.row[0], names, SHADER_COLUMNS);
    for (uint32_t i = 0; i < all->n; i++)
        set_shader(&t.row[1 + i], &all->shader[i], all->timed, sum.instructions);
    set_total(&t.row[t.n - 1], &sum);
    text_table_print(&t, out);
    mem_free(t.row);
    return true;
}

/* --- CSV -------------------------------------------------------------------------------------- */

void frame_shaders_print_csv(const struct frame_shaders *all, FILE *out)
{
    fprintf(out, "id,kind,draws,invocations,instructions,samples,seconds,model,frames,"
                 "costliest_frame,costliest_call\n");
    for (uint32_t i = 0; i < all->n; i++) {
        const struct frame_shader *s = &all->shader[i];
        char model[16];

        frame_shader_model(s, model);
        fprintf(out, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", s->id,
                kinds[s->pixel], s->draws, s->invocations, s->instructions, s->lookups);
        if (all->timed)
            fprintf(out, "%.9f", s->seconds);
        fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", model, s->frames, s->most_frame,
                s->most_call);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static bool put_count(cJSON *object, const char *name, uint64_t value)
{
    return cJSON_AddNumberToObject(object, name, (double)value);
}

/* Rounded to nanoseconds. */
static bool put_seconds(cJSON *object, double seconds)
{
    return seconds < 0 || cJSON_AddNumberToObject(object, "seconds", round(seconds * 1e9) / 1e9);
}

static bool put_use(cJSON *uses, const struct frame_shader_use *use)
{
    cJSON *o = cJSON_CreateObject();

    if (!o || !cJSON_AddItemToArray(uses, o)) {
        cJSON_Delete(o);
        return false;
    }
    return put_count(o, "frame", use->frame) && put_count(o, "call", use->call) &&
           put_count(o, "invocations", use->invocations) &&
           put_count(o, "instructions", use->instructions) && put_seconds(o, use->seconds);
}

static bool fill_shader(cJSON *o, const struct frame_shaders *all, const struct frame_shader *s)
{
    cJSON *lines, *uses;
    char model[16];

    frame_shader_model(s, model);
    if (!cJSON_AddStringToObject(o, "id", s->id) ||
        !cJSON_AddStringToObject(o, "kind", kinds[s->pixel]) ||
        !cJSON_AddStringToObject(o, "model", model) ||
        !cJSON_AddBoolToObject(o, "generated", s->generated) ||
        !put_count(o, "frames", s->frames) || !put_count(o, "draws", s->draws) ||
        !put_count(o, "invocations", s->invocations) ||
        !put_count(o, "instructions", s->instructions) || !put_count(o, "samples", s->lookups) ||
        !put_seconds(o, all->timed ? s->seconds : -1) ||
        !(lines = cJSON_AddArrayToObject(o, "lines")) ||
        !(uses = cJSON_AddArrayToObject(o, "uses")))
        return false;
    for (uint32_t i = 0; i < s->n_lines; i++)
        if (!cJSON_AddItemToArray(lines, cJSON_CreateNumber((double)s->line[i])))
            return false;
    for (uint32_t i = 0; i < s->n_uses; i++)
        if (!put_use(uses, &s->use[i]))
            return false;
    return true;
}

/* A shader a line. */
bool frame_shaders_print_json(const struct frame_shaders *all, FILE *out)
{
    bool good = true;

    fprintf(out, "{\"frames\":[%" PRIu64 ",%" PRIu64 "],\"shaders\":[\n", all->first, all->last);
    for (uint32_t i = 0; i < all->n && good; i++) {
        cJSON *o = cJSON_CreateObject();
        char *text = o && fill_shader(o, all, &all->shader[i]) ? cJSON_PrintUnformatted(o) : NULL;

        good = text;
        if (good)
            fprintf(out, "%s%s\n", text, i + 1 < all->n ? "," : "");
        cJSON_free(text);
        cJSON_Delete(o);
    }
    fprintf(out, "]}\n");
    return good;
}

/* --- Files ------------------------------------------------------------------------------------ */

static void put_file(const struct frame_shader *s, const char *capture, FILE *out)
{
    const char *slash = strrchr(capture, '/');
    double executed = s->invocations ? (double)s->instructions / (double)s->invocations : 0;

    fprintf(out,
            "; A %s shader of %s%s: " PLURAL_FORMAT " in " PLURAL_FORMAT ", " PLURAL_FORMAT ".\n"
            "; Costliest draw: frame %" PRIu64 ", call %" PRIu64 "%s\n%s",
            kinds[s->pixel], slash ? slash + 1 : capture,
            s->generated ? ", generated for the fixed function" : "",
            PLURAL(s->draws, "draw", "draws"), PLURAL(s->frames, "frame", "frames"),
            PLURAL(s->invocations, "invocation", "invocations"), s->most_frame, s->most_call,
            s->settings && *s->settings ? ", which has these constants." : ".",
            s->settings ? s->settings : "");
    if (executed >= 0.5)
        fprintf(out, "; executes %.0f\n", executed);
    fputs(s->text, out);
}

static int write_shader(const struct frame_shader *s, const char *command, const char *capture,
                        const char *folder)
{
    char path[4096];
    FILE *out;

    if (snprintf(path, sizeof(path), "%s/%s.asm", folder, s->id) >= (int)sizeof(path))
        return tool_error(command, "%s: the name is too long", folder);
    if (!(out = path_open(path, "w")))
        return tool_write_error(command, path);
    put_file(s, capture, out);
    errno = 0;
    return tool_file_close(out, path) ? TOOL_OK : tool_write_error(command, path);
}

int frame_shaders_write(const struct frame_shaders *all, const char *command, const char *capture,
                        const char *folder)
{
    int code = TOOL_OK;

    if (!path_make_folder(folder) && errno != EEXIST)
        return tool_write_error(command, folder);
    for (uint32_t i = 0; i < all->n && code == TOOL_OK; i++)
        code = write_shader(&all->shader[i], command, capture, folder);
    fflush(stdout);
    if (code == TOOL_OK && all->n)
        fprintf(stderr, PLURAL_FORMAT " in %s; next: novem cost %s/%s.asm\n",
                PLURAL(all->n, "shader", "shaders"), folder, folder, all->shader[0].id);
    return code;
}
