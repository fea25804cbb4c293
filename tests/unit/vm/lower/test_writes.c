/* Loops have phis of the registers that they write, and of no others. */
#include "unit/vm/instances.h"

#include <stdio.h>

/* Phis of the loops of a program whose registers are all read in the end. */
static unsigned loop_phis(const char *loop, const char *routine)
{
    char text[512];
    struct shader s;
    unsigned n;

    snprintf(text, sizeof(text),
             "vs_3_0\ndcl_position v0\ndcl_position o0\ndef c0, 1, 2, 3, 4\nmov r0, v0\nmov r1, v0.wzyx\n"
             "%s\nadd o0, r0, r1\nret\nlabel l0\n%s\nret\n",
             loop, routine);
    shader_open(&s, text);
    n = count_ops(&s, IR_LPHI);
    shader_close(&s);
    return n;
}

START_TEST(loops_have_phis_of_what_they_write)
{
    enum { COUNTERS = 2 }; /* the rounds that are left, and the budget */

    ck_assert_uint_eq(loop_phis("rep i0\nnop\nendrep", "nop"), 0);
    ck_assert_uint_eq(loop_phis("rep i0\nadd r0.y, r0.y, c0.x\nendrep", "nop"), COUNTERS + 1);
    ck_assert_uint_eq(loop_phis("rep i0\nif b0\nadd r0.yz, r0, c0.x\nendif\nendrep", "nop"), COUNTERS + 2);
    ck_assert_uint_eq(loop_phis("rep i0\nadd r1.x, r1.x, c0.x\ncall l0\nendrep", "add r0.x, r0, c0\n"), COUNTERS + 2);
    ck_assert_uint_eq(loop_phis("rep i0\ncall l0\nendrep", "rep i0\nadd r0.xyz, r0, c0\nendrep"), 2 * (COUNTERS + 3));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/writes");
    TCase *t = tcase_create("loops");

    tcase_add_test(t, loops_have_phis_of_what_they_write);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
