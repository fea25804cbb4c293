/* Decodes the parameters of a call in a PIX run file to trace values.
 *
 * Tested by tests/unit/trace/pix/test_pix.c. */
#include "trace/pix/decoder.h"

#include <string.h>

/* The undecoded rest of a call. */
struct piece {
    const uint8_t *at, *end;
};

static uint64_t number(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static uint32_t word(struct piece *in)
{
    uint32_t value;

    if (in->end - in->at < 4) {
        in->at = in->end;
        return 0;
    }
    value = (uint32_t)number(in->at, 4);
    in->at += 4;
    return value;
}

/* --- One value -------------------------------------------------------------------------------- */

static bool read_value(struct decoder *p, const struct pix_type *type, struct piece *in,
                       struct trace_value *out);

static bool read_items(struct decoder *p, const struct pix_type *type, uint32_t n, struct piece *in,
                       struct trace_value *out)
{
    struct trace_value *items = heap_alloc(&p->heap, (n ? n : 1) * sizeof(*items));

    if (!items)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!read_value(p, type->shape == PIX_STRUCT ? type->members[i] : type->of, in, &items[i]))
            return false;
    out->count = n;
    out->u.items = items;
    return true;
}

static bool read_text(struct decoder *p, const struct pix_type *type, struct piece *in,
                      struct trace_value *out)
{
    char *text = heap_alloc(&p->heap, type->size + 1);

    if (!text)
        return false;
    memcpy(text, in->at, type->size);
    text[type->size] = 0;
    in->at += type->size;
    out->kind = TRACE_STRING;
    out->u.text = text;
    out->count = (uint32_t)strlen(text);
    return true;
}

static void read_number(const struct pix_type *type, struct piece *in, struct trace_value *out)
{
    uint64_t bits = number(in->at, type->size);
    int64_t sint = type->size == 4 ? (int32_t)bits : (int64_t)bits;

    in->at += type->size;
    out->u.uint = bits;
    switch (type->shape) {
    case PIX_SINT:
        out->kind = sint < 0 ? TRACE_SINT : TRACE_UINT;
        out->u.sint = sint;
        break;
    case PIX_FLOAT:
        out->kind = TRACE_FLOAT;
        out->u.float_bits = (uint32_t)bits;
        break;
    case PIX_ADDRESS:
        out->kind = bits ? TRACE_OPAQUE : TRACE_NULL;
        break;
    case PIX_ENUM:
        out->kind = TRACE_ENUM;
        out->u.sint = sint;
        out->names = type->names;
        break;
    case PIX_BITMASK:
        out->kind = TRACE_BITMASK;
        out->names = type->names;
        break;
    default:
        out->kind = TRACE_UINT;
    }
}

/* Leaves the value missing if the call ends before it. Returns false if out of memory. */
static bool read_value(struct decoder *p, const struct pix_type *type, struct piece *in,
                       struct trace_value *out)
{
    memset(out, 0, sizeof(*out));
    if (pix_size(type) > (size_t)(in->end - in->at)) {
        in->at = in->end;
        return true;
    }
    switch (type->shape) {
    case PIX_STRUCT:
        out->kind = TRACE_STRUCT;
        out->type = type->type;
        return read_items(p, type, type->type->count, in, out);
    case PIX_ARRAY:
        out->kind = TRACE_ARRAY;
        return read_items(p, type, type->count, in, out);
    case PIX_TEXT:
        return read_text(p, type, in, out);
    default:
        read_number(type, in, out);
        return true;
    }
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* Reads a pointee as an array of one element. */
static bool read_pointee(struct decoder *p, const struct pix_type *type, struct piece *in,
                         struct trace_value *out)
{
    struct trace_value *item = heap_alloc(&p->heap, sizeof(*item));

