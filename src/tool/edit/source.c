/* Shaders of changes as texts of any kind.
 *
 * Tested by tests/unit/tool/edit/test_source.c. */
#include "tool/edit/source.h"

#include "tool/hlsl/hlsl.h"
#include "tool/shader/shader.h"
#include "util/alloc.h"

#include <string.h>

/* The name that messages of the compiler begin with. */
static const char file[] = "shader";

/* Copies the messages without the name, as many whole lines as there is room for. */
static bool take_messages(const char *messages, char error[EDIT_TEXT])
{
    size_t used = 0;

    *error = 0;
    for (const char *at = messages ? messages : ""; *at;) {
        size_t n = strcspn(at, "\n"), name = sizeof(file) - 1, skip = 0;

        if (n > name && !strncmp(at, file, name) && at[name] == ':')
            skip = name + 1;
        if (used + n - skip + 2 > EDIT_TEXT)
            break;
        if (n > skip)
            used += (size_t)snprintf(error + used, EDIT_TEXT - used, "%s%.*s", used ? "\n" : "",
                                     (int)(n - skip), at + skip);
        at += n + (at[n] == '\n');
    }
    return *error || edit_fail(error, "the compiler gives no reason");
}

static bool compile(struct edit *edit, bool pixel, const char *text, const char *entry,
                    const char *profile, char error[EDIT_TEXT])
{
    const struct hlsl_source source = {.text = text,
                                       .n = strlen(text),
                                       .name = file,
                                       .entry = entry,
                                       .profile = profile,
                                       .alone = true};
    struct hlsl_result result;
    struct vm_error why;
    enum status st = hlsl_compile(&result, &source);
    bool good = st == ST_OK;

    if (st == ST_NOMEM)
        (void)edit_fail(error, "%s", status_text(st));
    else if (!good)
        (void)take_messages(result.messages, error);
    else if (!tool_shader_is_good(result.words, result.n, TOOL_SHADER_LIMITS, &why))
        good = edit_fail(error, "what the compiler makes: %s", why.text);
    good = good && edit_add_code(edit, pixel, result.words, result.n, error);
    hlsl_result_fini(&result);
    return good;
}

static bool add_pass(struct edit *edit, bool pixel, const char *text, char error[EDIT_TEXT])
{
    char reason[HLSL_ERROR];
    struct hlsl_pass pass;
    enum status st =
        hlsl_effect_pass(&pass, text, strlen(text), NULL, NULL, pixel ? 'p' : 'v', reason);
    bool good;

    if (st != ST_OK)
        return edit_fail(error, "%s", st == ST_INVALID ? reason : status_text(st));
    good = pass.is_assembly ? edit_add_shader(edit, pixel, pass.text, error)
                            : compile(edit, pixel, pass.text, pass.entry, pass.profile, error);
    mem_free(pass.text);
    return good;
}

static bool add_assembly(struct edit *edit, bool pixel, const char *text, char error[EDIT_TEXT])
{
    char *copy = mem_strdup(text);
    bool good;

    if (!copy)
        return edit_fail(error, "%s", status_text(ST_NOMEM));
    (void)hlsl_keep_asm_block(copy);
    good = edit_add_shader(edit, pixel, copy, error);
    mem_free(copy);
    return good;
}

bool edit_add_text(struct edit *edit, bool pixel, const char *text,
                   const struct edit_source *source, char error[EDIT_TEXT])
{
    switch (hlsl_kind_of(text, strlen(text))) {
    case HLSL_IS_EFFECT:
        return add_pass(edit, pixel, text, error);
    case HLSL_IS_HLSL:
        if (!source->profile)
            return edit_fail(error, "is HLSL, which needs a profile, such as %s",
                             pixel ? "ps_3_0" : "vs_3_0");
        return compile(edit, pixel, text, source->entry ? source->entry : "main", source->profile,
                       error);
    default:
        return add_assembly(edit, pixel, text, error);
    }
}
