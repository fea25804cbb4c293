/* Decoder of calls in the PIX run-file encoding, which other readers also use for their calls. */
#ifndef TRACE_PIX_DECODER_H
#define TRACE_PIX_DECODER_H

#include "trace/reader/heap.h"
#include "trace/pix/methods.h"

/* Memory that a pointer argument of a call refers to. */
struct call_block {
    uint32_t address, size;
    const uint8_t *bytes;
};

enum {
    CALL_BLOCKS_MAX = 8,
    DECODER_FUNCTIONS = PIX_CALL_END - PIX_CALL_FIRST + 1 /* plus memcpy */
};

/* The caller owns the storage and zeroes it before decoder_init. */
struct decoder {
    struct trace_function functions[DECODER_FUNCTIONS];
    struct trace_call call, unlock; /* unlock: pending behind the memcpy already returned */
    bool unlock_pending;
    uint64_t next_number;
    struct heap heap; /* memory of the current call */
};

void decoder_init(struct decoder *p);
void decoder_fini(struct decoder *p);

/* Returns the call that decoder_call held back behind a memcpy; NULL if there is none. */
const struct trace_call *decoder_pending(struct decoder *p);

/* Decodes a call: method number, a word of unknown meaning, result, parameters, blocks. The bytes
 * are borrowed for as long as the call. *out is NULL if the number is no Direct3D 9 method. packed:
 * blocks store the rows of locked memory without padding. Returns false if out of memory. */
MUST_CHECK bool decoder_call(struct decoder *p, const uint8_t *bytes, size_t n, bool packed,
                             const struct trace_call **out);

/* Decodes the result and parameters (values.c); values that are not in the bytes stay missing.
 * *block: the first block that no parameter points to, if any. Returns false if out of memory. */
MUST_CHECK bool decoder_read(struct decoder *p, const struct pix_method *method,
                             const uint8_t *bytes, size_t n, struct call_block *block);

#endif
