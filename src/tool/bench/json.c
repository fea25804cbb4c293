/* Results as JSON: written a figure a line, and read back.
 *
 * Tested by tests/unit/tool/bench/test_bench.c. */
#include "tool/bench/results.h"

#include "tool/cli/cli.h"
#include "tool/measure/saved.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "novem-bench 1";

/* --- Writing ---------------------------------------------------------------------------------- */

/* Six digits. */
static double rounded(double x)
{
    char text[32];

    snprintf(text, sizeof(text), "%.6g", x);
    return strtod(text, NULL);
}

static bool put_number(cJSON *object, const char *name, double x)
{
    return cJSON_AddNumberToObject(object, name, rounded(x));
}

static bool fill_head(cJSON *o, const struct bench_results *r)
{
    return cJSON_AddStringToObject(o, "format", format) &&
           cJSON_AddStringToObject(o, "novem", r->novem) &&
           cJSON_AddStringToObject(o, "numerics", r->numerics) &&
           cJSON_AddStringToObject(o, "build", r->build) &&
           cJSON_AddStringToObject(o, "processor", r->processor) &&
           put_number(o, "processors", r->processors) && put_number(o, "passes", r->passes) &&
           put_number(o, "seconds", r->seconds) && put_number(o, "lost", r->lost) &&
           put_number(o, "spread", bench_results_spread(r)) &&
           put_number(o, "shared", bench_results_shared(r)) &&
           (r->hertz <= 0 || put_number(o, "ghz", r->hertz * 1e-9)) &&
           cJSON_AddBoolToObject(o, "calm", bench_is_calm(r));
}

static bool fill_figure(cJSON *o, const struct bench_results *r, const struct bench_figure *f)
{
    char text[24];

    snprintf(text, sizeof(text), "%016" PRIx64, f->text);
    return cJSON_AddStringToObject(o, "group", bench_group_name(f->group)) &&
           cJSON_AddStringToObject(o, "name", f->name) &&
           (!f->profile[0] || cJSON_AddStringToObject(o, "profile", f->profile)) &&
           cJSON_AddStringToObject(o, "isa", cpu_isa_name(f->isa)) &&
           cJSON_AddStringToObject(o, "mode", bench_mode(f->interpreted)) &&
           put_number(o, "threads", f->threads) && put_number(o, "lane_ns", f->ns) &&
           put_number(o, "spread", f->spread) && cJSON_AddBoolToObject(o, "calm", f->calm) &&
           put_number(o, "instructions", f->instructions) &&
           (f->operations <= 0 || put_number(o, "operations", f->operations)) &&
           (f->operations <= 0 || put_number(o, "ceiling_share", bench_share(r, f) / 100)) &&
           (f->group != BENCH_FLOW || put_number(o, "extra", f->extra)) &&
           cJSON_AddStringToObject(o, "text", text);
}

/* Prints an object without its last `cut` characters. */
static bool print_object(cJSON *o, bool good, size_t cut, FILE *out)
{
    char *text = good ? cJSON_PrintUnformatted(o) : NULL;

    if (text)
        fprintf(out, "%.*s", (int)(strlen(text) - cut), text);
    cJSON_free(text);
    cJSON_Delete(o);
    return text;
}

