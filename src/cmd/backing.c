/* Backing storage of images and buffers: DISCARD renames a resource to another backing, and staging
 * gives the renderer a copy.
 *
 * Renaming: the renderer goes on with the old backing while the application writes the new one.
 * Staging: the application keeps its memory, the renderer gets a copy, and packets carry each
 * written range to the copy.
 * Tested by tests/unit/api/memory/test_lock.c and tests/unit/api/test_order.c. */
#include "cmd/backing.h"

#include "util/alloc.h"

#include <string.h>

enum { MAX_RENAMED_BYTES = 64 << 20 }; /* all backings of all resources, except the first of each */

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

bool cmd_is_idle(struct cmd_stream *stream, const struct cmd_resource *resource, uint64_t until)
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

void cmd_wait_until_idle(struct cmd_stream *stream, const struct cmd_resource *resource,
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

    if (!resource->snapshot &&
        (resource->n_backings == CMD_MAX_BACKINGS || bytes > MAX_RENAMED_BYTES ||
         stream->renamed_bytes > MAX_RENAMED_BYTES - bytes))
        return ST_BUSY;
    if (resource->kind == CMD_IMAGE)
        st = tex_image_create(&backing->image, &resource->image->desc, NULL);
    else if (!(backing->data = mem_calloc(bytes ? bytes : 1, 1)))
        st = ST_NOMEM;
    if (st == ST_OK) {
        stream->renamed_bytes += resource->snapshot ? 0 : bytes;
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
        if (i != resource->current &&
            cmd_is_idle(stream, resource, resource->backing[i].last_use_seq))
            return i;
    return add_backing(stream, resource) ? CMD_MAX_BACKINGS : resource->n_backings - 1;
}

uint64_t cmd_last_access(const struct cmd_stream *stream, const struct cmd_resource *resource)
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

bool cmd_is_shared(const struct cmd_resource *resource)
{
    return resource->image && resource->image->shared;
}

bool cmd_rename_backing(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle)
{
    uint32_t to = find_idle_backing(stream, resource);
    struct cmd_set_backing packet = {handle, to};

    if (to == CMD_MAX_BACKINGS || cmd_emit_set_backing(stream, &packet, NULL, 0))
        return false;
    copy_backing(resource, resource->current, to);
    resource->backing[resource->current].last_use_seq = cmd_last_access(stream, resource);
    resource->current = to;
    resource->image = resource->backing[to].image;
    resource->buffer.data = resource->backing[to].data;
    resource->usage.read_seq = resource->usage.written_seq = 0;
    resource->usage.read_bindings.since_seq = resource->usage.write_bindings.since_seq =
        cmd_last_seqno(stream);
    return true;
}

/* --- Staging copies --------------------------------------------------------------------------- */

void cmd_start_staging(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle)
{
    struct cmd_set_backing packet = {handle, 1};

    if ((resource->mapped && !resource->snapshot) || resource->staged || resource->n_backings > 1 ||
        cmd_is_shared(resource) || init_backings(resource) || add_backing(stream, resource))
        return;              /* the resource stays unstaged */
    if (!resource->snapshot) /* packets bring the bytes that they read */
        copy_backing(resource, 0, 1);
    if (cmd_emit_set_backing(stream, &packet, NULL, 0))
        return;
    resource->staged = true;
    resource->readback_seq = cmd_last_seqno(stream);
}

bool cmd_read_back_waits(struct cmd_stream *stream, const struct cmd_resource *resource)
{
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    return written > resource->readback_seq && !cmd_is_idle(stream, resource, written);
}

void cmd_read_back(struct cmd_stream *stream, struct cmd_resource *resource)
{
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    if (written <= resource->readback_seq)
        return;
    cmd_wait_until_idle(stream, resource, resource->backing[1].image, written);
    copy_backing(resource, 1, 0);
    resource->readback_seq = written;
}
