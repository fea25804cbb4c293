/* Preprocessor macros: definitions, arguments, expansion. */
#include "util/plural.h"
#include "vm/asm/lexer.h"
#include "vm/isa/array.h"

#include <string.h>

/* MAX_TOKENS: result of one use. MAX_REPLACED: tokens that all expansions of a text process.
 * MAX_NESTED: nested macros. */
enum { MAX_TOKENS = 1 << 16, MAX_REPLACED = 1 << 22, MAX_NESTED = 32, MAX_ARGUMENTS = 32 };

/* --- Definitions ------------------------------------------------------------------------------ */

struct asm_macro *asm_find_macro(const struct asm_lexer *lexer, const char *name)
{
    for (size_t i = 0; i < lexer->n_macros; i++) {
        if (!strcmp(lexer->macro[i].name, name))
            return &lexer->macro[i];
    }
    return NULL;
}

static void macro_free(struct asm_macro *macro)
{
    asm_tokens_free(&macro->parameter);
    asm_tokens_free(&macro->body);
    macro->name[0] = 0;
}

void asm_undefine(struct asm_lexer *lexer, const char *name)
{
    struct asm_macro *macro = asm_find_macro(lexer, name);

    if (macro)
        macro_free(macro);
}

void asm_macros_free(struct asm_lexer *lexer)
{
    for (size_t i = 0; i < lexer->n_macros; i++)
        macro_free(&lexer->macro[i]);
    mem_free(lexer->macro);
}

/* Reads (a, b) after the name; *at becomes the index of the token after the parenthesis. */
static MUST_CHECK enum status read_parameters(struct asm_lexer *lexer, struct asm_macro *macro,
                                              const struct asm_token *line, size_t n, size_t *at)
{
    enum status st = ST_OK;
    size_t i = 2;

    macro->has_parameters = true;
    while (i < n && line[i].kind == ASM_WORD && macro->parameter.n < MAX_ARGUMENTS) {
        if ((st = asm_tokens_add(&macro->parameter, &line[i])) != ST_OK)
            return st;
        i++;
        if (i < n && !asm_token_is(&line[i], ','))
            break;
        i++;
    }
    *at = i + 1;
    return i < n && asm_token_is(&line[i], ')')
               ? ST_OK
               : asm_error_at(lexer, line[0].location, "unterminated parameters of '%s'",
                              line[0].text);
}

enum status asm_define(struct asm_lexer *lexer, const struct asm_token *line, size_t n)
{
    struct asm_macro macro = {.active = false};
    size_t body = 1;
    enum status st = ST_OK;

    memcpy(macro.name, line[0].text, sizeof(macro.name));
    if (n > 1 && asm_token_is(&line[1], '(') && line[1].adjacent)
        st = read_parameters(lexer, &macro, line, n, &body);
    for (size_t i = body; i < n && st == ST_OK; i++)
        st = asm_tokens_add(&macro.body, &line[i]);
    asm_undefine(lexer, macro.name);
    if (st == ST_OK)
        st = vm_grow((void **)&lexer->macro, lexer->n_macros, &lexer->max_macros, sizeof(macro));
    if (st != ST_OK) {
        macro_free(&macro);
        return st;
    }
    lexer->macro[lexer->n_macros++] = macro;
    return ST_OK;
}

/* --- Expansion -------------------------------------------------------------------------------- */

/* Arguments of one use: unexpanded and expanded. */
struct arguments {
    struct asm_tokens raw[MAX_ARGUMENTS], expanded[MAX_ARGUMENTS];
    unsigned n;
};

static void arguments_free(struct arguments *arguments)
{
    if (!arguments)
        return;
    for (unsigned i = 0; i < MAX_ARGUMENTS; i++) {
        asm_tokens_free(&arguments->raw[i]);
        asm_tokens_free(&arguments->expanded[i]);
    }
    mem_free(arguments);
}

static MUST_CHECK enum status expand(struct asm_lexer *lexer, const struct asm_token *in, size_t n,
                                     struct asm_tokens *out, unsigned nested);

static bool too_much(struct asm_lexer *lexer, const struct asm_tokens *out)
{
    return out->n > MAX_TOKENS || lexer->replaced++ > MAX_REPLACED;
}

/* in[0] is the opening parenthesis; *used: tokens up to and including the closing one. */
static MUST_CHECK enum status split_arguments(struct asm_lexer *lexer, const struct asm_token *use,
                                              const struct asm_token *in, size_t n,
                                              struct arguments *arguments, size_t *used)
{
    unsigned open = 0;
    enum status st = ST_OK;

