/* Assembler and disassembler: assembly text of every shader model to byte code and back. */
#ifndef VM_ASM_ASM_H
#define VM_ASM_ASM_H

#include "util/status.h"
#include "vm/program/info.h"

/* Where an item of the byte code stands in the text. For a macro this is its use. */
struct vm_asm_place {
    size_t word;           /* the item's first word */
    const char *file;      /* path of an included file; NULL: the text itself. Valid in the call. */
    unsigned line, column; /* from 1 */
};

/* Input of the assembler besides the text. */
struct vm_asm_define {
    const char *name, *value;
};
struct vm_asm_source {
    const struct vm_asm_define *define; /* #define name value */
    unsigned n_defines;
    /* Returns the text of an #include and its path. The path serves messages and becomes `from` of
     * nested includes; `from` is NULL in the outermost text. Both strings come from util/alloc.h,
     * and the assembler frees them. May be NULL. */
    enum status (*include)(void *ctx, const char *from, const char *name, char **text, char **path);
    void *ctx; /* of this function and the others */
    /* Hears of each error, in order; after one the assembler continues with the next line. May be
     * NULL: the first error is the only one. */
    void (*report)(void *ctx, const struct vm_error *error);
    /* Hears where each declaration, definition and instruction stands. May be NULL. */
    void (*place)(void *ctx, const struct vm_asm_place *place);
};

/* The functions allocate *out with util/alloc.h; the caller frees it. *error is the first error;
 * its text begins with line and column, for an included file with the file's name before them. */
MUST_CHECK enum status vm_assemble(uint32_t **out, size_t *n_words, const char *text,
                                   struct vm_error *error);
MUST_CHECK enum status vm_assemble_source(uint32_t **out, size_t *n_words, const char *text,
                                          const struct vm_asm_source *source, /* may be NULL */
                                          struct vm_error *error);
MUST_CHECK enum status vm_disassemble(char **out, const uint32_t *tokens, size_t n,
                                      struct vm_error *error);
/* Writes comments in a form that vm_assemble restores, so that assembling gives the same words. */
MUST_CHECK enum status vm_disassemble_exact(char **out, const uint32_t *tokens, size_t n,
                                            struct vm_error *error);
/* --- Lines of the source (lines.c) ------------------------------------------------------------ */

/* Maps words of byte code to lines of the text that it was made from. */
struct vm_lines;
struct vm_line {
    const char *file; /* NULL: the text itself. Lives as long as the map. */
    unsigned line;    /* from 1 */
    unsigned column;  /* from 1; 0: unknown */
};
MUST_CHECK enum status vm_lines_create(struct vm_lines **out);
void vm_lines_destroy(struct vm_lines *lines); /* NULL is allowed */
/* Adds a place, in order of the words: vm_asm_source.place, for example. */
MUST_CHECK enum status vm_lines_add(struct vm_lines *lines, const struct vm_asm_place *place);
/* Adds the lines of a compiler's debug comment (DBUG), if the byte code has a sound one. */
MUST_CHECK enum status vm_lines_add_debug(struct vm_lines *lines, const uint32_t *tokens, size_t n);
/* The line of the item that contains the word: of an instruction, vm_instr_word. False: unknown. */
bool vm_lines_find(const struct vm_lines *lines, size_t word, struct vm_line *out);

/* vm_disassemble, with a comment "// file:line" before an item where the line changes. */
MUST_CHECK enum status vm_disassemble_lines(char **out, const uint32_t *tokens, size_t n,
                                            const struct vm_lines *lines, struct vm_error *error);

/* Disassembles any program, built ones included. */
MUST_CHECK enum status vm_program_text(char **out, const struct vm_program *program);
/* Disassembles one instruction, numbered as in vm_step; ST_INVALID beyond the last. */
MUST_CHECK enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr);

#endif
