/* Splits assembly text into tokens; strips comments and carries out the simple part of the
 * preprocessor. */
#include "vm/asm.h"
#include "vm/program_private.h"

#include "util/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In the C locale, whatever the program has set. */
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

void asm_lexer_init(struct asm_lexer *lexer, const char *text, struct vm_error *error)
{
    memset(lexer, 0, sizeof(*lexer));
    lexer->input[0] = (struct asm_input){text, -1};
    lexer->line_start = text;
    lexer->line = 1;
    lexer->error = error;
    lexer->token.starts_line = true;
}

void asm_lexer_fini(struct asm_lexer *lexer)
{
    for (size_t i = 0; i < lexer->n_macros; i++) {
        mem_free(lexer->macro[i].name);
        mem_free(lexer->macro[i].value);
    }
    mem_free(lexer->macro);
}

enum status asm_error(struct asm_lexer *lexer, const char *format, ...)
{
    char text[120];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return vm_fault(lexer->error, 0, "%u:%u: %s", lexer->token.place.line,
                    lexer->token.place.column, text);
}

enum status asm_error_at(struct asm_lexer *lexer, struct asm_place place, const char *format, ...)
{
    char text[120];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return vm_fault(lexer->error, 0, "%u:%u: %s", place.line, place.column, text);
}

bool asm_is(const struct asm_lexer *lexer, char punctuation)
{
    return lexer->token.kind == ASM_PUNCTUATION && lexer->token.text[0] == punctuation;
}

enum status asm_expect(struct asm_lexer *lexer, char punctuation)
{
    if (!asm_is(lexer, punctuation))
        return asm_error(lexer, "'%c' expected, not '%s'", punctuation,
                         lexer->token.kind == ASM_END ? "end of text" : lexer->token.text);
    return asm_next(lexer);
}

/* --- Macros ----------------------------------------------------------------------------------- */

static int find_macro(const struct asm_lexer *lexer, const char *name, size_t length)
{
    for (size_t i = 0; i < lexer->n_macros; i++) {
        const char *known = lexer->macro[i].name;

        if (known && strlen(known) == length && !memcmp(known, name, length))
            return (int)i;
    }
    return -1;
}

static bool is_expanding(const struct asm_lexer *lexer, int macro)
{
    for (unsigned i = 1; i <= lexer->depth; i++) {
        if (lexer->input[i].macro == macro)
            return true;
    }
    return false;
}

static char *copy_text(const char *from, size_t length)
{
    char *copy = mem_alloc(length + 1);

    if (copy) {
        memcpy(copy, from, length);
        copy[length] = 0;
    }
    return copy;
}

static void undefine(struct asm_lexer *lexer, const char *name, size_t length)
{
    int known = find_macro(lexer, name, length);

    if (known < 0)
        return;
    mem_free(lexer->macro[known].name);
    lexer->macro[known].name = NULL; /* the value may be in use; it goes at the end */
}

static MUST_CHECK enum status define(struct asm_lexer *lexer, const char *name, size_t length,
                                     const char *value, size_t value_length)
{
    struct asm_macro macro;
    enum status st;

    undefine(lexer, name, length);
    st = vm_grow((void **)&lexer->macro, lexer->n_macros, &lexer->max_macros, sizeof(macro));
    if (st != ST_OK)
        return st;
    macro.name = copy_text(name, length);
    macro.value = copy_text(value, value_length);
    if (!macro.name || !macro.value) {
        mem_free(macro.name);
        mem_free(macro.value);
        return ST_NOMEM;
    }
    lexer->macro[lexer->n_macros++] = macro;
    return ST_OK;
}

/* --- Directives ------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static const char *word_end(const char *at)
{
    while (is_word(*at))
        at++;
    return at;
}

/* The end of a line without its comment. */
static const char *line_end(const char *at)
{
    while (*at && *at != '\n' && *at != ';' && !(at[0] == '/' && (at[1] == '/' || at[1] == '*')))
        at++;
    return at;
}

static MUST_CHECK enum status conditional(struct asm_lexer *lexer, const char *word, size_t length,
                                          const char *argument)
{
    size_t argument_length = (size_t)(word_end(argument) - argument);
    bool is_ifdef = length == 5 && !memcmp(word, "ifdef", 5);
    bool is_ifndef = length == 6 && !memcmp(word, "ifndef", 6);

    if (is_ifdef || is_ifndef) {
        bool defined = find_macro(lexer, argument, argument_length) >= 0;

        lexer->open_ifs++;
        if (!lexer->skipped_ifs && defined != is_ifdef)
            lexer->skipped_ifs = lexer->open_ifs;
        return ST_OK;
    }
    if (!lexer->open_ifs)
        return asm_error(lexer, "#%.*s without #ifdef", (int)length, word);
    if (length == 4 && !memcmp(word, "else", 4)) {
        if (lexer->skipped_ifs == lexer->open_ifs)
            lexer->skipped_ifs = 0;
        else if (!lexer->skipped_ifs)
            lexer->skipped_ifs = lexer->open_ifs;
        return ST_OK;
    }
    if (lexer->skipped_ifs == lexer->open_ifs)
        lexer->skipped_ifs = 0;
    lexer->open_ifs--;
    return ST_OK;
}

static bool is_name(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(word, name, length);
}