    arguments->n = 1;
    for (size_t i = 0; i < n && st == ST_OK; i++) {
        bool outermost = open == 1;

        *used = i + 1;
        open += asm_token_is(&in[i], '(');
        open -= asm_token_is(&in[i], ')');
        if (!open)
            return ST_OK;
        if (i == 0)
            continue;
        if (outermost && asm_token_is(&in[i], ',')) {
            if (arguments->n++ == MAX_ARGUMENTS)
                break;
        } else {
            st = asm_tokens_add(&arguments->raw[arguments->n - 1], &in[i]);
        }
    }
    return st != ST_OK
               ? st
               : asm_error_at(lexer, use->location, "unterminated arguments of '%s'", use->text);
}

static MUST_CHECK enum status read_arguments(struct asm_lexer *lexer, const struct asm_macro *macro,
                                             const struct asm_token *use,
                                             const struct asm_token *in, size_t n,
                                             struct arguments *arguments, size_t *used,
                                             unsigned nested)
{
    enum status st = split_arguments(lexer, use, in, n, arguments, used);

    if (st != ST_OK)
        return st;
    if (arguments->n == 1 && !arguments->raw[0].n && !macro->parameter.n)
        arguments->n = 0;
    if (arguments->n != macro->parameter.n)
        return asm_error_at(lexer, use->location, "'%s' has " PLURAL_FORMAT " instead of %u",
                            use->text, PLURAL(arguments->n, "argument", "arguments"),
                            (unsigned)macro->parameter.n);
    for (unsigned i = 0; i < arguments->n && st == ST_OK; i++)
        st = expand(lexer, arguments->raw[i].token, arguments->raw[i].n, &arguments->expanded[i],
                    nested);
    return st;
}

static int find_parameter(const struct asm_macro *macro, const struct asm_token *token)
{
    for (size_t i = 0; i < macro->parameter.n; i++) {
        if (token->kind == ASM_WORD && !strcmp(macro->parameter.token[i].text, token->text))
            return (int)i;
    }
    return -1;
}

static bool is_paste(const struct asm_tokens *body, size_t i)
{
    return i + 1 < body->n && asm_token_is(&body->token[i], '#') &&
           asm_token_is(&body->token[i + 1], '#') && body->token[i + 1].adjacent;
}

/* a ## b: joins the last token of out and the first of in. */
static MUST_CHECK enum status paste(struct asm_lexer *lexer, struct asm_tokens *out,
                                    const struct asm_token *in)
{
    struct asm_token *last = &out->token[out->n - 1];
    size_t length = strlen(last->text);

    if (length + strlen(in->text) >= ASM_TOKEN_TEXT)
        return asm_error_at(lexer, in->location, "the result of ## is too long");
    memcpy(last->text + length, in->text, strlen(in->text) + 1);
    return ST_OK;
}

/* Appends the body with its parameters replaced. */
static MUST_CHECK enum status substitute(struct asm_lexer *lexer, const struct asm_macro *macro,
                                         const struct arguments *arguments, struct asm_tokens *out)
{
    const struct asm_tokens *body = &macro->body;
    bool pastes = false;
    enum status st = ST_OK;

    for (size_t i = 0; i < body->n && st == ST_OK; i++) {
        int parameter = arguments ? find_parameter(macro, &body->token[i]) : -1;
        struct asm_tokens one = {&body->token[i], 1, 1};
        const struct asm_tokens *list = &one;
        bool joins = pastes && out->n;

        pastes = is_paste(body, i);
        if (pastes) {
            i++;
            continue;
        }
        if (parameter >= 0)
            list = joins || is_paste(body, i + 1) ? &arguments->raw[parameter]
                                                  : &arguments->expanded[parameter];
        for (size_t k = 0; k < list->n && st == ST_OK; k++) {
            if (too_much(lexer, out))
                return asm_error_at(lexer, body->token[i].location,
                                    "a macro expansion is too long");
            st = k == 0 && joins ? paste(lexer, out, &list->token[0])
                                 : asm_tokens_add(out, &list->token[k]);
            if (st == ST_OK && k == 0 && !joins)
                out->token[out->n - 1].adjacent = body->token[i].adjacent;
        }
    }
    return st;
}

