/* Which pixels of a picture a correct renderer may draw otherwise, and how far: the picture is
 * rendered by every member of a family of conforming renderers (util/variant.h), each in a process of
 * its own. docs/uncertainty.md has what they vary, and why. */
#ifndef TOOL_MASK_MASK_H
#define TOOL_MASK_MASK_H

#include "tool/tool.h"

#include <stdint.h>

struct mask {
    struct tool_image reference; /* as the reference renders it */
    struct tool_image low, high; /* of each channel the least and most that any member has */
    uint8_t *classes; /* of each pixel those that it depends on: enum variant_class, bits;
                         0: every correct renderer has the reference's value */
};

/* What is rendered: a scene (.d9t), or frames of a capture. */
struct mask_input {
    const char *file;
    uint64_t first, last; /* frames of a capture; of a scene 0 and 0 */
    unsigned jobs;        /* processes at a time; 0: one a processor */
    const char *variants; /* NULL: all; else only those whose names begin so */
};
enum { MASK_MESSAGE = 512 };

/* Fills n masks, one a frame (those past the capture's end stay empty), and their number. On
 * failure there is a message and nothing to free. */
MUST_CHECK enum status mask_make(const struct mask_input *input, struct mask *out, unsigned n,
                                 unsigned *made, char message[MASK_MESSAGE]);
void mask_fini(struct mask *mask); /* one of zeros is allowed */

/* The pixels at which some member is more than `tolerance` off, their classes as colours: edge red,
 * texel green, depth blue, arithmetic adds dark yellow, undefined dark magenta; black is certain.
 */
MUST_CHECK enum status mask_picture(const struct mask *mask, unsigned tolerance,
                                    struct tool_image *out);

/* How a picture compares. Pixels at which no member is more than `tolerance` off in a channel are
 * certain; they have to be the reference's, give or take the tolerance. The others have to lie
 * between low and high, give or take tolerance + 1 and half of their distance, since deviations
 * may add up. */
struct mask_verdict {
    uint64_t pixels, uncertain; /* of the picture; those in the mask */
    uint64_t outside;           /* pixels that are wrong outside of the mask */
    uint64_t beyond;            /* and inside: further off than the family goes */
    uint64_t inside;            /* pixels that differ from the reference as the mask allows */
    unsigned max_difference;    /* the largest difference of a channel outside */
    uint64_t of_class[5];       /* uncertain pixels, by bit of enum variant_class */
};
/* ST_INVALID where sizes differ. candidate may be NULL: the mask alone is counted. */
MUST_CHECK enum status mask_compare(const struct mask *mask, const struct tool_image *candidate,
                                    unsigned tolerance, struct mask_verdict *out);

/* render.c: calls back with each picture in the order of frames, in a process that is made for it.
 */
struct variant;
struct mask_stream;
/* Starts rendering; the pictures come through the stream. variant NULL: the reference. */
MUST_CHECK enum status mask_stream_open(struct mask_stream **out, const struct mask_input *input,
                                        const struct variant *variant);
/* The next picture, which the caller frees. MASK_BROKEN: the process did not come to its end. */
enum mask_next { MASK_PICTURE, MASK_END, MASK_BROKEN };
enum mask_next mask_stream_next(struct mask_stream *stream, uint64_t *frame,
                                struct tool_image *out);
void mask_stream_close(struct mask_stream *stream); /* ends the process; NULL is allowed */

#endif
