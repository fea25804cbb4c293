/* Windows of a replay: one for each window handle of the recorded program.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/windows.h"

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

HWND window_for(struct window_list *list, uint64_t traced, uint32_t width, uint32_t height)
{
    struct replay_window *bigger;

    for (size_t i = 0; i < list->count; i++)
        if (list->windows[i].traced == traced)
            return list->windows[i].window;
    if (list->count == WINDOWS_MAX)
        return list->windows[WINDOWS_MAX - 1].window;
    bigger = mem_realloc(list->windows, (list->count + 1) * sizeof(*bigger));
    if (!bigger)
        return NULL;
    list->windows = bigger;
    bigger[list->count].traced = traced;
    bigger[list->count].window = list->open ? (HWND)list->open(list->ctx, width, height)
                                            : window_create(list->count, width, height);
    return bigger[list->count++].window;
}

void windows_fini(struct window_list *list)
{
    for (size_t i = 0; i < list->count && !list->open; i++)
        window_destroy(list->windows[i].window);
    mem_free(list->windows);
    *list = (struct window_list){0};
}
