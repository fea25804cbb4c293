/* Hardware cursor: the device methods that set, move and show a system cursor made from a
 * surface.
 * Tested by tests/windows/test_cursor.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/memory.h"
#include "api/window/window.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

#ifdef _WIN32

#include "api/window/mouse.h"

/* Creates a 32-bit top-down bitmap; *bits: its pixels. */
static HBITMAP make_bitmap(uint32_t width, uint32_t height, void **bits)
{
    BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(info.bmiHeader),
                                     .biWidth = (LONG)width,
                                     .biHeight = -(LONG)height,
                                     .biPlanes = 1,
                                     .biBitCount = 32,
                                     .biCompression = BI_RGB}};

    return CreateDIBSection(NULL, &info, DIB_RGB_COLORS, bits, NULL, 0);
}

/* An AND mask of ones. Windows uses the mask only where the colour bitmap has no alpha. */
static HBITMAP make_mask(uint32_t width, uint32_t height)
{
    size_t bytes = (size_t)((width + 15) / 16 * 2) * height;
    uint8_t *ones = mem_alloc(bytes);
    HBITMAP mask;

    if (!ones)
        return NULL;
    memset(ones, 0xff, bytes);
    mask = CreateBitmap((int)width, (int)height, 1, 1, ones);
    mem_free(ones);
    return mask;
}

static HCURSOR make_cursor(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                           const uint8_t *pixels, uint32_t pitch)
{
    ICONINFO info = {.fIcon = FALSE, .xHotspot = x, .yHotspot = y};
    HCURSOR cursor = NULL;
    void *bits;

    info.hbmMask = make_mask(width, height);
    info.hbmColor = make_bitmap(width, height, &bits);
    if (info.hbmMask && info.hbmColor) {
        for (uint32_t row = 0; row < height; row++)
            memcpy((uint8_t *)bits + (size_t)row * width * 4, pixels + (size_t)row * pitch,
                   (size_t)width * 4);
        cursor = CreateIconIndirect(&info);
    }
    if (info.hbmMask)
        DeleteObject(info.hbmMask);
    if (info.hbmColor)
        DeleteObject(info.hbmColor);
    return cursor;
}

/* Pixels are A8R8G8B8 with rows `pitch` bytes apart. A visible cursor changes at once. */
static void set(struct cursor *cursor, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                const uint8_t *pixels, uint32_t pitch)
{
    HCURSOR old = cursor->handle;

    cursor->given = true;
    cursor->handle = make_cursor(x, y, width, height, pixels, pitch);
    if (!cursor->handle)
        log_warn("api", "the system refused a cursor of %ux%u", (unsigned)width, (unsigned)height);
    if (cursor->visible)
        SetCursor(cursor->handle);
    if (old)
        DestroyCursor(old);
}

void api_cursor_drop(struct cursor *cursor)
{
    if (cursor->handle && GetCursor() == cursor->handle)
        SetCursor(NULL);
    if (cursor->handle)
        DestroyCursor(cursor->handle);
    *cursor = (struct cursor){.given = false};
}

static void show(const struct cursor *cursor)
{
    SetCursor(cursor->visible ? cursor->handle : NULL);
}

#else

static void set(struct cursor *cursor, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                const uint8_t *pixels, uint32_t pitch)
{
    (void)x, (void)y, (void)width, (void)height, (void)pixels, (void)pitch;
    cursor->given = true;
}

void api_cursor_drop(struct cursor *cursor)
{
    *cursor = (struct cursor){.given = false};
}

static void show(const struct cursor *cursor)
{
    (void)cursor;
}

static void mouse_move(int x, int y)
{
    (void)x, (void)y;
}

#endif

/* --- Device methods --------------------------------------------------------------------------- */

static bool power_of_two(uint32_t v)
{
    return v && !(v & (v - 1));
}

static bool surface_ok(const struct device *d, const struct surface *surface)
{
    D3DDISPLAYMODE mode;

    if (!surface || surface->locked || surface->format->d3d != D3DFMT_A8R8G8B8 ||
        !power_of_two(surface->width) || !power_of_two(surface->height))
        return false;
    api_adapter_mode(d->creation.AdapterOrdinal, &mode);
    return surface->width <= mode.Width && surface->height <= mode.Height;
}

HRESULT WINAPI device_SetCursorProperties(IDirect3DDevice9Ex *iface, UINT x, UINT y,
                                          IDirect3DSurface9 *bitmap)
{
    ENTER(d, iface);
    struct surface *surface = surface_of(bitmap);
    struct level_view view;
    HRESULT hr;

    if (!surface_ok(d, surface))
        return D3DERR_INVALIDCALL;
    hr = api_read_begin(surface, &view);
    if (FAILED(hr))
        return hr;
    set(d->cursor, x, y, surface->width, surface->height, view.bits, view.row_pitch);
    api_read_end(surface);
    return D3D_OK;
}

void WINAPI device_SetCursorPosition(IDirect3DDevice9Ex *iface, int x, int y, DWORD flags)
{
    (void)iface;
    (void)flags;
    mouse_move(x, y);
}

/* Sets the cursor even when it is visible already: the window may have set another one since. */
BOOL WINAPI device_ShowCursor(IDirect3DDevice9Ex *iface, BOOL visible)
{
    ENTER(d, iface);
    BOOL was = d->cursor->visible;

    if (!d->cursor->given)
        return was;
    d->cursor->visible = visible != FALSE;
    show(d->cursor);
    return was;
}
