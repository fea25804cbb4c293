/* Tests how pipelines follow from states: the shape decides, once; draws with other values take
 * over the decisions and draw the same pixels as with a pipeline of their own. */
#include "check_main.h"

#include "fixture.h"
#include "raster/merge/merge.h"
#include "raster/scene/scene.h"
#include "raster/state/pipeline.h"

#include <stddef.h>

enum { DIM = 16, FLOATS = RASTER_V_ATTR + 4 };

/* A change of one field of raster_state. */
struct change {
    const char *name;
    size_t offset, bytes;
    double value;
    bool is_float;
};
#define FLOAT(field, value)                                                                        \
    {                                                                                              \
#field, offsetof(struct raster_state, field), 4, value, true                               \
    }
#define INTEGER(field, value)                                                                      \
    {                                                                                              \
#field, offsetof(struct raster_state, field), sizeof(((struct raster_state *)0)->field),   \
            value, false                                                                           \
    }

static const struct change values[] = {
    FLOAT(values.depth_bias, 0.125), FLOAT(values.slope_bias, 0.5),
    INTEGER(values.alpha_ref, 90),   INTEGER(values.stencil_ref, 3),
    INTEGER(values.stencil_mask, 1), INTEGER(values.stencil_write_mask, 5),
    FLOAT(values.bounds[1], 0.25),   FLOAT(values.blend_factor[1], 0.5),
    FLOAT(values.fog_start, 0.375),  FLOAT(values.fog_end, 0.75),
    FLOAT(values.fog_density, 2.0),  FLOAT(values.fog_colour[2], 0.25),
    INTEGER(values.scissor[0], 5),   FLOAT(values.viewport[5], 0.5),
};
static const struct change shapes[] = {
    INTEGER(depth_func, D3DCMP_GREATER),
    INTEGER(alpha_func, D3DCMP_LESS),
    INTEGER(write_mask[0], 7),
    INTEGER(stencil_test, false),
    INTEGER(blend_rgb.src, D3DBLEND_ONE),
    INTEGER(sample_mask, 2),
    INTEGER(fog, RASTER_FOG_EXP2),
};
enum { VALUES = sizeof(values) / sizeof(*values), SHAPES = sizeof(shapes) / sizeof(*shapes) };

static struct canvas canvas;
static struct raster_state base;

