/* Divergence analysis: branches that all lanes take together need no masks. */
#include "unit/vm/instances.h"

START_TEST(uniform_branches_need_no_masks)
{
    struct shader s;
    unsigned n = 0;

    shader_open(&s,
                "ps_3_0\ndcl_texcoord v0\ndefi i0, 3, 0, 0, 0\nmov r0, v0\nif b0\nadd r0, r0, v0\n"
                "else\nmul r0, r0, v0\nendif\nrep i0\nadd r0, r0, v0\nendrep\nmov oC0, r0\n");
    for (const struct vm_ir_op *u = s.code->op; u->opcode != VM_IR_END; u++)
        n += u->fn[0] != u->fn[1];
    ck_assert_uint_eq(n, 0);
    set4(&s, VM_USAGE_TEXCOORD, 0, 2, 3, 4, 5);
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 4 + 6, 9 + 9, 16 + 12, 25 + 15);
    s.b[0] = 1;
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 10, 15, 20, 25);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/divergence");
    TCase *t = tcase_create("divergence");

    tcase_add_test(t, uniform_branches_need_no_masks);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
