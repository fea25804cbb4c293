/* Coverage oracle: the rules of docs/reference.md for triangles, lines and points in exact integer
 * arithmetic. Slow, and independent of the code in src/raster. Positions are in 1/256 pixel. */
#ifndef TESTS_UNIT_RASTER_ORACLE_H
#define TESTS_UNIT_RASTER_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef __int128 wide;

struct exact_point {
    int64_t x, y;
};

/* raster/subpixel: the float times 256, rounded to the nearest integer, ties to even; from the
 * float's bits. Values below 2^40. */
static inline int64_t exact_snap(float pixels)
{
    uint32_t bits;
    int64_t mantissa, whole, rest;
    int exponent;

    memcpy(&bits, &pixels, sizeof(bits));
    exponent = (int)(bits >> 23 & 255);
    mantissa = (int64_t)(bits & 0x7fffff) | (exponent ? 0x800000 : 0);
    exponent -= 150 - 8; /* value = mantissa * 2^exponent, in subpixels */
    if (exponent >= 0) {
        whole = mantissa << exponent;
    } else if (exponent < -40) {
        whole = 0;
    } else {
        whole = mantissa >> -exponent;
        rest = mantissa - (whole << -exponent);
        rest = 2 * rest - (INT64_C(1) << -exponent); /* above 0: past the middle */
        whole += rest > 0 || (rest == 0 && (whole & 1));
    }
    return bits >> 31 ? -whole : whole;
}

static inline wide exact_floor(wide a, wide b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

static inline int64_t exact_ceil(wide a, wide b)
{
    wide q = -exact_floor(-a, b);

    return q < INT32_MIN ? INT32_MIN : q > INT32_MAX ? INT32_MAX : (int64_t)q;
}

/* --- Triangles -------------------------------------------------------------------------------- */

/* raster/top-left as scan conversion. A triangle has a row whose centres lie on or below its upper
 * end and above its lower end. In the row it has the pixels from the left crossing, inclusive, to
 * the right one, exclusive. first == end: none. */
static inline void exact_row(const struct exact_point v[3], int64_t row, int64_t *first,
                             int64_t *end)
{
    int64_t y = row * 256, cross[3];
    unsigned n = 0;

    *first = *end = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct exact_point *a = &v[i], *b = &v[(i + 1) % 3];

        if (a->y > b->y) {
            const struct exact_point *swap = a;

            a = b;
            b = swap;
        }
        /* Horizontal edges bound no row; others own their upper end. The first pixel at or right of
         * the crossing: x >= ax + (y - ay) * (bx - ax) / (by - ay). */
        if (y >= a->y && y < b->y)
            cross[n++] = exact_ceil((wide)a->x * (b->y - a->y) + (wide)(y - a->y) * (b->x - a->x),
                                    (wide)256 * (b->y - a->y));
    }
    if (n != 2) /* the row crosses no edges */
        return;
    *first = cross[0] < cross[1] ? cross[0] : cross[1];
    *end = cross[0] < cross[1] ? cross[1] : cross[0];
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* raster/lines: a diamond contains its two lower sides and the bottom corner of its outline, and
 * for steep lines also the right corner. */
static inline bool exact_in_diamond(wide dx, wide dy, wide half, bool steep)
{
    wide reach = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);

    return reach < half || (reach == half && (dy > 0 || (steep && dy == 0 && dx > 0)));
}

struct exact_range {
    wide low_n, low_d, high_n, high_d; /* of t, as fractions with positive denominators */
};

/* Keeps t with c + k * t <= 0. */
static inline void exact_keep(struct exact_range *r, wide c, wide k)
{
    if (k > 0) { /* t <= -c / k */
        if (-c * r->high_d < r->high_n * k) {
            r->high_n = -c;
            r->high_d = k;
        }
    } else if (k < 0) { /* t >= c / -k */
        if (c * r->low_d > r->low_n * -k) {
            r->low_n = c;
            r->low_d = -k;
        }
    } else if (c > 0) {
        r->low_n = 2; /* nothing */
        r->low_d = 1;
    }
}

static inline bool exact_at(const struct exact_point *a, const struct exact_point *b, int64_t px,
                            int64_t py, wide n, wide d, bool steep)
{
    return exact_in_diamond((a->x - px * 256) * d + (b->x - a->x) * n,
                            (a->y - py * 256) * d + (b->y - a->y) * n, 128 * d, steep);
}

/* Whether the line from a to b meets the pixel's diamond. Its part in the closed diamond is a range
 * of t, which can share an end, or all of it, with the outline; so both ends and the middle are
 * tested. */
static inline bool exact_meets(const struct exact_point *a, const struct exact_point *b, int64_t px,
                               int64_t py, bool steep)
{
    int64_t dx = b->x - a->x, dy = b->y - a->y, ox = a->x - px * 256, oy = a->y - py * 256;
    struct exact_range r = {0, 1, 1, 1};

    for (int sx = -1; sx <= 1; sx += 2)
        for (int sy = -1; sy <= 1; sy += 2)
            exact_keep(&r, sx * ox + sy * oy - 128, sx * dx + sy * dy);
    if (r.low_n * r.high_d > r.high_n * r.low_d)
        return false;
    return exact_at(a, b, px, py, r.low_n, r.low_d, steep) ||
           exact_at(a, b, px, py, r.high_n, r.high_d, steep) ||
           exact_at(a, b, px, py, r.low_n * r.high_d + r.high_n * r.low_d, 2 * r.low_d * r.high_d,
                    steep);
}

/* A pixel is drawn if the line exits its diamond, or, if last, ends in it. */
static inline bool exact_line(const struct exact_point *a, const struct exact_point *b, int64_t px,
                              int64_t py, bool last)
{
    wide dx = b->x - a->x, dy = b->y - a->y;
    bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);

    if (!dx && !dy)
        return false;
    return exact_meets(a, b, px, py, steep) &&
           (last || !exact_in_diamond(b->x - px * 256, b->y - py * 256, 128, steep));
}

/* --- Points ----------------------------------------------------------------------------------- */

/* point/size: from the point minus half the size, inclusive, to plus half the size, exclusive. */
static inline bool exact_square(const struct exact_point *at, int64_t half, int64_t px, int64_t py)
{
    return px * 256 >= at->x - half && px * 256 < at->x + half && py * 256 >= at->y - half &&
           py * 256 < at->y + half;
}

#endif
