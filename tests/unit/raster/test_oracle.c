/* Coverage of triangles, lines and points against the oracle in exact arithmetic. The environment's
 * NOVEM_ORACLE=n multiplies the number of draws. */
#include "check_main.h"

#include "fixture.h"
#include "oracle.h"

#include <math.h>

enum { WIDTH = 76, HEIGHT = 41, STRIDE = WIDTH, MANY = 40 };

static unsigned times(unsigned count)
{
    const char *more = getenv("NOVEM_ORACLE");

    return more && atoi(more) > 0 ? count * (unsigned)atoi(more) : count;
}

static void open_canvas(struct canvas *c, struct raster_state *s)
{
    static const enum cpu_isa isas[] = {ISA_SCALAR, ISA_SSE2, ISA_NEON, ISA_AVX2, ISA_AVX512};

    for (unsigned i = 0; i < 5; i++) /* the widest; test_scene compares instruction sets */
        if (cpu_has_isa(isas[i]))
            ck_assert_int_eq(cpu_set_isa(isas[i]), ST_OK);
    canvas_open_default(c, s, WIDTH, HEIGHT, D3DFMT_A8R8G8B8);
}

/* --- Triangles -------------------------------------------------------------------------------- */

/* A screen position within `to` pixels of the middle, a multiple of step / 256 pixel. */
static float place(int side, int32_t to, int32_t step)
{
    return (float)(side * 128 + random_between(-to * 256, to * 256) / step * step) / 256.0f;
}

static void any_corner(float p[2], int32_t to, int32_t step)
{
    p[0] = place(WIDTH / 2 * 2, to, step);
    p[1] = place(HEIGHT / 2 * 2, to, step);
}

static void three_corners(float p[3][2], int32_t to, int32_t step)
{
    for (unsigned i = 0; i < 3; i++)
        any_corner(p[i], to, step);
}

/* A random corner, and two others within `reach` / 256 pixel of it. */
static void close_corners(float p[3][2], int32_t reach)
{
    any_corner(p[0], 45, 1);
    for (unsigned i = 1; i < 3; i++)
        for (unsigned k = 0; k < 2; k++)
            p[i][k] = p[0][k] + (float)random_between(-reach, reach) / 256.0f;
}

static void sliver(float p[3][2], int32_t to)
{
    float t = (float)random_between(0, 256) / 256.0f;

    three_corners(p, to, 1);
    for (unsigned k = 0; k < 2; k++)
        p[2][k] = floorf((p[0][k] + t * (p[1][k] - p[0][k])) * 256.0f) / 256.0f +
                  (float)random_between(-2, 2) / 256.0f;
}

/* A horizontal edge, a vertical edge, or both. */
static void straight_edges(float p[3][2])
{
    three_corners(p, 50, random_u32() & 1 ? 1 : 128);
    if (random_u32() % 3)
        p[1][0] = p[0][0];
    if (random_u32() % 3)
        p[2][1] = p[random_u32() & 1][1];
}

/* Positions between subpixels, often halfway, which test rounding of the floats. */
static void between_subpixels(float p[3][2])
{
    three_corners(p, 60, 1);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 2; k++)
            p[i][k] += (float)random_between(-8, 8) / (random_u32() & 1 ? 4096.0f : 9973.0f);
}

/* On the limit of the guard band, or one subpixel inside. */
static void at_the_limits(float p[3][2])
{
    static const float limit[] = {-32767.0f, 32767.0f, 32766.996f, -32766.996f};

    three_corners(p, 32766, 1);
    for (unsigned i = 0; i < 3; i++)
        if (random_u32() % 4)
            p[i][random_u32() & 1] = limit[random_u32() % 4];
}

static void make_triangle(float p[3][2], unsigned kind)
{
    switch (kind) {
    case 0:
        three_corners(p, 60, 1);
        break;
    case 1:
        three_corners(p, 60, 128); /* on centres and between them */
        break;
    case 2:
        three_corners(p, 45, 256);
        break;
    case 3:
        close_corners(p, 1200);
        break;
    case 4:
        close_corners(p, 200);
        break;
    case 5:
        sliver(p, 60);
        break;
    case 6:
        sliver(p, 30000);
        break;
    case 7:
        straight_edges(p);
        break;
    case 8:
        three_corners(p, 3000, 1); /* mostly off the screen */
        break;
    case 9:
        three_corners(p, 32000, 1);
        break;
    case 10:
        between_subpixels(p);
        break;
    default:
        at_the_limits(p);
        break;
    }
}
enum { TRIANGLE_KINDS = 12 };

