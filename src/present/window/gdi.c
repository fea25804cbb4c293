/* Sink "window" on Windows: draws frames to the program's window with GDI.
 *
 * Tested by tests/windows/test_hud.c and tests/windows/test_fullscreen.c. */
#ifdef _WIN32

#include "present/monitor/view.h"
#include "present/sink/sink.h"
#include "util/alloc.h"

#include <windows.h>

struct present_sink {
    struct view_memory pixels, panel;
};

static enum status window_open(struct present_sink **out, const char *target,
                               const struct present_options *options)
{
    (void)target;
    (void)options;
    *out = mem_calloc(1, sizeof(**out));
    return *out ? ST_OK : ST_NOMEM;
}

static enum status window_close(struct present_sink *sink)
{
    view_free(&sink->pixels);
    view_free(&sink->panel);
    mem_free(sink);
    return ST_OK;
}

static bool find_area(HWND window, bool whole, RECT *area)
{
    if (!window || !(whole ? GetWindowRect(window, area) : GetClientRect(window, area)))
        return false;
    OffsetRect(area, -area->left, -area->top);
    return true;
}

/* Passes only the needed rows, because GDI's row order inside a top-down image is ambiguous. */
static void put(HDC dc, const struct view_image *image, const struct view_rect *src,
                const struct view_rect *dst)
{
    BITMAPINFO info = {.bmiHeader = {.biSize = sizeof(info.bmiHeader),
                                     .biWidth = (LONG)image->pitch, /* row padding is outside the
                                                                     * source rectangle */
                                     .biHeight = src->top - src->bottom,
                                     .biPlanes = 1,
                                     .biBitCount = 32,
                                     .biCompression = BI_RGB}};

    StretchDIBits(dc, dst->left, dst->top, dst->right - dst->left, dst->bottom - dst->top,
                  src->left, 0, src->right - src->left, src->bottom - src->top,
                  image->pixels + (size_t)src->top * image->pitch, &info, DIB_RGB_COLORS, SRCCOPY);
}

/* Draws the panel first and clips it out of the frame, so that neither shows without the other. */
static void put_hud(struct present_sink *sink, HDC dc, const struct hud *hud,
                    const struct view_image *image, const struct view_rect *src,
                    const struct view_rect *dst)
{
    struct view_rect place, all = {0, 0, 0, 0};
    struct view_image panel;

    if (view_panel(&sink->panel, hud, image, src, dst, &place) != ST_OK)
        return;
    all.right = place.right - place.left;
    all.bottom = place.bottom - place.top;
    panel = (struct view_image){sink->panel.pixels, (uint32_t)all.right, (uint32_t)all.right,
                                (uint32_t)all.bottom};
    put(dc, &panel, &all, &place);
    ExcludeClipRect(dc, place.left, place.top, place.right, place.bottom);
}

static enum status window_show(struct present_sink *sink, const struct present_frame *frame,
                               const struct present_view *view)
{
    HWND window = (HWND)(uintptr_t)frame->window;
    struct view_rect src = view_rect_or(frame->src, (int32_t)frame->width, (int32_t)frame->height),
                     dst;
    struct view_image image;
    enum status st;
    RECT area;
    HDC dc;

    if (!find_area(window, frame->whole_window, &area) || !view_rect_inside(&src, frame))
        return ST_OK; /* the program may have destroyed the window */
    st = view_pixels(&sink->pixels, frame, view->gamma, &image);
    if (st != ST_OK)
        return st;
    dst = view_rect_or(frame->dst, area.right, area.bottom);
    dc = frame->whole_window ? GetWindowDC(window) : GetDC(window);
    if (!dc)
        return ST_OK;
    SaveDC(dc); /* the DC may belong to the program */
    SetStretchBltMode(dc, COLORONCOLOR);
    if (view->hud)
        put_hud(sink, dc, view->hud, &image, &src, &dst);
    put(dc, &image, &src, &dst);
    RestoreDC(dc, -1);
    ReleaseDC(window, dc);
    return ST_OK;
}

const struct present_sink_ops present_window_ops = {
    .name = "window",
    .pacing = PRESENT_PACE_WINDOWS,
    .open = window_open,
    .show = window_show,
    .close = window_close,
};

#endif
