/* Reads changes of a draw from text.
 *
 * Tested by tests/unit/tool/edit/test_change.c. */
#include "tool/edit/change.h"

#include "tool/inspect/state_names.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"
#include "util/d3dtypes.h"
#include "vm/vm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool edit_fail(char error[EDIT_TEXT], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error, EDIT_TEXT, format, args);
    va_end(args);
    return false;
}

static bool same_place(const struct edit_change *a, const struct edit_change *b)
{
    return a->kind == b->kind && a->pixel == b->pixel && a->index == b->index &&
           a->state == b->state;
}

static bool add(struct edit *edit, const struct edit_change *change, const char *what,
                char error[EDIT_TEXT])
{
    for (unsigned i = 0; i < edit->n; i++)
        if (same_place(&edit->change[i], change))
            return edit_fail(error, "%s: is changed twice", what);
    if (edit->n == EDIT_CHANGES)
        return edit_fail(error, "more than %d changes", EDIT_CHANGES);
    edit->change[edit->n++] = *change;
    return true;
}

/* A number up to the end of the text. */
static bool parse_index(const char *text, uint32_t most, uint32_t *out)
{
    char *end;
    unsigned long number;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    number = strtoul(text, &end, 10);
    *out = (uint32_t)number;
    return !errno && !*end && number <= most;
}

/* --- States ----------------------------------------------------------------------------------- */

/* "sampler 0" to a kind and an index. */
static bool parse_place(struct edit_change *change, const char *text, size_t n)
{
    static const struct {
        const char *name;
        enum edit_kind kind;
        uint32_t first, count;
    } places[] = {
        {"sampler", EDIT_SAMPLER_STATE, 0, 16},
        {"stage", EDIT_STAGE_STATE, 0, 8},
        {"vertexsampler", EDIT_SAMPLER_STATE, D3DVERTEXTEXTURESAMPLER0, 4},
    };
    char plain[32];
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        if (text[i] == ' ')
            continue;
        if (used + 1 == sizeof(plain))
            return false;
        plain[used++] = text[i];
    }
    plain[used] = 0;
    if (!strcasecmp(plain, "renderstate")) {
        change->kind = EDIT_RENDER_STATE;
        return true;
    }
    if (!strcasecmp(plain, "displacementsampler")) {
        change->kind = EDIT_SAMPLER_STATE;
        change->index = D3DDMAPSAMPLER;
        return true;
    }
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        size_t length = strlen(places[i].name);

        change->kind = places[i].kind;
        if (!strncasecmp(plain, places[i].name, length) &&
            parse_index(plain + length, places[i].count - 1, &change->index)) {
            change->index += places[i].first;
            return true;
        }
    }
    return false;
}

static const char *kind_name(enum edit_kind kind)
{
    static const char *const names[] = {"render state", "texture stage state", "sampler state"};

    return names[kind];
}

static bool parse_value(struct edit_change *change, const char *value, char error[EDIT_TEXT])
{
    char list[EDIT_TEXT - 128];

    if (inspect_state_value_parse(change->name, value, &change->word[0]))
        return true;
    inspect_state_value_list(list, sizeof(list), change->name);
    if (*list)
        return edit_fail(error, "%s has no value '%.40s'; its values are %s", change->name, value,
                         list);
    return edit_fail(error, "%s is a number, not '%.40s'", change->name, value);
}

bool edit_add_state(struct edit *edit, const char *text, char error[EDIT_TEXT])
{
    struct edit_change change = {.kind = EDIT_RENDER_STATE};
    const char *equals = strchr(text, '='), *colon = strchr(text, ':'), *at = text;
    char name[64];

    if (!equals)
        return edit_fail(error, "'%.60s' is not STATE=VALUE", text);
    if (colon && colon < equals) {
        if (!parse_place(&change, text, (size_t)(colon - text)))
            return edit_fail(
                error,
                "'%.*s' is no place of a state: sampler0 to sampler15, vertexsampler0 to "
                "vertexsampler3, displacementsampler, stage0 to stage7",
                (int)(colon - text < 40 ? colon - text : 40), text);
        at = colon + 1;
    }
    snprintf(name, sizeof(name), "%.*s", (int)(equals - at), at);
    if (!inspect_state_find((enum inspect_state_kind)change.kind, name, &change.state,
                            &change.name))
        return edit_fail(error, "there is no %s '%s'", kind_name(change.kind), name);
    return parse_value(&change, equals + 1, error) && add(edit, &change, change.name, error);
}

/* --- Constants -------------------------------------------------------------------------------- */

