/* Builds apitrace streams for tests: values in, a file in memory out. */
#ifndef TESTS_TRACE_STREAM_H
#define TESTS_TRACE_STREAM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    uint8_t *bytes;
    size_t n, room;
};

static inline void put_bytes(struct stream *s, const void *bytes, size_t n)
{
    if (s->n + n > s->room) {
        s->room = (s->n + n) * 2;
        s->bytes = realloc(s->bytes, s->room);
    }
    if (n)
        memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
}

static inline void put(struct stream *s, unsigned byte)
{
    uint8_t b = (uint8_t)byte;

    put_bytes(s, &b, 1);
}

static inline void put_var(struct stream *s, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put(s, (unsigned)(value & 0x7f) | 0x80);
    put(s, (unsigned)value);
}

static inline void put_text(struct stream *s, const char *text)
{
    put_var(s, strlen(text));
    put_bytes(s, text, strlen(text));
}

/* Version 6 with one property. */
static inline void put_header(struct stream *s)
{
    put_var(s, 6);
    put_var(s, 6);
    put_text(s, "process.name");
    put_text(s, "test");
    put_text(s, "");
}

/* Enter event up to the details. args: list of names that ends with NULL; NULL if the id is already
 * defined. */
static inline void put_enter(struct stream *s, unsigned thread, unsigned id, const char *name,
                             const char *const *args)
{
    unsigned n = 0;

    put(s, 0);
    put_var(s, thread);
    put_var(s, id);
    if (!name)
        return;
    while (args && args[n])
        n++;
    put_text(s, name);
    put_var(s, n);
    for (unsigned i = 0; i < n; i++)
        put_text(s, args[i]);
}

static inline void put_leave(struct stream *s, uint64_t number)
{
    put(s, 1);
    put_var(s, number);
}

static inline void put_arg(struct stream *s, unsigned index)
{
    put(s, 1);
    put_var(s, index);
}

static inline void put_ret(struct stream *s)
{
    put(s, 2);
}

static inline void put_end(struct stream *s)
{
    put(s, 0);
}

static inline void put_uint(struct stream *s, uint64_t value)
{
    put(s, 4);
    put_var(s, value);
}

static inline void put_opaque(struct stream *s, uint64_t value)
{
    put(s, 0x0d);
    put_var(s, value);
}

static inline void put_float(struct stream *s, float value)
{
    put(s, 5);
    put_bytes(s, &value, 4);
}

static inline void put_blob(struct stream *s, const void *bytes, size_t n)
{
    put(s, 8);
    put_var(s, n);
    put_bytes(s, bytes, n);
}

/* apitrace's container: literal-only snappy chunks of at most `chunk` stream bytes. */
static inline struct stream pack_snappy(const struct stream *s, size_t chunk)
{
    struct stream out = {0};

    put_bytes(&out, "at", 2);
    for (size_t at = 0; at < s->n; at += chunk) {
        size_t n = s->n - at < chunk ? s->n - at : chunk, head;
        uint32_t length;
        struct stream block = {0};

        put_var(&block, n);
        for (size_t i = 0; i < n; i += head) {
            head = n - i < 65536 ? n - i : 65536;
            put(&block, 0xf4); /* literal with 16-bit length */
            put(&block, (unsigned)(head - 1) & 0xff);
            put(&block, (unsigned)(head - 1) >> 8);
            put_bytes(&block, s->bytes + at + i, head);
        }
        length = (uint32_t)block.n;
        put_bytes(&out, &length, 4);
        put_bytes(&out, block.bytes, block.n);
        free(block.bytes);
    }
    return out;
}

#endif
