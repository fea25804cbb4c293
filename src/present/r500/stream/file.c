/* Writer and reader of R500 stream files. */
#include "present/r500/stream/file.h"

#include "util/alloc.h"

#include <string.h>

static const char magic[8] = {'N', 'O', 'V', 'E', 'M', 'R', '5', '\n'};

enum {
    VERSION = 1,
    HEADER_BYTES = 16,
    ITEM_BYTES = 8, /* kind and size of the item */
    BUFFER_DWORDS = 2,
    SUBMIT_DWORDS = 4,
    FLIP_DWORDS = 6,
    BUFFERS_MAX = 64,
    BUFFER_MAX = 256 << 20,
    ALL_BUFFERS_MAX = 512 << 20,
};

/* --- Writing ---------------------------------------------------------------------------------- */

static bool put(FILE *file, const void *data, size_t n)
{
    return n == 0 || fwrite(data, 1, n, file) == n;
}

static bool put_item(FILE *file, uint32_t kind, uint64_t bytes)
{
    const uint32_t item[2] = {kind, (uint32_t)bytes};

    return bytes <= UINT32_MAX && put(file, item, sizeof(item));
}

enum status r500_file_begin(FILE *file, enum r500_chip chip)
{
    const uint32_t rest[2] = {VERSION, chip};

    return put(file, magic, sizeof(magic)) && put(file, rest, sizeof(rest)) ? ST_OK : ST_IO;
}

enum status r500_file_buffer(FILE *file, const struct r500_buffer *buffer)
{
    const uint32_t head[BUFFER_DWORDS] = {buffer->handle, buffer->size}, zero = 0;
    uint32_t content = buffer->data ? buffer->size : 0;

    return put_item(file, R500_ITEM_BUFFER, sizeof(head) + (uint64_t)content) &&
                   put(file, head, sizeof(head)) && put(file, buffer->data, content) &&
                   put(file, &zero, -content & 3)
               ? ST_OK
               : ST_IO;
}

enum status r500_file_submit(FILE *file, const struct r500_submit *submit)
{
    const uint32_t head[SUBMIT_DWORDS] = {submit->n, submit->n_relocs, submit->flags[0],
                                          submit->flags[1]};
    size_t relocs = submit->n_relocs * sizeof(*submit->relocs), stream = (size_t)submit->n * 4;

    return put_item(file, R500_ITEM_SUBMIT, sizeof(head) + relocs + stream) &&
                   put(file, head, sizeof(head)) && put(file, submit->relocs, relocs) &&
                   put(file, submit->stream, stream)
               ? ST_OK
               : ST_IO;
}

enum status r500_file_flip(FILE *file, const struct r500_flip *flip)
{
    return put_item(file, R500_ITEM_FLIP, sizeof(*flip)) && put(file, flip, sizeof(*flip)) ? ST_OK
                                                                                           : ST_IO;
}