static bool parse_component(enum edit_kind kind, const char *text, char **end, uint32_t *out)
{
    errno = 0;
    if (!*text || strchr(" \t\n\v\f\r", *text))
        return false;
    if (kind == EDIT_FLOATS) {
        float x = strtof(text, end);

        memcpy(out, &x, sizeof(x));
        return *end != text;
    }
    if (kind == EDIT_BOOLEAN && (!strcasecmp(text, "TRUE") || !strcasecmp(text, "FALSE"))) {
        *out = !strcasecmp(text, "TRUE");
        *end = strchr((char *)(uintptr_t)text, 0);
        return true;
    }
    {
        long long number = strtoll(text, end, 10);

        *out = (uint32_t)number;
        if (kind == EDIT_BOOLEAN)
            *out = number != 0;
        return *end != text && !errno && number >= INT32_MIN && number <= INT32_MAX;
    }
}

static bool parse_components(struct edit_change *change, const char *text)
{
    unsigned n = change->kind == EDIT_BOOLEAN ? 1 : 4;
    char *end;

    for (unsigned i = 0; i < n; i++) {
        if (!parse_component(change->kind, text, &end, &change->word[i]))
            return false;
        if (i + 1 < n && *end != ',')
            return false;
        text = end + (i + 1 < n);
    }
    return !*text;
}

/* "ps:c3" */
static bool parse_register(struct edit_change *change, const char *text)
{
    static const char letters[] = "cib";
    const char *letter;

    if (strncasecmp(text, "ps:", 3) != 0 && strncasecmp(text, "vs:", 3) != 0)
        return false;
    change->pixel = *text == 'p' || *text == 'P';
    letter = text[3] ? strchr(letters, text[3]) : NULL;
    if (!letter)
        return false;
    change->kind = EDIT_FLOATS + (enum edit_kind)(letter - letters);
    return parse_index(text + 4, change->kind == EDIT_FLOATS ? 8191 : 2047, &change->index);
}

bool edit_add_constant(struct edit *edit, const char *text, char error[EDIT_TEXT])
{
    struct edit_change change = {.kind = EDIT_FLOATS};
    const char *equals = strchr(text, '=');
    char name[32] = "";

    if (equals && equals - text < (ptrdiff_t)sizeof(name))
        snprintf(name, sizeof(name), "%.*s", (int)(equals - text), text);
    if (!parse_register(&change, name))
        return edit_fail(
            error, "'%.60s' names no constant: ps:c3=1,0,0,1, vs:i0=1,2,3,4 or vs:b0=TRUE", text);
    if (!parse_components(&change, equals + 1))
        return edit_fail(error, "%s: '%.60s' is not %s", name, equals + 1,
                         change.kind == EDIT_FLOATS     ? "four numbers with commas between them"
                         : change.kind == EDIT_INTEGERS ? "four integers with commas between them"
                                                        : "TRUE or FALSE");
    return add(edit, &change, name, error);
}

/* --- Shaders ---------------------------------------------------------------------------------- */

/* Adds byte code that belongs to the edit from now on; NULL: the fixed function. */
static bool take_code(struct edit *edit, bool pixel, uint32_t *words, size_t n,
                      enum tool_shader_check check, char error[EDIT_TEXT])
{
    struct edit_change change = {.kind = EDIT_SHADER, .pixel = pixel, .code = words, .n_words = n};
    const char *stage = pixel ? "pixel shader" : "vertex shader";
    struct vm_error why = {0};
    bool good = true;

    if (words && (!n || (words[0] >> 16 == 0xffff) != pixel))
        good = edit_fail(error, "1:1: is a %s shader, not a %s", pixel ? "vertex" : "pixel", stage);
    else if (words && !tool_shader_is_good(words, n, check, &why))
        good = edit_fail(error, "%s", why.text);
    good = good && add(edit, &change, stage, error);
    if (!good)
        mem_free(words);
    return good;
}

bool edit_add_code(struct edit *edit, bool pixel, const uint32_t *words, size_t n,
                   char error[EDIT_TEXT])
{
    uint32_t *copy = mem_alloc(n * sizeof(*copy));

    if (!copy)
        return edit_fail(error, "%s", status_text(ST_NOMEM));
    memcpy(copy, words, n * sizeof(*copy));
    return take_code(edit, pixel, copy, n, TOOL_SHADER_ANY, error);
}

bool edit_add_shader(struct edit *edit, bool pixel, const char *assembly, char error[EDIT_TEXT])
{
    struct vm_error why = {0};
    uint32_t *words = NULL;
    enum status st = ST_OK;
    size_t n = 0;

    if (assembly)
        st = vm_assemble(&words, &n, assembly, &why);
    if (st != ST_OK)
        return edit_fail(error, "%s", st == ST_NOMEM ? status_text(st) : why.text);
    return take_code(edit, pixel, words, n, TOOL_SHADER_DEVICE, error);
}

void edit_fini(struct edit *edit)
{
    for (unsigned i = 0; i < edit->n; i++)
        mem_free(edit->change[i].code);
    edit->n = 0;
}
