/* Numbers of the command streams of one replay, a stream for each device. */
#ifndef TOOL_INSPECT_STREAMS_H
#define TOOL_INSPECT_STREAMS_H

#include "cmd/cmd.h"

enum { INSPECT_NO_STREAM = UINT32_MAX };

/* Streams by number: the order of their first packets, which is the same in every replay of a
 * capture. A closed stream keeps its number, and its entry is NULL. The address says nothing: a
 * later stream may get that of a closed one. */
struct inspect_streams {
    struct cmd_stream **stream;
    unsigned n, max;
    bool out_of_memory;
};

/* The number of a stream; a new stream gets the next one. INSPECT_NO_STREAM: out of memory. */
unsigned inspect_streams_number(struct inspect_streams *s, struct cmd_stream *stream);
/* The number of a stream that has one; else INSPECT_NO_STREAM. */
unsigned inspect_streams_find(const struct inspect_streams *s, const struct cmd_stream *stream);
/* NULL: it is closed, or no stream has the number. */
struct cmd_stream *inspect_streams_at(const struct inspect_streams *s, unsigned number);
/* Forgets a stream that is about to be destroyed. */
void inspect_streams_close(struct inspect_streams *s, const struct cmd_stream *stream);
void inspect_streams_fini(struct inspect_streams *s);

#endif
