/* IDirect3DVertexBuffer9 and IDirect3DIndexBuffer9: methods and creation.
 * Tested by tests/unit/api/memory/test_lock_buffer.c. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/memory/memory.h"
#include "api/object/resource_methods.h"
#include "cmd/cmd.h"
#include "ff/ff.h"
#include "util/alloc.h"

#define BUFFER_METHODS(I, prefix, resource_type)                                                   \
    RESOURCE_METHODS(I, prefix, resource_type)                                                     \
    static HRESULT WINAPI prefix##_Lock(I *iface, UINT offset, UINT size, void **out, DWORD flags) \
    {                                                                                              \
        return api_lock_buffer(buffer_of(iface), offset, size, out, flags);                        \
    }                                                                                              \
    static HRESULT WINAPI prefix##_Unlock(I *iface)                                                \
    {                                                                                              \
        return api_unlock_buffer(buffer_of(iface));                                                \
    }
/* clang-format off */
#define BUFFER_VTBL(prefix)                                                                        \
    RESOURCE_VTBL(prefix), .Lock = prefix##_Lock, .Unlock = prefix##_Unlock,                       \
        .GetDesc = prefix##_GetDesc
/* clang-format on */

BUFFER_METHODS(IDirect3DVertexBuffer9, vertices, D3DRTYPE_VERTEXBUFFER)
BUFFER_METHODS(IDirect3DIndexBuffer9, indices, D3DRTYPE_INDEXBUFFER)

static HRESULT WINAPI vertices_GetDesc(IDirect3DVertexBuffer9 *iface, D3DVERTEXBUFFER_DESC *desc)
{
    const struct buffer *buffer = buffer_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DVERTEXBUFFER_DESC){D3DFMT_VERTEXDATA, D3DRTYPE_VERTEXBUFFER, buffer->usage,
                                   buffer->pool,      buffer->size,          buffer->fvf};
    return D3D_OK;
}

static HRESULT WINAPI indices_GetDesc(IDirect3DIndexBuffer9 *iface, D3DINDEXBUFFER_DESC *desc)
{
    const struct buffer *buffer = buffer_of(iface);

    if (!desc)
        return D3DERR_INVALIDCALL;
    *desc = (D3DINDEXBUFFER_DESC){buffer->format, D3DRTYPE_INDEXBUFFER, buffer->usage, buffer->pool,
                                  buffer->size};
    return D3D_OK;
}

static const IDirect3DVertexBuffer9Vtbl vertices_vtbl = {BUFFER_VTBL(vertices)};
static const IDirect3DIndexBuffer9Vtbl indices_vtbl = {BUFFER_VTBL(indices)};

static void buffer_destroy(struct object *obj)
{
    struct buffer *buffer = (struct buffer *)obj;

    api_lock_drop_buffer(buffer);
    cmd_destroy(obj->device->stream, buffer->handle);
    if (buffer->pool != D3DPOOL_SYSTEMMEM)
        obj->device->video_bytes -= buffer->size;
    api_object_fini(obj);
    mem_free(buffer);
}

static const IID *const vertices_iids[] = {&IID_IUnknown, &IID_IDirect3DResource9,
                                           &IID_IDirect3DVertexBuffer9, NULL};
static const IID *const indices_iids[] = {&IID_IUnknown, &IID_IDirect3DResource9,
                                          &IID_IDirect3DIndexBuffer9, NULL};
static const struct object_class vertices_class = {&vertices_vtbl, RECORD_VERTICES, vertices_iids,
                                                   buffer_destroy};
static const struct object_class indices_class = {&indices_vtbl, RECORD_INDICES, indices_iids,
                                                  buffer_destroy};

