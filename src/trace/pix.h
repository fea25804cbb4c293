/* What the files of the reader of PIX run files share. */
#ifndef TRACE_PIX_H
#define TRACE_PIX_H

#include "trace/heap.h"
#include "trace/pix_methods.h"
#include "trace/reader.h"

/* Chunks by type; of the others nothing is needed. */
enum pix_chunk { PIX_EVENT = 0x3eb, PIX_ATTRIBUTE = 0x3ec };
/* Events by the number of their definition, and the attribute that a call comes as. */
enum pix_event { PIX_PROCESS_START = 3, PIX_CALL_AT_ONCE = 11, PIX_CALL_LATER = 19 };
/* Bytes of an event between its number and its call: parent, time. */
enum { PIX_EVENT_BYTES = 12 };

/* Memory that a pointer of a call led to. */
struct pix_block {
    uint32_t address, size;
    const uint8_t *bytes;
};

enum { PIX_BLOCKS_MAX = 8, PIX_FUNCTIONS = PIX_CALL_END - PIX_CALL_FIRST + 1 /* and memcpy */ };

struct pix {
    struct trace_reader base;
    struct trace_function functions[PIX_FUNCTIONS];
    struct trace_call call, unlock; /* unlock: comes after the memcpy that was handed out */
    bool unlock_waits;
    uint64_t next_number;
    struct heap heap, names; /* of the call; of the file */
    uint8_t *bytes;          /* of the call in hand */
    size_t room;
};

/* The parameters of a call, which begins with the result; what is not there stays missing. False
 * when memory is short. Finds the blocks that follow them. */
bool pix_read_call(struct pix *p, const struct pix_method *method, const uint8_t *bytes, size_t n,
                   struct pix_block *block);

#endif
