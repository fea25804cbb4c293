/* Calls in the form that PIX run files have them, as calls of a capture. Other readers put their
 * calls into that form. */
#ifndef TRACE_DECODER_H
#define TRACE_DECODER_H

#include "trace/heap.h"
#include "trace/pix_methods.h"

/* Memory that a pointer of a call led to. */
struct call_block {
    uint32_t address, size;
    const uint8_t *bytes;
};

enum {
    CALL_BLOCKS_MAX = 8,
    DECODER_FUNCTIONS = PIX_CALL_END - PIX_CALL_FIRST + 1 /* and memcpy */
};

/* Caller's storage, zero before decoder_init. */
struct decoder {
    struct trace_function functions[DECODER_FUNCTIONS];
    struct trace_call call, unlock; /* unlock: comes after the memcpy that was handed out */
    bool unlock_pending;
    uint64_t next_number;
    struct heap heap; /* of the call */
};

void decoder_init(struct decoder *p);
void decoder_fini(struct decoder *p);

/* A call whose parts the caller handed over last, NULL if there is none. */
const struct trace_call *decoder_pending(struct decoder *p);

/* A call: number of the method, a word without a known meaning, result, parameters, blocks;
 * borrowed as long as the call. *out is NULL where the number is none of Direct3D 9. False when
 * memory is short. packed: rows of locked memory stand in their block without padding. */
MUST_CHECK bool decoder_call(struct decoder *p, const uint8_t *bytes, size_t n, bool packed,
                             const struct trace_call **out);

/* The result and parameters (pix_values.c); what is not there stays missing. False when memory is
 * short. *block: one behind them that no parameter points to, if any. */
MUST_CHECK bool decoder_read(struct decoder *p, const struct pix_method *method,
                             const uint8_t *bytes, size_t n, struct call_block *block);

#endif
