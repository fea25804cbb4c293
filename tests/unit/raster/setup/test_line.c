/* Lines by the diamond-exit rule against a direct evaluation; points, point sprites and fill
 * modes. */
#include "check_main.h"

#include "fixture.h"

#include <math.h>

enum { SIDE = 24 };

/* Whether the pixel's diamond contains the point: |dx| + |dy| < 1/2, the two lower sides, and for
 * steep lines the right corner. Coordinates in 1/256. */
static bool diamond_holds(double x, double y, int px, int py, bool steep)
{
    double dx = x / 256 - px, dy = y / 256 - py, reach = fabs(dx) + fabs(dy);

    return reach < 0.5 || (reach == 0.5 && (dy > 0 || (steep && dx == 0.5)));
}

/* Whether the segment is in the diamond at its start or where it crosses the centre's column (row,
 * if steep), and its end is not. At most that slope, a line that passes a diamond crosses the
 * centre's column inside it. */
static bool line_exits(const int32_t a[2], const int32_t b[2], int px, int py)
{
    bool steep = abs(b[1] - a[1]) > abs(b[0] - a[0]);
    int64_t along = b[steep] - a[steep], across = b[!steep] - a[!steep];
    int64_t to_centre = (steep ? py : px) * 256 - a[steep], off;

    if (diamond_holds(b[0], b[1], px, py, steep))
        return false;
    if (diamond_holds(a[0], a[1], px, py, steep))
        return true;
    if (along < 0) {
        along = -along;
        to_centre = -to_centre;
    }
    if (to_centre < 0 || to_centre > along)
        return false;
    /* Distance from the centre at the crossing, times `along`; ties belong to the lower or right
     * corner. */
    off = (a[!steep] - (steep ? px : py) * 256) * along + to_centre * across;
    return off > -128 * along && off <= 128 * along;
}

/* Ends on a grid of powers of two; slopes with exact crossings for ties. */
START_TEST(lines_follow_the_diamond_rule)
{
    struct raster_state s;
    struct canvas c;
    int32_t step = _i ? 64 : 1;

    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A8R8G8B8);
    for (int round = 0; round < 1500; round++) {
        int32_t a[2], b[2];
        struct vertex v[2];

        for (int i = 0; i < 2; i++) {
            a[i] = random_between(-512, (SIDE + 2) * 256) / step * step;
            b[i] = round % 3 ? random_between(-512, (SIDE + 2) * 256) / step * step
                             : a[i] + random_between(-300, 300) / step * step;
        }
        if (a[0] == b[0] && a[1] == b[1])
            continue;
        v[0] = vertex_at((float)a[0] / 256, (float)a[1] / 256, 0, ~0u);
        v[1] = vertex_at((float)b[0] / 256, (float)b[1] / 256, 0, ~0u);
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_LINES, v, 2), ST_OK);
        raster_flush(c.raster);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                ck_assert_msg((canvas_pixel(&c, (uint32_t)x, (uint32_t)y) != 0) ==
                                  line_exits(a, b, x, y),
                              "(%d,%d) of (%d,%d)-(%d,%d)", x, y, a[0], a[1], b[0], b[1]);
    }
    canvas_close(&c);
}
END_TEST

static int count_lit(const struct canvas *c)
{
    int lit = 0;

    for (uint32_t y = 0; y < c->targets.height; y++)
        for (uint32_t x = 0; x < c->targets.width; x++)
            lit += canvas_pixel(c, x, y) != 0;
    return lit;
}

START_TEST(last_pixel_state)
{
    static const float ends[][2] = {{5, 0}, {-5, 0}, {0, 5}, {0, -5}, {5, 3}, {-3, -5}, {4, -4}};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A8R8G8B8);
    for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        for (int last = 0; last < 2; last++) {
            struct vertex v[2] = {vertex_at(10, 10, 0, ~0u),
                                  vertex_at(10 + ends[i][0], 10 + ends[i][1], 0, ~0u)};

            s.last_pixel = last;
            ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
            ck_assert_int_eq(draw(&c, &s, RASTER_LINES, v, 2), ST_OK);
            raster_flush(c.raster);
            ck_assert_int_eq(count_lit(&c), (i < 4 ? 5 : i == 6 ? 4 : 5) + last);
            ck_assert_uint_eq(canvas_pixel(&c, 10, 10), ~0u);
            ck_assert_uint_eq(canvas_pixel(&c, (uint32_t)v[1].x, (uint32_t)v[1].y), last ? ~0u : 0);
        }
    canvas_close(&c);
}
END_TEST

/* Lines of a strip draw shared end pixels once; only the last line draws its own last pixel. */
START_TEST(joints_are_drawn_once)
{
    static const uint32_t strip[6] = {0, 1, 1, 2, 2, 3};
    struct vertex v[4] = {vertex_at(2, 2, 0, 0x01010101), vertex_at(12, 2, 0, 0x01010101),
                          vertex_at(12, 12, 0, 0x01010101), vertex_at(4, 12, 0, 0x01010101)};
    struct raster_vertices vertices = {&v[0].x, 12, 4};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, SIDE, SIDE, D3DFMT_A8R8G8B8);
    s.last_pixel = true;
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    ck_assert_int_eq(raster_draw(c.raster, &s, &vertices, RASTER_LINES, strip, 3), ST_OK);
    raster_flush(c.raster);
    ck_assert_int_eq(count_lit(&c), 29);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(canvas_pixel(&c, (uint32_t)v[i].x, (uint32_t)v[i].y), 0x01010101);
    canvas_close(&c);
}
END_TEST

