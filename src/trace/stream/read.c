/* Reader of compiled streams: opens a file, registers its sections and extracts records. It trusts
 * no value of the file.
 *
 * Tested by tests/unit/trace/stream/test_blobs.c and tests/fuzz/trace/test_nvs.c. */
#include "trace/stream/read.h"

#include "trace/codec/container.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/path.h"

#include <string.h>
#include <zstd.h>

/* Decompresses into newly allocated memory. */
static enum status unpack(struct nvs_reader *r, uint64_t offset, const struct nvs_section *head,
                          uint8_t **out)
{
    enum status st;

    *out = mem_alloc(head->bytes ? head->bytes : 1);
    if (!*out)
        return nvs_reader_fail(r, ST_NOMEM, offset, 0, "%s", status_text(ST_NOMEM));
    st = nvs_reader_unpack(r, offset, head, *out);
    if (st != ST_OK) {
        mem_free(*out);
        *out = NULL;
    }
    return st;
}

/* --- Records ---------------------------------------------------------------------------------- */

/* Opens the next section of records. */
static enum status next_section(struct nvs_reader *r)
{
    struct nvs_section head;
    enum status st;

    for (;;) {
        uint64_t offset = r->offset;

        st = nvs_reader_head(r, offset, &head);
        if (st != ST_OK)
            return st;
        r->offset += sizeof(head) + head.packed;
        switch (head.tag) {
        case NVS_BLOBS:
        case NVS_LARGE:
            st = nvs_blobs_add(r, offset, &head);
            if (st != ST_OK)
                return st;
            break;
        case NVS_RECORDS:
            r->at = 0;
            r->section = head;
            r->section_at = offset;
            st = nvs_reserve(&r->records, head.bytes) || !head.bytes
                     ? nvs_reader_unpack(r, offset, &head, r->records.data)
                     : nvs_reader_fail(r, ST_NOMEM, offset, 0, "%s", status_text(ST_NOMEM));
            if (st != ST_OK)
                r->section.bytes = 0;
            return st;
        case NVS_INDEX:
            break;
        case NVS_END:
            r->offset = offset;
            return ST_NOTFOUND;
        default:
            return nvs_reader_fail(r, ST_DAMAGED, offset, 0, "a section of an unknown kind");
        }
    }
}

/* Consumes n bytes of the section, padded to 4; returns NULL if it has fewer. */
static const uint8_t *take(struct nvs_reader *r, size_t n)
{
    size_t padded = (n + 3) & ~(size_t)3;
    const uint8_t *at = r->records.data + r->at;

    if (padded < n || padded > r->section.bytes - r->at)
        return NULL;
    r->at += padded;
    return at;
}

static bool take_data(struct nvs_reader *r, struct nvs_record *out)
{
    const uint8_t *at;
    uint32_t word;

    if (!(out->head.flags & (NVS_HAS_DATA | NVS_HAS_BLOB)))
        return true;
    if (!(at = take(r, sizeof(word))))
        return false;
    memcpy(&word, at, sizeof(word));
    if (out->head.flags & NVS_HAS_BLOB) {
        if (word >= r->n_blobs)
            return false;
        out->blob = word;
        out->data_bytes = r->blobs[word].bytes;
        return true;
    }
    out->data_bytes = word;
    out->data = take(r, word);
    return out->data != NULL;
}

enum status nvs_reader_next(struct nvs_reader *r, struct nvs_record *out)
{
    const uint8_t *at;

