/* Heads-up display: statistics of recent frames, drawn into a panel over the frame. Private to
 * present. */
#ifndef PRESENT_MONITOR_HUD_H
#define PRESENT_MONITOR_HUD_H

#include "present/present.h"

enum {
    HUD_FPS = 1,
    HUD_FRAMETIMES = 2,
    HUD_DRAWS = 4,
    HUD_MEMORY = 8,
    HUD_VERSION = 16,
    HUD_SIMD = 32,
    HUD_THREADS = 64,
    HUD_PIPELINES = 128,
    HUD_FULL = 255
};
enum { HUD_COLUMNS = PRESENT_TIMES }; /* width of the graph in frames */

/* All zero except items: a panel of scale 1 that leaves the picture's light. */
struct hud {
    unsigned items;
    unsigned scale;   /* pixels of the window for a pixel of the panel; 0: 1 */
    unsigned opacity; /* percent of the picture's light that the panel takes */
    enum present_corner corner;
    char note[PRESENT_TEXT_BYTES];    /* further lines; empty: none */
    char message[PRESENT_TEXT_BYTES]; /* the last lines; shown without items too */
    struct present_counters counters;
    uint64_t last;                 /* time of the last frame in nanoseconds; 0: none yet */
    uint32_t time_us[HUD_COLUMNS]; /* frame times, ring buffer */
    uint32_t n_times;              /* total count */
    uint64_t window;               /* start of the averaging window */
    uint32_t window_frames;
    double fps, mean_ms, worst_ms; /* of the last averaging window */
};

void hud_init(struct hud *hud, const struct present_options *options);
/* Takes over the options that change while frames are shown: all but the note. */
void hud_use_options(struct hud *hud, const struct present_options *options);
/* Parses a list of items such as "fps,draws", or "full", to bits; NULL: 0. Logs unknown items. */
unsigned hud_parse(const char *list);
/* Records that a frame is shown now. */
void hud_frame(struct hud *hud, uint64_t now, const struct present_counters *counters);
/* Writes times of frames, oldest first. */
void hud_figures(const struct hud *hud, struct present_figures *out);
/* Size of the panel at a scale. */
void hud_size(const struct hud *hud, unsigned scale, uint32_t *width, uint32_t *height);
/* Draws the panel over X8R8G8B8 pixels; pitch: pixels per row. */
void hud_paint(const struct hud *hud, unsigned scale, uint32_t *pixels, uint32_t pitch);

#endif
