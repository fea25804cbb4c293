/* Multisampling: coverage of every sample against the oracle, depth and centroids against their
 * formulas, the sample mask. */
#include "check_main.h"

#include "fixture.h"
#include "oracle.h"

/* Standard sample patterns in 1/16 pixel. */
static const int positions[4][16][2] = {
    {{4, 4}, {-4, -4}},
    {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
    {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
    {{1, 1},
     {-1, -3},
     {-3, 2},
     {4, -1},
     {-5, -2},
     {2, 5},
     {5, 3},
     {3, -5},
     {-2, 6},
     {0, -7},
     {-4, -6},
     {-6, 4},
     {-8, 0},
     {7, -4},
     {6, 7},
     {-7, -8}},
};

enum { SIDE = 40 };

static uint32_t sample_word(const struct raster_surface *s, unsigned sample, int x, int y)
{
    uint32_t word;

    memcpy(&word, s->data + sample * s->sample_pitch + (size_t)y * s->row_pitch + (size_t)x * 4, 4);
    return word;
}

/* A sample is covered if the centre is covered by the triangle moved back by the sample's
 * position. */
static bool inside(const int32_t v[3][2], int x, int y, const int at[2])
{
    struct exact_point moved[3];
    int64_t first, end;

    for (int i = 0; i < 3; i++)
        moved[i] = (struct exact_point){v[i][0] - at[0] * 16, v[i][1] - at[1] * 16};
    exact_row(moved, y, &first, &end);
    return x >= first && x < end;
}

START_TEST(coverage_per_sample)
{
    unsigned samples = 2u << _i;
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    for (int round = 0; round < 150; round++) {
        int32_t v[3][2];
        struct vertex corner[3];
        uint64_t passed = 0, want = 0;

        for (int i = 0; i < 3; i++) {
            int32_t reach = round % 3 ? SIDE * 256 : 600;

            v[i][0] = (round % 3 ? 0 : 3000) + random_between(-200, reach);
            v[i][1] = (round % 3 ? 0 : 3000) + random_between(-200, reach);
            corner[i] = vertex_at((float)v[i][0] / 256, (float)v[i][1] / 256, 0.25f, 0x7f010203);
        }
        s.sample_mask = round & 1 ? ~0u : random_u32();
        s.values.samples_passed = &passed;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, corner, 3), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                for (unsigned n = 0; n < samples; n++) {
                    bool in = (s.sample_mask >> n & 1) &&
                              inside((const int32_t(*)[2])v, x, y, positions[_i][n]);

                    want += in;
                    ck_assert_msg(sample_word(&c.targets.colour[0], n, x, y) ==
                                      (in ? 0x7f010203 : 0),
                                  "round %d (%d,%d) sample %u", round, x, y, n);
                    ck_assert_uint_eq(sample_word(&c.targets.depth, n, x, y),
                                      in ? 0x40000000 : 0xffffff00);
                }
        ck_assert_uint_eq(passed, want);
    }
    canvas_close(&c);
}
END_TEST

/* Two planes that intersect: the depth test decides per sample, early and late alike. */
START_TEST(depth_test_per_sample)
{
    unsigned samples = 2u << _i;

    for (int late = 0; late < 2; late++) {
        struct vertex tilted[3] = {vertex_at(0, 0, 0, 0xffff0000), vertex_at(80, 0, 1, 0xffff0000),
                                   vertex_at(0, 80, 0, 0xffff0000)};
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        default_state(&c, &s);
        s.depth_test = s.depth_write = true;
        s.depth_func = D3DCMP_LESS;
        s.kills = late;
        ck_assert_int_eq(clear_all(&c, 0, 20.0f / 80.0f, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, tilted, 3), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < SIDE - 1; y++)
            for (int x = 0; x < SIDE - 1; x++)
                for (unsigned n = 0; n < samples; n++) {
                    float at = (float)x + (float)positions[_i][n][0] / 16.0f;
                    float down = (float)y + (float)positions[_i][n][1] / 16.0f;

                    if (at > 0 && down > 0)
                        ck_assert_uint_eq(sample_word(&c.targets.colour[0], n, x, y),
                                          at < 20.0f ? 0xffff0000 : 0);
                }
        canvas_close(&c);
    }
}
END_TEST

/* A random triangle; red grows with x and green with y, both centroid attributes. */
struct slope {
    int32_t v[3][2];
    struct vertex corner[3];
};

static void any_slope(struct slope *t)
{
    for (int i = 0; i < 3; i++) {
        t->v[i][0] = random_between(-300, SIDE * 256);
        t->v[i][1] = random_between(-300, SIDE * 256);
        t->corner[i] = vertex_at((float)t->v[i][0] / 256, (float)t->v[i][1] / 256, 0.5f, 0);
        t->corner[i].rgba[0] = t->corner[i].x;
        t->corner[i].rgba[1] = t->corner[i].y;
        t->corner[i].rgba[2] = t->corner[i].x; /* evaluated at the centre */
    }
}

/* multisample/centroid: the centre of a fully covered pixel, else its first covered sample. */
static void expect_position(float got[2], const struct slope *t, int round, int x, int y,
                            uint32_t mask, unsigned samples, const int (*at)[2])
{
    unsigned covered = 0, first = samples;
    float want[2] = {(float)x, (float)y};

    for (unsigned n = samples; n-- > 0;)
        if ((mask >> n & 1) && inside((const int32_t(*)[2])t->v, x, y, at[n])) {
            covered++;
            first = n;
        }
    if (covered < samples && covered) {
        want[0] += (float)at[first][0] / 16.0f;
        want[1] += (float)at[first][1] / 16.0f;
    }
    for (int c = 0; c < 2 && covered; c++)
        ck_assert_msg(got[c] > want[c] - 0.01f && got[c] < want[c] + 0.01f,
                      "round %d (%d,%d): %f, not %f", round, x, y, got[c], want[c]);
}

START_TEST(centroids_at_covered_samples)
{
    unsigned samples = 2u << _i;
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A32B32G32R32F, D3DFMT_D24S8);
    default_state(&c, &s);
    s.attr[0].centroid = s.attr[1].centroid = true;
    for (int round = 0; round < 100; round++) {
        struct slope t;

        any_slope(&t);
        s.sample_mask = round & 1 ? ~0u : random_u32();
        s.kills = round & 2;                      /* late tests */
        s.depth_test = s.depth_write = round & 4; /* hides nothing */
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, t.corner, 3), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                for (unsigned n = 0; n < samples; n++) {
                    const struct raster_surface *to = &c.targets.colour[0];
                    float got[4];

                    if (!(s.sample_mask >> n & 1) ||
                        !inside((const int32_t(*)[2])t.v, x, y, positions[_i][n]))
                        continue;
                    memcpy(got,
                           to->data + n * to->sample_pitch + (size_t)y * to->row_pitch +
                               (size_t)x * 16,
                           sizeof(got));
                    expect_position(got, &t, round, x, y, s.sample_mask, samples, positions[_i]);
                    ck_assert_msg(got[2] > (float)x - 0.01f && got[2] < (float)x + 0.01f,
                                  "blue is that of the centre");
                }
    }
    canvas_close(&c);
}
END_TEST

