/* util/cpu: selection of the instruction set. */
#include "util/cpu.h"

#include "check_main.h"

#include <stdbool.h>
#include <stdlib.h>

START_TEST(an_available_set_can_be_selected)
{
    enum cpu_isa isa = (enum cpu_isa)_i;

    if (!cpu_has_isa(isa)) {
        ck_assert_int_eq(cpu_set_isa(isa), ST_UNSUPPORTED);
        return;
    }
    ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
    ck_assert_int_eq(cpu_isa(), isa);
}
END_TEST

/* Check runs each test in a process of its own, so that none has been chosen before. */
START_TEST(the_environment_selects_a_set)
{
    setenv("NOVEM_SIMD", "scalar", 1);
    ck_assert_int_eq(cpu_isa(), ISA_SCALAR);
}
END_TEST

START_TEST(an_unknown_set_is_ignored)
{
    setenv("NOVEM_SIMD", "mmx", 1);
    ck_assert(cpu_has_isa(cpu_isa()));
}
END_TEST

START_TEST(processors)
{
    ck_assert_uint_ge(cpu_count(), 1);
    ck_assert(cpu_has_isa(ISA_SCALAR));
    if (cpu_has_avx512_vbmi())
        ck_assert(cpu_has_isa(ISA_SSE2));
}
END_TEST

#if defined(__x86_64__) || defined(__i386__)
START_TEST(features_are_those_of_the_compiler)
{
    bool bmi = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    bool vbmi = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                __builtin_cpu_supports("avx512vnni");

    ck_assert_int_eq(cpu_has_isa(ISA_SSE2), __builtin_cpu_supports("sse2") != 0);
    ck_assert_int_eq(cpu_has_isa(ISA_AVX2), avx2 && bmi); /* those have F16C */
    ck_assert_int_eq(cpu_has_isa(ISA_AVX512), avx512 && bmi);
    ck_assert_int_eq(cpu_has_avx512_vbmi(), vbmi);
}
END_TEST
#endif

static Suite *suite(void)
{
    Suite *s = suite_create("cpu");
    TCase *tc = tcase_create("cpu");

    tcase_add_loop_test(tc, an_available_set_can_be_selected, 0, ISA_COUNT);
    tcase_add_test(tc, the_environment_selects_a_set);
    tcase_add_test(tc, an_unknown_set_is_ignored);
    tcase_add_test(tc, processors);
#if defined(__x86_64__) || defined(__i386__)
    tcase_add_test(tc, features_are_those_of_the_compiler);
#endif
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
