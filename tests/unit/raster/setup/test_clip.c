/* Clipping: depth range, user clip planes, guard band, watertight edges of clipped neighbours,
 * perspective interpolation, viewport. */
#include "check_main.h"

#include "fixture.h"

#include <math.h>

static struct vertex clip_vertex(float x, float y, float z, float w, uint32_t argb)
{
    struct vertex v = vertex_at(x, y, z, argb);

    v.rhw = w;
    return v;
}

static void clip_state(const struct canvas *c, struct raster_state *s)
{
    default_state(c, s);
    s->transformed = false;
    s->clipping = true;
}

/* A quad whose depth runs from below 0 (left) to above 1 (right) is visible in between, with and
 * without D3DRS_CLIPPING. */
START_TEST(depth_is_clipped_in_clip_space)
{
    struct vertex v[6] = {clip_vertex(-1, 1, -0.5f, 1, ~0u),  clip_vertex(1, 1, 1.5f, 1, ~0u),
                          clip_vertex(-1, -1, -0.5f, 1, ~0u), clip_vertex(-1, -1, -0.5f, 1, ~0u),
                          clip_vertex(1, 1, 1.5f, 1, ~0u),    clip_vertex(1, -1, 1.5f, 1, ~0u)};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 64, 64, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    clip_state(&c, &s);
    for (int clipping = 0; clipping < 2; clipping++) {
        s.clipping = clipping;
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
        raster_flush(c.raster);
        for (uint32_t x = 0; x < 64; x++)
            ck_assert_msg(canvas_pixel(&c, x, 30) == (x >= 16 && x < 48 ? ~0u : 0), "%u", x);
    }
    canvas_close(&c);
}
END_TEST

/* A device with D3DPMISCCAPS_CLIPTLVERTS clips pretransformed vertices to 0 <= z <= 1 if depth is
 * tested, whatever D3DRS_CLIPPING says; without the test any depth is drawn (reference:
 * clip/transformed-depth). */
START_TEST(transformed_vertices_are_clipped_where_depth_is_tested)
{
    for (unsigned clipping = 0; clipping < 2; clipping++) {
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 16, 16, 1, D3DFMT_A8R8G8B8, D3DFMT_D16);
        default_state(&c, &s);
        s.clipping = clipping;
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 16, 16, 5.0f, 0x11223344), ST_OK);
        s.depth_test = s.depth_write = true;
        s.depth_func = D3DCMP_ALWAYS;
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 8, 16, -3.0f, 0x55667788), ST_OK);
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 8, 16, 1.5f, 0x55667788), ST_OK);
        ck_assert_int_eq(draw_rect(&c, &s, 12, 0, 16, 16, 1.0f, 0x99aabbcc), ST_OK);
        raster_flush(c.raster);
        ck_assert_uint_eq(canvas_pixel(&c, 9, 9), 0x11223344);
        ck_assert_uint_eq(canvas_pixel(&c, 3, 9), 0x11223344);
        ck_assert_uint_eq(canvas_pixel(&c, 13, 9), 0x99aabbcc);
        ck_assert_uint_eq(canvas_depth(&c, 13, 9), 0xffff);
        canvas_close(&c);
    }
}
END_TEST

/* Position of the cut: z falls from 1 at x = 29.1 to 0 at 320. Without a depth surface nothing is
 * cut. */
START_TEST(transformed_vertices_are_clipped_in_the_right_place)
{
    struct vertex v[6] = {vertex_at(0, 0, 1.1f, ~0u),    vertex_at(640, 0, -1.1f, ~0u),
                          vertex_at(0, 4, 1.1f, ~0u),    vertex_at(0, 4, 1.1f, ~0u),
                          vertex_at(640, 0, -1.1f, ~0u), vertex_at(640, 4, -1.1f, ~0u)};

    for (unsigned k = 0; k < 2; k++) {
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 640, 4, 1, D3DFMT_A8R8G8B8, k ? D3DFMT_UNKNOWN : D3DFMT_D16);
        default_state(&c, &s);
        s.depth_test = true;
        s.depth_func = D3DCMP_GREATEREQUAL;
        ck_assert_int_eq(clear_all(&c, 0, 0.0f, 0), ST_OK);
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
        raster_flush(c.raster);
        for (uint32_t x = 0; x < 640; x++)
            ck_assert_msg((canvas_pixel(&c, x, 2) != 0) == (k || (x >= 30 && x < 320)), "%u: %u", k,
                          x);
        canvas_close(&c);
    }
}
END_TEST

