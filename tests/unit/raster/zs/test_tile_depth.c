/* Tile-local depth: if a tile starts fast-cleared and ends with a clear, the depth surface is
 * neither read nor written. The tests detect accesses by changing the surface behind the
 * rasteriser's back. */
#include "check_main.h"

#include "fixture.h"

/* The surface contains two whole tiles, at the left of the first row. */
enum { WIDTH = 150, HEIGHT = 100, WHOLE_X = 128, WHOLE_Y = 64, POISON = 0x11 };

static void open_canvas(struct canvas *c, unsigned samples, D3DFORMAT depth,
                        const struct raster_options *options)
{
    canvas_open(c, 2, WIDTH, HEIGHT, samples, D3DFMT_A8R8G8B8, depth);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, options);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
}

static void clear_colour(struct canvas *c)
{
    const int32_t rect[4] = {0, 0, WIDTH, HEIGHT};
    const struct raster_clear clear = {.colour = true};

    ck_assert_int_eq(raster_clear(c->raster, &clear, &rect, 1), ST_OK);
}

static void poison(struct canvas *c)
{
    memset(c->memory[RASTER_TARGETS], POISON, c->bytes[RASTER_TARGETS]);
}

/* In all samples. */
static bool is_poisoned(const struct canvas *c, uint32_t x, uint32_t y)
{
    const struct raster_surface *s = &c->targets.depth;

    for (unsigned sample = 0; sample < c->targets.samples; sample++) {
        const uint8_t *pixel = s->data + (size_t)sample * s->sample_pitch +
                               (size_t)y * s->row_pitch + (size_t)x * s->format->bytes;

        for (unsigned i = 0; i < s->format->bytes; i++)
            if (pixel[i] != POISON)
                return false;
    }
    return true;
}

/* Whether all, or none, of the pixels of whole tiles are still poisoned. */
static bool all_poisoned(const struct canvas *c, bool want)
{
    for (uint32_t y = 0; y < WHOLE_Y; y++)
        for (uint32_t x = 0; x < WHOLE_X; x++)
            if (is_poisoned(c, x, y) != want)
                return false;
    return true;
}

/* A near rectangle, one behind it, and a triangle in front that covers blocks partly. Nothing would
 * pass against the poisoned depth. */
static void draw_scene(struct canvas *c)
{
    const struct vertex front[3] = {vertex_at(3, 3, 0.25f, 0xff0000ff),
                                    vertex_at(99, 9, 0.25f, 0xff0000ff),
                                    vertex_at(9, 60, 0.25f, 0xff0000ff)};
    struct raster_state s;

    default_state(c, &s);
    s.depth_test = s.depth_write = true;
    ck_assert_int_eq(draw_rect(c, &s, -1, -1, WIDTH, HEIGHT, 0.5f, 0xffffffff), ST_OK);
    ck_assert_int_eq(draw_rect(c, &s, -1, -1, WIDTH, HEIGHT, 0.625f, 0xffff0000), ST_OK);
    ck_assert_int_eq(draw(c, &s, RASTER_TRIANGLES, front, 3), ST_OK);
}

static void check_scene(const struct canvas *c)
{
    const struct raster_surface *s = &c->targets.colour[0];

    ck_assert_uint_eq(canvas_pixel(c, 20, 20), 0xff0000ff);
    ck_assert_uint_eq(canvas_pixel(c, 127, 0), 0xffffffff);
    for (unsigned sample = 0; sample < c->targets.samples; sample++)
        for (uint32_t i = 0; i < WHOLE_X * WHOLE_Y; i++) {
            uint32_t x = i % WHOLE_X, y = i / WHOLE_X, colour;

            memcpy(&colour, s->data + (size_t)sample * s->sample_pitch + y * s->row_pitch + x * 4,
                   4);
            ck_assert(colour == 0xff0000ff || colour == 0xffffffff);
        }
}

/* Frames that do not access the depth surface. */
static void draw_frames(struct canvas *c, float z)
{
    ck_assert_int_eq(clear_depth(c, z, 7), ST_OK);
    raster_flush(c->raster);
    for (unsigned frame = 0; frame < 3; frame++) {
        poison(c);
        clear_colour(c);
        draw_scene(c);
        ck_assert_int_eq(clear_depth(c, z, 7), ST_OK);
        raster_flush(c->raster);
        check_scene(c);
        ck_assert(all_poisoned(c, true));
    }
}

