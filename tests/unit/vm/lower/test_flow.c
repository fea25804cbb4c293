/* Programs that grow when calls are inlined and values merged: compiling them takes time and memory
 * in proportion to their length, and they run as the reference interpreter says. */
#include "sanitized.h"
#include "unit/vm/reference_vm.h"
#include "unit/vm/run_shader.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

struct text {
    char *data;
    size_t n, capacity;
};

static void put(struct text *t, const char *format, ...)
{
    va_list args;

    if (t->capacity - t->n < 256) {
        t->capacity = 2 * t->capacity + 4096;
        t->data = mem_realloc(t->data, t->capacity);
        ck_assert_ptr_nonnull(t->data);
    }
    va_start(args, format);
    t->n += (size_t)vsnprintf(t->data + t->n, 256, format, args);
    va_end(args);
}

/* --- Programs --------------------------------------------------------------------------------- */

enum { TEMPS = 32 };

static void begin(struct text *t, const char *version)
{
    bool pixel = version[0] == 'p';

    put(t, "%s\ndcl_%s v0\n%s", version, pixel ? "texcoord" : "position",
        pixel ? "dcl_2d s0\n" : "dcl_position o0\n");
    put(t, "def c0, 0, 1, 0.5, 2\ndef c1, 0.25, -1, 3, 4\n");
    for (unsigned i = 0; i < TEMPS; i++)
        put(t, "mov r%u, v0\n", i);
}

static void end(struct text *t, const char *version)
{
    put(t, "mov %s, r0\nret\n", version[0] == 'p' ? "oC0" : "o0");
}

/* A routine with many short ifs and loops is called many times. */
static void many_calls(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned i = 0; i < 250; i++)
        put(t, "call l0\n");
    end(t, "vs_3_0");
    put(t, "label l0\n");
    for (unsigned i = 0; i < 30; i++) {
        put(t, "if_lt r%u.x, c0.z\nadd r%u.y, r%u.x, c0.y\nendif\n", i, i, (i + 7) % TEMPS);
        put(t, "rep i0\nmad r%u.x, r%u.y, c1.x, c0.z\nendrep\n", i, (i + 3) % TEMPS);
    }
    put(t, "add r0, r0, r31\nret\n");
}

/* Four levels of calls: 80,000 instructions run. */
static void nested_calls(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned level = 0; level < 4; level++) {
        for (unsigned i = 0; i < (level == 3 ? 20 : 10); i++)
            put(t, i & 1 ? "callnz l%u, b0\n" : "call l%u\n", level);
        if (!level)
            end(t, "vs_3_0");
        else
            put(t, "ret\n");
        put(t, "label l%u\n", level);
    }
    put(t, "mad r0, r0, c0.z, c1.x\nadd r1, r1, r0\nret\n");
}

/* Every if of a deep nest merges all registers. */
static void deep_ifs(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned n = 0; n < 140; n++) {
        for (unsigned i = 0; i < 24; i++)
            put(t, "if b%u\nif_lt v0.x, c1.w\n", i % 16);
        for (unsigned i = 0; i < TEMPS; i++)
            put(t, "add r%u, r%u, v0\n", i, (i + 1) % TEMPS);
        for (unsigned i = 0; i < 24; i++)
            put(t, "endif\nendif\n");
    }
    end(t, "vs_3_0");
}

/* Loops inside loops, each around all registers. */
static void deep_loops(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned n = 0; n < 1000; n++)
        put(t,
            "rep i0\nloop aL, i0\nrep i0\nrep i0\nadd r%u.x, r%u.x, c0.y\nbreak_gt r%u.x, "
            "c1.w\nendrep\nendrep\n"
            "endloop\nendrep\n",
            n % TEMPS, n % TEMPS, n % TEMPS);
    end(t, "vs_3_0");
}

/* 25,000 samples when calls are inlined, at different coordinates. */
static void many_samples(struct text *t)
{
    begin(t, "ps_3_0");
    for (unsigned i = 0; i < 250; i++)
        put(t, "call l0\n");
    end(t, "ps_3_0");
    put(t, "label l0\n");
    for (unsigned i = 0; i < 100; i++)
        put(t, "texldl r%u, r%u, s0\n", i % TEMPS, (i + 1) % TEMPS);
    put(t, "ret\n");
}

