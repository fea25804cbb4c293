/* Image storage: layout, sizes that cannot exist, and allocations that fail. */
#include "check_main.h"
#include "tex/image/image.h"
#include "tex_helpers.h"
#include "util/alloc.h"

/* Row pitches of surfaces that applications cannot lock avoid powers of two. */
START_TEST(pitches_avoid_cache_conflicts)
{
    static const struct {
        uint32_t width, pitch;
        bool unlocked;
    } cases[] = {{1024, 4096, false}, {1024, 4160, true}, {1000, 4000, true}, {1280, 5184, true}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tex_desc desc = {.format = D3DFMT_X8R8G8B8,
                                .shape = TEX_2D,
                                .width = cases[i].width,
                                .height = 2,
                                .depth = 1,
                                .levels = 1,
                                .samples = 1,
                                .unlocked = cases[i].unlocked};
        struct tex_image *image;

        ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
        ck_assert_uint_eq(image->level[0].row_pitch, cases[i].pitch);
        tex_image_unref(&image);
    }
}
END_TEST

static enum status try_create(struct tex_desc desc)
{
    struct tex_image *image;
    enum status st = tex_image_create(&image, &desc, NULL);

    ck_assert((st == ST_OK) == (image != NULL));
    tex_image_unref(&image);
    ck_assert_ptr_null(image);
    return st;
}

START_TEST(impossible_images)
{
    const struct tex_desc good = {.format = D3DFMT_A8R8G8B8,
                                  .shape = TEX_2D,
                                  .width = 16,
                                  .height = 8,
                                  .depth = 1,
                                  .levels = 0,
                                  .samples = 1};
    struct tex_desc d;

#define TRY(st, ...)                                                                               \
    d = good;                                                                                      \
    __VA_ARGS__;                                                                                   \
    ck_assert_int_eq(try_create(d), st)
    TRY(ST_OK, );
    TRY(ST_OK, d.levels = 5);
    TRY(ST_INVALID, d.levels = 6);
    TRY(ST_INVALID, d.width = 0);
    TRY(ST_INVALID, d.height = 0);
    TRY(ST_INVALID, d.depth = 0);
    TRY(ST_INVALID, d.depth = 2);
    TRY(ST_INVALID, d.width = 16385);
    TRY(ST_INVALID, d.height = UINT32_MAX);
    TRY(ST_INVALID, d.format = D3DFMT_UNKNOWN);
    TRY(ST_INVALID, d.samples = 0);
    TRY(ST_INVALID, d.samples = 2);
    TRY(ST_OK, d.samples = 2; d.levels = 1);
    TRY(ST_INVALID, d.shape = TEX_CUBE_MAP);
    TRY(ST_INVALID, d.shape = TEX_VOLUME_MAP; d.samples = 2; d.levels = 1);
    TRY(ST_OK, d.shape = TEX_VOLUME_MAP; d.depth = 32; d.levels = 6);
    TRY(ST_NOMEM, d.shape = TEX_VOLUME_MAP; d.width = d.height = d.depth = 16384);
    TRY(ST_NOMEM, d.width = d.height = 16384; d.levels = 1; d.samples = 16);
    TRY(ST_NOMEM, d.width = d.height = 16384; d.levels = 1; d.format = D3DFMT_A32B32G32R32F);
}
END_TEST

START_TEST(levels_are_contiguous)
{
    static const D3DFORMAT formats[] = {D3DFMT_A8R8G8B8, D3DFMT_A8, D3DFMT_L8, TEX_FMT_ATI1,
                                        TEX_FMT_ATI2};
    struct tex_image *image = make_image(formats[_i], TEX_CUBE_MAP, 257, 257, 1, 0);
    uint32_t bytes_per_pixel = _i ? 1 : 4;
    size_t offset = 0, bytes;

    ck_assert_uint_eq(image->desc.levels, 9);
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t l = 0; l < 9; l++) {
            struct tex_level *level = tex_image_level(image, face, l);

            ck_assert_uint_eq(level->width, 257 >> l);
            ck_assert_ptr_eq(level->data, image->memory + offset);
            bytes = (size_t)((level->width * bytes_per_pixel + 3) & ~3u) * level->height;
            if (_i >= 3 &&
                bytes < level->slice_pitch) /* blocks at edges need more than Direct3D 9 reports */
                bytes = level->slice_pitch;
            offset += bytes;
        }
        offset = (offset + 15) & ~(size_t)15;
    }
    ck_assert_uint_ge(image->bytes, offset);
    tex_image_unref(&image);
}
END_TEST

START_TEST(allocations_may_fail)
{
    struct tex_desc desc = desc_of(D3DFMT_DXT1, TEX_2D, 64, 64, 1, 0, 1);
    struct tex_sampler_state state = default_state();
    int64_t before = mem_live_blocks();

    for (int k = 0;; k++) {
        struct tex_sampler sampler;
        struct tex_image *image;
        enum status st;

        mem_fail_after(k);
        st = tex_image_create(&image, &desc, NULL);
        if (st == ST_OK)
            st = tex_sampler_init(&sampler, image, &state);
        mem_fail_after(-1);
        tex_image_unref(&image);
        ck_assert_int_eq(mem_live_blocks(), before);
        if (st == ST_OK) {
            ck_assert_int_ge(k, 6);
            break;
        }
        ck_assert_int_eq(st, ST_NOMEM);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex storage");
    TCase *tc = tcase_create("storage");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, pitches_avoid_cache_conflicts);
    tcase_add_test(tc, impossible_images);
    tcase_add_loop_test(tc, levels_are_contiguous, 0, 5);
    tcase_add_test(tc, allocations_may_fail);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
