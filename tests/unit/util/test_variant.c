/* Variant renderers: names, and pseudo-random values. */
#include "check_main.h"
#include "util/variant.h"

#include <string.h>

START_TEST(variants_are_found_by_name)
{
    for (unsigned i = 0; i < variant_count(); i++)
        ck_assert_ptr_eq(variant_find(variant_get(i)->name), variant_get(i));
    ck_assert_ptr_null(variant_find("snap"));
    ck_assert_ptr_null(variant_find(""));
}
END_TEST

START_TEST(variants_of_every_class_exist)
{
    unsigned classes = 0;

    for (unsigned i = 0; i < variant_count(); i++)
        classes |= variant_get(i)->class;
    ck_assert_uint_eq(classes, (1u << VARIANT_CLASSES) - 1);
}
END_TEST

START_TEST(random_numbers_depend_on_words_seed_and_sign)
{
    struct variant v = {.seed = 1}, other = {.seed = 2}, negative = {.seed = 1, .negative = true};
    uint32_t words[2] = {1, 2};
    float least = 1.0f, most = -1.0f, r = variant_random(&v, words, 2);

    ck_assert(r == variant_random(&v, words, 2));
    ck_assert(r == -variant_random(&negative, words, 2));
    ck_assert(r != variant_random(&other, words, 2));
    for (words[0] = 0; words[0] < 1000; words[0]++) {
        r = variant_random(&v, words, 2);
        least = r < least ? r : least;
        most = r > most ? r : most;
    }
    ck_assert(least >= -1.0f && least < -0.99f && most <= 1.0f && most > 0.99f);
}
END_TEST

START_TEST(cut_values_keep_upper_bits)
{
    ck_assert_float_eq(variant_cut(7 / 255.0f, 5), 0.0f);
    ck_assert_float_eq(variant_cut(7.6f / 255.0f, 5), 1 / 31.0f); /* rounded to 8 first */
    ck_assert_float_eq(variant_cut(1.0f, 6), 1.0f);
    ck_assert_float_eq(variant_cut(127.4f / 255.0f, 1), 0.0f);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("variant");
    TCase *tc = tcase_create("variant");

    tcase_add_test(tc, variants_are_found_by_name);
    tcase_add_test(tc, variants_of_every_class_exist);
    tcase_add_test(tc, random_numbers_depend_on_words_seed_and_sign);
    tcase_add_test(tc, cut_values_keep_upper_bits);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
