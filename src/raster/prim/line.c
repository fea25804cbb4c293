/* Pixels of a line that a primitive describes (reference: raster/lines).
 *
 * Tested by tests/unit/raster/setup/test_line.c. */
#include "raster/prim/prim.h"

static int64_t floor_div(int64_t a, int64_t b) /* b > 0 */
{
    int64_t q = a / b;

    return q - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return -floor_div(-a, b);
}

int32_t raster_line_minor(const struct raster_line *line, int32_t major)
{
    int64_t at = line->offset + (int64_t)major * SUBPIXEL * line->slope;

    return (int32_t)ceil_div(at, (int64_t)SUBPIXEL * line->length);
}
