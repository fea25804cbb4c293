/* Assembler preprocessor: handles directives and delivers the expanded token stream to the parser.
 * It follows C with two exceptions. There are no strings. If an expansion ends with the name of a
 * macro, that name takes no arguments from the text behind the expansion. */
#include "vm/asm/lexer.h"
#include "vm/isa/array.h"

#include <string.h>

/* --- Conditions ------------------------------------------------------------------------------- */

static bool is_name(const struct asm_token *token, const char *name)
{
    return token->kind == ASM_WORD && !strcmp(token->text, name);
}

static bool opens_if(const struct asm_token *token)
{
    return is_name(token, "if") || is_name(token, "ifdef") || is_name(token, "ifndef");
}

/* Ignores the rest of the line after #else and the like. */
static void drop_rest(struct asm_lexer *lexer)
{
    size_t length;

    if (!lexer->has_ahead)
        (void)asm_scan_rest(&lexer->file[lexer->depth], &length);
}

/* Handles #else and #elif of the innermost #if; *read: the following text is active. */
static MUST_CHECK enum status next_branch(struct asm_lexer *lexer, const struct asm_token *word,
                                          bool *read)
{
    bool is_else = is_name(word, "else");
    bool taken;
    enum status st;

    *read = false;
    if (!lexer->n_ifs || lexer->n_ifs == lexer->file[lexer->depth].n_ifs)
        return asm_error_at(lexer, word->location, "#%s without #if", word->text);
    if (lexer->branch[lexer->n_ifs - 1].has_else)
        return asm_error_at(lexer, word->location, "#%s after #else", word->text);
    taken = lexer->branch[lexer->n_ifs - 1].taken;
    if (is_else)
        lexer->branch[lexer->n_ifs - 1].has_else = *read = true;
    else if (!taken && (st = asm_condition(lexer, &word->location, read)) != ST_OK)
        return st;
    drop_rest(lexer);
    *read &= !taken;
    lexer->branch[lexer->n_ifs - 1].taken |= *read;
    return ST_OK;
}

/* Skips inactive text up to an active branch or the #endif. */
static MUST_CHECK enum status skip_branches(struct asm_lexer *lexer)
{
    struct asm_token token, word;
    unsigned nested = 0;
    bool read = false;
    enum status st = ST_OK;

    while (st == ST_OK && !read) {
        lexer->skipping = true;
        st = asm_raw_next(lexer, &token);
        if (st == ST_OK && asm_token_is(&token, '#') && token.starts_line)
            st = asm_raw_next(lexer, &word);
        lexer->skipping = false;
        if (st != ST_OK)
            return st;
        if (token.kind == ASM_END)
            return asm_error_at(lexer, token.location, "#endif is missing");
        if (!asm_token_is(&token, '#') || !token.starts_line)
            continue;
        if (word.starts_line) {
            asm_push_back(lexer, &word);
        } else if (opens_if(&word)) {
            nested++;
        } else if (is_name(&word, "endif")) {
            if (nested-- == 0) {
                lexer->n_ifs--;
                drop_rest(lexer);
                return ST_OK;
            }
        } else if (!nested && (is_name(&word, "else") || is_name(&word, "elif"))) {
            st = next_branch(lexer, &word, &read);
        }
    }
    return st;
}

static MUST_CHECK enum status begin_if(struct asm_lexer *lexer, const struct asm_token *word)
{
    struct asm_token name;
    bool value;
    enum status st;

    if (lexer->n_ifs == ASM_MAX_IFS)
        return asm_error_at(lexer, word->location, "#if is nested too deeply");
    if (is_name(word, "if")) {
        st = asm_condition(lexer, &word->location, &value);
    } else {
        st = asm_raw_next(lexer, &name);
        if (st == ST_OK && (name.kind != ASM_WORD || name.starts_line))
            return asm_error_at(lexer, word->location, "#%s lacks a name", word->text);
        value = st == ST_OK && (asm_find_macro(lexer, name.text) != NULL) == is_name(word, "ifdef");
        drop_rest(lexer);
    }
    if (st != ST_OK)
        return st;
    lexer->branch[lexer->n_ifs].taken = value;
    lexer->branch[lexer->n_ifs++].has_else = false;
    return value ? ST_OK : skip_branches(lexer);
}

/* --- Other directives ------------------------------------------------------------------------- */