bool bench_print_json(const struct bench_results *results, FILE *out)
{
    cJSON *o = cJSON_CreateObject();
    bool good = print_object(o, o && fill_head(o, results), 1, out);

    fputs(",\"figures\":[\n", out);
    for (unsigned i = 0; i < results->n && good; i++) {
        o = cJSON_CreateObject();
        good = print_object(o, o && fill_figure(o, results, &results->figure[i]), 0, out);
        fputs(i + 1 < results->n ? ",\n" : "\n", out);
    }
    fputs("]}\n", out);
    return good;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool take_text(const cJSON *o, const char *name, char *out, size_t size)
{
    const char *text;

    if (!saved_text(o, name, &text) || strlen(text) >= size)
        return false;
    strcpy(out, text);
    return true;
}

/* A number that is not negative; or any number. */
static bool take_number(const cJSON *o, const char *name, bool negative, double *out)
{
    double x;

    if (!saved_number(o, name, &x) || (!negative && x < 0))
        return false;
    *out = x;
    return true;
}

static bool take_count(const cJSON *o, const char *name, unsigned *out)
{
    double x;

    if (!take_number(o, name, false, &x) || x < 1 || x > 1e6)
        return false;
    *out = (unsigned)x;
    return true;
}

static bool take_isa(const char *name, enum cpu_isa *out)
{
    for (unsigned isa = 0; isa < ISA_COUNT; isa++)
        if (!strcmp(cpu_isa_name((enum cpu_isa)isa), name)) {
            *out = (enum cpu_isa)isa;
            return true;
        }
    return false;
}

static bool read_figure(struct bench_figure *f, const cJSON *o)
{
    char group[16], isa[16], mode[16], text[17];

    if (!take_text(o, "group", group, sizeof(group)) ||
        (f->group = bench_group_find(group)) == BENCH_GROUPS ||
        !take_text(o, "name", f->name, sizeof(f->name)) || !take_text(o, "isa", isa, sizeof(isa)) ||
        !take_isa(isa, &f->isa) || !take_text(o, "mode", mode, sizeof(mode)) ||
        !take_count(o, "threads", &f->threads) || !take_number(o, "lane_ns", false, &f->ns) ||
        !take_number(o, "spread", false, &f->spread) ||
        !take_number(o, "instructions", false, &f->instructions) ||
        !take_text(o, "text", text, sizeof(text)))
        return false;
    f->interpreted = !strcmp(mode, bench_mode(true));
    if (!f->interpreted && strcmp(mode, bench_mode(false)) != 0)
        return false;
    f->text = strtoull(text, NULL, 16);
    f->calm = saved_flag(o, "calm", true); /* older files say it of the whole alone */
    (void)take_text(o, "profile", f->profile, sizeof(f->profile));
    (void)take_number(o, "operations", false, &f->operations);
    (void)take_number(o, "extra", true, &f->extra);
    return true;
}

static bool read_head(struct bench_results *r, const cJSON *o)
{
    return take_text(o, "novem", r->novem, BENCH_TEXT) &&
           take_text(o, "numerics", r->numerics, BENCH_TEXT) &&
           take_text(o, "build", r->build, BENCH_TEXT) &&
           take_text(o, "processor", r->processor, BENCH_TEXT) &&
           take_count(o, "processors", &r->processors) && take_count(o, "passes", &r->passes) &&
           take_number(o, "seconds", false, &r->seconds) && take_number(o, "lost", false, &r->lost);
}

static int read_object(struct bench_results *results, const char *command, const char *path,
                       const cJSON *o)
{
    const cJSON *figures = cJSON_GetObjectItemCaseSensitive(o, "figures"), *item;
    struct bench_figure *f;
    char text[32];

    if (!take_text(o, "format", text, sizeof(text)) || strcmp(text, format) != 0)
        return tool_error(command, "%s: not a file of novem bench --json", path);
    if (!read_head(results, o) || !cJSON_IsArray(figures))
        return tool_error(command, "%s: the head is incomplete", path);
    cJSON_ArrayForEach(item, figures)
    {
        if (!(f = bench_results_add(results)))
            return tool_error(command, "%s", status_text(ST_NOMEM));
        if (!read_figure(f, item))
            return tool_error(command, "%s: figure %u is incomplete", path, results->n);
    }
    return results->n ? TOOL_OK : tool_error(command, "%s: there are no figures", path);
}

int bench_read_json(struct bench_results *results, const char *command, const char *path)
{
    cJSON *o = saved_read(command, path);
    int code;

    *results = (struct bench_results){0};
    if (!o)
        return TOOL_ERROR;
    code = read_object(results, command, path, o);
    cJSON_Delete(o);
    return code;
}
