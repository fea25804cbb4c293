/* Replay handlers of locks: buffers, surfaces and volumes, and the copies into them.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

#include "tex/format.h"

HRESULT replay_memcpy(struct replay_call *q)
{
    uint32_t size;
    const uint8_t *bytes = arg_blob(q, 1, &size);

    if (bytes)
        memory_upload(q->replay, q->call, trace_number(arg(q, 0)), bytes, size);
    return S_OK;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

/* Registers the range of a buffer lock: size bytes from offset, or the rest if size is 0. */
static HRESULT note_buffer(struct replay_call *q, void *memory, uint32_t length)
{
    uint32_t offset = arg_u32(q, 1), size = arg_u32(q, 2);
    struct region g = {
        .object = q->self,
        .traced = arg_out_address(q, 3),
        .real = memory,
        .rows = 1,
        .slices = 1,
    };

    if (offset > length || !g.traced)
        return S_OK;
    if (!size || size > length - offset)
        size = length - offset;
    g.row_bytes = g.traced_size = size;
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

/* Drops READONLY, because games write through such locks and the tracer records it, and DONOTWAIT,
 * because its result depends on timing. */
static DWORD buffer_flags(const struct replay_call *q)
{
    return arg_u32(q, 4) & ~(DWORD)(D3DLOCK_READONLY | D3DLOCK_DONOTWAIT);
}

HRESULT replay_vertex_buffer_lock(struct replay_call *q)
{
    IDirect3DVertexBuffer9 *buffer = q->self->iface;
    D3DVERTEXBUFFER_DESC desc;
    void *memory = NULL;
    HRESULT hr =
        IDirect3DVertexBuffer9_Lock(buffer, arg_u32(q, 1), arg_u32(q, 2), &memory, buffer_flags(q));

    if (FAILED(hr) || FAILED(IDirect3DVertexBuffer9_GetDesc(buffer, &desc)))
        return hr;
    return note_buffer(q, memory, desc.Size);
}

HRESULT replay_index_buffer_lock(struct replay_call *q)
{
    IDirect3DIndexBuffer9 *buffer = q->self->iface;
    D3DINDEXBUFFER_DESC desc;
    void *memory = NULL;
    HRESULT hr =
        IDirect3DIndexBuffer9_Lock(buffer, arg_u32(q, 1), arg_u32(q, 2), &memory, buffer_flags(q));

    if (FAILED(hr) || FAILED(IDirect3DIndexBuffer9_GetDesc(buffer, &desc)))
        return hr;
    return note_buffer(q, memory, desc.Size);
}

HRESULT replay_vertex_buffer_unlock(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, 0);
    return IDirect3DVertexBuffer9_Unlock((IDirect3DVertexBuffer9 *)q->self->iface);
}

HRESULT replay_index_buffer_unlock(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, 0);
    return IDirect3DIndexBuffer9_Unlock((IDirect3DIndexBuffer9 *)q->self->iface);
}

/* --- Images ----------------------------------------------------------------------------------- */

struct extent {
    uint32_t width, height, depth;
    uint32_t format;
};

static uint64_t at_least(uint64_t value, uint64_t floor)
{
    return value > floor ? value : floor;
}

/* Computes row count and row bytes. Blocks are packed if the pitch is smaller than a row, as for
 * ATI1 and ATI2, whose pitch counts one byte per texel. The same holds if the capture marks the
 * lock as packed. */
static void lay_out(struct region *g, const struct extent *e, bool packed)
{
    const struct tex_format *f = tex_format_get(e->format);

    g->slices = e->depth;
    if (f && f->block_w && f->block_h && f->layout != TEX_LAYOUT_RAW) {
        g->row_bytes = ((uint64_t)e->width + f->block_w - 1) / f->block_w * f->bytes;
        g->rows = ((uint64_t)e->height + f->block_h - 1) / f->block_h;
    } else { /* planar video (NV12, YV12) or unknown: the bytes that both pitches cover */
        g->row_bytes = g->traced_pitch < g->real_pitch ? g->traced_pitch : g->real_pitch;
        g->rows = e->height;
    }
    if (packed)
        g->traced_pitch = g->traced_slice = 0;
    g->traced_pitch = at_least(g->traced_pitch, g->row_bytes);
    g->real_pitch = at_least(g->real_pitch, g->row_bytes);
    g->traced_slice = at_least(g->traced_slice, g->traced_pitch * g->rows);
    g->real_slice = at_least(g->real_slice, g->real_pitch * g->rows);
    g->traced_size = g->rows && g->slices ? (g->slices - 1) * g->traced_slice +
                                                (g->rows - 1) * g->traced_pitch + g->row_bytes
                                          : 0;
}

