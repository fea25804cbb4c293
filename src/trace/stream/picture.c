/* Pictures of a played stream: resolves the image of the moment and converts it to RGBA.
 *
 * Tested by tests/unit/tool/capture/test_compile.c. */
#include "trace/stream/player.h"

#include "trace/replay/replay.h"

#include <string.h>

/* Resolves the samples into a new image, which the caller destroys. */
static enum status resolve(struct cmd_stream *stream, cmd_handle from, cmd_handle *out)
{
    struct tex_desc desc = cmd_image(stream, from)->desc;
    struct cmd_stretch packet = {.src.image = from, .filter = D3DTEXF_NONE};
    enum status st;

    desc.samples = 1;
    desc.unlocked = false;
    packet.src_box = packet.dst_box = (struct cmd_box){0, 0, 0, desc.width, desc.height, 1};
    st = cmd_create_image(stream, &desc, NULL, out);
    packet.dst.image = *out;
    return st == ST_OK ? cmd_emit_stretch(stream, &packet, NULL, 0) : st;
}

static enum status read_image(struct cmd_stream *stream, cmd_handle image, uint32_t face,
                              uint32_t index, struct replay_picture *out)
{
    struct tex_level level;
    enum status st = cmd_map_image(stream, image, face, index, CMD_MAP_READ, &level);

    if (st != ST_OK)
        return ST_NOTFOUND;
    st = replay_convert_picture(cmd_image(stream, image)->format, level.width, level.height,
                                level.data, level.row_pitch, out);
    cmd_unmap_image(stream, image, face, index, false);
    return st;
}

enum status nvs_take_picture(struct nvs *nvs, struct replay_picture *out)
{
    const struct nvs_moment *p = &nvs->moment;
    struct cmd_stream *stream = nvs->moment_stream->stream;
    const struct played_resource *resource = nvs_find(nvs->moment_stream, p->image);
    cmd_handle resolved = 0;
    enum status st;

    memset(out, 0, sizeof(*out));
    if (!resource || resource->kind != CMD_IMAGE)
        return ST_NOTFOUND;
    if (cmd_image(stream, resource->handle)->desc.samples == 1)
        return read_image(stream, resource->handle, p->face, p->level, out);
    st = resolve(stream, resource->handle, &resolved);
    if (st == ST_OK)
        st = read_image(stream, resolved, 0, 0, out);
    cmd_destroy(stream, resolved);
    return st;
}
