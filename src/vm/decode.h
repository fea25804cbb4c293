/* The layout of byte code: a reader that turns words into items, and the way back. Private to vm.
 *
 * The reader judges the encoding only (known opcode, right number of operands, reserved bits 0).
 * Whether a program makes sense is for validate.c; the disassembler prints programs that validate.c
 * refuses. */
#ifndef VM_DECODE_H
#define VM_DECODE_H

#include "vm/isa.h"
#include "vm/program.h"
#include "vm/vm.h"

enum {
    VM_TOKEN_END = 0x0000ffff,
    VM_TOKEN_COMMENT = 0xfffe, /* bits 15:0 */
    VM_TOKEN_PARAM = 0x80000000u,
    VM_ITEM_WORDS = 16, /* of the longest instruction: its length field has four bits */
};

struct vm_version {
    bool pixel;
    uint8_t major, minor;
    uint8_t rank; /* vm_version_rank */
};

/* dcl */
struct vm_dcl {
    uint8_t usage, usage_index; /* D3DDECLUSAGE; 0, 0 where the register says it all */
    uint8_t kind;               /* samplers: 1 1D, 2 2D, 3 cube, 4 volume */
    uint32_t token;             /* where it stood */
    struct vm_dst dst;
};

enum vm_item_kind { VM_ITEM_END, VM_ITEM_COMMENT, VM_ITEM_DCL, VM_ITEM_DEF, VM_ITEM_INSTR };

struct vm_item {
    enum vm_item_kind kind;
    size_t token, n_words; /* its place in the byte code */
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

/* Fills *error, if there is one, and returns ST_INVALID. */
enum status vm_set_error(struct vm_error *error, size_t token, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* The version of a version token; false if no such version exists. */
MUST_CHECK bool vm_version_decode(struct vm_version *version, uint32_t word);
uint32_t vm_version_encode(const struct vm_version *version);
/* "vs_2_x" */
void vm_version_text(char text[8], const struct vm_version *version);

/* words are borrowed for as long as the reader is used. */
MUST_CHECK enum status vm_reader_open(struct vm_reader *reader, const uint32_t *words, size_t n,
                                      struct vm_error *error);
/* The next item; after VM_ITEM_END do not call it again. */
MUST_CHECK enum status vm_reader_next(struct vm_reader *reader, struct vm_item *item,
                                      struct vm_error *error);

/* The number of sources an op may have in a version: a set, bit n = n sources. */
unsigned vm_op_sources(enum vm_op op, const struct vm_version *version);
bool vm_op_exists(enum vm_op op, const struct vm_version *version);

/* Writes the words of an item (not of comments) and returns how many. The item must be one that
 * exists in the version. */
unsigned vm_encode(uint32_t words[VM_ITEM_WORDS], const struct vm_item *item,
                   const struct vm_version *version);

/* Single operands (decode_token.c). An error is a reason to print. */
const char *vm_dst_decode(struct vm_dst *dst, uint32_t word, const struct vm_version *version);
const char *vm_src_decode(struct vm_src *src, uint32_t word, const struct vm_version *version);
/* Relative tokens; NULL if the word is one. */
const char *vm_relative_decode(uint8_t *file, uint8_t *component, uint32_t word,
                               const struct vm_version *version);
uint32_t vm_dst_encode(const struct vm_dst *dst);
uint32_t vm_src_encode(const struct vm_src *src);
uint32_t vm_relative_encode(uint8_t file, uint8_t component);

#endif
