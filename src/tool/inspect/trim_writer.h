/* Writing a capture of calls that were read from another. Private to look. */
#ifndef TOOL_INSPECT_TRIM_WRITER_H
#define TOOL_INSPECT_TRIM_WRITER_H

#include "record/writer.h"
#include "trace/trace.h"

/* Signatures that the file has already, by address: the reader keeps one for each. */
struct trim_signatures {
    const void **at;
    size_t n, max;
};

/* Zeros and an open writer to begin with; the writer stays the caller's to flush and to close. */
struct trim_writer {
    struct writer writer;
    struct trim_signatures functions, structs, enums, bitmasks;
    bool failed; /* memory was short */
};

/* Signatures of the call must live until the end. Call stacks are left out. */
void trim_writer_call(struct trim_writer *writer, const struct trace_call *call);
void trim_writer_fini(struct trim_writer *writer);

/* --- dead_state.c ----------------------------------------------------------------------------- */

struct inspect_dependencies;
/* Marks calls before the first that is wanted that set what is set again before anything looks at
 * it. */
MUST_CHECK enum status inspect_mark_dead_state(struct inspect_dependencies *deps, const char *file);

#endif
