/* What surfaces held when they were read last: a picture costs the rows that have changed since.
 * Private to pictures.c. */
#ifndef TOOL_FRAME_SURFACE_H
#define TOOL_FRAME_SURFACE_H

#include "draw/draw.h"
#include "tool/image/image.h"
#include "tool/image/png_bands.h"

/* Bounds of what is kept; the one used longest ago goes first. */
enum { FRAME_SURFACES = 16 };
#define FRAME_SURFACE_BYTES ((size_t)256 << 20)

/* A picture of a surface. */
struct frame_form {
    struct tool_image image;
    struct png_bands *bands; /* NULL: not written yet, or not kept */
    uint8_t *stale;          /* by row: `image` is older than the values; NULL: never made */
    uint64_t hash;           /* of `image` */
    bool hashed;
};
enum frame_form_kind {
    FRAME_PLAIN, /* values from 0 to 1 as bytes */
    FRAME_GREY,  /* the first channel, from its least to its greatest value */
    FRAME_FORMS
};

struct frame_surface {
    const struct tex_image *from;
    const struct tex_format *format;
    uint32_t face, level, width, height, samples;
    bool kept;        /* in the table; else the caller destroys it */
    uint64_t version; /* of the image when it was read; UINT64_MAX: the image may have gone */
    uint64_t used;
    size_t bytes;      /* that it may take */
    size_t row_bytes;  /* of a sample in `raw` */
    uint8_t *raw;      /* rows as the surface has them, a row's samples together */
    float *values;     /* 4 a pixel; NULL unless the format is wide */
    float *low, *high; /* 4 a row */
    float least[4], most[4];
    float grey_low, grey_high; /* the range of FRAME_GREY's image */
    struct frame_form form[FRAME_FORMS];
};
struct frame_surfaces {
    struct frame_surface *surface[FRAME_SURFACES]; /* NULL: free */
    uint64_t clock;
    size_t bytes, most; /* of those in the table; what they may take, FRAME_SURFACE_BYTES */
};

/* Whether 8 bits do not hold the format's values: depth and floating-point numbers. */
bool frame_surface_is_wide(const struct tex_format *format);
/* Reads a surface whose pending pixels were rendered. keep: it will be read again, after changes.
 * Release it after use. ST_NOMEM. */
MUST_CHECK enum status frame_surface_read(struct frame_surfaces *all,
                                          const struct draw_target *target, bool keep,
                                          struct frame_surface **out);
void frame_surface_release(struct frame_surface *surface);
/* Makes the picture of this kind current, with its hash. FRAME_GREY: the format is wide. */
MUST_CHECK enum status frame_surface_form(struct frame_surface *surface, enum frame_form_kind kind);
/* Writes the current picture as PNG. */
MUST_CHECK enum status frame_surface_write(struct frame_surface *surface, enum frame_form_kind kind,
                                           const char *path);
/* Images may have gone. */
void frame_surfaces_forget(struct frame_surfaces *all);
void frame_surfaces_fini(struct frame_surfaces *all);

#endif
