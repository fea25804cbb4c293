/* Full-screen mode: sets the display mode, covers the monitor with the device window, and
 * subclasses the focus window.
 * Tested by tests/windows/test_fullscreen.c, test_borderless.c and test_framed.c. */
#include "api/window/window.h"

#include "api/adapter/adapter.h"
#include "api/config/config.h"
#include "util/alloc.h"

#ifdef _WIN32

#include "api/window/mouse.h"

#include <pthread.h>

/* --- Subclassed windows ----------------------------------------------------------------------- */

/* A subclassed focus window. The entry stays after its device is gone if the application has
 * subclassed the window again, because that procedure may still call ours. */
struct subclass {
    struct subclass *next;
    HWND window;
    WNDPROC original;
    bool unicode;
    struct fullscreen *screen; /* of the device; NULL: no device uses the window */
    unsigned suppressed;       /* above 0: we move windows; most messages are filtered */
};

static struct subclass *subclasses;
static UINT guard_message; /* private message; set before the first subclassing */
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* protects all of the above; released before every system call */

static struct subclass *find_subclass(HWND window)
{
    struct subclass *subclass = subclasses;

    while (subclass && subclass->window != window)
        subclass = subclass->next;
    return subclass;
}

static void add_suppressed(HWND window, int difference)
{
    struct subclass *subclass;

    pthread_mutex_lock(&lock);
    subclass = find_subclass(window);
    if (subclass)
        subclass->suppressed += (unsigned)difference;
    pthread_mutex_unlock(&lock);
}

/* --- Windows ---------------------------------------------------------------------------------- */

static bool visible(HWND window)
{
    return GetWindowLongA(window, GWL_STYLE) & WS_VISIBLE; /* IsWindowVisible tests parents */
}

static bool is_at(HWND window, const RECT *rect)
{
    RECT now;

    return GetWindowRect(window, &now) && EqualRect(&now, rect);
}

/* Rectangle of the device window: the monitor's corner, and the size of the mode, or of the monitor
 * where the system refused the mode. */
static RECT screen_rect(const struct fullscreen_args *args, bool mode_set)
{
    RECT rect = api_adapter_rect(args->adapter);

    if (mode_set)
        SetRect(&rect, rect.left, rect.top, rect.left + (LONG)args->width,
                rect.top + (LONG)args->height);
    return rect;
}

static bool set_mode(const struct fullscreen_args *args)
{
    return args->kind == SCREEN_PROGRAM &&
           api_set_mode(args->adapter, args->width, args->height, args->refresh);
}

static void move(HWND window, HWND after, const RECT *rect, UINT flags)
{
    SetWindowPos(window, after, rect->left, rect->top, rect->right - rect->left,
                 rect->bottom - rect->top, flags | SWP_NOACTIVATE);
}

/* Moves the window over the screen, without its frame. Shows a hidden window topmost; Ex devices
 * only from the second time on. A borderless window stays below those that the user switches to. */
static void cover_screen(struct fullscreen *screen, const RECT *rect, bool again)
{
    const struct fullscreen_args *args = &screen->args;
    bool hidden = !visible(args->window), borderless = args->kind == SCREEN_BORDERLESS;
    bool raise = args->ex ? is_at(args->window, rect) || (hidden && again) : hidden;
    UINT flags = frame_is_visible(args->window) ? SWP_FRAMECHANGED : 0;

    if (args->keep_windows)
        return;
    if (!screen->bare)
        frame_strip(&screen->frame);
    screen->frame.placed = *rect;
    if (borderless)
        move(args->window, HWND_NOTOPMOST, rect, flags);
    else
        move(args->window, raise ? HWND_TOPMOST : NULL, rect, flags | (raise ? 0 : SWP_NOZORDER));
    if ((raise || borderless) && hidden)
        ShowWindow(args->window, SW_SHOW);
}

static bool monitor_is(const struct fullscreen_args *args)
{
    RECT rect = api_adapter_rect(args->adapter);

    return rect.right - rect.left == (LONG)args->width &&
           rect.bottom - rect.top == (LONG)args->height;
}

/* Positions of the mouse follow the picture where the window covers more, or less, than it. On a
 * monitor of the picture's size, only a program that moves its window brings that about, and it
 * knows the place. */
