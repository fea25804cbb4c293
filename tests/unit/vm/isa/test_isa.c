/* Instruction table: consistent with itself and with the version tokens. */
#include "check_main.h"

#include "vm/isa/isa.h"

#include <string.h>

START_TEST(row_is_consistent)
{
    const struct vm_op_info *op = &vm_op_info[_i];

    ck_assert_ptr_nonnull(op->text);
    ck_assert_int_eq(vm_op_from_token(op->token), _i);
    ck_assert(op->vs_first <= op->vs_last);
    ck_assert(op->ps_first <= op->ps_last);
    ck_assert_msg((op->vs_first == 0) == (op->vs_last == 0), "%s", op->text);
    ck_assert_msg((op->ps_first == 0) == (op->ps_last == 0), "%s", op->text);
    ck_assert(op->n_dst <= 1 && op->n_src <= 4);
    ck_assert_msg(op->replicate >> op->n_src == 0, "%s replicates a source it lacks", op->text);
    if (op->op_class == VM_CLASS_FLOW || op->op_class == VM_CLASS_DECL)
        ck_assert_msg(!op->n_dst && !op->saturate && !op->predicable, "%s", op->text);
}
END_TEST

START_TEST(unknown_tokens)
{
    unsigned known = 0;

    for (unsigned token = 0; token <= 0xffff; token++) {
        int op = vm_op_from_token(token);

        if (op < 0)
            continue;
        known++;
        ck_assert_uint_eq(vm_op_info[op].token, token);
    }
    ck_assert_uint_eq(known, VM_OP_COUNT);
    ck_assert_int_eq(vm_op_from_token(49), -1); /* reserved */
    ck_assert_int_eq(vm_op_from_token(63), -1);
    ck_assert_int_eq(vm_op_from_token(97), -1);
}
END_TEST

START_TEST(version_ranks)
{
    static const struct {
        bool pixel;
        unsigned major, minor, rank;
    } rows[] = {
        {false, 1, 0, 11}, {false, 1, 1, 11},   {false, 1, 2, 0},    {false, 2, 0, 20},
        {false, 2, 1, 21}, {false, 2, 2, 0},    {false, 2, 255, 22}, {false, 3, 0, 30},
        {false, 3, 1, 0},  {false, 3, 255, 31}, {true, 1, 0, 11},    {true, 1, 4, 14},
        {true, 1, 5, 0},   {true, 2, 1, 21},    {true, 3, 255, 31},  {true, 4, 0, 0},
        {true, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_uint_eq(vm_version_rank(rows[i].pixel, rows[i].major, rows[i].minor),
                          rows[i].rank);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/isa");
    TCase *t = tcase_create("isa");

    tcase_add_loop_test(t, row_is_consistent, 0, VM_OP_COUNT);
    tcase_add_test(t, unknown_tokens);
    tcase_add_test(t, version_ranks);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
