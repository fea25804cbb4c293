/* The window of `novem view`: Metal on macOS, SDL 2 elsewhere. Sizes and positions are pixels. */
#ifndef TOOL_VIEW_SCREEN_H
#define TOOL_VIEW_SCREEN_H

#include "util/status.h"

#include <stdbool.h>
#include <stdint.h>

enum screen_event_type {
    SCREEN_OTHER, /* the window must be painted again */
    SCREEN_QUIT,
    SCREEN_KEY,
    SCREEN_MOTION,
    SCREEN_WHEEL
};

struct screen_event {
    enum screen_event_type type;
    int32_t key;          /* KEY: present/window/keys.h */
    int32_t x, y, dx, dy; /* MOTION: the position, and the way from the last one */
    bool left_button;     /* MOTION: it is down */
    int32_t steps;        /* WHEEL: more than 0 away from the user, less towards the user */
};

/* X8R8G8B8; pitch: pixels from row to row. */
struct screen_pixels {
    uint32_t *pixels, pitch, width, height;
};

struct screen;

struct screen_ops {
    MUST_CHECK enum status (*open)(struct screen **out, const char *title, uint32_t width,
                                   uint32_t height);
    void (*close)(struct screen *screen);
    bool (*next_event)(struct screen *screen, struct screen_event *out); /* false: none waits */
    void (*resize)(struct screen *screen, uint32_t width, uint32_t height);
    /* Memory for all pixels of the window, whose contents are lost; none while it cannot be seen.
     */
    MUST_CHECK enum status (*begin)(struct screen *screen, struct screen_pixels *out);
    MUST_CHECK enum status (*end)(struct screen *screen); /* shows them */
};
extern const struct screen_ops screen_sdl, screen_metal;

/* What this system has; failures of its functions are logged. */
const struct screen_ops *screen_of_system(void);

#endif
