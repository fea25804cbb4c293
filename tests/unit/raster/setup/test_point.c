/* Points: coverage, size limits and user clip planes against formulas in double precision. */
#include "check_main.h"

#include "fixture.h"

#include <float.h>
#include <math.h>

enum { SIDE = 48 };

static double clamped(double size, double least, double most)
{
    size = size > least ? size : least;
    size = size < most ? size : most;
    return size < RASTER_MAX_POINT_SIZE ? size : RASTER_MAX_POINT_SIZE;
}

/* Sizes and positions are multiples of 1/128 and 1/256 pixel, so every edge is exact. */
START_TEST(points_at_random_positions)
{
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A8R8G8B8);
    for (int round = 0; round < 400; round++) {
        double x = random_between(-2000, 14000) / 256.0, y = random_between(-2000, 14000) / 256.0;
        double size = random_between(0, round & 1 ? 300 : 6000) / 128.0, half;
        struct vertex v = vertex_at((float)x, (float)y, 0, ~0u);

        s.values.point_size_min = (float)random_between(0, 4);
        s.values.point_size_max = (float)random_between(4, 40);
        v.size = (float)size;
        half = clamped(size, s.values.point_size_min, s.values.point_size_max) / 2;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        for (int py = 0; py < SIDE; py++)
            for (int px = 0; px < SIDE; px++) {
                bool inside = px >= x - half && px < x + half && py >= y - half && py < y + half;

                ck_assert_msg((canvas_pixel(&c, (uint32_t)px, (uint32_t)py) != 0) == inside,
                              "round %d: size %g at %g, %g: pixel %d, %d", round, 2 * half, x, y,
                              px, py);
            }
    }
    canvas_close(&c);
}
END_TEST

START_TEST(sizes_beyond_the_limits)
{
    static const struct {
        float size, least, most;
        int side;
    } cases[] = {
        {1000.0f, 1.0f, FLT_MAX, RASTER_MAX_POINT_SIZE},
        {INFINITY, 0.0f, 8.0f, 8},
        {1.0f, INFINITY, INFINITY, RASTER_MAX_POINT_SIZE},
        {NAN, 3.0f, 8.0f, 3},
        {-INFINITY, 0.0f, 8.0f, 0},
        {NAN, 0.0f, 8.0f, 0},
        {-5.0f, 2.0f, 8.0f, 2},
        {5.0f, 0.0f, -1.0f, 0},
        {5.0f, 0.0f, NAN, 0},
    };
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 300, 300, D3DFMT_A8R8G8B8);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vertex v = vertex_at(150, 150, 0, ~0u);
        int lit = 0;

        v.size = cases[i].size;
        s.values.point_size_min = cases[i].least;
        s.values.point_size_max = cases[i].most;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        for (uint32_t y = 0; y < 300; y++)
            for (uint32_t x = 0; x < 300; x++)
                lit += canvas_pixel(&c, x, y) != 0;
        ck_assert_msg(lit == cases[i].side * cases[i].side, "case %u: %d pixels", i, lit);
    }
    canvas_close(&c);
}
END_TEST

/* Random clip planes through points in perspective. A pixel is kept if the plane at its centre, at
 * the point's z and w, is not negative; within 1/64 pixel of the edge both are accepted. */
