/* Bin discard: commands that a later one overdraws leave the tile's bin; commands with side effects
 * stay. */
#include "check_main.h"

#include "fixture.h"
#include "raster/bin/bin.h"
#include "raster/scene/scene.h"

enum { DIM = 128 };

static void opaque_state(const struct canvas *c, struct raster_state *s)
{
    default_state(c, s);
    s->colours = 3;
}

/* Opens a canvas with an opaque state for it. */
static void open_canvas(struct canvas *c, struct raster_state *opaque, unsigned samples,
                        bool keep_overdrawn)
{
    canvas_open(c, 1, DIM, DIM, samples, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    raster_set_options(c->raster, &(struct raster_options){.keep_overdrawn = keep_overdrawn});
    c->targets.colour[1] = canvas_surface(c, 1, D3DFMT_R5G6B5);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    opaque_state(c, opaque);
}

static unsigned commands_of_tile(const struct raster *raster, unsigned tile)
{
    unsigned n = 0;

    for (const struct bin_block *cmds = raster->bins[tile].first; cmds; cmds = cmds->next)
        n += cmds->count;
    return n;
}

static void draw_over(struct canvas *c, const struct raster_state *s, float right, uint32_t argb)
{
    ck_assert_int_eq(draw_rect(c, s, -8, -8, right, right, 0.5f, argb), ST_OK);
}

static void draw_some(struct canvas *c, const struct raster_state *s)
{
    struct vertex v[3] = {vertex_at(2, 2, 0.25f, 0xff00ff00), vertex_at(40, 2, 0.25f, 0xff00ff00),
                          vertex_at(2, 40, 0.25f, 0xff00ff00)};

    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 3), ST_OK);
}

/* --- Discarded commands ----------------------------------------------------------------------- */

static uint64_t passed;

static void as_it_is(struct raster_state *s)
{
    (void)s;
}
static void blends(struct raster_state *s)
{
    s->blend_enable = true;
}
static void masks_red(struct raster_state *s)
{
    s->write_mask[1] = 14;
}
static void writes_one(struct raster_state *s)
{
    s->colours = 1;
}
static void kills(struct raster_state *s)
{
    s->kills = true;
}
static void tests_alpha(struct raster_state *s)
{
    s->alpha_test = true;
    s->alpha_func = D3DCMP_GREATER;
}
static void tests_depth(struct raster_state *s)
{
    s->depth_test = true;
}
static void tests_stencil(struct raster_state *s)
{
    s->stencil_test = true;
}
static void counts(struct raster_state *s)
{
    s->values.samples_passed = &passed;
}
static void is_cut(struct raster_state *s)
{
    s->values.scissor[0] = 1;
}
static void is_wire(struct raster_state *s)
{
    s->fill = D3DFILL_WIREFRAME;
}

/* Commands in the first tile after a triangle with `before` and a covering square with `over`. */
struct row {
    const char *name;
    void (*before)(struct raster_state *s), (*over)(struct raster_state *s);
    unsigned commands;
};
static const struct row rows[] = {
    {"overdrawn", as_it_is, as_it_is, 1},
    {"blended, then overdrawn", blends, as_it_is, 1},
    {"killing, then overdrawn", kills, as_it_is, 1},
    {"depth was tested", tests_depth, as_it_is, 2},
    {"stencil was tested", tests_stencil, as_it_is, 2},
    {"samples were counted", counts, as_it_is, 2},
    {"blends", as_it_is, blends, 2},
    {"keeps red of target 1", as_it_is, masks_red, 2},
    {"keeps target 1", as_it_is, writes_one, 2},
    {"may kill", as_it_is, kills, 2},
    {"tests alpha", as_it_is, tests_alpha, 2},
    {"tests depth", as_it_is, tests_depth, 2},
    {"tests stencil", as_it_is, tests_stencil, 2},
    {"counts", as_it_is, counts, 2},
    {"misses a column", as_it_is, is_cut, 2},
};

START_TEST(overdrawn_commands_are_discarded)
{
    const struct row *row = &rows[_i];
    struct raster_state s;
    struct canvas c;

    open_canvas(&c, &s, 1, false);
    row->before(&s);
    draw_some(&c, &s);
    opaque_state(&c, &s);
    row->over(&s);
    draw_over(&c, &s, DIM, 0xffffffff);
    ck_assert_msg(commands_of_tile(c.raster, 0) == row->commands, "%s: %u commands", row->name,
                  commands_of_tile(c.raster, 0));
    canvas_close(&c);
}
END_TEST

/* Commands stay under partial coverage, a sample mask, wireframe, and the keep_overdrawn option. */
START_TEST(partial_coverage_keeps_commands)
{
    struct raster_state s, wire;
    struct canvas c;

    open_canvas(&c, &s, 1, false);
    wire = s;
    is_wire(&wire);
    draw_some(&c, &s);
    draw_over(&c, &wire, DIM, 0xffffffff);
    draw_over(&c, &s, 63, 0xffffffff);
    ck_assert_uint_gt(commands_of_tile(c.raster, 0), 2);
    draw_over(&c, &s, 64, 0xffffffff);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 1);
    canvas_close(&c);

    open_canvas(&c, &s, 4, false);
    s.sample_mask = 7;
    draw_some(&c, &s);
    draw_over(&c, &s, 4 * DIM, 0xffffffff);
    ck_assert_uint_gt(commands_of_tile(c.raster, 0), 1);
    s.sample_mask = 15;
    draw_over(&c, &s, 4 * DIM, 0xffffffff);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 1);
    canvas_close(&c);

    open_canvas(&c, &s, 1, true);
    draw_some(&c, &s);
    draw_over(&c, &s, DIM, 0xffffffff);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 2);
    canvas_close(&c);
}
END_TEST

