/* Heads-up display: statistics of recent frames, drawn into a panel over the frame. Private to
 * present. */
#ifndef PRESENT_MONITOR_HUD_H
#define PRESENT_MONITOR_HUD_H

#include "present/present.h"

enum { HUD_FPS = 1, HUD_FRAMETIMES = 2, HUD_DRAWS = 4, HUD_MEMORY = 8 };
enum { HUD_COLUMNS = 180 }; /* width of the graph in frames */

/* All zero except items. */
struct hud {
    unsigned items;
    struct present_counters counters;
    uint64_t last;                 /* time of the last frame in nanoseconds; 0: none yet */
    uint32_t time_us[HUD_COLUMNS]; /* frame times, ring buffer */
    uint32_t n_times;              /* total count */
    uint64_t window;               /* start of the averaging window */
    uint32_t window_frames;
    double fps, mean_ms, worst_ms; /* of the last averaging window */
};

/* Parses a subset of "fps,frametimes,draws,memory" to bits; NULL: 0. Logs unknown items. */
unsigned hud_parse(const char *list);
/* Records that a frame is shown now. */
void hud_frame(struct hud *hud, uint64_t now, const struct present_counters *counters);
void hud_size(const struct hud *hud, uint32_t *width, uint32_t *height);
/* Draws the panel over X8R8G8B8 pixels; pitch: pixels per row. */
void hud_paint(const struct hud *hud, uint32_t *pixels, uint32_t pitch);

#endif