/* A colour per draw, so that an earlier draw cannot be mistaken for it. */
static uint32_t shade_of(unsigned i)
{
    return 0xff000000 | ((i + 1) & 0xffffff);
}

/* One triangle alone, or among triangles without pixels, which selects batched setup. */
static void draw_triangle(struct canvas *c, const struct raster_state *s, const float p[3][2],
                          uint32_t argb, bool many)
{
    static const uint32_t indices[3 * MANY] = {[3 * MANY - 6] = 0, 1, 2};
    struct vertex v[3] = {vertex_at(p[0][0], p[0][1], 0, argb),
                          vertex_at(p[1][0], p[1][1], 0, argb),
                          vertex_at(p[2][0], p[2][1], 0, argb)};
    struct raster_vertices vertices = {.data = &v->x, .stride_floats = 12, .count = 3};

    if (raster_draw(c->raster, s, &vertices, RASTER_TRIANGLES,
                    many ? indices : indices + 3 * MANY - 6, many ? MANY : 1) != ST_OK)
        ck_abort_msg("raster_draw");
    raster_flush(c->raster);
}

static void check_rows(const struct canvas *c, const struct exact_point v[3], uint32_t argb,
                       unsigned number)
{
    const uint32_t *pixels = (const uint32_t *)(const void *)c->memory[0];

    for (int64_t y = 0; y < HEIGHT; y++) {
        int64_t first, end;

        exact_row(v, y, &first, &end);
        for (int64_t x = 0; x < WIDTH; x++)
            if ((pixels[y * STRIDE + x] == argb) != (x >= first && x < end))
                ck_abort_msg("triangle %u (%lld,%lld) (%lld,%lld) (%lld,%lld): (%d,%d) %s", number,
                             (long long)v[0].x, (long long)v[0].y, (long long)v[1].x,
                             (long long)v[1].y, (long long)v[2].x, (long long)v[2].y, (int)x,
                             (int)y, x >= first && x < end ? "is missing" : "is too much");
    }
}

/* _i: the kind. 12 kinds of 21,000; with NOVEM_ORACLE=4 over a million. */
START_TEST(triangles)
{
    struct raster_state s;
    struct canvas c;

    random_seed(1000 + (uint64_t)_i);
    open_canvas(&c, &s);
    ck_assert_uint_eq(c.targets.colour[0].row_pitch, STRIDE * 4);
    for (unsigned i = 0; i < times(21000); i++) {
        struct exact_point v[3];
        float p[3][2];

        make_triangle(p, (unsigned)_i);
        for (unsigned k = 0; k < 3; k++)
            v[k] = (struct exact_point){exact_snap(p[k][0]), exact_snap(p[k][1])};
        draw_triangle(&c, &s, p, shade_of(i), i & 1);
        check_rows(&c, v, shade_of(i), i);
    }
    canvas_close(&c);
}
END_TEST

/* Distance of a pixel centre from the nearest edge's line, in subpixels. */
static double distance(const struct exact_point v[3], int64_t px, int64_t py)
{
    double least = INFINITY;

    for (unsigned i = 0; i < 3; i++) {
        const struct exact_point *a = &v[i], *b = &v[(i + 1) % 3];
        double dx = (double)(b->x - a->x), dy = (double)(b->y - a->y), length = hypot(dx, dy);
        wide e = (wide)(b->x - a->x) * (py * 256 - a->y) - (wide)(b->y - a->y) * (px * 256 - a->x);
        double d = length > 0.0 ? fabs((double)e) / length : 0.0;

        least = d < least ? d : least;
    }
    return least;
}

/* Corners up to 2^38 pixels away. Clipping at 32767 pixels snaps new corners, so centres within two
 * subpixels of an edge may be covered or not; all others must agree. */
