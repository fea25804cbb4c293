/* Parser of apitrace values: one tag byte, then a number, text, bytes, or nested values.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c. */
#include "trace/apitrace/apitrace_private.h"

#include <string.h>

enum { BLOB_PIECE_BYTES = 1 << 20 };

static void value_at_depth(struct apitrace *r, struct heap *heap, struct trace_value *out,
                           unsigned depth);

/* The buffer of a blob grows as its bytes arrive, so that a damaged size allocates at most about
 * twice the bytes in the file. */
static void read_blob(struct apitrace *r, struct heap *heap, struct trace_value *out)
{
    uint32_t n = reader_count(r, "bytes"), have = 0, room = n;
    uint8_t *bytes;

    if (room > BLOB_PIECE_BYTES)
        room = BLOB_PIECE_BYTES;
    bytes = reader_alloc(r, heap, room ? room : 1, 1);
    while (bytes && !r->base.in.failed) {
        container_bytes(&r->base.in, bytes + have, room - have);
        have = room;
        if (have == n)
            break;
        room = have > n / 8 ? n : have * 8;
        uint8_t *bigger = r->base.in.failed ? NULL : reader_alloc(r, heap, room, 1);
        if (bigger)
            memcpy(bigger, bytes, have);
        bytes = bigger;
    }
    out->u.bytes = bytes;
    out->count = r->base.in.failed ? 0 : n;
}

static void read_items(struct apitrace *r, struct heap *heap, struct trace_value *out, uint32_t n,
                       unsigned depth)
{
    struct trace_value *items;

    if (depth >= READER_DEPTH_MAX)
        container_fail(&r->base.in, ST_DAMAGED, "values are nested more than %d deep",
                       READER_DEPTH_MAX);
    if (r->base.in.failed)
        return;
    /* Worst case: a value takes 1 byte in the file and sizeof(*items) here. */
    items = reader_alloc(r, heap, n ? n : 1, sizeof(*items));
    if (!items)
        return;
    for (uint32_t i = 0; i < n; i++) {
        value_at_depth(r, heap, &items[i], depth + 1);
        if (r->base.in.failed)
            return;
    }
    out->u.items = items;
    out->count = n;
}

static void read_array(struct apitrace *r, struct heap *heap, struct trace_value *out,
                       unsigned depth)
{
    uint32_t n = reader_count(r, "array elements");
    /* Every element takes at least one byte; the factor is the highest ratio of the compressors. */
    uint64_t most = (r->base.in.size - r->base.in.consumed) * 1100 + ((uint64_t)1 << 21);

    if (n > most)
        container_fail(&r->base.in, ST_DAMAGED,
                       "an array of %u elements does not fit into the file", n);
    read_items(r, heap, out, n, depth);
}

static void read_wide(struct apitrace *r, struct heap *heap, struct trace_value *out)
{
    uint32_t n = reader_count(r, "characters");
    uint32_t *units;

    if (n > (uint32_t)1 << 20)
        container_fail(&r->base.in, ST_DAMAGED, "a string of %u characters is too long", n);
    if (r->base.in.failed)
        return;
    units = reader_alloc(r, heap, (size_t)n + 1, sizeof(*units));
    for (uint32_t i = 0; units && i < n && !r->base.in.failed; i++)
        units[i] = (uint32_t)container_varuint(&r->base.in);
    out->u.units = units;
    out->count = r->base.in.failed ? 0 : n;
}

static uint64_t little_endian(struct apitrace *r, unsigned n)
{
    uint8_t bytes[8];
    uint64_t value = 0;

    container_bytes(&r->base.in, bytes, n);
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void read_number(struct apitrace *r, struct trace_value *out, uint8_t tag)
{
    uint64_t bits;

    switch (tag) {
    case 0x03:
        out->kind = TRACE_SINT;
        out->u.sint = (int64_t)(0 - container_varuint(&r->base.in));
        break;
    case 0x04:
        out->kind = TRACE_UINT;
        out->u.uint = container_varuint(&r->base.in);
        break;
    case 0x05:
        out->kind = TRACE_FLOAT;
        out->u.float_bits = (uint32_t)little_endian(r, 4);
        break;
    case 0x06:
        out->kind = TRACE_DOUBLE;
        bits = little_endian(r, 8);
        memcpy(&out->u.real, &bits, sizeof(bits));
        break;
    case 0x09:
        out->kind = TRACE_ENUM;
        out->names = reader_enum(r);
        out->u.sint = reader_signed(r);
        break;
    case 0x0a:
        out->kind = TRACE_BITMASK;
        out->names = reader_bitmask(r);
        out->u.uint = container_varuint(&r->base.in);
        break;
    case 0x0d:
        out->u.uint = container_varuint(&r->base.in);
        out->kind = out->u.uint ? TRACE_OPAQUE : TRACE_NULL;
        break;
    default:
        container_fail(&r->base.in, ST_DAMAGED, "0x%02x is not a tag of a value", tag);
    }
}

static void value_at_depth(struct apitrace *r, struct heap *heap, struct trace_value *out,
                           unsigned depth)
{
    uint8_t tag = container_byte(&r->base.in);

    memset(out, 0, sizeof(*out));
    switch (tag) {
    case 0x00:
        out->kind = TRACE_NULL;
        break;
    case 0x01:
    case 0x02:
        out->kind = TRACE_BOOL;
        out->u.uint = tag - 1;
        break;
    case 0x07:
        out->kind = TRACE_STRING;
        out->u.text = reader_string(r, heap, &out->count);
        break;
    case 0x08:
        out->kind = TRACE_BLOB;
        read_blob(r, heap, out);
        break;
    case 0x0b:
        out->kind = TRACE_ARRAY;
        read_array(r, heap, out, depth);
        break;
    case 0x0c:
        out->kind = TRACE_STRUCT;
        out->type = reader_struct(r);
        if (out->type)
            read_items(r, heap, out, out->type->count, depth);
        break;
    case 0x0e:
        out->kind = TRACE_REPR;
        read_items(r, heap, out, 2, depth);
        break;
    case 0x0f:
        out->kind = TRACE_WSTRING;
        read_wide(r, heap, out);
        break;
    default:
        read_number(r, out, tag);
    }
    if (r->base.in.failed)
        memset(out, 0, sizeof(*out));
}

void reader_value(struct apitrace *r, struct heap *heap, struct trace_value *out)
{
    value_at_depth(r, heap, out, 0);
}
