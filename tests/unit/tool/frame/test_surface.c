/* Pictures of surfaces that change between readings: equal to those of a first reading. */
#include "unit/tool/frame/capture.h"

#include "tex/tex.h"
#include "tool/frame/surface.h"

static struct tex_image *image_of(D3DFORMAT format, uint32_t samples)
{
    const struct tex_desc desc = {.format = format,
                                  .shape = TEX_2D,
                                  .width = 37,
                                  .height = 50,
                                  .depth = 1,
                                  .levels = 1,
                                  .samples = samples};
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    return image;
}

static void write_byte(struct tex_image *image, uint32_t y, uint32_t at, uint8_t value)
{
    struct tex_level *level = tex_image_level(image, 0, 0);

    level->data[(size_t)y * level->row_pitch + at] = value;
    tex_image_touch(image);
}

/* What a surface that was followed says, and what one that is read for the first time says. */
static void compare(struct frame_surfaces *all, struct tex_image *image)
{
    const struct draw_target target = {.image = image};
    struct frame_surfaces none = {.most = FRAME_SURFACE_BYTES};
    struct frame_surface *kept, *fresh;

    ck_assert_int_eq(frame_surface_read(all, &target, true, &kept), ST_OK);
    ck_assert_int_eq(frame_surface_read(&none, &target, false, &fresh), ST_OK);
    ck_assert(kept->kept && !fresh->kept);
    for (unsigned c = 0; c < 4; c++) {
        ck_assert_float_eq(kept->least[c], fresh->least[c]);
        ck_assert_float_eq(kept->most[c], fresh->most[c]);
    }
    for (unsigned f = 0; f < (fresh->values ? FRAME_FORMS : FRAME_GREY); f++) {
        ck_assert_int_eq(frame_surface_form(kept, f), ST_OK);
        ck_assert_int_eq(frame_surface_form(fresh, f), ST_OK);
        ck_assert_uint_eq(kept->form[f].hash, fresh->form[f].hash);
        ck_assert_uint_eq(kept->form[f].hash, tool_image_hash(&kept->form[f].image, true));
    }
    frame_surface_release(kept);
    frame_surface_release(fresh);
}

static void follow(D3DFORMAT format, uint32_t samples)
{
    struct tex_image *image = image_of(format, samples);
    struct frame_surfaces all = {.most = FRAME_SURFACE_BYTES};

    compare(&all, image);
    for (uint32_t i = 0; i < 60; i++) {
        write_byte(image, i * 7 % 50, i % 9 * 4 + i % 4, (uint8_t)(i * 37 % 0x3c));
        compare(&all, image);
    }
    compare(&all, image);
    frame_surfaces_fini(&all);
    tex_image_unref(&image);
}

START_TEST(a_surface_follows_changes)
{
    follow(D3DFMT_A8R8G8B8, 1);
    follow(D3DFMT_R5G6B5, 1);
    follow(D3DFMT_A16B16G16R16F, 1);
    follow(D3DFMT_R32F, 1);
    follow(D3DFMT_D24S8, 1);
    follow(D3DFMT_D16, 1);
    follow(D3DFMT_A8R8G8B8, 4);
}
END_TEST

/* The image that was freed had the same address, and the same number of changes. */
START_TEST(a_surface_whose_image_goes_is_compared)
{
    struct tex_image *image = image_of(D3DFMT_A8R8G8B8, 1);
    struct frame_surfaces all = {.most = FRAME_SURFACE_BYTES};
    struct tex_level *level = tex_image_level(image, 0, 0);

    compare(&all, image);
    level->data[100] = 77; /* no change is counted */
    frame_surfaces_forget(&all);
    compare(&all, image);
    frame_surfaces_fini(&all);
    tex_image_unref(&image);
}
END_TEST

/* A surface that is too large is read like one that does not change. */
static void compare_unkept(struct frame_surfaces *all, struct tex_image *image)
{
    const struct draw_target target = {.image = image};
    struct frame_surface *s;

    ck_assert_int_eq(frame_surface_read(all, &target, true, &s), ST_OK);
    ck_assert(!s->kept);
    ck_assert_int_eq(frame_surface_form(s, FRAME_PLAIN), ST_OK);
    frame_surface_release(s);
    ck_assert_uint_eq(all->bytes, 0);
}

START_TEST(surfaces_that_are_kept_are_bounded)
{
    struct frame_surfaces all = {.most = 100000}; /* one takes 37 * 50 * (4 + 9) = 24050 */
    struct tex_image *image[FRAME_SURFACES + 3];
    struct frame_surface *s;

    for (unsigned i = 0; i < FRAME_SURFACES + 3; i++) {
        struct draw_target target = {.image = image[i] = image_of(D3DFMT_A8R8G8B8, 1)};
        unsigned n = 0;

        ck_assert_int_eq(frame_surface_read(&all, &target, true, &s), ST_OK);
        ck_assert(s->kept);
        for (unsigned k = 0; k < FRAME_SURFACES; k++)
            n += all.surface[k] != NULL;
        ck_assert_uint_eq(n, i < 4 ? i + 1 : 4);
        ck_assert_uint_eq(all.bytes, (size_t)n * 24050);
    }
    all.most = 24049;
    frame_surfaces_fini(&all);
    ck_assert_uint_eq(all.bytes, 0);
    compare_unkept(&all, image[0]);
    all.most = SIZE_MAX; /* the number is bounded, too */
    for (unsigned i = 0; i < FRAME_SURFACES + 3; i++) {
        struct draw_target target = {.image = image[i]};

        ck_assert_int_eq(frame_surface_read(&all, &target, true, &s), ST_OK);
    }
    ck_assert_ptr_eq(all.surface[0]->from, image[FRAME_SURFACES]); /* the oldest has gone */
    frame_surfaces_fini(&all);
    for (unsigned i = 0; i < FRAME_SURFACES + 3; i++)
        tex_image_unref(&image[i]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("frame/surface");
    TCase *tc = tcase_create("frame/surface");

    tcase_add_test(tc, a_surface_follows_changes);
    tcase_add_test(tc, a_surface_whose_image_goes_is_compared);
    tcase_add_test(tc, surfaces_that_are_kept_are_bounded);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