START_TEST(huge_triangles)
{
    const double border = 2.0;
    struct raster_state s;
    struct canvas c;
    unsigned inside = 0;

    open_canvas(&c, &s);
    for (unsigned i = 0; i < times(10000); i++) {
        const uint32_t *pixels = (const uint32_t *)(const void *)c.memory[0];
        struct exact_point v[3];
        float p[3][2];

        for (unsigned k = 0; k < 3; k++) {
            for (unsigned n = 0; n < 2; n++)
                p[k][n] = ldexpf((float)random_between(-1000000, 1000000), random_between(-12, 18));
            v[k] = (struct exact_point){exact_snap(p[k][0]), exact_snap(p[k][1])};
        }
        draw_triangle(&c, &s, p, shade_of(i), false);
        for (int64_t y = 0; y < HEIGHT; y++) {
            int64_t first, end;

            exact_row(v, y, &first, &end);
            for (int64_t x = 0; x < WIDTH; x++) {
                bool want = x >= first && x < end, got = pixels[y * STRIDE + x] == shade_of(i);

                inside += want && i % 2;
                if (want != got && distance(v, x, y) > border)
                    ck_abort_msg("triangle %u: (%d,%d) is %s", i, (int)x, (int)y,
                                 want ? "missing" : "too much");
            }
        }
    }
    ck_assert_uint_gt(inside, 25000);
    canvas_close(&c);
}
END_TEST

/* Clip-space positions with w from 2^-10 to 2^10. Computes the screen position with 64-bit
 * mantissas; triangles whose rounding these cannot decide are skipped. */
static bool project(const float p[4], const float viewport[6], struct exact_point *out)
{
    long double at[2] = {viewport[0] + (1.0L + (long double)p[0] / p[3]) * viewport[2] / 2,
                         viewport[1] + (1.0L - (long double)p[1] / p[3]) * viewport[3] / 2};
    int64_t *to[2] = {&out->x, &out->y};

    for (unsigned k = 0; k < 2; k++) {
        long double fixed = at[k] * 256, rest = fixed - floorl(fixed);

        if (fabsl(fixed) > 32000.0L * 256 || fabsl(rest - 0.5L) < 0x1p-24L)
            return false;
        *to[k] = (int64_t)floorl(fixed + 0.5L);
    }
    return true;
}

START_TEST(projected_triangles)
{
    struct raster_state s;
    struct canvas c;
    unsigned drawn = 0;

    open_canvas(&c, &s);
    s.transformed = false;
    for (unsigned i = 0; i < times(15000); i++) {
        struct vertex v[3];
        struct exact_point e[3];
        bool known = true;

        s.values.viewport[0] = (float)random_between(0, 20);
        s.values.viewport[1] = (float)random_between(0, 20);
        s.values.viewport[2] = (float)random_between(1, 200);
        s.values.viewport[3] = (float)random_between(1, 200);
        for (unsigned k = 0; k < 3; k++) {
            float w =
                ldexpf(1.0f + (float)random_between(0, 99999) / 100000.0f, random_between(-10, 10));
            float reach = random_u32() % 4 ? 1.2f : 20.0f;
            float p[4] = {w * reach * (float)random_between(-99999, 99999) / 100000.0f,
                          w * reach * (float)random_between(-99999, 99999) / 100000.0f, w * 0.5f,
                          w};

            known = known && project(p, s.values.viewport, &e[k]);
            v[k] = vertex_at(p[0], p[1], p[2], shade_of(i));
            v[k].rhw = w;
        }
        if (!known)
            continue;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        raster_flush(c.raster);
        check_rows(&c, e, shade_of(i), i);
        drawn++;
    }
    ck_assert_uint_gt(drawn, times(15000) * 9 / 10);
    canvas_close(&c);
}
END_TEST

/* --- Lines ------------------------------------------------------------------------------------ */

static void draw_line(struct canvas *c, const struct raster_state *s, const float p[2][2],
                      uint32_t argb)
{
    struct vertex v[2] = {vertex_at(p[0][0], p[0][1], 0, argb),
                          vertex_at(p[1][0], p[1][1], 0, argb)};

    ck_assert_int_eq(draw(c, s, RASTER_LINES, v, 2), ST_OK);
    raster_flush(c->raster);
}

static void make_line(float p[2][2], unsigned kind)
{
    static const int32_t step[] = {1, 128, 64, 256, 1, 1, 1, 1};

    for (unsigned i = 0; i < 2; i++)
        any_corner(p[i], kind == 7 ? 32766 : kind == 6 ? 3000 : 45, step[kind]);
    if (kind == 4 || kind == 5) /* short */
        for (unsigned k = 0; k < 2; k++)
            p[1][k] = p[0][k] + (float)random_between(-400, 400) / (kind == 4 ? 256.0f : 2.56e4f);
    if (kind == 2 && random_u32() % 2) { /* along the sides of diamonds */
        float d = (float)random_between(-30, 30) / 4.0f;

        p[1][0] = p[0][0] + d;
        p[1][1] = p[0][1] + (random_u32() & 1 ? d : -d);
    }
}
enum { LINE_KINDS = 8 };

