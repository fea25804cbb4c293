/* Preshaded draws against the same draws with no_packing, which are never preshaded. Other draws
 * lie between them, so that some pixels are in flight when preshaded runs come. */
#include "check_main.h"

#include "fixture.h"

#include "raster/worker/worker.h"
#include "raster/scene/scene.h"

enum { WIDTH = 200, HEIGHT = 160, DRAWS = 6, MOST = 3 * 700, SCENES = 40 };

struct scene {
    int number;
    size_t bins;          /* limit of the bins' arena; 0: default */
    const char *exclude;  /* a state that rules out preshading; NULL: none */
    bool shaded_at_setup; /* out: the shader ran before the flush */
};

static bool flushing, shaded_early;

static void shade_and_note(const void *ctx, struct raster_shade_batch *batch)
{
    if (!__atomic_load_n(&flushing, __ATOMIC_RELAXED))
        __atomic_store_n(&shaded_early, true, __ATOMIC_RELAXED);
    shade_attributes(ctx, batch);
}

static bool one_of(uint32_t n)
{
    return random_u32() % n == 0;
}

/* Arrangement of consecutive triangles. */
struct mesh {
    bool walks; /* each triangle beside the last one */
    bool hugs;  /* overlapping triangles at the screen's edge, which clips some */
    int32_t x, y;
};

/* Chooses a triangle's first corner, in 1/256 pixel. */
static void next_position(struct mesh *mesh, uint32_t triangle)
{
    if (mesh->hugs) {
        mesh->x = random_between(-4 * 256, 6 * 256);
        mesh->y = (int32_t)(20 + triangle / 20) * 256;
    } else if (mesh->walks && triangle) {
        mesh->x = (mesh->x + random_between(0, 700)) % (WIDTH * 256);
        mesh->y += random_between(-100, 100);
    } else {
        mesh->x = random_between(-5 * 256, (WIDTH + 5) * 256);
        mesh->y = random_between(-5 * 256, (HEIGHT + 5) * 256);
    }
}

static uint32_t make_mesh(struct vertex *v)
{
    struct mesh mesh = {.walks = one_of(2), .hugs = one_of(4)};
    uint32_t n = 3 * (uint32_t)random_between(40, 700);
    int32_t reach = one_of(3) ? 3000 : random_between(200, 1500);
    bool flat = one_of(3), mixes = one_of(3);

    for (uint32_t i = 0; i < n; i++) {
        const struct vertex *first = &v[i - i % 3];
        int32_t away = i % 3 ? reach : 0;

        if (mixes && i % 48 == 0) /* in groups of 16 */
            reach = i % 96 ? 500 : 3900;
        if (i % 3 == 0)
            next_position(&mesh, i / 3);
        v[i] = vertex_at((float)(mesh.x + random_between(-away, away)) / 256.0f,
                         (float)(mesh.y + random_between(-away, away)) / 256.0f,
                         (float)random_between(-20, 280) / 256.0f, random_u32());
        v[i].rhw = flat ? 1.0f : (float)random_between(10, 100) / 50.0f;
        if (i % 3 && one_of(2))
            v[i].rgba[3] = first->rgba[3];
        if (one_of(400))
            v[i].x = NAN;
    }
    return n;
}

