/* Fast clears: a clear skips blocks that hold its value and writes blocks that do not. Tests modify
 * memory behind the rasteriser's back to detect writes. */
#include "check_main.h"

#include "fixture.h"

enum { WIDTH = 150, HEIGHT = 100, MARK = 0x5a };

static uint8_t *pixel_at(const struct canvas *c, unsigned slot, uint32_t x, uint32_t y,
                         unsigned sample)
{
    const struct raster_surface *s =
        slot < RASTER_TARGETS ? &c->targets.colour[slot] : &c->targets.depth;

    return s->data + (size_t)sample * s->sample_pitch + (size_t)y * s->row_pitch +
           (size_t)x * s->format->bytes;
}

static void open_canvas(struct canvas *c, unsigned samples)
{
    canvas_open(c, 2, WIDTH, HEIGHT, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
}

static void clear_parts(struct canvas *c, unsigned flags, uint8_t value, int32_t right)
{
    const int32_t rect[4] = {0, 0, right, HEIGHT};
    const struct raster_clear clear = {.colour = flags & D3DCLEAR_TARGET,
                                       .depth = flags & D3DCLEAR_ZBUFFER,
                                       .stencil = flags & D3DCLEAR_STENCIL,
                                       .rgba = {(float)value / 255.0f},
                                       .z = (float)value / 255.0f,
                                       .stencil_value = value};

    ck_assert_int_eq(raster_clear(c->raster, &clear, &rect, 1), ST_OK);
}

/* Whether the clear writes the pixel again; for D3DCLEAR_STENCIL alone looks at the stencil
 * byte. */
static bool is_written(struct canvas *c, unsigned slot, uint32_t x, uint32_t y, unsigned flags,
                       uint8_t value)
{
    uint8_t *byte = pixel_at(c, slot, x, y, 0) + (flags == D3DCLEAR_STENCIL ? 0 : 2);
    uint8_t before;

    raster_flush(c->raster);
    before = *byte;
    *byte ^= MARK;
    clear_parts(c, flags, value, WIDTH);
    raster_flush(c->raster);
    if (*byte != (before ^ MARK))
        return true;
    *byte = before;
    return false;
}

/* --- Clears ----------------------------------------------------------------------------------- */

enum { ALL = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, DEPTH = RASTER_TARGETS };

START_TEST(equal_clears)
{
    struct canvas c;

    open_canvas(&c, _i ? 4 : 1);
    ck_assert(is_written(&c, 0, 149, 99, ALL, 7));
    ck_assert(!is_written(&c, 0, 149, 99, ALL, 7));
    ck_assert(!is_written(&c, DEPTH, 64, 63, ALL, 7));
    ck_assert(is_written(&c, 0, 149, 99, ALL, 8));
    ck_assert(!is_written(&c, 0, 149, 99, ALL, 8));
    clear_parts(&c, ALL, 8, 149); /* all but one column */
    ck_assert(is_written(&c, 0, 149, 99, ALL, 8));
    canvas_close(&c);
}
END_TEST

/* Depth and stencil cleared separately: bits that no clear covers stay unknown. */
START_TEST(separate_depth_and_stencil)
{
    struct canvas c;

    open_canvas(&c, 1);
    clear_parts(&c, D3DCLEAR_ZBUFFER, 9, WIDTH);
    ck_assert(!is_written(&c, DEPTH, 3, 3, D3DCLEAR_ZBUFFER, 9));
    ck_assert(is_written(&c, DEPTH, 3, 3, D3DCLEAR_STENCIL, 2));
    ck_assert(!is_written(&c, DEPTH, 3, 3, D3DCLEAR_STENCIL, 2));
    ck_assert(!is_written(&c, DEPTH, 3, 3, D3DCLEAR_ZBUFFER, 9));
    ck_assert_uint_eq(canvas_depth(&c, 3, 3), 0x09090902);
    ck_assert(is_written(&c, DEPTH, 3, 3, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 9));
    ck_assert(!is_written(&c, DEPTH, 3, 3, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 9));
    canvas_close(&c);
}
END_TEST

/* A clear of depth alone keeps drawn stencil values. */
START_TEST(depth_clear_keeps_drawn_stencil)
{
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, 1);
    default_state(&c, &s);
    s.depth_test = s.depth_write = s.stencil_test = true;
    s.stencil[0].pass = s.stencil[1].pass = D3DSTENCILOP_INCR;
    clear_parts(&c, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 9, WIDTH);
    ck_assert_int_eq(draw_rect(&c, &s, 1, 1, 5, 5, 0.0f, ~0u), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_depth(&c, 3, 3), 10);
    clear_parts(&c, D3DCLEAR_ZBUFFER, 9, WIDTH);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_depth(&c, 3, 3), 0x0909090a);
    clear_parts(&c, D3DCLEAR_STENCIL, 9, WIDTH);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_depth(&c, 3, 3), 0x09090909);
    canvas_close(&c);
}
END_TEST

