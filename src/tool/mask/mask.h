/* Uncertainty masks: the pixels that a conforming renderer may render differently from the
 * reference, with bounds.
 *
 * Every variant renderer (util/variant.h) renders the picture in a process of its own.
 * docs/uncertainty.md describes what the variants change and why. */
#ifndef TOOL_MASK_MASK_H
#define TOOL_MASK_MASK_H

#include "tool/image/image.h"

#include <stdint.h>

struct variant;

int tool_mask(int argc, char **argv); /* `novem mask` */

/* A mask names a variant by its place in the list of all variants. */
enum { MASK_VARIANTS = 64 };

struct mask {
    struct tool_image reference; /* the unperturbed rendering */
    struct tool_image low, high; /* minimum and maximum of each channel over all variants */
    uint8_t *classes;  /* classes of variants that change the pixel, bits of enum variant_class; 0:
                        * certain */
    uint64_t *members; /* variants that change the pixel by more than the input's tolerance; bit n
                        * is variant n */
    uint64_t used;     /* variants whose pictures were taken */
    uint8_t (*why)[4]; /* the colour of the input's pixel in each variant */
};

/* The input: a scene (.d9t), or frames of a capture. */
struct mask_input {
    const char *file;
    uint64_t first, last; /* frames of a capture; 0 and 0 for a scene */
    unsigned jobs;        /* concurrent processes; 0: one per processor */
    const char *variants; /* prefix of the variants' names; NULL: all variants */
    unsigned tolerance;   /* of mask.members */
    unsigned why[2];      /* x and y of a pixel whose colours are kept */
};
enum { MASK_MESSAGE = 512 };

/* Fills n masks, one per frame, and sets *made to their number; masks past the capture's end stay
 * empty. On failure it sets the message and there is nothing to free. */
MUST_CHECK enum status mask_make(const struct mask_input *input, struct mask *out, unsigned n,
                                 unsigned *made, char message[MASK_MESSAGE]);
void mask_fini(struct mask *mask); /* a zeroed mask is allowed */

/* Colours the pixels at which a variant deviates by more than `tolerance` by class: edge red, texel
 * green, depth blue; arithmetic adds dark yellow, undefined dark magenta. Black pixels are
 * certain. */
MUST_CHECK enum status mask_picture(const struct mask *mask, unsigned tolerance,
                                    struct tool_image *out);

/* Result of a comparison. A pixel is certain if no variant deviates by more than `tolerance` in any
 * channel; it must equal the reference within the tolerance. Other pixels must lie between low and
 * high, extended by tolerance + tool_pixel_slack. */
struct mask_verdict {
    uint64_t pixels, uncertain; /* all pixels; uncertain pixels */
    uint64_t outside;           /* wrong pixels outside the mask */
    uint64_t beyond;            /* wrong pixels in the mask: outside the extended bounds */
    uint64_t inside;            /* pixels that differ from the reference within the mask's bounds */
    unsigned max_difference;    /* largest channel difference outside the mask */
    uint64_t of_class[5];       /* uncertain pixels of each class, by bit of enum variant_class */
};
/* candidate may be NULL: then only the mask is counted. ST_INVALID: the sizes differ. */
MUST_CHECK enum status mask_compare(const struct mask *mask, const struct tool_image *candidate,
                                    unsigned tolerance, struct mask_verdict *out);

/* why.c: which variants make pixels uncertain. */
struct mask_member {
    uint64_t pixels; /* that the variant changes by more than the tolerance */
    uint64_t alone;  /* those that no other variant changes so much */
};
void mask_count_members(const struct mask *mask, struct mask_member out[MASK_VARIANTS]);
/* Prints the variants that change pixel x, y, and its colour in each; false: there is no such
 * pixel. */
bool mask_print_why(const struct mask *mask, const struct mask_input *input);
void mask_print_members(const struct mask *mask);

/* render.c: renders in a child process and streams its pictures in order of frames. */
struct mask_stream;
/* Starts a renderer. variant NULL: the reference. */
MUST_CHECK enum status mask_stream_open(struct mask_stream **out, const struct mask_input *input,
                                        const struct variant *variant);
/* Reads the next picture, which the caller frees. MASK_BROKEN: the process ended early. */
enum mask_next { MASK_PICTURE, MASK_END, MASK_BROKEN };
enum mask_next mask_stream_next(struct mask_stream *stream, uint64_t *frame,
                                struct tool_image *out);
/* Why the stream is broken; "" if nothing is known. */
const char *mask_stream_reason(const struct mask_stream *stream);
void mask_stream_close(struct mask_stream *stream); /* ends the process; NULL is allowed */

#endif
