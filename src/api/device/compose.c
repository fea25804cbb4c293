/* ComposeRects: validation (reference: copy/composerects-rules).
 *
 * Tested by tests/unit/api/device/test_compose.c. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/memory.h"
#include "cmd/cmd.h"

/* Both are levels of one-bit textures of this device. */
static bool surfaces_ok(const struct device *d, const struct surface *src,
                        const struct surface *dst)
{
    return src && dst && src != dst && !api_is_foreign(d, src) && !api_is_foreign(d, dst) &&
           src->format->d3d == D3DFMT_A1 && dst->format->d3d == D3DFMT_A1 &&
           (src->usage & D3DUSAGE_TEXTAPI) && dst->texture && src->pool == D3DPOOL_DEFAULT &&
           (dst->pool == D3DPOOL_DEFAULT || dst->pool == D3DPOOL_SYSTEMMEM) && !src->locked &&
           !dst->locked;
}

static bool buffer_ok(const struct device *d, const struct buffer *buffer)
{
    return buffer && !api_is_foreign(d, buffer) && buffer->pool == D3DPOOL_DEFAULT &&
           (buffer->usage & D3DUSAGE_TEXTAPI) && !buffer->locks;
}

HRESULT WINAPI device_ComposeRects(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
                                   IDirect3DSurface9 *dst_iface, IDirect3DVertexBuffer9 *src_rects,
                                   UINT count, IDirect3DVertexBuffer9 *dst_rects,
                                   D3DCOMPOSERECTSOP operation, INT x, INT y)
{
    ENTER(d, iface);
    struct surface *src = surface_of(src_iface), *dst = surface_of(dst_iface);
    const struct buffer *glyphs = buffer_of(src_rects), *places = buffer_of(dst_rects);
    struct cmd_compose_rects packet = {
        .count = count, .operation = (uint32_t)operation, .x = x, .y = y};
    struct tex_box all;
    HRESULT hr;

    if (!surfaces_ok(d, src, dst) || !buffer_ok(d, glyphs) || !buffer_ok(d, places) ||
        count > UINT16_MAX || operation < D3DCOMPOSERECTS_COPY || operation > D3DCOMPOSERECTS_NEG)
        return D3DERR_INVALIDCALL;
    if (!count)
        return D3D_OK;
    packet.src = surface_ref(src);
    packet.dst = surface_ref(dst);
    packet.src_rects = glyphs->handle;
    packet.dst_rects = places->handle;
    hr = api_before_read(dst);
    if (FAILED(hr))
        return hr;
    api_surface_box(dst, NULL, &all);
    api_mark_dirty(dst->texture, dst->face, dst->level, &all);
    api_mark_written(dst);
    hr = api_hresult(cmd_emit_compose_rects(d->stream, &packet, NULL, 0));
    return SUCCEEDED(hr) ? api_store_user(dst) : hr;
}
