/* Coverage of triangles against a brute-force test of every pixel with 64-bit edge functions. */
#include "check_main.h"

#include "fixture.h"

#include <math.h>

struct point {
    int32_t x, y; /* 1/256 pixel */
};

/* Whether a pixel centre is inside of an edge, or on an edge that owns its pixels. */
static bool edge_owns(struct point a, struct point b, int32_t px, int32_t py)
{
    int64_t dx = b.x - a.x, dy = b.y - a.y;
    int64_t e = dx * (py * 256 - a.y) - dy * (px * 256 - a.x);

    return e > 0 || (e == 0 && (dy < 0 || (dy == 0 && dx > 0)));
}

static bool reference_covers(const struct point v[3], int32_t px, int32_t py)
{
    int64_t area = (int64_t)(v[1].x - v[0].x) * (v[2].y - v[0].y) -
                   (int64_t)(v[2].x - v[0].x) * (v[1].y - v[0].y);
    struct point b = area < 0 ? v[2] : v[1], c = area < 0 ? v[1] : v[2];

    return area && edge_owns(v[0], b, px, py) && edge_owns(b, c, px, py) &&
           edge_owns(c, v[0], px, py);
}

static struct vertex vertex_fixed(struct point p)
{
    return vertex_at((float)p.x / 256.0f, (float)p.y / 256.0f, 0.5f, 0x01010101);
}

static void check_triangle(struct canvas *c, const struct raster_state *s, const struct point v[3])
{
    struct vertex corner[3] = {vertex_fixed(v[0]), vertex_fixed(v[1]), vertex_fixed(v[2])};

    ck_assert_int_eq(clear_all(c, 0, 1.0f, 0), ST_OK);
    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, corner, 3), ST_OK);
    raster_flush(c->raster);
    for (int32_t y = 0; y < (int32_t)c->targets.height; y++)
        for (int32_t x = 0; x < (int32_t)c->targets.width; x++)
            ck_assert_msg(canvas_pixel(c, (uint32_t)x, (uint32_t)y) ==
                              (reference_covers(v, x, y) ? 0x01010101 : 0),
                          "(%d,%d) of (%d,%d) (%d,%d) (%d,%d): %08x", x, y, v[0].x, v[0].y, v[1].x,
                          v[1].y, v[2].x, v[2].y, canvas_pixel(c, (uint32_t)x, (uint32_t)y));
}

static struct point random_point(int32_t from, int32_t to, int32_t step)
{
    return (struct point){random_between(from, to) / step * step,
                          random_between(from, to) / step * step};
}

START_TEST(random_triangles_match_edge_functions)
{
    static const struct {
        int32_t from, to, step, count;
    } kinds[] = {
        {-256, 100 * 256, 1, 200},           /* about the size of the target */
        {-256, 100 * 256, 128, 200},         /* corners on centres and between them */
        {20 * 256, 24 * 256, 1, 200},        /* small */
        {20 * 256, 21 * 256, 1, 100},        /* below a pixel */
        {-3000 * 256, 3000 * 256, 1, 150},   /* mostly outside */
        {-32767 * 256, 32767 * 256, 1, 150}, /* the whole guard band */
    };
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 90, 77, D3DFMT_A8R8G8B8);
    for (int i = 0; i < kinds[_i].count; i++) {
        struct point v[3];

        for (int k = 0; k < 3; k++)
            v[k] = random_point(kinds[_i].from, kinds[_i].to, kinds[_i].step);
        check_triangle(&c, &s, v);
    }
    canvas_close(&c);
}
END_TEST

/* A mesh of triangles without inversions: every pixel inside is hit exactly once. */
START_TEST(shared_edges_have_no_gaps_or_double_hits)
{
    enum { N = 6 };
    struct point grid[N + 1][N + 1];
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 70, 70, D3DFMT_A8R8G8B8);
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    for (int round = 0; round < 100; round++) {
        int32_t step = round & 1 ? 128 : 1;

        for (int y = 0; y <= N; y++)
            for (int x = 0; x <= N; x++) {
                int32_t border = !x || !y || x == N || y == N, room = border ? 0 : 2 * 256;

                grid[y][x] = (struct point){
                    (x * 12 * 256 - 256 + random_between(-room, room)) / step * step,
                    (y * 12 * 256 - 256 + random_between(-room, room)) / step * step};
            }
        ck_assert_int_eq(clear_all(&c, 0, 1.0f, 0), ST_OK);
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                struct vertex v[6] = {
                    vertex_fixed(grid[y][x]),     vertex_fixed(grid[y][x + 1]),
                    vertex_fixed(grid[y + 1][x]), vertex_fixed(grid[y + 1][x]),
                    vertex_fixed(grid[y][x + 1]), vertex_fixed(grid[y + 1][x + 1])};

                ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
            }
        raster_flush(c.raster);
        for (uint32_t y = 0; y < 70; y++)
            for (uint32_t x = 0; x < 70; x++)
                ck_assert_msg(canvas_pixel(&c, x, y) == 0x01010101, "round %d (%u,%u): %08x", round,
                              x, y, canvas_pixel(&c, x, y));
    }
    canvas_close(&c);
}
END_TEST