START_TEST(user_clip_planes)
{
    struct vertex v[6] = {clip_vertex(-1, 1, 0, 1, ~0u),  clip_vertex(1, 1, 0, 1, ~0u),
                          clip_vertex(-1, -1, 0, 1, ~0u), clip_vertex(-1, -1, 0, 1, ~0u),
                          clip_vertex(1, 1, 0, 1, ~0u),   clip_vertex(1, -1, 0, 1, ~0u)};
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 640, 480, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    clip_state(&c, &s);
    s.clip_plane_mask = 1;
    s.values.clip_plane[0][1] = 1.0f;
    s.values.clip_plane[0][3] = 0.5f / 480.0f;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 1, 240), ~0u);
    ck_assert_uint_eq(canvas_pixel(&c, 638, 240), ~0u);
    ck_assert_uint_eq(canvas_pixel(&c, 1, 241), 0);
    ck_assert_uint_eq(canvas_pixel(&c, 638, 241), 0);
    s.clipping = false;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 1, 241), ~0u);
    canvas_close(&c);
}
END_TEST

/* Depth clamp replaces depth clipping: depths above 1 become 1, below 0 become 0. */
START_TEST(depth_clamp_replaces_clipping)
{
    for (int transformed = 0; transformed < 2; transformed++) {
        static const float at[4][2] = {{5.0f, 1.0f}, {1.25f, 1.0f}, {0.5f, 0.5f}, {-3.0f, 0.0f}};
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 8, 8, 1, D3DFMT_A8R8G8B8, D3DFMT_D32F_LOCKABLE);
        clip_state(&c, &s);
        s.transformed = transformed;
        s.depth_clamp = s.depth_test = s.depth_write = true;
        s.clipping = false;
        s.depth_func = D3DCMP_ALWAYS;
        for (int i = 0; i < 4; i++) {
            uint32_t bits;
            float stored, size = transformed ? 20.0f : 5.0f;
            struct vertex v[3] = {vertex_at(-size, size, at[i][0], ~0u),
                                  vertex_at(size, size, at[i][0], ~0u),
                                  vertex_at(-size, -3 * size, at[i][0], ~0u)};

            ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
            raster_flush(c.raster);
            bits = canvas_depth(&c, 2, 2);
            memcpy(&stored, &bits, sizeof(stored));
            ck_assert_msg(stored == at[i][1] && canvas_pixel(&c, 2, 2), "%d: %g for %g",
                          transformed, stored, at[i][0]);
        }
        canvas_close(&c);
    }
}
END_TEST

/* A fan around one point, in random perspective, that crosses every plane: each covered pixel is
 * covered once, however its triangles are clipped. */
START_TEST(clipped_neighbours_leave_no_cracks)
{
    enum { SPOKES = 7 };
    struct raster_state s;
    struct canvas c;
    int visible = 0;

    canvas_open(&c, 1, 96, 96, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN);
    clip_state(&c, &s);
    s.blend_enable = true;
    s.blend_rgb = (struct raster_blend){D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD};
    s.clip_plane_mask = 3;
    for (int round = 0; round < 400; round++) {
        float far_off = round & 1 ? 3000.0f : 3.0f;
        struct vertex ring[SPOKES], hub;
        bool once = true;

        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 4; k++)
                s.values.clip_plane[i][k] = (float)random_between(-100, 100) / 100.0f + (k == 3);
        /* A plane in space, z = f(x, y), in perspective: w = z * 2 + 1, partly behind the eye. */
        for (int i = 0; i <= SPOKES; i++) {
            float angle = 6.2831853f * (float)i / SPOKES, r = i < SPOKES ? far_off : 0.0f;
            float x = r * cosf(angle) + (float)random_between(-50, 50) / 100.0f;
            float y = r * sinf(angle) + (float)random_between(-50, 50) / 100.0f;
            float z = 0.4f + 0.31f * x - 0.17f * y;

            *(i < SPOKES ? &ring[i] : &hub) = clip_vertex(x, y, z, 1.0f + 2.0f * z, 0x01010101);
        }
        ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
        for (int i = 0; i < SPOKES; i++) {
            struct vertex v[3] = {hub, ring[i], ring[(i + 1) % SPOKES]};

            if (round & 2) {
                v[0] = ring[i];
                v[1] = ring[(i + 1) % SPOKES];
                v[2] = hub;
            }
            ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
        }
        raster_flush(c.raster);
        /* The fan is convex, so each row is one run of ones. */
        for (uint32_t y = 0; y < 96; y++) {
            unsigned runs = 0;
            uint32_t before = 0;

            for (uint32_t x = 0; x < 96; x++) {
                uint32_t pixel = canvas_pixel(&c, x, y);

                once = once && (pixel == 0 || pixel == 0x01010101);
                runs += pixel && !before;
                visible += pixel != 0;
                before = pixel;
            }
            ck_assert_msg(once, "round %d, row %u: a pixel was hit twice", round, y);
            ck_assert_msg(runs <= 1, "round %d, row %u: a crack", round, y);
        }
    }
    ck_assert_int_gt(visible, 100000);
    canvas_close(&c);
}
END_TEST

