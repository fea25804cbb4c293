/* Pictures of surfaces for answers: PNG files named by their contents, and exact values. */
#ifndef TOOL_FRAME_PICTURES_H
#define TOOL_FRAME_PICTURES_H

#include "draw/draw.h"
#include "tool/frame/answer.h"
#include "tool/frame/surface.h"

#include <cjson/cJSON.h>

enum { FRAME_PICTURES_KEPT = 64 };

/* A picture that was written. */
struct frame_picture {
    char name[FRAME_PICTURE_NAME]; /* "HASH.png" */
    float low[4], high[4];         /* the least and the greatest value of each channel */
    bool ranged; /* 0 to 255 in the file stand for `low` to `high` of the first channel */
    bool raw;    /* "HASH.f32" has the values */
    const char *format;
    uint32_t width, height;
};

/* Bytes of exact values in a folder of a whole frame. */
enum { FRAME_RAW_ON_DISK = 64 << 20 };

/* Writes pictures to folder/images. Remembers the last ones, as long as no image goes, and what
 * the surfaces of the last ones held. */
struct frame_pictures {
    const char *folder;
    /* Bytes of exact values that may still be written, of depth and floating-point formats. */
    size_t raw_left;
    bool embedded; /* the page has the values; answers do not name their files */
    int error;     /* errno of the first failure, or 0 */
    struct {
        struct draw_target target;
        uint64_t version;
        struct frame_picture picture;
    } kept[FRAME_PICTURES_KEPT];
    unsigned next;
    struct frame_surfaces surfaces;
};
void frame_pictures_fini(struct frame_pictures *pictures);

/* Pending pixels were rendered (draw_flush). changes: the surface is a target, so the next picture
 * of it will differ in some rows. ST_UNSUPPORTED: there is nothing to show. ST_IO: `error` says
 * why. */
MUST_CHECK enum status frame_picture_write(struct frame_pictures *pictures,
                                           const struct draw_target *target, bool changes,
                                           struct frame_picture *out);
/* The picture of values from 0 to 1 alone, also of depth. */
MUST_CHECK enum status frame_picture_write_plain(struct frame_pictures *pictures,
                                                 const struct draw_target *target, bool changes,
                                                 char name[FRAME_PICTURE_NAME]);
/* Colours of n counts, 4 bytes each: from blue (1) to red (the greatest count) by their logarithms;
 * 0 is transparent. mask: all counts are magenta. Returns the greatest count. */
uint32_t frame_counts_paint(uint8_t *rgba, const uint32_t *counts, size_t n, bool mask);
/* Counts of pixels as colours. `high` is the greatest count. */
MUST_CHECK enum status frame_picture_write_counts(struct frame_pictures *pictures,
                                                  const uint32_t *counts, uint32_t width,
                                                  uint32_t height, bool mask,
                                                  struct frame_picture *out);
/* Images may have gone. */
void frame_pictures_forget(struct frame_pictures *pictures);
/* As answers have it. */
cJSON *frame_picture_json(const struct frame_picture *picture);

#endif
