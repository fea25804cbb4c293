/* Single-step hook: reported instructions, lanes and registers. lower/test_lower.c checks the
 * registers of random programs. */
#include "unit/vm/run_shader.h"

#include <stdio.h>

struct log {
    char text[4096];
    size_t n;
    unsigned lane;
};

/* Records "first-last:lanes" of every call, lanes as the four lowest bits in hexadecimal. */
static void note(void *ctx, const struct vm_step *o)
{
    struct log *log = ctx;
    int n = o->first == o->last
                ? snprintf(log->text + log->n, sizeof(log->text) - log->n, "%u:%x ", o->last,
                           (unsigned)(o->lanes & 15))
                : snprintf(log->text + log->n, sizeof(log->text) - log->n, "%u-%u:%x ", o->first,
                           o->last, (unsigned)(o->lanes & 15));

    log->n += (size_t)n;
    ck_assert_uint_lt(log->n, sizeof(log->text));
}

static void single_step(struct shader *s, vm_step_fn *fn, void *ctx)
{
    s->options.single_step = 1;
    s->step_hook = fn;
    s->step_ctx = ctx;
    s->lanes = 15;
    shader_lower(s);
}

START_TEST(reports_the_path_of_lanes)
{
    struct log log = {.n = 0};
    struct shader s;

    shader_open(&s, "ps_3_0\ndcl_texcoord v0\ndef c0, 0, 1, 2, 3\ndefi i0, 2, 0, 1, 0\n"
                    "mov r0, c0.x\n"         /* 0 */
                    "rep i0\n"               /* 1 */
                    "if_gt v0.x, c0.y\n"     /* 2 */
                    "add r0.x, r0.x, c0.y\n" /* 3 */
                    "else\n"                 /* 4 */
                    "break\n"                /* 5 */
                    "endif\n"                /* 6 */
                    "call l0\n"              /* 7 */
                    "endrep\n"               /* 8 */
                    "mov oC0, r0\n"          /* 9 */
                    "ret\n"                  /* 10 */
                    "label l0\n"             /* 11 */
                    "mov r1, r0\n"           /* 12 */
                    "ret\n");                /* 13 */
    single_step(&s, note, &log);
    for (unsigned i = 0; i < VM_LANES; i++)
        shader_input(&s, VM_USAGE_TEXCOORD, 0, 0)[i] = (float)i;
    shader_run(&s);
    ck_assert_str_eq(log.text, "0:f 1:f 2:f 3:c 4:3 5:3 6:c 7:c 11:c 12:c 13:c 8:c "
                               "2:c 3:c 6:c 7:c 11:c 12:c 13:c 8:c 9:f 10:f ");
    shader_close(&s);
}
END_TEST

START_TEST(reports_pairs_and_matrix_rows_together)
{
    struct log log = {.n = 0};
    struct shader s;

    shader_open(&s, "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\n"
                    "mov r0.rgb, t2\n+mov r0.a, t0\nadd r0, r0, t0\n");
    single_step(&s, note, &log);
    shader_run(&s);
    ck_assert_str_eq(log.text, "0:f 1-2:f 3-4:f 5:f ");
    shader_close(&s);
}
END_TEST

START_TEST(skips_instructions_without_lanes)
{
    struct log log = {.n = 0};
    struct shader s;

    shader_open(&s, "vs_2_0\ndcl_position v0\nif b0\nmov oPos, v0\nelse\nmov oPos, -v0\nendif\n");
    single_step(&s, note, &log);
    shader_run(&s);
    ck_assert_str_eq(log.text, "0:f 2:f 3:f 4:f ");
    shader_close(&s);
}
END_TEST

struct wanted {
    unsigned file, reg, component;
    float value;
};

