/* Assembler and disassembler: assembly text of every shader model to byte code and back. */
#ifndef VM_ASM_ASM_H
#define VM_ASM_ASM_H

#include "util/status.h"
#include "vm/program/info.h"

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
    void *ctx;
};

/* The functions allocate *out with util/alloc.h; the caller frees it. Errors name line and column
 * in their text. */
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
/* Disassembles any program, built ones included. */
MUST_CHECK enum status vm_program_text(char **out, const struct vm_program *program);
/* Disassembles one instruction, numbered as in vm_step; ST_INVALID beyond the last. */
MUST_CHECK enum status vm_instr_text(char **out, const struct vm_program *program, uint32_t instr);

#endif
