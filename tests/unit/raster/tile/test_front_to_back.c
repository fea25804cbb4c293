/* Front-to-back sorting of sprites at few depths against drawing in submission order. */
#include "check_main.h"

#include "fixture.h"

enum { WIDTH = 150, HEIGHT = 90, DRAWS = 12, SPRITES = 150 };

static uint8_t any(uint32_t least, uint32_t most)
{
    return (uint8_t)random_between((int32_t)least, (int32_t)most);
}

/* A right triangle, sometimes with varying depth. Often the other half of its rectangle follows,
 * with its own attributes or in one plane with the first. */
static void any_sprite(struct vertex v[6])
{
    float x = (float)random_between(-400, 1500) / 10.0f, size = (float)random_between(90, 700);
    float y = (float)random_between(-400, 900) / 10.0f;
    float z = (float)random_between(0, 8) / 8.0f, tilt = random_u32() % 16 ? 0.0f : 0.01f;
    uint32_t colour = random_u32();

    v[0] = vertex_at(x, y, z, colour);
    v[1] = vertex_at(x + size / 10.0f, y, z + tilt, colour);
    v[2] = vertex_at(x, y + size / 10.0f, z - tilt, random_u32() % 2 ? colour : random_u32());
    v[3] = v[1];
    v[4] = vertex_at(x + size / 10.0f, y + size / 10.0f, z, random_u32());
    v[5] = v[2];
    for (unsigned i = 0; i < 4 && random_u32() % 2; i++)
        v[4].rgba[i] = v[1].rgba[i] + v[2].rgba[i] - v[0].rgba[i];
    if (random_u32() % 4 == 0)
        v[3] = vertex_at(x + 3.0f, y - 2.0f, z, colour);
}

static void any_state(struct canvas *c, struct raster_state *s, uint64_t *counted)
{
    static const uint8_t funcs[] = {D3DCMP_LESS,    D3DCMP_LESSEQUAL,    D3DCMP_LESSEQUAL,
                                    D3DCMP_GREATER, D3DCMP_GREATEREQUAL, D3DCMP_ALWAYS};

    default_state(c, s);
    s->depth_clamp = true;
    s->depth_test = true;
    s->depth_write = random_u32() % 8 != 0;
    s->depth_func = funcs[random_u32() % 6];
    s->alpha_test = random_u32() % 2;
    s->alpha_func = D3DCMP_GREATER;
    s->values.alpha_ref = any(0, 255);
    s->blend_enable = random_u32() % 6 == 0;
    s->blend_rgb = s->blend_alpha =
        (struct raster_blend){D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD};
    s->write_mask[0] = random_u32() % 4 ? 15 : any(0, 15);
    s->values.samples_passed = random_u32() % 6 ? NULL : counted;
    s->stencil_test = random_u32() % 4 == 0;
    s->stencil[0].pass = s->stencil[0].zfail = D3DSTENCILOP_INCR;
    s->needs_quads = !(random_u32() % 2);
    s->ps_inputs = s->needs_quads ? RASTER_PS_INPUT_ALL : 0;
}

static uint64_t take_picture(struct canvas *c, int scene, const struct raster_options *options)
{
    static const D3DFORMAT format[] = {D3DFMT_D24S8, D3DFMT_D24FS8, D3DFMT_D32F_LOCKABLE,
                                       D3DFMT_D16};
    static struct vertex v[6 * SPRITES];
    uint64_t counted = 0;

    random_seed(70 + (uint64_t)scene);
    canvas_open(c, 1, WIDTH, HEIGHT, scene % 3 ? 1 : 4, D3DFMT_A8R8G8B8, format[scene % 4]);
    raster_set_options(c->raster, options);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        struct raster_state s;
        unsigned n = random_u32() % SPRITES + 1;

        if (i % 4 == 0)
            ck_assert_int_eq(clear_all(c, 0, (float)random_between(2, 8) / 8.0f, 3), ST_OK);
        any_state(c, &s, &counted);
        for (unsigned k = 0; k < n; k++)
            any_sprite(v + 6 * k);
        ck_assert_int_eq(draw(c, &s, RASTER_TRIANGLES, v, 6 * n), ST_OK);
    }
    raster_flush(c->raster);
    return counted;
}

/* _i: the scene. */
START_TEST(sorting_does_not_change_results)
{
    static const struct raster_options general = {.no_packing = true}, fast = {0};
    struct canvas want, got;
    uint64_t counted = take_picture(&want, _i, &general);

    ck_assert_uint_eq(take_picture(&got, _i, &fast), counted);
    ck_assert_msg(!memcmp(got.memory[0], want.memory[0], want.bytes[0]), "colours differ");
    ck_assert_msg(!memcmp(got.memory[RASTER_TARGETS], want.memory[RASTER_TARGETS],
                          want.bytes[RASTER_TARGETS]),
                  "depths differ");
    canvas_close(&got);
    canvas_close(&want);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/front_to_back");
    TCase *tc = tcase_create("front_to_back");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, sorting_does_not_change_results, 0, 24);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
