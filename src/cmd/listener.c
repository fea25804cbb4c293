/* Those who listen to a stream. */
#include "cmd/stream.h"

static const struct cmd_tap *current;
static const struct cmd_watch *current_watch;

void cmd_set_tap(const struct cmd_tap *tap)
{
    current = tap;
}

const struct cmd_tap *cmd_current_tap(void)
{
    return current;
}

void cmd_set_watch(const struct cmd_watch *watch)
{
    current_watch = watch;
}

const struct cmd_watch *cmd_current_watch(void)
{
    return current_watch;
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
