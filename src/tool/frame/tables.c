/* Prints answers as tables.
 *
 * Tested by tests/unit/tool/frame/test_tables.c. */
#include "tool/frame/tables.h"

#include "util/plural.h"

#include <stdbool.h>
#include <string.h>

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

    return text ? text : "";
}

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static const cJSON *list_of(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool is_set(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

void frame_print_text(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < 32 || *text == 127 ? '?' : *text, out);
}

static void print_number(FILE *out, const cJSON *value)
{
    if (cJSON_IsString(value))
        fputs(value->valuestring, out);
    else if (cJSON_IsNull(value))
        fputs("-", out);
    else if (cJSON_IsBool(value))
        fputs(cJSON_IsTrue(value) ? "TRUE" : "FALSE", out);
    else
        fprintf(out, "%.9g", value->valuedouble);
}

void frame_print_value(FILE *out, const cJSON *list)
{
    const cJSON *value;

    if (!cJSON_IsArray(list)) {
        print_number(out, list);
        return;
    }
    cJSON_ArrayForEach(value, list)
    {
        if (value != list->child)
            fputc(' ', out);
        print_number(out, value);
    }
}

/* --- Passes ----------------------------------------------------------------------------------- */

static void print_event(FILE *out, const cJSON *event)
{
    fprintf(out, "%*scall %.0f ", 4 + 2 * (int)number_of(event, "depth"), "",
            number_of(event, "call"));
    frame_print_text(out, text_of(event, "name"));
    fputs(": ", out);
    frame_print_text(out, text_of(event, "what"));
    if (number_of(event, "changed") > 0)
        fprintf(out, ", " PLURAL_FORMAT " changed",
                PLURAL((unsigned)number_of(event, "changed"), "state", "states"));
    if (is_set(event, "failed"))
        fputs(", draws nothing", out);
    fputc('\n', out);
}

void frame_print_passes(FILE *out, const cJSON *frame)
{
    const cJSON *event;
    int pass = -1;

    cJSON_ArrayForEach(event, list_of(frame, "events"))
    {
        int of = (int)number_of(event, "pass");

        if (of != pass && cJSON_GetArraySize(list_of(frame, "passes")) > of)
            fprintf(out, "pass %d: %s\n", of,
                    text_of(cJSON_GetArrayItem(list_of(frame, "passes"), of), "what"));
        pass = of;
        print_event(out, event);
    }
}

/* --- Resources -------------------------------------------------------------------------------- */

static void print_uses(FILE *out, const char *what, const cJSON *uses)
{
    enum { MOST = 8 };
    const cJSON *use;
    int n = cJSON_GetArraySize(uses), i = 0;

    if (!n)
        return;
    fprintf(out, "    %s:", what);
    cJSON_ArrayForEach(use, uses)
    {
        if (i++ == MOST)
            break;
        fprintf(out, "%s %.0f %s", i > 1 ? "," : "", number_of(use, "call"), text_of(use, "how"));
    }
    if (n > MOST)
        fprintf(out, " and %d more", n - MOST);
    fputc('\n', out);
}

void frame_print_resources(FILE *out, const cJSON *resources)
{
    const cJSON *r;

    cJSON_ArrayForEach(r, list_of(resources, "resources"))
    {
        fprintf(out, "resource %.0f: %s", number_of(r, "id"), text_of(r, "kind"));
        if (list_of(r, "format"))
            fprintf(out, ", %s, %.0fx%.0f", text_of(r, "format"), number_of(r, "width"),
                    number_of(r, "height"));
        if (number_of(r, "depth") > 1)
            fprintf(out, "x%.0f", number_of(r, "depth"));
        if (number_of(r, "levels") > 1)
            fprintf(out, ", %.0f levels", number_of(r, "levels"));
        if (number_of(r, "samples") > 1)
            fprintf(out, ", %.0f samples", number_of(r, "samples"));
        fprintf(out, ", %.0f bytes, %s", number_of(r, "bytes"), text_of(r, "pool"));
        if (*text_of(r, "usage"))
            fprintf(out, ", %s", text_of(r, "usage"));
        fputc('\n', out);
        print_uses(out, "written by", list_of(r, "writes"));
        print_uses(out, "read by", list_of(r, "reads"));
    }
}

/* --- Draws ------------------------------------------------------------------------------------ */

void frame_print_states(FILE *out, const cJSON *event)
{
    const cJSON *s;

    cJSON_ArrayForEach(s, list_of(event, "states"))
    {
        if (is_set(s, "default") && !is_set(s, "changed"))
            continue;
        fprintf(out, "%s: %s = %s", text_of(s, "group"), text_of(s, "name"), text_of(s, "value"));
        if (is_set(s, "changed"))
            fprintf(out, " (before: %s)", text_of(s, "before"));
        fputc('\n', out);
    }
}

void frame_print_constants(FILE *out, const cJSON *event)
{
    static const char *const stages[] = {"vertex", "pixel"}, *const kinds[] = {"float", "int",
                                                                               "bool"};
    const cJSON *c;

    for (unsigned stage = 0; stage < 2; stage++)
        for (unsigned kind = 0; kind < 3; kind++)
            cJSON_ArrayForEach(
                c, list_of(list_of(list_of(event, "constants"), stages[stage]), kinds[kind]))
            {
                fprintf(out, "%s %c%.0f", stages[stage], "cib"[kind], number_of(c, "register"));
                if (*text_of(c, "name")) {
                    fputc(' ', out);
                    frame_print_text(out, text_of(c, "name"));
                }
                fputs(" = ", out);
                frame_print_value(out, list_of(c, "value"));
                fputs(is_set(c, "changed") ? " (changed)\n" : "\n", out);
            }
}

void frame_print_vertices(FILE *out, const cJSON *mesh)
{
    static const char *const sides[] = {"in", "out"};

    fprintf(out, "%s, " PLURAL_FORMAT "%s\n", text_of(mesh, "topology"),
            PLURAL((unsigned)number_of(mesh, "primitives"), "primitive", "primitives"),
            is_set(mesh, "cut") ? ", first vertices only" : "");
    for (unsigned side = 0; side < 2; side++) {
        const cJSON *table = list_of(mesh, sides[side]), *row, *name;
        const cJSON *vertex = list_of(mesh, "vertices");

        fputs(side ? "after the vertex stage\nvertex" : "before the vertex stage\nvertex", out);
        cJSON_ArrayForEach(name, list_of(table, "columns"))
            fprintf(out, " %s", cJSON_GetStringValue(name));
        fputc('\n', out);
        vertex = vertex ? vertex->child : NULL;
        cJSON_ArrayForEach(row, list_of(table, "rows"))
        {
            fprintf(out, "%.0f ", vertex ? vertex->valuedouble : 0);
            frame_print_value(out, row);
            fputc('\n', out);
            vertex = vertex ? vertex->next : NULL;
        }
    }
}

/* --- Steps of a shader ------------------------------------------------------------------------ */

static void print_registers(FILE *out, const char *indent, const cJSON *list)
{
    const cJSON *r;

    cJSON_ArrayForEach(r, list)
    {
        const char *mask = text_of(r, "mask");

        fprintf(out, "%s%s%s%s", indent, text_of(r, "register"), *mask ? "." : "", mask);
        if (*text_of(r, "name")) {
            fputc(' ', out);
            frame_print_text(out, text_of(r, "name"));
        }
        fputs(" = ", out);
        frame_print_value(out, list_of(r, "value"));
        fputc('\n', out);
    }
}

static void print_lookups(FILE *out, const cJSON *list)
{
    const cJSON *t;

    cJSON_ArrayForEach(t, list)
    {
        fprintf(out, "          s%.0f", number_of(t, "sampler"));
        if (*text_of(t, "name")) {
            fputc(' ', out);
            frame_print_text(out, text_of(t, "name"));
        }
        fprintf(out, " (resource %.0f) at ", number_of(t, "resource"));
        frame_print_value(out, list_of(t, "coordinates"));
        fputs(": ", out);
        frame_print_value(out, list_of(t, "value"));
        fputc('\n', out);
    }
}

static void print_step(FILE *out, const cJSON *lines, const cJSON *step)
{
    int last = (int)number_of(step, "line");
    int first = list_of(step, "first") ? (int)number_of(step, "first") : last;

    for (int line = first; line <= last; line++) {
        fprintf(out, "%5d  ", line + 1);
        frame_print_text(out, text_of(cJSON_GetArrayItem(lines, line), "text"));
        fputc('\n', out);
    }
    if (list_of(step, "predicate") && !*text_of(step, "predicate"))
        fputs("          the predicate is false\n", out);
    print_lookups(out, list_of(step, "textures"));
    print_registers(out, "          ", list_of(step, "writes"));
    if (is_set(step, "killed"))
        fputs("          killed\n", out);
}

void frame_print_steps(FILE *out, const cJSON *steps)
{
    const cJSON *step;

    fprintf(out, "%s shader %s, %s%s\n", text_of(steps, "stage"), text_of(steps, "shader"),
            text_of(steps, "version"),
            is_set(steps, "fixed") ? ", made of the fixed-function state" : "");
    fputs("inputs\n", out);
    print_registers(out, "  ", list_of(steps, "inputs"));
    fputs("constants\n", out);
    print_registers(out, "  ", list_of(steps, "constants"));
    fputs("steps\n", out);
    cJSON_ArrayForEach(step, list_of(steps, "steps"))
    {
        print_step(out, list_of(steps, "lines"), step);
    }
    if (is_set(steps, "cut"))
        fputs("… more steps are left out\n", out);
    fputs("outputs\n", out);
    print_registers(out, "  ", list_of(steps, "outputs"));
}
