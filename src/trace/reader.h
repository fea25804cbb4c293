/* What every reader of captures starts with, and what it is asked for. */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace/container.h"

enum { READER_PROPERTIES_MAX = 256, READER_FIRST_BYTES = 16 };

struct trace_property {
    const char *name, *value;
};

/* A kind of capture. Its reader is a struct of `size` bytes that begins with a trace_reader. */
struct trace_format {
    const char *name;
    size_t size;
    /* Whether a stream that begins like this is one; fewer than READER_FIRST_BYTES if it is short.
     */
    bool (*recognise)(const uint8_t *first, size_t n);
    void (*start)(
        struct trace_reader *r); /* all else is zero; reads what stands before the calls */
    enum status (*next)(struct trace_reader *r, const struct trace_call **out);
    void (*finish)(struct trace_reader *r); /* frees what the reader took, not itself */
};

struct trace_reader {
    const struct trace_format *format;
    struct container in;
    unsigned version, semantic_version; /* 0: the format has none */
    bool as_viewer, follow;             /* of dx9mt's frame files: see trace_set_frames */
    struct trace_property properties[READER_PROPERTIES_MAX];
    unsigned property_count;
};

extern const struct trace_format apitrace_format, dx9mt_format, pix_format;

#endif
