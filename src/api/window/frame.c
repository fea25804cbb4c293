/* The frame of a device window. A window of another thread is changed without waiting for that
 * thread, which may itself wait for the end of the device.
 * Tested by tests/windows/test_fullscreen.c and tests/windows/test_framed.c. */
#include "api/window/frame.h"

#ifdef _WIN32

/* Style bits that the system changes as windows are shown, minimised and maximised. */
static const LONG of_system = WS_VISIBLE | WS_MINIMIZE | WS_MAXIMIZE;

static LONG get_long(HWND window, int index)
{
    return IsWindowUnicode(window) ? GetWindowLongW(window, index) : GetWindowLongA(window, index);
}

static void set_long(HWND window, int index, LONG value)
{
    if (get_long(window, index) == value)
        return;
    if (IsWindowUnicode(window))
        SetWindowLongW(window, index, value);
    else
        SetWindowLongA(window, index, value);
}

static bool is_of_this_thread(HWND window)
{
    return GetWindowThreadProcessId(window, NULL) == GetCurrentThreadId();
}

void frame_record(struct window_frame *frame, HWND window)
{
    if (frame->window == window)
        return;
    *frame = (struct window_frame){.window = window,
                                   .style = get_long(window, GWL_STYLE),
                                   .extended = get_long(window, GWL_EXSTYLE)};
    frame->set_style = frame->style;
    frame->set_extended = frame->extended;
    GetWindowRect(window, &frame->before);
    frame->placed = frame->before;
}

static void set_styles(struct window_frame *frame, LONG style, LONG extended)
{
    LONG now = get_long(frame->window, GWL_STYLE), above = get_long(frame->window, GWL_EXSTYLE);

    set_long(frame->window, GWL_STYLE, (now & of_system) | (style & ~of_system));
    set_long(frame->window, GWL_EXSTYLE, (above & WS_EX_TOPMOST) | (extended & ~WS_EX_TOPMOST));
    frame->set_style = get_long(frame->window, GWL_STYLE); /* the system completes them */
    frame->set_extended = get_long(frame->window, GWL_EXSTYLE);
}

static bool has_styles(const struct window_frame *frame, LONG style, LONG extended)
{
    return !((get_long(frame->window, GWL_STYLE) ^ style) & ~of_system) &&
           !((get_long(frame->window, GWL_EXSTYLE) ^ extended) & ~WS_EX_TOPMOST);
}

static bool has_set_styles(const struct window_frame *frame)
{
    return has_styles(frame, frame->set_style, frame->set_extended);
}

void frame_show(const struct window_frame *frame)
{
    struct window_frame copy = *frame; /* which the device has, maybe on another thread */

    if (frame->window && has_set_styles(frame))
        set_styles(&copy, frame->style, frame->extended);
}

void frame_hide(const struct window_frame *frame)
{
    struct window_frame copy = *frame;

    if (frame->window && has_styles(frame, frame->style, frame->extended))
        set_styles(&copy, frame->set_style, frame->set_extended);
}

void frame_strip(struct window_frame *frame)
{
    set_styles(frame, frame->style & ~WS_OVERLAPPEDWINDOW,
               frame->extended & ~WS_EX_OVERLAPPEDWINDOW);
}

void frame_add(struct window_frame *frame)
{
    if ((frame->style & WS_CAPTION) != WS_CAPTION)
        set_styles(frame,
                   (frame->style & ~(LONG)WS_POPUP) | WS_CAPTION | WS_SYSMENU | WS_MINIMIZEBOX,
                   frame->extended);
}

static void adjust(RECT *rect, HWND window, LONG style, LONG extended)
{
    AdjustWindowRectEx(rect, (DWORD)style, !(style & WS_CHILD) && GetMenu(window), (DWORD)extended);
}

void frame_around(const struct window_frame *frame, RECT *rect)
{
    adjust(rect, frame->window, frame->set_style, frame->set_extended);
    OffsetRect(rect, -rect->left, -rect->top);
}

bool frame_is_visible(HWND window)
{
    RECT all, client;

    return GetWindowRect(window, &all) && GetClientRect(window, &client) &&
           (client.right != all.right - all.left || client.bottom != all.bottom - all.top);
}

static bool is_placed(const struct window_frame *frame)
{
    RECT now;

    return GetWindowRect(frame->window, &now) && EqualRect(&now, &frame->placed);
}

SIZE frame_client_size(const struct window_frame *frame, bool placement)
{
    RECT all = frame->before, border = {0, 0, 0, 0};

    if (!placement || !is_placed(frame))
        GetWindowRect(frame->window, &all);
    adjust(&border, frame->window, frame->style, frame->extended);
    return (SIZE){all.right - all.left - (border.right - border.left),
                  all.bottom - all.top - (border.bottom - border.top)};
}

void frame_restore(struct window_frame *frame, bool placement)
{
    bool own = is_of_this_thread(frame->window), topmost = frame->extended & WS_EX_TOPMOST;
    bool raised = get_long(frame->window, GWL_EXSTYLE) & WS_EX_TOPMOST;
    const RECT *r = &frame->before;
    UINT flags = SWP_FRAMECHANGED | SWP_NOACTIVATE | SWP_NOOWNERZORDER;

    if (IsWindow(frame->window)) {
        if (!placement || topmost == raised)
            flags |= SWP_NOZORDER;
        if (!placement || !is_placed(frame) || IsIconic(frame->window))
            flags |= SWP_NOMOVE | SWP_NOSIZE;
        if (own && has_set_styles(frame))
            set_styles(frame, frame->style, frame->extended);
        SetWindowPos(frame->window, topmost ? HWND_TOPMOST : HWND_NOTOPMOST, r->left, r->top,
                     r->right - r->left, r->bottom - r->top,
                     flags | (own ? 0 : SWP_ASYNCWINDOWPOS));
    }
    *frame = (struct window_frame){.window = NULL};
}

#else
typedef int frame_is_for_windows; /* ISO C forbids an empty file */
#endif
