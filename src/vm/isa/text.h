/* Text of the assembly language: names, shared by assembler and disassembler, and the text of
 * single items, which the disassembler and error messages show. Private to vm. */
#ifndef VM_ISA_TEXT_H
#define VM_ISA_TEXT_H

#include "util/status.h"
#include "vm/isa/decode.h"

/* D3DDECLUSAGE in dcl instructions, by number. */
static const char *const vm_usage_names[] = {
    "position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
    "binormal", "tessfactor",  "positiont",    "color",  "fog",   "depth",    "sample"};
enum { VM_USAGE_NAMES = sizeof(vm_usage_names) / sizeof(vm_usage_names[0]) };
/* Texture types in dcl instructions, by number; 0 has no name. */
static const char *const vm_kind_names[] = {NULL, "1d", "2d", "cube", "volume"};
/* enum vm_compare */
static const char *const vm_compare_names[] = {NULL, "gt", "eq", "ge", "lt", "ne", "le"};
/* Result shifts -3 … 3, from index 0. */
static const char *const vm_shift_names[] = {"d8", "d4", "d2", NULL, "x2", "x4", "x8"};

struct vm_modifier_text {
    const char *prefix, *suffix;
};
/* clang-format off */
static const struct vm_modifier_text vm_modifier_texts[] = {
    [VM_MOD_NONE] = {"", ""},      [VM_MOD_NEG] = {"-", ""},     [VM_MOD_BIAS] = {"", "bias"},
    [VM_MOD_BIASNEG] = {"-", "bias"}, [VM_MOD_SIGN] = {"", "bx2"}, [VM_MOD_SIGNNEG] = {"-", "bx2"},
    [VM_MOD_COMP] = {"1-", ""},    [VM_MOD_X2] = {"", "x2"},     [VM_MOD_X2NEG] = {"-", "x2"},
    [VM_MOD_DZ] = {"", "dz"},      [VM_MOD_DW] = {"", "dw"},     [VM_MOD_ABS] = {"", "abs"},
    [VM_MOD_ABSNEG] = {"-", "abs"}, [VM_MOD_NOT] = {"!", ""},
};
/* clang-format on */

/* Name of an opcode. For tex, texld, texldp, texcoord and texcrd it depends on the version or the
 * control bits; for others it is the table's text. */
const char *vm_op_text(enum vm_op op, unsigned control, const struct vm_version *version);

/* Growing text. After a failed allocation, further text is dropped. */
struct vm_text {
    char *data; /* allocated with util/alloc.h */
    size_t n, max;
    enum status status;
};

void vm_text_put(struct vm_text *t, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends a declaration, definition or instruction as one line without newline; nothing for other
 * items. */
void vm_text_item(struct vm_text *t, const struct vm_item *item, const struct vm_version *version);

#endif
