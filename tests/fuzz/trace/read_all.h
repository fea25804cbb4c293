/* Reads a capture in memory to its end and touches all its data. */
#ifndef TESTS_FUZZ_READ_ALL_H
#define TESTS_FUZZ_READ_ALL_H

#include "trace/trace.h"

#include <check.h>
#include <string.h>

/* Touches all data that a value refers to. */
static inline uint64_t touch(const struct trace_value *v)
{
    uint64_t sum = v->kind;

    switch (v->kind) {
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
        for (uint32_t i = 0; i < v->count; i++)
            sum += touch(&v->u.items[i]);
        break;
    case TRACE_BLOB:
    case TRACE_STRING:
        for (uint32_t i = 0; i < v->count; i++)
            sum += v->u.bytes[i];
        break;
    case TRACE_WSTRING:
        for (uint32_t i = 0; i < v->count; i++)
            sum += v->u.units[i];
        break;
    case TRACE_ENUM:
    case TRACE_BITMASK:
        for (uint32_t i = 0; i < v->names->count; i++)
            sum += strlen(v->names->entries[i].name);
        break;
    default:
        sum += trace_number(v);
    }
    if (v->kind == TRACE_STRUCT)
        for (uint32_t i = 0; i < v->type->count; i++)
            sum += strlen(v->type->members[i]);
    return sum;
}

static volatile uint64_t sink;

/* Returns the number of complete calls. */
static inline unsigned read_all(const uint8_t *bytes, size_t n, enum status *out)
{
    struct trace_reader *reader;
    struct trace_error error;
    const struct trace_call *call;
    unsigned complete = 0;

    *out = trace_open_memory(&reader, bytes, n, &error);
    if (*out != ST_OK) {
        if (!error.text[0])
            ck_abort_msg("an error without a word");
        return 0;
    }
    while ((*out = trace_next(reader, &call)) == ST_OK && call) {
        for (uint32_t i = 0; i < call->argc; i++)
            sink += touch(&call->args[i]) + strlen(call->function->args[i]);
        sink += touch(&call->ret);
        complete += call->complete;
    }
    if (*out != ST_OK && !trace_reader_error(reader)->text[0])
        ck_abort_msg("an error without a word");
    trace_close(reader);
    return complete;
}

#endif
