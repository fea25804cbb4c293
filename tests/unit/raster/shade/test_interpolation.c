/* Interpolated values against exact rational arithmetic, on every way to shade a pixel (reference:
 * raster/interpolation, raster/perspective). */
#include "check_main.h"
#include "fixture.h"

#include <math.h>

/* Attributes and 1/w are multiples of 1/ATTR_ONE, positions of 1/256. */
enum { ATTR_ONE = 8, MAX_ATTR = 64, EDGE = 48, ATTRS = 4 };

typedef __int128 big;

/* Corners in subpixels, attributes and 1/w in units. */
struct exact_triangle {
    int32_t x[3], y[3], attr[3][ATTRS], rhw[3];
};

/* Ways to shade: blocks and quads, blocks one by one, single fragments, small tiles, samples. */
static const struct way {
    struct raster_options options;
    bool needs_quads;
    uint32_t samples;
} ways[] = {
    {{.tile = 64}, true, 1},  {{.tile = 64, .no_packing = true}, true, 1},
    {{.tile = 64}, false, 1}, {{.tile = 8}, true, 1},
    {{.tile = 64}, true, 4},
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static int64_t area_of(const struct exact_triangle *t)
{
    return (int64_t)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
           (int64_t)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
}

/* The value at a pixel times ATTR_ONE, as a fraction. */
static void find_exact_value(const struct exact_triangle *t, unsigned a, int32_t x, int32_t y,
                             big *numerator, big *denominator)
{
    int64_t dx = x * 256 - t->x[0], dy = y * 256 - t->y[0];
    big b1 = (big)dx * (t->y[2] - t->y[0]) - (big)dy * (t->x[2] - t->x[0]);
    big b2 = (big)dy * (t->x[1] - t->x[0]) - (big)dx * (t->y[1] - t->y[0]);
    const big weight[3] = {(area_of(t) - b1 - b2) * t->rhw[0], b1 * t->rhw[1], b2 * t->rhw[2]};

    *numerator = *denominator = 0;
    for (unsigned i = 0; i < 3; i++) {
        *numerator += weight[i] * t->attr[i][a];
        *denominator += weight[i];
    }
}

/* Whether a float has the value of the fraction. */
static bool is_float(big numerator, big denominator)
{
    double value = (double)numerator / (double)denominator;

    return (double)(float)value == value && (big)(value * 0x1p30) == value * 0x1p30 &&
           (big)(value * 0x1p30) * denominator == numerator * (1 << 30);
}

static unsigned exact_values;

static void check_value(const struct exact_triangle *t, unsigned a, int32_t x, int32_t y, float got,
                        bool inside)
{
    int32_t least = t->attr[0][a], most = least;
    big numerator, denominator;
    double value;

    find_exact_value(t, a, x, y, &numerator, &denominator);
    if ((denominator > 0) != (area_of(t) > 0) || denominator == 0)
        return; /* a centre outside the triangle and behind the eye */
    denominator *= ATTR_ONE;
    value = (double)numerator / (double)denominator;
    for (unsigned i = 1; i < 3; i++) {
        least = t->attr[i][a] < least ? t->attr[i][a] : least;
        most = t->attr[i][a] > most ? t->attr[i][a] : most;
    }
    if (is_float(numerator, denominator)) {
        ck_assert_msg(got == (float)value, "(%d, %d), attribute %u: %a, not %a", x, y, a, got,
                      value);
        exact_values++;
    }
    ck_assert_msg(fabs(got - value) <= fabs(value) * 0x1.00001p-24 + 0x1p-30,
                  "(%d, %d), attribute %u: %a, not %a", x, y, a, got, value);
    if (inside)
        ck_assert_msg(got * ATTR_ONE >= (float)least && got * ATTR_ONE <= (float)most,
                      "(%d, %d), attribute %u: %a leaves the range", x, y, a, got);
}

/* Draws the triangle, or with `twin` also the other half of its parallelogram, and compares all
 * pixels. */
static void check_triangle(const struct exact_triangle *t, const struct way *way, uint32_t width,
                           uint32_t height, bool twin)
{
    struct vertex v[6];
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, width, height, way->samples, D3DFMT_A32B32G32R32F, D3DFMT_UNKNOWN);
    raster_destroy(c.raster);
    ck_assert_int_eq(raster_create(&c.raster, c.pool), ST_OK);
    raster_set_options(c.raster, &way->options);
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
    default_state(&c, &s);
    s.needs_quads = way->needs_quads;
    for (unsigned i = 0; i < 6; i++) {
        unsigned k = i == 3 ? 2 : i == 4 ? 1 : i % 3;
        float x = (float)t->x[k], y = (float)t->y[k];

        if (i == 5) {
            x = (float)(t->x[1] + t->x[2] - t->x[0]);
            y = (float)(t->y[1] + t->y[2] - t->y[0]);
        }
        v[i] = vertex_at(x / 256.0f, y / 256.0f, 0.5f, 0);
        v[i].rhw = (float)t->rhw[i == 5 ? 0 : k] / ATTR_ONE;
        for (unsigned a = 0; a < ATTRS; a++)
            v[i].rgba[a] =
                (float)(i == 5 ? t->attr[1][a] + t->attr[2][a] - t->attr[0][a] : t->attr[k][a]) /
                ATTR_ONE;
    }
    memset(c.memory[0], 0xff, c.bytes[0]);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, twin ? 6 : 3), ST_OK);
    raster_flush(c.raster);
    for (uint32_t i = 0; i < width * height; i++) {
        const struct raster_surface *to = &c.targets.colour[0];
        float got[ATTRS];

        memcpy(got, to->data + (i / width) * to->row_pitch + i % width * sizeof(got), sizeof(got));
        for (unsigned a = 0; a < ATTRS && !isnan(got[0]); a++)
            check_value(t, a, (int32_t)(i % width), (int32_t)(i / width), got[a],
                        !twin && way->samples == 1);
    }
    canvas_close(&c);
}

