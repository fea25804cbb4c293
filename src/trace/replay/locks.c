/* Replay handlers of locks: buffers, surfaces and volumes, and the copies into them.
 *
 * Tested by tests/unit/trace/replay/test_replay.c and tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/args.h"
#include "trace/replay/handlers.h"

#include "record/record.h"
#include "tex/format.h"

HRESULT replay_memcpy(struct replay_call *q)
{
    uint32_t size;
    const uint8_t *bytes = arg_blob(q, 1, &size);

    if (bytes)
        memory_upload(q->replay, q->call, trace_number(arg(q, 0)), bytes, size);
    return S_OK;
}

/* Only our library takes the contents. Others keep them as private data. */
HRESULT replay_write_surface(struct replay_call *q)
{
    static const GUID contents = RECORD_CONTENTS_GUID;
    IDirect3DSurface9 *surface;
    const uint8_t *bytes;
    uint32_t size;

    if (!arg_object(q, 0, KIND(SURFACE), &surface))
        return REPLAY_SKIPPED;
    bytes = arg_blob(q, 1, &size);
    if (!surface || !bytes)
        return replay_call_skip(q, "it has no surface or no bytes");
    return IDirect3DSurface9_SetPrivateData(surface, &contents, bytes, size, 0);
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
        .plane[0].rows = 1,
        .planes = 1,
        .slices = 1,
    };

    if (offset > length || !g.traced)
        return S_OK;
    if (!size || size > length - offset)
        size = length - offset;
    g.plane[0].row_bytes = g.traced_size = size;
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

/* Drops READONLY, because games write through such locks and the tracer records it, and DONOTWAIT,
 * because its result depends on timing. */
static DWORD buffer_flags(const struct replay_call *q)
{
    return arg_u32(q, 4) & ~(DWORD)(D3DLOCK_READONLY | D3DLOCK_DONOTWAIT);
}

static HRESULT buffer_size(const struct object *o, UINT *size)
{
    D3DVERTEXBUFFER_DESC vertices;
    D3DINDEXBUFFER_DESC indices;
    HRESULT hr;

    if (o->kind == OBJ_VERTEX_BUFFER) {
        hr = IDirect3DVertexBuffer9_GetDesc((IDirect3DVertexBuffer9 *)o->iface, &vertices);
        *size = SUCCEEDED(hr) ? vertices.Size : 0;
    } else {
        hr = IDirect3DIndexBuffer9_GetDesc((IDirect3DIndexBuffer9 *)o->iface, &indices);
        *size = SUCCEEDED(hr) ? indices.Size : 0;
    }
    return hr;
}

HRESULT replay_lock_buffer(struct replay_call *q)
{
    uint32_t offset = arg_u32(q, 1), size = arg_u32(q, 2);
    void *memory = NULL;
    UINT length;
    HRESULT hr = q->self->kind == OBJ_VERTEX_BUFFER
                     ? IDirect3DVertexBuffer9_Lock((IDirect3DVertexBuffer9 *)q->self->iface, offset,
                                                   size, &memory, buffer_flags(q))
                     : IDirect3DIndexBuffer9_Lock((IDirect3DIndexBuffer9 *)q->self->iface, offset,
                                                  size, &memory, buffer_flags(q));

    if (FAILED(hr) || FAILED(buffer_size(q->self, &length)))
        return hr;
    return note_buffer(q, memory, length);
}

