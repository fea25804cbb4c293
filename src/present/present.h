/* Where finished frames go: sinks behind one interface, chosen by name. */
#ifndef PRESENT_PRESENT_H
#define PRESENT_PRESENT_H

#include "tex/format.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finished frame; borrowed for the call. */
struct present_frame {
    const struct tex_format *format;
    const uint8_t *data;
    uint32_t width, height, row_pitch; /* pixels, pixels, bytes */
    int32_t src[4], dst[4]; /* rectangles left, top, right, bottom; all zero: everything */
    uint64_t window;        /* HWND of the swap chain or of the Present call; 0: none */
    bool whole_window; /* of a full-screen device: a window's caption and borders are covered too */
    uint32_t chain;    /* number of the swap chain, 0 is the implicit one */
    uint64_t number;   /* counts frames of this chain from 0 */
};

struct present_sink;

struct present_sink_ops {
    const char *name; /* "none", "png", "window" */
    bool lasts;       /* what it was given outlives the program */
    /* target: what stands after "name:" in NOVEM_SINK, or "". */
    enum status (*open)(struct present_sink **out, const char *target);
    enum status (*show)(struct present_sink *sink, const struct present_frame *frame);
    void (*close)(struct present_sink *sink);
};

struct present; /* the sinks of one device */

/* spec: "png:DIR", "window", "none", several separated by commas; NULL: the environment's
 * NOVEM_SINK, and where that is unset "window" on Windows and "none" elsewhere. An unknown name is
 * ST_INVALID, logged. */
MUST_CHECK enum status present_create(struct present **out, const char *spec);
void present_destroy(struct present *present);
/* Whether some sink makes files of frames, which a program that ends at once must find whole. */
bool present_lasts(const struct present *present);
/* A sink that fails is logged and dropped; the program goes on. */
void present_show(struct present *present, const struct present_frame *frame);

/* A frame as rows of 8-bit R, G, B without padding; rgb holds width * height * 3 bytes.
 * ST_UNSUPPORTED where the format cannot be shown. */
MUST_CHECK enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb);

#endif
