/* Locks of vertex and index buffers (reference: locks/buffers). */
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/memory/slow.h"
#include "cmd/cmd.h"

/* Extends the byte range that the open locks may write. */
static void note_range(struct buffer *buffer, UINT offset, UINT size)
{
    if (offset < buffer->written_from)
        buffer->written_from = offset;
    if (offset + size > buffer->written_to)
        buffer->written_to = offset + size;
}

static void unmap(struct buffer *buffer)
{
    cmd_unmap_buffer(buffer->base.device->stream, buffer->handle, buffer->written_from,
                     buffer->written_to - buffer->written_from);
}

HRESULT api_lock_buffer(struct buffer *buffer, UINT offset, UINT size, void **out, DWORD flags)
{
    ENTER_OBJECT(d, buffer);
    /* Other buffers keep their address and contents on DISCARD (reference: locks/pinned-buffers),
     * and their draws read them when they are called (reference: locks/read-time). */
    bool renames = !buffer->read_at_call && (buffer->usage & D3DUSAGE_DYNAMIC) && !d->software;
    unsigned map = CMD_MAP_READ | CMD_MAP_WRITE;
    enum status st;

    if (!out || offset > buffer->size || size > buffer->size - offset)
        return D3DERR_INVALIDCALL;
    if (renames && (flags & D3DLOCK_DISCARD))
        map |= CMD_MAP_DISCARD;
    if (renames && (flags & D3DLOCK_NOOVERWRITE))
        map |= CMD_MAP_NO_WAIT;
    if (!buffer->read_at_call && (flags & D3DLOCK_DONOTWAIT))
        map |= CMD_MAP_TRY;
    if (!buffer->locks) {
        uint64_t waits = cmd_waits(d->stream).n;

        st = cmd_map_buffer(d->stream, buffer->handle, map, &buffer->mapped);
        if (st != ST_OK)
            return api_hresult(st);
        api_note_slow_buffer(buffer, waits);
        buffer->scanned = 0;
        buffer->written_from = buffer->size;
        buffer->written_to = 0;
    }
    note_range(buffer, offset, size ? size : buffer->size - offset);
    buffer->locks++;
    *out = buffer->mapped + offset;
    return D3D_OK;
}

/* Ignores D3DLOCK_READONLY: known applications write to the memory all the same. */
HRESULT api_unlock_buffer(struct buffer *buffer)
{
    ENTER_OBJECT(d, buffer);

    if (!buffer->locks)
        return D3DERR_INVALIDCALL;
    if (!--buffer->locks)
        unmap(buffer);
    return D3D_OK;
}

void api_lock_drop_buffer(struct buffer *buffer)
{
    if (buffer->locks)
        unmap(buffer);
}