static void map_mouse(const struct fullscreen_args *args)
{
    if (api_config_choice(CONFIG_MOUSE) || args->keep_windows)
        return;
    if (monitor_is(args))
        mouse_map_end(args->window);
    else
        mouse_map_begin(args->window, args->width, args->height);
}

/* --- Loss and recovery of the focus ----------------------------------------------------------- */

static void handle_focus_loss(const struct fullscreen *screen)
{
    const struct fullscreen_args *args = &screen->args;

    mouse_map_end(args->window);
    api_restore_modes();
    frame_show(&screen->frame);
    if (args->keep_windows || !visible(args->window))
        return;
    if (!args->ex)
        SetWindowPos(args->window, HWND_TOPMOST, 0, 0, 0, 0,
                     SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
    ShowWindow(args->window, SW_MINIMIZE);
}

static void handle_focus_gain(const struct fullscreen *screen)
{
    const struct fullscreen_args *args = &screen->args;
    RECT rect = screen_rect(args, !args->ex || set_mode(args));

    if (args->keep_windows)
        return;
    if (args->window != args->focus && IsIconic(args->window))
        ShowWindow(args->window, SW_SHOWNOACTIVATE);
    if (args->ex)
        frame_hide(&screen->frame);
    move(args->window, NULL, &rect,
         SWP_NOZORDER | (frame_is_visible(args->window) ? SWP_FRAMECHANGED : 0));
    map_mouse(args);
}

static bool mode_is(const struct fullscreen_args *args)
{
    D3DDISPLAYMODE mode;

    api_adapter_mode(args->adapter, &mode);
    return mode.Width == args->width && mode.Height == args->height;
}

/* Checks that the window still belongs to the screen: the device may have been destroyed or
 * replaced. */
static void set_state(HWND window, const struct fullscreen *screen, enum screen_state state)
{
    struct subclass *subclass;

    pthread_mutex_lock(&lock);
    subclass = find_subclass(window);
    if (subclass && subclass->screen == screen)
        atomic_store(&subclass->screen->state, state);
    pthread_mutex_unlock(&lock);
}

/* Moves a window that left its place back, once. The application may move it again after that, and
 * a minimised window has a place of its own. The move waits in the message queue until the
 * application reads messages. */
static void restore_moved_window(const struct subclass *subclass, const struct fullscreen *screen,
                                 UINT message)
{
    RECT rect;

    if (screen->args.keep_windows || screen->args.window != subclass->window ||
        api_fullscreen_state(screen) != SCREEN_OURS || IsIconic(subclass->window))
        return;
    rect = screen_rect(&screen->args, mode_is(&screen->args));
    if (is_at(subclass->window, &rect))
        return;
    if (message == guard_message) {
        move(subclass->window, NULL, &rect, SWP_NOZORDER);
        return;
    }
    pthread_mutex_lock(&lock);
    if (find_subclass(subclass->window) &&
        find_subclass(subclass->window)->screen == subclass->screen)
        subclass->screen->guarded = false;
    pthread_mutex_unlock(&lock);
    PostMessageA(subclass->window, guard_message, 0, 0);
}

/* Covers the monitor again after its mode has changed. */
static void follow_monitor(const struct fullscreen_args *args)
{
    RECT rect = screen_rect(args, false);

    if (args->keep_windows || IsIconic(args->window) || is_at(args->window, &rect))
        return;
    move(args->window, NULL, &rect, SWP_NOZORDER);
}

/* Handles a message of the focus window on behalf of its device. */
static void handle_message(const struct subclass *subclass, const struct fullscreen *screen,
                           UINT message, WPARAM wparam)
{
    struct fullscreen_args args = screen->args;
    enum screen_state state = api_fullscreen_state(screen), next = state;

    if ((message == WM_WINDOWPOSCHANGED && screen->guarded) || message == guard_message)
        restore_moved_window(subclass, screen, message);
    if (message == WM_DISPLAYCHANGE && state == SCREEN_OURS)
        map_mouse(&args);
    if (args.kind == SCREEN_BORDERLESS) {
        if (message == WM_DISPLAYCHANGE)
            follow_monitor(&args);
        return;
    }
    if (message == WM_ACTIVATEAPP && !wparam && state != SCREEN_LOST) {
        handle_focus_loss(screen);
        next = SCREEN_LOST;
    } else if (message == WM_ACTIVATEAPP && wparam && state == SCREEN_LOST) {
        handle_focus_gain(screen);
        next = args.ex ? SCREEN_OURS : SCREEN_BACK;
    } else if (message == WM_DISPLAYCHANGE && state == SCREEN_OURS && !mode_is(&args)) {
        next = SCREEN_CHANGED;
    }
    if (next != state)
        set_state(subclass->window, subclass->screen, next);
}

/* --- The window procedure --------------------------------------------------------------------- */

static LRESULT call_default_procedure(const struct subclass *subclass, UINT message, WPARAM wparam,
                                      LPARAM lparam)
{
    return subclass->unicode ? DefWindowProcW(subclass->window, message, wparam, lparam)
                             : DefWindowProcA(subclass->window, message, wparam, lparam);
}

static LRESULT call_original_procedure(const struct subclass *subclass, UINT message, WPARAM wparam,
                                       LPARAM lparam)
{
    return subclass->unicode
               ? CallWindowProcW(subclass->original, subclass->window, message, wparam, lparam)
               : CallWindowProcA(subclass->original, subclass->window, message, wparam, lparam);
}

static void remove_entry(HWND window)
{
    struct subclass **at = &subclasses, *gone;

    pthread_mutex_lock(&lock);
    while (*at && (*at)->window != window)
        at = &(*at)->next;
    gone = *at;
    if (gone)
        *at = gone->next;
    pthread_mutex_unlock(&lock);
    mem_free(gone);
}

/* Copies the entry of a window: another thread may change it during system calls. */
static void get_snapshot(HWND window, struct subclass *subclass, struct fullscreen *screen)
{
    const struct subclass *known;

    *subclass = (struct subclass){.window = window, .unicode = IsWindowUnicode(window)};
    *screen = (struct fullscreen){.active = false};
    pthread_mutex_lock(&lock);
    known = find_subclass(window);
    if (known)
        *subclass = *known;
    if (subclass->screen) {
        screen->args = subclass->screen->args;
        screen->active = subclass->screen->active;
        screen->guarded = subclass->screen->guarded;
        screen->bare = subclass->screen->bare;
        screen->frame = subclass->screen->frame;
        atomic_init(&screen->state, atomic_load(&subclass->screen->state));
    }
    pthread_mutex_unlock(&lock);
}

/* Messages by which the system measures and paints a frame. A minimised window has its own. */
static bool belongs_to_frame(UINT message, WPARAM wparam)
{
    return message == WM_NCPAINT || (message == WM_NCCALCSIZE && wparam);
}

static LRESULT CALLBACK window_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    struct fullscreen screen;
    struct subclass subclass;

    get_snapshot(window, &subclass, &screen);
    if (screen.bare && belongs_to_frame(message, wparam) && !IsIconic(window))
        return 0; /* the client area is the whole window */
    if (screen.bare && message == WM_NCACTIVATE)
        lparam = -1; /* the default procedure paints no title bar */
    if (!subclass.original || (subclass.suppressed && message != WM_DISPLAYCHANGE))
        return call_default_procedure(&subclass, message, wparam, lparam);
    if (message == WM_NCDESTROY)
        remove_entry(window);
    if (screen.active && !subclass.suppressed) {
        add_suppressed(window, 1);
        handle_message(&subclass, &screen, message, wparam);
        add_suppressed(window, -1);
    }
    if (screen.active && message == WM_SYSCOMMAND && wparam == SC_RESTORE)
        call_default_procedure(&subclass, message, wparam,
                               lparam); /* before the application sees the message */
    if (screen.active)
        lparam = mouse_map_sent(window, message, lparam);
    return call_original_procedure(&subclass, message, wparam, lparam);
}

