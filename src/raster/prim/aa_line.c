/* Coverage of antialiased lines: the area that a pixel's square shares with the rectangle along the
 * line (reference: raster/lines-antialias).
 *
 * Coordinates are integers in 1/65536 pixel. The rectangle is the intersection of four half planes,
 * whose functions are exact at the corners of pixels.
 *
 * Tested by tests/unit/raster/prim/test_aa_line.c. */
#include "raster/prim/prim.h"

#include "util/variant.h"

#include <math.h>

enum { FIXED_BITS = 16, FIXED_ONE = 1 << FIXED_BITS, AREAS = 65536 };

/* To nearest even; for values below 2^51. */
static int32_t round_even(double value)
{
    const double magic = 0x1.8p52;

    return (int32_t)((value + magic) - magic);
}

/* Half a pixel at a right angle to the line, for the component `across` of its direction. */
static int32_t half_width(int64_t across, double length)
{
    return round_even((double)(across * (FIXED_ONE / 2)) / length);
}

/* Pixels whose squares reach into low … high. */
static void pixel_range(int64_t a, int64_t b, int32_t *first, int32_t *end)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;

    *first = (int32_t)((low + FIXED_ONE / 2) >> FIXED_BITS);
    *end = (int32_t)((high + FIXED_ONE / 2 + FIXED_ONE - 1) >> FIXED_BITS);
}

bool raster_aa_line_init(struct raster_aa_line *line, int32_t rect[4], const int32_t from[2],
                         const int32_t to[2])
{
    int64_t dx = (int64_t)to[0] - from[0], dy = (int64_t)to[1] - from[1];
    int64_t x = (int64_t)from[0] * (FIXED_ONE / SUBPIXEL),
            y = (int64_t)from[1] * (FIXED_ONE / SUBPIXEL);
    int64_t end_x = (int64_t)to[0] * (FIXED_ONE / SUBPIXEL),
            end_y = (int64_t)to[1] * (FIXED_ONE / SUBPIXEL);
    double length = sqrt((double)(dx * dx + dy * dy));
    int32_t hx, hy;
    int64_t at_x = -FIXED_ONE / 2 - x, at_y = -FIXED_ONE / 2 - y, side, along;

    if (!dx && !dy)
        return false;
    hx = half_width(-dy, length);
    hy = half_width(dx, length);
    line->a[0] = (int32_t)-dy;
    line->b[0] = (int32_t)dx;
    line->a[1] = hy;
    line->b[1] = -hx;
    side = line->a[0] * at_x + line->b[0] * at_y;
    along = line->a[1] * at_x + line->b[1] * at_y;
    line->c[0] = dx * hy - dy * hx + side;
    line->c[1] = dx * hy - dy * hx - side;
    line->c[2] = along;
    line->c[3] = (FIXED_ONE / SUBPIXEL) * (dx * hy - dy * hx) - along;
    pixel_range((x < end_x ? x : end_x) - (hx < 0 ? -hx : hx),
                (x < end_x ? end_x : x) + (hx < 0 ? -hx : hx), &rect[0], &rect[2]);
    pixel_range((y < end_y ? y : end_y) - (hy < 0 ? -hy : hy),
                (y < end_y ? end_y : y) + (hy < 0 ? -hy : hy), &rect[1], &rect[3]);
    return true;
}

/* A half plane: value + across * u + down * v >= 0 at (u, v) pixels from the corner of a pixel. */
struct half_plane {
    int64_t value, across, down;
};

static struct half_plane half_plane(const struct raster_aa_line *line, unsigned i, int32_t x,
                                    int32_t y)
{
    int64_t sign = i & 1 ? -1 : 1;
    struct half_plane plane = {.across = sign * line->a[i / 2] * FIXED_ONE,
                               .down = sign * line->b[i / 2] * FIXED_ONE};

    plane.value = line->c[i] + plane.across * x + plane.down * y;
    return plane;
}

/* Largest and smallest value in a square of `size` pixels. */
static int64_t highest(const struct half_plane *plane, int32_t size)
{
    return plane->value +
           size * ((plane->across > 0 ? plane->across : 0) + (plane->down > 0 ? plane->down : 0));
}