/* u / w and 1 / w against double precision, with near-plane clipping. */
START_TEST(perspective_is_correct)
{
    const double corners[3][4] = {{-3, -1, -2, 0.5}, {4, -1.5, 1, 6}, {0.5, 9, 2, 9}};
    struct vertex v[3];
    struct raster_state s;
    struct canvas c;
    int seen = 0;

    canvas_open(&c, 1, 100, 100, 1, D3DFMT_A32B32G32R32F, D3DFMT_UNKNOWN);
    clip_state(&c, &s);
    for (int i = 0; i < 3; i++) {
        v[i] = clip_vertex((float)corners[i][0], (float)corners[i][1], (float)corners[i][2],
                           (float)corners[i][3], 0);
        for (int k = 0; k < 4; k++)
            v[i].rgba[k] = (float)corners[i][k]; /* the position itself as an attribute */
    }
    ck_assert_int_eq(clear_all(&c, 0, 1, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 100; x++) {
            float p[4];

            memcpy(p, c.memory[0] + y * 1600 + x * 16, 16);
            if (p[3] == 0.0f)
                continue;
            seen++;
            ck_assert(p[2] > -0.01f);
            /* The position must project to this pixel. */
            ck_assert_msg(fabs(50.0 + 50.0 * p[0] / p[3] - x) < 0.02, "%d %d: %g %g", x, y, p[0],
                          p[3]);
            ck_assert_msg(fabs(50.0 - 50.0 * p[1] / p[3] - y) < 0.02, "%d %d: %g %g", x, y, p[1],
                          p[3]);
        }
    ck_assert_int_gt(seen, 1000);
    canvas_close(&c);
}
END_TEST

START_TEST(viewport_transform)
{
    static const struct {
        float viewport[6];
        uint32_t left, top, right, bottom; /* inclusive */
        float z;
    } cases[] = {
        {{0, 0, 64, 48, 0, 0}, 0, 12, 47, 35, 0.001f},
        {{0, 0, 64, 48, 0.5f, 0}, 0, 12, 47, 35, 0.501f},
        {{0, 0, 32, 24, 0, 1}, 0, 6, 23, 17, 1.0f},
        {{0, 0, 128, 96, 0.25f, 0.75f}, 0, 24, 63, 47, 0.75f},
        {{10, 10, 64, 48, 0, 0}, 10, 22, 57, 45, 0.001f},
    };
    struct vertex v[6] = {
        clip_vertex(-1.5f, 0.5f, 1, 1, ~0u),  clip_vertex(0.5f, 0.5f, 1, 1, ~0u),
        clip_vertex(-1.5f, -0.5f, 1, 1, ~0u), clip_vertex(-1.5f, -0.5f, 1, 1, ~0u),
        clip_vertex(0.5f, 0.5f, 1, 1, ~0u),   clip_vertex(0.5f, -0.5f, 1, 1, ~0u)};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct raster_state s;
        struct canvas c;

        canvas_open(&c, 1, 64, 48, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
        clip_state(&c, &s);
        memcpy(s.values.viewport, cases[i].viewport, sizeof(s.values.viewport));
        s.values.scissor[0] = (int32_t)s.values.viewport[0];
        s.values.scissor[1] = (int32_t)s.values.viewport[1];
        s.depth_test = s.depth_write = true;
        s.depth_func = D3DCMP_ALWAYS;
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
        raster_flush(c.raster);
        for (uint32_t y = 0; y < 48; y++)
            for (uint32_t x = 0; x < 64; x++) {
                bool in = x >= cases[i].left && x <= cases[i].right && y >= cases[i].top &&
                          y <= cases[i].bottom;

                ck_assert_msg(canvas_pixel(&c, x, y) == (in ? ~0u : 0), "case %u (%u,%u)", i, x, y);
                if (in)
                    ck_assert(fabs((canvas_depth(&c, x, y) >> 8) / 16777215.0 - cases[i].z) < 1e-6);
            }
        canvas_close(&c);
    }
}
END_TEST

/* A cylinder's seam: from 0.9 to 0.1 interpolates through 1, not back through 0.5. */
START_TEST(wrapping_takes_the_short_way)
{
    struct vertex v[6] = {vertex_at(0, 0, 0, 0), vertex_at(8, 0, 0, 0), vertex_at(0, 8, 0, 0),
                          vertex_at(0, 8, 0, 0), vertex_at(8, 0, 0, 0), vertex_at(8, 8, 0, 0)};
    struct raster_state s;
    struct canvas c;

    for (int i = 0; i < 6; i++)
        v[i].rgba[0] = v[i].rgba[1] = v[i].x > 0 ? 0.125f : 0.875f;
    canvas_open_default(&c, &s, 8, 8, D3DFMT_A32B32G32R32F);
    s.attr[0].wrap = 1;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
    raster_flush(c.raster);
    for (int x = 0; x < 8; x++) {
        float p[2];

        memcpy(p, c.memory[0] + 4 * 128 + x * 16, 8);
        ck_assert(p[0] - floorf(p[0]) == fmodf(0.875f + 0.03125f * (float)x, 1.0f));
        ck_assert(p[1] == 0.875f - 0.09375f * (float)x);
    }
    canvas_close(&c);
}
END_TEST

START_TEST(flat_and_affine_attributes)
{
    struct vertex v[3] = {vertex_at(0, 0, 0, 0), vertex_at(16, 0, 0, 0), vertex_at(0, 16, 0, 0)};
    struct raster_state s;
    struct canvas c;
    float p[4];

    v[1].rhw = 0.25f;
    for (int k = 0; k < 4; k++) {
        v[0].rgba[k] = 0.5f;
        v[1].rgba[k] = 1.0f;
    }
    canvas_open_default(&c, &s, 8, 8, D3DFMT_A32B32G32R32F);
    s.attr[1].interp = RASTER_FLAT;
    s.attr[2].interp = RASTER_AFFINE;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    memcpy(p, c.memory[0] + 4 * 16, 16); /* a quarter of the way */
    ck_assert(fabs(p[0] - (0.75 * 0.5 + 0.25 * 0.25) / (0.75 + 0.25 * 0.25)) < 1e-6);
    ck_assert(p[1] == 0.5f);
    ck_assert(p[2] == 0.625f);
    canvas_close(&c);
}
END_TEST

/* If 1 / w is the same for all vertices, it may have any value: with 0 there is no division. */
START_TEST(rhw_of_zero_draws)
{
    struct vertex v[3] = {vertex_at(0, 0, 0, 0xff804020), vertex_at(16, 0, 0, 0xff804020),
                          vertex_at(0, 16, 0, 0xff804020)};
    struct raster_state s;
    struct canvas c;

    v[0].rhw = v[1].rhw = v[2].rhw = 0.0f;
    v[2].rgba[0] = 0.0f;
    canvas_open_default(&c, &s, 8, 8, D3DFMT_A8R8G8B8);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 3, 4), 0xff604020);
    canvas_close(&c);
}
END_TEST

