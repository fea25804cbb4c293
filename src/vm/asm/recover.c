/* Assembler after an error: reports it and finds the next line.
 *
 * Tested by tests/unit/vm/asm/test_lines.c. */
#include "vm/asm/lexer.h"

#include <string.h>

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