/* The example of the filling convention: a rectangle cut into four triangles. */
START_TEST(filling_convention)
{
    static const struct {
        float x0, y0, x1, y1;
        const char *rows[8];
    } cases[] = {
        {1.5f, 1.5f, 3.5f, 5.5f, {"", "", "  TT", "  LR", "  LR", "  BB", "", ""}},
        {2, 1, 4, 5, {"", "  TT", "  LT", "  LR", "  LB", "", "", ""}},
        {2.0078125f, 1, 4.0078125f, 5, {"", "   TT", "   TR", "   LR", "   BR", "", "", ""}},
        {1.9921875f, 1, 3.9921875f, 5, {"", "  TT", "  LT", "  LR", "  LB", "", "", ""}},
        {2, 0.9921875f, 4, 4.9921875f, {"", "  LT", "  LT", "  LB", "  LB", "", "", ""}},
        {2, 1.0078125f, 4, 5.0078125f, {"", "", "  LT", "  LT", "  LB", "  LB", "", ""}},
    };
    static const uint32_t colour[4] = {0xffff0000, 0xff00ff00, 0xff000001, 0xffffff00};
    float x0 = cases[_i].x0, y0 = cases[_i].y0, x1 = cases[_i].x1, y1 = cases[_i].y1;
    float mx = (x0 + x1) / 2, my = (y0 + y1) / 2;
    float p[4][4] = {{x0, y1, x0, y0}, {x0, y0, x1, y0}, {x1, y0, x1, y1}, {x1, y1, x0, y1}};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 8, 8, D3DFMT_A8R8G8B8);
    s.cull = D3DCULL_CCW;
    ck_assert_int_eq(clear_all(&c, 0, 1.0f, 0), ST_OK);
    for (int i = 0; i < 4; i++) {
        struct vertex v[3] = {vertex_at(p[i][0], p[i][1], 0, colour[i]),
                              vertex_at(p[i][2], p[i][3], 0, colour[i]),
                              vertex_at(mx, my, 0, colour[i])};

        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    }
    raster_flush(c.raster);
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++) {
            const char *row = cases[_i].rows[y];
            char want = x < strlen(row) ? row[x] : ' ', got = ' ';
            uint32_t pixel = canvas_pixel(&c, x, y);

            for (int i = 0; i < 4; i++)
                if (pixel == colour[i])
                    got = "LTRB"[i];
            ck_assert_msg(got == want, "case %d (%u,%u): '%c', not '%c'", _i, x, y, got, want);
        }
    canvas_close(&c);
}
END_TEST

START_TEST(culling_uses_screen_winding)
{
    static const struct {
        D3DCULL cull;
        bool clockwise_shows, other_shows;
    } cases[] = {{D3DCULL_NONE, true, true}, {D3DCULL_CW, false, true}, {D3DCULL_CCW, true, false}};
    struct vertex cw[3] = {vertex_at(0, 0, 0, ~0u), vertex_at(8, 0, 0, ~0u),
                           vertex_at(0, 8, 0, ~0u)};
    struct vertex ccw[3] = {cw[0], cw[2], cw[1]}, flat[3] = {cw[0], cw[1], cw[1]};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 8, 8, D3DFMT_A8R8G8B8);
    for (int i = 0; i < 3; i++) {
        s.cull = (uint8_t)cases[i].cull;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, cw, 3), ST_OK);
        raster_flush(c.raster);
        ck_assert_int_eq(canvas_pixel(&c, 1, 1) != 0, cases[i].clockwise_shows);
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, ccw, 3), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, flat, 3), ST_OK);
        raster_flush(c.raster);
        ck_assert_int_eq(canvas_pixel(&c, 1, 1) != 0, cases[i].other_shows);
    }
    canvas_close(&c);
}
END_TEST

/* NaN, infinities and indices past the end draw nothing and do no harm. */
START_TEST(bad_vertices_draw_nothing)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    uint32_t indices[3] = {0, 1, 3};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 16, 16, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    default_state(&c, &s);
    for (int transformed = 0; transformed < 2; transformed++) {
        s.transformed = transformed;
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < 3; k++) {
                struct vertex v[3] = {vertex_at(-1, -1, 0, ~0u), vertex_at(1, -1, 0, ~0u),
                                      vertex_at(-1, 1, 0, ~0u)};
                struct raster_vertices vertices = {&v[0].x, 12, 3};

                (&v[k].x)[i] = bad[k];
                ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
                ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v[k], 1), ST_OK);
                ck_assert_int_eq(draw(&c, &s, RASTER_LINES, v, 2), ST_OK);
                ck_assert_int_eq(raster_draw(c.raster, &s, &vertices, RASTER_TRIANGLES, indices, 1),
                                 ST_OK);
            }
    }
    raster_flush(c.raster);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/triangle");
    TCase *tc = tcase_create("cover");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, random_triangles_match_edge_functions, 0, 6);
    tcase_add_test(tc, shared_edges_have_no_gaps_or_double_hits);
    tcase_add_loop_test(tc, filling_convention, 0, 6);
    tcase_add_test(tc, culling_uses_screen_winding);
    tcase_add_test(tc, bad_vertices_draw_nothing);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
