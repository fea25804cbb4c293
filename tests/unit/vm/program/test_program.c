/* Program objects: identity and stage. */
#include "shader.h"

START_TEST(ids_differ)
{
    struct vm_program *a = shader_program("vs_1_1\nmov oPos, c0", &vm_limits_lenient);
    struct vm_program *b = shader_program("vs_1_1\nmov oPos, c0", &vm_limits_lenient);

    ck_assert(vm_program_id(a) && vm_program_id(b) && vm_program_id(a) != vm_program_id(b));
    vm_program_destroy(a);
    vm_program_destroy(b);
    vm_program_destroy(NULL);
}
END_TEST

/* vm_info.stage follows the version token. */
START_TEST(stages)
{
    struct vm_program *program = shader_program("ps_1_1\nmov r0, v0", &vm_limits_hardware);

    ck_assert_int_eq(vm_program_info(program)->stage, VM_PIXEL);
    vm_program_destroy(program);
    program = shader_program("vs_1_1\ndcl_position v0\nmov oPos, v0", &vm_limits_hardware);
    ck_assert_int_eq(vm_program_info(program)->stage, VM_VERTEX);
    vm_program_destroy(program);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/program");
    TCase *t = tcase_create("program");

    tcase_add_test(t, ids_differ);
    tcase_add_test(t, stages);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
