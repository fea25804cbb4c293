/* Tokens of the assembler: lists of them, errors with their location, and how it goes on after one.
 *
 * Tested by tests/unit/vm/asm/test_asm.c and tests/unit/vm/asm/test_pre.c. */
#include "vm/asm/lexer.h"
#include "vm/isa/array.h"
#include "vm/isa/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status asm_tokens_add(struct asm_tokens *list, const struct asm_token *token)
{
    enum status st = vm_grow((void **)&list->token, list->n, &list->max, sizeof(*token));

    if (st == ST_OK)
        list->token[list->n++] = *token;
    return st;
}

void asm_tokens_free(struct asm_tokens *list)
{
    mem_free(list->token);
    *list = (struct asm_tokens){.token = NULL};
}

/* --- Errors ----------------------------------------------------------------------------------- */

static enum status error_at(struct asm_lexer *lexer, const struct asm_location *location,
                            const char *format, va_list args)
{
    char text[160], file[80] = "";

    vsnprintf(text, sizeof(text), format, args);
    if (location->file)
        snprintf(file, sizeof(file), "%.70s:", location->file);
    return vm_set_error(lexer->error, 0, "%s%u:%u: %s", file, location->line, location->column,
                        text);
}

enum status asm_error(struct asm_lexer *lexer, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)error_at(lexer, &lexer->token.location, format, args);
    va_end(args);
    return ST_INVALID;
}

enum status asm_error_at(struct asm_lexer *lexer, struct asm_location location, const char *format,
                         ...)
{
    va_list args;

    va_start(args, format);
    (void)error_at(lexer, &location, format, args);
    va_end(args);
    return ST_INVALID;
}

/* --- Continuing after an error ---------------------------------------------------------------- */

bool asm_reports(const struct asm_lexer *lexer)
{
    return lexer->source && lexer->source->report;
}

/* The end of the text is reached again and again: the same error at its place counts once. */
void asm_report(struct asm_lexer *lexer)
{
    if (lexer->reported && !strcmp(lexer->last, lexer->now.text))
        return;
    memcpy(lexer->last, lexer->now.text, sizeof(lexer->last));
    if (!lexer->reported)
        lexer->first = lexer->now;
    lexer->reported = true;
    lexer->source->report(lexer->source->ctx, &lexer->now);
}

static void drop_line(struct asm_lexer *lexer)
{
    size_t length;

    lexer->pending_at = lexer->pending.n = 0;
    if (lexer->has_ahead && lexer->ahead.starts_line)
        return;
    lexer->has_ahead = false;
    (void)asm_scan_rest(&lexer->file[lexer->depth], &length);
}

static bool same_place(const struct asm_location *a, const struct asm_location *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

enum status asm_recover(struct asm_lexer *lexer, const struct asm_token *first)
{
    enum status st;

    asm_report(lexer);
    if (lexer->token.kind == ASM_END || (first && lexer->token.starts_line &&
                                         !same_place(&lexer->token.location, &first->location)))
        return ST_OK;
    do {
        const char *at;

        drop_line(lexer);
        at = lexer->file[lexer->depth].at;
        st = asm_next(lexer);
        if (st == ST_INVALID)
            asm_report(lexer);
        if (st == ST_INVALID && lexer->file[lexer->depth].at == at)
            lexer->token.kind = ASM_END; /* an #endif is missing: nothing follows */
    } while (st == ST_INVALID && lexer->token.kind != ASM_END);
    return st == ST_NOMEM ? st : ST_OK;
}