static MUST_CHECK enum status directive(struct asm_lexer *lexer, struct asm_input *in)
{
    const char *word = skip_blanks(in->at + 1);
    size_t length = (size_t)(word_end(word) - word);
    const char *argument = skip_blanks(word + length);
    size_t argument_length = (size_t)(word_end(argument) - argument);
    const char *end = line_end(argument);

    lexer->token.place.line = lexer->line;
    lexer->token.place.column = (unsigned)(in->at - lexer->line_start) + 1;
    in->at = end;
    if (is_name(word, length, "ifdef") || is_name(word, length, "ifndef") ||
        is_name(word, length, "else") || is_name(word, length, "endif"))
        return conditional(lexer, word, length, argument);
    if (lexer->skipped_ifs || is_name(word, length, "line") || is_name(word, length, "pragma"))
        return ST_OK;
    if (!argument_length || !(is_name(word, length, "define") || is_name(word, length, "undef")))
        return asm_error(lexer, "#%.*s is not known", (int)(length < 32 ? length : 32), word);
    if (word[0] == 'u') {
        undefine(lexer, argument, argument_length);
        return ST_OK;
    }
    if (argument[argument_length] == '(')
        return asm_error(lexer, "#define with parameters is not supported");
    word = skip_blanks(argument + argument_length);
    return define(lexer, argument, argument_length, word, (size_t)(end > word ? end - word : 0));
}

/* --- Blanks ----------------------------------------------------------------------------------- */

static void newline(struct asm_lexer *lexer, struct asm_input *in)
{
    in->at++;
    if (lexer->depth)
        return;
    lexer->line++;
    lexer->line_start = in->at;
}

static MUST_CHECK enum status block_comment(struct asm_lexer *lexer, struct asm_input *in)
{
    if (!lexer->depth)
        lexer->token.place =
            (struct asm_place){lexer->line, (unsigned)(in->at - lexer->line_start) + 1};
    in->at += 2;
    while (in->at[0] && !(in->at[0] == '*' && in->at[1] == '/')) {
        if (*in->at == '\n')
            newline(lexer, in);
        else
            in->at++;
    }
    if (!*in->at)
        return asm_error(lexer, "a comment does not end");
    in->at += 2;
    return ST_OK;
}

static void skip_to_newline(struct asm_input *in)
{
    while (*in->at && *in->at != '\n')
        in->at++;
}

/* Moves to the next character that counts; leaves finished macros. */
static MUST_CHECK enum status skip_space(struct asm_lexer *lexer, bool *blank, bool *new_line)
{
    enum status st = ST_OK;

    while (st == ST_OK) {
        struct asm_input *in = &lexer->input[lexer->depth];
        const char *before = in->at;

        if (!*in->at) {
            if (!lexer->depth)
                return ST_OK;
            lexer->depth--;
            continue;
        }
        if (*in->at == '\n') {
            *new_line |= !lexer->depth;
            newline(lexer, in);
        } else if (*in->at == ' ' || *in->at == '\t' || *in->at == '\r') {
            in->at++;
        } else if (in->at[0] == '\\' && (in->at[1] == '\n' || in->at[1] == '\r')) {
            in->at++;
        } else if (*in->at == ';' || (in->at[0] == '/' && in->at[1] == '/')) {
            skip_to_newline(in);
        } else if (in->at[0] == '/' && in->at[1] == '*') {
            st = block_comment(lexer, in);
        } else if (*in->at == '#' && *new_line && !lexer->depth) {
            st = directive(lexer, in);
        } else if (lexer->skipped_ifs) {
            skip_to_newline(in);
        } else {
            return ST_OK;
        }
        *blank |= lexer->input[lexer->depth].at != before;
    }
    return st;
}

/* --- Tokens ----------------------------------------------------------------------------------- */

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

static MUST_CHECK enum status set_token(struct asm_lexer *lexer, enum asm_token_kind kind,
                                        struct asm_input *in, const char *end)
{
    size_t length = (size_t)(end - in->at);

    lexer->token.kind = kind;
    if (length >= ASM_TOKEN_TEXT)
        return asm_error(lexer, "a word is too long");
    memcpy(lexer->token.text, in->at, length);
    lexer->token.text[length] = 0;
    in->at = end;
    return ST_OK;
}

static void set_place(struct asm_lexer *lexer)
{
    if (!lexer->depth) {
        lexer->use.line = lexer->line;
        lexer->use.column = (unsigned)(lexer->input[0].at - lexer->line_start) + 1;
    }
    lexer->token.place = lexer->use;
}

enum status asm_next(struct asm_lexer *lexer)
{
    /* A point begins a number where no register can stand before it. */
    bool after_comma = asm_is(lexer, ',') || asm_is(lexer, '-');
    bool blank = false, new_line = lexer->token.starts_line && lexer->token.kind == ASM_END;
    enum status st;

    for (;;) {
        struct asm_input *in;
        const char *end;
        int macro;

        if ((st = skip_space(lexer, &blank, &new_line)) != ST_OK)
            return st;
        in = &lexer->input[lexer->depth];
        set_place(lexer);
        lexer->token.glued = !blank;
        lexer->token.starts_line = new_line;
        if (!*in->at) {
            lexer->token.kind = ASM_END;
            return lexer->open_ifs ? asm_error(lexer, "#endif is missing") : ST_OK;
        }
        if (is_digit(*in->at) || (*in->at == '.' && is_digit(in->at[1]) && (blank || after_comma)))
            return set_token(lexer, ASM_NUMBER, in, number_end(in->at));
        if (!is_word_start(*in->at))
            return set_token(lexer, ASM_PUNCTUATION, in, in->at + 1);
        end = word_end(in->at);
        macro = find_macro(lexer, in->at, (size_t)(end - in->at));
        if (macro < 0 || is_expanding(lexer, macro))
            return set_token(lexer, ASM_WORD, in, end);
        if (lexer->depth + 1 == ASM_MAX_DEPTH)
            return asm_error(lexer, "macros are nested too deeply");
        in->at = end;
        lexer->input[++lexer->depth] = (struct asm_input){lexer->macro[macro].value, macro};
    }
}
