/* Memory that the program writes while the renderer may still read it.
 *
 * A map waits for the packets that use the resource and no others, or does not wait at all:
 * contents that are not needed any more get another memory, a version; and a resource that was in
 * use more than once when it was to be written is split: the program keeps its memory, the renderer
 * gets one of its own, and what the program has written travels there as packets. */
#include "cmd/stream.h"

#include "util/alloc.h"

#include <string.h>

enum {
    RENAMED_BYTES = 64 << 20, /* versions of all resources, without the first ones */
    PATIENCE = 1              /* maps that wait before a resource is split */
};

/* --- Versions --------------------------------------------------------------------------------- */

size_t cmd_version_bytes(const struct cmd_resource *resource)
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

/* Images are used until the scene that samples them has been rendered, buffers no longer than the
 * draw takes. */
static bool is_free(struct cmd_stream *stream, const struct cmd_resource *resource, uint64_t until)
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

/* Until the renderer is through with the resource's packets up to here; image: that they use. */
static void wait_for(struct cmd_stream *stream, const struct cmd_resource *resource,
                     struct tex_image *image, uint64_t until)
{
    if (resource->kind == CMD_IMAGE)
        cmd_call(stream, until, sync_image, &(struct sync_image){stream, image});
    else
        cmd_wait(stream, until);
}

static enum status make_versions(struct cmd_resource *resource)
{
    if (resource->version)
        return ST_OK;
    resource->version = mem_calloc(CMD_VERSIONS, sizeof(*resource->version));
    if (!resource->version)
        return ST_NOMEM;
    resource->version[0] = (struct cmd_version){resource->image, resource->buffer.data, 0};
    resource->n_versions = 1;
    return ST_OK;
}

static enum status add_version(struct cmd_stream *stream, struct cmd_resource *resource)
{
    struct cmd_version *version = &resource->version[resource->n_versions];
    size_t bytes = cmd_version_bytes(resource);
    enum status st = ST_OK;

    if (resource->n_versions == CMD_VERSIONS || bytes > RENAMED_BYTES ||
        stream->renamed_bytes > RENAMED_BYTES - bytes)
        return ST_BUSY;
    if (resource->kind == CMD_IMAGE)
        st = tex_image_create(&version->image, &resource->image->desc, NULL);
    else if (!(version->data = mem_calloc(bytes ? bytes : 1, 1)))
        st = ST_NOMEM;
    if (st == ST_OK) {
        stream->renamed_bytes += bytes;
        resource->n_versions++;
    }
    return st;
}

/* A version that nobody uses, or CMD_VERSIONS. */
static uint32_t find_version(struct cmd_stream *stream, struct cmd_resource *resource)
{
    if (make_versions(resource))
        return CMD_VERSIONS;
    for (uint32_t i = 0; i < resource->n_versions; i++)
        if (i != resource->current && is_free(stream, resource, resource->version[i].until))
            return i;
    return add_version(stream, resource) ? CMD_VERSIONS : resource->n_versions - 1;
}

static uint64_t last_access(const struct cmd_stream *stream, const struct cmd_resource *resource)
{
    uint64_t read = cmd_last_read_seq(stream, &resource->usage);
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    return read > written ? read : written;
}

static void copy_version(struct cmd_resource *resource, unsigned from, unsigned to)
{
    const struct cmd_version *version = resource->version;

    if (resource->kind == CMD_IMAGE)
        memcpy(version[to].image->memory, version[from].image->memory, version[from].image->bytes);
    else
        memcpy(version[to].data, version[from].data, resource->buffer.size);
}

/* Others know one memory of it. */
static bool is_shared(const struct cmd_resource *resource)
{
    return resource->image && resource->image->shared;
}

/* From here on the program and packets see another version, with the same contents: what a program
 * does not write after DISCARD and draws all the same must not depend on how far the renderer is.
 * False: it stays as it is. */
static bool rename_storage(struct cmd_stream *stream, struct cmd_resource *resource,
                           cmd_handle handle)
{
    uint32_t to = find_version(stream, resource);
    struct cmd_set_storage packet = {handle, to};

    if (to == CMD_VERSIONS || cmd_emit_set_storage(stream, &packet, NULL, 0))
        return false;
    copy_version(resource, resource->current, to);
    resource->version[resource->current].until = last_access(stream, resource);
    resource->current = to;
    resource->image = resource->version[to].image;
    resource->buffer.data = resource->version[to].data;
    resource->usage.read_seq = resource->usage.written_seq = 0;
    resource->usage.read_bindings.since_seq = resource->usage.write_bindings.since_seq =
        cmd_last_seqno(stream);
    return true;
}

