/* Frame as a monitor shows it: gamma ramp, Present's rectangles, and the HUD panel. Private to
 * present. */
#ifndef PRESENT_MONITOR_VIEW_H
#define PRESENT_MONITOR_VIEW_H

#include "present/monitor/hud.h"

/* Maps channels of the frame to channels of the monitor: red, green, blue. */
struct view_gamma {
    uint8_t table[3][256];
};

/* Per-frame display data. */
struct present_view {
    const struct hud *hud;          /* NULL: none */
    const struct view_gamma *gamma; /* NULL: none */
    enum present_scaling scaling;
    enum present_filter filter;
};

struct view_rect {
    int32_t left, top, right, bottom;
};

/* A sink's buffer for converted pixels. All zero: empty. */
struct view_memory {
    uint32_t *pixels;
    size_t n;
};
/* Makes room for at least n pixels. */
MUST_CHECK enum status view_reserve(struct view_memory *memory, size_t n);
void view_free(struct view_memory *memory);

/* X8R8G8B8; pitch: pixels per row. */
struct view_image {
    uint32_t *pixels, pitch, width, height;
};
/* Returns the whole frame: its own memory if no conversion is needed, else `memory`. */
MUST_CHECK enum status view_pixels(struct view_memory *memory, const struct present_frame *frame,
                                   const struct view_gamma *gamma, struct view_image *out);
/* Returns a rectangle of Present, or the whole image if all four numbers are 0. */
struct view_rect view_rect_or(const int32_t from[4], int32_t width, int32_t height);
/* Returns whether the rectangle lies inside the frame and is not empty. */
bool view_rect_inside(const struct view_rect *rect, const struct present_frame *frame);

/* Stretches with point sampling, as GDI does. `src` must lie inside the image; `dst` is clipped. */
void view_stretch(const struct view_image *to, const struct view_rect *dst,
                  const struct view_image *from, const struct view_rect *src);

/* Persistent image for sinks without a window that keeps its contents: it has the back buffer's
 * size and starts black, and Present's rectangles are copied into it. All zero: new. */
struct canvas {
    struct view_memory converted, shown;
    uint32_t width, height; /* of `shown`; 0 while all frames covered everything */
};
/* Applies the frame. *out: the current image, borrowed until the next call; may be the frame's own
 * memory. */
MUST_CHECK enum status canvas_update(struct canvas *canvas, const struct present_frame *frame,
                                     const struct view_gamma *gamma, struct view_image *out);
/* Like canvas_update, but copies the current image to `to`, which has the frame's size. */
MUST_CHECK enum status canvas_copy(struct canvas *canvas, const struct present_frame *frame,
                                   const struct view_gamma *gamma, const struct view_image *to);
void canvas_fini(struct canvas *canvas);

/* Renders the HUD panel over the corner of `dst` to which `src` is stretched: *rect is its
 * rectangle, memory->pixels its pixels, without padding. Returns ST_NOTFOUND if it does not fit. */
MUST_CHECK enum status view_panel(struct view_memory *memory, const struct hud *hud,
                                  const struct view_image *image, const struct view_rect *src,
                                  const struct view_rect *dst, struct view_rect *rect);
/* Draws the HUD panel into a corner of the rectangle, which lies inside the image; nothing if it
 * does not fit. */
void view_draw_panel(const struct hud *hud, const struct view_image *image,
                     const struct view_rect *area);

#endif
