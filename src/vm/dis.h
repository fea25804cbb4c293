/* What the files of the disassembler share, and the validator for its messages. Private to vm. */
#ifndef VM_DIS_H
#define VM_DIS_H

#include "vm/decode.h"

/* A text that grows; after a failed allocation the rest is dropped. */
struct vm_text {
    char *data; /* util/alloc.h */
    size_t n, max;
    enum status status;
};

void vm_text_put(struct vm_text *t, const char *format, ...) PRINTF_LIKE(2, 3);
/* A declaration, definition or instruction as one line without its end; nothing for others. */
void vm_text_item(struct vm_text *t, const struct vm_item *item, const struct vm_version *version);

#endif
