/* Text output of the disassembler; the validator uses it for its messages. Private to vm. */
#ifndef VM_ISA_ITEM_TEXT_H
#define VM_ISA_ITEM_TEXT_H

#include "vm/isa/decode.h"

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
