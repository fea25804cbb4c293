/* Where finished frames go: sinks behind one interface, chosen by name. */
#ifndef PRESENT_PRESENT_H
#define PRESENT_PRESENT_H

#include "tex/format.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the program did for a frame. */
struct present_counters {
    uint32_t draws;
    uint64_t primitives;
    uint64_t bytes; /* of resources now */
};

/* A finished frame; borrowed for the call. */
struct present_frame {
    const struct tex_format *format;
    const uint8_t *data;
    uint32_t width, height, row_pitch; /* pixels, pixels, bytes */
    int32_t src[4], dst[4]; /* rectangles left, top, right, bottom; all zero: everything */
    uint64_t window;        /* HWND of the swap chain or of the Present call; 0: none */
    bool whole_window; /* of a full-screen device: a window's caption and borders are covered too */
    uint32_t refreshes;    /* of the monitor, that the frame before stays for at least; 0: any */
    uint32_t refresh_rate; /* of the monitor, a second */
    uint32_t chain;        /* number of the swap chain, 0 is the implicit one */
    uint64_t number;       /* counts frames of this chain from 0 */
    struct present_counters counters;
};

struct present_sink;
struct present_view; /* what people see that is not in the image */

/* What the program's user wishes. Zeroed: the usual sink, and frames as they come. */
struct present_options {
    /* "png:DIR", "window" and so on (sinks.def), several separated by commas; NULL: "window" on
     * Windows and "none" elsewhere */
    const char *sinks;
    unsigned queue;       /* frames that may wait to be written; 0: they are on disk when shown */
    unsigned frame_limit; /* frames a second of a chain; 0: no limit */
    bool vsync;           /* frames mind present_frame.refreshes */
    const char *hud;      /* "fps,frametimes,draws,memory", some of them, or NULL */
    /* "F12" and the like: pressed in the program's window it writes the next frame to a new file in
     * the folder, which stays where it is; NULL: no key */
    const char *screenshot_key, *screenshot_dir;
};

/* Whether people watch, who want frames at their time: all, or those that have a window. */
enum present_pacing { PRESENT_PACE_NONE, PRESENT_PACE_WINDOWS, PRESENT_PACE_ALL };

struct present_sink_ops {
    const char *name; /* "none", "png", "window" */
    bool persistent;  /* what it was given outlives the program */
    enum present_pacing pacing;
    /* target: what stands after "name:" in NOVEM_SINK, or ""; both are borrowed for the call.
     * ST_UNSUPPORTED: there is no such thing here, and the program goes on without it. */
    enum status (*open)(struct present_sink **out, const char *target,
                        const struct present_options *options);
    enum status (*show)(struct present_sink *sink, const struct present_frame *frame,
                        const struct present_view *view);
    void (*close)(struct present_sink *sink);
};

struct present; /* the sinks of one device */

/* A sink that nobody knows, or with a wrong option, is ST_INVALID; one whose file or device cannot
 * be opened is left out. Both are logged. */
MUST_CHECK enum status present_create(struct present **out, const struct present_options *options);
void present_destroy(struct present *present);
/* Frames do not wait for their time any more; for threads other than the one that shows. */
void present_stop_pacing(struct present *present);
/* Whether some sink shows frames to people, who want them at their time. */
bool present_is_live(const struct present *present);
/* Whether some sink makes files of frames, which a program that ends at once must find whole. */
bool present_is_persistent(const struct present *present);
/* From the next frame on, full-screen devices' frames go through the ramp: red, green, blue, 65535
 * is full. NULL: as they are. For any thread. */
void present_set_gamma(struct present *present, const uint16_t ramp[3][256]);
/* Waits until it is the frame's time, where somebody watches. A sink that fails is logged and
 * dropped; the program goes on. */
void present_show(struct present *present, const struct present_frame *frame);

/* A frame as rows of 8-bit R, G, B without padding; rgb holds width * height * 3 bytes.
 * ST_UNSUPPORTED where the format cannot be shown. */
MUST_CHECK enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb);

#endif
