/* Constant table in the byte code. Private to the module. */
#ifndef VM_ASM_CONSTANT_TABLE_H
#define VM_ASM_CONSTANT_TABLE_H

#include "vm/isa/text.h"

/* Appends the names of constants and samplers, if the body of a comment, n words, has them. */
void vm_constant_table_text(struct vm_text *t, const uint32_t *words, size_t n);

#endif