static void open_canvas(void)
{
    canvas_open(&canvas, 1, DIM, DIM, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    default_state(&canvas, &base);
    base.depth_test = base.depth_write = base.stencil_test = base.bounds_test = base.alpha_test =
        base.blend_enable = true;
    base.values.bounds[1] = 1.0f;
    base.alpha_func = D3DCMP_GREATER;
    base.values.alpha_ref = 10;
    base.stencil[0] = (struct raster_stencil_face){D3DCMP_LESSEQUAL, D3DSTENCILOP_INCR,
                                                   D3DSTENCILOP_DECR, D3DSTENCILOP_INCR};
    base.values.stencil_ref = 2;
    base.blend_rgb =
        (struct raster_blend){D3DBLEND_BLENDFACTOR, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD};
    base.fog = RASTER_FOG_EXP;
    base.values.fog_end = base.values.fog_density = 1.0f;
}

static void close_canvas(void)
{
    canvas_close(&canvas);
}

static struct raster_state changed(const struct change *change)
{
    struct raster_state s = base;
    float as_float = (float)change->value;
    uint32_t as_integer = (uint32_t)change->value;

    memcpy((char *)&s + change->offset, change->is_float ? (void *)&as_float : (void *)&as_integer,
           change->bytes);
    return s;
}

static void draw_state(const struct raster_state *s)
{
    static const float data[3][FLOATS] = {{-1, -1, 0.1f, 1, 0, 0, 0, 0, 1, 0.5f, 0.25f, 0.2f},
                                          {3 * DIM, -1, 0.9f, 1, 0, 0, 0, 0, 0, 1, 0.5f, 0.9f},
                                          {-1, 3 * DIM, 0.5f, 1, 0, 0, 0, 0, 0.5f, 0, 1, 0.6f}};
    static const uint32_t indices[3] = {0, 1, 2};
    const struct raster_vertices vertices = {data[0], FLOATS, 3};

    ck_assert_int_eq(raster_draw(canvas.raster, s, &vertices, RASTER_TRIANGLES, indices, 1), ST_OK);
}

/* Draws with both states and the first again; a flush after each draw forgets its pipeline. */
static void take_picture(const struct raster_state *s, bool flush, uint32_t colour[DIM * DIM],
                         uint32_t depth[DIM * DIM])
{
    const struct raster_state *order[3] = {&base, s, &base};
    const int32_t all[1][4] = {{0, 0, DIM, DIM}};

    ck_assert_int_eq(raster_clear(canvas.raster,
                                  &(struct raster_clear){.colour = true,
                                                         .depth = true,
                                                         .stencil = true,
                                                         .rgba = {0.5f, 0.5f, 0.5f, 0.5f},
                                                         .z = 1.0f,
                                                         .stencil_value = 3},
                                  all, 1),
                     ST_OK);
    for (unsigned i = 0; i < 3; i++) {
        draw_state(order[i]);
        if (flush)
            raster_flush(canvas.raster);
    }
    raster_flush(canvas.raster);
    for (uint32_t i = 0; i < DIM * DIM; i++) {
        colour[i] = canvas_pixel(&canvas, i % DIM, i / DIM);
        depth[i] = canvas_depth(&canvas, i % DIM, i / DIM);
    }
}

START_TEST(values_share_a_pipeline)
{
    struct raster_state s = changed(&values[_i]);
    uint64_t before = canvas.raster->shapes_decided;
    uint32_t got[2][DIM * DIM], want[2][DIM * DIM];

    take_picture(&s, false, got[0], got[1]);
    ck_assert_msg(canvas.raster->shapes_decided == before + 1, "%s makes another pipeline",
                  values[_i].name);
    take_picture(&s, true, want[0], want[1]);
    ck_assert_msg(!memcmp(got, want, sizeof(got)), "%s: other pixels", values[_i].name);
}
END_TEST

START_TEST(shapes_make_pipelines)
{
    struct raster_state s = changed(&shapes[_i]);
    uint64_t before = canvas.raster->shapes_decided;

    for (unsigned i = 0; i < 10; i++) {
        draw_state(&base);
        draw_state(&s);
    }
    ck_assert_msg(canvas.raster->shapes_decided == before + 2, "%s", shapes[_i].name);
}
END_TEST

/* Fog of density 0 is none, and a counter of samples is a side effect. */
START_TEST(zero_values_change_the_shape)
{
    struct raster_state s = base;
    uint64_t before = canvas.raster->shapes_decided, samples[2] = {0, 0};

    draw_state(&s);
    s.values.fog_density = 0.0f;
    draw_state(&s);
    ck_assert_uint_eq(canvas.raster->shapes_decided, before + 2);
    s = base;
    s.depth_test = s.stencil_test = s.bounds_test = false;
    for (unsigned i = 0; i < 4; i++) {
        s.values.samples_passed = &samples[i % 2];
        draw_state(&s);
    }
    ck_assert_uint_eq(canvas.raster->shapes_decided, before + 3);
    raster_flush(canvas.raster);
    ck_assert_uint_gt(samples[0] + samples[1], 0);
}
END_TEST

/* More values than recent pipelines are kept: the shape is not forgotten. */
START_TEST(many_values)
{
    struct raster_state s = base;
    uint64_t before = canvas.raster->shapes_decided;

    for (unsigned i = 0; i < 200; i++) {
        s.values.alpha_ref = (uint8_t)i;
        draw_state(&s);
    }
    ck_assert_uint_eq(canvas.raster->shapes_decided, before + 1);
}
END_TEST

/* The shader's depth delays the tests only if there is a depth test. */
START_TEST(depth_of_the_shader)
{
    const struct raster_pipeline *pipeline;

    base.writes_depth = true;
    base.alpha_test = false;
    for (unsigned i = 0; i < 4; i++) {
        base.depth_test = i & 1;
        base.stencil_test = i >> 1;
        canvas.raster->state = &base;
        canvas.raster->pipeline = NULL;
        pipeline = raster_pipeline_get(canvas.raster);
        ck_assert(pipeline && pipeline->whole_blocks);
        ck_assert(raster_is_early_zs(pipeline) == !base.depth_test);
    }
    canvas.raster->state = NULL;
}
END_TEST

/* --- Keys of the output merger ---------------------------------------------------------------- */

static bool make_key(struct raster_merge_key *key, const struct raster_state *s)
{
    return raster_merge_key_init(key, &canvas.targets, s);
}

START_TEST(keys_have_the_shape_alone)
{
    struct raster_merge_key key, other;
    struct raster_state s = base;

    s.colours = 1;
    ck_assert(make_key(&key, &s));
    ck_assert(key.target[0].format == canvas.targets.colour[0].format && !key.target[1].format);
    ck_assert(key.target[0].blends && key.target[0].rgb.src == D3DBLEND_BLENDFACTOR);
    ck_assert_uint_eq(key.fog, RASTER_FOG_EXP);
    ck_assert_uint_eq(key.alpha_func, D3DCMP_GREATER);
    ck_assert_uint_eq(key.alpha_bits, 8);
    s.values.alpha_ref = 77;
    s.values.blend_factor[0] = 0.25f;
    s.values.fog_end = 5;
    ck_assert(make_key(&other, &s) && !memcmp(&key, &other, sizeof(key)));
    s.alpha_func = D3DCMP_ALWAYS;
    s.values.fog_density = 0;
    ck_assert(make_key(&other, &s) && !other.alpha_func && other.fog == RASTER_FOG_NONE);
}
END_TEST

START_TEST(some_draws_have_no_key)
{
    struct raster_merge_key key;
    struct raster_state s = base;

    s.colours = 0; /* the shader writes no colour */
    ck_assert(!make_key(&key, &s));
    s.colours = 1;
    s.write_mask[0] = 0;
    ck_assert(!make_key(&key, &s));
    s.write_mask[0] = 15;
    canvas.targets.samples = 4;
    ck_assert(!make_key(&key, &s)); /* reads each sample */
    s.blend_enable = false;
    ck_assert(make_key(&key, &s));
    s.alpha_to_coverage = true; /* reads alpha from memory */
    ck_assert(!make_key(&key, &s));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/pipeline");
    TCase *tc = tcase_create("pipeline");

    tcase_add_checked_fixture(tc, open_canvas, close_canvas);
    tcase_add_loop_test(tc, values_share_a_pipeline, 0, VALUES);
    tcase_add_loop_test(tc, shapes_make_pipelines, 0, SHAPES);
    tcase_add_test(tc, zero_values_change_the_shape);
    tcase_add_test(tc, many_values);
    tcase_add_test(tc, depth_of_the_shader);
    tcase_add_test(tc, keys_have_the_shape_alone);
    tcase_add_test(tc, some_draws_have_no_key);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
