/* Tokens of the assembler: scanner (scan.c), macros (macro.c), conditions (if.c), preprocessor
 * (pre.c). Private to the module. */
#ifndef VM_ASM_LEXER_H
#define VM_ASM_LEXER_H

#include "vm/asm/asm.h"

/* PRAGMA is `#pragma comment`; its numbers follow as tokens. */
enum asm_token_kind { ASM_END, ASM_WORD, ASM_NUMBER, ASM_PUNCTUATION, ASM_PRAGMA };

enum { ASM_TOKEN_TEXT = 64, ASM_MAX_FILES = 16, ASM_MAX_INCLUDES = 1000, ASM_MAX_IFS = 64 };

/* Lines and columns count from 1. Tokens from a macro carry the location of its use. */
struct asm_location {
    const char *file; /* NULL: the outermost text */
    unsigned line, column;
};

struct asm_token {
    enum asm_token_kind kind;
    char text[ASM_TOKEN_TEXT]; /* longer words are errors */
    bool adjacent;             /* no blank between it and the preceding token */
    bool starts_line;
    struct asm_location location;
};

struct asm_tokens {
    struct asm_token *token;
    size_t n, max;
};

struct asm_macro {
    char name[ASM_TOKEN_TEXT]; /* empty: undefined by #undef */
    bool has_parameters;
    bool active; /* being expanded; its name is a plain word meanwhile */
    struct asm_tokens parameter, body;
};

/* Read position in one text. */
struct asm_scanner {
    const char *at, *line_start;
    struct asm_location location; /* of the next character; the column is computed */
    bool after_operator; /* a point starts a number, because no register can precede it here */
    bool at_line_start;
    unsigned n_ifs; /* open #ifs when the file started */
};

struct asm_lexer {
    const struct vm_asm_source *source; /* may be NULL */
    struct asm_scanner file[ASM_MAX_FILES];
    unsigned depth;
    char **text; /* included texts and paths; freed at the end, because locations point to them */
    size_t n_texts, max_texts;
    struct asm_token ahead; /* one token of look-ahead */
    bool has_ahead, skipping;
    struct asm_tokens pending; /* result of a macro expansion */
    size_t pending_at;
    struct asm_macro *macro;
    size_t n_macros, max_macros;
    uint32_t replaced; /* tokens that macro expansion has processed */
    struct {
        bool taken, has_else;
    } branch[ASM_MAX_IFS];
    unsigned n_ifs;
    struct asm_token token; /* current token */
    struct vm_error *error;
    /* If errors are reported: the one at hand, the first, the text of the last. */
    struct vm_error now, first;
    char last[sizeof(((struct vm_error *)0)->text)];
    bool reported;
};

/* Every function returns ST_OK, ST_INVALID with the error filled, or ST_NOMEM. */

/* Tokens and errors (token.c). */
static inline bool asm_token_is(const struct asm_token *token, char punctuation)
{
    return token->kind == ASM_PUNCTUATION && token->text[0] == punctuation;
}
/* The same for the current token. */
static inline bool asm_is(const struct asm_lexer *lexer, char punctuation)
{
    return asm_token_is(&lexer->token, punctuation);
}
MUST_CHECK enum status asm_tokens_add(struct asm_tokens *list, const struct asm_token *token);
void asm_tokens_free(struct asm_tokens *list);
/* Report errors; asm_error reports at the current token. */
enum status asm_error(struct asm_lexer *lexer, const char *format, ...) PRINTF_LIKE(2, 3);
enum status asm_error_at(struct asm_lexer *lexer, struct asm_location location, const char *format,
                         ...) PRINTF_LIKE(3, 4);

/* After an error (recover.c): drops the tokens up to the next one that starts a line, which becomes
 * the current one. `first` is the first token of the refused statement. Directives may fail, too:
 * the errors are reported as lexer->source demands. ST_OK or ST_NOMEM. */
MUST_CHECK enum status asm_recover(struct asm_lexer *lexer, const struct asm_token *first);
/* Whether the assembler continues after an error, and a report of the one at hand. */
bool asm_reports(const struct asm_lexer *lexer);
void asm_report(struct asm_lexer *lexer);

/* Scanning (scan.c): the next unexpanded token of the innermost file, ASM_END at its end. */
void asm_scanner_init(struct asm_scanner *s, const char *text, const char *file);
MUST_CHECK enum status asm_scan(struct asm_lexer *lexer, struct asm_token *token);
/* Rest of the line without surrounding blanks and without comments. The scanner stops at the end of
 * the line. */
const char *asm_scan_rest(struct asm_scanner *s, size_t *length);
/* The next token before macro expansion, of whatever file. */
MUST_CHECK enum status asm_raw_next(struct asm_lexer *lexer, struct asm_token *token);
void asm_push_back(struct asm_lexer *lexer, const struct asm_token *token);
MUST_CHECK enum status asm_rest_of_line(struct asm_lexer *lexer, struct asm_tokens *list);

/* Macros (macro.c). */
struct asm_macro *asm_find_macro(const struct asm_lexer *lexer, const char *name);
MUST_CHECK enum status asm_define(struct asm_lexer *lexer, const struct asm_token *line, size_t n);
void asm_undefine(struct asm_lexer *lexer, const char *name);
MUST_CHECK enum status asm_expand(struct asm_lexer *lexer, const struct asm_token *in, size_t n,
                                  struct asm_tokens *out);
/* Expands a macro at the current location. *expanded is false if the use is not an invocation. */
MUST_CHECK enum status asm_expand_use(struct asm_lexer *lexer, const struct asm_token *use,
                                      bool *expanded);
void asm_macros_free(struct asm_lexer *lexer);

/* Conditions of #if (if.c): evaluates the rest of the line as an expression. */
MUST_CHECK enum status asm_condition(struct asm_lexer *lexer, const struct asm_location *location,
                                     bool *value);

/* Preprocessor (pre.c): tokens for the parser. */
MUST_CHECK enum status asm_lexer_init(struct asm_lexer *lexer, const char *text,
                                      const struct vm_asm_source *source, struct vm_error *error);
void asm_lexer_fini(struct asm_lexer *lexer);
/* Puts the next token for the parser into lexer->token. */
MUST_CHECK enum status asm_next(struct asm_lexer *lexer);
MUST_CHECK enum status asm_expect(struct asm_lexer *lexer, char punctuation);

#endif