/* Shrinks the extent to a rectangle; returns false if the rectangle exceeds it. */
static bool cut(struct extent *e, const RECT *rect)
{
    if (!rect)
        return true;
    if (rect->left < 0 || rect->top < 0 || rect->right <= rect->left || rect->bottom <= rect->top ||
        (uint32_t)rect->right > e->width || (uint32_t)rect->bottom > e->height)
        return false;
    e->width = (uint32_t)(rect->right - rect->left);
    e->height = (uint32_t)(rect->bottom - rect->top);
    return true;
}

/* READONLY locks of images upload nothing. */
static HRESULT note_image(struct replay_call *q, unsigned locked_index, uint32_t part, DWORD flags,
                          const D3DLOCKED_RECT *real, struct extent e, const RECT *rect)
{
    const struct trace_value *locked = value_pointee(arg(q, locked_index));
    struct region g = {.object = q->self, .part = part, .real = real->pBits};

    if (flags & D3DLOCK_READONLY || !locked || locked->kind != TRACE_STRUCT || locked->count != 2 ||
        !g.real || real->Pitch <= 0 || !cut(&e, rect))
        return S_OK;
    g.traced = trace_number(&locked->u.items[1]);
    g.traced_pitch = (uint32_t)trace_number(&locked->u.items[0]);
    g.real_pitch = (uint32_t)real->Pitch;
    e.depth = 1;
    lay_out(&g, &e, q->call->flags & TRACE_PACKED);
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

static struct extent extent_of(const D3DSURFACE_DESC *desc)
{
    return (struct extent){desc->Width, desc->Height, 1, desc->Format};
}

static DWORD image_flags(const struct replay_call *q, unsigned i)
{
    return arg_u32(q, i) & ~(DWORD)D3DLOCK_DONOTWAIT;
}

HRESULT replay_surface_lock_rect(struct replay_call *q)
{
    IDirect3DSurface9 *surface = q->self->iface;
    DWORD flags = image_flags(q, 3);
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 2, &rect, 4, &ok);
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    hr = IDirect3DSurface9_LockRect(surface, &locked, in, flags);
    if (FAILED(hr) || FAILED(IDirect3DSurface9_GetDesc(surface, &desc)))
        return hr;
    return note_image(q, 1, 0, flags, &locked, extent_of(&desc), in);
}

HRESULT replay_surface_unlock_rect(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, 0);
    return IDirect3DSurface9_UnlockRect((IDirect3DSurface9 *)q->self->iface);
}

HRESULT replay_texture_lock_rect(struct replay_call *q)
{
    IDirect3DTexture9 *texture = q->self->iface;
    DWORD flags = image_flags(q, 4);
    uint32_t level = arg_u32(q, 1);
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 3, &rect, 4, &ok);
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    hr = IDirect3DTexture9_LockRect(texture, level, &locked, in, flags);
    if (FAILED(hr) || FAILED(IDirect3DTexture9_GetLevelDesc(texture, level, &desc)))
        return hr;
    return note_image(q, 2, level, flags, &locked, extent_of(&desc), in);
}

HRESULT replay_texture_unlock_rect(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, arg_u32(q, 1));
    return IDirect3DTexture9_UnlockRect((IDirect3DTexture9 *)q->self->iface, arg_u32(q, 1));
}

HRESULT replay_cube_lock_rect(struct replay_call *q)
{
    IDirect3DCubeTexture9 *texture = q->self->iface;
    DWORD flags = image_flags(q, 5);
    uint32_t face = arg_u32(q, 1), level = arg_u32(q, 2);
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, 4, &rect, 4, &ok);
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    hr = IDirect3DCubeTexture9_LockRect(texture, face, level, &locked, in, flags);
    if (FAILED(hr) || FAILED(IDirect3DCubeTexture9_GetLevelDesc(texture, level, &desc)))
        return hr;
    return note_image(q, 3, face * 16 + level, flags, &locked, extent_of(&desc), in);
}

