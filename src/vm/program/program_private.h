/* Internals of struct vm_program, shared by program.c, info.c and builder.c. Private to
 * vm. */
#ifndef VM_PROGRAM_PROGRAM_PRIVATE_H
#define VM_PROGRAM_PROGRAM_PRIVATE_H

#include "vm/isa/decode.h"

/* Allocates a zeroed program with a new id. */
MUST_CHECK struct vm_program *vm_program_new(void);
/* Fills lists, slots and flags of program->info from the instructions. The caller has set stage and
 * version. */
MUST_CHECK enum status vm_program_fill_info(struct vm_program *program, const struct vm_dcl *dcl,
                                            size_t n_dcl, struct vm_error *error);
/* Adds the version and the instruction at error->token to the text of the error. */
void vm_describe(struct vm_error *error, const uint32_t *tokens, size_t n);
/* Grows *array to hold n + 1 elements of size bytes; n_max is its capacity. */
MUST_CHECK enum status vm_grow(void **array, size_t n, size_t *n_max, size_t size);
/* Registers of the c# file that relative addressing can reach. */
unsigned vm_program_float_file(const struct vm_program *program);
/* True for ps_1_1 … 1_3: t# are temporaries. */
bool vm_program_has_texture_temps(const struct vm_program *program);

#endif