START_TEST(surface_is_not_accessed)
{
    static const D3DFORMAT formats[] = {D3DFMT_D24S8, D3DFMT_D16, D3DFMT_D15S1};
    struct canvas c;

    open_canvas(&c, _i % 2 ? 4 : 1, formats[_i / 2], &(struct raster_options){0});
    draw_frames(&c, 0.75f);
    canvas_close(&c);
}
END_TEST

/* Tile-local memory still holds depths of other surfaces, partly fast-cleared. */
START_TEST(targets_change)
{
    struct raster_state s;
    struct canvas c, other;

    open_canvas(&c, 1, D3DFMT_D24S8, &(struct raster_options){0});
    open_canvas(&other, 4, D3DFMT_D24S8, &(struct raster_options){0});
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    draw_frames(&c, 0.75f);
    ck_assert_int_eq(raster_set_targets(c.raster, &other.targets), ST_OK);
    for (unsigned i = 0; i < 2; i++) {
        struct canvas both = other;

        both.raster = c.raster;
        draw_frames(&both, 0.75f);
        ck_assert_int_eq(raster_set_targets(c.raster, &c.targets), ST_OK);
        draw_frames(&c, 0.75f);
        ck_assert_int_eq(draw_rect(&c, &s, 9, 9, 99, 10, 0.5f, 0xffffffff), ST_OK);
        ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
        ck_assert_int_eq(raster_set_targets(c.raster, &other.targets), ST_OK);
    }
    canvas_close(&other);
    canvas_close(&c);
}
END_TEST

/* Frames that begin with a clear to another value than the last one, or with a partial clear. */
START_TEST(clears_within_frame)
{
    struct canvas c;

    open_canvas(&c, 1, D3DFMT_D24S8, &(struct raster_options){0});
    ck_assert_int_eq(clear_depth(&c, 0.125f, 7), ST_OK);
    raster_flush(c.raster);
    for (unsigned frame = 0; frame < 3; frame++) {
        const int32_t rect[4] = {0, 0, WIDTH, HEIGHT};
        const struct raster_clear depth = {.depth = true, .z = 0.75f};
        struct raster_state s;

        poison(&c);
        clear_colour(&c);
        ck_assert_int_eq(raster_clear(c.raster, &depth, &rect, 1), ST_OK);
        draw_scene(&c);
        default_state(&c, &s); /* the stencil keeps its fast-cleared value */
        s.stencil_test = true;
        s.values.stencil_ref = 7;
        s.stencil[0].func = s.stencil[1].func = D3DCMP_NOTEQUAL;
        ck_assert_int_eq(draw_rect(&c, &s, 0, 0, WIDTH, HEIGHT, 0.0f, 0xff00ff00), ST_OK);
        ck_assert_int_eq(clear_depth(&c, 0.125f, 7), ST_OK);
        raster_flush(c.raster);
        check_scene(&c);
        ck_assert(all_poisoned(&c, true));
    }
    canvas_close(&c);
}
END_TEST

/* The last clear's value is what later draws see; if it is new, memory gets it. */
START_TEST(last_clear_is_visible)
{
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, 1, D3DFMT_D24S8, &(struct raster_options){0});
    draw_frames(&c, 0.75f);
    clear_colour(&c);
    draw_scene(&c);
    ck_assert_int_eq(clear_depth(&c, 0.25f, 9), ST_OK);
    raster_flush(c.raster);
    ck_assert(all_poisoned(&c, false));
    ck_assert_uint_eq(canvas_depth(&c, 50, 50), 0x40000009);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, WIDTH, HEIGHT, 0.375f, 0xffff0000), ST_OK);
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 32, 32, 0.125f, 0xff00ff00), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 31, 31), 0xff00ff00);
    ck_assert_uint_ne(canvas_pixel(&c, 32, 31), 0xffff0000);
    ck_assert_uint_eq(canvas_depth(&c, 31, 31), 0x20000009);
    ck_assert_uint_eq(canvas_depth(&c, 32, 31), 0x40000009);
    canvas_close(&c);
}
END_TEST

