/* What `novem view` shows and what keys and mouse do to it, without any window system. */
#ifndef TOOL_VIEW_VIEWER_H
#define TOOL_VIEW_VIEWER_H

#include "present/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VIEWER_BAR = 26,        /* rows of text below the picture */
    VIEWER_ZOOM_MIN = -3,   /* powers of two: 1:8 */
    VIEWER_ZOOM_MAX = 6,    /* 64:1 */
    VIEWER_ZOOM_VALUES = 5, /* from here on pixels show their values */
};

/* Keys as SDL numbers them. */
enum {
    VIEWER_KEY_ESCAPE = 27,
    VIEWER_KEY_RIGHT = 0x4000004f,
    VIEWER_KEY_LEFT = 0x40000050,
    VIEWER_KEY_DOWN = 0x40000051,
    VIEWER_KEY_UP = 0x40000052,
};

/* What is left for the caller to do. */
enum viewer_action { VIEWER_NOTHING, VIEWER_QUIT, VIEWER_SAVE };

/* Zeroed but for name, width and height: nothing to see yet. */
struct viewer {
    const char *name;              /* of the shared memory, for the bar */
    struct frames_picture picture; /* no pixels: nobody has written yet */
    uint64_t hash;
    bool has_writer; /* somebody writes */
    bool paused, step;
    uint32_t width, height;   /* of the window, with the bar */
    int zoom;                 /* the picture's pixels are 2^zoom wide */
    int32_t left, top;        /* of the picture in the window */
    bool moved;               /* the user did; else it stays in the middle */
    int32_t mouse_x, mouse_y; /* in the window */
    uint64_t second;          /* when the count below began */
    uint32_t frames, fps;     /* shown since; in the second before */
};

/* Whether the newest frame is wanted now. */
bool viewer_wants_frame(const struct viewer *viewer);
/* Takes a picture, whose pixels stay the caller's; now in nanoseconds. */
void viewer_take(struct viewer *viewer, const struct frames_picture *picture, uint64_t hash,
                 uint64_t now);

void viewer_resize(struct viewer *viewer, uint32_t width, uint32_t height);
/* Zooms in or out by a step, what is under the mouse stays. */
void viewer_zoom(struct viewer *viewer, int by);
void viewer_drag(struct viewer *viewer, int32_t dx, int32_t dy);
enum viewer_action viewer_key(struct viewer *viewer, int32_t key);

/* Pixels of the picture from its corner to a place that far away, downwards. */
static inline int32_t viewer_unscaled(int32_t n, int zoom)
{
    return zoom < 0 ? n * (1 << -zoom) : n >> zoom;
}
/* The pixel of the picture at a place of the window; false: there is none. */
bool viewer_pixel_at(const struct viewer *viewer, int32_t x, int32_t y, uint32_t *px, uint32_t *py);

/* The whole window: X8R8G8B8, `pitch` pixels from a row to the next. */
void viewer_paint(const struct viewer *viewer, uint32_t *out, uint32_t pitch);

#endif
