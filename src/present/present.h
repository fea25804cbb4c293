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
    uint64_t bytes; /* current size of all resources */
};

/* A finished frame; borrowed for the duration of the call. */
struct present_frame {
    const struct tex_format *format;
    const uint8_t *data;
    uint32_t width, height, row_pitch; /* pixels, pixels, bytes */
    int32_t src[4], dst[4]; /* rectangles left, top, right, bottom; all zero: the whole image */
    uint64_t window;        /* HWND of the swap chain or the Present call; 0: none */
    bool whole_window;      /* full-screen device: also covers the window's caption and borders */
    uint32_t refreshes;     /* minimum monitor refreshes that the previous frame stays; 0: any */
    uint32_t refresh_rate;  /* monitor refreshes per second */
    uint32_t chain;         /* swap chain number; 0 is the implicit one */
    uint64_t number;        /* counts frames of this chain from 0 */
    struct present_counters counters;
};

/* Presentation settings of the user. All zero: the default sink without pacing. */
struct present_options {
    /* Sinks separated by commas: "png:DIR", "window", … (sink/sinks.def). NULL: "window" on
     * Windows, "none" elsewhere. */
    const char *sinks;
    unsigned queue;       /* maximum queued frames; 0: frames are on disk when Present returns */
    unsigned frame_limit; /* frames per second of a chain; 0: no limit */
    bool vsync;           /* honour present_frame.refreshes */
    const char *hud;      /* subset of "fps,frametimes,draws,memory", or NULL */
    /* Key name such as "F12". Pressed in the program's window, it writes the next frame to a new
     * file in the folder. Both strings are borrowed; NULL: no key. */
    const char *screenshot_key, *screenshot_dir;
};

struct present; /* the sinks of one device */

/* Opens all sinks. Returns ST_INVALID for an unknown sink or option. A sink whose file or device
 * cannot be opened is skipped. Both are logged. */
MUST_CHECK enum status present_create(struct present **out, const struct present_options *options);
void present_destroy(struct present *present);
/* Ends frame pacing. May be called from threads other than the presenting one. */
void present_stop_pacing(struct present *present);
/* Returns whether a sink of this process could not write all frames to a file; logged. */
bool present_lost_frames(void);
/* Returns whether a sink shows frames live, so that they need pacing. */
bool present_is_live(const struct present *present);
/* Returns whether a sink writes files, which must be complete if the program ends abruptly. */
bool present_is_persistent(const struct present *present);
/* Sets the gamma ramp of full-screen frames from the next frame on: red, green, blue; 65535 is full
 * intensity. NULL: identity. Thread-safe. */
void present_set_gamma(struct present *present, const uint16_t ramp[3][256]);
/* Waits for the frame's presentation time if a sink is live, then passes the frame to all sinks. A
 * sink that fails is logged and removed. */
void present_show(struct present *present, const struct present_frame *frame);

/* Converts a frame to rows of 8-bit R, G, B without padding; rgb holds width * height * 3 bytes.
 * Returns ST_UNSUPPORTED if the format cannot be displayed. */
MUST_CHECK enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb);

#endif
