/* Sections of a compiled stream: reads their headers and decompresses their bytes. It trusts no
 * value of the file.
 *
 * Tested by tests/unit/trace/stream/test_blobs.c and tests/fuzz/trace/test_nvs.c. */
#include "trace/stream/read.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <stdarg.h>
#include <string.h>
#include <zstd.h>

enum status nvs_reader_fail(struct nvs_reader *r, enum status st, uint64_t section, uint64_t at,
                            const char *format, ...)
{
    va_list args;
    size_t n;

    if (r->error.status != ST_OK)
        return r->error.status;
    r->error.status = st;
    r->error.file_byte = section;
    r->error.stream_byte = at;
    va_start(args, format);
    vsnprintf(r->error.text, sizeof(r->error.text) - 64, format, args);
    va_end(args);
    n = strlen(r->error.text);
    if (st != ST_IO)
        snprintf(r->error.text + n, sizeof(r->error.text) - n,
                 " (section at file byte %llu, byte %llu of it)", (unsigned long long)section,
                 (unsigned long long)at);
    return st;
}

/* --- Bytes of the file ------------------------------------------------------------------------ */

bool nvs_reader_at(struct nvs_reader *r, uint64_t offset, void *to, size_t n)
{
    if (offset > r->size || n > r->size - offset)
        return false;
    if (r->memory) {
        memcpy(to, r->memory + offset, n);
        return true;
    }
    return !fseeko(r->file, (off_t)offset, SEEK_SET) && fread(to, 1, n, r->file) == n;
}

/* Largest decompressed size of a section. */
static uint32_t most_bytes(uint32_t tag)
{
    return tag == NVS_BLOBS || tag == NVS_RECORDS ? NVS_SECTION_MAX : NVS_LARGE_MAX;
}

enum status nvs_reader_head(struct nvs_reader *r, uint64_t offset, struct nvs_section *head)
{
    if (!nvs_reader_at(r, offset, head, sizeof(*head)))
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "the file ends before its end record");
    if (head->packed > r->size - offset - sizeof(*head))
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "a section is cut off");
    if (head->bytes > most_bytes(head->tag) || head->bytes / NVS_RATIO > head->packed)
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "invalid section size");
    return ST_OK;
}

bool nvs_reserve(struct nvs_bytes *bytes, size_t n)
{
    if (n <= bytes->room)
        return true;
    mem_free(bytes->data);
    bytes->data = mem_alloc(n);
    bytes->room = bytes->data ? n : 0;
    return bytes->data != NULL;
}

/* Returns the compressed bytes, mapped or read from the file; NULL on failure. */
static const uint8_t *packed_bytes(struct nvs_reader *r, uint64_t offset, size_t n)
{
    if (r->memory)
        return r->memory + offset;
    return nvs_reserve(&r->scratch, n ? n : 1) && nvs_reader_at(r, offset, r->scratch.data, n)
               ? r->scratch.data
               : NULL;
}

enum status nvs_reader_unpack(struct nvs_reader *r, uint64_t offset, const struct nvs_section *head,
                              uint8_t *to)
{
    uint64_t seed = hash_bytes(head, offsetof(struct nvs_section, checksum), 0);
    const uint8_t *packed = packed_bytes(r, offset + sizeof(*head), head->packed);
    size_t n;

    if (!packed)
        return nvs_reader_fail(r, ST_IO, offset, 0, "cannot be read");
    if (hash_bytes(packed, head->packed, seed) != head->checksum)
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "a section's checksum is wrong");
    if (!head->bytes)
        return ST_OK;
    n = ZSTD_findFrameCompressedSize(packed, head->packed);
    if (!ZSTD_isError(n))
        n = ZSTD_decompressDCtx(r->unpacker, to, head->bytes, packed, n);
    if (ZSTD_isError(n) || n != head->bytes)
        return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "a section cannot be decompressed");
    return ST_OK;
}