/* Position as attribute, over the whole canvas: pixel (0, 0) is at (-1, 1). _i: the way. */
START_TEST(positions_are_exact)
{
    for (int32_t size = 1; size <= 80; size += size < 20 ? 1 : 7) {
        int32_t half = size * 128;
        struct exact_triangle t = {
            .x = {-half, -half, 5 * half},
            .y = {3 * half, -3 * half, 3 * half},
            .attr = {{-16, -16, -16, 0}, {-16, 32, 0, 8}, {32, -16, 16, -8}},
            .rhw = {8, 8, 8},
        };

        for (unsigned first = 0; first < 3; first++) {
            struct exact_triangle turned;

            for (unsigned i = 0; i < 3; i++) {
                turned.x[i] = t.x[(first + i) % 3];
                turned.y[i] = t.y[(first + i) % 3];
                turned.rhw[i] = t.rhw[(first + i) % 3];
                memcpy(turned.attr[i], t.attr[(first + i) % 3], sizeof(turned.attr[i]));
            }
            exact_values = 0;
            check_triangle(&turned, &ways[_i], (uint32_t)size, (uint32_t)size, false);
            ck_assert_uint_gt(exact_values, 1);
        }
    }
}
END_TEST

/* Random triangles, small and large. Most have perspective, of them some steep. Real values at a
 * vertex, and those of attributes with few bits, are often floats. */
static void check_random_triangles(const struct way *way, bool perspective)
{
    exact_values = 0;
    for (unsigned n = 0; n < 400; n++) {
        int32_t reach = n % 3 ? 8 : EDGE, snap = n % 2 ? 256 : 1 << random_between(0, 8);
        struct exact_triangle t;

        for (unsigned i = 0; i < 3; i++) {
            t.x[i] = random_between(-4 * 256, reach * 256) / snap * snap;
            t.y[i] = random_between(-4 * 256, reach * 256) / snap * snap;
            for (unsigned a = 0; a < ATTRS; a++)
                t.attr[i][a] = random_between(-MAX_ATTR, MAX_ATTR);
            t.rhw[i] = perspective ? 1 << random_between(0, n % 4 ? 3 : 9) : ATTR_ONE;
        }
        if (perspective)
            t.attr[1][0] = t.attr[0][0]; /* equal at two vertices */
        if (area_of(&t))
            check_triangle(&t, way, EDGE, EDGE, false);
    }
    ck_assert_uint_gt(exact_values, 1000);
}

START_TEST(random_triangles_are_exact)
{
    random_seed(5 + (uint64_t)_i);
    check_random_triangles(&ways[_i], false);
}
END_TEST

START_TEST(perspective_is_exact)
{
    random_seed(7 + (uint64_t)_i);
    check_random_triangles(&ways[_i], true);
}
END_TEST

/* Rectangles of two triangles with one plane, as one primitive or two. */
START_TEST(rectangles_are_exact)
{
    random_seed(9 + (uint64_t)_i);
    exact_values = 0;
    for (unsigned n = 0; n < 60; n++) {
        int32_t left = random_between(-4, 8) * 256, top = random_between(-4, 8) * 256;
        int32_t right = left + random_between(1, EDGE) * 256;
        struct exact_triangle t = {.x = {left, right, left},
                                   .y = {top, top, top + random_between(1, EDGE) * 256},
                                   .rhw = {ATTR_ONE, ATTR_ONE, ATTR_ONE}};

        for (unsigned a = 0; a < ATTRS; a++)
            for (unsigned i = 0; i < 3; i++)
                t.attr[i][a] = random_between(-MAX_ATTR, MAX_ATTR);
        for (unsigned a = 0; a < 2; a++)
            t.attr[a + 1][1 - a] = t.attr[0][1 - a]; /* one axis each */
        check_triangle(&t, &ways[_i], EDGE, EDGE, true);
    }
    ck_assert_uint_gt(exact_values, 1000);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/interpolation");
    TCase *tc = tcase_create("interpolation");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, positions_are_exact, 0, WAYS);
    tcase_add_loop_test(tc, random_triangles_are_exact, 0, WAYS);
    tcase_add_loop_test(tc, perspective_is_exact, 0, WAYS);
    tcase_add_loop_test(tc, rectangles_are_exact, 0, WAYS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
