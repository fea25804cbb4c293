/* Maps images and buffers: waits for hazards, renames backing storage, or keeps a staging copy.
 *
 * A map waits only for the packets that use the resource. Two mechanisms avoid the wait. A DISCARD
 * map renames the resource to another backing. When a second map for writing has had to wait, the
 * resource becomes staged: the application keeps its memory, the renderer gets a copy, and packets
 * carry each written range to the copy. */
#include "cmd/stream.h"

#include "util/alloc.h"

#include <string.h>

enum {
    MAX_RENAMED_BYTES = 64 << 20, /* all backings of all resources, except the first of each */
    STALLS_BEFORE_STAGING = 1     /* write maps that may wait before the next one starts staging */
};

/* --- Renaming --------------------------------------------------------------------------------- */

size_t cmd_backing_bytes(const struct cmd_resource *resource)
{
    switch (resource->kind) {
    case CMD_IMAGE:
        return resource->image->bytes;
    case CMD_BUFFER:
        return resource->buffer.size;
    default:
        return 0;
    }
}

/* The renderer reads images until it has rendered their scene, but buffers only while it executes
 * the draw. */
static bool is_idle(struct cmd_stream *stream, const struct cmd_resource *resource, uint64_t until)
{
    return resource->kind == CMD_IMAGE
               ? until <= atomic_load_explicit(&stream->rendered_seq, memory_order_acquire)
               : cmd_is_executed(stream, until);
}

struct sync_image {
    struct cmd_stream *stream;
    struct tex_image *image;
};

static void sync_image(void *arg)
{
    struct sync_image *sync = arg;

    draw_sync(sync->stream->draw, sync->image);
    cmd_update_rendered(sync->stream);
}

/* Waits until the renderer no longer uses the resource for packets up to `until`. image: the
 * backing that these packets use. */
static void wait_until_idle(struct cmd_stream *stream, const struct cmd_resource *resource,
                            struct tex_image *image, uint64_t until)
{
    if (resource->kind == CMD_IMAGE)
        cmd_call(stream, until, sync_image, &(struct sync_image){stream, image});
    else
        cmd_wait(stream, until);
}

static enum status init_backings(struct cmd_resource *resource)
{
    if (resource->backing)
        return ST_OK;
    resource->backing = mem_calloc(CMD_MAX_BACKINGS, sizeof(*resource->backing));
    if (!resource->backing)
        return ST_NOMEM;
    resource->backing[0] = (struct cmd_backing){resource->image, resource->buffer.data, 0};
    resource->n_backings = 1;
    return ST_OK;
}

static enum status add_backing(struct cmd_stream *stream, struct cmd_resource *resource)
{
    struct cmd_backing *backing = &resource->backing[resource->n_backings];
    size_t bytes = cmd_backing_bytes(resource);
    enum status st = ST_OK;

    if (resource->n_backings == CMD_MAX_BACKINGS || bytes > MAX_RENAMED_BYTES ||
        stream->renamed_bytes > MAX_RENAMED_BYTES - bytes)
        return ST_BUSY;
    if (resource->kind == CMD_IMAGE)
        st = tex_image_create(&backing->image, &resource->image->desc, NULL);
    else if (!(backing->data = mem_calloc(bytes ? bytes : 1, 1)))
        st = ST_NOMEM;
    if (st == ST_OK) {
        stream->renamed_bytes += bytes;
        resource->n_backings++;
    }
    return st;
}

/* Index of a backing that the renderer does not use, possibly a new one. CMD_MAX_BACKINGS: none. */
static uint32_t find_idle_backing(struct cmd_stream *stream, struct cmd_resource *resource)
{
    if (init_backings(resource))
        return CMD_MAX_BACKINGS;
    for (uint32_t i = 0; i < resource->n_backings; i++)
        if (i != resource->current && is_idle(stream, resource, resource->backing[i].last_use_seq))
            return i;
    return add_backing(stream, resource) ? CMD_MAX_BACKINGS : resource->n_backings - 1;
}

static uint64_t last_access(const struct cmd_stream *stream, const struct cmd_resource *resource)
{
    uint64_t read = cmd_last_read_seq(stream, &resource->usage);
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    return read > written ? read : written;
}

static void copy_backing(struct cmd_resource *resource, unsigned from, unsigned to)
{
    const struct cmd_backing *backing = resource->backing;

    if (resource->kind == CMD_IMAGE)
        memcpy(backing[to].image->memory, backing[from].image->memory, backing[from].image->bytes);
    else
        memcpy(backing[to].data, backing[from].data, resource->buffer.size);
}