/* The owner of the memory reports a foreign write by zeroing the records. */
START_TEST(foreign_writes)
{
    struct canvas c;

    open_canvas(&c, 1);
    clear_parts(&c, ALL, 7, WIDTH);
    raster_flush(c.raster);
    memset(c.fast_clear[0], 0, raster_fast_clear_count(WIDTH, HEIGHT) * sizeof(*c.fast_clear[0]));
    ck_assert(is_written(&c, 0, 20, 20, ALL, 7));
    ck_assert_uint_eq(raster_fast_clear_count(WIDTH, HEIGHT), 6);
    ck_assert_uint_eq(raster_fast_clear_count(128, 64), 2);
    canvas_close(&c);
}
END_TEST

/* A new image may reuse the memory of a destroyed one, with other records. */
START_TEST(records_change)
{
    struct raster_fast_clear record[6] = {{{0}, {0}, 0}}, *first;
    struct canvas c;

    open_canvas(&c, 1);
    clear_parts(&c, ALL, 7, WIDTH);
    raster_flush(c.raster);
    first = c.targets.colour[0].fast_clear;
    ck_assert_uint_eq(first[5].blocks, ~UINT64_C(0));
    memset(first, 0, 6 * sizeof(*first));
    c.targets.colour[0].fast_clear = record;
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
    clear_parts(&c, ALL, 7, WIDTH);
    raster_flush(c.raster);
    ck_assert_uint_eq(first[5].blocks, 0);
    ck_assert_uint_eq(record[5].blocks, ~UINT64_C(0));
    canvas_close(&c);
}
END_TEST

/* Options that disable skipping of clears. */
START_TEST(options_without_fast_clear)
{
    static const struct raster_options options[] = {{.no_fast_clear = true}, {.tile = 32}};
    struct canvas c;

    open_canvas(&c, 1);
    raster_destroy(c.raster);
    ck_assert_int_eq(raster_create(&c.raster, c.pool), ST_OK);
    raster_set_options(c.raster, &options[_i]);
    ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
    clear_parts(&c, ALL, 7, WIDTH);
    ck_assert(is_written(&c, 0, 20, 20, ALL, 7));
    canvas_close(&c);
}
END_TEST

/* --- Draws ------------------------------------------------------------------------------------ */

/* Draws that write the block at (72, 24) and not the block at (24, 72). */
static void draw_points(struct canvas *c, const struct raster_state *s)
{
    struct vertex v = vertex_at(75.5f, 27.5f, 0.25f, ~0u);

    ck_assert_int_eq(draw(c, s, RASTER_POINTS, &v, 1), ST_OK);
}

static void draw_lines(struct canvas *c, const struct raster_state *s)
{
    struct vertex v[2] = {vertex_at(74.5f, 25.5f, 0.25f, ~0u), vertex_at(78.5f, 29.5f, 0.25f, ~0u)};

    ck_assert_int_eq(draw(c, s, RASTER_LINES, v, 2), ST_OK);
}

static void draw_small(struct canvas *c, const struct raster_state *s)
{
    struct vertex v[3] = {vertex_at(73, 25, 0.25f, ~0u), vertex_at(78, 25, 0.25f, ~0u),
                          vertex_at(73, 30, 0.25f, ~0u)};

    for (unsigned i = 0; i < 40; i++) /* enough for batched setup */
        ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 3), ST_OK);
}

static void draw_many_small(struct canvas *c, const struct raster_state *s)
{
    struct vertex v[3 * 64];

    for (unsigned i = 0; i < 64; i++) {
        v[3 * i] = vertex_at(73, 25, 0.25f, ~0u);
        v[3 * i + 1] = vertex_at(78, 25, 0.25f, ~0u);
        v[3 * i + 2] = vertex_at(73, 30, 0.25f, ~0u);
    }
    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 3 * 64), ST_OK);
}

