/* Base of all capture readers: the format interface and the common reader state. Interface of
 * trace/reader. */
#ifndef TRACE_READER_READER_H
#define TRACE_READER_READER_H

#include "trace/codec/container.h"

enum { READER_PROPERTIES_MAX = 256, READER_FIRST_BYTES = 16 };

struct trace_property {
    const char *name, *value;
};

/* A capture format. Its reader is a struct of `size` bytes that starts with a trace_reader. */
struct trace_format {
    const char *name;
    size_t size;
    /* Returns whether a stream with these first bytes has this format. n is below
     * READER_FIRST_BYTES for shorter streams. */
    bool (*recognise)(const uint8_t *first, size_t n);
    void (*start)(struct trace_reader *r); /* reads up to the first call; other members are zero */
    enum status (*next)(struct trace_reader *r, const struct trace_call **out);
    void (*finish)(struct trace_reader *r); /* frees the members, not the reader itself */
};

struct trace_reader {
    const struct trace_format *format;
    struct container in;
    unsigned version, semantic_version; /* 0: the format has no versions */
    bool as_viewer, follow;             /* dx9mt frame files only, see trace_set_frames */
    struct trace_property properties[READER_PROPERTIES_MAX];
    unsigned property_count;
};

#endif
