/* Tests the fast-clear metadata of render targets: which targets keep it, and what resets it. The
 * tests write to image memory without notice; a redundant clear then leaves the written pixel. */
#include "check_main.h"

#include "draw/draw.h"
#include "tex/tex.h"
#include "util/alloc.h"

enum { DIM = 96, MARK = 0x12345678, GREY = 0xff808080 };

static struct draw *draw;
static struct draw_state *state;

static void open_draw(void)
{
    ck_assert_int_eq(draw_create(&draw, &(struct draw_options){.threads = 1}), ST_OK);
    state = mem_calloc(1, sizeof(*state));
    ck_assert(state);
    draw_state_init(state);
    state->viewport = (D3DVIEWPORT9){0, 0, DIM, DIM, 0.0f, 1.0f};
}

static void close_draw(void)
{
    draw_destroy(draw);
    mem_free(state);
}

static struct tex_image *open_image(enum tex_shape shape, uint32_t depth, bool unlocked,
                                    void *memory)
{
    const struct tex_desc desc = {.format = D3DFMT_A8R8G8B8,
                                  .shape = shape,
                                  .width = DIM,
                                  .height = DIM,
                                  .depth = depth,
                                  .levels = 1,
                                  .samples = 1,
                                  .unlocked = unlocked};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, memory), ST_OK);
    return image;
}

static uint32_t *pixel_of(struct tex_image *image, uint32_t face)
{
    struct tex_level *level = tex_image_level(image, 0, 0);

    if (image->desc.shape == TEX_CUBE_MAP)
        level = tex_image_level(image, face, 0);
    return (uint32_t *)(void *)tex_level_at(level, image->format, 70, 80,
                                            image->desc.shape == TEX_VOLUME_MAP ? face : 0);
}

/* Whether a clear to grey writes a pixel, instead of relying on fast-clear metadata. */
static bool is_written(struct tex_image *image, uint32_t face)
{
    uint32_t *pixel = pixel_of(image, face);

    *pixel = MARK;
    state->target[0].image = image;
    state->target[0].face = face;
    ck_assert_int_eq(
        draw_clear(draw, state, &(struct draw_clear){.flags = D3DCLEAR_TARGET, .colour = GREY}),
        ST_OK);
    draw_flush(draw);
    ck_assert(*pixel == GREY || *pixel == MARK);
    return *pixel == GREY;
}

START_TEST(each_face_has_metadata)
{
    struct tex_image *plane = open_image(TEX_2D, 1, true, NULL);
    struct tex_image *cube = open_image(TEX_CUBE_MAP, 1, true, NULL);

    ck_assert(is_written(plane, 0));
    ck_assert(is_written(cube, 0));
    ck_assert(is_written(cube, 5));
    ck_assert(!is_written(plane, 0));
    ck_assert(!is_written(cube, 0));
    ck_assert(!is_written(cube, 5));
    tex_image_unref(&plane);
    tex_image_unref(&cube);
}
END_TEST

START_TEST(external_writes_reset_metadata)
{
    const struct tex_box box = {64, 64, 0, DIM, DIM, 1};
    struct tex_image *image = open_image(TEX_2D, 1, true, NULL);

    ck_assert(is_written(image, 0));
    ck_assert(!is_written(image, 0));
    draw_sync(draw, image);
    ck_assert_int_eq(tex_fill(image, 0, 0, &box, 0xff0000ff), ST_OK);
    ck_assert(is_written(image, 0));
    ck_assert(!is_written(image, 0));
    tex_image_touch(image);
    ck_assert(is_written(image, 0));
    tex_image_unref(&image);
}
END_TEST

/* The application can access the memory of the first two images; the third is a volume. */
START_TEST(images_without_metadata)
{
    static uint32_t memory[DIM * DIM + 16];
    struct tex_image *images[] = {open_image(TEX_2D, 1, false, NULL),
                                  open_image(TEX_2D, 1, true, memory),
                                  open_image(TEX_VOLUME_MAP, 4, true, NULL)};

    for (unsigned i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
        for (uint32_t face = 0; face < images[i]->desc.depth; face++) {
            ck_assert(is_written(images[i], face));
            ck_assert(is_written(images[i], face));
        }
        tex_image_unref(&images[i]);
    }
}
END_TEST

/* draw_reset_depth joins the open scene, ends a scene with another depth surface, or starts one. */
START_TEST(depth_reset)
{
    const struct tex_desc desc = {.format = D3DFMT_D24S8,
                                  .width = DIM,
                                  .height = DIM,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = _i % 2 ? 4 : 1,
                                  .unlocked = true};
    struct tex_image *depth, *other;
    uint64_t before, after;
    uint32_t *pixel;
    bool open;

    ck_assert_int_eq(tex_image_create(&depth, &desc, NULL), ST_OK);
    ck_assert_int_eq(tex_image_create(&other, &desc, NULL), ST_OK);
    pixel = pixel_of(depth, 0);
    ck_assert_uint_eq(*pixel, 0);
    for (unsigned i = 0; i < 3; i++) {
        state->depth.image = _i / 2 == 1 ? other : depth;
        if (_i / 2 < 2)
            ck_assert_int_eq(
                draw_clear(draw, state,
                           &(struct draw_clear){.flags = D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL,
                                                .z = 0.5f,
                                                .stencil = 7}),
                ST_OK);
        before = draw_scene(draw, &open);
        ck_assert_int_eq(draw_reset_depth(draw, depth), ST_OK);
        after = draw_scene(draw, &open);
        ck_assert(open);
        ck_assert_uint_eq(after - before, _i / 2 == 1);
        draw_flush(draw);
        ck_assert_uint_eq(*pixel, 0xffffff00);
        if (_i / 2 == 1)
            ck_assert_uint_eq(*pixel_of(other, 0), 0x80000007);
        *pixel = MARK; /* an external write, followed by notice */
        tex_image_touch(depth);
    }
    tex_image_unref(&depth);
    tex_image_unref(&other);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("draw target");
    TCase *tc = tcase_create("draw target");

    tcase_add_checked_fixture(tc, open_draw, close_draw);
    tcase_add_test(tc, each_face_has_metadata);
    tcase_add_test(tc, external_writes_reset_metadata);
    tcase_add_test(tc, images_without_metadata);
    tcase_add_loop_test(tc, depth_reset, 0, 6);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
