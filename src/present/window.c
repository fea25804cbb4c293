/* The sink "window": frames go to the program's window, through GDI. */
#include "present/sinks.h"

#include "util/alloc.h"

#ifdef _WIN32

#include <windows.h>

struct present_sink {
    uint8_t *pixels; /* of formats that GDI does not take; grows */
    size_t size;
};

static enum status window_open(struct present_sink **out, const char *target)
{
    (void)target;
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

static void window_close(struct present_sink *sink)
{
    mem_free(sink->pixels);
    mem_free(sink);
}

/* 8-bit X8R8G8B8 in the frame's own memory, or converted; *row_pixels: from a row to the next. */
static enum status as_bgrx(struct present_sink *sink, const struct present_frame *frame,
                           const uint8_t **out, uint32_t *row_pixels)
{
    size_t pixels = (size_t)frame->width * frame->height;
    uint8_t *rgb;
    enum status st;

    if ((frame->format->d3d == D3DFMT_X8R8G8B8 || frame->format->d3d == D3DFMT_A8R8G8B8) &&
        frame->row_pitch % 4 == 0) {
        *out = frame->data;
        *row_pixels = frame->row_pitch / 4;
        return ST_OK;
    }
    if (pixels * 4 > sink->size) {
        uint8_t *grown = mem_realloc(sink->pixels, pixels * 4);

        if (!grown)
            return ST_NOMEM;
        sink->pixels = grown;
        sink->size = pixels * 4;
    }
    rgb = sink->pixels + pixels; /* the upper three quarters; filling never overtakes reading */
    st = present_to_rgb(frame, rgb);
    for (size_t i = 0; st == ST_OK && i < pixels; i++, rgb += 3) {
        uint8_t r = rgb[0], g = rgb[1], b = rgb[2];

        sink->pixels[4 * i] = b;
        sink->pixels[4 * i + 1] = g;
        sink->pixels[4 * i + 2] = r;
        sink->pixels[4 * i + 3] = 0;
    }
    *out = sink->pixels;
    *row_pixels = frame->width;
    return st;
}

static RECT rect_or(const int32_t from[4], LONG width, LONG height)
{
    if (!from[0] && !from[1] && !from[2] && !from[3])
        return (RECT){0, 0, width, height};
    return (RECT){from[0], from[1], from[2], from[3]};
}

static bool find_area(HWND window, bool whole, RECT *area)
{
    if (!window || !(whole ? GetWindowRect(window, area) : GetClientRect(window, area)))
        return false;
    OffsetRect(area, -area->left, -area->top);
    return true;
}

static enum status window_show(struct present_sink *sink, const struct present_frame *frame)
{
    HWND window = (HWND)(uintptr_t)frame->window;
    RECT area, src, dst;
    BITMAPINFO info;
    const uint8_t *bits;
    uint32_t row_pixels;
    enum status st;
    HDC dc;

    if (!find_area(window, frame->whole_window, &area))
        return ST_OK; /* programs may present to a window that is gone */
    st = as_bgrx(sink, frame, &bits, &row_pixels);
    if (st != ST_OK)
        return st;
    src = rect_or(frame->src, (LONG)frame->width, (LONG)frame->height);
    if (src.left < 0 || src.top < 0 || src.right > (LONG)frame->width ||
        src.bottom > (LONG)frame->height || src.left >= src.right || src.top >= src.bottom)
        return ST_OK;
    dst = rect_or(frame->dst, area.right, area.bottom);
    /* Only the rows wanted: which way GDI counts rows inside an image that runs down is not
     * certain. */
    info = (BITMAPINFO){.bmiHeader = {.biSize = sizeof(info.bmiHeader),
                                      .biWidth = (LONG)row_pixels, /* what pads rows is not shown */
                                      .biHeight = src.top - src.bottom,
                                      .biPlanes = 1,
                                      .biBitCount = 32,
                                      .biCompression = BI_RGB}};
    dc = frame->whole_window ? GetWindowDC(window) : GetDC(window);
    if (!dc)
        return ST_OK;
    SetStretchBltMode(dc, COLORONCOLOR);
    StretchDIBits(dc, dst.left, dst.top, dst.right - dst.left, dst.bottom - dst.top, src.left, 0,
                  src.right - src.left, src.bottom - src.top,
                  bits + (size_t)src.top * row_pixels * 4, &info, DIB_RGB_COLORS, SRCCOPY);
    ReleaseDC(window, dc);
    return ST_OK;
}

#else

static enum status window_open(struct present_sink **out, const char *target)
{
    (void)target;
    *out = NULL;
    return ST_UNSUPPORTED;
}

static enum status window_show(struct present_sink *sink, const struct present_frame *frame)
{
    (void)sink;
    (void)frame;
    return ST_UNSUPPORTED;
}

static void window_close(struct present_sink *sink)
{
    mem_free(sink);
}

#endif

const struct present_sink_ops present_window_ops = {"window",    false,       true,
                                                    window_open, window_show, window_close};
