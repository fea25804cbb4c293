/* Names in a shader's constant table, also in damaged tables. */
#include "unit/tool/frame/capture.h"

#include "tool/frame/constants.h"

static const char text[] = "ps_2_0\ndcl v0\nmov oC0, v0\n";

static struct vm_program *program_of(const uint32_t *words, size_t n)
{
    struct vm_program *program;
    struct vm_error error;

    ck_assert_int_eq(vm_program_create(&program, words, n, &vm_limits_hardware, &error), ST_OK);
    return program;
}

START_TEST(registers_have_names)
{
    size_t n;
    uint32_t *words = make_shader(text, &n);
    struct vm_program *program = program_of(words, n);
    char name[FRAME_CONSTANT_NAME];

    ck_assert(frame_constant_name(name, program, FRAME_FLOAT, 0));
    ck_assert_str_eq(name, "shade[0]");
    ck_assert(frame_constant_name(name, program, FRAME_FLOAT, 1));
    ck_assert_str_eq(name, "shade[1]");
    ck_assert(!frame_constant_name(name, program, FRAME_FLOAT, 2));
    ck_assert(!frame_constant_name(name, program, FRAME_INT, 0));
    ck_assert(frame_constant_name(name, program, FRAME_SAMPLER, 0));
    ck_assert_str_eq(name, "map");
    vm_program_destroy(program);
    mem_free(words);
}
END_TEST

START_TEST(shaders_without_a_table_have_none)
{
    size_t n;
    uint32_t *words;
    struct vm_program *program;
    char name[FRAME_CONSTANT_NAME];

    ck_assert_int_eq(vm_assemble(&words, &n, text, NULL), ST_OK);
    program = program_of(words, n);
    ck_assert(!frame_constant_name(name, program, FRAME_FLOAT, 0));
    ck_assert(!frame_constant_name(name, NULL, FRAME_FLOAT, 0));
    vm_program_destroy(program);
    mem_free(words);
}
END_TEST

/* Each word of the table becomes each of some bad values: no read leaves the table, which the
 * sanitizers see, and names end. */
START_TEST(damaged_tables_do_no_harm)
{
    static const uint32_t values[] = {0, 1, 19, 0x7fffffff, 0xfffffff0, 0xffffffff, 0x41414141};
    size_t n;
    uint32_t *words = make_shader(text, &n);
    char name[FRAME_CONSTANT_NAME];

    for (size_t at = 3; at < 3 + 20; at++)
        for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
            uint32_t kept = words[at];
            struct vm_program *program;

            words[at] = values[v];
            program = program_of(words, n);
            for (unsigned set = 0; set < 4; set++)
                if (frame_constant_name(name, program, (enum frame_register)set, 0))
                    ck_assert_uint_lt(strlen(name), sizeof(name));
            vm_program_destroy(program);
            words[at] = kept;
        }
    mem_free(words);
}
END_TEST

static void teardown(void)
{
    ck_assert_int_eq(mem_live_blocks(), 0);
}

static Suite *suite(void)
{
    Suite *suite = suite_create("frame/constants");
    TCase *tc = tcase_create("frame/constants");

    setenv("NOVEM_SINK", "none", 1);
    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, registers_have_names);
    tcase_add_test(tc, shaders_without_a_table_have_none);
    tcase_add_test(tc, damaged_tables_do_no_harm);
    suite_add_tcase(suite, tc);
    return suite;
}

TEST_MAIN(suite)
