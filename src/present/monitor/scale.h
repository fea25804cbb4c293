/* Scales pictures to the size of a window with exact integer arithmetic. Private to present. */
#ifndef PRESENT_MONITOR_SCALE_H
#define PRESENT_MONITOR_SCALE_H

#include "present/monitor/view.h"

/* One axis: `size` pixels, of which those from `first` on are written, show `pixels` pixels. */
struct scale_axis {
    enum present_filter filter;
    uint32_t pixels, size, first, n;
};

/* Pixels a and b of the source with weights 128 - weight and weight, which add up to 128. */
struct scale_tap {
    uint32_t a, b, weight;
};

/* Pixel i of n that show m pixels (linear) has its centre at (2i + 1) m / 2n - 1/2 of the source;
 * it mixes the pixels on both sides, and the weight is rounded to the nearest 128th. Positions
 * outside the source are moved to its edge. PRESENT_SHARP: the same for a source that is enlarged
 * by the largest whole number that does not exceed n / m; its pixel p shows pixel p / that number.
 * PRESENT_NEAREST: floor(i m / n). */
struct scale_tap scale_tap_of(const struct scale_axis *axis, uint32_t i);

/* Tables and rows of the last picture. All zero: empty. */
struct scaler {
    struct scale_axis columns;
    int32_t *a, *b, *weights; /* of the columns, in one block that begins at a */
    uint16_t *rows, *row[2];  /* rows of the source, scaled to all columns, in one block */
    uint32_t held[2];         /* their numbers; UINT32_MAX: none */
    uint32_t room;            /* columns that the blocks have room for */
};
/* Scales `src` of the image, inside which it must lie, to `dst` of `to`; clips dst. */
MUST_CHECK enum status scale_image(struct scaler *scaler, enum present_filter filter,
                                   const struct view_image *to, const struct view_rect *dst,
                                   const struct view_image *from, const struct view_rect *src);
void scaler_fini(struct scaler *scaler);

#endif
