/* Model of `novem view` without a window system: the shown picture and its reaction to keys and
 * mouse. */
#ifndef TOOL_VIEW_VIEWER_H
#define TOOL_VIEW_VIEWER_H

#include "present/shared/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VIEWER_BAR = 26,        /* height of the status bar below the picture */
    VIEWER_ZOOM_MIN = -3,   /* powers of two: 1:8 */
    VIEWER_ZOOM_MAX = 6,    /* 64:1 */
    VIEWER_ZOOM_VALUES = 5, /* from this zoom on pixels show their values */
};

/* Action that remains for the caller. */
enum viewer_action { VIEWER_NOTHING, VIEWER_QUIT, VIEWER_SAVE };

/* Initially zero except name, width and height: no picture. */
struct viewer {
    const char *name;              /* of the shared memory, for the status bar */
    struct frames_picture picture; /* no pixels: no frame was written yet */
    uint64_t hash;
    bool has_writer; /* a writer is connected */
    bool paused, step;
    uint32_t width, height;   /* of the window, including the status bar */
    int zoom;                 /* a picture pixel is 2^zoom window pixels wide */
    int32_t left, top;        /* position of the picture in the window */
    bool moved;               /* the user has moved the picture; false: it stays centred */
    int32_t mouse_x, mouse_y; /* in the window */
    uint64_t second;          /* start of the current second */
    uint32_t frames, fps;     /* frames shown since; count of the previous second */
};

/* Whether the viewer wants the newest frame now. */
bool viewer_wants_frame(const struct viewer *viewer);
/* Shows a picture, whose pixels the caller keeps; now: nanoseconds. */
void viewer_take(struct viewer *viewer, const struct frames_picture *picture, uint64_t hash,
                 uint64_t now);

void viewer_resize(struct viewer *viewer, uint32_t width, uint32_t height);
/* Zooms by one step around the mouse position. */
void viewer_zoom(struct viewer *viewer, int by);
void viewer_drag(struct viewer *viewer, int32_t dx, int32_t dy);
/* key: a code of present/window/keys.h. */
enum viewer_action viewer_key(struct viewer *viewer, int32_t key);

/* Converts a window distance to picture pixels, rounded down. */
static inline int32_t viewer_unscaled(int32_t n, int zoom)
{
    return zoom < 0 ? n * (1 << -zoom) : n >> zoom;
}
/* The picture pixel at a window position; false: outside the picture. */
bool viewer_pixel_at(const struct viewer *viewer, int32_t x, int32_t y, uint32_t *px, uint32_t *py);

/* Paints the whole window: X8R8G8B8, `pitch` in pixels. */
void viewer_paint(const struct viewer *viewer, uint32_t *out, uint32_t pitch);

#endif