static void long_arithmetic(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned i = 0; i < 30000; i++)
        put(t, "mad r%u, r%u, c0.z, r%u\n", i % TEMPS, (i + 1) % TEMPS, (i + 5) % TEMPS);
    end(t, "vs_3_0");
}

/* Logarithms are long functions. */
static void long_functions(struct text *t)
{
    begin(t, "vs_3_0");
    for (unsigned i = 0; i < 30000; i++)
        put(t, "log r%u, r%u.x\n", i % TEMPS, (i + 1) % TEMPS);
    end(t, "vs_3_0");
}

/* --- Checks ----------------------------------------------------------------------------------- */

static const struct {
    void (*write)(struct text *t);
    double seconds; /* processor time to compile it, at most */
    bool samples;
} hostile[] = {
    {many_calls, 1.0, false},     {nested_calls, 1.0, false}, {deep_ifs, 1.0, false},
    {deep_loops, 1.0, false},     {many_samples, 1.0, true},  {long_arithmetic, 2.0, false},
    {long_functions, 2.0, false},
};
enum { HOSTILE = sizeof(hostile) / sizeof(hostile[0]), MAX_WORK_BYTES = 1 << 20 };

/* Slower builds, as those with sanitizers, compile slower. */
static double allowed_seconds(unsigned i)
{
#if defined(SANITIZED) || !defined(__OPTIMIZE__)
    return 20 * hostile[i].seconds;
#else
    return hostile[i].seconds;
#endif
}

static void compare_lane(struct shader *s, unsigned lane)
{
    static struct reference m;
    float in[VM_MAX_INPUTS * 4];
    const float *out = vm_code_outputs(s->code, s->work);
    struct fp_mode mode = fp_enter();

    for (unsigned slot = 0; slot < s->info->n_input_slots; slot++)
        in[slot] = ((const float *)s->work)[slot * VM_LANES + lane];
    ref_run(&m, s->program, &s->constants, in);
    fp_leave(mode);
    for (unsigned slot = 0; slot < s->info->n_output_slots; slot++)
        ck_assert_msg(same_float(out[slot * VM_LANES + lane], m.output[slot]),
                      "slot %u lane %u: %a, not %a", slot, lane,
                      (double)out[slot * VM_LANES + lane], (double)m.output[slot]);
}

/* shader_open without the text in messages. */
static void open_text(struct shader *s, const char *text)
{
    struct vm_program *program = NULL;
    struct vm_error error = {0};
    uint32_t *tokens = NULL;
    size_t n = 0;

    ck_assert_msg(vm_assemble(&tokens, &n, text, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_program_create(&program, tokens, n, &vm_limits_lenient, &error) == ST_OK, "%s",
                  error.text);
    mem_free(tokens);
    shader_init(s, program);
}

/* _i: the program. */
START_TEST(hostile_programs_compile_soon_and_run)
{
    struct text text = {0};
    struct shader s;
    clock_t start;
    double seconds;

    hostile[_i].write(&text);
    open_text(&s, text.data);
    start = clock();
    shader_lower(&s);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < allowed_seconds((unsigned)_i), "compiled for %.2f s", seconds);
    ck_assert_uint_lt(vm_code_work_bytes(s.code), MAX_WORK_BYTES);
    for (unsigned i = 0; i < 16; i++) {
        s.i[i][0] = 2;
        s.b[i] = 1;
    }
    for (unsigned lane = 0; lane < VM_LANES; lane++)
        for (unsigned c = 0; c < 4; c++)
            shader_input(&s, hostile[_i].samples ? VM_USAGE_TEXCOORD : VM_USAGE_POSITION, 0,
                         c)[lane] = 0.125f * (float)lane - (float)c;
    shader_run(&s);
    for (unsigned lane = 0; lane < VM_LANES && !hostile[_i].samples; lane += 21)
        compare_lane(&s, lane);
    shader_close(&s);
    mem_free(text.data);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/flow");
    TCase *t = tcase_create("programs that grow");

    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, hostile_programs_compile_soon_and_run, 0, HOSTILE);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
