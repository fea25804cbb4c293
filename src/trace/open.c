/* Opens captures of any format.
 *
 * Tested by tests/unit/trace/apitrace/test_apitrace.c and tests/unit/trace/pix/test_pix.c. */
#include "trace/apitrace/apitrace.h"
#include "trace/dx9mt/dx9mt.h"
#include "trace/pix/pix.h"
#include "trace/reader/reader.h"

#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

/* Formats in probing order. The last one accepts every file and reports the error. */
static const struct trace_format *const formats[] = {&dx9mt_format, &pix_format, &apitrace_format};

static const struct trace_format *recognise(const uint8_t *first, size_t n)
{
    size_t last = sizeof(formats) / sizeof(formats[0]) - 1;

    for (size_t i = 0; i < last; i++)
        if (formats[i]->recognise(first, n))
            return formats[i];
    return formats[last];
}

/* Creates the reader of an open container and takes ownership of the container. */
static enum status open_reader(struct trace_reader **out, struct container *in,
                               struct trace_error *error)
{
    uint8_t first[READER_FIRST_BYTES];
    const struct trace_format *format;
    struct trace_reader *r = NULL;

    if (!in->failed) {
        format = recognise(first, container_peek(in, first, sizeof(first)));
        r = mem_calloc(1, format->size);
        if (!r)
            container_fail(in, ST_NOMEM, "%s", status_text(ST_NOMEM));
    }
    if (!r) {
        *error = in->error;
        container_close(in);
        return error->status;
    }
    r->format = format;
    r->in = *in;
    format->start(r);
    if (!r->in.failed) {
        *out = r;
        return ST_OK;
    }
    *error = r->in.error;
    /* Brotli has no magic, and a few bytes of any file may be such a stream. */
    if (error->status == ST_DAMAGED && !error->stream_byte && !strcmp(r->in.name, "brotli"))
        snprintf(error->text, sizeof(error->text), "this is not a capture");
    trace_close(r);
    return error->status;
}

enum status trace_open(struct trace_reader **out, const char *path, struct trace_error *error)
{
    struct container in;

    *out = NULL;
    memset(error, 0, sizeof(*error));
    (void)!container_open(&in, path);
    return open_reader(out, &in, error);
}

enum status trace_open_memory(struct trace_reader **out, const void *data, size_t size,
                              struct trace_error *error)
{
    struct container in;

    *out = NULL;
    memset(error, 0, sizeof(*error));
    (void)!container_open_memory(&in, data, size);
    return open_reader(out, &in, error);
}

void trace_close(struct trace_reader *r)
{
    if (!r)
        return;
    r->format->finish(r);
    container_close(&r->in);
    mem_free(r);
}
