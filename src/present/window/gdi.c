/* Sink "window" on Windows: draws frames to the program's window with GDI.
 *
 * Tested by tests/windows/test_hud.c, test_scaling.c and test_fullscreen.c. */
#ifdef _WIN32

#include "present/monitor/scale.h"
#include "present/sink/sink.h"
#include "util/alloc.h"
#include "util/min_max.h"

#include <windows.h>

struct present_sink {
    enum present_scaling scaling; /* of the frame */
    enum present_filter filter;
    struct view_memory pixels, panel, scaled;
    struct scaler scaler;
};

static enum status window_open(struct present_sink **out, const char *target,
                               const struct present_options *options)
{
    (void)target;
    (void)options;
    *out = mem_calloc(1, sizeof(**out));
    if (!*out)
        return ST_NOMEM;
    return ST_OK;
}

static enum status window_close(struct present_sink *sink)
{
    view_free(&sink->pixels);
    view_free(&sink->panel);
    view_free(&sink->scaled);
    scaler_fini(&sink->scaler);
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

/* --- Pictures --------------------------------------------------------------------------------- */

static uint32_t width_of(const struct view_rect *rect)
{
    return (uint32_t)(rect->right - rect->left);
}

static uint32_t height_of(const struct view_rect *rect)
{
    return (uint32_t)(rect->bottom - rect->top);
}

/* A program that passes a destination to Present has placed the picture itself. One that covers the
 * whole area is as none. *bars: the rest of the area is black. */
static struct view_rect place(const struct present_sink *sink, const struct present_frame *frame,
                              const struct view_rect *src, const RECT *area, bool *bars)
{
    const uint32_t picture[2] = {width_of(src), height_of(src)};
    const uint32_t size[2] = {(uint32_t)area->right, (uint32_t)area->bottom};
    struct view_rect dst = view_rect_or(frame->dst, area->right, area->bottom);
    int32_t rect[4];

    *bars = !dst.left && !dst.top && dst.right == area->right && dst.bottom == area->bottom;
    if (!*bars)
        return dst;
    present_place(sink->scaling, picture, size, rect);
    return (struct view_rect){rect[0], rect[1], rect[2], rect[3]};
}

static void put_black(HDC dc, int32_t left, int32_t top, int32_t right, int32_t bottom)
{
    if (left < right && top < bottom)
        PatBlt(dc, left, top, right - left, bottom - top, BLACKNESS);
}

/* Covers what the picture leaves of the area. */
static void put_bars(HDC dc, const struct view_rect *dst, const RECT *area)
{
    put_black(dc, 0, 0, area->right, dst->top);
    put_black(dc, 0, dst->bottom, area->right, area->bottom);
    put_black(dc, 0, dst->top, dst->left, dst->bottom);
    put_black(dc, dst->right, dst->top, area->right, dst->bottom);
}

/* GDI's own stretching samples points. */
static void put_by_gdi(struct present_sink *sink, HDC dc, const struct hud *hud,
                       const struct view_image *image, const struct view_rect *src,
                       const struct view_rect *dst)
{
    SetStretchBltMode(dc, COLORONCOLOR);
    if (hud)
        put_hud(sink, dc, hud, image, src, dst);
    put(dc, image, src, dst);
}

/* Scales the part of the picture that lies in the area, and passes it to GDI in its size. */
static enum status put_scaled(struct present_sink *sink, HDC dc, const struct hud *hud,
                              const struct view_image *image, const struct view_rect *src,
                              const struct view_rect *dst, const RECT *area)
{
    const struct view_rect seen = {max_i32(dst->left, 0), max_i32(dst->top, 0),
                                   min_i32(dst->right, area->right),
                                   min_i32(dst->bottom, area->bottom)};
    const struct view_rect at = {dst->left - seen.left, dst->top - seen.top, dst->right - seen.left,
                                 dst->bottom - seen.top};
    const struct view_rect all = {0, 0, seen.right - seen.left, seen.bottom - seen.top};
    struct view_image scaled;
    enum status st;

    if (all.right <= 0 || all.bottom <= 0)
        return ST_OK;
    st = view_reserve(&sink->scaled, (size_t)width_of(&all) * height_of(&all));
    if (st != ST_OK)
        return st;
    scaled =
        (struct view_image){sink->scaled.pixels, width_of(&all), width_of(&all), height_of(&all)};
    st = scale_image(&sink->scaler, sink->filter, &scaled, &at, image, src);
    if (st != ST_OK)
        return st;
    if (hud)
        view_draw_panel(hud, &scaled, &all);
    put(dc, &scaled, &all, &seen);
    return ST_OK;
}

static bool is_scaled_here(const struct present_sink *sink, const struct view_rect *src,
                           const struct view_rect *dst)
{
    bool plain = sink->scaling == PRESENT_STRETCH && sink->filter == PRESENT_NEAREST;
    bool same = width_of(src) == width_of(dst) && height_of(src) == height_of(dst);

    return !plain && !same && dst->left < dst->right && dst->top < dst->bottom;
}

static enum status window_show(struct present_sink *sink, const struct present_frame *frame,
                               const struct present_view *view)
{
    HWND window = (HWND)(uintptr_t)frame->window;
    struct view_rect src = view_rect_or(frame->src, (int32_t)frame->width, (int32_t)frame->height),
                     dst;
    struct view_image image;
    enum status st;
    bool bars;
    RECT area;
    HDC dc;

    sink->scaling = view->scaling;
    sink->filter = view->filter;
    if (!find_area(window, frame->whole_window, &area) || !view_rect_inside(&src, frame))
        return ST_OK; /* the program may have destroyed the window */
    st = view_pixels(&sink->pixels, frame, view->gamma, &image);
    if (st != ST_OK)
        return st;
    dst = place(sink, frame, &src, &area, &bars);
    dc = frame->whole_window ? GetWindowDC(window) : GetDC(window);
    if (!dc)
        return ST_OK;
    SaveDC(dc); /* the DC may belong to the program */
    if (bars)
        put_bars(dc, &dst, &area);
    if (is_scaled_here(sink, &src, &dst))
        st = put_scaled(sink, dc, view->hud, &image, &src, &dst, &area);
    else
        put_by_gdi(sink, dc, view->hud, &image, &src, &dst);
    RestoreDC(dc, -1);
    ReleaseDC(window, dc);
    return st;
}

const struct present_sink_ops present_window_ops = {
    .name = "window",
    .pacing = PRESENT_PACE_WINDOWS,
    .open = window_open,
    .show = window_show,
    .close = window_close,
};

#endif
