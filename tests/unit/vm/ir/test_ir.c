/* Table of IR opcodes: each row is consistent with itself, has one kernel, and fits the JIT. */
#include "check_main.h"

#include "vm/jit/compiler.h"
#include "vm/run/frame.h"

START_TEST(row_is_consistent)
{
    const struct ir_op_info *info = &vm_ir_op_info[_i];

    ck_assert_uint_eq(ir_op_words((unsigned)_i), info->n_dst + info->n_src + info->n_imm);
    ck_assert_uint_gt(info->n_dst + info->n_src, 0);
    /* Value numbering shares single results only. */
    if (info->flags == IR_PURE || info->flags == IR_LOCAL)
        ck_assert_uint_eq(info->n_dst, 1);
}
END_TEST

/* A kernel for operands of every kind, in one of the two tables. */
START_TEST(row_has_one_kernel)
{
    bool lanewise = KERN_PICK(vm_kern)->fn[_i][VM_OPMODE_ANY] != NULL;
    bool cross_lane = KERN_PICK(vm_cross_lane_kern)->fn[_i] != NULL;

    ck_assert(lanewise != cross_lane);
    for (unsigned opmode = 0; !lanewise && opmode < VM_OPMODE_COUNT; opmode++)
        ck_assert_ptr_null(KERN_PICK(vm_kern)->fn[_i][opmode]);
}
END_TEST

START_TEST(row_fits_the_jit)
{
    const struct ir_op_info *info = &vm_ir_op_info[_i];

    if (!jit_is_supported((unsigned)_i))
        return;
    ck_assert_uint_le(info->n_dst, 1);
    ck_assert_uint_le(info->n_src, JIT_MAX_SRC);
}
END_TEST

START_TEST(flow_is_interpreted)
{
    ck_assert(!jit_is_supported(VM_IR_FLOW) && !jit_is_supported(VM_IR_END));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/ir");
    TCase *t = tcase_create("ops");

    tcase_add_loop_test(t, row_is_consistent, 0, VM_IR_COUNT);
    tcase_add_loop_test(t, row_has_one_kernel, 0, VM_IR_COUNT);
    tcase_add_loop_test(t, row_fits_the_jit, 0, VM_IR_COUNT);
    tcase_add_test(t, flow_is_interpreted);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
