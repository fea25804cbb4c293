/* Private declarations of the apitrace reader: reader state, signature tables, value parsing. */
#ifndef TRACE_APITRACE_APITRACE_PRIVATE_H
#define TRACE_APITRACE_APITRACE_PRIVATE_H

#include "trace/reader/heap.h"
#include "trace/reader/reader.h"

enum {
    READER_DEPTH_MAX = 64,        /* nesting depth of values; captures reach 4 */
    READER_IDS_MAX = 1 << 20,     /* ids are dense, so the reader treats a larger one as damage */
    READER_OPEN_CALLS_MAX = 4096, /* calls entered and not yet left */
};
#define READER_CALL_BYTES_MAX ((size_t)1 << 30)      /* values of all open calls together */
#define READER_SIGNATURE_BYTES_MAX ((size_t)1 << 27) /* all signatures of a file */

/* Signature table indexed by id; NULL where the stream has not defined the id yet. */
struct id_table {
    const void **entries;
    size_t size;
};

struct open_call {
    struct trace_call call;
    struct trace_value *args;
    struct heap heap;
    struct open_call *next; /* linked list */
};

struct apitrace {
    struct trace_reader base;
    struct heap signatures;
    struct id_table functions, structs, enums, bitmasks, frames;
    uint32_t function_count;

    uint64_t next_number;
    struct open_call *open, **open_tail; /* oldest first */
    unsigned open_count;
    struct open_call *spare;   /* for reuse */
    struct open_call *current; /* the call that the last trace_next returned */
};

/* Allocates memory that lives as long as the file or one call. Failure sets the reader's error. */
void *reader_alloc(struct apitrace *r, struct heap *heap, size_t n, size_t size);
/* Reads a string, NUL-terminated; length may be NULL. Never returns NULL: "" after an error. */
const char *reader_string(struct apitrace *r, struct heap *heap, uint32_t *length);
/* Reads an element count; returns 0 and sets an error if it exceeds 32 bits. */
uint32_t reader_count(struct apitrace *r, const char *of);

const struct trace_function *reader_function(struct apitrace *r);
const struct trace_names *reader_enum(struct apitrace *r);
const struct trace_names *reader_bitmask(struct apitrace *r);
const struct trace_struct *reader_struct(struct apitrace *r);
const struct trace_frame *reader_frame(struct apitrace *r);
int64_t reader_signed(struct apitrace *r);

/* Reads one value of any kind. */
void reader_value(struct apitrace *r, struct heap *heap, struct trace_value *out);

#endif