static void some_state(struct canvas *c, struct raster_state *s, const struct scene *scene)
{
    default_state(c, s);
    s->shade = shade_and_note;
    s->needs_quads = false;
    s->attribs_only = s->is_cheap = true;
    s->ps_inputs = 0;
    s->colours = 15;
    s->depth_test = !one_of(5);
    s->depth_write = !one_of(4);
    s->depth_func = (uint8_t)random_between(D3DCMP_NEVER, D3DCMP_ALWAYS);
    s->values.depth_bias = one_of(3) ? (float)random_between(-100, 100) / 1000.0f : 0.0f;
    s->values.slope_bias = one_of(3) ? (float)random_between(-20, 20) / 10.0f : 0.0f;
    s->cull = (uint8_t)random_between(D3DCULL_NONE, D3DCULL_CCW);
    s->attr[0].interp = (uint8_t)random_between(0, 2);
    s->values.scissor[0] = one_of(3) ? random_between(0, 60) : 0;
    s->values.scissor[3] = HEIGHT - (one_of(3) ? random_between(0, 60) : 0);
    if (!scene->exclude)
        return;
    if (!strcmp(scene->exclude, "blends"))
        s->blend_enable = true;
    else if (!strcmp(scene->exclude, "long"))
        s->is_cheap = false;
    else if (!strcmp(scene->exclude, "positions"))
        s->attribs_only = false;
    else if (!strcmp(scene->exclude, "alpha"))
        s->alpha_test = true, s->alpha_func = D3DCMP_LESS, s->values.alpha_ref = 128;
    else if (!strcmp(scene->exclude, "stencil"))
        s->depth_test = s->stencil_test = true;
    else if (!strcmp(scene->exclude, "mask"))
        s->write_mask[0] = 5;
    else if (!strcmp(scene->exclude, "fog"))
        s->fog = RASTER_FOG_VERTEX, s->fog_attr = 2;
}

/* Draws that are queued in batches, or blended. */
static void draw_between(struct canvas *c, const struct raster_state *like, struct vertex *v)
{
    struct raster_state s = *like;

    s.is_cheap = one_of(3);
    s.needs_quads = !one_of(2);
    s.blend_enable = one_of(2);
    s.depth_write &= one_of(2);
    s.blend_rgb = (struct raster_blend){D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD};
    ck_assert_int_eq(draw(c, &s, RASTER_TRIANGLES, v, make_mesh(v)), ST_OK);
}

static void draw_scene(struct canvas *c, struct scene *scene)
{
    static struct vertex v[MOST];
    uint64_t samples = 0;

    random_seed(900 + (uint64_t)scene->number);
    ck_assert_int_eq(clear_all(c, 0x80336699, 0.6f, 0x55), ST_OK);
    shaded_early = false;
    for (unsigned i = 0; i < DRAWS; i++) {
        struct raster_state s;
        uint32_t n = make_mesh(v);

        some_state(c, &s, scene);
        if (scene->exclude && !strcmp(scene->exclude, "query"))
            s.values.samples_passed = &samples;
        ck_assert_int_eq(draw(c, &s, RASTER_TRIANGLES, v, n), ST_OK);
        if (!scene->exclude && one_of(2))
            draw_between(c, &s, v);
        if (one_of(6))
            ck_assert_int_eq(clear_depth(c, 0.7f, 0x33), ST_OK);
    }
    scene->shaded_at_setup = shaded_early;
    flushing = true;
    raster_flush(c->raster);
    flushing = false;
}

static void take_picture(struct canvas *c, struct scene *scene, const struct raster_options *how,
                         unsigned threads, enum cpu_isa isa)
{
    static const D3DFORMAT depth[] = {D3DFMT_D24S8, D3DFMT_D24FS8, D3DFMT_D32F_LOCKABLE,
                                      D3DFMT_D24X8, D3DFMT_D16,    D3DFMT_D32};

    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    canvas_open(c, threads, WIDTH, HEIGHT, 1, scene->number % 2 ? D3DFMT_A8R8G8B8 : D3DFMT_X8R8G8B8,
                depth[scene->number % 6]);
    raster_destroy(c->raster);
    ck_assert_int_eq(raster_create(&c->raster, c->pool), ST_OK);
    raster_set_options(c->raster, how);
    ck_assert_int_eq(raster_set_targets(c->raster, &c->targets), ST_OK);
    if (scene->bins)
        raster_limit_bins(c->raster, scene->bins);
    draw_scene(c, scene);
}

static void check_same(const struct canvas *a, const struct canvas *b, const char *what)
{
    for (unsigned t = 0; t <= RASTER_TARGETS; t++)
        for (size_t i = 0; a->memory[t] && i < a->bytes[t]; i++)
            if (a->memory[t][i] != b->memory[t][i])
                ck_abort_msg("%s: target %u differs at byte %zu", what, t, i);
}

