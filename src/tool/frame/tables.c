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
    else if (cJSON_IsBool(value))
        fputs(cJSON_IsTrue(value) ? "TRUE" : "FALSE", out);
    else
        fprintf(out, "%.9g", value->valuedouble);
}

static void print_numbers(FILE *out, const cJSON *list)
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
                print_numbers(out, list_of(c, "value"));
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
            print_numbers(out, row);
            fputc('\n', out);
            vertex = vertex ? vertex->next : NULL;
        }
    }
}

/* --- Differences ------------------------------------------------------------------------------ */

/* The element of a list that has the same text or number in each of `keys` (NULL ends them). */
static const cJSON *same_element(const cJSON *list, const cJSON *element, const char *const *keys)
{
    const cJSON *other;

    cJSON_ArrayForEach(other, list)
    {
        bool same = true;

        for (unsigned i = 0; keys[i]; i++)
            same = same && cJSON_Compare(list_of(other, keys[i]), list_of(element, keys[i]), true);
        if (same)
            return other;
    }
    return NULL;
}

static void print_label(FILE *out, const char *label, const cJSON *element, const char *const *keys)
{
    fputs(label, out);
    for (unsigned i = 0; keys[i]; i++) {
        const cJSON *part = list_of(element, keys[i]);

        if (!cJSON_IsString(part) && !cJSON_IsNumber(part))
            continue;
        if (i || *label)
            fputc(' ', out);
        if (cJSON_IsString(part))
            frame_print_text(out, part->valuestring);
        else
            print_number(out, part);
    }
    fputs(": ", out);
}

/* An element without its keys and without what depends on the draw before. */
static void print_rest(FILE *out, const cJSON *element, const char *value)
{
    if (!element)
        fputs("-", out);
    else if (cJSON_IsArray(list_of(element, value)))
        print_numbers(out, list_of(element, value));
    else if (cJSON_IsString(list_of(element, value)))
        frame_print_text(out, text_of(element, value));
    else
        print_number(out, list_of(element, value));
}

/* Elements that only one list has, or whose `value` differs. */
static unsigned print_lists(FILE *out, const char *label, const cJSON *a, const cJSON *b,
                            const char *const *keys, const char *value)
{
    const cJSON *element;
    unsigned n = 0;

    for (unsigned side = 0; side < 2; side++)
        cJSON_ArrayForEach(element, (side ? b : a))
        {
            const cJSON *other = same_element(side ? a : b, element, keys);

            if (other &&
                (side || cJSON_Compare(list_of(element, value), list_of(other, value), true)))
                continue;
            print_label(out, label, element, keys);
            print_rest(out, side ? other : element, value);
            fputs(" -> ", out);
            print_rest(out, side ? element : other, value);
            fputc('\n', out);
            n++;
        }
    return n;
}

static unsigned print_constants(FILE *out, const cJSON *a, const cJSON *b, const char *stage)
{
    static const char *const kinds[] = {"float", "int", "bool"};
    static const char *const keys[] = {"register", "name", NULL};
    char label[16];
    unsigned n = 0;

    for (unsigned i = 0; i < 3; i++) {
        snprintf(label, sizeof(label), "%s %c", stage, "cib"[i]);
        n += print_lists(out, label, list_of(list_of(list_of(a, "constants"), stage), kinds[i]),
                         list_of(list_of(list_of(b, "constants"), stage), kinds[i]), keys, "value");
    }
    return n;
}

unsigned frame_print_difference(FILE *out, const cJSON *a, const cJSON *b)
{
    static const char *const states[] = {"group", "name", NULL};
    static const char *const sampler[] = {"sampler", NULL}, *const stream[] = {"stream", NULL};
    static const char *const slot[] = {"slot", NULL};
    static const char *const usage[] = {"usage", "index", NULL};
    static const char *const stages[] = {"vertex", "pixel"};
    unsigned n = 0;

    n += print_lists(out, "", list_of(a, "targets"), list_of(b, "targets"), slot, "resource");
    for (unsigned i = 0; i < 2; i++) {
        const char *x = text_of(list_of(a, "shaders"), stages[i]);
        const char *y = text_of(list_of(b, "shaders"), stages[i]);

        if (strcmp(x, y) != 0)
            fprintf(out, "%s shader: %s -> %s\n", stages[i], *x ? x : "-", *y ? y : "-");
        n += strcmp(x, y) != 0;
    }
    n += print_lists(out, "", list_of(a, "states"), list_of(b, "states"), states, "value");
    n += print_lists(out, "texture", list_of(a, "textures"), list_of(b, "textures"), sampler,
                     "resource");
    n += print_constants(out, a, b, "vertex");
    n += print_constants(out, a, b, "pixel");
    n += print_lists(out, "stream", list_of(a, "streams"), list_of(b, "streams"), stream,
                     "resource");
    n += print_lists(out, "stride of stream", list_of(a, "streams"), list_of(b, "streams"), stream,
                     "stride");
    n += print_lists(out, "offset of stream", list_of(a, "streams"), list_of(b, "streams"), stream,
                     "offset");
    n += print_lists(out, "element", list_of(a, "declaration"), list_of(b, "declaration"), usage,
                     "type");
    return n;
}
