/* Hierarchical Z against per-pixel tests: many draws that only test, with and without stencil
 * operations, between few that write depth. */
#include "check_main.h"

#include "fixture.h"

enum { WIDTH = 141, HEIGHT = 83, DRAWS = 400 };

static float any_depth(void)
{
    return (float)random_between(-40, 140) / 100.0f;
}

/* Constant depths coincide with those of other draws. */
static void draw_any_triangle(struct canvas *c, const struct raster_state *s)
{
    bool level = random_u32() % 3 == 0, large = random_u32() % 3 != 0;
    float z = (float)random_between(0, 8) / 8.0f;
    struct vertex v[3];

    for (unsigned i = 0; i < 3; i++) {
        float x = (float)random_between(large ? -3000 : 0, large ? 4000 : 1410) / 10.0f;
        float y = (float)random_between(large ? -3000 : 0, large ? 4000 : 830) / 10.0f;

        v[i] = vertex_at(x, y, level ? z : any_depth(), random_u32());
    }
    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 3), ST_OK);
}

/* Covers whole tiles with one colour or several, like full-screen sprites and fades. */
static void draw_any_screen(struct canvas *c, const struct raster_state *s)
{
    float left = (float)random_between(-20, 70), top = (float)random_between(-20, 5);
    float right = (float)random_between(60, 150), below = (float)random_between(60, 90);
    float z = (float)random_between(0, 8) / 8.0f;
    uint32_t colour = random_u32(), other = random_u32() % 2 ? colour : random_u32();
    const struct vertex corner[4] = {
        vertex_at(left, top, z, colour), vertex_at(right, top, z, other),
        vertex_at(left, below, z, colour), vertex_at(right, below, z, other)};
    const struct vertex v[6] = {corner[0], corner[1], corner[2], corner[2], corner[1], corner[3]};

    ck_assert_int_eq(draw(c, s, RASTER_TRIANGLES, v, 6), ST_OK);
}

static void clear_any(struct canvas *c, bool all)
{
    const int32_t whole[4] = {0, 0, WIDTH, HEIGHT},
                  part[4] = {0, 0, 70, random_between(20, HEIGHT)};
    struct raster_clear clear = {.colour = all || random_u32() % 2,
                                 .depth = all || random_u32() % 3,
                                 .stencil = all || random_u32() % 2,
                                 .z = (float)random_between(2, 8) / 8.0f,
                                 .stencil_value = 3};

    ck_assert_int_eq(raster_clear(c->raster, &clear, all || random_u32() % 4 ? &whole : &part, 1),
                     ST_OK);
}

static uint8_t any(uint32_t least, uint32_t most)
{
    return (uint8_t)random_between((int32_t)least, (int32_t)most);
}

/* One of `writes` draws writes depth. */
static void any_test(struct canvas *c, struct raster_state *s, uint32_t writes, uint64_t *counted)
{
    default_state(c, s);
    s->depth_clamp = true;
    s->depth_test = true;
    s->depth_write = random_u32() % writes == 0;
    s->depth_func = random_u32() % 2 ? D3DCMP_LESSEQUAL : any(1, 8);
    s->values.depth_bias = random_u32() % 4 ? 0.0f : (float)random_between(-100, 100) / 1000.0f;
    s->stencil_test = random_u32() % 2;
    s->stencil_two_sided = random_u32() % 2;
    for (unsigned i = 0; i < 2; i++) {
        s->stencil[i].pass = any(1, 8);
        s->stencil[i].zfail = random_u32() % 2 ? D3DSTENCILOP_KEEP : any(1, 8);
        s->stencil[i].fail = random_u32() % 2 ? D3DSTENCILOP_KEEP : any(1, 8);
        s->stencil[i].func = random_u32() % 2 ? D3DCMP_ALWAYS : any(1, 8);
    }
    s->values.stencil_ref = any(0, 255);
    s->alpha_test = random_u32() % 6 == 0;
    s->alpha_func = D3DCMP_GREATER;
    s->values.alpha_ref = any(0, 255);
    s->write_mask[0] = random_u32() % 2 ? 15 : 0;
    s->values.scissor[0] = random_u32() % 4 ? 0 : random_between(0, 60);
    s->values.samples_passed = random_u32() % 2 ? counted : NULL;
}

static uint64_t take_picture(struct canvas *c, int scene, const struct raster_options *options,
                             enum cpu_isa isa)
{
    static const D3DFORMAT format[] = {D3DFMT_D24S8,   D3DFMT_D24FS8, D3DFMT_D32F_LOCKABLE,
                                       D3DFMT_D24X4S4, D3DFMT_D16,    D3DFMT_D32};
    uint64_t counted = 0;

    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    random_seed(7 + (uint64_t)scene);
    canvas_open(c, 1, WIDTH, HEIGHT, scene < 18 ? 1 : 4, D3DFMT_A8R8G8B8, format[scene % 6]);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, options);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    for (unsigned i = 0; i < DRAWS; i++) {
        struct raster_state s;

        if (random_u32() % 30 == 0 || !i)
            clear_any(c, !i);
        any_test(c, &s, scene % 2 ? 12 : 2, &counted);
        for (uint32_t n = random_u32() % 5; n; n--)
            if (i / 40 % 2)
                draw_any_screen(c, &s);
            else
                draw_any_triangle(c, &s);
    }
    raster_flush(c->raster);
    return counted;
}

/* _i: the scene. */
START_TEST(hiz_does_not_change_results)
{
    static const struct raster_options general = {.no_packing = true};
    static const struct raster_options tiles[] = {{.tile = 64}, {.tile = 8}, {.tile = 16}};
    struct canvas want, got;
    uint64_t samples = take_picture(&want, _i, &general, ISA_SCALAR);

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        ck_assert_uint_eq(take_picture(&got, _i, &tiles[isa % 3], (enum cpu_isa)isa), samples);
        ck_assert_msg(!memcmp(got.memory[0], want.memory[0], want.bytes[0]), "%s: colours differ",
                      cpu_isa_name((enum cpu_isa)isa));
        ck_assert_msg(!memcmp(got.memory[RASTER_TARGETS], want.memory[RASTER_TARGETS],
                              want.bytes[RASTER_TARGETS]),
                      "%s: depth or stencil differ", cpu_isa_name((enum cpu_isa)isa));
        canvas_close(&got);
    }
    canvas_close(&want);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/hiz");
    TCase *tc = tcase_create("hiz");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, hiz_does_not_change_results, 0, 24);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
