/* Effects: finds the shader of a technique's pass, and leaves the rest of the text for a compiler
 * that knows no techniques. */
#include "tool/hlsl/hlsl.h"
#include "tool/hlsl/text.h"

#include "util/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct effect {
    char *text;  /* a copy; techniques are blanked at the end */
    char *plain; /* the same without comments */
    char *error;
};

static enum status fail(struct effect *e, const char *format, ...) PRINTF_LIKE(2, 3);
static enum status fail(struct effect *e, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(e->error, HLSL_ERROR, format, args);
    va_end(args);
    return ST_INVALID;
}

/* "12:5: " of a place in the text */
static enum status fail_at(struct effect *e, const char *at, const char *reason)
{
    unsigned line = 1, column = 1;

    for (const char *c = e->plain; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return fail(e, "%u:%u: %s", line, column, reason);
}

/* --- Blocks with names ------------------------------------------------------------------------ */

/* technique NAME < annotations > { … } or pass NAME … */
struct block {
    char *begin, *open, *close; /* the word, the braces */
    char name[HLSL_NAME];
};

static void copy_word(char *out, size_t size, const char *at)
{
    size_t n = 0;

    for (; text_is_word(at[n]) && n + 1 < size; n++)
        out[n] = at[n];
    out[n] = 0;
}

/* The next block of a kind between two places, outside of other braces. */
static bool next_block(struct block *block, const char *kind, char *at, const char *end)
{
    while (at < end) {
        char *word = at, *close;

        while (at < end && text_is_word(*at))
            at++;
        if (at == word) {
            close = *at == '{' ? text_end_of_block(at) : NULL;
            at = close ? close + 1 : at + 1;
        } else if (text_has_word(word, kind)) {
            block->begin = word;
            copy_word(block->name, sizeof(block->name), text_skip_space(at));
            block->open = strchr(at, '{');
            block->close = block->open ? text_end_of_block(block->open) : NULL;
            return block->close && block->close <= end;
        }
    }
    return false;
}

/* Finds the block of a name, or the first one. */
static MUST_CHECK enum status find_block(struct effect *e, struct block *out, const char *kind,
                                         const char *name, char *at, const char *end)
{
    char names[160] = "";

    while (next_block(out, kind, at, end)) {
        size_t used = strlen(names);

        if (!name || !strcmp(out->name, name))
            return ST_OK;
        snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
                 *out->name ? out->name : "one without a name");
        at = out->close + 1;
    }
    if (!*names)
        return fail(e, "there is no %s", kind);
    return fail(e, "there is no %s '%s', but %s", kind, name, names);
}

/* --- Shaders ---------------------------------------------------------------------------------- */

/* The value of `name = …` in a range: what follows the equals sign. NULL: it is not set. */
static char *value_of(char *at, const char *end, const char *name)
{
    for (char *before = NULL; at < end; before = at++) {
        char *equals;

        if ((before && text_is_word(*before)) || !text_has_word(at, name))
            continue;
        equals = (char *)(uintptr_t)text_skip_space(at + strlen(name));
        if (*equals == '=')
            return (char *)(uintptr_t)text_skip_space(equals + 1);
    }
    return NULL;
}

/* compile PROFILE ENTRY() */
static MUST_CHECK enum status read_compile(struct effect *e, struct hlsl_pass *out, const char *at)
{
    at = text_skip_space(at + strlen("compile"));
    copy_word(out->profile, sizeof(out->profile), at);
    at = text_skip_space(at + strlen(out->profile));
    copy_word(out->entry, sizeof(out->entry), at);
    at = text_skip_space(at + strlen(out->entry));
    if (!*out->profile || !*out->entry || *at != '(')
        return fail_at(e, at, "compile PROFILE FUNCTION() is expected");
    if (*text_skip_space(at + 1) != ')')
        return fail_at(e, at, "a shader with arguments cannot be compiled here");
    return ST_OK;
}

