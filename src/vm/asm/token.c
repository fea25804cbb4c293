/* Tokens of the assembler: lists of them, and errors with their location.
 *
 * Tested by tests/unit/vm/asm/test_asm.c and tests/unit/vm/asm/test_pre.c. */
#include "vm/asm/lexer.h"
#include "vm/isa/array.h"
#include "vm/isa/decode.h"

#include <stdarg.h>
#include <stdio.h>

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
