/* Presentation interface: passes finished frames to sinks, which are selected by name. */
#ifndef PRESENT_PRESENT_H
#define PRESENT_PRESENT_H

#include "tex/format.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statistics of the frame. */
struct present_counters {
    uint32_t draws;
    uint64_t primitives;
    uint64_t bytes;     /* current size of all resources */
    uint32_t threads;   /* that render, including the calling one */
    uint64_t pipelines; /* compiled for combinations of states, so far */
};

/* A finished frame; borrowed for the duration of the call. */
struct present_frame {
    const struct tex_format *format;
    const uint8_t *data;
    uint32_t width, height, row_pitch; /* pixels, pixels, bytes */
    int32_t src[4], dst[4]; /* rectangles left, top, right, bottom; all zero: the whole image */
    uint64_t window;        /* HWND of the swap chain or the Present call; 0: none */
    bool full_screen;       /* of a full-screen device, also in a window: has a gamma ramp */
    bool whole_window;      /* full-screen device: also covers the window's caption and borders */
    uint32_t refreshes;     /* minimum monitor refreshes that the previous frame stays; 0: any */
    uint32_t refresh_rate;  /* monitor refreshes per second */
    uint32_t chain;         /* swap chain number; 0 is the implicit one */
    uint64_t number;        /* counts frames of this chain from 0 */
    struct present_counters counters;
};

/* How a picture fills the area of a window that has another size. */
enum present_scaling {
    PRESENT_STRETCH, /* all of it */
    PRESENT_ASPECT,  /* the largest centred rectangle of the picture's shape; the rest is black */
    PRESENT_INTEGER  /* the largest whole multiple of the picture; if none fits, as ASPECT */
};
/* How pixels of the picture become pixels of the window (monitor/scale.h). */
enum present_filter { PRESENT_NEAREST, PRESENT_LINEAR, PRESENT_SHARP };

enum present_corner {
    PRESENT_TOP_LEFT,
    PRESENT_TOP_RIGHT,
    PRESENT_BOTTOM_LEFT,
    PRESENT_BOTTOM_RIGHT
};
/* Longest text of the HUD, with its end. */
enum { PRESENT_TEXT_BYTES = 256 };

/* Presentation settings of the user. All zero: the default sink without pacing. */
struct present_options {
    /* Sinks separated by commas: "png:DIR", "window", … (sink/sinks.def). NULL: "window" on
     * Windows, "none" elsewhere. */
    const char *sinks;
    unsigned queue;       /* maximum queued frames; 0: frames are on disk when Present returns */
    unsigned frame_limit; /* frames per second of a chain; 0: no limit */
    bool vsync;           /* honour present_frame.refreshes */
    const char *hud;      /* items such as "fps,draws", or "full" (monitor/hud.h); NULL: none */
    unsigned hud_scale;   /* pixels of the window for a pixel of the HUD, if it fits; 0: 1 */
    unsigned hud_opacity; /* percent of the picture's light that the HUD takes */
    enum present_corner hud_corner;
    /* Further lines of the HUD: the settings in force that change pictures. Copied; NULL: none. */
    const char *hud_note;
    /* Key name such as "F12". Pressed in the program's window, it writes the next frame to a new
     * file in the folder. Both strings are borrowed; NULL: no key. */
    const char *screenshot_key, *screenshot_dir;
    enum present_scaling scaling; /* in the sink "window" */
    enum present_filter filter;
    const char *frame_log; /* CSV file for the times of all frames; borrowed; NULL: none */
    bool measured;         /* present_get_figures will be called */
};

/* Times of recent frames of the implicit swap chain, and what the last one was. */
enum { PRESENT_TIMES = 180 };
struct present_figures {
    uint64_t frames;                          /* shown since the creation */
    uint64_t last;                            /* clock_now() of the last one; 0: none */
    uint32_t mean_us, worst_us;               /* over half a second; 0: not known yet */
    uint32_t n_times, time_us[PRESENT_TIMES]; /* oldest first */
    const struct tex_format *format;          /* of the last frame; NULL: none */
    uint32_t width, height;
    bool whole_window;
    struct present_counters counters;
    char message[PRESENT_TEXT_BYTES]; /* of present_message, as long as the HUD shows it; else empty
                                       */
};

struct present; /* the sinks of one device */

/* Opens all sinks. Returns ST_INVALID for an unknown sink or option. A sink whose file or device
 * cannot be opened is skipped. Both are logged. */
MUST_CHECK enum status present_create(struct present **out, const struct present_options *options);
void present_destroy(struct present *present);
/* Ends frame pacing. May be called from threads other than the presenting one. */
void present_stop_pacing(struct present *present);
/* Of a present that is `measured`: applies the options that can change while frames are shown, from
 * the next frame on (frame_limit, vsync, scaling, filter, and those of the HUD but its note). The
 * string is borrowed until the next call. Thread-safe. */
void present_change(struct present *present, const struct present_options *options);
/* Of a present that is `measured`: the next frame becomes a screenshot, as with the key.
 * Thread-safe. */
void present_request_screenshot(struct present *present);
/* Of a present that is `measured`. Thread-safe. */
void present_get_figures(struct present *present, struct present_figures *out);
/* The items of the HUD by number; NULL: no more. */
const char *present_hud_item(unsigned index);
/* Returns whether a sink or frame log of this process could not write all frames to a file;
 * logged. */
bool present_lost_frames(void);
/* Returns whether a sink shows frames live, so that they need pacing. */
bool present_is_live(const struct present *present);
/* Returns whether a sink writes files, which must be complete if the program ends abruptly. */
bool present_is_persistent(const struct present *present);
/* Sets the gamma ramp of full-screen frames from the next frame on: red, green, blue; 65535 is full
 * intensity. NULL: identity. Thread-safe. */
void present_set_gamma(struct present *present, const uint16_t ramp[3][256]);
/* Shows a text such as "screenshot saved: FILE" over the frames in windows for some seconds, also
 * without a HUD. Thread-safe. */
void present_message(struct present *present, const char *format, ...) PRINTF_LIKE(2, 3);
/* Gives sinks the program's thread, before a frame of the implicit swap chain with this size
 * (width, height) is passed on: some systems allow windows in one thread alone. */
void present_attend(struct present *present, const uint32_t size[2]);
/* Waits for the frame's presentation time if a sink is live, then passes the frame to all sinks. A
 * sink that fails is logged and removed. */
void present_show(struct present *present, const struct present_frame *frame);

/* Where a picture appears in the area of a window; sizes are width and height in pixels. rect:
 * left, top, right, bottom, relative to the area. An empty picture or area gives an empty one. */
void present_place(enum present_scaling scaling, const uint32_t picture[2], const uint32_t area[2],
                   int32_t rect[4]);
/* Maps a position in the area, such as the mouse's, to the pixel of the picture that is shown
 * there; one outside the picture, such as in a black bar, to the nearest pixel at the edge. */
void present_to_picture(enum present_scaling scaling, const uint32_t picture[2],
                        const uint32_t area[2], int32_t position[2]);
/* Maps a pixel of the picture to the middle of the positions in the area that show it. */
void present_from_picture(enum present_scaling scaling, const uint32_t picture[2],
                          const uint32_t area[2], int32_t position[2]);

/* Converts a frame to rows of 8-bit R, G, B without padding; rgb holds width * height * 3 bytes.
 * Returns ST_UNSUPPORTED if the format cannot be displayed. */
MUST_CHECK enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb);

#endif