/* --- Reading ---------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct r500_flip) == FLIP_DWORDS * 4, "as in files");
_Static_assert(sizeof(struct r500_reloc) == R500_RELOC_DWORDS * 4, "as in files");

static uint32_t dword(const uint8_t *bytes, size_t index)
{
    uint32_t value;

    memcpy(&value, bytes + 4 * index, 4);
    return value;
}

enum status r500_file_open(const uint8_t *bytes, size_t n, size_t *at, enum r500_chip *chip,
                           const char **reason)
{
    *reason = "no file of R500 streams";
    if (n < HEADER_BYTES || memcmp(bytes, magic, sizeof(magic)) != 0)
        return ST_DAMAGED;
    *reason = "of another version";
    if (dword(bytes, 2) != VERSION)
        return ST_DAMAGED;
    *reason = "for an unknown chip";
    if (dword(bytes, 3) >= R500_CHIPS)
        return ST_DAMAGED;
    *chip = (enum r500_chip)dword(bytes, 3);
    *at = HEADER_BYTES;
    return ST_OK;
}

static bool read_buffer(struct r500_item *out, const uint8_t *data, uint32_t bytes)
{
    if (bytes < BUFFER_DWORDS * 4)
        return false;
    out->handle = dword(data, 0);
    out->size = dword(data, 1);
    out->content = bytes == BUFFER_DWORDS * 4 ? NULL : data + BUFFER_DWORDS * 4;
    return !out->content || out->size == bytes - BUFFER_DWORDS * 4;
}

static bool read_submit(struct r500_item *out, const uint8_t *data, uint32_t bytes)
{
    struct r500_submit *submit = &out->submit;
    uint32_t rest;

    if (bytes < SUBMIT_DWORDS * 4)
        return false;
    submit->n = dword(data, 0);
    submit->n_relocs = dword(data, 1);
    submit->flags[0] = dword(data, 2);
    submit->flags[1] = dword(data, 3);
    rest = bytes / 4 - SUBMIT_DWORDS;
    if (bytes % 4 || submit->n > rest ||
        (uint64_t)submit->n_relocs * R500_RELOC_DWORDS != rest - submit->n)
        return false;
    submit->relocs = (const void *)(data + SUBMIT_DWORDS * 4);
    submit->stream = (const void *)(submit->relocs + submit->n_relocs);
    return true;
}

static bool read_flip(struct r500_item *out, const uint8_t *data, uint32_t bytes)
{
    if (bytes != sizeof(out->flip))
        return false;
    memcpy(&out->flip, data, sizeof(out->flip));
    return true;
}

static bool read_item(struct r500_item *out, const uint8_t *data, uint32_t bytes)
{
    switch (out->kind) {
    case R500_ITEM_BUFFER:
        return read_buffer(out, data, bytes);
    case R500_ITEM_SUBMIT:
        return read_submit(out, data, bytes);
    case R500_ITEM_FLIP:
        return read_flip(out, data, bytes);
    }
    return false;
}

enum status r500_file_next(const uint8_t *bytes, size_t n, size_t *at, struct r500_item *out,
                           const char **reason)
{
    uint32_t size;

    if (*at >= n)
        return ST_NOTFOUND;
    *reason = "the file ends in the middle of an item";
    if (n - *at < ITEM_BYTES)
        return ST_DAMAGED;
    size = dword(bytes + *at, 1);
    if (size > n - *at - ITEM_BYTES)
        return ST_DAMAGED;
    *out = (struct r500_item){.kind = (enum r500_item_kind)dword(bytes + *at, 0), .at = *at};
    *reason = "an invalid item";
    if (!read_item(out, bytes + *at + ITEM_BYTES, size))
        return ST_DAMAGED;
    *at += ITEM_BYTES + size;
    *at += -*at & 3;
    return ST_OK;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static enum status add(struct r500_buffers *buffers, const struct r500_item *item, bool keep,
                       const char **reason)
{
    struct r500_memory *memory = &buffers->memory;
    struct r500_buffer *grown, added = {item->handle, item->size, NULL};

    *reason = "the buffers exceed the limits";
    if (memory->n == BUFFERS_MAX || item->size > BUFFER_MAX ||
        buffers->bytes + item->size > ALL_BUFFERS_MAX)
        return ST_DAMAGED;
    grown = mem_realloc(memory->buffers, (memory->n + 1) * sizeof(*grown));
    if (!grown)
        return ST_NOMEM;
    memory->buffers = grown;
    if (keep && item->size) {
        added.data = mem_calloc(1, item->size);
        if (!added.data)
            return ST_NOMEM;
    }
    grown[memory->n++] = added;
    buffers->bytes += item->size;
    return ST_OK;
}

enum status r500_buffers_apply(struct r500_buffers *buffers, const struct r500_item *item,
                               bool keep, const char **reason)
{
    struct r500_buffer *buffer = r500_buffer(&buffers->memory, item->handle);
    enum status st = ST_OK;

    *reason = "a buffer changes its size";
    if (buffer && buffer->size != item->size)
        return ST_DAMAGED;
    if (!buffer)
        st = add(buffers, item, keep, reason);
    if (st != ST_OK)
        return st;
    buffer = r500_buffer(&buffers->memory, item->handle);
    if (buffer->data && item->content)
        memcpy(buffer->data, item->content, item->size);
    return ST_OK;
}

void r500_buffers_fini(struct r500_buffers *buffers)
{
    for (unsigned i = 0; i < buffers->memory.n; i++)
        mem_free(buffers->memory.buffers[i].data);
    mem_free(buffers->memory.buffers);
    *buffers = (struct r500_buffers){0};
}
