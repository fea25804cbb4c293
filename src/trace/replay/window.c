/* Windows of a replay: one for each window handle of the recorded program. */
#include "trace/replay/replay_private.h"

#include "util/alloc.h"

#ifdef _WIN32

static HWND window_create(size_t index, uint32_t width, uint32_t height)
{
    RECT rect = {0, 0, (LONG)width, (LONG)height};

    (void)index;
    AdjustWindowRect(&rect, WS_OVERLAPPEDWINDOW, FALSE);
    return CreateWindowA("static", "novem replay", WS_OVERLAPPEDWINDOW, 0, 0,
                         rect.right - rect.left, rect.bottom - rect.top, NULL, NULL, NULL, NULL);
}

static void window_destroy(HWND window)
{
    DestroyWindow(window);
}

#else

/* Native builds ignore windows; the handles must only differ and be non-zero. */
static HWND window_create(size_t index, uint32_t width, uint32_t height)
{
    (void)width;
    (void)height;
    return (HWND)(uintptr_t)(index + 1);
}

static void window_destroy(HWND window)
{
    (void)window;
}

#endif

/* More windows than this indicate damage; further handles share the last window. */
enum { WINDOWS_MAX = 256 };

HWND replay_window_for(struct replay *r, uint64_t traced, uint32_t width, uint32_t height)
{
    struct replay_window *bigger;

    for (size_t i = 0; i < r->window_count; i++)
        if (r->windows[i].traced == traced)
            return r->windows[i].window;
    if (r->window_count == WINDOWS_MAX)
        return r->windows[WINDOWS_MAX - 1].window;
    bigger = mem_realloc(r->windows, (r->window_count + 1) * sizeof(*bigger));
    if (!bigger)
        return NULL;
    r->windows = bigger;
    bigger[r->window_count].traced = traced;
    bigger[r->window_count].window = window_create(r->window_count, width, height);
    return bigger[r->window_count++].window;
}

void replay_windows_fini(struct replay *r)
{
    for (size_t i = 0; i < r->window_count; i++)
        window_destroy(r->windows[i].window);
    mem_free(r->windows);
    r->windows = NULL;
    r->window_count = 0;
}
