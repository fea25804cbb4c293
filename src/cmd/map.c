/* Maps images and buffers: waits for hazards, renames backing storage, or keeps a staging copy.
 *
 * A map waits only for the packets that use the resource. Two mechanisms of backing.c avoid the
 * wait: a DISCARD map renames the resource, and a resource whose maps for writing have stalled
 * becomes staged.
 * Tested by tests/unit/api/memory/test_lock.c, tests/unit/api/test_order.c and
 * tests/unit/cmd/test_queue.c. */
#include "cmd/backing.h"
#include "util/clock.h"

#include <string.h>

/* Write maps that may wait before the next one starts staging. */
enum { STALLS_BEFORE_STAGING = 1 };

/* --- Hazards ---------------------------------------------------------------------------------- */

struct cmd_waits cmd_waits(const struct cmd_stream *stream)
{
    return stream->waits;
}

static void count_wait(struct cmd_stream *stream, uint64_t start)
{
    stream->waits.n++;
    stream->waits.nanoseconds += clock_now() - start;
}

/* A staged resource: brings what the renderer has written. */
static void read_back(struct cmd_stream *stream, struct cmd_resource *resource, bool waits)
{
    uint64_t start = waits ? clock_now() : 0;

    cmd_read_back(stream, resource);
    if (waits)
        count_wait(stream, start);
}

static void wait_until_idle(struct cmd_stream *stream, struct cmd_resource *resource,
                            uint64_t until)
{
    uint64_t start = clock_now();

    cmd_wait_until_idle(stream, resource, resource->image, until);
    count_wait(stream, start);
}

/* Makes the memory safe to read or write: by waiting, renaming or staging. */
static enum status prepare_map(struct cmd_stream *stream, struct cmd_resource *resource,
                               cmd_handle handle, unsigned flags)
{
    bool writes = flags & CMD_MAP_WRITE;
    uint64_t until =
        writes ? cmd_last_access(stream, resource) : cmd_last_write_seq(stream, &resource->usage);

    if (resource->staged) {
        bool waits = cmd_read_back_waits(stream, resource);

        if (flags & CMD_MAP_TRY && waits) {
            queue_request_flush(stream->queue, cmd_last_write_seq(stream, &resource->usage));
            return ST_BUSY;
        }
        read_back(stream, resource, waits);
        return ST_OK;
    }
    if (flags & CMD_MAP_NO_WAIT || cmd_is_idle(stream, resource, until))
        return ST_OK;
    if (flags & CMD_MAP_DISCARD && !resource->mapped && !cmd_is_shared(resource) &&
        cmd_is_idle(stream, resource, cmd_last_write_seq(stream, &resource->usage)) &&
        cmd_rename_backing(stream, resource, handle))
        return ST_OK;
    if (flags & CMD_MAP_TRY && stream->queue) {
        queue_request_flush(stream->queue, until);
        return ST_BUSY;
    }
    wait_until_idle(stream, resource, until);
    if (stream->queue && writes &&
        (resource->snapshot || resource->stalls++ >= STALLS_BEFORE_STAGING))
        cmd_start_staging(stream, resource, handle);
    return ST_OK;
}

static enum status begin_map(struct cmd_stream *stream, struct cmd_resource *resource,
                             cmd_handle handle, unsigned flags)
{
    enum status st =
        cmd_is_orphan(stream) ? ST_UNSUPPORTED : prepare_map(stream, resource, handle, flags);

    if (st == ST_OK)
        resource->mapped++;
    return st;
}

/* --- Images ----------------------------------------------------------------------------------- */

const struct tex_image *cmd_image(struct cmd_stream *stream, cmd_handle image)
{
    struct cmd_resource *resource = cmd_resource(stream, image, CMD_IMAGE);

    return resource ? resource->image : NULL;
}

uint64_t cmd_last_read(struct cmd_stream *stream, cmd_handle image)
{
    struct cmd_resource *resource = cmd_resource(stream, image, CMD_IMAGE);

    return resource ? cmd_last_read_seq(stream, &resource->usage) : 0;
}

enum status cmd_map_image(struct cmd_stream *stream, cmd_handle handle, uint32_t face,
                          uint32_t level, unsigned flags, struct tex_level *out)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_IMAGE);
    enum status st;

    if (!resource || face >= resource->image->faces || level >= resource->image->desc.levels)
        return ST_INVALID;
    st = begin_map(stream, resource, handle, flags);
    if (st)
        return st;
    *out = *tex_image_level(resource->image, face, level);
    return ST_OK;
}

/* Sends a written level of a staged image to the renderer. If memory for the packet runs out, waits
 * and copies directly. */
static void upload_level(struct cmd_stream *stream, struct cmd_resource *resource,
                         cmd_handle handle, uint32_t face, uint32_t index)
{
    const struct tex_level *level = tex_image_level(resource->image, face, index);
    struct cmd_write_image packet = {{handle, face, index}};
    size_t bytes = cmd_level_bytes(resource->image, level);

    if (cmd_emit_write_image(stream, &packet, level->data, bytes) == ST_OK)
        return;
    cmd_wait_until_idle(stream, resource, resource->backing[1].image, cmd_last_seqno(stream));
    memcpy(tex_image_level(resource->backing[1].image, face, index)->data, level->data, bytes);
}

static void notify_level(struct cmd_stream *stream, struct cmd_resource *resource,
                         cmd_handle handle, uint32_t face, uint32_t index)
{
    const struct tex_level *level = tex_image_level(resource->image, face, index);
    struct cmd_write_image packet = {{handle, face, index}};

    cmd_notify_packet(stream, CMD_WRITE_IMAGE, &packet, level->data,
                      cmd_level_bytes(resource->image, level));
}

void cmd_unmap_image(struct cmd_stream *stream, cmd_handle handle, uint32_t face, uint32_t level,
                     bool written)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_IMAGE);
    struct cmd_touch packet = {handle};

    if (!resource)
        return;
    resource->mapped--;
    if (written && stream->listener)
        notify_level(stream, resource, handle, face, level);
    if (written && resource->staged)
        upload_level(stream, resource, handle, face, level);
    if (written)
        (void)!cmd_emit_touch(stream, &packet, NULL, 0); /* cannot fail: needs no memory */
}

/* --- Buffers ---------------------------------------------------------------------------------- */

enum status cmd_map_buffer(struct cmd_stream *stream, cmd_handle handle, unsigned flags,
                           uint8_t **out)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_BUFFER);
    enum status st;

    if (!resource)
        return ST_INVALID;
    st = begin_map(stream, resource, handle, flags);
    if (st)
        return st;
    cmd_note_map(stream, resource);
    *out = resource->buffer.data;
    return ST_OK;
}

void cmd_unmap_buffer(struct cmd_stream *stream, cmd_handle handle, size_t from, size_t bytes)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_BUFFER);
    struct cmd_write_buffer packet = {handle, (uint32_t)from};

    if (!resource)
        return;
    resource->mapped--;
    cmd_note_map(stream, resource);
    if (bytes)
        cmd_notify_packet(stream, CMD_WRITE_BUFFER, &packet, resource->buffer.data + from, bytes);
    if (!resource->staged || resource->snapshot || !bytes ||
        cmd_emit_write_buffer(stream, &packet, resource->buffer.data + from, bytes) == ST_OK)
        return;
    cmd_wait(stream, cmd_last_seqno(stream));
    memcpy(resource->backing[1].data + from, resource->buffer.data + from, bytes);
}