static void draw_large(struct canvas *c, const struct raster_state *s)
{
    struct vertex v[3] = {vertex_at(60, 0, 0.25f, ~0u), vertex_at(150, 0, 0.25f, ~0u),
                          vertex_at(60, 90, 0.25f, ~0u)};

    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 3), ST_OK);
}

static void draw_tile(struct canvas *c, const struct raster_state *s)
{
    ck_assert_int_eq(draw_rect(c, s, 64, 0, 128, 64, 0.25f, ~0u), ST_OK);
}

static void draw_sprite(struct canvas *c, const struct raster_state *s)
{
    ck_assert_int_eq(draw_rect(c, s, 72, 24, 80, 32, 0.25f, ~0u), ST_OK);
}

typedef void draw_fn(struct canvas *c, const struct raster_state *s);
static draw_fn *const draws[] = {draw_points, draw_lines, draw_small, draw_many_small,
                                 draw_large,  draw_tile,  draw_sprite};

typedef void tests_fn(struct raster_state *s);
static void no_tests(struct raster_state *s)
{
    (void)s;
}
static void frag_batches(struct raster_state *s)
{
    s->needs_quads = false;
    s->ps_inputs = 0;
    s->depth_test = s->depth_write = true;
}
static void writes_depth(struct raster_state *s)
{
    s->depth_test = s->depth_write = true;
}
static void writes_depth_alone(struct raster_state *s)
{
    s->depth_test = s->depth_write = true;
    memset(s->write_mask, 0, sizeof(s->write_mask));
}
static void fails_into_stencil(struct raster_state *s)
{
    s->depth_test = s->stencil_test = true;
    s->depth_func = D3DCMP_GREATER;
    s->stencil[0].zfail = s->stencil[1].zfail = D3DSTENCILOP_INCRSAT;
}
static void late_alpha(struct raster_state *s)
{
    s->depth_test = s->depth_write = s->alpha_test = true;
    s->alpha_func = D3DCMP_GREATER;
}
static tests_fn *const tests[] = {no_tests,           frag_batches,       writes_depth,
                                  writes_depth_alone, fails_into_stencil, late_alpha};

enum { DRAWS = sizeof(draws) / sizeof(draws[0]), TESTS = sizeof(tests) / sizeof(tests[0]) };

/* A draw, then the same clear again: all pixels are cleared, and the clear skips the untouched
 * block. */
START_TEST(drawn_blocks)
{
    unsigned samples = _i / (DRAWS * TESTS) ? 4 : 1;
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, samples);
    default_state(&c, &s);
    tests[_i / DRAWS % TESTS](&s);
    for (unsigned frame = 0; frame < 3; frame++) {
        bool changed = false;

        clear_parts(&c, ALL, 200, WIDTH);
        draws[_i % DRAWS](&c, &s);
        raster_flush(c.raster);
        for (uint32_t y = 24; y < 32; y++)
            for (uint32_t x = 72; x < 80; x++)
                changed |=
                    canvas_pixel(&c, x, y) != 0x00c80000 || canvas_depth(&c, x, y) != 0xc8c8c8c8;
        ck_assert(changed);
        ck_assert(!is_written(&c, 0, 24, 72, ALL, 200));
        for (unsigned sample = 0; sample < samples; sample++) {
            for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
                uint32_t x = i % WIDTH, y = i / WIDTH, colour, depth;

                memcpy(&colour, pixel_at(&c, 0, x, y, sample), 4);
                memcpy(&depth, pixel_at(&c, DEPTH, x, y, sample), 4);
                ck_assert_uint_eq(colour, 0x00c80000);
                ck_assert_uint_eq(depth, 0xc8c8c8c8);
            }
        }
    }
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/fast_clear");
    TCase *tc = tcase_create("fast_clear");

    tcase_add_loop_test(tc, equal_clears, 0, 2);
    tcase_add_test(tc, separate_depth_and_stencil);
    tcase_add_test(tc, depth_clear_keeps_drawn_stencil);
    tcase_add_test(tc, foreign_writes);
    tcase_add_test(tc, records_change);
    tcase_add_loop_test(tc, options_without_fast_clear, 0, 2);
    tcase_add_loop_test(tc, drawn_blocks, 0, 2 * DRAWS * TESTS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
