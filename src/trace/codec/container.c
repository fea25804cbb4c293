/* Byte-stream reader for captures: sticky errors and basic reads. */
#include "trace/codec/codecs.h"

#include <stdarg.h>
#include <string.h>
#ifndef _WIN32
#include <errno.h>
#include <unistd.h>
#endif

static void error_set(struct trace_error *error, enum status st, uint64_t stream_byte,
                      uint64_t file_byte, const char *format, va_list args)
{
    int n;

    error->status = st;
    error->stream_byte = stream_byte;
    error->file_byte = file_byte;
    n = vsnprintf(error->text, sizeof(error->text) - 64, format, args);
    if (n < 0)
        n = 0;
    if ((size_t)n > sizeof(error->text) - 65)
        n = (int)sizeof(error->text) - 65;
    if (st == ST_IO)
        return; /* no byte was read: no offset to report */
    snprintf(error->text + n, sizeof(error->text) - (size_t)n,
             " (file byte %llu, stream byte %llu)", (unsigned long long)file_byte,
             (unsigned long long)stream_byte);
}

void container_fail(struct container *c, enum status st, const char *format, ...)
{
    va_list args;

    if (c->failed)
        return;
    va_start(args, format);
    error_set(&c->error, st, container_tell(c), c->plain ? container_tell(c) : c->unit_byte, format,
              args);
    va_end(args);
    c->failed = true;
    c->window_byte = container_tell(c);
    c->end = c->at;
}

void container_fail_with(struct container *c, const struct trace_error *error)
{
    container_fail(c, error->status, "%s", error->text);
    c->error = *error;
}

void container_fail_later(struct container *c, uint64_t file_byte, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    /* window_byte is the offset of the first missing byte: all decoded bytes precede it. */
    error_set(&c->pending_error, ST_DAMAGED, c->window_byte, file_byte, format, args);
    va_end(args);
}

/* Returns true if the window holds at least one more byte. */
static bool refill(struct container *c)
{
    enum status st;

    if (c->at < c->end)
        return true;
    if (c->failed)
        return false;
    if (c->pending_error.status != ST_OK) {
        c->error = c->pending_error;
        c->failed = true;
        return false;
    }
    st = c->fill(c);
    if (st != ST_OK) {
        container_fail(c, st, "%s", status_text(st));
        return false;
    }
    if (c->at == c->end && c->pending_error.status != ST_OK)
        return refill(c);
    return c->at < c->end;
}

bool container_at_end(struct container *c)
{
    return !refill(c) && !c->failed;
}

size_t container_peek(struct container *c, void *to, size_t n)
{
    if (!refill(c))
        return 0;
    if (n > (size_t)(c->end - c->at))
        n = (size_t)(c->end - c->at);
    memcpy(to, c->at, n);
    return n;
}

uint8_t container_byte_slow(struct container *c)
{
    if (!refill(c)) {
        container_fail(c, ST_DAMAGED, "the stream ends in the middle of a call");
        return 0;
    }
    return *c->at++;
}

void container_bytes(struct container *c, void *to, size_t n)
{
    uint8_t *out = to;

    while (n) {
        size_t piece;

        if (!refill(c)) {
            container_fail(c, ST_DAMAGED, "the stream ends in the middle of a call");
            memset(out, 0, n);
            return;
        }
        piece = (size_t)(c->end - c->at);
        if (piece > n)
            piece = n;
        memcpy(out, c->at, piece);
        c->at += piece;
        out += piece;
        n -= piece;
    }
}

uint64_t container_varuint(struct container *c)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = container_byte(c);

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    container_fail(c, ST_DAMAGED, "a number is longer than 64 bits");
    return 0;
}

/* Reads by position, not from that of the file: processes that were forked share the latter. */
static size_t read_file(const struct container *c, uint64_t at, void *to, size_t n)
{
#ifdef _WIN32
    return fseeko(c->file, (off_t)at, SEEK_SET) ? 0 : fread(to, 1, n, c->file);
#else
    size_t done = 0;

    while (done < n) {
        ssize_t got =
            pread(fileno(c->file), (char *)to + done, n - done, (off_t)(at + (uint64_t)done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
#endif
}

size_t container_raw(struct container *c, void *to, size_t n)
{
    if (n > c->size - c->consumed)
        n = (size_t)(c->size - c->consumed);
    if (c->data)
        memcpy(to, c->data + c->consumed, n);
    else
        n = read_file(c, c->consumed, to, n);
    c->consumed += n;
    return n;
}

uint64_t container_size(struct container *c)
{
    off_t size;

    if (c->file && !fseeko(c->file, 0, SEEK_END) && (size = ftello(c->file)) >= 0)
        c->size = (uint64_t)size;
    return c->size;
}

size_t container_read_at(struct container *c, uint64_t at, void *to, size_t n)
{
    if (c->file)
        return read_file(c, at, to, n);
    if (at > c->size)
        return 0;
    if (n > c->size - at)
        n = (size_t)(c->size - at);
    memcpy(to, c->data + at, n);
    return n;
}

void container_skip(struct container *c, uint64_t n)
{
    while (n && !c->failed) {
        uint64_t piece;

        if (!refill(c)) {
            container_fail(c, ST_DAMAGED, "the stream ends in the middle of a call");
            return;
        }
        piece = (uint64_t)(c->end - c->at) < n ? (uint64_t)(c->end - c->at) : n;
        c->at += piece;
        n -= piece;
    }
}

uint32_t container_u32(struct container *c)
{
    uint8_t bytes[4];

    container_bytes(c, bytes, sizeof(bytes));
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

void container_close(struct container *c)
{
    if (c->close)
        c->close(c);
    if (c->file)
        fclose(c->file);
    c->close = NULL;
    c->file = NULL;
}
