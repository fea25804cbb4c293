/* What a full-screen device does to the display and to the program's windows: it sets the mode,
 * covers the monitor with its device window, and watches the messages of its focus window, to give
 * the screen back while the program is in the background (reference: device/full-screen). Natively
 * there are no windows, and a full-screen device is like any other. */
#ifndef API_FULLSCREEN_H
#define API_FULLSCREEN_H

#include "api/com.h"

#include <stdbool.h>

enum screen_state {
    SCREEN_OURS,   /* also where no screen was taken */
    SCREEN_LOST,   /* the program is in the background */
    SCREEN_BACK,   /* it came back; only Ex devices take the screen again by themselves */
    SCREEN_CHANGED /* somebody else changed the mode */
};

struct fullscreen_args {
    UINT adapter, width, height, refresh; /* 0: any */
    HWND focus, window;                   /* whose messages are watched; what covers the screen */
    bool keep_windows;                    /* D3DCREATE_NOWINDOWCHANGES */
    bool ex;
};

/* Zeroed: takes no screen. The messages of the focus window may come in another thread than calls
 * of the device. */
struct fullscreen {
    struct fullscreen_args args;
    bool active;
    bool guarded; /* the program has not moved the window yet */
    atomic_int state;
};

/* Takes the screen, or takes it with other arguments. ST_NOMEM leaves everything as it was. */
MUST_CHECK enum status api_fullscreen_enter(struct fullscreen *screen,
                                            const struct fullscreen_args *args);
/* Gives it back: the modes of the registry, the window's own procedure. Windows stay where they
 * are. Does nothing where no screen was taken. */
void api_fullscreen_leave(struct fullscreen *screen);
enum screen_state api_fullscreen_state(const struct fullscreen *screen);

#endif