static const struct raster_options no_packing = {.no_packing = true};

START_TEST(preshading_keeps_the_image)
{
    struct scene scene = {.number = _i};
    struct canvas want, got;

    take_picture(&want, &scene, &no_packing, 1, ISA_SCALAR);
    ck_assert(!scene.shaded_at_setup);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (unsigned threads = 1; threads <= 3 && cpu_has_isa((enum cpu_isa)isa); threads += 2) {
            struct raster_options how = {.tile = 8u << (_i + isa) % 4};

            take_picture(&got, &scene, &how, threads, (enum cpu_isa)isa);
            ck_assert(scene.shaded_at_setup);
            check_same(&want, &got, cpu_isa_name((enum cpu_isa)isa));
            canvas_close(&got);
        }
    }
    canvas_close(&want);
}
END_TEST

/* The arena fills, and bins are flushed, at any triangle. */
START_TEST(bins_may_fill)
{
    struct scene scene = {.number = _i};
    struct canvas want, got;
    uint64_t arena_generation = 0;

    take_picture(&want, &scene, &no_packing, 1, ISA_SCALAR);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        for (unsigned i = 0; i < 8; i++) {
            struct scene narrow = {.number = _i, .bins = (145 + 17 * i + 3 * (unsigned)_i) << 10};

            take_picture(&got, &narrow, &(struct raster_options){0}, threads, ISA_SCALAR);
            arena_generation += got.raster->arena_generation - want.raster->arena_generation;
            check_same(&want, &got, "narrow");
            canvas_close(&got);
        }
    }
    ck_assert_uint_ge(arena_generation, 4);
    canvas_close(&want);
}
END_TEST

/* Adjacent small triangles over the whole screen, at one depth. */
static uint32_t make_sheet(struct vertex *v, float z, uint32_t argb)
{
    uint32_t n = 0;

    for (int y = 0; y < 100; y += 5) {
        for (int x = 0; x < 100; x += 5) {
            float left = (float)x, top = (float)y;

            v[n++] = vertex_at(left, top, z, argb);
            v[n++] = vertex_at(left + 5, top, z, argb);
            v[n++] = vertex_at(left, top + 5, z, argb);
        }
    }
    return n;
}

/* Preshaded fragments that are nearer than the clear invalidate hierarchical Z. */
START_TEST(preshaded_depth_invalidates_hiz)
{
    static struct vertex v[MOST];
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 100, 100, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    ck_assert_int_eq(clear_all(&c, 0x80336699, 0.6f, 0), ST_OK);
    default_state(&c, &s);
    s.needs_quads = false;
    s.attribs_only = s.is_cheap = s.depth_test = s.depth_write = true;
    s.ps_inputs = 0;
    s.colours = 15;
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, make_sheet(v, 0.3f, 0xff0000ff)), ST_OK);
    s.depth_write = false;
    ck_assert_int_eq(draw_rect(&c, &s, 0, 0, 100, 100, 0.5f, 0xff00ff00), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 11, 11), 0xff0000ff);
    ck_assert_uint_eq(canvas_pixel(&c, 13, 14), 0xff00ff00);
    canvas_close(&c);
}
END_TEST

/* Groups of 16 overlapping triangles. Those of the middle group have too many fragments to be
 * preshaded, or leave the screen; they must still be drawn between the others. */