HRESULT replay_unlock_buffer(struct replay_call *q)
{
    memory_remove_regions(q->replay, q->self, 0);
    return q->self->kind == OBJ_VERTEX_BUFFER
               ? IDirect3DVertexBuffer9_Unlock((IDirect3DVertexBuffer9 *)q->self->iface)
               : IDirect3DIndexBuffer9_Unlock((IDirect3DIndexBuffer9 *)q->self->iface);
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

/* Adds a plane of chroma behind those that the region has: rows of half the width. */
static void add_chroma(struct region *g, const struct extent *e, unsigned samples)
{
    const struct region_rows *last = &g->plane[g->planes - 1];
    unsigned divisor = samples == 2 || g->planes == 2 ? 1 : 2;
    struct region_rows p = {.traced = last->traced + last->rows * last->traced_pitch,
                            .real = last->real + last->rows * last->real_pitch,
                            .traced_pitch = last->traced_pitch / divisor,
                            .real_pitch = last->real_pitch / divisor,
                            .row_bytes = ((uint64_t)e->width + 1) / 2 * samples,
                            .rows = ((uint64_t)e->height + 1) / 2};

    g->plane[g->planes++] = p;
    g->traced_size = p.traced + (p.rows - 1) * p.traced_pitch + p.row_bytes;
}

/* A lock of a part of a planar image covers luma alone. */
static void add_planes(struct region *g, const struct extent *e)
{
    if (e->format == (uint32_t)MAKEFOURCC('N', 'V', '1', '2')) {
        add_chroma(g, e, 2);
    } else {
        add_chroma(g, e, 1);
        add_chroma(g, e, 1);
    }
}

/* Computes row count and row bytes. Blocks are packed if the pitch is smaller than a row, as for
 * ATI1 and ATI2, whose pitch counts one byte per texel. The same holds if the capture marks the
 * lock as packed. */
static void lay_out(struct region *g, const struct extent *e, bool whole, bool packed)
{
    const struct tex_format *f = tex_format_get(e->format);
    struct region_rows *p = &g->plane[0];

    g->planes = 1;
    g->slices = e->depth;
    if (f && f->block_w && f->block_h && f->layout != TEX_LAYOUT_RAW) {
        p->row_bytes = ((uint64_t)e->width + f->block_w - 1) / f->block_w * f->bytes;
        p->rows = ((uint64_t)e->height + f->block_h - 1) / f->block_h;
    } else { /* an unknown format: the bytes that both pitches cover */
        p->row_bytes = p->traced_pitch < p->real_pitch ? p->traced_pitch : p->real_pitch;
        p->rows = e->height;
    }
    if (packed)
        p->traced_pitch = g->traced_slice = 0;
    p->traced_pitch = at_least(p->traced_pitch, p->row_bytes);
    p->real_pitch = at_least(p->real_pitch, p->row_bytes);
    g->traced_slice = at_least(g->traced_slice, p->traced_pitch * p->rows);
    g->real_slice = at_least(g->real_slice, p->real_pitch * p->rows);
    g->traced_size = p->rows && g->slices ? (g->slices - 1) * g->traced_slice +
                                                (p->rows - 1) * p->traced_pitch + p->row_bytes
                                          : 0;
    if (f && f->layout == TEX_LAYOUT_PLANAR && whole && p->rows)
        add_planes(g, e);
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

/* Returns the number of leading arguments that name a part of the object: a level, or a face and a
 * level. */
static unsigned part_args(const struct replay_call *q)
{
    return q->self->kind == OBJ_CUBE                                             ? 2
           : q->self->kind == OBJ_TEXTURE || q->self->kind == OBJ_VOLUME_TEXTURE ? 1
                                                                                 : 0;
}

static uint32_t part_of(const struct replay_call *q)
{
    unsigned n = part_args(q);

    return n == 2 ? arg_u32(q, 1) * 16 + arg_u32(q, 2) : n ? arg_u32(q, 1) : 0;
}

/* READONLY locks of images upload nothing. */
static HRESULT note_image(struct replay_call *q, DWORD flags, const D3DLOCKED_RECT *real,
                          const D3DSURFACE_DESC *desc, const RECT *rect)
{
    const struct trace_value *locked = value_pointee(arg(q, part_args(q) + 1));
    struct extent e = {desc->Width, desc->Height, 1, desc->Format};
    struct region g = {.object = q->self, .part = part_of(q), .real = real->pBits};

    if (flags & D3DLOCK_READONLY || !locked || locked->kind != TRACE_STRUCT || locked->count != 2 ||
        !g.real || real->Pitch <= 0 || !cut(&e, rect))
        return S_OK;
    g.traced = trace_number(&locked->u.items[1]);
    g.plane[0].traced_pitch = (uint32_t)trace_number(&locked->u.items[0]);
    g.plane[0].real_pitch = (uint32_t)real->Pitch;
    lay_out(&g, &e, e.width == desc->Width && e.height == desc->Height,
            q->call->flags & TRACE_PACKED);
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

static DWORD image_flags(const struct replay_call *q, unsigned i)
{
    return arg_u32(q, i) & ~(DWORD)D3DLOCK_DONOTWAIT;
}

static HRESULT lock_rect(const struct replay_call *q, D3DLOCKED_RECT *locked, const RECT *rect,
                         DWORD flags)
{
    void *image = q->self->iface;

    switch (q->self->kind) {
    case OBJ_TEXTURE:
        return IDirect3DTexture9_LockRect((IDirect3DTexture9 *)image, arg_u32(q, 1), locked, rect,
                                          flags);
    case OBJ_CUBE:
        return IDirect3DCubeTexture9_LockRect((IDirect3DCubeTexture9 *)image, arg_u32(q, 1),
                                              arg_u32(q, 2), locked, rect, flags);
    default:
        return IDirect3DSurface9_LockRect((IDirect3DSurface9 *)image, locked, rect, flags);
    }
}

static HRESULT describe_rect(const struct replay_call *q, D3DSURFACE_DESC *desc)
{
    void *image = q->self->iface;

    switch (q->self->kind) {
    case OBJ_TEXTURE:
        return IDirect3DTexture9_GetLevelDesc((IDirect3DTexture9 *)image, arg_u32(q, 1), desc);
    case OBJ_CUBE:
        return IDirect3DCubeTexture9_GetLevelDesc((IDirect3DCubeTexture9 *)image, arg_u32(q, 2),
                                                  desc);
    default:
        return IDirect3DSurface9_GetDesc((IDirect3DSurface9 *)image, desc);
    }
}

HRESULT replay_lock_rect(struct replay_call *q)
{
    unsigned first = part_args(q) + 1;
    DWORD flags = image_flags(q, first + 2);
    bool ok = true;
    RECT rect;
    const RECT *in = arg_words(q, first + 1, &rect, 4, &ok);
    D3DSURFACE_DESC desc;
    D3DLOCKED_RECT locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed rectangle");
    hr = lock_rect(q, &locked, in, flags);
    if (FAILED(hr) || FAILED(describe_rect(q, &desc)))
        return hr;
    return note_image(q, flags, &locked, &desc, in);
}

HRESULT replay_unlock_rect(struct replay_call *q)
{
    void *image = q->self->iface;

    memory_remove_regions(q->replay, q->self, part_of(q));
    switch (q->self->kind) {
    case OBJ_TEXTURE:
        return IDirect3DTexture9_UnlockRect((IDirect3DTexture9 *)image, arg_u32(q, 1));
    case OBJ_CUBE:
        return IDirect3DCubeTexture9_UnlockRect((IDirect3DCubeTexture9 *)image, arg_u32(q, 1),
                                                arg_u32(q, 2));
    default:
        return IDirect3DSurface9_UnlockRect((IDirect3DSurface9 *)image);
    }
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

static HRESULT note_box(struct replay_call *q, DWORD flags, const D3DLOCKED_BOX *real,
                        const D3DVOLUME_DESC *desc, const D3DBOX *box)
{
    const struct trace_value *locked = value_pointee(arg(q, part_args(q) + 1));
    struct extent e = {desc->Width, desc->Height, desc->Depth, desc->Format};
    struct region g = {.object = q->self, .part = part_of(q), .real = real->pBits};

    if (flags & D3DLOCK_READONLY || !locked || locked->kind != TRACE_STRUCT || locked->count != 3 ||
        !g.real || real->RowPitch <= 0 || real->SlicePitch <= 0 || !cut_box(&e, box))
        return S_OK;
    g.plane[0].traced_pitch = (uint32_t)trace_number(&locked->u.items[0]);
    g.traced_slice = (uint32_t)trace_number(&locked->u.items[1]);
    g.traced = trace_number(&locked->u.items[2]);
    g.plane[0].real_pitch = (uint32_t)real->RowPitch;
    g.real_slice = (uint32_t)real->SlicePitch;
    lay_out(&g, &e, true, q->call->flags & TRACE_PACKED);
    return memory_add_region(q->replay, &g) == ST_OK ? S_OK : E_OUTOFMEMORY;
}

HRESULT replay_lock_box(struct replay_call *q)
{
    unsigned first = part_args(q) + 1;
    DWORD flags = image_flags(q, first + 2);
    void *volume = q->self->iface;
    bool ok = true, levels = q->self->kind == OBJ_VOLUME_TEXTURE;
    D3DBOX box;
    const D3DBOX *in = arg_words(q, first + 1, &box, 6, &ok);
    D3DVOLUME_DESC desc;
    D3DLOCKED_BOX locked = {0};
    HRESULT hr;

    if (!ok)
        return replay_call_skip(q, "malformed box");
    hr = levels ? IDirect3DVolumeTexture9_LockBox((IDirect3DVolumeTexture9 *)volume, part_of(q),
                                                  &locked, in, flags)
                : IDirect3DVolume9_LockBox((IDirect3DVolume9 *)volume, &locked, in, flags);
    if (FAILED(hr) || FAILED(levels ? IDirect3DVolumeTexture9_GetLevelDesc(
                                          (IDirect3DVolumeTexture9 *)volume, part_of(q), &desc)
                                    : IDirect3DVolume9_GetDesc((IDirect3DVolume9 *)volume, &desc)))
        return hr;
    return note_box(q, flags, &locked, &desc, in);
}

HRESULT replay_unlock_box(struct replay_call *q)
{
    void *volume = q->self->iface;

    memory_remove_regions(q->replay, q->self, part_of(q));
    return q->self->kind == OBJ_VOLUME_TEXTURE
               ? IDirect3DVolumeTexture9_UnlockBox((IDirect3DVolumeTexture9 *)volume, part_of(q))
               : IDirect3DVolume9_UnlockBox((IDirect3DVolume9 *)volume);
}