/* multisample/antialias: every sample gets the single-sample image. */
START_TEST(samples_at_the_centre)
{
    unsigned samples = 2u << _i;
    struct canvas c, one;

    canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    canvas_open(&one, 1, SIDE, SIDE, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
    ck_assert_int_eq(clear_all(&one, 0, 1, 0), ST_OK);
    for (int round = 0; round < 60; round++) {
        enum raster_primitive kind = (enum raster_primitive)(round % 3);
        struct vertex v[6];
        struct raster_state s;

        default_state(&c, &s);
        s.attr[0].centroid = true;
        s.depth_test = s.depth_write = true;
        s.depth_func = D3DCMP_LESS;
        s.kills = round & 1;
        s.at_centre = true;
        for (int i = 0; i < 6; i++) {
            v[i] = vertex_at((float)random_between(-9, SIDE * 8) / 8.0f,
                             (float)random_between(-9, SIDE * 8) / 8.0f,
                             (float)random_between(0, 99) / 100.0f, random_u32());
            v[i].size = (float)random_between(0, 40) / 4.0f;
        }
        ck_assert_int_eq(draw(&c, &s, kind, v, 6), ST_OK);
        ck_assert_int_eq(draw(&one, &s, kind, v, 6), ST_OK);
    }
    raster_flush(c.raster);
    raster_flush(one.raster);
    for (unsigned n = 0; n < samples; n++) {
        ck_assert_mem_eq(c.memory[0] + n * one.bytes[0], one.memory[0], one.bytes[0]);
        ck_assert_mem_eq(c.memory[RASTER_TARGETS] + n * one.bytes[RASTER_TARGETS],
                         one.memory[RASTER_TARGETS], one.bytes[RASTER_TARGETS]);
    }
    canvas_close(&c);
    canvas_close(&one);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/samples");
    TCase *tc = tcase_create("samples");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, coverage_per_sample, 0, 4);
    tcase_add_loop_test(tc, depth_test_per_sample, 0, 4);
    tcase_add_loop_test(tc, centroids_at_covered_samples, 0, 4);
    tcase_add_loop_test(tc, samples_at_the_centre, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
