/* The HUD: figures of the last frames in a panel, for whoever shows frames to people. Private to
 * present. */
#ifndef PRESENT_HUD_H
#define PRESENT_HUD_H

#include "present/present.h"

enum { HUD_FPS = 1, HUD_FRAMETIMES = 2, HUD_DRAWS = 4, HUD_MEMORY = 8 };
enum { HUD_COLUMNS = 180 }; /* frames in the graph */

/* Zeroed but for items. */
struct hud {
    unsigned items;
    struct present_counters counters;
    uint64_t last;                 /* when a frame came, in nanoseconds; 0: none did */
    uint32_t time_us[HUD_COLUMNS]; /* from frame to frame, a ring */
    uint32_t n_times;              /* ever */
    uint64_t window;               /* when the next mean began */
    uint32_t window_frames;
    double fps, mean_ms, worst_ms; /* of the last window */
};

/* "fps,frametimes,draws,memory" or some of them as bits; NULL: none. Others are logged. */
unsigned hud_parse(const char *list);
/* A frame is shown now. */
void hud_frame(struct hud *hud, uint64_t now, const struct present_counters *counters);
void hud_size(const struct hud *hud, uint32_t *width, uint32_t *height);
/* Puts the panel over what is there: X8R8G8B8, `pitch` pixels from a row to the next. */
void hud_paint(const struct hud *hud, uint32_t *pixels, uint32_t pitch);

#endif
