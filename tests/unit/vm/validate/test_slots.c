/* Instruction slots: the largest count that fits, and one more. More than a version has run if the
 * caps claim no number for it. */
#include "refusal.h"

static bool caps_claim(const char *text)
{
    return !strncmp(text, "ps_2_x", 6) || !strncmp(text + 3, "3_0", 3);
}

static void check_too_many(const struct shader *s, const char *begin)
{
    static const struct vm_limits lenient = {3, 3, .enforced = VM_RULES_LIMIT};
    struct vm_program *program;

    check_refused(s->words, s->n, &vm_limits_hardware, 0, "there are more than ", begin);
    if (caps_claim(begin)) {
        check_refused(s->words, s->n, &lenient, 0, "there are more than ", begin);
    } else {
        ck_assert_int_eq(vm_program_create(&program, s->words, s->n, &lenient, NULL), ST_OK);
        vm_program_destroy(program);
    }
}

START_TEST(slots)
{
    static const struct {
        const char *begin, *instruction;
        unsigned fit;
        const char *end;
    } rows[] = {
        {"vs_1_1\nmov oPos, c0", "mov r0, c0", 127, ""},
        {"vs_1_1\nmov oPos, c0", "exp r0, c0.x", 12, ""},
        {"vs_1_1\nmov oPos, c0", "m4x4 r0, c1, c1", 31, ""},
        {"vs_1_1\nmov oPos, c0", "frc r0.y, c1", 42, ""},
        {"vs_2_0\nmov oPos, c0", "mov r0, c0", 255, ""},
        {"vs_2_0\nmov oPos, c0", "sincos r0.x, c0.x, c0, c1", 31, ""},
        {"vs_2_x\nmov oPos, c0", "mov r0, c0", 255, ""},
        {"vs_3_0\ndcl_position o0\nmov o0, c0", "mov r0, c0", 32767, ""},
        {"ps_1_1", "mov r0, c0", 8, ""},
        {"ps_1_1", "mul r0.rgb, c0, c1\n+mov r0.a, c0", 8, ""},
        {"ps_1_1", "texkill t0", 4, "mov r0, c0"},
        {"ps_1_3\nmov r1, c0", "dp4 r0, c0, c0", 3, ""},
        {"ps_1_4", "texkill t0", 6, "phase\nmov r0, c0"},
        {"ps_1_4", "mov r0, c0", 8, "phase\nmov r0, c0"},
        {"ps_1_4\nmov r0, c0\nphase", "mov r0, c0", 8, ""},
        {"ps_2_0", "mov r0, c0", 63, "mov oC0, c0"},
        {"ps_2_0\ndcl t0", "texkill t0", 32, "mov oC0, c0"},
        {"ps_2_x", "mov r0, c0", 511, "mov oC0, c0"},
        {"ps_2_x\nsetp_gt p0, c0, c0", "(p0) mov r0, c0", 255, "mov oC0, c0"},
        {"ps_2_x\ndcl t0\ndcl_cube s0", "texld r0, t0, s0", 127, "mov oC0, c0"},
        {"ps_2_x\ndcl t0\ndcl_2d s0", "texldb r0, t0, s0", 85, "mov oC0, c0"},
        {"ps_3_0", "mov r0, c0", 32768, ""},
    };
    unsigned fit = rows[_i].fit;
    size_t size = 128 + (strlen(rows[_i].instruction) + 1) * (fit + 1);
    char *text = mem_alloc(size);
    struct shader s;

    for (unsigned more = 0; more < 2; more++) {
        size_t at = (size_t)sprintf(text, "%s\n", rows[_i].begin);

        for (unsigned i = 0; i < fit + more; i++)
            at += (size_t)sprintf(text + at, "%s\n", rows[_i].instruction);
        sprintf(text + at, "%s", rows[_i].end);
        s = shader_assemble(text);
        if (more)
            check_too_many(&s, rows[_i].begin);
        else
            vm_program_destroy(shader_program(text, &vm_limits_hardware));
        shader_free(&s);
    }
    mem_free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/slots");
    TCase *t = tcase_create("slots");

    tcase_add_loop_test(t, slots, 0, 22);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