START_TEST(lines_interpolate_along_their_length)
{
    struct vertex v[2] = {vertex_at(0, 3, 0, 0xff000000), vertex_at(255, 40, 1, 0xffff0000)};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 256, 64, 1, D3DFMT_A8R8G8B8, D3DFMT_D16);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    s.depth_func = D3DCMP_ALWAYS;
    ck_assert_int_eq(draw(&c, &s, RASTER_LINES, v, 2), ST_OK);
    raster_flush(c.raster);
    for (uint32_t x = 0; x < 255; x++) {
        uint32_t y = (uint32_t)ceil(3.0 + 37.0 * x / 255.0 - 0.5);

        ck_assert_uint_eq(canvas_pixel(&c, x, y), 0xff000000 | x << 16);
        ck_assert_uint_eq(canvas_depth(&c, x, y), x * 257);
    }
    ck_assert_int_eq(count_lit(&c), 255);
    canvas_close(&c);
}
END_TEST

START_TEST(points_are_squares)
{
    static const struct {
        float size, least, most;
        int reach;
    } cases[] = {{15, 0, 64, 7},      {31, 0, 64, 15}, {30.75f, 0, 64, 15}, {63, 0, 64, 31},
                 {62.75f, 0, 64, 31}, {1, 0, 64, 0},   {15, 0, 1, 0},       {1, 15, 64, 7}};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 128, 128, D3DFMT_A8R8G8B8);
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vertex v = vertex_at(64, 60, 0, ~0u);
        int side = 2 * cases[i].reach + 1;

        v.size = cases[i].size;
        s.values.point_size_min = cases[i].least;
        s.values.point_size_max = cases[i].most;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        ck_assert_int_eq(count_lit(&c), side * side);
        ck_assert_uint_eq(canvas_pixel(&c, 64 - (uint32_t)cases[i].reach, 60), ~0u);
        ck_assert_uint_eq(canvas_pixel(&c, 64, 60 + (uint32_t)cases[i].reach), ~0u);
    }
    {
        struct vertex v = vertex_at(64, 60, 0, ~0u);

        v.size = 0;
        s.values.point_size_min = 0;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
        raster_flush(c.raster);
        ck_assert_int_eq(count_lit(&c), 0);
    }
    canvas_close(&c);
}
END_TEST

START_TEST(sprites_generate_coordinates)
{
    struct vertex v = vertex_at(64, 64, 0, 0x40ffffff);
    struct raster_state s;
    struct canvas c;

    v.size = 32;
    canvas_open_default(&c, &s, 128, 128, D3DFMT_A32B32G32R32F);
    s.point_sprite = true;
    for (int i = 0; i < 3; i++)
        s.attr[i].sprite = (uint8_t)(i + 1);
    ck_assert_int_eq(draw(&c, &s, RASTER_POINTS, &v, 1), ST_OK);
    raster_flush(c.raster);
    for (int y = 48; y < 80; y++)
        for (int x = 48; x < 80; x++) {
            float p[4];

            memcpy(p, c.memory[0] + y * 2048 + x * 16, 16);
            ck_assert(p[0] == (float)(x - 48) / 32.0f && p[1] == (float)(y - 48) / 32.0f);
            ck_assert(p[2] == 0.0f && p[3] == 64.0f / 255.0f);
        }
    canvas_close(&c);
}
END_TEST

/* A triangle clipped by the near plane: its wireframe has no edge along the cut, its points are its
 * own corners. */
START_TEST(fill_modes)
{
    struct vertex v[3] = {vertex_at(-0.75f, 0.75f, 0.5f, ~0u), vertex_at(0.75f, 0.75f, 0.5f, ~0u),
                          vertex_at(0, -0.75f, -0.5f, ~0u)};
    struct raster_state s;
    struct canvas c;

    canvas_open_default(&c, &s, 64, 64, D3DFMT_A8R8G8B8);
    s.transformed = false;
    s.fill = D3DFILL_WIREFRAME;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    for (uint32_t x = 8; x < 56; x++)
        ck_assert_uint_eq(canvas_pixel(&c, x, 8), ~0u);
    ck_assert_uint_eq(canvas_pixel(&c, 19, 30), ~0u);
    ck_assert_uint_eq(canvas_pixel(&c, 45, 30), ~0u);
    for (uint32_t x = 22; x < 42; x++) /* z = 0 is in the middle, at row 32 */
        for (uint32_t y = 9; y < 64; y++)
            ck_assert_uint_eq(canvas_pixel(&c, x, y), 0);
    s.fill = D3DFILL_POINT;
    ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    ck_assert_int_eq(count_lit(&c), 2);
    ck_assert_uint_eq(canvas_pixel(&c, 8, 8), ~0u);
    ck_assert_uint_eq(canvas_pixel(&c, 56, 8), ~0u);
    s.cull = D3DCULL_CW;
    ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    ck_assert_int_eq(count_lit(&c), 0);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/line_point");
    TCase *tc = tcase_create("line_point");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, lines_follow_the_diamond_rule, 0, 2);
    tcase_add_test(tc, last_pixel_state);
    tcase_add_test(tc, joints_are_drawn_once);
    tcase_add_test(tc, lines_interpolate_along_their_length);
    tcase_add_test(tc, points_are_squares);
    tcase_add_test(tc, sprites_generate_coordinates);
    tcase_add_test(tc, fill_modes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
