/* Functions as operations of the IR have the bits of util/math.h, whose accuracy other tests state: interpreted and
 * compiled, on every instruction set. */
#include "unit/vm/run_shader.h"

#include "util/cpu.h"
#include "util/math.h"

#include <float.h>

static float log2_or_least(float x)
{
    return x == 0.0f ? -FLT_MAX : math_log2f(x);
}

static const struct {
    const char *text; /* the result is in oPos.x */
    float (*of_x)(float x);
    float (*of_xy)(float x, float y);
} rows[] = {
    {"rcp oPos, v0.x\n", math_rcpf, NULL},
    {"rsq oPos, v0.x\n", math_rsqf, NULL},
    {"exp oPos, v0.x\n", math_exp2f, NULL},
    {"log oPos, v0.x\n", math_log2f, NULL},
    {"logp oPos, v0.x\n", log2_or_least, NULL},
    {"mov r1, v0\nsincos r0.x, v0.x, c1, c2\nmov oPos, r0.x\n", math_cosf, NULL},
    {"mov r1, v0\nsincos r0.y, v0.x, c1, c2\nmov oPos, r0.y\n", math_sinf, NULL},
    {"pow oPos, v0.x, v0.y\n", NULL, math_powf},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Special values, then all magnitudes. */
static float argument(unsigned i)
{
    static const float special[] = {0,       -0.0f,    INFINITY, -INFINITY, NAN,    1,        2,     0.5f,
                                    FLT_MIN, -FLT_MIN, FLT_MAX,  1e-40f,    128.0f, -126.25f, 1e-30f, 12.5f};
    uint32_t bits = i * 2654435761u;
    float x;

    if (i < sizeof(special) / sizeof(special[0]))
        return special[i];
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static void compare(struct shader *s, unsigned row, unsigned batch)
{
    float *x = shader_input(s, VM_USAGE_POSITION, 0, 0), *y = shader_input(s, VM_USAGE_POSITION, 0, 1);
    const float *out;
    struct fp_mode mode;

    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        x[lane] = argument(batch * VM_LANES + lane);
        if (y)
            y[lane] = argument((batch * 7 + lane * 13) % 3000);
    }
    shader_run(s);
    out = shader_output(s, VM_USAGE_POSITION, 0, 0);
    mode = fp_enter();
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        float wanted = rows[row].of_x ? rows[row].of_x(x[lane]) : rows[row].of_xy(x[lane], y[lane]);

        ck_assert_msg(same_float(out[lane], wanted), "%s: %a, not %a, for %a", rows[row].text, (double)out[lane],
                      (double)wanted, (double)x[lane]);
    }
    fp_leave(mode);
}

/* _i: the row. */
START_TEST(functions_have_the_bits_of_the_library)
{
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (unsigned interpret = 0; cpu_has_isa((enum cpu_isa)isa) && interpret < 2; interpret++) {
            char text[256] = "vs_2_0\ndcl_position v0\ndef c1, 0, 0, 0, 0\ndef c2, 1, 1, 1, 1\n";
            struct shader s;

            ck_assert_int_eq(cpu_set_isa((enum cpu_isa)isa), ST_OK);
            shader_open(&s, strcat(text, rows[_i].text));
            s.options.interpret = (uint8_t)interpret;
            shader_lower(&s);
            for (unsigned batch = 0; batch < 60; batch++)
                compare(&s, (unsigned)_i, batch);
            shader_close(&s);
        }
    }
}
END_TEST

/* Keeps a0.x as single-step code shows it. */
static void keep_a0(void *ctx, const struct vm_step *step)
{
    float *a0 = ctx;

    for (unsigned lane = 0; lane < VM_LANES; lane++)
        ck_assert(vm_step_register(step, VM_FILE_ADDR, 0, 0, lane, &a0[lane]));
}

/* x: numbers for mova. */
static void check_mova(const float *x)
{
    struct shader s;
    float a0[VM_LANES];

    shader_open(&s, "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nmov oPos, c[a0.x]\n");
    s.options.single_step = 1;
    s.step_hook = keep_a0;
    s.step_ctx = a0;
    for (unsigned interpret = 0; interpret < 2; interpret++) {
        s.options.interpret = (uint8_t)interpret;
        shader_lower(&s);
        memcpy(shader_input(&s, VM_USAGE_POSITION, 0, 0), x, sizeof(a0));
        shader_run(&s);
        for (unsigned lane = 0; lane < VM_LANES; lane++)
            ck_assert_msg(a0[lane] == rintf(x[lane]) || isnan(x[lane]), "mova of %a: %a", (double)x[lane],
                          (double)a0[lane]);
    }
    shader_close(&s);
}

/* Halves go to even in every binade that has them, 2^22 to 2^23 included (reference: shader/address). */
START_TEST(mova_rounds_to_nearest_even)
{
    float x[VM_LANES] = {INFINITY, -INFINITY, NAN, 0.49999997f, 8388607.5f, -8388607.5f, 8388609.0f, 3e9f};
    unsigned n = 8;

    for (; n < VM_LANES; n++)
        x[n] = (n & 1 ? -1.0f : 1.0f) * (ldexpf(1.0f, (int)(n - 6) / 2) + (float)(n >> 1 & 3) + 0.5f);
    check_mova(x);
    for (unsigned i = 0; i < VM_LANES; i++)
        x[i] = 4194304.0f + 0.5f * (float)i;
    check_mova(x);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/functions");
    TCase *t = tcase_create("functions");

    tcase_add_loop_test(t, functions_have_the_bits_of_the_library, 0, ROWS);
    tcase_add_test(t, mova_rounds_to_nearest_even);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
