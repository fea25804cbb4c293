/* Peephole pass: which pairs of operations become one. */
#include "unit/vm/instances.h"

/* clang-format off */
static const struct {
    const char *text;
    enum vm_ir_opcode opcode;
    unsigned n; /* instances of the opcode */
} rows[] = {
    /* A column-major matrix product becomes four dot products. */
    {"vs_2_0\ndcl_position v0\nmul r0, v0.x, c0\nmad r0, v0.y, c1, r0\n"
     "mad r0, v0.z, c2, r0\nmad oPos, v0.w, c3, r0\n", VM_IR_DP4, 4},
    {"vs_2_0\ndcl_position v0\nmul r0, v0.x, c0\nmad r0, v0.y, c1, r0\n"
     "mad r0, v0.z, c2, r0\nadd oPos, c3, r0\n", VM_IR_DP3ADD, 4},
    /* The product with the 1 becomes a uniform. */
    {"vs_2_0\ndef c9, 1, 0, 0, 0\ndcl_position v0\nmov r0.xyz, v0\n"
     "mov r0.w, c9.x\nm4x4 oPos, r0, c0\n", VM_IR_DP3ADD, 4},
    {"ps_2_0\ndcl t0\ndp3 r0, t0, t0\nrsq r0, r0.x\nmul r0, r0, t0\n"
     "mov oC0, r0\n", VM_IR_DP3_RSQ, 1},
    /* A result that is read twice, negated or saturated is not fused. */
    {"ps_2_0\ndcl t0\nmul r0, t0, c0\nadd r1, r0, t0\nmul r1, r1, r0\n"
     "mov oC0, r1\n", VM_IR_MUL, 4},
    {"ps_2_0\ndcl t0\nmul_sat r0, t0, c0\nadd r1, r0, t0\nmov oC0, r1\n", VM_IR_ADD, 4},
    /* A saturated copy is computed in its destination. */
    {"ps_2_0\ndcl t0\nmul r0, t0, c0\nmov_sat r0, r0\nmov oC0, r0\n", VM_IR_MOV, 0},
};
/* clang-format on */

START_TEST(pairs_are_fused)
{
    ck_assert_uint_eq(count_instances_of(rows[_i].text, rows[_i].opcode), rows[_i].n);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/peephole");
    TCase *t = tcase_create("peephole");

    tcase_add_loop_test(t, pairs_are_fused, 0, sizeof(rows) / sizeof(rows[0]));
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