/* The surface is read if there is no last clear, if it is of some bits or of a part, or if the tile
 * is not fast-cleared. One pixel of the surface is made nearer than all draws. */
START_TEST(surface_is_read)
{
    const int32_t part[4] = {0, 0, WIDTH, 63}, rect[4] = {0, 0, WIDTH, HEIGHT};
    const struct raster_clear last = {.depth = true, .stencil = _i == 2, .z = 0.75f};
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, 1, D3DFMT_D24S8, &(struct raster_options){0});
    ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    if (_i == 3)
        ck_assert_int_eq(draw_rect(&c, &s, 2, 60, 4, 62, 0.7f, 0xffff0000), ST_OK);
    raster_flush(c.raster);
    memset(c.memory[RASTER_TARGETS] + 63 * c.targets.depth.row_pitch +
               (size_t)(_i == 3 ? 50 : 127) * c.targets.depth.format->bytes,
           POISON, c.targets.depth.format->bytes);
    clear_colour(&c);
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, WIDTH, HEIGHT, 0.5f, 0xffffffff), ST_OK);
    if (_i == 1 || _i == 2)
        ck_assert_int_eq(raster_clear(c.raster, &last, _i == 1 ? &rect : &part, 1), ST_OK);
    else if (_i)
        ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 51, 63), 0xffffffff);
    ck_assert_uint_eq(canvas_pixel(&c, _i == 3 ? 50 : 127, 63), 0);
    if (!_i)
        ck_assert_uint_eq(canvas_depth(&c, 126, 63), 0x80000007);
    canvas_close(&c);
}
END_TEST

/* _i: the format. Rectangles of one depth over whole tiles become pending fills, which repeat
 * pixels of 16 bits: after a clear, and after a fill that was written. */
START_TEST(const_depth_is_repeated)
{
    static const D3DFORMAT formats[] = {D3DFMT_D16, D3DFMT_D15S1, D3DFMT_D24S8, D3DFMT_D32};
    static const uint32_t near[] = {0x4000, 0x4001, 0x40000007, 0x40000000};
    static const uint32_t nearer[] = {0x2000, 0x2001, 0x20000007, 0x20000000};
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, 1, formats[_i], &(struct raster_options){0});
    default_state(&c, &s);
    s.depth_test = s.depth_write = true;
    for (unsigned n = 0; n < 2; n++) {
        ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
        ck_assert_int_eq(draw_rect(&c, &s, -1, -1, WIDTH, HEIGHT, 0.25f, 0xffffffff), ST_OK);
        if (n) { /* the small rectangle reads the depth, so that the fill is written */
            ck_assert_int_eq(draw_rect(&c, &s, 5, 5, 9, 9, 0.5f, 0xffff0000), ST_OK);
            ck_assert_int_eq(draw_rect(&c, &s, -1, -1, WIDTH, HEIGHT, 0.125f, 0xffffffff), ST_OK);
        }
        raster_flush(c.raster);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                ck_assert_uint_eq(canvas_depth(&c, x, y), n ? nearer[_i] : near[_i]);
    }
    canvas_close(&c);
}
END_TEST

/* Options that disable tile-local depth. */
START_TEST(surface_is_written)
{
    static const struct raster_options options[] = {{.no_fast_clear = true}, {.tile = 32}};
    struct canvas c;

    open_canvas(&c, 1, D3DFMT_D24S8, &options[_i]);
    ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
    raster_flush(c.raster);
    poison(&c);
    clear_colour(&c);
    ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
    draw_scene(&c);
    ck_assert_int_eq(clear_depth(&c, 0.75f, 7), ST_OK);
    raster_flush(c.raster);
    check_scene(&c);
    ck_assert(all_poisoned(&c, false));
    canvas_close(&c);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/tile_depth");
    TCase *tc = tcase_create("tile_depth");

    tcase_add_loop_test(tc, surface_is_not_accessed, 0, 6);
    tcase_add_test(tc, targets_change);
    tcase_add_test(tc, clears_within_frame);
    tcase_add_test(tc, last_clear_is_visible);
    tcase_add_loop_test(tc, surface_is_read, 0, 4);
    tcase_add_loop_test(tc, const_depth_is_repeated, 0, 4);
    tcase_add_loop_test(tc, surface_is_written, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
