/* What the files of the apitrace reader share: the reader, its signature tables, value parsing. */
#ifndef TRACE_APITRACE_PRIVATE_H
#define TRACE_APITRACE_PRIVATE_H

#include "trace/heap.h"
#include "trace/reader.h"

enum {
    READER_DEPTH_MAX = 64,        /* values nested in values; captures reach 4 */
    READER_IDS_MAX = 1 << 20,     /* ids are dense, so a larger one is damage */
    READER_OPEN_CALLS_MAX = 4096, /* entered and not yet left */
};
#define READER_CALL_BYTES_MAX ((size_t)1 << 30)      /* values of all open calls together */
#define READER_SIGNATURE_BYTES_MAX ((size_t)1 << 27) /* all signatures of a file */

/* Signatures by id; NULL where the id has not occurred yet. */
struct id_table {
    const void **entries;
    size_t size;
};

struct open_call {
    struct trace_call call;
    struct trace_value *args;
    struct heap heap;
    struct open_call *next; /* in a list */
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
    struct open_call *current; /* what the last trace_next gave out */
};

/* Memory of the file's life or of one call's; a refusal becomes the reader's error. */
void *reader_alloc(struct apitrace *r, struct heap *heap, size_t n, size_t size);
/* A string, NUL-terminated; *length may be NULL. Never NULL: "" after an error. */
const char *reader_string(struct apitrace *r, struct heap *heap, uint32_t *length);
/* How many things follow; 0 with an error set if more than 32 bits. */
uint32_t reader_count(struct apitrace *r, const char *of);

/* The entry for an id, which the caller fills when it is NULL; NULL with an error set on damage. */
const void **reader_id(struct apitrace *r, struct id_table *table, const char *of);
const struct trace_function *reader_function(struct apitrace *r);
const struct trace_names *reader_enum(struct apitrace *r);
const struct trace_names *reader_bitmask(struct apitrace *r);
const struct trace_struct *reader_struct(struct apitrace *r);
const struct trace_frame *reader_frame(struct apitrace *r);
int64_t reader_signed(struct apitrace *r);

/* One value of any kind. */
void reader_value(struct apitrace *r, struct heap *heap, struct trace_value *out);

#endif
