/* Writer of compiled streams: collects records and blobs, and writes them in compressed sections.
 *
 * Tested by tests/unit/trace/stream/test_blobs.c. */
#include "trace/stream/write.h"

#include "util/alloc.h"
#include "util/hash.h"
#include "util/output_file.h"
#include "util/path.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

/* Blobs use a level that favours decompression speed over size; records compress well at any level.
 */
enum { BLOBS_LEVEL = -7, RECORDS_LEVEL = 1, RECORDS_FULL = 1 << 20, BLOBS_FULL = 128 << 10 };

static void fail(struct nvs_file *file, enum status st)
{
    if (file->status != ST_OK)
        return;
    file->status = st;
    file->error = st == ST_IO ? errno : 0;
}

/* Makes room for n more bytes; returns NULL after a failure. */
static uint8_t *grow(struct nvs_file *file, struct nvs_bytes *bytes, size_t n)
{
    if (file->status != ST_OK)
        return NULL;
    if (n > bytes->room - bytes->n) {
        size_t room = (bytes->n + n) * 2;
        uint8_t *more = mem_realloc(bytes->data, room);

        if (!more) {
            fail(file, ST_NOMEM);
            return NULL;
        }
        bytes->data = more;
        bytes->room = room;
    }
    bytes->n += n;
    return bytes->data + bytes->n - n;
}

static void append(struct nvs_file *file, struct nvs_bytes *bytes, const void *data, size_t n,
                   size_t align)
{
    size_t padded = (n + align - 1) / align * align;
    uint8_t *to = grow(file, bytes, padded);

    if (!to)
        return;
    if (n)
        memcpy(to, data, n);
    memset(to + n, 0, padded - n);
}

/* --- Sections --------------------------------------------------------------------------------- */

static void put(struct nvs_file *file, const void *data, size_t n)
{
    if (file->status == ST_OK && fwrite(data, 1, n, file->file) != n)
        fail(file, ST_IO);
    file->offset += n;
}

static void put_section(struct nvs_file *file, struct nvs_section *head, const void *packed)
{
    uint64_t seed = hash_bytes(head, offsetof(struct nvs_section, checksum), 0);

    head->checksum = hash_bytes(packed, head->packed, seed);
    put(file, head, sizeof(*head));
    put(file, packed, head->packed);
}

/* Compresses and writes a section. Padding keeps the ratio within the reader's limit NVS_RATIO. */
static void write_section(struct nvs_file *file, enum nvs_tag tag, uint32_t count, uint64_t first,
                          struct nvs_bytes *bytes)
{
    size_t bound = ZSTD_compressBound(bytes->n), least = bytes->n / NVS_RATIO, n;
    struct nvs_section head = {
        .tag = tag, .bytes = (uint32_t)bytes->n, .count = count, .first = first};

    file->scratch.n = 0;
    if (!grow(file, &file->scratch, bound > least ? bound : least))
        return;
    n = ZSTD_compress(file->scratch.data, bound, bytes->data, bytes->n,
                      tag == NVS_RECORDS ? RECORDS_LEVEL : BLOBS_LEVEL);
    if (ZSTD_isError(n) || bytes->n > NVS_LARGE_MAX) {
        fail(file, ST_UNSUPPORTED);
        return;
    }
    if (n < least)
        memset(file->scratch.data + n, 0, least - n);
    head.packed = (uint32_t)(n < least ? least : n);
    put_section(file, &head, file->scratch.data);
    bytes->n = 0;
}

static void flush_blobs(struct nvs_file *file)
{
    uint32_t n = file->n_blobs - file->first_blob;
    size_t lengths = file->lengths.n;
    uint8_t *to;

    if (!n)
        return;
    to = grow(file, &file->blobs, lengths);
    if (!to)
        return;
    memmove(file->blobs.data + lengths, file->blobs.data, file->blobs.n - lengths);
    memcpy(file->blobs.data, file->lengths.data, lengths);
    write_section(file, NVS_BLOBS, n, file->first_blob, &file->blobs);
    file->lengths.n = 0;
    file->first_blob = file->n_blobs;
}

static void flush_records(struct nvs_file *file)
{
    flush_blobs(file);
    if (file->records.n)
        write_section(file, NVS_RECORDS, file->n_records, 0, &file->records);
    file->n_records = 0;
}

/* --- Blobs ------------------------------------------------------------------------------------ */

static struct nvs_blob_entry *find_entry(struct nvs_file *file, uint64_t hash, uint32_t bytes)
{
    size_t at = (size_t)hash & (file->blob_table_size - 1);

    while (file->blob_table[at].bytes &&
           (file->blob_table[at].hash != hash || file->blob_table[at].bytes != bytes))
        at = (at + 1) & (file->blob_table_size - 1);
    return &file->blob_table[at];
}

