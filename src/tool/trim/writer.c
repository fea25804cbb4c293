/* Writer for apitrace captures: serialises calls that were read from another capture.
 *
 * Tested by tests/unit/tool/trim/test_trim.c and tests/unit/tool/inspect/test_pixel.c. */
#include "tool/trim/writer.h"

#include "trace/trace.h"
#include "util/alloc.h"

/* Writes the number of a signature. Returns true if the signature is new and must follow in
 * full. */
static bool put_id(struct trim_writer *c, struct trim_signatures *s, const void *signature)
{
    size_t i = 0;

    while (i < s->n && s->at[i] != signature)
        i++;
    writer_number(&c->writer, i);
    if (i < s->n)
        return false;
    if (s->n == s->max) {
        size_t max = s->max ? 2 * s->max : 64;
        void *more = mem_realloc(s->at, max * sizeof(*s->at));

        if (!more) {
            c->failed = true;
            return true;
        }
        s->at = more;
        s->max = max;
    }
    s->at[s->n++] = signature;
    return true;
}

static void put_signed(struct trim_writer *c, int64_t n)
{
    if (n < 0)
        writer_tagged(&c->writer, 3, (uint64_t)0 - (uint64_t)n);
    else
        writer_tagged(&c->writer, 4, (uint64_t)n);
}

static void put_names(struct trim_writer *c, const struct trace_value *v)
{
    bool is_enum = v->kind == TRACE_ENUM;

    writer_byte(&c->writer, is_enum ? 9 : 10);
    if (!put_id(c, is_enum ? &c->enums : &c->bitmasks, v->names))
        return;
    writer_number(&c->writer, v->names->count);
    for (uint32_t i = 0; i < v->names->count; i++) {
        writer_string(&c->writer, v->names->entries[i].name);
        if (is_enum)
            put_signed(c, v->names->entries[i].value);
        else
            writer_number(&c->writer, (uint64_t)v->names->entries[i].value);
    }
}

static void put_struct(struct trim_writer *c, const struct trace_struct *type)
{
    writer_byte(&c->writer, 12);
    if (!put_id(c, &c->structs, type))
        return;
    writer_string(&c->writer, type->name);
    writer_number(&c->writer, type->count);
    for (uint32_t i = 0; i < type->count; i++)
        writer_string(&c->writer, type->members[i]);
}

static void put_counted(struct trim_writer *c, uint8_t tag, const void *bytes, size_t n)
{
    writer_tagged(&c->writer, tag, n);
    writer_bytes(&c->writer, bytes, n);
}

static void put_value(struct trim_writer *c, const struct trace_value *v)
{
    struct writer *w = &c->writer;
    uint32_t items = v->kind == TRACE_REPR ? 2 : v->count;

    switch (v->kind) {
    case TRACE_MISSING:
    case TRACE_NULL:
        writer_byte(w, 0);
        return;
    case TRACE_BOOL:
        writer_byte(w, v->u.uint ? 2 : 1);
        return;
    case TRACE_SINT:
    case TRACE_UINT:
        if (v->kind == TRACE_UINT)
            writer_tagged(w, 4, v->u.uint);
        else
            put_signed(c, v->u.sint);
        return;
    case TRACE_FLOAT:
        writer_byte(w, 5);
        writer_bytes(w, &v->u.float_bits, 4);
        return;
    case TRACE_DOUBLE:
        writer_byte(w, 6);
        writer_bytes(w, &v->u.real, 8);
        return;
    case TRACE_STRING:
        put_counted(c, 7, v->u.text, v->count);
        return;
    case TRACE_BLOB:
        put_counted(c, 8, v->u.bytes, v->count);
        return;
    case TRACE_ENUM:
        put_names(c, v);
        put_signed(c, v->u.sint);
        return;
    case TRACE_BITMASK:
        put_names(c, v);
        writer_number(w, v->u.uint);
        return;
    case TRACE_OPAQUE:
        writer_tagged(w, 13, v->u.uint);
        return;
    case TRACE_WSTRING:
        writer_tagged(w, 15, v->count);
        for (uint32_t i = 0; i < v->count; i++)
            writer_number(w, v->u.units[i]);
        return;
    case TRACE_ARRAY:
        writer_tagged(w, 11, v->count);
        break;
    case TRACE_STRUCT:
        put_struct(c, v->type);
        break;
    case TRACE_REPR:
        writer_byte(w, 14);
        break;
    }
    for (uint32_t i = 0; i < items; i++)
        put_value(c, &v->u.items[i]);
}

void trim_writer_call(struct trim_writer *c, const struct trace_call *call)
{
    struct writer *w = &c->writer;

    writer_byte(w, 0);
    writer_number(w, call->thread);
    if (put_id(c, &c->functions, call->function)) {
        writer_string(w, call->function->name);
        writer_number(w, call->function->argc);
        for (uint32_t i = 0; i < call->function->argc; i++)
            writer_string(w, call->function->args[i]);
    }
    if (call->flags)
        writer_tagged(w, 5, call->flags);
    for (uint32_t i = 0; i < call->argc; i++) {
        if (call->args[i].kind == TRACE_MISSING)
            continue;
        writer_tagged(w, 1, i);
        put_value(c, &call->args[i]);
    }
    writer_byte(w, 0);
    w->calls++;
    if (!call->complete)
        return;
    writer_byte(w, 1);
    writer_number(w, w->calls - 1);
    if (call->ret.kind != TRACE_MISSING) {
        writer_byte(w, 2);
        put_value(c, &call->ret);
    }
    writer_byte(w, 0);
}

void trim_writer_fini(struct trim_writer *c)
{
    mem_free(c->functions.at);
    mem_free(c->structs.at);
    mem_free(c->enums.at);
    mem_free(c->bitmasks.at);
}
