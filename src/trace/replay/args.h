/* Recorded values as arguments of C calls. */
#ifndef TRACE_REPLAY_ARGS_H
#define TRACE_REPLAY_ARGS_H

#include "trace/replay/call.h"

extern const struct trace_value arg_missing;
/* Returns argument i; a TRACE_MISSING value if the call has fewer. */
static inline const struct trace_value *arg(const struct replay_call *q, unsigned i)
{
    return i < q->call->argc ? &q->call->args[i] : &arg_missing;
}
static inline uint32_t arg_u32(const struct replay_call *q, unsigned i)
{
    return (uint32_t)trace_number(arg(q, i));
}
float arg_float(const struct replay_call *q, unsigned i);
/* Returns the single element of a pointer argument; NULL for a null pointer. */
const struct trace_value *value_pointee(const struct trace_value *value);
/* Flattens all numbers of a value to 32-bit words in order. Returns their count; writes at most n.
 * A struct whose members all have 32 bits gets its memory layout. */
size_t value_words(const struct trace_value *value, uint32_t *out, size_t n);
/* Reads a pointer to a struct of n words: returns NULL for null, else out. Sets *ok to false if the
 * argument is neither. */
void *arg_words(const struct replay_call *q, unsigned i, void *out, size_t n, bool *ok);
/* Reads a counted array of 32-bit words into scratch memory; NULL if it is null or has fewer than
 * n. */
uint32_t *arg_array(const struct replay_call *q, unsigned i, size_t n);
/* Returns the bytes of a blob or of a REPR's blob; NULL for null or another kind. */
const uint8_t *arg_blob(const struct replay_call *q, unsigned i, uint32_t *size);
/* Returns the recorded address in an out argument; 0 if missing or null. */
uint64_t arg_out_address(const struct replay_call *q, unsigned i);
/* Returns whether the program passed a null out pointer. */
bool arg_out_null(const struct replay_call *q, unsigned i);

#endif