/* Whether the memory is shared. Such a resource cannot be renamed: other users of the memory know
 * only one address. */
static bool is_shared(const struct cmd_resource *resource)
{
    return resource->image && resource->image->shared;
}

/* Switches application and later packets to another backing. False: the backing is unchanged.
 *
 * The new backing gets a copy of the contents. An application may draw with data that it has not
 * written since DISCARD, and the picture must not depend on the progress of the renderer. */
static bool rename_backing(struct cmd_stream *stream, struct cmd_resource *resource,
                           cmd_handle handle)
{
    uint32_t to = find_idle_backing(stream, resource);
    struct cmd_set_backing packet = {handle, to};

    if (to == CMD_MAX_BACKINGS || cmd_emit_set_backing(stream, &packet, NULL, 0))
        return false;
    copy_backing(resource, resource->current, to);
    resource->backing[resource->current].last_use_seq = last_access(stream, resource);
    resource->current = to;
    resource->image = resource->backing[to].image;
    resource->buffer.data = resource->backing[to].data;
    resource->usage.read_seq = resource->usage.written_seq = 0;
    resource->usage.read_bindings.since_seq = resource->usage.write_bindings.since_seq =
        cmd_last_seqno(stream);
    return true;
}

/* --- Staging copies --------------------------------------------------------------------------- */

/* Gives the renderer its own copy of the resource, which must be idle. */
static void start_staging(struct cmd_stream *stream, struct cmd_resource *resource,
                          cmd_handle handle)
{
    struct cmd_set_backing packet = {handle, 1};

    if (resource->mapped || resource->backing || is_shared(resource) || init_backings(resource) ||
        add_backing(stream, resource))
        return; /* the resource stays unstaged */
    copy_backing(resource, 0, 1);
    if (cmd_emit_set_backing(stream, &packet, NULL, 0))
        return;
    resource->staged = true;
    resource->readback_seq = cmd_last_seqno(stream);
}

/* If the renderer has written to its copy, copies the contents to the memory of the application. */
static void read_back(struct cmd_stream *stream, struct cmd_resource *resource)
{
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    if (written <= resource->readback_seq)
        return;
    wait_until_idle(stream, resource, resource->backing[1].image, written);
    copy_backing(resource, 1, 0);
    resource->readback_seq = written;
}

/* --- Hazards ---------------------------------------------------------------------------------- */

/* Makes the memory safe to read or write: by waiting, renaming or staging. */
static enum status prepare_map(struct cmd_stream *stream, struct cmd_resource *resource,
                               cmd_handle handle, unsigned flags)
{
    bool writes = flags & CMD_MAP_WRITE;
    uint64_t until =
        writes ? last_access(stream, resource) : cmd_last_write_seq(stream, &resource->usage);

    if (resource->staged) {
        read_back(stream, resource);
        return ST_OK;
    }
    if (flags & CMD_MAP_NO_WAIT || is_idle(stream, resource, until))
        return ST_OK;
    if (flags & CMD_MAP_DISCARD && !resource->mapped && !is_shared(resource) &&
        is_idle(stream, resource, cmd_last_write_seq(stream, &resource->usage)) &&
        rename_backing(stream, resource, handle))
        return ST_OK;
    if (flags & CMD_MAP_TRY && stream->queue) {
        queue_request_flush(stream->queue, until);
        return ST_BUSY;
    }
    wait_until_idle(stream, resource, resource->image, until);
    if (stream->queue && writes && resource->stalls++ >= STALLS_BEFORE_STAGING)
        start_staging(stream, resource, handle);
    return ST_OK;
}

static enum status begin_map(struct cmd_stream *stream, struct cmd_resource *resource,
                             cmd_handle handle, unsigned flags)
{
    enum status st = prepare_map(stream, resource, handle, flags);

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

size_t cmd_level_bytes(const struct tex_image *image, const struct tex_level *level)
{
    uint32_t slices = level->depth * image->desc.samples;

    return slices > 1 ? (size_t)slices * level->slice_pitch
                      : (size_t)tex_block_rows(image->format, level->height) * level->row_pitch;
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
    wait_until_idle(stream, resource, resource->backing[1].image, cmd_last_seqno(stream));
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
    if (bytes)
        cmd_notify_packet(stream, CMD_WRITE_BUFFER, &packet, resource->buffer.data + from, bytes);
    if (!resource->staged || !bytes ||
        cmd_emit_write_buffer(stream, &packet, resource->buffer.data + from, bytes) == ST_OK)
        return;
    cmd_wait(stream, cmd_last_seqno(stream));
    memcpy(resource->backing[1].data + from, resource->buffer.data + from, bytes);
}
