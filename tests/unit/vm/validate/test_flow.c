/* Control flow: branch targets, depths, and the length that calls add up to. */
#include "refusal.h"

#include "vm/program/program.h"

/* Targets as vm_instr.target describes them. */
START_TEST(flow_targets)
{
    struct vm_program *p = shader_program("vs_2_x\n"
                                          "if b0\n"               /* 0 */
                                          "mov r0, c0\n"          /* 1 */
                                          "else\n"                /* 2 */
                                          "rep i0\n"              /* 3 */
                                          "loop aL, i1\n"         /* 4 */
                                          "break_lt c0.x, c1.x\n" /* 5 */
                                          "endloop\n"             /* 6 */
                                          "if_gt c0.x, c1.x\n"    /* 7 */
                                          "break\n"               /* 8 */
                                          "endif\n"               /* 9 */
                                          "endrep\n"              /* 10 */
                                          "endif\n"               /* 11 */
                                          "call l1\n"             /* 12 */
                                          "mov oPos, c0\n"        /* 13 */
                                          "ret\n"                 /* 14 */
                                          "label l0\n"            /* 15 */
                                          "ret\n"                 /* 16 */
                                          "label l1\n"            /* 17 */
                                          "ret",
                                          &vm_limits_lenient);
    static const uint32_t targets[] = {2,  VM_NO_TARGET, 11, 10,           6, 6, 4, 9,
                                       10, VM_NO_TARGET, 3,  VM_NO_TARGET, 17};

    for (unsigned i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        ck_assert_msg(p->instr[i].target == targets[i], "instruction %u: %u instead of %u", i,
                      p->instr[i].target, targets[i]);
    ck_assert_uint_eq(p->n_instr, 19);
    vm_program_destroy(p);
}
END_TEST

/* 24 nested ifs of each kind; a comparison in the innermost counts as one if. */
START_TEST(depth_of_ifs)
{
    static const struct {
        const char *open, *inside;
        unsigned fit;
        const char *reason;
    } rows[] = {
        {"if b0\n", "", 24, "more than 24 static ifs"},
        {"if_gt c0.x, c0.y\n", "", 24, "more than 24 dynamic ifs"},
        {"if_gt c0.x, c0.y\n", "rep i0\nbreak_gt c0.x, c0.y\nendrep\n", 23, "a break with comparison"},
        {"if_gt c0.x, c0.y\n", "rep i0\nbreak\nendrep\n", 24, "more than 24 dynamic ifs"},
    };
    struct vm_error error = {0, ""};
    struct vm_program *program;

    for (unsigned n = rows[_i].fit; n <= rows[_i].fit + 1; n++) {
        char text[2048] = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n";
        struct shader s;

        for (unsigned i = 0; i < n; i++)
            strcat(text, rows[_i].open);
        strcat(text, rows[_i].inside);
        for (unsigned i = 0; i < n; i++)
            strcat(text, "endif\n");
        s = shader_assemble(text);
        if (n == rows[_i].fit) {
            vm_program_destroy(shader_program(text, &vm_limits_hardware));
        } else {
            ck_assert_int_eq(
                vm_program_create(&program, s.words, s.n, &vm_limits_hardware, &error), ST_INVALID);
            ck_assert_msg(strstr(error.text, rows[_i].reason) != NULL, "%s", error.text);
        }
        shader_free(&s);
    }
}
END_TEST

/* Sixty calls per routine, four levels deep: two million instructions from a program of 500. */
START_TEST(calls_do_not_explode)
{
    char text[8192] = "vs_3_0\n";
    struct shader s;

    for (unsigned routine = 0; routine < 5; routine++) {
        if (routine)
            sprintf(text + strlen(text), "label l%u\n", routine);
        for (unsigned i = 0; i < 60 && routine < 4; i++)
            sprintf(text + strlen(text), "call l%u\n", routine + 1);
        strcat(text, "ret\n");
    }
    s = shader_assemble(text);
    check_refused(s.words, s.n, &vm_limits_hardware, 0, "calls make the program run more", "calls");
    shader_free(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/flow");
    TCase *t = tcase_create("flow");

    tcase_add_test(t, flow_targets);
    tcase_add_loop_test(t, depth_of_ifs, 0, 4);
    tcase_add_test(t, calls_do_not_explode);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
