/* Constants of a draw. */
#include "unit/vm/run_shader.h"

START_TEST(missing_constants_read_as_zero)
{
    struct shader s;

    shader_open(&s,
                "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nadd r0, v0, c100\nadd r0, r0, c1[a0.x]\n"
                "if b3\nadd r0, r0, r0\nendif\nrep i2\nadd r0, r0, r0\nendrep\nmov oPos, r0\n");
    s.constants.n_f = 2;
    s.constants.n_i = s.constants.n_b = 0;
    s.f[1][0] = 8;
    s.f[100][0] = 1000; /* beyond n_f */
    set4(&s, VM_USAGE_POSITION, 0, 0, 1, 2, 3);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 8, 1, 2, 3);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/uniform");
    TCase *t = tcase_create("uniform");

    tcase_add_test(t, missing_constants_read_as_zero);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
