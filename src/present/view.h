/* What people are shown: the frame as a monitor wants it, and the HUD over it. Private to present.
 */
#ifndef PRESENT_VIEW_H
#define PRESENT_VIEW_H

#include "present/hud.h"

/* From channels of the frame to those of the monitor: red, green, blue. */
struct view_gamma {
    uint8_t table[3][256];
};

/* Comes with each frame; NULL: none. */
struct present_view {
    const struct hud *hud;
    const struct view_gamma *gamma;
};

struct view_rect {
    int32_t left, top, right, bottom;
};

/* Memory of a sink for converted pixels. Zeroed: none. */
struct view_memory {
    uint32_t *pixels;
    size_t n;
};
/* Room for n pixels at least. */
MUST_CHECK enum status view_reserve(struct view_memory *memory, size_t n);
void view_free(struct view_memory *memory);

/* The frame in X8R8G8B8: in its own memory where it can stay, else in `memory`. *pitch: pixels from
 * a row to the next. */
MUST_CHECK enum status view_pixels(struct view_memory *memory, const struct present_frame *frame,
                                   const struct view_gamma *gamma, const uint32_t **out,
                                   uint32_t *pitch);
/* A rectangle of Present, or everything where all four numbers are 0. */
struct view_rect view_rect_or(const int32_t from[4], int32_t width, int32_t height);
/* It is not empty either. */
bool view_rect_inside(const struct view_rect *rect, const struct present_frame *frame);

/* X8R8G8B8; pitch: pixels from a row to the next. */
struct view_image {
    uint32_t *pixels, pitch, width, height;
};
/* Nearest pixels, as GDI takes them. `src` lies inside, what of `dst` does not is left out. */
void view_stretch(const struct view_image *to, const struct view_rect *dst,
                  const struct view_image *from, const struct view_rect *src);

/* What people see where there is no window that could keep it: an area of the back buffer's size,
 * into which the rectangles of Present go. It is black until something does. Zeroed: new. */
struct canvas {
    struct view_memory converted, shown;
    uint32_t width, height; /* of `shown`; 0 while all frames went everywhere */
};
/* *out: what is seen now, borrowed until the next call, perhaps the frame's own pixels. */
MUST_CHECK enum status canvas_update(struct canvas *canvas, const struct present_frame *frame,
                                     const struct view_gamma *gamma, struct view_image *out);
/* The same, copied to an image of the frame's size. */
MUST_CHECK enum status canvas_copy(struct canvas *canvas, const struct present_frame *frame,
                                   const struct view_gamma *gamma, const struct view_image *to);
void canvas_fini(struct canvas *canvas);

/* The HUD as it looks over the corner of `dst` where `src` of the pixels is stretched over it:
 * *rect is its place, memory->pixels its pixels, without gaps. ST_NOTFOUND where there is no room.
 */
MUST_CHECK enum status view_panel(struct view_memory *memory, const struct hud *hud,
                                  const uint32_t *pixels, uint32_t pitch,
                                  const struct view_rect *src, const struct view_rect *dst,
                                  struct view_rect *rect);

#endif
