/* Parser of the assembler: its state, and the operands (operand.c). Private to the module. */
#ifndef VM_ASM_PARSER_H
#define VM_ASM_PARSER_H

#include "vm/asm/lexer.h"
#include "vm/isa/instr.h"

struct asm_parser {
    struct asm_lexer lexer;
    struct vm_version version;
    uint32_t *words;
    size_t n_words, max_words;
};

MUST_CHECK enum status asm_dst(struct asm_parser *p, struct vm_dst *dst);
MUST_CHECK enum status asm_src(struct asm_parser *p, struct vm_src *src);
MUST_CHECK enum status asm_float(struct asm_parser *p, float *value);
MUST_CHECK enum status asm_int(struct asm_parser *p, int32_t *value);

#endif
