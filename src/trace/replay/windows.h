/* Windows of a replay: one for each window handle of the recorded program. */
#ifndef TRACE_REPLAY_WINDOWS_H
#define TRACE_REPLAY_WINDOWS_H

#include <windows.h>

#include <stddef.h>
#include <stdint.h>

struct replay_window {
    uint64_t traced;
    HWND window;
};

struct window_list {
    struct replay_window *windows;
    size_t count;
    void *(*open)(void *ctx, uint32_t width, uint32_t height); /* NULL: windows of this module */
    void *ctx;
};

/* Returns the window for a recorded handle; creates it at its first use. NULL if out of memory. */
HWND window_for(struct window_list *list, uint64_t traced, uint32_t width, uint32_t height);
void windows_fini(struct window_list *list);

#endif
