/* What the files of the assembler share: the lexer and the parser's state. Private to vm/asm*.c. */
#ifndef VM_ASM_H
#define VM_ASM_H

#include "vm/decode.h"

enum asm_token_kind { ASM_END, ASM_WORD, ASM_NUMBER, ASM_PUNCTUATION };

enum { ASM_TOKEN_TEXT = 64, ASM_MAX_DEPTH = 16 };

/* From 1; of the place in the file, for macros that of their use. */
struct asm_place {
    unsigned line, column;
};

struct asm_token {
    enum asm_token_kind kind;
    char text[ASM_TOKEN_TEXT]; /* longer words are errors */
    bool glued;                /* no blank between it and the token before */
    bool starts_line;
    struct asm_place place;
};

struct asm_macro {
    char *name, *value;
};

/* A text that is being read: the file, and on top of it the macros that are being expanded. */
struct asm_input {
    const char *at;
    int macro; /* index, or -1 for the file */
};

struct asm_lexer {
    struct asm_input input[ASM_MAX_DEPTH];
    unsigned depth;
    const char *line_start;
    unsigned line;
    struct asm_place use; /* where the outermost macro stands */
    struct asm_macro *macro;
    size_t n_macros, max_macros;
    unsigned open_ifs, skipped_ifs; /* #if nesting; depth at which skipping began, 0 if not */
    struct asm_token token;         /* the current one */
    struct vm_error *error;
};

struct asm_parser {
    struct asm_lexer lexer;
    struct vm_version version;
    uint32_t *words;
    size_t n_words, max_words;
};

/* Every function returns ST_OK, ST_INVALID with the error filled, or ST_NOMEM. */

void asm_lexer_init(struct asm_lexer *lexer, const char *text, struct vm_error *error);
void asm_lexer_fini(struct asm_lexer *lexer);
MUST_CHECK enum status asm_next(struct asm_lexer *lexer);
/* Errors; asm_error stands at the current token. */
enum status asm_error(struct asm_lexer *lexer, const char *format, ...) PRINTF_LIKE(2, 3);
enum status asm_error_at(struct asm_lexer *lexer, struct asm_place place, const char *format, ...)
    PRINTF_LIKE(3, 4);
bool asm_is(const struct asm_lexer *lexer, char punctuation);
MUST_CHECK enum status asm_expect(struct asm_lexer *lexer, char punctuation);

/* Operands (asm_operand.c). */
MUST_CHECK enum status asm_dst(struct asm_parser *p, struct vm_dst *dst);
MUST_CHECK enum status asm_src(struct asm_parser *p, struct vm_src *src);
MUST_CHECK enum status asm_float(struct asm_parser *p, float *value);
MUST_CHECK enum status asm_int(struct asm_parser *p, int32_t *value);

#endif
