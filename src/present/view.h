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
void view_free(struct view_memory *memory);

/* The frame in X8R8G8B8: in its own memory where it can stay, else in `memory`. *pitch: pixels from
 * a row to the next. */
MUST_CHECK enum status view_pixels(struct view_memory *memory, const struct present_frame *frame,
                                   const struct view_gamma *gamma, const uint32_t **out,
                                   uint32_t *pitch);
/* The HUD as it looks over the corner of `dst` where `src` of the pixels is stretched over it:
 * *rect is its place, memory->pixels its pixels, without gaps. ST_NOTFOUND where there is no room.
 */
MUST_CHECK enum status view_panel(struct view_memory *memory, const struct hud *hud,
                                  const uint32_t *pixels, uint32_t pitch,
                                  const struct view_rect *src, const struct view_rect *dst,
                                  struct view_rect *rect);

#endif