START_TEST(lines)
{
    struct raster_state s;
    struct canvas c;

    random_seed(2000 + (uint64_t)_i);
    open_canvas(&c, &s);
    for (unsigned i = 0; i < times(800); i++) {
        const uint32_t *pixels = (const uint32_t *)(const void *)c.memory[0];
        struct exact_point e[2];
        float p[2][2];

        make_line(p, (unsigned)_i);
        for (unsigned k = 0; k < 2; k++)
            e[k] = (struct exact_point){exact_snap(p[k][0]), exact_snap(p[k][1])};
        s.last_pixel = i & 1;
        draw_line(&c, &s, p, shade_of(i));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if ((pixels[y * STRIDE + x] == shade_of(i)) !=
                    exact_line(&e[0], &e[1], x, y, s.last_pixel))
                    ck_abort_msg("line %u (%d,%d)-(%d,%d): (%d,%d)", i, (int)e[0].x, (int)e[0].y,
                                 (int)e[1].x, (int)e[1].y, x, y);
    }
    canvas_close(&c);
}
END_TEST

/* Connected lines: each line but the last omits the pixel in which it ends. */
START_TEST(line_strips)
{
    enum { POINTS = 7 };
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, &s);
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    for (unsigned i = 0; i < times(250); i++) {
        uint32_t strip[2 * (POINTS - 1)];
        struct exact_point e[POINTS];
        struct vertex v[POINTS];
        struct raster_vertices vertices = {&v->x, 12, POINTS};

        s.last_pixel = i & 1;
        for (unsigned k = 0; k < POINTS; k++) {
            float p[2];

            any_corner(p, 40, i & 2 ? 64 : 1);
            v[k] = vertex_at(p[0], p[1], 0, 0x01010101);
            e[k] = (struct exact_point){exact_snap(p[0]), exact_snap(p[1])};
        }
        for (unsigned k = 0; k + 1 < POINTS; k++) {
            strip[2 * k] = k;
            strip[2 * k + 1] = k + 1;
        }
        memset(c.memory[0], 0, c.bytes[0]);
        ck_assert_int_eq(raster_draw(c.raster, &s, &vertices, RASTER_LINES, strip, POINTS - 1),
                         ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                unsigned want = 0;

                for (unsigned k = 0; k + 1 < POINTS; k++)
                    want += exact_line(&e[k], &e[k + 1], x, y, s.last_pixel && k + 2 == POINTS);
                if (canvas_pixel(&c, (uint32_t)x, (uint32_t)y) != want * 0x01010101)
                    ck_abort_msg("strip %u: (%d,%d) is not drawn %u times", i, x, y, want);
            }
    }
    canvas_close(&c);
}
END_TEST

/* --- Points ----------------------------------------------------------------------------------- */

START_TEST(points)
{
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, &s);
    s.values.point_size_max = 256.0f;
    for (unsigned i = 0; i < times(5000); i++) {
        const uint32_t *pixels = (const uint32_t *)(const void *)c.memory[0];
        int32_t step = i % 3 ? 1 : 128, largest = i % 10 ? 20 * 256 : 256 * 256;
        int32_t size = random_between(0, largest) / step * step;
        struct exact_point e;
        struct vertex v;
        float p[2];

        any_corner(p, i % 7 ? 45 : 300, step);
        v = vertex_at(p[0], p[1], 0, shade_of(i));
        v.size = (float)(size & ~1) / 256.0f; /* half of it is a whole number of subpixels */
        e = (struct exact_point){exact_snap(p[0]), exact_snap(p[1])};
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if ((pixels[y * STRIDE + x] == shade_of(i)) != exact_square(&e, size / 2, x, y))
                    ck_abort_msg("point %u (%d,%d) of %d: (%d,%d)", i, (int)e.x, (int)e.y, size, x,
                                 y);
    }
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/oracle");
    TCase *tc = tcase_create("oracle");

    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, triangles, 0, TRIANGLE_KINDS);
    tcase_add_test(tc, huge_triangles);
    tcase_add_test(tc, projected_triangles);
    tcase_add_loop_test(tc, lines, 0, LINE_KINDS);
    tcase_add_test(tc, line_strips);
    tcase_add_test(tc, points);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