static LONG_PTR get_procedure(const struct subclass *subclass)
{
    return subclass->unicode ? GetWindowLongPtrW(subclass->window, GWLP_WNDPROC)
                             : GetWindowLongPtrA(subclass->window, GWLP_WNDPROC);
}

static void set_procedure(const struct subclass *subclass, WNDPROC procedure)
{
    if (subclass->unicode)
        SetWindowLongPtrW(subclass->window, GWLP_WNDPROC, (LONG_PTR)procedure);
    else
        SetWindowLongPtrA(subclass->window, GWLP_WNDPROC, (LONG_PTR)procedure);
}

/* --- Subclassing ------------------------------------------------------------------------------ */

/* Reuses the entry of a window that the application has subclassed after us: its place in the chain
 * of procedures stays. */
static enum status add_subclass(struct fullscreen *screen)
{
    struct subclass *made = mem_calloc(1, sizeof(*made)), *subclass;
    UINT message = RegisterWindowMessageA("novem: back to the whole screen");
    bool fresh;

    if (!made)
        return ST_NOMEM;
    made->window = screen->args.focus;
    made->unicode = IsWindowUnicode(made->window);
    made->original = (WNDPROC)get_procedure(made);
    pthread_mutex_lock(&lock);
    guard_message = message;
    subclass = find_subclass(screen->args.focus);
    fresh = !subclass;
    if (fresh) {
        subclass = made;
        subclass->next = subclasses;
        subclasses = subclass;
    }
    subclass->screen = screen;
    pthread_mutex_unlock(&lock);
    if (fresh)
        set_procedure(made, window_procedure);
    else
        mem_free(made);
    return ST_OK;
}

