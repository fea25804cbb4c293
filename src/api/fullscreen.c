/* Full-screen devices and the windows of their programs. */
#include "api/fullscreen.h"

#include "api/display.h"
#include "util/alloc.h"

#ifdef _WIN32

#include <pthread.h>

/* --- Watched windows -------------------------------------------------------------------------- */

/* A focus window. It stays in the list when no device watches it any more and the program has put a
 * procedure of its own before ours, which it may still call. */
struct watch {
    struct watch *next;
    HWND window;
    WNDPROC original;
    bool unicode;
    struct fullscreen *screen; /* the device's; NULL: nobody watches */
    unsigned quiet;            /* above 0: we move windows, and the program hears little of it */
};

static struct watch *watches;
static UINT guard_message; /* to ourselves; set before the first window is watched */
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* of all the above; held across no call of the system */

static struct watch *find_watch(HWND window)
{
    struct watch *watch = watches;

    while (watch && watch->window != window)
        watch = watch->next;
    return watch;
}

static void add_quiet(HWND window, int difference)
{
    struct watch *watch;

    pthread_mutex_lock(&lock);
    watch = find_watch(window);
    if (watch)
        watch->quiet += (unsigned)difference;
    pthread_mutex_unlock(&lock);
}

/* --- Windows ---------------------------------------------------------------------------------- */

static bool visible(HWND window)
{
    return GetWindowLongA(window, GWL_STYLE) & WS_VISIBLE; /* IsWindowVisible asks parents too */
}

static bool is_at(HWND window, const RECT *rect)
{
    RECT now;

    return GetWindowRect(window, &now) && EqualRect(&now, rect);
}

/* Where the device's picture will be: the monitor's corner, and the size of the mode, or of the
 * monitor where the system refused the mode. */
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
    return api_set_mode(args->adapter, args->width, args->height, args->refresh);
}

static void move(HWND window, HWND after, const RECT *rect, UINT flags)
{
    SetWindowPos(window, after, rect->left, rect->top, rect->right - rect->left,
                 rect->bottom - rect->top, flags | SWP_NOACTIVATE);
}

/* Hidden windows are shown and put on top of all others; Ex devices do so from the second time on.
 */
static void cover(const struct fullscreen_args *args, const RECT *rect, bool again)
{
    bool hidden = !visible(args->window);
    bool raise = args->ex ? is_at(args->window, rect) || (hidden && again) : hidden;

    if (args->keep_windows)
        return;
    move(args->window, raise ? HWND_TOPMOST : NULL, rect, raise ? 0 : SWP_NOZORDER);
    if (raise && hidden)
        ShowWindow(args->window, SW_SHOW);
}

/* --- Focus ------------------------------------------------------------------------------------ */

