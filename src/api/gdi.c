/* GetDC: a DIB section that stands for the surface until ReleaseDC. */
#ifdef _WIN32
#include "api/gdi.h"

#include "api/device.h"
#include "api/resource.h"
#include "util/alloc.h"

#include <string.h>

struct surface_dc {
    HDC dc;
    HBITMAP bitmap;
    HGDIOBJ old;
    uint8_t *bits;
    uint32_t pitch;
};

struct dib {
    BITMAPINFOHEADER header;
    DWORD masks[3];
};

/* False for formats without a DIB of the same bits (reference: surfaces/dc-formats). */
static bool describe(const struct surface *surface, struct dib *dib)
{
    static const DWORD rgb565[] = {0xf800, 0x07e0, 0x001f}, rgb555[] = {0x7c00, 0x03e0, 0x001f};

    memset(dib, 0, sizeof(*dib));
    dib->header.biSize = sizeof(dib->header);
    dib->header.biWidth = (LONG)surface->width;
    dib->header.biHeight = -(LONG)surface->height;
    dib->header.biPlanes = 1;
    dib->header.biBitCount = (WORD)(surface->format->bytes * 8);
    dib->header.biCompression = BI_RGB;
    switch (surface->format->d3d) {
    case D3DFMT_A8R8G8B8:
    case D3DFMT_X8R8G8B8:
    case D3DFMT_R8G8B8:
        return true;
    case D3DFMT_R5G6B5:
        dib->header.biCompression = BI_BITFIELDS;
        memcpy(dib->masks, rgb565, sizeof(rgb565));
        return true;
    case D3DFMT_X1R5G5B5:
    case D3DFMT_A1R5G5B5:
        dib->header.biCompression = BI_BITFIELDS;
        memcpy(dib->masks, rgb555, sizeof(rgb555));
        return true;
    default:
        return false;
    }
}

static void free_dc(struct surface_dc *dc)
{
    if (dc->dc && dc->old)
        SelectObject(dc->dc, dc->old);
    if (dc->bitmap)
        DeleteObject(dc->bitmap);
    if (dc->dc)
        DeleteDC(dc->dc);
    mem_free(dc);
}

static struct surface_dc *make_dc(const struct surface *surface, const struct dib *dib)
{
    struct surface_dc *dc = mem_calloc(1, sizeof(*dc));

    if (!dc)
        return NULL;
    dc->pitch = (surface->width * surface->format->bytes + 3) & ~3u;
    dc->dc = CreateCompatibleDC(NULL);
    if (dc->dc)
        dc->bitmap = CreateDIBSection(dc->dc, (const BITMAPINFO *)dib, DIB_RGB_COLORS,
                                      (void **)&dc->bits, NULL, 0);
    if (dc->bitmap)
        dc->old = SelectObject(dc->dc, dc->bitmap);
    if (!dc->old) {
        free_dc(dc);
        return NULL;
    }
    return dc;
}

static HRESULT copy(struct surface *surface, const struct surface_dc *dc, bool to_surface)
{
    size_t row = (size_t)surface->width * surface->format->bytes;
    D3DLOCKED_RECT locked;
    HRESULT hr = api_surface_lock(surface, &locked, NULL, to_surface ? 0 : D3DLOCK_READONLY);

    if (FAILED(hr))
        return hr;
    for (uint32_t y = 0; y < surface->height; y++) {
        uint8_t *bits = (uint8_t *)locked.pBits + (ptrdiff_t)y * locked.Pitch;

        if (to_surface)
            memcpy(bits, dc->bits + (size_t)y * dc->pitch, row);
        else
            memcpy(dc->bits + (size_t)y * dc->pitch, bits, row);
    }
    return api_surface_unlock(surface, false);
}

HRESULT api_gdi_get_dc(struct surface *surface, HDC *out)
{
    struct surface_dc *dc;
    struct dib dib;
    HRESULT hr;

    if (!describe(surface, &dib))
        return D3DERR_INVALIDCALL;
    dc = make_dc(surface, &dib);
    if (!dc)
        return E_OUTOFMEMORY;
    hr = copy(surface, dc, false);
    if (FAILED(hr)) {
        free_dc(dc);
        return hr;
    }
    surface->dc = dc;
    surface->group->dc_out = true;
    *out = dc->dc;
    return D3D_OK;
}

HRESULT api_gdi_release_dc(struct surface *surface, HDC handle)
{
    struct surface_dc *dc = surface->dc;
    HRESULT hr;

    if (dc->dc != handle)
        return D3DERR_INVALIDCALL;
    GdiFlush();
    surface->dc = NULL;
    surface->group->dc_out = false;
    hr = copy(surface, dc, true);
    free_dc(dc);
    return hr;
}

void api_gdi_drop_dc(struct surface *surface)
{
    if (surface->dc)
        free_dc(surface->dc);
    surface->dc = NULL;
}
#else
typedef int gdi_is_for_windows; /* ISO C wants a declaration */
#endif
