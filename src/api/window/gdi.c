/* GetDC: creates a GDI device context that draws into the memory of a locked surface
 * (reference: locks/dc).
 * Tested by tests/windows/test_dc.c. */
#ifdef _WIN32
#include "api/window/window.h"

#include "api/com/device.h"
#include "api/memory/memory.h"
#include "util/alloc.h"

#include <string.h>

/* --- Contexts on the surface's memory --------------------------------------------------------- */

/* Arguments of D3DKMTCreateDCFromMemory and D3DKMTDestroyDCFromMemory of gdi32, which few headers
 * declare. */
struct memory_dc {
    void *memory;
    UINT format, width, height, pitch;
    HDC like;
    PALETTEENTRY *colours;
    HDC dc;
    HANDLE bitmap;
};
struct dead_memory_dc {
    HDC dc;
    HANDLE bitmap;
};
typedef LONG WINAPI create_memory_dc_fn(struct memory_dc *);
typedef LONG WINAPI destroy_memory_dc_fn(const struct dead_memory_dc *);

static FARPROC gdi_function(const char *name)
{
    HMODULE gdi = GetModuleHandleA("gdi32.dll");

    return gdi ? GetProcAddress(gdi, name) : NULL;
}

struct surface_dc {
    HDC dc;
    HBITMAP bitmap;
    HGDIOBJ old;           /* bitmap that the DIB section replaced in the context */
    uint8_t *bits;         /* of a DIB section; NULL: the context draws into the surface's memory */
    uint32_t pitch;        /* of a DIB section */
    D3DLOCKED_RECT locked; /* the surface's memory */
};

static bool open_view(struct surface_dc *dc, const struct surface *surface)
{
    create_memory_dc_fn *create =
        (create_memory_dc_fn *)(void *)gdi_function("D3DKMTCreateDCFromMemory");
    struct memory_dc view = {
        .memory = dc->locked.pBits,
        .format = surface->format->d3d, /* D3DDDIFORMAT has the same values */
        .width = surface->width,
        .height = surface->height,
        .pitch = (UINT)dc->locked.Pitch,
    };

    if (!create)
        return false;
    view.like = CreateCompatibleDC(NULL);
    if (view.like && create(&view) >= 0) {
        dc->dc = view.dc;
        dc->bitmap = view.bitmap;
    }
    DeleteDC(view.like);
    return dc->dc != NULL;
}

static void close_view(const struct surface_dc *dc)
{
    destroy_memory_dc_fn *destroy =
        (destroy_memory_dc_fn *)(void *)gdi_function("D3DKMTDestroyDCFromMemory");
    struct dead_memory_dc view = {dc->dc, dc->bitmap};

    if (destroy)
        destroy(&view);
}

/* --- DIB sections with copies in both directions ---------------------------------------------- */

/* Fallback for user memory whose row pitch is no multiple of four bytes, and for a gdi32 without
 * the functions above. */

struct dib {
    BITMAPINFOHEADER header;
    DWORD masks[3];
};

/* False: no DIB has the bits of the format (reference: surfaces/dc-formats). */
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

static void copy_section(const struct surface *surface, const struct surface_dc *dc,
                         bool to_surface)
{
    size_t row = (size_t)surface->width * surface->format->bytes;
    uint8_t *memory = dc->locked.pBits, *bits = dc->bits;

    for (uint32_t y = 0; y < surface->height; y++) {
        if (to_surface)
            memcpy(memory, bits, row);
        else
            memcpy(bits, memory, row);
        memory += dc->locked.Pitch;
        bits += dc->pitch;
    }
}

static void close_section(const struct surface_dc *dc)
{
    if (dc->dc && dc->old)
        SelectObject(dc->dc, dc->old);
    if (dc->bitmap)
        DeleteObject(dc->bitmap);
    if (dc->dc)
        DeleteDC(dc->dc);
}

static bool open_section(struct surface_dc *dc, const struct surface *surface,
                         const struct dib *dib)
{
    dc->pitch = (surface->width * surface->format->bytes + 3) & ~3u;
    dc->dc = CreateCompatibleDC(NULL);
    if (dc->dc)
        dc->bitmap = CreateDIBSection(dc->dc, (const BITMAPINFO *)dib, DIB_RGB_COLORS,
                                      (void **)&dc->bits, NULL, 0);
    if (dc->bitmap)
        dc->old = SelectObject(dc->dc, dc->bitmap);
    if (!dc->old) {
        close_section(dc);
        return false;
    }
    copy_section(surface, dc, false);
    return true;
}

/* --- GetDC and ReleaseDC ---------------------------------------------------------------------- */

HRESULT api_gdi_get_dc(struct surface *surface, HDC *out)
{
    struct surface_dc *dc;
    struct dib dib;
    HRESULT hr;

    if (!describe(surface, &dib))
        return D3DERR_INVALIDCALL;
    dc = mem_calloc(1, sizeof(*dc));
    if (!dc)
        return E_OUTOFMEMORY;
    hr = api_lock_dc(surface, &dc->locked);
    if (FAILED(hr)) {
        mem_free(dc);
        return hr;
    }
    if (!open_view(dc, surface) && !open_section(dc, surface, &dib)) {
        api_unlock_dc(surface);
        mem_free(dc);
        return E_OUTOFMEMORY;
    }
    surface->dc = dc;
    *out = dc->dc;
    return D3D_OK;
}

static void close_dc(struct surface *surface)
{
    struct surface_dc *dc = surface->dc;

    GdiFlush();
    if (dc->bits) {
        copy_section(surface, dc, true);
        close_section(dc);
    } else {
        close_view(dc);
    }
    mem_free(dc);
    surface->dc = NULL;
}

HRESULT api_gdi_release_dc(struct surface *surface, HDC handle)
{
    if (surface->dc->dc != handle)
        return D3DERR_INVALIDCALL;
    close_dc(surface);
    return api_unlock_dc(surface);
}

void api_gdi_drop_dc(struct surface *surface)
{
    if (surface->dc) {
        close_dc(surface);
        api_unlock_dc(surface);
    }
}
#else
typedef int gdi_is_for_windows; /* ISO C forbids an empty file */
#endif
