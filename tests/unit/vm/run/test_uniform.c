/* Constants of a draw. */
#include "unit/vm/run_shader.h"

#include <pthread.h>

START_TEST(missing_constants_read_as_zero)
{
    struct shader s;

    shader_open(&s,
                "vs_2_0\ndcl_position v0\nmova a0.x, v0.x\nadd r0, v0, c100\nadd r0, r0, c1[a0.x]\n"
                "if b3\nadd r0, r0, r0\nendif\nrep i2\nadd r0, r0, r0\nendrep\nmov oPos, r0\n");
    s.constants.n_f = 2;
    s.constants.n_i = s.constants.n_b = 0;
    s.f[1][0] = 8;
    s.f[100][0] = 1000; /* beyond n_f */
    set4(&s, VM_USAGE_POSITION, 0, 0, 1, 2, 3);
    shader_run(&s);
    expect4(&s, VM_USAGE_POSITION, 0, 8, 1, 2, 3);
    shader_close(&s);
}
END_TEST

enum { THREADS = 4, DRAWS = 30 };

/* A thread that draws with a program that others use, too. */
struct drawing {
    pthread_t thread;
    struct vm_program *program;
    struct vm_code *shared;
    struct vm_options options;
    unsigned number, wrong;
};

/* Fills uniforms of its own and runs one batch. */
static void draw(struct drawing *d, const struct vm_code *code, float factor)
{
    void *work = mem_alloc(vm_code_work_bytes(code)), *uniforms = mem_alloc(vm_code_uniform_bytes(code));
    const float constant[][4] = {{factor, 2, 3, 4}, {1, 1, 1, 1}};
    const int32_t rounds[][4] = {{3, 0, 1, 0}};
    const struct vm_constants constants = {.f = constant, .n_f = 2, .i = rounds, .n_i = 1};
    struct vm_batch batch = {.work = work, .uniforms = uniforms, .lanes = ~UINT64_C(0)};
    struct fp_mode mode;

    for (unsigned slot = 0; slot < vm_program_info(d->program)->n_input_slots; slot++)
        set_lanes((float *)work + slot * VM_LANES, 1.0f);
    vm_code_fill_uniforms(code, &constants, uniforms);
    mode = fp_enter();
    vm_run(code, &batch);
    fp_leave(mode);
    for (unsigned lane = 0; lane < VM_LANES; lane++)
        d->wrong += vm_code_outputs(code, work)[lane] != 1.0f + 3.0f * (factor * factor + 1.0f);
    mem_free(work);
    mem_free(uniforms);
}

static void *draw_often(void *ctx)
{
    struct drawing *d = ctx;

    for (unsigned i = 0; i < DRAWS; i++) {
        struct vm_code *own;

        draw(d, d->shared, (float)(d->number + i));
        if (i % 10 || vm_code_create(&own, d->program, &d->options) != ST_OK)
            continue;
        draw(d, own, (float)i);
        vm_code_destroy(own);
    }
    return NULL;
}

/* Threads share programs and code: each draw has uniforms and work memory of its own, and nothing else is written. The
 * thread sanitizer watches. _i: interpreted; registers in memory. */
START_TEST(threads_share_code)
{
    struct drawing drawing[THREADS];
    struct shader s;

    shader_open(&s, "vs_3_0\ndcl_position v0\ndcl_position o0\nmul r1, c0.x, c0.x\nadd r1, r1, c1\nmov r0, v0\n"
                    "loop aL, i0\ncall l0\nendloop\nmov o0, r0\nret\n"
                    "label l0\nmul r2, r1, c[aL+1].x\nadd r0, r0, r1\nadd r0, r0, -r2\nadd r0, r0, r2\nret\n");
    s.options.interpret = _i & 1;
    s.options.in_memory = _i >> 1 & 1;
    shader_lower(&s);
    for (unsigned i = 0; i < THREADS; i++) {
        drawing[i] = (struct drawing){
            .program = s.program, .shared = s.code, .options = s.options, .number = i};
        ck_assert_int_eq(pthread_create(&drawing[i].thread, NULL, draw_often, &drawing[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(drawing[i].thread, NULL);
        ck_assert_uint_eq(drawing[i].wrong, 0);
    }
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/uniform");
    TCase *t = tcase_create("uniform");

    tcase_add_test(t, missing_constants_read_as_zero);
    tcase_add_loop_test(t, threads_share_code, 0, 4);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