HRESULT replay_cube_unlock_rect(struct replay_call *q)
{
    uint32_t face = arg_u32(q, 1), level = arg_u32(q, 2);

    memory_remove_regions(q->replay, q->self, face * 16 + level);
    return IDirect3DCubeTexture9_UnlockRect((IDirect3DCubeTexture9 *)q->self->iface, face, level);
}

/* --- Volumes ---------------------------------------------------------------------------------- */

static bool cut_box(struct extent *e, const D3DBOX *box)
{
    if (!box)
        return true;
    if (box->Right <= box->Left || box->Bottom <= box->Top || box->Back <= box->Front ||
        box->Right > e->width || box->Bottom > e->height || box->Back > e->depth)
        return false;
    *e = (struct extent){box->Right - box->Left, box->Bottom - box->Top, box->Back - box->Front,
                         e->format};
    return true;
}

static HRESULT note_box(struct replay_call *q, unsigned locked_index, uint32_t part, DWORD flags,
                        const D3DLOCKED_BOX *real, const D3DVOLUME_DESC *desc, const D3DBOX *box)
{
    const struct trace_value *locked = value_pointee(arg(q, locked_index));
    struct extent e = {desc->Width, desc->Height, desc->Depth, desc->Format};
    struct region g = {.object = q->self, .part = part, .real = real->pBits};

    if (flags & D3DLOCK_READONLY || !locked || locked->kind != TRACE_STRUCT || locked->count != 3 ||
        !g.real || real->RowPitch <= 0 || real->SlicePitch <= 0 || !cut_box(&e, box))
        return S_OK;
    g.traced_pitch = (uint32_t)trace_number(&locked->u.items[0]);
    g.traced_slice = (uint32_t)trace_number(&locked->u.items[1]);
    g.traced = trace_number(&locked->u.items[2]);
    g.real_pitch = (uint32_t)real->RowPitch;
    g.real_slice = (uint32_t)real->SlicePitch;
    lay_out(&g, &e, q->call->flags & TRACE_PACKED);
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

HRESULT replay_volume_texture_lock_box(struct replay_call *q)
{
    IDirect3DVolumeTexture9 *texture = q->self->iface;
    DWORD flags = image_flags(q, 4);
    uint32_t level = arg_u32(q, 1);
    bool ok = true;
    D3DBOX box;
    const D3DBOX *in = arg_words(q, 3, &box, 6, &ok);
    D3DVOLUME_DESC desc;
    D3DLOCKED_BOX locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed box");
    hr = IDirect3DVolumeTexture9_LockBox(texture, level, &locked, in, flags);
    if (FAILED(hr) || FAILED(IDirect3DVolumeTexture9_GetLevelDesc(texture, level, &desc)))
        return hr;
    return note_box(q, 2, level, flags, &locked, &desc, in);
}

HRESULT replay_volume_texture_unlock_box(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, arg_u32(q, 1));
    return IDirect3DVolumeTexture9_UnlockBox((IDirect3DVolumeTexture9 *)q->self->iface,
                                             arg_u32(q, 1));
}

HRESULT replay_volume_lock_box(struct replay_call *q)
{
    IDirect3DVolume9 *volume = q->self->iface;
    DWORD flags = image_flags(q, 3);
    bool ok = true;
    D3DBOX box;
    const D3DBOX *in = arg_words(q, 2, &box, 6, &ok);
    D3DVOLUME_DESC desc;
    D3DLOCKED_BOX locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed box");
    hr = IDirect3DVolume9_LockBox(volume, &locked, in, flags);
    if (FAILED(hr) || FAILED(IDirect3DVolume9_GetDesc(volume, &desc)))
        return hr;
    return note_box(q, 1, 0, flags, &locked, &desc, in);
}

HRESULT replay_volume_unlock_box(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, 0);
    return IDirect3DVolume9_UnlockBox((IDirect3DVolume9 *)q->self->iface);
}
