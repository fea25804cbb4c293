/* Multisampling: coverage and depth of every sample by brute force, one colour a pixel, the mask.
 */
#include "check_main.h"

#include "fixture.h"

/* The positions of the standard patterns in 1/16 pixel. */
static const int positions[3][8][2] = {
    {{4, 4}, {-4, -4}},
    {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
    {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
};

enum { SIDE = 40 };

static uint32_t sample_word(const struct raster_surface *s, unsigned sample, int x, int y)
{
    uint32_t word;

    memcpy(&word, s->data + sample * s->sample_pitch + (size_t)y * s->row_pitch + (size_t)x * 4, 4);
    return word;
}

static bool inside(const int32_t v[3][2], int32_t x, int32_t y)
{
    int64_t area = (int64_t)(v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) -
                   (int64_t)(v[2][0] - v[0][0]) * (v[1][1] - v[0][1]);

    for (int i = 0; i < 3 && area; i++) {
        const int32_t *a = v[area > 0 ? i : (3 - i) % 3];
        const int32_t *b = v[area > 0 ? (i + 1) % 3 : (5 - i) % 3];
        int64_t dx = b[0] - a[0], dy = b[1] - a[1];
        int64_t e = dx * (y - a[1]) - dy * (x - a[0]);

        if (e < 0 || (e == 0 && !(dy < 0 || (dy == 0 && dx > 0))))
            return false;
    }
    return area != 0;
}

START_TEST(samples_are_covered_one_by_one)
{
    unsigned samples = 2u << _i;
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    plain_state(&c, &s);
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
        s.samples_passed = &passed;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, corner, 3), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                for (unsigned n = 0; n < samples; n++) {
                    bool in = (s.sample_mask >> n & 1) &&
                              inside((const int32_t(*)[2])v, x * 256 + positions[_i][n][0] * 16,
                                     y * 256 + positions[_i][n][1] * 16);

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

/* Two planes that cross: which is in front is decided per sample, early and late alike. */
START_TEST(depth_is_tested_at_the_sample)
{
    unsigned samples = 2u << _i;

    for (int late = 0; late < 2; late++) {
        struct vertex tilted[3] = {vertex_at(0, 0, 0, 0xffff0000), vertex_at(80, 0, 1, 0xffff0000),
                                   vertex_at(0, 80, 0, 0xffff0000)};
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, SIDE, SIDE, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        plain_state(&c, &s);
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

static Suite *suite(void)
{
    Suite *s = suite_create("raster/samples");
    TCase *tc = tcase_create("samples");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, samples_are_covered_one_by_one, 0, 3);
    tcase_add_loop_test(tc, depth_is_tested_at_the_sample, 0, 3);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
