/* Writer for a capture made of calls of another capture. */
#ifndef TOOL_TRIM_WRITER_H
#define TOOL_TRIM_WRITER_H

#include "record/writer.h"
#include "trace/trace.h"

/* Signatures already written, by address: the reader keeps one object per signature. */
struct trim_signatures {
    const void **at;
    size_t n, max;
};

/* The caller zeroes it and opens the writer; the caller also flushes and closes the writer. */
struct trim_writer {
    struct writer writer;
    struct trim_signatures functions, structs, enums, bitmasks;
    bool failed; /* out of memory */
};

/* Signatures of the call must outlive the writer. Call stacks are not written. A call that is not
 * complete gets no results. */
void trim_writer_call(struct trim_writer *writer, const struct trace_call *call);
void trim_writer_fini(struct trim_writer *writer);

#endif
