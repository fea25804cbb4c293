/* Registers listeners and debug hooks of command streams, notifies the listeners, and gives hooks
 * access to the renderer side.
 *
 * Tested by tests/unit/tool/capture/test_compile.c and tests/unit/tool/inspect/test_pixel.c. */
#include "cmd/stream.h"

static const struct cmd_listener *current;
static const struct cmd_debug_hooks *current_hooks;

void cmd_set_listener(const struct cmd_listener *listener)
{
    current = listener;
}

const struct cmd_listener *cmd_current_listener(void)
{
    return current;
}

void cmd_set_debug_hooks(const struct cmd_debug_hooks *hooks)
{
    current_hooks = hooks;
}

const struct cmd_debug_hooks *cmd_current_debug_hooks(void)
{
    return current_hooks;
}

struct draw *cmd_renderer(struct cmd_stream *stream)
{
    return stream->draw;
}

const struct draw_state *cmd_rendered_state(const struct cmd_stream *stream)
{
    return &stream->state;
}

struct tex_image *cmd_rendered_image(struct cmd_stream *stream, cmd_handle image)
{
    struct cmd_resource *resource = cmd_resource(stream, image, CMD_IMAGE);

    return resource ? resource->u.image : NULL;
}

cmd_handle cmd_bound_target(const struct cmd_stream *stream, unsigned index)
{
    return stream->bound.target[index];
}

void cmd_notify_create(const struct cmd_stream *stream, cmd_handle handle,
                       const struct cmd_description *description)
{
    if (stream->listener)
        stream->listener->create(stream->listener->ctx, stream, handle, description);
}

void cmd_notify_packet(const struct cmd_stream *stream, enum cmd_op op, const void *packet,
                       const void *data, size_t data_bytes)
{
    if (stream->listener)
        stream->listener->packet(stream->listener->ctx, stream, op, packet, data, data_bytes);
}