static void remove_subclass(const struct fullscreen *screen)
{
    struct subclass now = {.window = NULL};
    struct subclass *subclass;

    pthread_mutex_lock(&lock);
    subclass = find_subclass(screen->args.focus);
    if (subclass && subclass->screen == screen) {
        subclass->screen = NULL;
        now = *subclass;
    }
    pthread_mutex_unlock(&lock);
    if (!now.window || get_procedure(&now) != (LONG_PTR)window_procedure)
        return;
    set_procedure(&now, now.original);
    remove_entry(now.window);
}

/* --- Entering and leaving full-screen mode ---------------------------------------------------- */

static void set_mode_and_cover(struct fullscreen *screen, bool again)
{
    RECT rect = screen_rect(&screen->args, set_mode(&screen->args));

    cover_screen(screen, &rect, again);
}

static void activate(HWND window)
{
    if (!window || GetForegroundWindow() == window)
        return;
    SetWindowPos(window, HWND_TOP, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
    SetForegroundWindow(window);
}

/* Shows the window with a frame around a client area of the back buffer's size: at its place, or in
 * the middle of the monitor if it had no title bar. A size that stays leaves the window alone. */
static void show_framed(struct fullscreen *screen, bool same)
{
    const struct fullscreen_args *args = &screen->args;
    struct window_frame *frame = &screen->frame;
    RECT area, rect = {0, 0, (LONG)args->width, (LONG)args->height};
    bool titled = (frame->style & WS_CAPTION) == WS_CAPTION;
    POINT at = {frame->before.left, frame->before.top};

    if (args->keep_windows || same)
        return;
    frame_add(frame);
    area = api_adapter_work_area(args->adapter);
    frame_around(frame, &rect);
    if (!titled || !PtInRect(&area, at)) {
        at.x = area.left + (area.right - area.left - rect.right) / 2;
        at.y = area.top + (area.bottom - area.top - rect.bottom) / 2;
    }
    OffsetRect(&rect, at.x > area.left ? at.x : area.left, at.y > area.top ? at.y : area.top);
    frame->placed = rect;
    move(args->window, HWND_NOTOPMOST, &rect, SWP_FRAMECHANGED);
    if (!visible(args->window))
        ShowWindow(args->window, SW_SHOW);
}

/* A device window that another device covers the screen with has that device's record. */
static void record_frame(struct fullscreen *screen)
{
    const struct subclass *subclass;

    if (screen->args.keep_windows)
        return;
    pthread_mutex_lock(&lock);
    subclass = find_subclass(screen->args.focus);
    if (subclass && subclass->screen && subclass->screen != screen && subclass->screen->bare &&
        subclass->screen->frame.window == screen->args.window)
        screen->frame = subclass->screen->frame;
    pthread_mutex_unlock(&lock);
    frame_record(&screen->frame, screen->args.window);
}

static void set_bare(struct fullscreen *screen, bool bare)
{
    pthread_mutex_lock(&lock);
    screen->bare = bare;
    pthread_mutex_unlock(&lock);
}

/* Gives its frame back to a window that leaves the screen. The focus window hears of it only if the
 * user has set FULLSCREEN: public conformance tests assert that a device sends it nothing. */
static void return_frame(struct fullscreen *screen, bool placement)
{
    bool quiet = screen->args.kind == SCREEN_PROGRAM;

    set_bare(screen, false);
    add_suppressed(screen->args.focus, quiet);
    frame_restore(&screen->frame, placement);
    add_suppressed(screen->args.focus, -quiet);
}

/* A device that keeps its window's size leaves it where the user has moved it. */
static void enter_framed(struct fullscreen *screen, const struct fullscreen_args *args)
{
    bool first = !screen->active;
    bool same = !first && screen->args.window == args->window &&
                screen->args.width == args->width && screen->args.height == args->height;

    if (screen->active && screen->args.window != args->window)
        api_fullscreen_leave(screen, false);
    screen->args = *args;
    screen->active = true;
    record_frame(screen);
    show_framed(screen, same);
    if (first)
        activate(args->focus);
}

/* Activates the focus window before subclassing it: the activation reaches the application's
 * procedure unfiltered. */
static enum status enter_full_screen(struct fullscreen *screen, const struct fullscreen_args *args)
{
    bool again = screen->active && screen->args.focus == args->focus;

    if (!again) {
        api_fullscreen_leave(screen, false);
        activate(args->focus);
    } else if (screen->frame.window && screen->frame.window != args->window) {
        return_frame(screen, false);
    }
    pthread_mutex_lock(&lock);
    screen->args = *args;
    screen->active = screen->guarded = true;
    pthread_mutex_unlock(&lock);
    record_frame(screen);
    if (!again && add_subclass(screen)) {
        screen->active = false;
        return ST_NOMEM;
    }
    set_bare(screen, args->focus == args->window && !args->keep_windows);
    add_suppressed(args->focus, 1);
    set_mode_and_cover(screen, again);
    add_suppressed(args->focus, -1);
    map_mouse(args);
    atomic_store(&screen->state, SCREEN_OURS);
    return ST_OK;
}

enum status api_fullscreen_enter(struct fullscreen *screen, const struct fullscreen_args *args)
{
    if (args->kind != SCREEN_FRAMED)
        return enter_full_screen(screen, args);
    enter_framed(screen, args);
    return ST_OK;
}

/* Whether the window gets its place back. The conformance tests say that it stays at Reset. */
static bool restores_place(const struct fullscreen *screen, bool gone)
{
    return gone || screen->args.kind != SCREEN_PROGRAM;
}

static bool is_of_other_device(const struct fullscreen *screen)
{
    const struct subclass *subclass;
    bool other;

    pthread_mutex_lock(&lock);
    subclass = find_subclass(screen->args.focus);
    other = subclass && subclass->screen && subclass->screen != screen;
    pthread_mutex_unlock(&lock);
    return other;
}

void api_fullscreen_leave(struct fullscreen *screen, bool gone)
{
    if (!screen->active)
        return;
    pthread_mutex_lock(&lock);
    screen->guarded = false;
    pthread_mutex_unlock(&lock);
    add_suppressed(screen->args.focus, 1);
    if (screen->args.kind == SCREEN_PROGRAM)
        api_restore_modes();
    add_suppressed(screen->args.focus, -1);
    mouse_map_end(screen->args.window);
    if (screen->frame.window && !is_of_other_device(screen))
        return_frame(screen, restores_place(screen, gone));
    screen->frame.window = NULL;
    remove_subclass(screen);
    screen->active = false;
    atomic_store(&screen->state, SCREEN_OURS);
}

void api_fullscreen_size_after(const struct fullscreen *screen, HWND window, UINT *width,
                               UINT *height)
{
    SIZE size;

    if (!screen->active || !window || screen->frame.window != window)
        return;
    size = frame_client_size(&screen->frame, restores_place(screen, false));
    if (!*width && size.cx > 0)
        *width = (UINT)size.cx;
    if (!*height && size.cy > 0)
        *height = (UINT)size.cy;
}

#else

enum status api_fullscreen_enter(struct fullscreen *screen, const struct fullscreen_args *args)
{
    screen->args = *args;
    screen->active = true;
    return ST_OK;
}

void api_fullscreen_leave(struct fullscreen *screen, bool gone)
{
    (void)gone;
    screen->active = false;
}

void api_fullscreen_size_after(const struct fullscreen *screen, HWND window, UINT *width,
                               UINT *height)
{
    (void)screen, (void)window, (void)width, (void)height;
}

#endif

bool api_fullscreen_covers(const struct fullscreen *screen)
{
    return screen->active && screen->args.kind != SCREEN_FRAMED;
}

enum screen_state api_fullscreen_state(const struct fullscreen *screen)
{
    return (enum screen_state)atomic_load(&screen->state);
}
