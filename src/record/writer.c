/* Container writer: "at", then chunks of at most 1 MiB, each compressed and written at once.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/writer.h"

#include "record/file.h"
#include "record/snappy.h"
#include "util/alloc.h"
#include "util/log.h"

#include <errno.h>
#include <stdatomic.h>

enum { CHUNK_BYTES = 1 << 20, STREAM_VERSION = 6, LENGTH_BYTES = 4 };

static atomic_bool lost;

static void put_property(struct writer *w, const char *name, const char *value)
{
    writer_string(w, name);
    writer_string(w, value);
}

static void put_header(struct writer *w, const char *process)
{
    writer_number(w, STREAM_VERSION);
    writer_number(w, STREAM_VERSION); /* semantic version */
    if (process)
        put_property(w, "process.name", process);
    writer_string(w, "");
}

static enum status take_memory(struct writer *w, const char *path)
{
    w->path = mem_strdup(path);
    w->chunk = mem_alloc(CHUNK_BYTES);
    w->packed = mem_alloc(LENGTH_BYTES + snappy_bound(CHUNK_BYTES));
    w->table = mem_alloc(sizeof(*w->table));
    w->at = w->chunk;
    w->end = w->chunk + CHUNK_BYTES;
    return w->path && w->chunk && w->packed && w->table ? ST_OK : ST_NOMEM;
}

enum status writer_open(struct writer *w, const char *path, const char *process)
{
    static atomic_uint epochs;
    enum status st;

    memset(w, 0, sizeof(*w));
    st = take_memory(w, path);
    if (st == ST_OK) {
        st = record_file_open(&w->file, path);
        if (st == ST_OK && !record_file_write(w->file, "at", 2))
            st = ST_IO; /* a forked child must not find them in the buffer */
    }
    if (st != ST_OK) {
        int error = errno;

        writer_close(w);
        errno = error;
        return st;
    }
    w->epoch = atomic_fetch_add(&epochs, 1) + 1;
    put_header(w, process);
    return ST_OK;
}

static bool write_chunk(struct writer *w)
{
    size_t n =
        snappy_pack(w->table, w->chunk, (size_t)(w->at - w->chunk), w->packed + LENGTH_BYTES);

    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        w->packed[i] = (uint8_t)(n >> (8 * i));
    n += LENGTH_BYTES;
    return record_file_write(w->file, w->packed, n);
}

static void report_loss(const struct writer *w)
{
    int error = errno;

    log_error("record", "%s: cannot be written: %s; later calls are not recorded", w->path,
              strerror(error));
    atomic_store(&lost, true);
    errno = error;
}

void writer_flush(struct writer *w)
{
    if (w->file && w->at > w->chunk && !write_chunk(w)) {
        int error;

        report_loss(w);
        error = errno;
        fclose(w->file);
        w->file = NULL;
        errno = error;
    }
    w->at = w->chunk;
}

bool writer_close(struct writer *w)
{
    bool whole;

    writer_flush(w);
    whole = w->file && !fclose(w->file);
    if (w->file && !whole)
        report_loss(w);
    mem_free(w->path);
    mem_free(w->chunk);
    mem_free(w->packed);
    mem_free(w->table);
    memset(w, 0, sizeof(*w));
    return whole;
}

bool writer_lost_data(void)
{
    return atomic_load(&lost);
}

void writer_bytes(struct writer *w, const void *from, size_t n)
{
    const uint8_t *bytes = from;

    while (n) {
        size_t room = (size_t)(w->end - w->at), part = n < room ? n : room;

        memcpy(w->at, bytes, part);
        w->at += part;
        bytes += part;
        n -= part;
        if (w->at == w->end)
            writer_flush(w);
    }
}

void writer_string(struct writer *w, const char *text)
{
    size_t n = strlen(text);

    writer_number(w, n);
    writer_bytes(w, text, n);
}
