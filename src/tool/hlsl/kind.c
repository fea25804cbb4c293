/* Recognises the kind of a shader by its content: byte code by its version token, assembly by its
 * version, HLSL by its braces. */
#include "tool/hlsl/hlsl.h"
#include "tool/hlsl/text.h"

#include "util/alloc.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *hlsl_kind_text(enum hlsl_kind kind)
{
    static const char *const texts[] = {"is byte code", "is assembly", "is HLSL", "is an effect"};

    return texts[kind];
}

/* --- Text ------------------------------------------------------------------------------------- */

bool text_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool text_has_word(const char *at, const char *word)
{
    size_t n = strlen(word);

    return !strncasecmp(at, word, n) && !text_is_word(at[n]);
}

const char *text_find_word(const char *text, const char *at, const char *word)
{
    for (; *at; at++)
        if ((at == text || !text_is_word(at[-1])) && text_has_word(at, word))
            return at;
    return NULL;
}

const char *text_skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n\f\v");
}

char *text_end_of_block(char *open)
{
    unsigned depth = 0;

    for (char *at = open; *at; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

void text_blank(char *begin, const char *end)
{
    for (; begin < end; begin++)
        if (*begin != '\n' && *begin != '\r')
            *begin = ' ';
}

char *hlsl_without_comments(const char *text, size_t n)
{
    char *copy = mem_alloc(n + 1), *at = copy;

    if (!copy)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = 0;
    while (*at) {
        char *end = at + 1;

        if (at[0] == '/' && at[1] == '/') {
            end = at + strcspn(at, "\n");
            text_blank(at, end);
        } else if (at[0] == '/' && at[1] == '*') {
            char *close = strstr(at + 2, "*/");

            end = close ? close + 2 : strchr(at, 0);
            text_blank(at, end);
        } else if (*at == '"') {
            end = at + 1 + strcspn(at + 1, "\"\n");
            text_blank(at + 1, end);
            end += *end == '"';
        }
        at = end;
    }
    return copy;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Skips blanks, comments of assembly and directives of the preprocessor. */
static const char *skip_directives(const char *at)
{
    for (;;) {
        at = text_skip_space(at);
        if (*at != ';' && *at != '#')
            return at;
        while (*at && *at != '\n') {
            bool joined = *at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'));

            at += joined ? (at[1] == '\n' ? 2 : 3) : 1;
        }
    }
}

/* vs_1_1, or vs.1.1 as in Direct3D 8 */
static bool is_version(const char *at)
{
    return strchr("vVpP", at[0]) && (at[1] == 's' || at[1] == 'S') &&
           (at[2] == '_' || at[2] == '.') && isdigit((unsigned char)at[3]) &&
           (at[4] == '_' || at[4] == '.');
}

static bool is_asm_block(const char *at)
{
    return text_has_word(at, "asm") && *text_skip_space(at + 3) == '{';
}

static bool has_technique(const char *text)
{
    const char *at = text_find_word(text, text, "technique");

    return at && strchr(at, '{');
}

enum hlsl_kind hlsl_kind_of(const void *bytes, size_t n)
{
    const uint8_t *byte = bytes;
    enum hlsl_kind kind = HLSL_IS_ASSEMBLY;
    const char *start;
    char *plain;

    if (n >= 4 && byte[3] == 0xff && byte[2] >= 0xfe)
        return HLSL_IS_BYTE_CODE;
    plain = hlsl_without_comments(bytes, n);
    if (!plain)
        return kind;
    start = skip_directives(plain);
    if (*start && !is_version(start) && !is_asm_block(start) && strchr(start, '{'))
        kind = has_technique(start) ? HLSL_IS_EFFECT : HLSL_IS_HLSL;
    mem_free(plain);
    return kind;
}

bool hlsl_keep_asm_block(char *text)
{
    char *plain = hlsl_without_comments(text, strlen(text)), *open = NULL, *close = NULL;

    for (const char *at = plain; at && !open && (at = text_find_word(plain, at, "asm")); at++)
        if (is_asm_block(at))
            open = strchr((char *)(uintptr_t)at, '{');
    if (open)
        close = text_end_of_block(open);
    if (close) {
        text_blank(text, text + (open - plain) + 1);
        text_blank(text + (close - plain), strchr(text, 0));
    }
    mem_free(plain);
    return close;
}