static HRESULT check_args(const struct device *d, D3DRESOURCETYPE type, UINT size, DWORD usage,
                          D3DPOOL pool, DWORD fvf, const HANDLE *shared)
{
    const DWORD refused = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_AUTOGENMIPMAP;

    if (shared)
        return d->ex ? D3DERR_NOTAVAILABLE : E_NOTIMPL;
    if ((usage & D3DUSAGE_TEXTAPI) && (!d->ex || type != D3DRTYPE_VERTEXBUFFER))
        return D3DERR_INVALIDCALL;
    if (!size || (usage & refused) || !pool_exists(pool, d->ex) || pool == D3DPOOL_SCRATCH)
        return D3DERR_INVALIDCALL;
    if (size < ff_fvf_stride(fvf)) /* smaller than one vertex (reference: vertices/fvf-buffer) */
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* Whether draws read the buffer when they are called (reference: locks/read-time): the runtime or
 * software vertex processing reads all buffers but those that hardware reads itself. */
static bool read_at_call(const struct device *d, DWORD usage, D3DPOOL pool)
{
    DWORD flags = d->creation.BehaviorFlags;

    if (usage & D3DUSAGE_TEXTAPI) /* no draw reads it */
        return false;
    return pool != D3DPOOL_DEFAULT || (flags & D3DCREATE_SOFTWARE_VERTEXPROCESSING) ||
           ((flags & D3DCREATE_MIXED_VERTEXPROCESSING) && (usage & D3DUSAGE_SOFTWAREPROCESSING));
}

static HRESULT create_buffer(struct buffer **out, struct device *device, D3DRESOURCETYPE type,
                             UINT size, DWORD usage, D3DPOOL pool, DWORD fvf_or_format,
                             HANDLE *shared)
{
    bool vertices = type == D3DRTYPE_VERTEXBUFFER;
    struct buffer *buffer;
    enum status st;
    HRESULT hr;

    *out = NULL;
    hr = check_args(device, type, size, usage, pool, vertices ? fvf_or_format : 0, shared);
    if (FAILED(hr))
        return hr;
    buffer = mem_calloc(1, sizeof(*buffer));
    if (!buffer)
        return E_OUTOFMEMORY;
    buffer->read_at_call = read_at_call(device, usage, pool);
    st = cmd_create_buffer(device->stream, size,
                           buffer->read_at_call ? CMD_BUFFER_SNAPSHOT : CMD_BUFFER_SHARED,
                           &buffer->handle);
    if (st != ST_OK) {
        mem_free(buffer);
        return api_hresult(st);
    }
    buffer->type = type;
    buffer->size = size;
    buffer->usage = usage;
    buffer->pool = pool;
    if (vertices)
        buffer->fvf = fvf_or_format;
    else
        buffer->format = (D3DFORMAT)fvf_or_format;
    if (pool != D3DPOOL_SYSTEMMEM)
        device->video_bytes += size;
    buffer->base.blocks_reset = pool == D3DPOOL_DEFAULT;
    api_object_init(&buffer->base, vertices ? &vertices_class : &indices_class, device, 1);
    *out = buffer;
    return D3D_OK;
}

static HRESULT refused(HRESULT hr, const char *call, D3DFORMAT format, UINT size, DWORD usage,
                       D3DPOOL pool)
{
    return api_refused(hr, call, format, "%u bytes, usage 0x%lx, pool %u", size,
                       (unsigned long)usage, (unsigned)pool);
}

HRESULT WINAPI device_CreateVertexBuffer(IDirect3DDevice9Ex *iface, UINT size, DWORD usage,
                                         DWORD fvf, D3DPOOL pool, IDirect3DVertexBuffer9 **out,
                                         HANDLE *shared)
{
    ENTER(d, iface);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (out)
        hr = create_buffer((struct buffer **)out, d, D3DRTYPE_VERTEXBUFFER, size, usage, pool, fvf,
                           shared);
    return SUCCEEDED(hr) ? hr
                         : refused(hr, "CreateVertexBuffer", D3DFMT_UNKNOWN, size, usage, pool);
}

HRESULT WINAPI device_CreateIndexBuffer(IDirect3DDevice9Ex *iface, UINT size, DWORD usage,
                                        D3DFORMAT format, D3DPOOL pool, IDirect3DIndexBuffer9 **out,
                                        HANDLE *shared)
{
    ENTER(d, iface);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (out)
        *out = NULL;
    if (out && (format == D3DFMT_INDEX16 || format == D3DFMT_INDEX32))
        hr = create_buffer((struct buffer **)out, d, D3DRTYPE_INDEXBUFFER, size, usage, pool,
                           format, shared);
    return SUCCEEDED(hr) ? hr : refused(hr, "CreateIndexBuffer", format, size, usage, pool);
}
