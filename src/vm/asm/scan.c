/* Assembler scanner: splits text into tokens, strips comments, joins continued lines, and returns
 * from included files.
 *
 * Tested by tests/unit/vm/asm/test_asm.c and tests/unit/vm/asm/test_pre.c. */
#include "vm/asm/lexer.h"

#include <string.h>

/* As in the C locale, whatever locale the process has set. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_word_start(c) || is_digit(c);
}

void asm_scanner_init(struct asm_scanner *s, const char *text, const char *file)
{
    memset(s, 0, sizeof(*s));
    s->at = s->line_start = text;
    s->location = (struct asm_location){file, 1, 1};
    s->at_line_start = true;
}

static struct asm_location location_of(const struct asm_scanner *s)
{
    struct asm_location location = s->location;

    location.column = (unsigned)(s->at - s->line_start) + 1;
    return location;
}

/* --- Blanks ----------------------------------------------------------------------------------- */

static void newline(struct asm_scanner *s)
{
    s->at++;
    s->location.line++;
    s->line_start = s->at;
}

/* A backslash at the end of a line joins it with the next; returns the length of the line break. */
static size_t continuation(const char *at)
{
    if (at[0] != '\\')
        return 0;
    return at[1] == '\n' ? 1 : at[1] == '\r' && at[2] == '\n' ? 2 : 0;
}

static bool is_line_comment(const char *at)
{
    return *at == ';' || (at[0] == '/' && at[1] == '/');
}

static MUST_CHECK enum status block_comment(struct asm_lexer *lexer, struct asm_scanner *s)
{
    struct asm_location location = location_of(s);

    s->at += 2;
    while (s->at[0] && !(s->at[0] == '*' && s->at[1] == '/')) {
        if (*s->at == '\n')
            newline(s);
        else
            s->at++;
    }
    if (!*s->at)
        return asm_error_at(lexer, location, "unterminated comment");
    s->at += 2;
    return ST_OK;
}

/* Skips blanks and comments. */
static MUST_CHECK enum status skip_space(struct asm_lexer *lexer, struct asm_scanner *s)
{
    for (;;) {
        size_t joined = continuation(s->at);
        enum status st;

        if (joined) {
            s->at += joined;
            newline(s);
        } else if (*s->at == '\n') {
            s->at_line_start = true;
            newline(s);
        } else if (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
            s->at++;
        } else if (is_line_comment(s->at)) {
            while (*s->at && *s->at != '\n')
                s->at++;
        } else if (s->at[0] == '/' && s->at[1] == '*') {
            if ((st = block_comment(lexer, s)) != ST_OK)
                return st;
        } else {
            return ST_OK;
        }
    }
}

const char *asm_scan_rest(struct asm_scanner *s, size_t *length)
{
    const char *begin, *end;

    while (*s->at == ' ' || *s->at == '\t')
        s->at++;
    begin = s->at;
    while (*s->at && *s->at != '\n' && !is_line_comment(s->at))
        s->at++;
    for (end = s->at; end > begin && strchr(" \t\r", end[-1]);)
        end--;
    *length = (size_t)(end - begin);
    return begin;
}

/* --- Tokens ----------------------------------------------------------------------------------- */

static const char *word_end(const char *at)
{
    while (is_word(*at))
        at++;
    return at;
}

static const char *number_end(const char *at)
{
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        at += 2;
        while (is_digit(*at) || (*at >= 'a' && *at <= 'f') || (*at >= 'A' && *at <= 'F'))
            at++;
        return at;
    }
    while (is_digit(*at))
        at++;
    if (*at == '.')
        at++;
    if (*at == '#') /* 1.#INF, 1.#QNAN */
        return word_end(at + 1);
    while (is_digit(*at))
        at++;
    if ((*at == 'e' || *at == 'E') &&
        (is_digit(at[1]) || ((at[1] == '-' || at[1] == '+') && is_digit(at[2])))) {
        at += 2;
        while (is_digit(*at))
            at++;
    }
    return *at == 'f' && !is_word(at[1]) ? at + 1 : at;
}

static const char *token_end(struct asm_token *token, const char *at, bool point_begins_number)
{
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]) && point_begins_number)) {
        token->kind = ASM_NUMBER;
        return number_end(at);
    }
    token->kind = is_word_start(*at) ? ASM_WORD : ASM_PUNCTUATION;
    return is_word_start(*at) ? word_end(at) : at + 1;
}

enum status asm_scan(struct asm_lexer *lexer, struct asm_token *token)
{
    struct asm_scanner *s = &lexer->file[lexer->depth];
    const char *before = s->at, *end;
    size_t length;
    enum status st = skip_space(lexer, s);

    memset(token, 0, sizeof(*token));
    token->adjacent = s->at == before;
    token->starts_line = s->at_line_start;
    token->location = location_of(s);
    if (st != ST_OK || !*s->at)
        return st;
    s->at_line_start = false;
    end = token_end(token, s->at, !token->adjacent || s->after_operator || token->starts_line);
    length = (size_t)(end - s->at);
    if (length >= ASM_TOKEN_TEXT && !lexer->skipping)
        return asm_error_at(lexer, token->location, "a word is too long");
    memcpy(token->text, s->at, length < ASM_TOKEN_TEXT ? length : ASM_TOKEN_TEXT - 1);
    s->at = end;
    s->after_operator = token->kind == ASM_PUNCTUATION && strchr(",-(+*", token->text[0]);
    return ST_OK;
}

/* --- Tokens before macro expansion ------------------------------------------------------------ */

void asm_push_back(struct asm_lexer *lexer, const struct asm_token *token)
{
    lexer->ahead = *token;
    lexer->has_ahead = true;
}

/* At the end of an included file, continues after the #include. */
enum status asm_raw_next(struct asm_lexer *lexer, struct asm_token *token)
{
    enum status st;

    if (lexer->has_ahead) {
        *token = lexer->ahead;
        lexer->has_ahead = false;
        return ST_OK;
    }
    while ((st = asm_scan(lexer, token)) == ST_OK && token->kind == ASM_END && lexer->depth) {
        if (lexer->n_ifs != lexer->file[lexer->depth].n_ifs)
            return asm_error_at(lexer, token->location, "#endif is missing");
        lexer->depth--;
        lexer->file[lexer->depth].at_line_start = true;
    }
    return st;
}

/* Stops at the end of an included file. asm_raw_next would leave the file and look for a missing
 * #endif, too early for an #if in the last line. */
enum status asm_rest_of_line(struct asm_lexer *lexer, struct asm_tokens *list)
{
    struct asm_token token;
    enum status st;

    for (;;) {
        st = lexer->has_ahead ? asm_raw_next(lexer, &token) : asm_scan(lexer, &token);
        if (st != ST_OK || token.kind == ASM_END)
            return st;
        if (token.starts_line) {
            asm_push_back(lexer, &token);
            return ST_OK;
        }
        if ((st = asm_tokens_add(list, &token)) != ST_OK)
            return st;
    }
}
