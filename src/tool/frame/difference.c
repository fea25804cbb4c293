/* Compares the answers of two draws.
 *
 * Tested by tests/unit/tool/frame/test_tables.c. */
#include "tool/frame/difference.h"

#include "tool/frame/json.h"
#include "tool/frame/tables.h"

#include <stdbool.h>
#include <string.h>

static const cJSON *member_of(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(member_of(object, key));

    return text ? text : "";
}

static int number_of(const cJSON *object, const char *key)
{
    const cJSON *item = member_of(object, key);

    return cJSON_IsNumber(item) ? item->valueint : 0;
}

static void add_side(cJSON *entry, const char *side, const cJSON *value)
{
    cJSON_AddItemToObject(entry, side, value ? cJSON_Duplicate(value, true) : cJSON_CreateNull());
}

static void add(cJSON *list, const char *group, const char *name, const cJSON *before,
                const cJSON *after)
{
    cJSON *entry = frame_append(list);

    frame_add_text(entry, "group", group);
    frame_add_text(entry, "name", name);
    add_side(entry, "before", before);
    add_side(entry, "after", after);
}

/* --- Lists ------------------------------------------------------------------------------------ */

enum { NAME = 256 };

/* A list in both answers: its elements are those of one name, and differ by `value`. */
struct list {
    const cJSON *a, *b;
    const char *value;
    /* Names an element; `label` is the list's own. */
    void (*name)(char group[NAME], char name[NAME], const char *label, const cJSON *element);
    const char *label;
};

/* The element of a list that has the same name; NULL: none. */
static const cJSON *same_element(const struct list *list, const cJSON *in, const cJSON *element)
{
    char group[NAME], name[NAME], other_group[NAME], other_name[NAME];
    const cJSON *other;

    list->name(group, name, list->label, element);
    cJSON_ArrayForEach(other, in)
    {
        list->name(other_group, other_name, list->label, other);
        if (!strcmp(group, other_group) && !strcmp(name, other_name))
            return other;
    }
    return NULL;
}

/* Elements that only one list has, or whose value differs. */
static void add_list(cJSON *out, const struct list *list)
{
    const cJSON *element;
    char group[NAME], name[NAME];

    for (unsigned side = 0; side < 2; side++)
        cJSON_ArrayForEach(element, (side ? list->b : list->a))
        {
            const cJSON *other = same_element(list, side ? list->a : list->b, element);
            const cJSON *value = member_of(element, list->value);
            const cJSON *other_value = other ? member_of(other, list->value) : NULL;

            if (other && (side || cJSON_Compare(value, other_value, true)))
                continue;
            list->name(group, name, list->label, element);
            add(out, group, name, side ? other_value : value, side ? value : other_value);
        }
}

static void name_state(char group[NAME], char name[NAME], const char *label, const cJSON *e)
{
    (void)label;
    snprintf(group, NAME, "%s", text_of(e, "group"));
    snprintf(name, NAME, "%s", text_of(e, "name"));
}

static void name_target(char group[NAME], char name[NAME], const char *label, const cJSON *e)
{
    const char *slot = text_of(e, "slot");

    (void)label;
    snprintf(group, NAME, "target");
    snprintf(name, NAME, "%s", slot + (strncmp(slot, "target ", 7) ? 0 : 7));
}

static void name_texture(char group[NAME], char name[NAME], const char *label, const cJSON *e)
{
    (void)label;
    snprintf(group, NAME, "texture");
    snprintf(name, NAME, "%s", text_of(e, "sampler"));
}

/* label: the stage, and the letter of the register. */
static void name_constant(char group[NAME], char name[NAME], const char *label, const cJSON *e)
{
    snprintf(group, NAME, "%s constant", label + 1);
    snprintf(name, NAME, "%c%d%s%s", *label, number_of(e, "register"),
             *text_of(e, "name") ? " " : "", text_of(e, "name"));
}

static void name_stream(char group[NAME], char name[NAME], const char *label, const cJSON *e)
{
    snprintf(group, NAME, "stream %d", number_of(e, "stream"));
    snprintf(name, NAME, "%s", label);
}

static void name_vertex_element(char group[NAME], char name[NAME], const char *label,
                                const cJSON *e)
{
    (void)label;
    snprintf(group, NAME, "vertex element");
    snprintf(name, NAME, "%s %d", text_of(e, "usage"), number_of(e, "index"));
}

static void add_constants(cJSON *out, const cJSON *a, const cJSON *b, const char *stage)
{
    static const char *const kinds[] = {"float", "int", "bool"};
    const cJSON *in_a = member_of(member_of(a, "constants"), stage);
    const cJSON *in_b = member_of(member_of(b, "constants"), stage);
    char label[16];

    for (unsigned i = 0; i < 3; i++) {
        snprintf(label, sizeof(label), "%c%s", "cib"[i], stage);
        add_list(out, &(struct list){member_of(in_a, kinds[i]), member_of(in_b, kinds[i]), "value",
                                     name_constant, label});
    }
}

cJSON *frame_difference(const cJSON *a, const cJSON *b)
{
    static const char *const stages[] = {"vertex", "pixel"};
    static const char *const parts[] = {"resource", "stride", "offset"};
    cJSON *out = cJSON_CreateArray();
    const cJSON *streams = member_of(a, "streams"), *others = member_of(b, "streams");

    add_list(out, &(struct list){member_of(a, "targets"), member_of(b, "targets"), "resource",
                                 name_target, NULL});
    for (unsigned i = 0; i < 2; i++) {
        const cJSON *x = member_of(member_of(a, "shaders"), stages[i]);
        const cJSON *y = member_of(member_of(b, "shaders"), stages[i]);

        if ((x || y) && !cJSON_Compare(x, y, true))
            add(out, stages[i], "shader", x, y);
    }
    add_list(out, &(struct list){member_of(a, "states"), member_of(b, "states"), "value",
                                 name_state, NULL});
    add_list(out, &(struct list){member_of(a, "textures"), member_of(b, "textures"), "resource",
                                 name_texture, NULL});
    for (unsigned i = 0; i < 2; i++)
        add_constants(out, a, b, stages[i]);
    for (unsigned i = 0; i < 3; i++)
        add_list(out, &(struct list){streams, others, parts[i], name_stream, parts[i]});
    add_list(out, &(struct list){member_of(a, "declaration"), member_of(b, "declaration"), "type",
                                 name_vertex_element, NULL});
    return out;
}

/* --- Text ------------------------------------------------------------------------------------- */

static void print_side(FILE *out, const cJSON *value)
{
    if (cJSON_IsNull(value))
        fputs("-", out);
    else if (cJSON_IsString(value))
        frame_print_text(out, value->valuestring);
    else
        frame_print_value(out, value);
}

void frame_print_difference(FILE *out, const cJSON *difference)
{
    const cJSON *entry;

    cJSON_ArrayForEach(entry, difference)
    {
        frame_print_text(out, text_of(entry, "group"));
        fputc(' ', out);
        frame_print_text(out, text_of(entry, "name"));
        fputs(": ", out);
        print_side(out, member_of(entry, "before"));
        fputs(" -> ", out);
        print_side(out, member_of(entry, "after"));
        fputc('\n', out);
    }
}