/* Expands the macro at in[0]. *used: number of tokens of the use, with its arguments. */
static MUST_CHECK enum status expand_macro(struct asm_lexer *lexer, size_t index,
                                           const struct asm_token *in, size_t n,
                                           struct asm_tokens *out, size_t *used, unsigned nested)
{
    struct asm_tokens body = {.token = NULL};
    struct arguments *arguments = NULL;
    enum status st = ST_OK;

    *used = 1;
    if (nested == MAX_NESTED)
        return asm_error_at(lexer, in[0].location, "macros are nested too deeply");
    if (lexer->macro[index].has_parameters) {
        size_t behind = 0;

        arguments = mem_calloc(1, sizeof(*arguments));
        st = arguments ? read_arguments(lexer, &lexer->macro[index], &in[0], in + 1, n - 1,
                                        arguments, &behind, nested + 1)
                       : ST_NOMEM;
        *used += behind;
    }
    if (st == ST_OK)
        st = substitute(lexer, &lexer->macro[index], arguments, &body);
    if (st == ST_OK) {
        lexer->macro[index].active = true;
        st = expand(lexer, body.token, body.n, out, nested + 1);
        lexer->macro[index].active = false;
    }
    arguments_free(arguments);
    asm_tokens_free(&body);
    return st;
}

static enum status expand(struct asm_lexer *lexer, const struct asm_token *in, size_t n,
                          struct asm_tokens *out, unsigned nested)
{
    enum status st = ST_OK;

    for (size_t i = 0, used; i < n && st == ST_OK; i += used) {
        struct asm_macro *macro = in[i].kind == ASM_WORD ? asm_find_macro(lexer, in[i].text) : NULL;
        bool called = i + 1 < n && asm_token_is(&in[i + 1], '(');
        size_t first = out->n;

        used = 1;
        if (too_much(lexer, out))
            return asm_error_at(lexer, in[i].location, "a macro expansion is too long");
        if (!macro || macro->active || (macro->has_parameters && !called)) {
            st = asm_tokens_add(out, &in[i]);
            continue;
        }
        st = expand_macro(lexer, (size_t)(macro - lexer->macro), in + i, n - i, out, &used, nested);
        if (st == ST_OK && out->n > first)
            out->token[first].adjacent = in[i].adjacent;
    }
    return st;
}

enum status asm_expand(struct asm_lexer *lexer, const struct asm_token *in, size_t n,
                       struct asm_tokens *out)
{
    return expand(lexer, in, n, out, 0);
}

/* --- Uses in the text ------------------------------------------------------------------------- */

/* Collects the arguments of a use, which may span lines. *called is false without a '('. */
static MUST_CHECK enum status collect_use(struct asm_lexer *lexer, struct asm_tokens *use,
                                          bool *called)
{
    struct asm_token token;
    unsigned open = 0;
    enum status st;

    *called = false;
    do {
        if ((st = asm_raw_next(lexer, &token)) != ST_OK)
            return st;
        if (!*called && !asm_token_is(&token, '(')) {
            asm_push_back(lexer, &token);
            return ST_OK;
        }
        *called = true;
        if (token.kind == ASM_END)
            return asm_error_at(lexer, use->token[0].location, "unterminated arguments of '%s'",
                                use->token[0].text);
        open += asm_token_is(&token, '(');
        open -= asm_token_is(&token, ')');
        st = asm_tokens_add(use, &token);
    } while (st == ST_OK && open);
    return st;
}

enum status asm_expand_use(struct asm_lexer *lexer, const struct asm_token *use, bool *expanded)
{
    struct asm_macro *macro = asm_find_macro(lexer, use->text);
    struct asm_tokens list = {.token = NULL};
    enum status st = asm_tokens_add(&list, use);

    *expanded = true;
    if (st == ST_OK && macro->has_parameters)
        st = collect_use(lexer, &list, expanded);
    if (st == ST_OK && *expanded) {
        lexer->pending.n = lexer->pending_at = 0;
        st = asm_expand(lexer, list.token, list.n, &lexer->pending);
    }
    for (size_t i = 0; st == ST_OK && *expanded && i < lexer->pending.n; i++) {
        struct asm_token *token = &lexer->pending.token[i];

        token->location = use->location;
        token->starts_line = i == 0 && use->starts_line;
        token->adjacent = i == 0 ? use->adjacent : token->adjacent;
    }
    asm_tokens_free(&list);
    return st;
}