/* compile …, asm { … }, or the name of a variable with one of them. */
static MUST_CHECK enum status read_shader(struct effect *e, struct hlsl_pass *out, char *at,
                                          bool follows)
{
    char name[HLSL_NAME];
    char *value;

    at += strspn(at, "(< \t\r\n");
    if (text_has_word(at, "compile"))
        return read_compile(e, out, at);
    if (text_has_word(at, "asm")) {
        char *open = strchr(at, '{'), *close = open ? text_end_of_block(open) : NULL;

        if (!close)
            return fail_at(e, at, "asm { } is expected");
        out->is_assembly = true;
        text_blank(e->text, e->text + (open - e->plain) + 1);
        text_blank(e->text + (close - e->plain), strchr(e->text, 0));
        return ST_OK;
    }
    copy_word(name, sizeof(name), at);
    value = *name && follows ? value_of(e->plain, strchr(e->plain, 0), name) : NULL;
    if (value)
        return read_shader(e, out, value, false);
    return fail_at(e, at,
                   text_has_word(at, "null") ? "the pass has no such shader: it is NULL"
                                             : "compile or asm is expected");
}

static MUST_CHECK enum status read_pass(struct effect *e, struct hlsl_pass *out,
                                        const struct block *pass, char stage)
{
    char *vertex = value_of(pass->open, pass->close, "vertexshader");
    char *pixel = value_of(pass->open, pass->close, "pixelshader");
    char *value;

    if (!stage && vertex && pixel)
        return fail(e, "the pass has a vertex shader and a pixel shader: -T vs or -T ps chooses");
    value = stage == 'v' ? vertex : stage == 'p' ? pixel : vertex ? vertex : pixel;
    if (!value)
        return fail(e, "the pass has no %s",
                    stage == 'v'   ? "vertex shader"
                    : stage == 'p' ? "pixel shader"
                                   : "shader");
    return read_shader(e, out, value, true);
}

/* --- The text that remains -------------------------------------------------------------------- */

/* Blanks in the text from `begin` to `end`, which are places without comments. */
static void blank(struct effect *e, const char *begin, const char *end)
{
    text_blank(e->text + (begin - e->plain), e->text + (end - e->plain));
}

/* Compilers of shaders know neither techniques nor variables that hold shaders; states of samplers
 * are no part of a shader. */
static void blank_effect(struct effect *e)
{
    static const char *const states[] = {"sampler_state", "compile", "asm"};
    char *end = strchr(e->plain, 0);
    struct block block;

    for (char *at = e->plain; next_block(&block, "technique", at, end); at = block.close + 1)
        blank(e, block.begin, block.close + 1);
    for (char *at = e->plain; at < end; at++) {
        char *equals = at, *word, *from;
        bool shader = false, state = false;

        if (*equals != '=')
            continue;
        word = (char *)(uintptr_t)text_skip_space(equals + 1);
        state = text_has_word(word, states[0]);
        shader = text_has_word(word, states[1]) || text_has_word(word, states[2]);
        if (!state && !shader)
            continue;
        at = strchr(word, state || text_has_word(word, states[2]) ? '{' : '(');
        at = at && *at == '{' ? text_end_of_block(at) : at;
        if (!at)
            return;
        for (from = equals; shader && from > e->plain && !strchr(";}>", from[-1]);)
            from--;
        blank(e, from, state ? at + 1 : at + strcspn(at, ";"));
    }
}

enum status hlsl_effect_pass(struct hlsl_pass *out, const char *text, size_t n,
                             const char *technique, const char *pass, char stage,
                             char error[HLSL_ERROR])
{
    struct effect e = {mem_alloc(n + 1), hlsl_without_comments(text, n), error};
    struct block block;
    enum status st = e.text && e.plain ? ST_OK : ST_NOMEM;

    memset(out, 0, sizeof(*out));
    if (st == ST_OK) {
        memcpy(e.text, text, n);
        e.text[n] = 0;
        st = find_block(&e, &block, "technique", technique, e.plain, strchr(e.plain, 0));
    }
    if (st == ST_OK)
        st = find_block(&e, &block, "pass", pass, block.open + 1, block.close);
    if (st == ST_OK)
        st = read_pass(&e, out, &block, stage);
    if (st == ST_OK && !out->is_assembly)
        blank_effect(&e);
    mem_free(e.plain);
    if (st != ST_OK)
        mem_free(e.text);
    else
        out->text = e.text;
    return st;
}
