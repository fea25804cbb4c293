/* Numbers command streams in order of their first packets, and forgets them when they close.
 *
 * Tested by tests/unit/tool/inspect/test_devices.c. */
#include "tool/inspect/streams.h"

#include "util/alloc.h"

unsigned inspect_streams_find(const struct inspect_streams *s, const struct cmd_stream *stream)
{
    for (unsigned i = s->n; i-- > 0;)
        if (s->stream[i] == stream)
            return i;
    return INSPECT_NO_STREAM;
}

unsigned inspect_streams_number(struct inspect_streams *s, struct cmd_stream *stream)
{
    unsigned known = inspect_streams_find(s, stream);

    if (known != INSPECT_NO_STREAM)
        return known;
    if (s->n == s->max) {
        unsigned max = s->max ? 2 * s->max : 8;
        void *more = mem_realloc(s->stream, max * sizeof(struct cmd_stream *));

        if (!more) {
            s->out_of_memory = true;
            return INSPECT_NO_STREAM;
        }
        s->stream = more;
        s->max = max;
    }
    s->stream[s->n] = stream;
    return s->n++;
}

struct cmd_stream *inspect_streams_at(const struct inspect_streams *s, unsigned number)
{
    return number < s->n ? s->stream[number] : NULL;
}

void inspect_streams_close(struct inspect_streams *s, const struct cmd_stream *stream)
{
    unsigned number = inspect_streams_find(s, stream);

    if (number != INSPECT_NO_STREAM)
        s->stream[number] = NULL;
}

void inspect_streams_fini(struct inspect_streams *s)
{
    mem_free(s->stream);
    *s = (struct inspect_streams){0};
}