START_TEST(primitives_between_preshaded_runs_keep_order)
{
    const float size = _i ? 5.0f : 14.0f, left = _i ? -2.0f : 1.0f;
    const uint32_t colour[3] = {0xff0000ff, 0xff00ff00, 0xffff0000};
    static struct vertex v[3 * 48];
    struct raster_state s;
    struct canvas c;

    canvas_open(&c, 1, 40, 40, 1, D3DFMT_A8R8G8B8, D3DFMT_UNKNOWN); /* narrower than a tile */
    default_state(&c, &s);
    s.needs_quads = false;
    s.attribs_only = s.is_cheap = true;
    s.ps_inputs = 0;
    s.colours = 15;
    for (unsigned i = 0; i < 48; i++) {
        float x = i > 32 ? 30 : i == 32 ? 2 : i / 16 ? left : 0, far = i / 16 == 1 ? size : 4.0f;

        v[3 * i] = vertex_at(x, 1, 0, colour[i / 16]);
        v[3 * i + 1] = vertex_at(x + far, 1, 0, colour[i / 16]);
        v[3 * i + 2] = vertex_at(x, 1 + far, 0, colour[i / 16]);
    }
    ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, 3 * 48), ST_OK);
    raster_flush(c.raster);
    ck_assert_uint_eq(canvas_pixel(&c, 0, 1), colour[_i ? 1 : 0]);
    ck_assert_uint_eq(canvas_pixel(&c, 1, 1), colour[1]);
    ck_assert_uint_eq(canvas_pixel(&c, 2, 1), colour[2]);
    canvas_close(&c);
}
END_TEST

/* Three groups of 16 triangles of one pixel at random positions, so that each is a run of its own.
 * The fourth group has triangles of the maximum size and larger ones, which become primitives in
 * the same slab. */
static uint32_t make_mixture(struct vertex *v)
{
    uint32_t n = 0;

    while (n + 3 <= MOST) {
        unsigned i = n / 3 % 64;
        float x = (float)random_between(0, WIDTH - 30), y = (float)random_between(0, HEIGHT - 30);
        float far = i >= 60 ? 14.0f : i >= 48 ? 20.0f : 1.0f;

        v[n++] = vertex_at(x, y, 0.25f, random_u32());
        v[n++] = vertex_at(x + far, y, 0.5f, random_u32());
        v[n++] = vertex_at(x, y + far, 0.75f, random_u32());
    }
    return n;
}

START_TEST(preshaded_runs_and_primitives_share_a_slab)
{
    static struct vertex v[MOST];
    struct raster_state s;
    struct canvas c;

    random_seed(70 + (uint64_t)_i);
    canvas_open(&c, 1, WIDTH, HEIGHT, 1, D3DFMT_A8R8G8B8, D3DFMT_D24S8);
    default_state(&c, &s);
    s.needs_quads = false;
    s.attribs_only = s.is_cheap = s.depth_test = s.depth_write = true;
    s.depth_func = D3DCMP_LESSEQUAL;
    s.ps_inputs = 0;
    s.colours = 15;
    for (unsigned i = 0; i < 200; i++) {
        ck_assert_int_eq(draw(&c, &s, RASTER_TRIANGLES, v, make_mixture(v)), ST_OK);
        ck_assert_uint_le(c.raster->workers[0].slab.left, 1 << 20);
    }
    canvas_close(&c);
}
END_TEST

/* Pipelines whose colours depend on more than attributes, or that do more than overwrite, are not
 * preshaded. */
START_TEST(other_pipelines_are_not_preshaded)
{
    static const char *const kinds[] = {"blends",  "long", "positions", "alpha",
                                        "stencil", "mask", "fog",       "query"};
    struct scene scene = {.number = 7, .exclude = kinds[_i]};
    struct canvas want, got;

    take_picture(&want, &scene, &no_packing, 1, ISA_SCALAR);
    take_picture(&got, &scene, &(struct raster_options){0}, 2, ISA_SCALAR);
    ck_assert_msg(!scene.shaded_at_setup, "%s", kinds[_i]);
    check_same(&want, &got, kinds[_i]);
    canvas_close(&got);
    canvas_close(&want);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/preshade");
    TCase *tc = tcase_create("preshade");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, preshading_keeps_the_image, 0, SCENES);
    tcase_add_loop_test(tc, bins_may_fill, 0, 10);
    tcase_add_loop_test(tc, primitives_between_preshaded_runs_keep_order, 0, 2);
    tcase_add_test(tc, preshaded_depth_invalidates_hiz);
    tcase_add_loop_test(tc, preshaded_runs_and_primitives_share_a_slab, 0, 4);
    tcase_add_loop_test(tc, other_pipelines_are_not_preshaded, 0, 8);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