    if (!item || !read_value(p, type, in, item))
        return false;
    *out = (struct trace_value){.kind = TRACE_ARRAY, .count = 1, .u.items = item};
    return true;
}

static bool read_param(struct decoder *p, const struct pix_param *param, struct piece *in,
                       struct trace_value *out, uint32_t *pointer)
{
    *pointer = 0;
    if (param->kind == PIX_VALUE)
        return read_value(p, param->type, in, out);
    if (in->end - in->at < 4) {
        in->at = in->end;
        return true;
    }
    *pointer = word(in);
    if (!pix_is_pointer_only(param) && !read_pointee(p, param->type, in, out))
        return false;
    if (!*pointer)
        *out = (struct trace_value){.kind = TRACE_NULL};
    else if (pix_is_pointer_only(param))
        *out = (struct trace_value){.kind = TRACE_OPAQUE, .u.uint = *pointer};
    return true;
}

enum { LIST_MAX = 1 << 16 }; /* above the longest list in captures */

/* Reads as many elements as the bytes hold. */
static bool read_list(struct decoder *p, const struct pix_type *type, struct piece in,
                      struct trace_value *out)
{
    unsigned size = pix_size(type);
    uint32_t n = (uint32_t)((size_t)(in.end - in.at) / size);
    struct trace_value *items;

    n = n < LIST_MAX ? n : LIST_MAX;
    items = heap_alloc(&p->heap, ((size_t)n + !n) * sizeof(*items));
    if (!items)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!read_value(p, type, &in, &items[i]))
            return false;
    *out = (struct trace_value){.kind = TRACE_ARRAY, .count = n, .u.items = items};
    return true;
}

/* --- Data behind the parameters --------------------------------------------------------------- */

/* Parses blocks: address, size, two words of unknown meaning, bytes. Returns their count; 0 if the
 * data are not blocks. */
static unsigned read_blocks(struct piece in, struct call_block *blocks)
{
    unsigned n = 0;

    while (in.at < in.end) {
        struct call_block *b = &blocks[n++];

        if (n > CALL_BLOCKS_MAX || in.end - in.at < 16)
            return 0;
        b->address = word(&in);
        b->size = word(&in);
        in.at += 8;
        b->bytes = in.at;
        if (b->size > (size_t)(in.end - in.at))
            return 0;
        in.at += b->size;
    }
    return n;
}

/* Replaces a pointer by the bytes of its block. */
static bool use_block(struct decoder *p, const struct pix_param *param,
                      const struct call_block *block, struct trace_value *out)
{
    const struct piece in = {block->bytes, block->bytes + block->size};

    if (param->kind == PIX_LIST || param->kind == PIX_ELEMENTS)
        return read_list(p, param->type, in, out);
    if (param->kind == PIX_MEMORY)
        *out =
            (struct trace_value){.kind = TRACE_BLOB, .count = block->size, .u.bytes = block->bytes};
    return true;
}

/* SetClipPlane has no block: the list's elements after the first follow the parameters directly. */
static bool use_rest(struct decoder *p, const struct pix_param *param, struct piece in,
                     struct trace_value *out)
{
    unsigned first = pix_size(param->type);

    if (param->kind != PIX_LIST || out->kind != TRACE_ARRAY)
        return true;
    in.at -= first; /* the list is the last parameter */
    return read_list(p, param->type, in, out);
}

bool decoder_read(struct decoder *p, const struct pix_method *method, const uint8_t *bytes,
                  size_t n, struct call_block *block)
{
    struct piece in = {bytes, bytes + n};
    struct trace_value *args = heap_alloc(&p->heap, (method->argc + 1) * sizeof(*args));
    uint32_t *pointers = heap_alloc(&p->heap, (method->argc + 1) * sizeof(*pointers));
    struct call_block blocks[CALL_BLOCKS_MAX];
    unsigned count;

    if (!args || !pointers)
        return false;
    memset(args, 0, (method->argc + 1) * sizeof(*args));
    p->call.args = args;
    if (method->result && !read_value(p, method->result, &in, &p->call.ret))
        return false;
    for (unsigned i = 0; i < method->argc; i++)
        if (!read_param(p, &method->params[i], &in, &args[i], &pointers[i]))
            return false;
    *block = (struct call_block){0};
    count = read_blocks(in, blocks);
    if (!count && in.at < in.end && method->argc)
        return use_rest(p, &method->params[method->argc - 1], in, &args[method->argc - 1]);
    for (unsigned b = 0; b < count; b++) {
        bool used = false;

        for (unsigned i = 0; i < method->argc && !used; i++) {
            used = pointers[i] && pointers[i] == blocks[b].address && args[i].kind != TRACE_BLOB &&
                   method->params[i].kind >= PIX_LIST;
            if (used && !use_block(p, &method->params[i], &blocks[b], &args[i]))
                return false;
        }
        if (!used)
            *block = blocks[b];
    }
    return true;
}