static int64_t lowest(const struct half_plane *plane, int32_t size)
{
    return plane->value +
           size * ((plane->across < 0 ? plane->across : 0) + (plane->down < 0 ? plane->down : 0));
}

bool raster_aa_line_touches(const struct raster_aa_line *line, int32_t x, int32_t y, int32_t size)
{
    for (unsigned i = 0; i < 4; i++) {
        struct half_plane plane = half_plane(line, i, x, y);

        if (highest(&plane, size) <= 0)
            return false;
    }
    return true;
}

/* --- Area ------------------------------------------------------------------------------------- */

/* A convex polygon in a pixel's square. */
enum { MAX_CORNERS = 12 };
struct area {
    double u[MAX_CORNERS], v[MAX_CORNERS];
    unsigned n;
};

static void add(struct area *area, double u, double v)
{
    if (area->n == MAX_CORNERS)
        return;
    area->u[area->n] = u;
    area->v[area->n++] = v;
}

static void cut(struct area *area, const struct half_plane *plane)
{
    const struct area old = *area;
    double distance[MAX_CORNERS];

    for (unsigned i = 0; i < old.n; i++)
        distance[i] = (double)plane->value + (double)plane->across * old.u[i] +
                      (double)plane->down * old.v[i];
    area->n = 0;
    for (unsigned i = 0; i < old.n; i++) {
        unsigned j = i + 1 == old.n ? 0 : i + 1;

        if (distance[i] >= 0.0)
            add(area, old.u[i], old.v[i]);
        if ((distance[i] >= 0.0) != (distance[j] >= 0.0)) {
            double t = distance[i] / (distance[i] - distance[j]);

            add(area, old.u[i] + t * (old.u[j] - old.u[i]), old.v[i] + t * (old.v[j] - old.v[i]));
        }
    }
}

static double size_of(const struct area *area)
{
    double twice = 0.0;

    for (unsigned i = 1; i + 1 < area->n; i++)
        twice += (area->u[i] - area->u[0]) * (area->v[i + 1] - area->v[0]) -
                 (area->u[i + 1] - area->u[0]) * (area->v[i] - area->v[0]);
    return 0.5 * twice;
}

static double area_of(const struct raster_aa_line *line, int32_t x, int32_t y)
{
    struct area area = {.u = {0.0, 1.0, 1.0, 0.0}, .v = {0.0, 0.0, 1.0, 1.0}, .n = 4};

    for (unsigned i = 0; i < 4; i++) {
        struct half_plane plane = half_plane(line, i, x, y);

        if (highest(&plane, 1) <= 0)
            return 0.0;
        if (lowest(&plane, 1) < 0)
            cut(&area, &plane);
    }
    return size_of(&area);
}

/* --- Coverage of variant renderers ------------------------------------------------------------ */

static double clamped(double value)
{
    return value > 1.0 ? 1.0 : value > 0.0 ? value : 0.0;
}

/* 1 where the pixel's centre is half a pixel or more inside of a side, 0 where it is half a pixel
 * or more outside; the least across the line, times the least along it. */
static double distance_coverage(const struct raster_aa_line *line, int32_t x, int32_t y)
{
    double part[2] = {1.0, 1.0};

    for (unsigned i = 0; i < 4; i++) {
        struct half_plane plane = half_plane(line, i, x, y);
        double across = (double)plane.across, down = (double)plane.down;
        double centre = (double)plane.value + 0.5 * (across + down);
        double inside = clamped(centre / sqrt(across * across + down * down) + 0.5);

        if (inside < part[i / 2])
            part[i / 2] = inside;
    }
    return part[0] * part[1];
}

static double varied(const struct raster_aa_line *line, int32_t x, int32_t y, double area)
{
    double distance = distance_coverage(line, x, y);

    return variant_current->coverage == VARIANT_DISTANCE ? distance
                                                         : clamped(2.0 * area - distance);
}

float raster_aa_line_coverage(const struct raster_aa_line *line, int32_t x, int32_t y)
{
    double coverage = area_of(line, x, y);

    if (variant_current && variant_current->coverage)
        coverage = varied(line, x, y, coverage);
    return (float)round_even(coverage * AREAS) / AREAS;
}