static bool grow_known(struct nvs_file *file)
{
    struct nvs_blob_entry *old = file->blob_table;
    size_t room = file->blob_table_size;

    if (file->n_blobs * 2 < room)
        return true;
    file->blob_table_size = room ? room * 2 : 1024;
    file->blob_table = mem_calloc(file->blob_table_size, sizeof(*file->blob_table));
    if (!file->blob_table) {
        file->blob_table = old;
        file->blob_table_size = room;
        fail(file, ST_NOMEM);
        return false;
    }
    for (size_t i = 0; i < room; i++)
        if (old[i].bytes)
            *find_entry(file, old[i].hash, old[i].bytes) = old[i];
    mem_free(old);
    return true;
}

/* Returns the number of a blob with these contents; adds the blob if it is new. */
static uint32_t blob_of(struct nvs_file *file, const void *data, uint32_t bytes)
{
    uint64_t hash = hash_bytes(data, bytes, 0);
    struct nvs_blob_entry *entry;

    if (!grow_known(file))
        return 0;
    entry = find_entry(file, hash, bytes);
    if (entry->bytes)
        return entry->number;
    if (bytes > NVS_OWN_SECTION_BYTES) {
        struct nvs_bytes alone = {(uint8_t *)data, bytes, bytes};

        flush_blobs(file);
        *entry = (struct nvs_blob_entry){hash, file->n_blobs++, bytes};
        write_section(file, NVS_LARGE, 1, entry->number, &alone);
        file->first_blob = file->n_blobs;
        return entry->number;
    }
    *entry = (struct nvs_blob_entry){hash, file->n_blobs++, bytes};
    append(file, &file->lengths, &bytes, sizeof(bytes), 1);
    append(file, &file->blobs, data, bytes, 16);
    return entry->number;
}

/* --- Records ---------------------------------------------------------------------------------- */

enum status nvs_file_create(struct nvs_file *file, const char *path)
{
    struct nvs_header header = {.version = NVS_VERSION, .packets = nvs_tables()};

    memset(file, 0, sizeof(*file));
    file->path = mem_strdup(path);
    if (!file->path)
        return ST_NOMEM;
    file->file = path_open(path, "wb");
    if (!file->file) {
        mem_free(file->path);
        return ST_IO;
    }
    memcpy(header.magic, NVS_MAGIC, sizeof(header.magic));
    header.checksum = hash_bytes(&header, offsetof(struct nvs_header, checksum), 0);
    put(file, &header, sizeof(header));
    return file->status;
}

void nvs_file_record(struct nvs_file *file, const struct nvs_head *head, const void *packet,
                     size_t packet_bytes, const void *data, size_t data_bytes)
{
    struct nvs_head h = *head;
    uint32_t word = (uint32_t)data_bytes;

    if (data_bytes)
        h.flags |= data_bytes > NVS_INLINE_BYTES ? NVS_HAS_BLOB : NVS_HAS_DATA;
    if (data_bytes > NVS_INLINE_BYTES)
        word = blob_of(file, data, word);
    append(file, &file->records, &h, sizeof(h), 1);
    append(file, &file->records, packet, packet_bytes, 4);
    if (data_bytes)
        append(file, &file->records, &word, sizeof(word), 1);
    if (h.flags & NVS_HAS_DATA)
        append(file, &file->records, data, data_bytes, 4);
    file->n_records++;
    if (file->records.n >= RECORDS_FULL)
        flush_records(file);
    else if (file->blobs.n >= BLOBS_FULL)
        flush_blobs(file);
}

void nvs_file_frame(struct nvs_file *file)
{
    const uint32_t first_frame = NVS_NONE;

    append(file, &file->frames, &first_frame, sizeof(first_frame), 1);
    file->n_frames++;
}

void nvs_file_depends_on(struct nvs_file *file, uint32_t first_frame)
{
    uint32_t *frame;

    if (file->status != ST_OK || !file->n_frames)
        return;
    frame = (uint32_t *)(void *)file->frames.data + file->n_frames - 1;
    if (first_frame < *frame)
        *frame = first_frame;
}

static void free_all(struct nvs_file *file)
{
    mem_free(file->path);
    mem_free(file->records.data);
    mem_free(file->blobs.data);
    mem_free(file->lengths.data);
    mem_free(file->frames.data);
    mem_free(file->scratch.data);
    mem_free(file->blob_table);
}

enum status nvs_file_finish(struct nvs_file *file)
{
    struct nvs_section end = {.tag = NVS_END};

    flush_records(file);
    end.first = file->offset;
    if (file->frames.n)
        write_section(file, NVS_INDEX, file->n_frames, 0, &file->frames);
    else
        end.first = 0;
    put_section(file, &end, "");
    if (fclose(file->file))
        fail(file, ST_IO);
    errno = file->error;
    if (file->status != ST_OK)
        output_file_discard(file->path);
    free_all(file);
    return file->status;
}