/* Pretransformed vertices far outside the guard band: the visible part stays in place. */
START_TEST(transformed_vertices_beyond_the_guard_band)
{
    struct vertex v[3] = {vertex_at(-100000, 8, 0, 0), vertex_at(100032, 8, 0, 0),
                          vertex_at(16, 100000, 0, 0)};
    struct raster_state s;
    struct canvas c;
    float p;

    canvas_open_default(&c, &s, 32, 32, D3DFMT_R32F);
    v[0].rgba[0] = 0.0f;
    v[1].rgba[0] = 1.0f;
    v[2].rgba[0] = 0.5f;
    v[0].rhw = v[2].rhw = 0.5f;
    ck_assert_int_eq(clear_all(&c, 0, 0, 0), ST_OK);
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3), ST_OK);
    raster_flush(c.raster);
    memcpy(&p, c.memory[0] + 7 * 128 + 64, 4);
    ck_assert(p == 0.0f);
    memcpy(&p, c.memory[0] + 8 * 128 + 64, 4); /* middle of the upper edge: 0.5 / 0.75 */
    ck_assert_msg(fabsf(p - 2.0f / 3.0f) < 1e-3f, "%g", p);
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/clip");
    TCase *tc = tcase_create("clip");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, depth_is_clipped_in_clip_space);
    tcase_add_test(tc, transformed_vertices_are_clipped_where_depth_is_tested);
    tcase_add_test(tc, transformed_vertices_are_clipped_in_the_right_place);
    tcase_add_test(tc, user_clip_planes);
    tcase_add_test(tc, depth_clamp_replaces_clipping);
    tcase_add_test(tc, clipped_neighbours_leave_no_cracks);
    tcase_add_test(tc, perspective_is_correct);
    tcase_add_test(tc, viewport_transform);
    tcase_add_test(tc, wrapping_takes_the_short_way);
    tcase_add_test(tc, flat_and_affine_attributes);
    tcase_add_test(tc, rhw_of_zero_draws);
    tcase_add_test(tc, transformed_vertices_beyond_the_guard_band);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