static void lose(const struct fullscreen_args *args)
{
    api_restore_modes();
    if (args->keep_windows || !visible(args->window))
        return;
    if (!args->ex)
        SetWindowPos(args->window, HWND_TOPMOST, 0, 0, 0, 0,
                     SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
    ShowWindow(args->window, SW_MINIMIZE);
}

static void regain(const struct fullscreen_args *args)
{
    RECT rect = screen_rect(args, !args->ex || set_mode(args));

    if (args->keep_windows)
        return;
    if (args->window != args->focus && IsIconic(args->window))
        ShowWindow(args->window, SW_SHOWNOACTIVATE);
    move(args->window, NULL, &rect, SWP_NOZORDER);
}

static bool mode_is(const struct fullscreen_args *args)
{
    D3DDISPLAYMODE mode;

    api_adapter_mode(args->adapter, &mode);
    return mode.Width == args->width && mode.Height == args->height;
}

/* The device may have gone meanwhile, or another one have come. */
static void set_state(HWND window, const struct fullscreen *screen, enum screen_state state)
{
    struct watch *watch;

    pthread_mutex_lock(&lock);
    watch = find_watch(window);
    if (watch && watch->screen == screen)
        atomic_store(&watch->screen->state, state);
    pthread_mutex_unlock(&lock);
}

/* Who moves a window that covers the screen finds it back in its place once it looks for messages,
 * the first time. */
static void guard(const struct watch *watch, const struct fullscreen *screen, UINT message)
{
    RECT rect;

    if (screen->args.keep_windows || screen->args.window != watch->window ||
        api_fullscreen_state(screen) != SCREEN_OURS)
        return;
    rect = screen_rect(&screen->args, mode_is(&screen->args));
    if (is_at(watch->window, &rect))
        return;
    if (message == guard_message) {
        move(watch->window, NULL, &rect, SWP_NOZORDER);
        return;
    }
    pthread_mutex_lock(&lock);
    if (find_watch(watch->window) && find_watch(watch->window)->screen == watch->screen)
        watch->screen->guarded = false;
    pthread_mutex_unlock(&lock);
    PostMessageA(watch->window, guard_message, 0, 0);
}

/* What a message means to the device whose focus window got it. */
static void attend(const struct watch *watch, const struct fullscreen *screen, UINT message,
                   WPARAM wparam)
{
    struct fullscreen_args args = screen->args;
    enum screen_state state = api_fullscreen_state(screen), next = state;

    if ((message == WM_WINDOWPOSCHANGED && screen->guarded) || message == guard_message)
        guard(watch, screen, message);
    if (message == WM_ACTIVATEAPP && !wparam && state != SCREEN_LOST) {
        lose(&args);
        next = SCREEN_LOST;
    } else if (message == WM_ACTIVATEAPP && wparam && state == SCREEN_LOST) {
        regain(&args);
        next = args.ex ? SCREEN_OURS : SCREEN_BACK;
    } else if (message == WM_DISPLAYCHANGE && state == SCREEN_OURS && !mode_is(&args)) {
        next = SCREEN_CHANGED;
    }
    if (next != state)
        set_state(watch->window, watch->screen, next);
}

/* --- The procedure ---------------------------------------------------------------------------- */

static LRESULT by_default(const struct watch *watch, UINT message, WPARAM wparam, LPARAM lparam)
{
    return watch->unicode ? DefWindowProcW(watch->window, message, wparam, lparam)
                          : DefWindowProcA(watch->window, message, wparam, lparam);
}

static LRESULT by_program(const struct watch *watch, UINT message, WPARAM wparam, LPARAM lparam)
{
    return watch->unicode
               ? CallWindowProcW(watch->original, watch->window, message, wparam, lparam)
               : CallWindowProcA(watch->original, watch->window, message, wparam, lparam);
}

static void forget(HWND window)
{
    struct watch **at = &watches, *gone;

    pthread_mutex_lock(&lock);
    while (*at && (*at)->window != window)
        at = &(*at)->next;
    gone = *at;
    if (gone)
        *at = gone->next;
    pthread_mutex_unlock(&lock);
    mem_free(gone);
}

/* Copies what is known of a window, which may change while the system is called. */
static void look(HWND window, struct watch *watch, struct fullscreen *screen)
{
    const struct watch *known;

    *watch = (struct watch){.window = window, .unicode = IsWindowUnicode(window)};
    *screen = (struct fullscreen){.active = false};
    pthread_mutex_lock(&lock);
    known = find_watch(window);
    if (known)
        *watch = *known;
    if (watch->screen) {
        screen->args = watch->screen->args;
        screen->active = watch->screen->active;
        screen->guarded = watch->screen->guarded;
        atomic_init(&screen->state, atomic_load(&watch->screen->state));
    }
    pthread_mutex_unlock(&lock);
}

static LRESULT CALLBACK watched(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    struct fullscreen screen;
    struct watch watch;

    look(window, &watch, &screen);
    if (!watch.original || (watch.quiet && message != WM_DISPLAYCHANGE))
        return by_default(&watch, message, wparam, lparam);
    if (message == WM_NCDESTROY)
        forget(window);
    if (screen.active && !watch.quiet) {
        add_quiet(window, 1);
        attend(&watch, &screen, message, wparam);
        add_quiet(window, -1);
    }
    if (screen.active && message == WM_SYSCOMMAND && wparam == SC_RESTORE)
        by_default(&watch, message, wparam, lparam); /* before the program hears of it */
    return by_program(&watch, message, wparam, lparam);
}

static LONG_PTR get_procedure(const struct watch *watch)
{
    return watch->unicode ? GetWindowLongPtrW(watch->window, GWLP_WNDPROC)
                          : GetWindowLongPtrA(watch->window, GWLP_WNDPROC);
}

static void set_procedure(const struct watch *watch, WNDPROC procedure)
{
    if (watch->unicode)
        SetWindowLongPtrW(watch->window, GWLP_WNDPROC, (LONG_PTR)procedure);
    else
        SetWindowLongPtrA(watch->window, GWLP_WNDPROC, (LONG_PTR)procedure);
}

/* --- Watching --------------------------------------------------------------------------------- */

/* A window that was watched before and whose program came between keeps its place in the chain of
 * procedures. */
static enum status begin_watch(struct fullscreen *screen)
{
    struct watch *made = mem_calloc(1, sizeof(*made)), *watch;
    UINT message = RegisterWindowMessageA("novem: back to the whole screen");
    bool fresh;

    if (!made)
        return ST_NOMEM;
    made->window = screen->args.focus;
    made->unicode = IsWindowUnicode(made->window);
    made->original = (WNDPROC)get_procedure(made);
    pthread_mutex_lock(&lock);
    guard_message = message;
    watch = find_watch(screen->args.focus);
    fresh = !watch;
    if (fresh) {
        watch = made;
        watch->next = watches;
        watches = watch;
    }
    watch->screen = screen;
    pthread_mutex_unlock(&lock);
    if (fresh)
        set_procedure(made, watched);
    else
        mem_free(made);
    return ST_OK;
}

static void end_watch(const struct fullscreen *screen)
{
    struct watch now = {.window = NULL};
    struct watch *watch;

    pthread_mutex_lock(&lock);
    watch = find_watch(screen->args.focus);
    if (watch && watch->screen == screen) {
        watch->screen = NULL;
        now = *watch;
    }
    pthread_mutex_unlock(&lock);
    if (!now.window || get_procedure(&now) != (LONG_PTR)watched)
        return;
    set_procedure(&now, now.original);
    forget(now.window);
}

/* --- Taking and giving back ------------------------------------------------------------------- */

static void take(const struct fullscreen_args *args, bool again)
{
    RECT rect = screen_rect(args, set_mode(args));

    cover(args, &rect, again);
}

static void activate(HWND window)
{
    if (!window || GetForegroundWindow() == window)
        return;
    SetWindowPos(window, HWND_TOP, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
    SetForegroundWindow(window);
}

/* The program's own procedure hears of the activation, and from then on we are before it. */
enum status api_fullscreen_enter(struct fullscreen *screen, const struct fullscreen_args *args)
{
    bool again = screen->active && screen->args.focus == args->focus;

    if (!again) {
        api_fullscreen_leave(screen);
        activate(args->focus);
    }
    pthread_mutex_lock(&lock);
    screen->args = *args;
    screen->active = screen->guarded = true;
    pthread_mutex_unlock(&lock);
    if (!again && begin_watch(screen)) {
        screen->active = false;
        return ST_NOMEM;
    }
    add_quiet(args->focus, 1);
    take(args, again);
    add_quiet(args->focus, -1);
    atomic_store(&screen->state, SCREEN_OURS);
    return ST_OK;
}

void api_fullscreen_leave(struct fullscreen *screen)
{
    if (!screen->active)
        return;
    add_quiet(screen->args.focus, 1);
    api_restore_modes();
    add_quiet(screen->args.focus, -1);
    end_watch(screen);
    screen->active = false;
    atomic_store(&screen->state, SCREEN_OURS);
}

#else

enum status api_fullscreen_enter(struct fullscreen *screen, const struct fullscreen_args *args)
{
    screen->args = *args;
    screen->active = true;
    return ST_OK;
}

void api_fullscreen_leave(struct fullscreen *screen)
{
    screen->active = false;
}

#endif

enum screen_state api_fullscreen_state(const struct fullscreen *screen)
{
    return (enum screen_state)atomic_load(&screen->state);
}
