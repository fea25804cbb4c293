/* Grows and frees scratch buffers. */
#include "util/scratch.h"

#include "util/alloc.h"

void *scratch_get(struct scratch *scratch, size_t bytes)
{
    if (bytes > scratch->bytes) {
        scratch_fini(scratch);
        /* Zeroed, because kernels also read the lanes past the end of a batch. */
        scratch->data = mem_calloc(1, bytes + bytes / 2);
        if (!scratch->data)
            return NULL;
        scratch->bytes = bytes + bytes / 2;
    }
    return scratch->data;
}

void scratch_fini(struct scratch *scratch)
{
    mem_free(scratch->data);
    *scratch = (struct scratch){0};
}