    if (r->error.status != ST_OK)
        return r->error.status;
    while (r->at == r->section.bytes) {
        enum status st = next_section(r);

        if (st != ST_OK)
            return st;
    }
    out->data = NULL;
    out->data_bytes = 0;
    out->blob = NVS_NONE;
    out->offset = r->section_at;
    out->at = (uint32_t)r->at;
    if (!(at = take(r, sizeof(out->head))))
        return nvs_reader_fail(r, ST_DAMAGED, out->offset, out->at, "a record is cut off");
    memcpy(&out->head, at, sizeof(out->head));
    out->info = out->head.op < NVS_OPS ? &r->ops[out->head.op] : NULL;
    if (!out->info || !out->info->name)
        return nvs_reader_fail(r, ST_DAMAGED, out->offset, out->at, "unknown record %u",
                               out->head.op);
    if (!(at = take(r, out->info->bytes)))
        return nvs_reader_fail(r, ST_DAMAGED, out->offset, out->at, "a record is cut off");
    memcpy(out->packet, at, out->info->bytes);
    if (!take_data(r, out))
        return nvs_reader_fail(r, ST_DAMAGED, out->offset, out->at, "a record's data are missing");
    return ST_OK;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* Reads the index; a truncated file has none. */
static enum status read_index(struct nvs_reader *r)
{
    struct nvs_section end, head;
    uint64_t at = r->size - sizeof(end);
    uint8_t *data;
    enum status st;

    if (r->size < sizeof(struct nvs_header) + sizeof(end) ||
        !nvs_reader_at(r, at, &end, sizeof(end)) || end.tag != NVS_END || end.packed ||
        end.checksum !=
            hash_bytes("", 0, hash_bytes(&end, offsetof(struct nvs_section, checksum), 0)))
        return ST_OK; /* truncated: the player draws from the first frame on */
    st = nvs_reader_head(r, end.first, &head);
    if (st != ST_OK)
        return st;
    if (head.tag != NVS_INDEX || (uint64_t)head.count * sizeof(*r->first_frame) != head.bytes)
        return nvs_reader_fail(r, ST_DAMAGED, end.first, 0, "the index is invalid");
    st = unpack(r, end.first, &head, &data);
    if (st != ST_OK)
        return st;
    r->first_frame = (uint32_t *)(void *)data;
    r->n_frames = head.count;
    r->has_index = true;
    return ST_OK;
}

static enum status open(struct nvs_reader *r)
{
    struct nvs_header header;

    for (unsigned op = 0; op < NVS_OPS; op++)
        (void)nvs_op_info(op, &r->ops[op]);
    nvs_blobs_init(r);
    r->unpacker = ZSTD_createDCtx();
    if (!r->unpacker)
        return nvs_reader_fail(r, ST_NOMEM, 0, 0, "%s", status_text(ST_NOMEM));
    if (!nvs_reader_at(r, 0, &header, sizeof(header)) ||
        memcmp(header.magic, NVS_MAGIC, sizeof(header.magic)))
        return nvs_reader_fail(r, ST_DAMAGED, 0, 0, "is not a compiled stream");
    if (hash_bytes(&header, offsetof(struct nvs_header, checksum), 0) != header.checksum)
        return nvs_reader_fail(r, ST_DAMAGED, 0, 0, "the header's checksum is wrong");
    if (header.version != NVS_VERSION || header.packets != nvs_tables())
        return nvs_reader_fail(r, ST_UNSUPPORTED, 0, 0,
                               "is of another version: compile the capture again");
    r->offset = sizeof(header);
    return read_index(r);
}

enum status nvs_reader_open(struct nvs_reader *r, const char *path)
{
    off_t size;

    memset(r, 0, sizeof(*r));
    if (container_is_special(path))
        return nvs_reader_fail(r, ST_IO, 0, 0, "is not a plain file");
    r->file = path_open(path, "rb");
    if (!r->file || fseeko(r->file, 0, SEEK_END) || (size = ftello(r->file)) < 0)
        return nvs_reader_fail(r, ST_IO, 0, 0, "cannot be opened");
    setvbuf(r->file, NULL, _IONBF, 0); /* the reader reads whole sections */
    r->size = (uint64_t)size;
    return open(r);
}

enum status nvs_reader_open_memory(struct nvs_reader *r, const void *data, size_t size)
{
    memset(r, 0, sizeof(*r));
    r->memory = data;
    r->size = size;
    return open(r);
}

void nvs_reader_close(struct nvs_reader *r)
{
    nvs_blobs_end(r);
    mem_free(r->records.data);
    mem_free(r->scratch.data);
    ZSTD_freeDCtx(r->unpacker);
    mem_free(r->first_frame);
    if (r->file)
        fclose(r->file);
    memset(r, 0, sizeof(*r));
}