static void check_last(void *ctx, const struct vm_step *o)
{
    const struct wanted *w = ctx;
    float x;

    for (; o->last == 6 && w->file != VM_FILE_NONE; w++) {
        ck_assert_msg(vm_step_register(o, w->file, w->reg, w->component, 2, &x), "%u.%u.%u",
                      w->file, w->reg, w->component);
        ck_assert_msg(x == w->value, "%u.%u.%u: %g, not %g", w->file, w->reg, w->component,
                      (double)x, (double)w->value);
    }
    /* Does not exist: a c#, an unused r#, a fifth component, a lane beyond the last. */
    ck_assert(!vm_step_register(o, VM_FILE_CONST, 0, 0, 0, &x));
    ck_assert(!vm_step_register(o, VM_FILE_TEMP, 9, 0, 0, &x));
    ck_assert(!vm_step_register(o, VM_FILE_TEMP, 0, 4, 0, &x));
    ck_assert(!vm_step_register(o, VM_FILE_TEMP, 0, 0, VM_LANES, &x));
    ck_assert(!vm_step_register(o, VM_FILE_COLOROUT, 0, 0, 0, &x));
    ck_assert(!vm_step_register(o, VM_FILE_TEXTURE, 0, 0, 0, &x));
    ck_assert(!vm_step_register(o, VM_FILE_LOOP, 1, 0, 0, &x));
    ck_assert_int_eq(o->dst->file == VM_FILE_NONE, o->last == 4 || o->last == 5 || o->last == 7);
}

START_TEST(reads_every_register_file)
{
    static const struct wanted wanted[] = {
        {VM_FILE_ADDR, 0, 1, 3},      {VM_FILE_PREDICATE, 0, 0, 1}, {VM_FILE_PREDICATE, 0, 2, 0},
        {VM_FILE_LOOP, 0, 0, 5},      {VM_FILE_TEMP, 1, 2, 6},      {VM_FILE_RASTOUT, 0, 3, 4},
        {VM_FILE_RASTOUT, 0, 0, 2.5}, {VM_FILE_ATTROUT, 0, 0, 8},   {VM_FILE_TEMP, 1, 0, 0},
        {VM_FILE_NONE, 0, 0, 0},
    };
    struct shader s;

    shader_open(&s, "vs_2_x\ndcl_position v0\ndef c0, 2.5, 3, 4, 8\ndefi i0, 1, 5, 1, 0\n"
                    "mova a0.y, v0.y\n"      /* 0 */
                    "setp_gt p0, v0, c0.x\n" /* 1 */
                    "mov oPos, c0.xyxz\n"    /* 2 */
                    "mov oD0, c0.w\n"        /* 3: clamped at the end only */
                    "loop aL, i0\n"          /* 4 */
                    "nop\n"                  /* 5 */
                    "add r1.z, v0.y, v0.y\n" /* 6 */
                    "endloop\n");
    single_step(&s, check_last, (void *)(uintptr_t)wanted);
    set4(&s, VM_USAGE_POSITION, 0, 4, 3, 0, 0);
    shader_run(&s);
    expect4(&s, VM_USAGE_COLOR, 0, 1, 1, 1, 1);
    shader_close(&s);
}
END_TEST

static void no_destination(void *ctx, const struct vm_step *o)
{
    *(unsigned *)ctx += o->dst->file != VM_FILE_NONE;
}

START_TEST(texkill_and_texdepth_have_no_destination)
{
    unsigned written = 0;
    struct shader s;

    shader_open(&s, "ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\n");
    single_step(&s, no_destination, &written);
    shader_run(&s);
    ck_assert_uint_eq(written, 1);
    shader_close(&s);
    shader_open(&s, "ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0\n");
    single_step(&s, no_destination, &written);
    shader_run(&s);
    ck_assert_uint_eq(written, 2);
    shader_close(&s);
}
END_TEST

START_TEST(instructions_have_texts)
{
    struct shader s;
    char *text;

    shader_open(&s, "ps_1_1\ntex t0\nmov_x2_sat r0.rgb, 1-t0\n+mov r0.a, -c0\n");
    ck_assert_int_eq(vm_instr_text(&text, s.program, 1), ST_OK);
    ck_assert_str_eq(text, "mov_x2_sat r0.xyz, 1-t0");
    mem_free(text);
    ck_assert_int_eq(vm_instr_text(&text, s.program, 2), ST_OK);
    ck_assert_str_eq(text, "+mov r0.w, -c0");
    mem_free(text);
    ck_assert_int_eq(vm_instr_text(&text, s.program, 3), ST_INVALID);
    ck_assert_ptr_null(text);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("single_step");
    TCase *t = tcase_create("single_step");

    tcase_add_test(t, reports_the_path_of_lanes);
    tcase_add_test(t, reports_pairs_and_matrix_rows_together);
    tcase_add_test(t, skips_instructions_without_lanes);
    tcase_add_test(t, reads_every_register_file);
    tcase_add_test(t, texkill_and_texdepth_have_no_destination);
    tcase_add_test(t, instructions_have_texts);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
