/* Components that instructions read of their operands. */
#include "shader.h"

#include "vm/program/program.h"

START_TEST(operand_reads)
{
    static const struct {
        const char *text; /* one instruction, the first of the program */
        unsigned s, reads;
    } cases[] = {
        {"vs_2_x\nadd r0.xz, r1.wzyx, r2", 0, VM_MASK_W | VM_MASK_Y},
        {"vs_2_x\nadd r0.xz, r1.wzyx, r2", 1, VM_MASK_X | VM_MASK_Z},
        {"vs_2_x\nrcp r0, r1", 0, VM_MASK_W},
        {"vs_2_x\nrcp r0, r1.y", 0, VM_MASK_Y},
        {"vs_2_x\ndp3 r0.x, r1, r2", 0, VM_MASK_XYZ},
        {"vs_2_x\ndp4 r0.x, r1.xxyy, r2", 0, VM_MASK_X | VM_MASK_Y},
        {"vs_2_x\nlit r0.xw, r1", 0, 0},
        {"vs_2_x\nlit r0.z, r1", 0, VM_MASK_X | VM_MASK_Y | VM_MASK_W},
        {"vs_2_x\ndst r0, r1, r2", 0, VM_MASK_Y | VM_MASK_Z},
        {"vs_2_x\ndst r0, r1, r2", 1, VM_MASK_Y | VM_MASK_W},
        {"vs_2_x\ncrs r0.x, r1, r2", 1, VM_MASK_Y | VM_MASK_Z},
        {"vs_2_x\nnrm r0.x, r1", 0, VM_MASK_XYZ},
        {"vs_2_x\nnrm r0, r1", 0, VM_MASK_ALL},
        {"vs_2_x\nsincos r0.xy, r1.y, c0, c1", 0, VM_MASK_Y},
        {"vs_2_x\nsincos r0.xy, r1.y, c0, c1", 1, 0},
        {"vs_2_x\nsgn r0.y, r1, r2, r3", 2, 0},
        {"vs_2_x\nm4x3 r0.xyz, r1, c0", 0, VM_MASK_ALL},
        {"vs_2_x\nm3x4 r0, r1, c0", 1, VM_MASK_XYZ},
        {"vs_2_x\nif_gt r0.y, r1.z\nendif", 1, VM_MASK_Z},
        {"vs_2_x\nsetp_gt p0.y, r1, r2", 0, VM_MASK_Y},
        {"ps_2_x\ndp2add r0.x, r1.yx, r2, r3.w", 0, VM_MASK_X | VM_MASK_Y},
        {"ps_2_x\ndp2add r0.x, r1.yx, r2, r3.w", 2, VM_MASK_W},
        {"ps_2_x\ntexld r0.x, r1, s0", 0, VM_MASK_XYZ},
        {"ps_2_x\ntexldp r0.x, r1, s0", 0, VM_MASK_ALL},
        {"ps_2_x\ntexld r0.x, r1, s0", 1, 0},
        {"ps_1_4\ntexld r0, t1_dw.xyw", 0, VM_MASK_X | VM_MASK_Y | VM_MASK_W},
        {"ps_1_1\ntexbem t1, t0", 0, VM_MASK_X | VM_MASK_Y},
        {"ps_1_4\nbem r0.rg, r1, r2", 1, VM_MASK_X | VM_MASK_Y},
    };
    struct vm_program *p = shader_program(cases[_i].text, &vm_limits_lenient);

    ck_assert_msg(vm_instr_src_reads(&p->instr[0], cases[_i].s) == cases[_i].reads,
                  "%s: source %u: %x", cases[_i].text, cases[_i].s,
                  vm_instr_src_reads(&p->instr[0], cases[_i].s));
    vm_program_destroy(p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/operand_reads");
    TCase *t = tcase_create("operand_reads");

    tcase_add_loop_test(t, operand_reads, 0, 28);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