START_TEST(clip_planes_cut_points)
{
    struct raster_state s;
    struct canvas c;
    int cut = 0;

    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A32B32G32R32F);
    s.transformed = false;
    s.clipping = true;
    s.point_sprite = true;
    s.attr[0].sprite = 1;
    s.attr[1].sprite = 2;
    for (int round = 0; round < 300; round++) {
        double w = random_between(1, 800) / 100.0, half = random_between(2, 40) / 2.0;
        double x = random_between(-40, 40) / 40.0, y = random_between(-40, 40) / 40.0;
        struct vertex v = vertex_at((float)(x * w), (float)(y * w), (float)(0.25 * w), ~0u);
        double sx = SIDE / 2.0 * (1 + x), sy = SIDE / 2.0 * (1 - y);

        v.rhw = (float)w;
        v.size = (float)(2 * half);
        s.clip_plane_mask = (uint8_t)(round % 3 ? 1 : 0xa5);
        for (int p = 0; p < RASTER_CLIP_PLANES; p++)
            for (int i = 0; i < 4; i++)
                s.values.clip_plane[p][i] = (float)random_between(-100, 100) / (i == 3 ? 100 : 50);
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        for (int py = 0; py < SIDE; py++)
            for (int px = 0; px < SIDE; px++) {
                bool inside = fabs(px - sx) < half && fabs(py - sy) < half, unsure = false;
                float got[4];

                unsure = fabs(fabs(px - sx) - half) < 0.02 || fabs(fabs(py - sy) - half) < 0.02;
                for (int p = 0; p < RASTER_CLIP_PLANES; p++) {
                    const float *k = s.values.clip_plane[p];
                    double gx = k[0] * w * 2 / SIDE, gy = -k[1] * w * 2 / SIDE;
                    double d = k[0] * x * w + k[1] * y * w + k[2] * 0.25 * w + k[3] * w +
                               gx * (px - sx) + gy * (py - sy);

                    if (!(s.clip_plane_mask >> p & 1))
                        continue;
                    cut += inside && d < 0;
                    inside = inside && d >= 0;
                    unsure = unsure || fabs(d) < 0.02 * (fabs(gx) + fabs(gy)) + 1e-4;
                }
                memcpy(got, c.memory[0] + ((size_t)py * SIDE + (size_t)px) * 16, 16);
                ck_assert_msg(unsure || (got[3] != 0.0f) == inside, "round %d: pixel %d, %d", round,
                              px, py);
                if (unsure || !inside)
                    continue;
                ck_assert(fabs(got[0] - ((px - sx) / (2 * half) + 0.5)) < 0.01);
                ck_assert(fabs(got[1] - ((py - sy) / (2 * half) + 0.5)) < 0.01);
            }
    }
    ck_assert_int_gt(cut, 10000);
    canvas_close(&c);
}
END_TEST

/* Planes with NaN or infinity keep nothing, as for triangles; planes of zeros keep everything. */
START_TEST(clip_planes_not_finite)
{
    static const struct {
        float plane[4];
        bool kept;
    } cases[] = {
        {{0, 0, 0, 0}, true},          {{0, 0, 0, -1}, false},
        {{0, 0, 0, 1}, true},          {{NAN, 0, 0, 1}, false},
        {{0, 0, 0, NAN}, false},       {{INFINITY, 0, 0, 0}, false},
        {{0, 0, 0, -INFINITY}, false}, {{FLT_MAX, FLT_MAX, 0, FLT_MAX}, true},
    };
    struct vertex v = vertex_at(0, 0, 0, ~0u);
    struct raster_state s;
    struct canvas c;

    v.size = 4;
    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A8R8G8B8);
    s.transformed = false;
    s.clipping = true;
    s.clip_plane_mask = 1;
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        memcpy(s.values.clip_plane[0], cases[i].plane, sizeof(cases[i].plane));
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg((canvas_pixel(&c, SIDE / 2, SIDE / 2) != 0) == cases[i].kept, "case %u", i);
    }
    canvas_close(&c);
}
END_TEST

/* With multisampling a point covers the samples that lie in its square. */
START_TEST(points_cover_samples)
{
    static const int at[4][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, SIDE, SIDE, 4, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    default_state(&c, &s);
    for (int round = 0; round < 200; round++) {
        double x = random_between(0, SIDE * 256) / 256.0, y = random_between(0, SIDE * 256) / 256.0;
        double half = random_between(0, 1200) / 256.0;
        struct vertex v = vertex_at((float)x, (float)y, 0, ~0u);

        v.size = (float)(2 * half);
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        for (int n = 0; n < 4; n++)
            for (int py = 0; py < SIDE; py++)
                for (int px = 0; px < SIDE; px++) {
                    double sx = px + at[n][0] / 16.0, sy = py + at[n][1] / 16.0;
                    bool inside =
                        sx >= x - half && sx < x + half && sy >= y - half && sy < y + half;
                    uint32_t word;

                    memcpy(&word,
                           c.memory[0] + (size_t)n * c.targets.colour[0].sample_pitch +
                               ((size_t)py * SIDE + (size_t)px) * 4,
                           4);
                    ck_assert_msg((word != 0) == inside, "round %d: sample %d of %d, %d", round, n,
                                  px, py);
                }
    }
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/point");
    TCase *tc = tcase_create("point");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, points_at_random_positions);
    tcase_add_test(tc, sizes_beyond_the_limits);
    tcase_add_test(tc, clip_planes_cut_points);
    tcase_add_test(tc, clip_planes_not_finite);
    tcase_add_test(tc, points_cover_samples);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
