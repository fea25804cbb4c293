/* Code of merge functions: it is shared, its number is bounded, it goes with its last user, and one
 * target gives what the function of a key does. */
#include "check_main.h"
#include "machine_code.h"

#include "kernel/raster/random.h"
#include "raster/merge/code.h"
#include "raster/output/output_kern.h"
#include "raster/state/pixel_write.h"
#include "tex/tex.h"

#include <pthread.h>

enum { LANES = RASTER_LANES };

static struct raster_merge_target target_of(D3DFORMAT format, unsigned number)
{
    struct raster_merge_target target;

    memset(&target, 0, sizeof(target));
    target.format = tex_format_get(format);
    target.blends = true;
    target.rgb = (struct raster_blend){(uint8_t)(3 + number % 9), (uint8_t)(3 + number / 9 % 9),
                                       (uint8_t)(1 + number / 81 % 3)};
    target.alpha = target.rgb;
    target.write_mask = (uint8_t)(15 - number / 243 % 15);
    return target;
}

START_TEST(equal_targets_share_code)
{
    struct raster_merge_target a = target_of(D3DFMT_A8R8G8B8, 0), b = target_of(D3DFMT_A8R8G8B8, 1);

    if (!has_machine_code(cpu_isa()))
        return;
    raster_merge_cache_use();
    ck_assert_ptr_nonnull(raster_merge_code_get(&a));
    ck_assert_ptr_eq(raster_merge_code_get(&a), raster_merge_code_get(&a));
    ck_assert_ptr_ne(raster_merge_code_get(&a), raster_merge_code_get(&b));
    raster_merge_cache_use();
    raster_merge_cache_leave();
    ck_assert_ptr_nonnull(raster_merge_code_get(&a));
    raster_merge_cache_leave();
}
END_TEST

START_TEST(the_number_of_functions_is_bounded)
{
    unsigned found = 0;

    if (!has_machine_code(cpu_isa()))
        return;
    raster_merge_cache_use();
    for (unsigned i = 0; i < 600; i++) {
        struct raster_merge_target target = target_of(D3DFMT_A8R8G8B8, i);

        found += raster_merge_code_get(&target) != NULL;
    }
    ck_assert_uint_eq(found, 512);
    raster_merge_cache_leave();
    raster_merge_cache_use(); /* all were freed */
    for (unsigned i = 590; i < 600; i++) {
        struct raster_merge_target target = target_of(D3DFMT_A8R8G8B8, i);

        ck_assert_ptr_nonnull(raster_merge_code_get(&target));
    }
    raster_merge_cache_leave();
}
END_TEST

/* Plain stores take the kernel. */
START_TEST(kernels_stay_where_they_are_faster)
{
    struct raster_merge_target target = target_of(D3DFMT_A8R8G8B8, 0);

    raster_merge_cache_use();
    target.blends = false;
    memset(&target.rgb, 0, sizeof(target.rgb));
    memset(&target.alpha, 0, sizeof(target.alpha));
    ck_assert_ptr_null(raster_merge_code_get(&target));
    target.write_mask = 7;
    ck_assert_int_eq(raster_merge_code_get(&target) != NULL, has_machine_code(cpu_isa()));
    raster_merge_cache_leave();
}
END_TEST

static void *get_all(void *result)
{
    const struct ir_code **code = result;

    for (unsigned i = 0; i < 40; i++) {
        struct raster_merge_target target = target_of(D3DFMT_R5G6B5, i);

        code[i] = raster_merge_code_get(&target);
    }
    return NULL;
}

START_TEST(threads_share_code)
{
    const struct ir_code *code[4][40];
    pthread_t thread[4];

    raster_merge_cache_use();
    for (unsigned t = 0; t < 4; t++)
        ck_assert_int_eq(pthread_create(&thread[t], NULL, get_all, code[t]), 0);
    for (unsigned t = 0; t < 4; t++)
        pthread_join(thread[t], NULL);
    for (unsigned t = 1; t < 4; t++)
        ck_assert_mem_eq(code[t], code[0], sizeof(code[0]));
    raster_merge_cache_leave();
}
END_TEST

START_TEST(code_equals_the_kernel)
{
    static _Alignas(64) float colour[4][LANES];
    static _Alignas(64) uint32_t words[1][LANES], packed[LANES];
    static _Alignas(64) uint8_t work[RASTER_MERGE_WORK_BYTES];
    const float *const source[4] = {colour[0], colour[1], colour[2], colour[3]};

    raster_merge_cache_use();
    for (unsigned i = 0; i < 300 && has_machine_code(cpu_isa()); i++) {
        struct raster_merge_target target = target_of(D3DFMT_A8R8G8B8, i);
        const struct ir_code *code = raster_merge_code_get(&target);
        struct raster_state state = {.blend_enable = true};
        struct raster_blend_params params = {.rgb = target.rgb, .alpha = target.alpha};
        struct raster_pixel_write how;

        random_floats(colour[0], 4 * LANES);
        for (unsigned c = 0; c < 4; c++)
            params.factor[c] = (float)(random_u32() % 256) / 255.0f;
        for (unsigned lane = 0; lane < LANES; lane++)
            words[0][lane] = packed[lane] = random_u32();
        ck_assert(raster_pixel_write_init(&how, target.format, &state, target.write_mask));
        how.blend = &params;
        KERN_FOR(raster_output_kern, ISA_SCALAR)
            ->write[how.class](&how, (uint8_t *)packed, 0, source, ~UINT64_C(0));
        raster_merge_code_run(code, source, words, params.factor, work);
        ck_assert_mem_eq(words[0], packed, sizeof(packed));
    }
    raster_merge_cache_leave();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/merge/code");
    TCase *tc = tcase_create("code");

    tcase_add_checked_fixture(tc, set_mode, put_mode_back);
    tcase_add_test(tc, equal_targets_share_code);
    tcase_add_test(tc, the_number_of_functions_is_bounded);
    tcase_add_test(tc, kernels_stay_where_they_are_faster);
    tcase_add_test(tc, threads_share_code);
    tcase_add_test(tc, code_equals_the_kernel);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