/* --- Split resources -------------------------------------------------------------------------- */

/* Gives the renderer a memory of its own. Nothing uses the resource now. */
static void split(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle)
{
    struct cmd_set_storage packet = {handle, 1};

    if (resource->mapped || resource->version || is_shared(resource) || make_versions(resource) ||
        add_version(stream, resource))
        return; /* it goes on as it was */
    copy_version(resource, 0, 1);
    if (cmd_emit_set_storage(stream, &packet, NULL, 0))
        return;
    resource->split = true;
    resource->copied_back = cmd_last_seqno(stream);
}

/* What the renderer has written into its memory goes to the program's. */
static void copy_back(struct cmd_stream *stream, struct cmd_resource *resource)
{
    uint64_t written = cmd_last_write_seq(stream, &resource->usage);

    if (written <= resource->copied_back)
        return;
    wait_for(stream, resource, resource->version[1].image, written);
    copy_version(resource, 1, 0);
    resource->copied_back = written;
}

/* --- Claims ----------------------------------------------------------------------------------- */

/* Sees to it that the memory may be read or written now. */
static enum status make_free(struct cmd_stream *stream, struct cmd_resource *resource,
                             cmd_handle handle, unsigned flags)
{
    bool writes = flags & CMD_MAP_WRITE;
    uint64_t until =
        writes ? last_access(stream, resource) : cmd_last_write_seq(stream, &resource->usage);

    if (resource->split) {
        copy_back(stream, resource);
        return ST_OK;
    }
    if (flags & CMD_MAP_NO_WAIT || is_free(stream, resource, until))
        return ST_OK;
    if (flags & CMD_MAP_DISCARD && !resource->mapped && !is_shared(resource) &&
        is_free(stream, resource, cmd_last_write_seq(stream, &resource->usage)) &&
        rename_storage(stream, resource, handle))
        return ST_OK;
    if (flags & CMD_MAP_TRY && stream->queue) {
        queue_request_flush(stream->queue, until);
        return ST_BUSY;
    }
    wait_for(stream, resource, resource->image, until);
    if (stream->queue && writes && resource->waits++ >= PATIENCE)
        split(stream, resource, handle);
    return ST_OK;
}

static enum status claim(struct cmd_stream *stream, struct cmd_resource *resource,
                         cmd_handle handle, unsigned flags)
{
    enum status st = make_free(stream, resource, handle, flags);

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
    st = claim(stream, resource, handle, flags);
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

/* What the program has written goes to the renderer's memory; where there is none for a packet, at
 * once. */
static void send_level(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle,
                       uint32_t face, uint32_t index)
{
    const struct tex_level *level = tex_image_level(resource->image, face, index);
    struct cmd_write_image packet = {{handle, face, index}};
    size_t bytes = cmd_level_bytes(resource->image, level);

    if (cmd_emit_write_image(stream, &packet, level->data, bytes) == ST_OK)
        return;
    wait_for(stream, resource, resource->version[1].image, cmd_last_seqno(stream));
    memcpy(tex_image_level(resource->version[1].image, face, index)->data, level->data, bytes);
}

static void tap_level(struct cmd_stream *stream, struct cmd_resource *resource, cmd_handle handle,
                      uint32_t face, uint32_t index)
{
    const struct tex_level *level = tex_image_level(resource->image, face, index);
    struct cmd_write_image packet = {{handle, face, index}};

    cmd_tap_packet(stream, CMD_WRITE_IMAGE, &packet, level->data,
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
    if (written && stream->tap)
        tap_level(stream, resource, handle, face, level);
    if (written && resource->split)
        send_level(stream, resource, handle, face, level);
    if (written)
        (void)!cmd_emit_touch(stream, &packet, NULL, 0); /* cannot fail: it needs no memory */
}

/* --- Buffers ---------------------------------------------------------------------------------- */

enum status cmd_map_buffer(struct cmd_stream *stream, cmd_handle handle, unsigned flags,
                           uint8_t **out)
{
    struct cmd_resource *resource = cmd_resource(stream, handle, CMD_BUFFER);
    enum status st;

    if (!resource)
        return ST_INVALID;
    st = claim(stream, resource, handle, flags);
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
        cmd_tap_packet(stream, CMD_WRITE_BUFFER, &packet, resource->buffer.data + from, bytes);
    if (!resource->split || !bytes ||
        cmd_emit_write_buffer(stream, &packet, resource->buffer.data + from, bytes) == ST_OK)
        return;
    cmd_wait(stream, cmd_last_seqno(stream));
    memcpy(resource->version[1].data + from, resource->buffer.data + from, bytes);
}
