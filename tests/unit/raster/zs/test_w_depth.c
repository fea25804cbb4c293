/* Depths of W-buffers against (w - first) / (last - first) in double precision, w from the planes
 * of 1/w through the corners (reference: depth/w-buffer). */
#include "check_main.h"

#include "fixture.h"
#include "raster/scene/blocks.h"

#include <math.h>

enum { WIDTH = 45, HEIGHT = 27 };

static const struct {
    D3DFORMAT format;
    double max;
    unsigned shift;
} formats[] = {
    {D3DFMT_D16, 0xffff, 0},
    {D3DFMT_D24X8, 0xffffff, 8},
    {D3DFMT_D24S8, 0xffffff, 8},
    {D3DFMT_D32F_LOCKABLE, 0, 0},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* The plane of 1/w of three corners. */
struct plane {
    double at, across, down; /* at (0, 0); slopes */
};

static struct plane plane_of(const struct vertex v[3])
{
    double x1 = v[1].x - v[0].x, y1 = v[1].y - v[0].y, x2 = v[2].x - v[0].x, y2 = v[2].y - v[0].y;
    double q1 = v[1].rhw - v[0].rhw, q2 = v[2].rhw - v[0].rhw, area = x1 * y2 - x2 * y1;
    struct plane p = {0, (q1 * y2 - q2 * y1) / area, (x1 * q2 - x2 * q1) / area};

    p.at = v[0].rhw - p.across * v[0].x - p.down * v[0].y;
    return p;
}

static double oracle(const struct raster_values *values, const struct plane *p, double x, double y)
{
    double w = 1.0 / (p->at + p->across * x + p->down * y);
    double scale = 1.0 / ((double)values->w_range[1] - values->w_range[0]);
    double slope = fabs(scale) * w * w * fmax(fabs(p->across), fabs(p->down));
    double depth = (w - values->w_range[0]) * scale + values->depth_bias;

    return fmin(1.0, fmax(0.0, depth + values->slope_bias * slope));
}

static double stored(const struct canvas *c, unsigned format, uint32_t sample, uint32_t x,
                     uint32_t y)
{
    const struct raster_surface *s = &c->targets.depth;
    uint32_t word = 0;
    float value;

    memcpy(&word,
           s->data + (size_t)sample * s->sample_pitch + (size_t)y * s->row_pitch +
               (size_t)x * s->format->bytes,
           s->format->bytes);
    if (formats[format].max != 0.0)
        return (double)(word >> formats[format].shift) / formats[format].max;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Corners on the grid of subpixels. */
static struct vertex random_vertex(void)
{
    struct vertex v = vertex_at((float)random_between(-20 * 256, 60 * 256) / 256.0f,
                                (float)random_between(-20 * 256, 45 * 256) / 256.0f,
                                (float)random_between(0, 1000) / 1000.0f, 0xffffffff);

    v.rhw = 1.0f / (float)random_between(1, 40);
    return v;
}

static void w_state(const struct canvas *c, struct raster_state *s)
{
    default_state(c, s);
    s->depth_test = s->depth_write = s->w_buffer = true;
    s->depth_func = D3DCMP_ALWAYS;
    s->values.w_range[0] = (float)random_between(0, 4);
    s->values.w_range[1] = (float)random_between(10, 60);
    if (random_u32() % 4 == 0) { /* the other direction */
        float last = s->values.w_range[0];

        s->values.w_range[0] = s->values.w_range[1];
        s->values.w_range[1] = last;
    }
    s->values.depth_bias = (float)random_between(-2, 2) / 64.0f;
    s->values.slope_bias = (float)random_between(-2, 2) / 4.0f;
}

/* Every covered sample of random triangles. */
static void check_triangle(unsigned format, unsigned samples, bool at_centre)
{
    const double step = formats[format].max != 0.0 ? 1.0 / formats[format].max : 0.0;
    struct vertex v[3] = {random_vertex(), random_vertex(), random_vertex()};
    unsigned pattern = at_centre ? 1 : samples;
    struct raster_state s;
    struct plane plane;
    struct canvas c;

    canvas_open(&c, 1, WIDTH, HEIGHT, samples, D3DFMT_A8R8G8B8, formats[format].format);
    w_state(&c, &s);
    s.at_centre = at_centre;
    ck_assert_int_eq(clear_all(&c, 0, 0.0f, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    plane = plane_of(v);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (unsigned k = 0; k < samples; k++) {
                const struct raster_surface *colour = &c.targets.colour[0];
                double want = oracle(&s.values, &plane, x + raster_sample_x[pattern][k] / 16.0,
                                     y + raster_sample_y[pattern][k] / 16.0);
                double have = stored(&c, format, k, x, y);

                if (!colour->data[k * colour->sample_pitch + y * colour->row_pitch + x * 4])
                    continue;
                ck_assert_msg(fabs(want - have) <= 0.501 * step + 1e-6,
                              "(%u, %u) sample %u: %.9f instead of %.9f", x, y, k, have, want);
            }
    canvas_close(&c);
}

START_TEST(triangles)
{
    random_seed(700 + (uint64_t)_i);
    for (unsigned n = 0; n < 60; n++)
        check_triangle((unsigned)_i, 1, false);
}
END_TEST

START_TEST(samples_have_their_own_depth)
{
    random_seed(800 + (uint64_t)_i);
    for (unsigned n = 0; n < 20; n++)
        check_triangle(1, _i & 1 ? 4 : 8, _i >> 1);
}
END_TEST

/* Points and lines: w of a point, and between the ends of a line. */
START_TEST(points_and_lines)
{
    struct vertex v[2] = {vertex_at(4.0f, 6.0f, 0.9f, 0xffffffff),
                          vertex_at(36.0f, 6.0f, 0.9f, 0xffffffff)};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D32F_LOCKABLE);
    v[0].rhw = 0.5f;
    v[1].rhw = 0.125f;
    w_state(&c, &s);
    s.values.w_range[0] = 1.0f;
    s.values.w_range[1] = 9.0f;
    s.values.depth_bias = 0.25f;
    s.values.slope_bias = 0.0f;
    ck_assert_int_eq(clear_all(&c, 0, 0.0f, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, v, 1), ST_OK);
    raster_flush(c.raster);
    ck_assert_double_eq(stored(&c, 3, 0, 4, 6), (2.0 - 1.0) / 8.0 + 0.25);
    s.values.slope_bias = 2.0f; /* d(1/w)/dx = -3/256: slope = w*w*3/256/8 */
    ck_assert_int_eq(draw(&c, &s, RASTER_LINES, v, 2), ST_OK);
    raster_flush(c.raster);
    for (uint32_t x = 5; x < 36; x++) {
        double w = 1.0 / (0.5 - (x - 4.0) * 0.375 / 32.0), slope = w * w * 0.375 / 32.0 / 8.0;
        double want = fmin(1.0, (w - 1.0) / 8.0 + 0.25 + 2.0 * slope);

        ck_assert_double_eq_tol(stored(&c, 3, 0, x, 6), want, 2e-7);
    }
    canvas_close(&c);
}
END_TEST

/* w of 0, infinity and not a number become depths that the surface can hold. */
START_TEST(extremes)
{
    static const struct {
        float rhw, want;
    } cases[] = {{0.0f, 1.0f}, {1e30f, 0.0f}, {-1.0f, 0.0f}, {NAN, 0.0f}, {0.25f, 0.375f}};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 16, 16, 1, D3DFMT_A8R8G8B8, D3DFMT_D32F_LOCKABLE);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vertex v = vertex_at(4.0f, 6.0f, 0.5f, 0xffffffff);

        v.rhw = cases[i].rhw;
        w_state(&c, &s);
        s.values.w_range[0] = 1.0f;
        s.values.w_range[1] = 9.0f;
        s.values.depth_bias = s.values.slope_bias = 0.0f;
        ck_assert_int_eq(clear_all(&c, 0, 0.5f, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        ck_assert_msg(stored(&c, 3, 0, 4, 6) == (double)cases[i].want, "case %u: %g", i,
                      stored(&c, 3, 0, 4, 6));
    }
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/w_depth");
    TCase *tc = tcase_create("w_depth");

    tcase_add_loop_test(tc, triangles, 0, FORMATS);
    tcase_add_loop_test(tc, samples_have_their_own_depth, 0, 4);
    tcase_add_test(tc, points_and_lines);
    tcase_add_test(tc, extremes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