static MUST_CHECK enum status keep_text(struct asm_lexer *lexer, char *text)
{
    enum status st =
        vm_grow((void **)&lexer->text, lexer->n_texts, &lexer->max_texts, sizeof(*lexer->text));

    if (st == ST_OK)
        lexer->text[lexer->n_texts++] = text;
    else
        mem_free(text);
    return st;
}

/* Handles #include "name" and #include <name>. */
static MUST_CHECK enum status include(struct asm_lexer *lexer, const struct asm_token *word)
{
    struct asm_scanner *s = &lexer->file[lexer->depth];
    char name[200], *text = NULL, *path = NULL;
    const char *rest;
    size_t length;
    enum status st;

    rest = asm_scan_rest(s, &length);
    if (length < 3 || length - 2 >= sizeof(name) ||
        !((rest[0] == '"' && rest[length - 1] == '"') ||
          (rest[0] == '<' && rest[length - 1] == '>')))
        return asm_error_at(lexer, word->location, "#include lacks \"name\" or <name>");
    memcpy(name, rest + 1, length - 2);
    name[length - 2] = 0;
    if (!lexer->source || !lexer->source->include)
        return asm_error_at(lexer, word->location, "there are no files to #include here");
    if (lexer->depth + 1 == ASM_MAX_FILES)
        return asm_error_at(lexer, word->location, "#include is nested too deeply");
    if (lexer->n_texts >= 2 * ASM_MAX_INCLUDES) /* two texts each: contents and path */
        return asm_error_at(lexer, word->location, "#include reads too many files");
    st = lexer->source->include(lexer->source->ctx, s->location.file, name, &text, &path);
    if (st == ST_NOMEM)
        return st;
    if (st != ST_OK)
        return asm_error_at(lexer, word->location, "'%s' cannot be read", name);
    st = keep_text(lexer, text);
    if (st != ST_OK) {
        mem_free(path);
        return st;
    }
    if ((st = keep_text(lexer, path)) != ST_OK)
        return st;
    asm_scanner_init(&lexer->file[++lexer->depth], text, path);
    lexer->file[lexer->depth].n_ifs = lexer->n_ifs;
    return ST_OK;
}

static MUST_CHECK enum status define_or_undef(struct asm_lexer *lexer, const struct asm_token *word)
{
    struct asm_tokens line = {.token = NULL};
    enum status st = asm_rest_of_line(lexer, &line);

    if (st == ST_OK && (!line.n || line.token[0].kind != ASM_WORD))
        st = asm_error_at(lexer, word->location, "#%s lacks a name", word->text);
    else if (st == ST_OK && is_name(word, "undef"))
        asm_undefine(lexer, line.token[0].text);
    else if (st == ST_OK)
        st = asm_define(lexer, line.token, line.n);
    asm_tokens_free(&line);
    return st;
}

/* `#pragma comment` becomes a token and leaves its numbers to the parser. Other pragmas are
 * ignored. */
static MUST_CHECK enum status pragma(struct asm_lexer *lexer, bool *gives_token)
{
    struct asm_token word;
    size_t length;
    enum status st = asm_raw_next(lexer, &word);

    if (st != ST_OK)
        return st;
    *gives_token = is_name(&word, "comment") && !word.starts_line;
    if (*gives_token) {
        lexer->token = word;
        lexer->token.kind = ASM_PRAGMA;
    } else if (word.starts_line || word.kind == ASM_END) {
        asm_push_back(lexer, &word);
    } else {
        (void)asm_scan_rest(&lexer->file[lexer->depth], &length);
    }
    return ST_OK;
}