static void clear_parts(struct canvas *c, bool colour, bool depth, int32_t right)
{
    const int32_t rect[4] = {0, 0, right, DIM};
    const struct raster_clear clear = {.colour = colour, .depth = depth, .z = 1.0f};

    ck_assert_int_eq(raster_clear(c->raster, &clear, &rect, 1), ST_OK);
}

/* A clear of colours keeps commands up to the last with depth and discards colours after it. */
START_TEST(clears_discard_colours)
{
    struct raster_state s, deep;
    struct canvas c;

    open_canvas(&c, &s, 1, false);
    deep = s;
    tests_depth(&deep);
    clear_parts(&c, true, true, DIM);
    draw_some(&c, &s);
    draw_some(&c, &s);
    draw_over(&c, &s, DIM, 0xffffffff);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 2);
    draw_some(&c, &deep);
    draw_some(&c, &s);
    clear_parts(&c, true, false, DIM);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 4); /* clear, square, depth triangle, clear */
    clear_parts(&c, true, false, 63);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 5);
    clear_parts(&c, false, true, DIM);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 6);
    clear_parts(&c, true, true, DIM);
    ck_assert_uint_eq(commands_of_tile(c.raster, 0), 1);
    canvas_close(&c);
}
END_TEST

/* Two triangles with different planes cover a tile only together. */
START_TEST(rect_halves_cover_tiles)
{
    struct raster_state s;
    struct canvas c;

    for (unsigned culled = 0; culled < 2; culled++) {
        struct vertex v[6] = {vertex_at(0, 0, 0.5f, ~0u), vertex_at(DIM, 0, 0.5f, 0xff00ff00),
                              vertex_at(0, DIM, 0.5f, 0), vertex_at(0, DIM, 0.5f, 0xff0000ff),
                              vertex_at(DIM, 0, 0.5f, 7), vertex_at(DIM, DIM, 0.5f, 0xff102030)};

        open_canvas(&c, &s, 1, false);
        s.blend_enable = true;
        draw_over(&c, &s, DIM, 0x80123456);
        draw_over(&c, &s, DIM, 0x80654321);
        s.blend_enable = false;
        if (culled) { /* the second half */
            struct vertex swap = v[4];

            v[4] = v[5];
            v[5] = swap;
            s.cull = D3DCULL_CCW;
        }
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 6), ST_OK);
        ck_assert_uint_eq(commands_of_tile(c.raster, 0), 1);
        ck_assert_uint_eq(commands_of_tile(c.raster, 1), culled ? 3 : 2);
        canvas_close(&c);
    }
}
END_TEST

/* More commands than one block holds. */
START_TEST(multiple_bin_blocks)
{
    struct raster_state s, deep;
    struct canvas c;

    open_canvas(&c, &s, 1, false);
    deep = s;
    tests_depth(&deep);
    for (unsigned i = 0; i < 3 * BIN_BLOCK_COMMANDS / 2; i++)
        draw_some(&c, &deep);
    for (unsigned i = 0; i < 3 * BIN_BLOCK_COMMANDS; i++)
        draw_some(&c, &s);
    for (unsigned i = 0; i < 2; i++) {
        draw_over(&c, &s, DIM, 0xffffffff);
        ck_assert_uint_eq(commands_of_tile(c.raster, 0), 3 * BIN_BLOCK_COMMANDS / 2 + 1);
    }
    canvas_close(&c);
}
END_TEST

/* --- Same pixels ------------------------------------------------------------------------------ */

static void any_scene(struct canvas *c, int scene)
{
    static void (*const states[])(struct raster_state *) = {
        as_it_is,    as_it_is,    as_it_is,      blends, masks_red, writes_one,
        tests_alpha, tests_depth, tests_stencil, counts, is_cut,    is_wire};

    random_seed(5 + (uint64_t)scene);
    for (unsigned i = 0; i < 40; i++) {
        struct raster_state s;
        uint32_t argb = random_u32();

        opaque_state(c, &s);
        s.colours = 15;
        states[random_u32() % 12](&s);
        if (random_u32() % 4 == 0)
            clear_parts(c, random_u32() % 2, random_u32() % 2, (int32_t)(random_u32() % 3 * 64));
        else if (random_u32() % 2)
            draw_some(c, &s);
        else
            draw_over(c, &s, (float)(64 * (1 + random_u32() % 4)), argb);
    }
    raster_flush(c->raster);
}

START_TEST(same_pixels)
{
    struct raster_state s;
    struct canvas c, d;

    open_canvas(&c, &s, _i % 3 ? 1 : 4, false);
    open_canvas(&d, &s, _i % 3 ? 1 : 4, true);
    passed = 0;
    any_scene(&c, _i);
    uint64_t with = passed;
    passed = 0;
    any_scene(&d, _i);
    ck_assert_uint_eq(with, passed);
    for (unsigned t = 0; t <= RASTER_TARGETS; t++)
        ck_assert(!c.memory[t] || !memcmp(c.memory[t], d.memory[t], c.bytes[t]));
    canvas_close(&c);
    canvas_close(&d);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/bin_discard");
    TCase *tc = tcase_create("bin_discard");

    tcase_add_loop_test(tc, overdrawn_commands_are_discarded, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, partial_coverage_keeps_commands);
    tcase_add_test(tc, clears_discard_colours);
    tcase_add_test(tc, rect_halves_cover_tiles);
    tcase_add_test(tc, multiple_bin_blocks);
    tcase_add_loop_test(tc, same_pixels, 0, 200);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
