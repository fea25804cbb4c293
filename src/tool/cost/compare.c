/* Comparison with the costs of an earlier run. Counted instructions are compared wherever both runs
 * have them. Times are compared if the machine was calm in both: others would accuse at random.
 *
 * Tested by tests/unit/tool/cost/test_cost.c. */
#include "tool/cost/report.h"

#include "tool/cli/cli.h"
#include "tool/measure/saved.h"

#include <string.h>

struct comparison {
    const char *command, *path;
    double tolerance;
    FILE *out;
    bool worse;
};

static double number(const cJSON *o, const char *name)
{
    double x;

    return saved_number(o, name, &x) ? x : -1.0;
}

static bool is_text(const cJSON *o, const char *name, const char *expected)
{
    const char *text;

    return saved_text(o, name, &text) && !strcmp(text, expected);
}

/* The shader of the same path, instruction set and way of running. */
static const cJSON *find(const cJSON *shaders, const struct cost_report *r)
{
    const cJSON *o;

    cJSON_ArrayForEach(o, shaders) if (is_text(o, "shader", r->path) &&
                                       is_text(o, "isa", cpu_isa_name(r->isa)) &&
                                       saved_flag(o, "compiled", false) == r->compiled) return o;
    return NULL;
}

/* Prints one figure. */
static void judge(struct comparison *c, const char *what, double before, double now)
{
    double more = now / before - 1.0;
    bool worse = more > c->tolerance;

    fprintf(c->out, "  %-12s %10.2f -> %10.2f  %+6.1f %%%s\n", what, before, now, 100.0 * more,
            worse                  ? "  WORSE"
            : more < -c->tolerance ? "  better"
                                   : "");
    c->worse |= worse;
}

/* Cycles, where both runs have them: the clock may be another. */
static void compare_times(struct comparison *c, const cJSON *old, const struct cost_report *r)
{
    bool calm = r->time.calm && saved_flag(old, "calm", false);
    double before = number(old, "cycles"), now = r->cycles;
    const char *what = "cycles";

    if (before <= 0.0 || now <= 0.0) {
        what = "ns";
        before = number(old, "ns");
        now = r->ns;
    }
    if (before > 0.0 && calm)
        judge(c, what, before, now);
    else if (before > 0.0)
        fprintf(c->out, "  %-12s %10.2f -> %10.2f  not judged: the machine was not calm\n", what,
                before, now);
}

static void compare_one(struct comparison *c, const cJSON *old, const struct cost_report *r)
{
    double instructions = number(old, "machine_instructions");

    fprintf(c->out, "%s\n", r->path);
    if (instructions > 0.0 && r->instructions >= 0.0)
        judge(c, "instructions", instructions, r->instructions);
    compare_times(c, old, r);
}

static int compare_all(struct comparison *c, const cJSON *base,
                       const struct cost_report *const *report, size_t n)
{
    const cJSON *shaders = cJSON_GetObjectItemCaseSensitive(base, "shaders");

    if (!cJSON_IsArray(shaders))
        return tool_error(c->command, "--compare %s: these are no costs of novem cost --json",
                          c->path);
    for (size_t i = 0; i < n; i++) {
        const cJSON *old = find(shaders, report[i]);

        if (old)
            compare_one(c, old, report[i]);
        else
            fprintf(c->out, "%s\n  new: %s has no costs of it for %s\n", report[i]->path, c->path,
                    cpu_isa_name(report[i]->isa));
    }
    return c->worse ? TOOL_DIFFERS : TOOL_OK;
}

int cost_compare(const char *command, const char *path, const struct cost_report *const *report,
                 size_t n, double tolerance, FILE *out)
{
    struct comparison c = {command, path, tolerance, out, false};
    cJSON *base = saved_read(command, path);
    int code;

    if (!base)
        return TOOL_ERROR;
    code = compare_all(&c, base, report, n);
    cJSON_Delete(base);
    return code;
}
