/* Writes values: a tag, then a number, bytes, or nested values.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/types.h"
#include "record/writer.h"

enum tag {
    TAG_NULL = 0x00,
    TAG_SINT = 0x03, /* followed by the magnitude */
    TAG_UINT = 0x04,
    TAG_FLOAT = 0x05,
    TAG_STRING = 0x07,
    TAG_BLOB = 0x08,
    TAG_ENUM = 0x09,
    TAG_BITMASK = 0x0a,
    TAG_ARRAY = 0x0b,
    TAG_STRUCT = 0x0c,
    TAG_OPAQUE = 0x0d,
    TAG_WSTRING = 0x0f,
};

void writer_null(struct writer *w)
{
    writer_byte(w, TAG_NULL);
}

static void put_sint(struct writer *w, int64_t n)
{
    if (n < 0)
        writer_tagged(w, TAG_SINT, 0 - (uint64_t)n);
    else
        writer_tagged(w, TAG_UINT, (uint64_t)n);
}

void writer_blob(struct writer *w, const void *bytes, size_t n)
{
    writer_tagged(w, TAG_BLOB, n);
    writer_bytes(w, bytes, n);
}

void writer_array(struct writer *w, size_t n)
{
    writer_tagged(w, TAG_ARRAY, n);
}

void writer_wide(struct writer *w, const uint16_t *text)
{
    size_t n = 0;

    while (text[n])
        n++;
    writer_tagged(w, TAG_WSTRING, n);
    for (size_t i = 0; i < n; i++)
        writer_number(w, text[i]);
}

void writer_floats(struct writer *w, const void *at, size_t n)
{
    for (const uint8_t *bits = at; n--; bits += sizeof(float)) {
        writer_reserve(w);
        w->at[0] = TAG_FLOAT;
        memcpy(w->at + 1, bits, sizeof(float));
        w->at += 1 + sizeof(float);
    }
}

/* Returns true if the signature must follow. */
static bool put_id(struct writer *w, enum tag tag, struct record_type *type, unsigned *ids)
{
    bool is_new = type->epoch != w->epoch;

    if (is_new) {
        type->epoch = w->epoch;
        type->id = (*ids)++;
    }
    writer_tagged(w, tag, type->id);
    return is_new;
}

static void put_enum(struct writer *w, struct record_type *type, int64_t n)
{
    if (put_id(w, TAG_ENUM, type, &w->enums)) {
        writer_number(w, type->count);
        for (unsigned i = 0; i < type->count; i++) {
            writer_string(w, type->names[i].name);
            put_sint(w, type->names[i].value);
        }
    }
    put_sint(w, n);
}

static void put_bitmask(struct writer *w, struct record_type *type, uint64_t n)
{
    if (put_id(w, TAG_BITMASK, type, &w->bitmasks)) {
        writer_number(w, type->count);
        for (unsigned i = 0; i < type->count; i++) {
            writer_string(w, type->names[i].name);
            writer_number(w, (uint32_t)type->names[i].value);
        }
    }
    writer_number(w, n);
}

static void put_struct(struct writer *w, struct record_type *type, const uint8_t *at)
{
    if (put_id(w, TAG_STRUCT, type, &w->structs)) {
        writer_string(w, type->name);
        writer_number(w, type->count);
        for (unsigned i = 0; i < type->count; i++)
            writer_string(w, type->members[i].name);
    }
    for (unsigned i = 0; i < type->count; i++)
        writer_value(w, type->members[i].type, at + type->members[i].offset);
}

static void put_text(struct writer *w, const char *text, size_t size)
{
    size_t n = strnlen(text, size);

    writer_tagged(w, TAG_STRING, n);
    writer_bytes(w, text, n);
}

static int64_t signed_at(const void *at, unsigned size)
{
    unsigned unused = 64 - 8 * size;

    return (int64_t)(record_bits(at, size) << unused) >> unused;
}

void writer_value(struct writer *w, struct record_type *type, const void *at)
{
    uint64_t n;

    switch (type->shape) {
    case SHAPE_UINT:
        writer_tagged(w, TAG_UINT, record_bits(at, type->size));
        break;
    case SHAPE_SINT:
        put_sint(w, signed_at(at, type->size));
        break;
    case SHAPE_FLOAT:
        writer_floats(w, at, 1);
        break;
    case SHAPE_ADDRESS:
        n = record_bits(at, type->size);
        if (n)
            writer_tagged(w, TAG_OPAQUE, n);
        else
            writer_null(w);
        break;
    case SHAPE_ENUM:
        put_enum(w, type, signed_at(at, type->size));
        break;
    case SHAPE_BITMASK:
        put_bitmask(w, type, record_bits(at, type->size));
        break;
    case SHAPE_STRUCT:
        put_struct(w, type, at);
        break;
    case SHAPE_ARRAY:
        writer_array(w, type->count);
        for (unsigned i = 0; i < type->count; i++)
            writer_value(w, type->of, (const uint8_t *)at + (size_t)i * type->of->size);
        break;
    case SHAPE_TEXT:
        put_text(w, at, type->size);
        break;
    }
}
