/* Box copies. */
#include "check_main.h"
#include "tex_helpers.h"

START_TEST(copies_move_boxes)
{
    struct tex_image *src = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 8, 8, 4, 1);
    struct tex_image *dst = make_image(D3DFMT_L8, TEX_VOLUME_MAP, 8, 8, 4, 1);
    struct tex_box box = {1, 2, 1, 4, 6, 3};

    for (size_t i = 0; i < src->bytes; i++)
        src->memory[i] = (uint8_t)(i + 1);
    tex_copy(src->format, dst->level, 4, 0, 2, src->level, &box);
    for (uint32_t z = 0; z < 4; z++) {
        for (uint32_t y = 0; y < 8; y++) {
            for (uint32_t x = 0; x < 8; x++) {
                bool inside = x >= 4 && x < 7 && y < 4 && z >= 2;
                uint32_t from = (z - 1) * 64 + (y + 2) * 8 + x - 3;

                ck_assert_uint_eq(*tex_level_at(dst->level, dst->format, x, y, z),
                                  inside ? (uint8_t)(from + 1) : 0);
            }
        }
    }
    tex_image_unref(&src);
    tex_image_unref(&dst);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex copy");
    TCase *tc = tcase_create("copy");

    tcase_add_checked_fixture(tc, enter_fp_mode, leave_fp_mode);
    tcase_add_test(tc, copies_move_boxes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
