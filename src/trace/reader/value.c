/* Interprets recorded values: numbers of any kind, and results.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c. */
#include "trace/trace.h"

#include <string.h>

uint64_t trace_number(const struct trace_value *value)
{
    uint64_t bits;

    switch (value->kind) {
    case TRACE_FLOAT:
        return value->u.float_bits;
    case TRACE_DOUBLE:
        memcpy(&bits, &value->u.real, sizeof(bits));
        return bits;
    case TRACE_REPR:
        return value->u.items[1].kind == TRACE_REPR ? 0 : trace_number(&value->u.items[1]);
    case TRACE_BOOL:
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_ENUM:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        return value->u.uint;
    default:
        return 0;
    }
}

bool trace_failed(const struct trace_call *call)
{
    return (call->ret.kind == TRACE_ENUM || call->ret.kind == TRACE_SINT) && call->ret.u.sint < 0;
}