static MUST_CHECK enum status directive(struct asm_lexer *lexer, bool *gives_token)
{
    struct asm_scanner *s = &lexer->file[lexer->depth];
    struct asm_token word;
    const char *rest;
    size_t length;
    bool read;
    enum status st = asm_raw_next(lexer, &word);

    if (st != ST_OK)
        return st;
    if (word.starts_line || word.kind == ASM_END) { /* a # alone */
        asm_push_back(lexer, &word);
        return ST_OK;
    }
    if (opens_if(&word))
        return begin_if(lexer, &word);
    if (is_name(&word, "else") || is_name(&word, "elif")) {
        st = next_branch(lexer, &word, &read);
        return st == ST_OK ? skip_branches(lexer) : st; /* the active branch has ended */
    }
    if (is_name(&word, "endif")) {
        if (!lexer->n_ifs || lexer->n_ifs == s->n_ifs)
            return asm_error_at(lexer, word.location, "#endif without #if");
        lexer->n_ifs--;
        drop_rest(lexer);
        return ST_OK;
    }
    if (is_name(&word, "define") || is_name(&word, "undef"))
        return define_or_undef(lexer, &word);
    if (is_name(&word, "include"))
        return include(lexer, &word);
    if (is_name(&word, "pragma"))
        return pragma(lexer, gives_token);
    rest = asm_scan_rest(s, &length);
    if (is_name(&word, "line")) /* locations refer to this text */
        return ST_OK;
    if (is_name(&word, "error"))
        return asm_error_at(lexer, word.location, "#error %.*s", (int)(length < 120 ? length : 120),
                            rest);
    return asm_error_at(lexer, word.location, "#%s is not known", word.text);
}

/* --- The stream ------------------------------------------------------------------------------- */

enum status asm_next(struct asm_lexer *lexer)
{
    struct asm_token token;
    enum status st;

    for (;;) {
        bool done = false;

        if (lexer->pending_at < lexer->pending.n) {
            lexer->token = lexer->pending.token[lexer->pending_at++];
            return ST_OK;
        }
        if ((st = asm_raw_next(lexer, &token)) != ST_OK)
            return st;
        if (asm_token_is(&token, '#') && token.starts_line) {
            if ((st = directive(lexer, &done)) != ST_OK || done)
                return st;
            continue;
        }
        if (token.kind == ASM_WORD && asm_find_macro(lexer, token.text)) {
            if ((st = asm_expand_use(lexer, &token, &done)) != ST_OK)
                return st;
            if (done)
                continue;
        }
        lexer->token = token;
        return token.kind == ASM_END && lexer->n_ifs ? asm_error(lexer, "#endif is missing")
                                                     : ST_OK;
    }
}

enum status asm_expect(struct asm_lexer *lexer, char punctuation)
{
    if (!asm_is(lexer, punctuation))
        return asm_error(lexer, "'%c' expected, not '%s'", punctuation,
                         lexer->token.kind == ASM_END ? "end of text" : lexer->token.text);
    return asm_next(lexer);
}

/* Defines a name of vm_asm_source.define, as `#define NAME value` does. */
static MUST_CHECK enum status define_given(struct asm_lexer *lexer, const char *name,
                                           const char *value)
{
    struct asm_tokens line = {.token = NULL};
    struct asm_token token;
    enum status st = ST_OK;

    for (unsigned i = 0; i < 2 && st == ST_OK; i++) {
        asm_scanner_init(&lexer->file[0], i ? (value ? value : "") : name, "-D");
        lexer->file[0].at_line_start = false;
        do {
            st = asm_scan(lexer, &token);
            token.adjacent = false;
            if (st == ST_OK && token.kind != ASM_END)
                st = asm_tokens_add(&line, &token);
        } while (st == ST_OK && token.kind != ASM_END);
    }
    if (st == ST_OK && (!line.n || line.token[0].kind != ASM_WORD))
        st = asm_error(lexer, "'%s' cannot be defined", name);
    else if (st == ST_OK)
        st = asm_define(lexer, line.token, line.n);
    asm_tokens_free(&line);
    return st;
}

enum status asm_lexer_init(struct asm_lexer *lexer, const char *text,
                           const struct vm_asm_source *source, struct vm_error *error)
{
    enum status st = ST_OK;

    memset(lexer, 0, sizeof(*lexer));
    lexer->source = source;
    lexer->error = source && source->report ? &lexer->now : error;
    lexer->token.location = (struct asm_location){NULL, 1, 1};
    for (unsigned i = 0; source && i < source->n_defines && st == ST_OK; i++)
        st = define_given(lexer, source->define[i].name, source->define[i].value);
    asm_scanner_init(&lexer->file[0], text, NULL);
    return st;
}

void asm_lexer_fini(struct asm_lexer *lexer)
{
    asm_macros_free(lexer);
    asm_tokens_free(&lexer->pending);
    for (size_t i = 0; i < lexer->n_texts; i++)
        mem_free(lexer->text[i]);
    mem_free(lexer->text);
}
