/* A window of macOS that shows pictures with Metal, and its events. Positions and sizes are pixels
 * of the picture's area, counted from its upper left corner.
 *
 * AppKit allows windows in the first thread of a process alone: all functions must be called there,
 * but metal_window_size and metal_window_show, which any other thread may call meanwhile. */
#ifndef PRESENT_METAL_WINDOW_H
#define PRESENT_METAL_WINDOW_H

#include "present/monitor/view.h"

enum metal_event_type {
    METAL_EVENT_OTHER,
    METAL_EVENT_CLOSE, /* the user has closed the window; comes again until metal_window_close */
    METAL_EVENT_KEY,
    METAL_EVENT_MOTION,
    METAL_EVENT_WHEEL
};

struct metal_event {
    enum metal_event_type type;
    int32_t key;          /* KEY: code as of SDL, which is the character or one of window/keys.h */
    bool repeated;        /* KEY: it was held down */
    int32_t x, y, dx, dy; /* MOTION: the position, and the way from the last one */
    bool left_button;     /* MOTION: it is down */
    int32_t steps;        /* WHEEL: 1 away from the user, -1 towards the user */
};

struct metal_window;
struct metal_picture {
    struct view_image image;
    enum present_scaling scaling;
    enum present_filter filter;
    const struct hud *hud; /* NULL: none */
};

/* Opens a window with an area of `size` points (width, height). vsync: frames wait for the
 * display's refresh. ST_UNSUPPORTED: the system has no Metal, or this is not the first thread;
 * ST_IO: a step failed. Both are logged. */
MUST_CHECK enum status metal_window_open(struct metal_window **out, const char *title,
                                         const uint32_t size[2], bool vsync);
/* No other thread may use the window any more. NULL is allowed. */
void metal_window_close(struct metal_window *window);
/* Whether this system has what a window needs; *missing, if not: a name to print. */
bool metal_window_possible(const char **missing);

/* The next event of the user; false: none is waiting. */
bool metal_window_event(struct metal_window *window, struct metal_event *out);
/* Reads the size of the window and whether it can be seen, for the functions below. */
void metal_window_measure(struct metal_window *window);
/* Width and height in pixels; 0, 0 while the window cannot be seen. */
void metal_window_size(struct metal_window *window, uint32_t size[2]);
/* Changes the area to a number of points, and measures it. */
void metal_window_resize(struct metal_window *window, const uint32_t size[2]);
/* Shows a picture; copies it. Does nothing while the window cannot be seen. ST_IO: logged. */
MUST_CHECK enum status metal_window_show(struct metal_window *window,
                                         const struct metal_picture *picture);

#endif
