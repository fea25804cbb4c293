/* Signature tables of apitrace streams: a signature is spelled out at its first use, later uses
 * refer to its id.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c. */
#include "trace/apitrace/apitrace_private.h"

#include "util/alloc.h"

#include <string.h>

void *reader_alloc(struct apitrace *r, struct heap *heap, size_t n, size_t size)
{
    void *out = n > heap->limit_bytes / size ? NULL : heap_alloc(heap, n * size);

    if (!out && !r->base.in.failed) {
        if (n > (heap->limit_bytes - heap->used_bytes) / size)
            container_fail(&r->base.in, ST_DAMAGED, "a call is larger than any real one");
        else
            container_fail(&r->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
    }
    return out;
}

uint32_t reader_count(struct apitrace *r, const char *of)
{
    uint64_t n = container_varuint(&r->base.in);

    if (n > UINT32_MAX)
        container_fail(&r->base.in, ST_DAMAGED, "%llu %s are more than a file can hold",
                       (unsigned long long)n, of);
    return r->base.in.failed ? 0 : (uint32_t)n;
}

const char *reader_string(struct apitrace *r, struct heap *heap, uint32_t *length)
{
    uint32_t n = reader_count(r, "characters");
    uint8_t piece[256];
    char *text = NULL;

    if (length)
        *length = 0;
    if (n <= sizeof(piece)) {
        container_bytes(&r->base.in, piece, n);
        text = r->base.in.failed ? NULL : reader_alloc(r, heap, (size_t)n + 1, 1);
        if (text)
            memcpy(text, piece, n);
    } else if (n < (uint32_t)1 << 24) { /* limit of plausible lengths; disassemblies are long */
        text = reader_alloc(r, heap, (size_t)n + 1, 1);
        if (text)
            container_bytes(&r->base.in, text, n);
    } else {
        container_fail(&r->base.in, ST_DAMAGED, "a string of %u bytes is too long", n);
    }
    if (!text || r->base.in.failed)
        return "";
    text[n] = 0;
    if (length)
        *length = n;
    return text;
}

static bool table_reach(struct id_table *table, size_t id)
{
    size_t size = table->size ? table->size : 64;
    const void **bigger;

    if (id < table->size)
        return true;
    while (size <= id)
        size *= 2;
    bigger = mem_realloc(table->entries, size * sizeof(*bigger));
    if (!bigger)
        return false;
    memset(bigger + table->size, 0, (size - table->size) * sizeof(*bigger));
    table->entries = bigger;
    table->size = size;
    return true;
}

/* Returns the table entry for an id; the caller fills an entry that is NULL. Returns NULL and sets
 * an error if the id is damaged. */
static const void **entry_of(struct apitrace *r, struct id_table *table, const char *of)
{
    uint64_t id = container_varuint(&r->base.in);

    if (r->base.in.failed)
        return NULL;
    if (id >= READER_IDS_MAX) {
        container_fail(&r->base.in, ST_DAMAGED, "%s id %llu is not plausible", of,
                       (unsigned long long)id);
        return NULL;
    }
    if (!table_reach(table, (size_t)id)) {
        container_fail(&r->base.in, ST_NOMEM, "%s", status_text(ST_NOMEM));
        return NULL;
    }
    return &table->entries[id];
}

/* Reads n strings. The list grows with the stream, so that a damaged count cannot allocate much:
 * each string takes at least one byte of the stream. */
static const char *const *strings(struct apitrace *r, uint32_t n)
{
    const char **list;

    if (n > 4096) {
        container_fail(&r->base.in, ST_DAMAGED, "%u names in one signature are not plausible", n);
        return NULL;
    }
    list = reader_alloc(r, &r->signatures, (size_t)n + 1, sizeof(*list));
    for (uint32_t i = 0; list && i < n; i++)
        list[i] = reader_string(r, &r->signatures, NULL);
    return list;
}

const struct trace_function *reader_function(struct apitrace *r)
{
    const void **entry = entry_of(r, &r->functions, "function");
    struct trace_function *fn;

    if (!entry || *entry)
        return entry ? *entry : NULL;
    fn = reader_alloc(r, &r->signatures, 1, sizeof(*fn));
    if (!fn)
        return NULL;
    fn->name = reader_string(r, &r->signatures, NULL);
    fn->argc = reader_count(r, "arguments");
    fn->args = strings(r, fn->argc);
    fn->index = r->function_count;
    if (r->base.in.failed)
        return NULL;
    r->function_count++;
    return *entry = fn;
}

const struct trace_struct *reader_struct(struct apitrace *r)
{
    const void **entry = entry_of(r, &r->structs, "struct");
    struct trace_struct *type;

    if (!entry || *entry)
        return entry ? *entry : NULL;
    type = reader_alloc(r, &r->signatures, 1, sizeof(*type));
    if (!type)
        return NULL;
    type->name = reader_string(r, &r->signatures, NULL);
    type->count = reader_count(r, "members");
    type->members = strings(r, type->count);
    if (r->base.in.failed)
        return NULL;
    return *entry = type;
}

int64_t reader_signed(struct apitrace *r)
{
    uint8_t tag = container_byte(&r->base.in);
    uint64_t magnitude;

    if (tag != 3 && tag != 4)
        container_fail(&r->base.in, ST_DAMAGED, "0x%02x is not a tag of a signed number", tag);
    magnitude = container_varuint(&r->base.in);
    return (int64_t)(tag == 3 ? 0 - magnitude : magnitude);
}

static const struct trace_names *names(struct apitrace *r, struct id_table *table, const char *of,
                                       bool is_signed)
{
    const void **entry = entry_of(r, table, of);
    struct trace_name *list;
    struct trace_names *out;

    if (!entry || *entry)
        return entry ? *entry : NULL;
    out = reader_alloc(r, &r->signatures, 1, sizeof(*out));
    if (!out)
        return NULL;
    out->count = reader_count(r, "names");
    if (out->count > 65536)
        container_fail(&r->base.in, ST_DAMAGED, "%u names in one %s are not plausible", out->count,
                       of);
    list = r->base.in.failed
               ? NULL
               : reader_alloc(r, &r->signatures, (size_t)out->count + 1, sizeof(*list));
    for (uint32_t i = 0; list && i < out->count && !r->base.in.failed; i++) {
        list[i].name = reader_string(r, &r->signatures, NULL);
        list[i].value = is_signed ? reader_signed(r) : (int64_t)container_varuint(&r->base.in);
    }
    out->entries = list;
    if (r->base.in.failed)
        return NULL;
    return *entry = out;
}

const struct trace_names *reader_enum(struct apitrace *r)
{
    return names(r, &r->enums, "enum", true);
}

const struct trace_names *reader_bitmask(struct apitrace *r)
{
    return names(r, &r->bitmasks, "bitmask", false);
}

static void frame_member(struct apitrace *r, struct trace_frame *frame, uint8_t tag)
{
    switch (tag) {
    case 1:
        frame->module = reader_string(r, &r->signatures, NULL);
        break;
    case 2:
        frame->function = reader_string(r, &r->signatures, NULL);
        break;
    case 3:
        frame->file = reader_string(r, &r->signatures, NULL);
        break;
    case 4:
        frame->line = (int64_t)container_varuint(&r->base.in);
        break;
    case 5:
        frame->offset = (int64_t)container_varuint(&r->base.in);
        break;
    default:
        container_fail(&r->base.in, ST_DAMAGED, "0x%02x is not a tag of a stack frame", tag);
    }
}

const struct trace_frame *reader_frame(struct apitrace *r)
{
    const void **entry = entry_of(r, &r->frames, "stack frame");
    struct trace_frame *frame;
    uint8_t tag;

    if (!entry || *entry)
        return entry ? *entry : NULL;
    frame = reader_alloc(r, &r->signatures, 1, sizeof(*frame));
    if (!frame)
        return NULL;
    *frame = (struct trace_frame){.line = -1, .offset = -1};
    while ((tag = container_byte(&r->base.in)) != 0)
        frame_member(r, frame, tag);
    if (r->base.in.failed)
        return NULL;
    return *entry = frame;
}
