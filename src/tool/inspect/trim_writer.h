/* Writing a capture of calls that were read from another. Private to look. */
#ifndef TOOL_INSPECT_TRIM_WRITER_H
#define TOOL_INSPECT_TRIM_WRITER_H

#include "record/writer.h"
#include "trace/trace.h"

/* Signatures that the file has already, by address: the reader keeps one for each. */
struct look_signatures {
    const void **at;
    size_t n, max;
};

/* Zeros and an open writer to begin with; the writer stays the caller's to flush and to close. */
struct look_cut {
    struct writer writer;
    struct look_signatures functions, structs, enums, bitmasks;
    bool failed; /* memory was short */
};

/* Signatures of the call must live until the end. Call stacks are left out. */
void look_cut_call(struct look_cut *cut, const struct trace_call *call);
void look_cut_fini(struct look_cut *cut);

/* --- dead_state.c ----------------------------------------------------------------------------- */

struct look_needs;
/* Marks calls before the first that is wanted that set what is set again before anything looks at
 * it. */
MUST_CHECK enum status look_supersede(struct look_needs *needs, const char *file);

#endif
