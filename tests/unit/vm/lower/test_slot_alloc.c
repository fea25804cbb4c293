/* Slot allocation: slots are reused, and values are computed in the slots of outputs. */
#include "unit/vm/instances.h"

#include <stdio.h>

#define WAYS                                                                                       \
    "ps_3_0\ndcl_texcoord v0\nif_gt v0.x, c0.x\nadd r0, v0, c1\nelse\nmul r0, v0, c1\nendif\n"

/* Number of unmasked MOV instances: those of the last block, where all lanes are active. */
static unsigned last_moves(const char *text)
{
    struct shader s;
    unsigned n = 0;

    shader_open(&s, text);
    for (const struct vm_ir_op *u = s.code->op; u->opcode != VM_IR_END; u++)
        if (u->fn[1] == KERN_PICK(vm_kern)->fn[VM_IR_MOV][VM_OPMODE_PLAIN])
            n += u->n;
    shader_close(&s);
    return n;
}

START_TEST(vregs_are_coalesced_with_outputs)
{
    struct shader s;

    shader_open(&s, WAYS "mov oC0, r0\n");
    set4(&s, VM_USAGE_TEXCOORD, 0, 2, 3, 4, 5);
    for (unsigned c = 0; c < 4; c++)
        s.f[1][c] = 10;
    s.f[0][0] = 1;
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 12, 13, 14, 15);
    s.f[0][0] = 3;
    shader_run(&s);
    expect4(&s, VM_USAGE_TARGET, 0, 20, 30, 40, 50);
    shader_close(&s);

    ck_assert_uint_eq(last_moves(WAYS "mov oC0, r0\n"), 0);
    /* A vreg can share a slot with only one of two outputs. */
    ck_assert_uint_eq(last_moves(WAYS "mov oC0, r0\nmov oC1, r0\n"), 4);
    ck_assert_uint_eq(last_moves(WAYS "mov oC0, r0\nmov oC1, r0.wzyx\n"), 4);
}
END_TEST

START_TEST(slots_are_reused)
{
    struct shader s;
    char text[8192];
    size_t n = 0;

    /* A long chain needs no more slots than it has live values. */
    n += (size_t)snprintf(text + n, sizeof(text) - n, "ps_3_0\ndcl_texcoord v0\nmov r0, v0\n");
    for (unsigned i = 0; i < 60; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "mad r%u, r%u, r%u.wzyx, v0\n",
                              (i + 1) % 12, i % 12, i % 12);
    snprintf(text + n, sizeof(text) - n, "mov oC0, r%u\n", 60 % 12);
    shader_open(&s, text);
    ck_assert_uint_le(vm_code_work_bytes(s.code), (4 + 4 + 9) * VM_LANE_BYTES);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/slot_alloc");
    TCase *t = tcase_create("slot_alloc");

    tcase_add_test(t, vregs_are_coalesced_with_outputs);
    tcase_add_test(t, slots_are_reused);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
