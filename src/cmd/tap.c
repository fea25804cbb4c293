/* Those who listen to a stream. */
#include "cmd/stream.h"

static const struct cmd_tap *current;

void cmd_set_tap(const struct cmd_tap *tap)
{
    current = tap;
}

const struct cmd_tap *cmd_current_tap(void)
{
    return current;
}

void cmd_tap_create(const struct cmd_stream *stream, cmd_handle handle,
                    const struct cmd_description *description)
{
    if (stream->tap)
        stream->tap->create(stream->tap->ctx, stream, handle, description);
}

void cmd_tap_packet(const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                    const void *data, size_t data_bytes)
{
    if (stream->tap)
        stream->tap->packet(stream->tap->ctx, stream, op, packet, data, data_bytes);
}
