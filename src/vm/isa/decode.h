/* Byte code reader and encoder: converts token words to items (instructions, declarations,
 * definitions) and back. Private to vm.
 *
 * The reader checks the encoding only (known opcode, number of operands, reserved bits 0). The
 * module validate checks the program; the disassembler also prints programs that it refuses. */
#ifndef VM_ISA_DECODE_H
#define VM_ISA_DECODE_H

#include "util/status.h"
#include "vm/isa/instr.h"

enum {
    VM_TOKEN_END = 0x0000ffff,
    VM_TOKEN_COMMENT = 0xfffe, /* bits 15:0 */
    VM_TOKEN_PARAM = 0x80000000u,
    VM_ITEM_WORDS = 16, /* of the longest instruction: the length field has four bits */
};

enum vm_item_kind { VM_ITEM_END, VM_ITEM_COMMENT, VM_ITEM_DCL, VM_ITEM_DEF, VM_ITEM_INSTR };

struct vm_item {
    enum vm_item_kind kind;
    size_t token, n_words; /* position and length in the byte code */
    union {
        struct vm_dcl dcl;
        struct vm_definition def;
        struct vm_instr instr;
    };
};

struct vm_reader {
    const uint32_t *words;
    size_t n, at;
    struct vm_version version;
};

/* Fills *error unless error is NULL, and returns ST_INVALID. */
enum status vm_set_error(struct vm_error *error, size_t token, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Decodes a version token; false if no such version exists. */
MUST_CHECK bool vm_version_decode(struct vm_version *version, uint32_t word);
uint32_t vm_version_encode(const struct vm_version *version);
/* "vs_2_x" */
void vm_version_text(char text[8], const struct vm_version *version);

/* The reader borrows words for its lifetime. */
MUST_CHECK enum status vm_reader_open(struct vm_reader *reader, const uint32_t *words, size_t n,
                                      struct vm_error *error);
/* Reads the next item. Do not call it after VM_ITEM_END. */
MUST_CHECK enum status vm_reader_next(struct vm_reader *reader, struct vm_item *item,
                                      struct vm_error *error);

/* Writes the words of an item (not of comments) and returns their number. The item must exist in
 * the version. */
unsigned vm_encode(uint32_t words[VM_ITEM_WORDS], const struct vm_item *item,
                   const struct vm_version *version);

/* Single operands (decode_token.c). The decoders return NULL on success, otherwise the text of an
 * error. */
const char *vm_dst_decode(struct vm_dst *dst, uint32_t word, const struct vm_version *version);
const char *vm_src_decode(struct vm_src *src, uint32_t word, const struct vm_version *version);
/* Decodes the token of a relative address. */
const char *vm_relative_decode(uint8_t *file, uint8_t *component, uint32_t word,
                               const struct vm_version *version);
uint32_t vm_dst_encode(const struct vm_dst *dst);
uint32_t vm_src_encode(const struct vm_src *src);
uint32_t vm_relative_encode(uint8_t file, uint8_t component);

#endif
