/* Converts recorded values to arguments of C calls.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/args.h"

#include <string.h>

const struct trace_value arg_missing;

static float word_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

float arg_float(const struct replay_call *q, unsigned i)
{
    const struct trace_value *value = arg(q, i);

    if (value->kind == TRACE_DOUBLE)
        return (float)value->u.real;
    if (value->kind == TRACE_FLOAT)
        return word_float(value->u.float_bits);
    return (float)(int64_t)trace_number(value);
}

const struct trace_value *value_pointee(const struct trace_value *value)
{
    return value->kind == TRACE_ARRAY && value->count ? &value->u.items[0] : NULL;
}

size_t value_words(const struct trace_value *value, uint32_t *out, size_t n)
{
    size_t count = 0;

    if (value->kind != TRACE_ARRAY && value->kind != TRACE_STRUCT) {
        if (n)
            *out = (uint32_t)trace_number(value);
        return 1;
    }
    for (uint32_t i = 0; i < value->count; i++) {
        size_t room = count < n ? n - count : 0;

        count += value_words(&value->u.items[i], room ? out + count : out, room);
    }
    return count;
}

void *arg_words(const struct replay_call *q, unsigned i, void *out, size_t n, bool *ok)
{
    const struct trace_value *value = arg(q, i);

    if (value->kind == TRACE_NULL)
        return NULL;
    if (value->kind == TRACE_ARRAY && value_words(value, out, n) == n)
        return out;
    *ok = false;
    return NULL;
}

uint32_t *arg_array(const struct replay_call *q, unsigned i, size_t n)
{
    const struct trace_value *value = arg(q, i);
    uint32_t *out;

    if (value->kind != TRACE_ARRAY || value_words(value, NULL, 0) < n)
        return NULL;
    out = replay_scratch(q->replay, (n ? n : 1) * sizeof(*out));
    if (out)
        value_words(value, out, n);
    return out;
}

const uint8_t *arg_blob(const struct replay_call *q, unsigned i, uint32_t *size)
{
    const struct trace_value *value = arg(q, i);

    *size = 0;
    if (value->kind == TRACE_REPR)
        value = &value->u.items[1];
    if (value->kind != TRACE_BLOB)
        return NULL;
    *size = value->count;
    return value->u.bytes;
}

uint64_t arg_out_address(const struct replay_call *q, unsigned i)
{
    const struct trace_value *value = value_pointee(arg(q, i));

    return value ? trace_number(value) : 0;
}

bool arg_out_null(const struct replay_call *q, unsigned i)
{
    return arg(q, i)->kind == TRACE_NULL;
}
