/* Test harness that compiles shader text and runs one batch, for the tests of lowering and
 * execution. */
#ifndef TESTS_RUN_SHADER_H
#define TESTS_RUN_SHADER_H

#include "check_main.h"
#include "util/alloc.h"
#include "util/fpenv.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

struct shader {
    struct vm_program *program;
    struct vm_code *code;
    struct vm_options options;
    struct vm_constants constants;
    const struct vm_info *info;
    float f[256][4], system[VM_SYSTEM_COUNT][4];
    int32_t i[16][4], b[16];
    void *work, *uniforms;
    uint64_t lanes, killed;
    /* Arguments of the last call of the fake sampler, which returns (u, v, w, sampler + lod). */
    struct sample sampled;
    unsigned n_sampled;
    unsigned n_grouped;     /* largest number of samples in a group call */
    vm_step_fn *step_hook;  /* with options.single_step */
    void *step_ctx;
};

static inline void fake_sample(void *ctx, const struct sample *sample)
{
    struct shader *s = ctx;

    s->sampled = *sample;
    s->n_sampled++;
    for (unsigned lane = 0; lane < VM_LANES; lane++) {
        for (unsigned c = 0; c < 3; c++)
            if (sample->texel[c] && (sample->lanes >> lane & 1))
                sample->texel[c][lane] = sample->coord[c] ? sample->coord[c][lane] : -77.0f;
        if (sample->texel[3] && (sample->lanes >> lane & 1))
            sample->texel[3][lane] =
                (float)sample->sampler + (sample->lod ? sample->lod[lane] : 0.0f);
    }
}

static inline void fake_sample_group(void *ctx, const struct sample *samples, unsigned n)
{
    struct shader *s = ctx;

    s->n_grouped = n > s->n_grouped ? n : s->n_grouped;
    for (unsigned i = 0; i < n; i++)
        fake_sample(ctx, &samples[i]);
}

static inline void shader_lower(struct shader *s)
{
    vm_code_destroy(s->code);
    mem_free(s->work);
    mem_free(s->uniforms);
    s->work = s->uniforms = NULL;
    ck_assert_int_eq(vm_code_create(&s->code, s->program, &s->options), ST_OK);
    s->work = mem_alloc(vm_code_work_bytes(s->code));
    s->uniforms = mem_alloc(vm_code_uniform_bytes(s->code));
    ck_assert(s->work && s->uniforms);
    /* Results must not depend on the initial contents of the memory. */
    memset(s->work, 0xff, vm_code_work_bytes(s->code));
    memset(s->uniforms, 0xff, vm_code_uniform_bytes(s->code));
}

static inline void shader_init(struct shader *s, struct vm_program *program)
{
    memset(s, 0, sizeof(*s));
    s->program = program;
    s->info = vm_program_info(program);
    s->options.live_outputs = UINT64_MAX;
    s->constants = (struct vm_constants){.f = s->f,
                                         .i = s->i,
                                         .b = s->b,
                                         .system = s->system,
                                         .n_f = 256,
                                         .n_i = 16,
                                         .n_b = 16,
                                         .n_system = VM_SYSTEM_COUNT};
    s->lanes = ~UINT64_C(0);
    shader_lower(s);
}

static inline void shader_open(struct shader *s, const char *text)
{
    struct vm_program *program;
    struct vm_error error = {0};
    uint32_t *tokens;
    size_t n;

    ck_assert_msg(vm_assemble(&tokens, &n, text, &error) == ST_OK, "%s", error.text);
    ck_assert_msg(vm_program_create(&program, tokens, n, &vm_limits_lenient, &error) == ST_OK,
                  "%s in:\n%s", error.text, text);
    mem_free(tokens);
    shader_init(s, program);
}

static inline void shader_close(struct shader *s)
{
    vm_code_destroy(s->code);
    vm_program_destroy(s->program);
    mem_free(s->work);
    mem_free(s->uniforms);
    memset(s, 0, sizeof(*s));
}

static inline int io_slot(const struct vm_io *io, unsigned n, unsigned usage, unsigned index,
                          unsigned c)
{
    for (unsigned i = 0; i < n; i++)
        if (io[i].usage == usage && io[i].index == index && io[i].slot[c] >= 0)
            return io[i].slot[c];
    return -1;
}

/* Lanes of an input component; a dummy array if the program does not read it. */
static inline float *shader_input(struct shader *s, unsigned usage, unsigned index, unsigned c)
{
    static float nowhere[VM_LANES];
    int slot = io_slot(s->info->input, s->info->n_inputs, usage, index, c);

    return slot < 0 ? nowhere : (float *)s->work + slot * VM_LANES;
}

static inline const float *shader_output(struct shader *s, unsigned usage, unsigned index,
                                         unsigned c)
{
    int slot = io_slot(s->info->output, s->info->n_outputs, usage, index, c);

    ck_assert_msg(slot >= 0, "no output %u.%u component %u", usage, index, c);
    return vm_code_outputs(s->code, s->work) + slot * VM_LANES;
}

static inline void shader_run(struct shader *s)
{
    struct vm_batch batch = {
        .work = s->work,
        .uniforms = s->uniforms,
        .lanes = s->lanes,
        .sample = fake_sample,
        .sample_group = fake_sample_group,
        .sample_ctx = s,
        .step_hook = s->step_hook,
        .step_ctx = s->step_ctx,
    };
    struct fp_mode mode;

    vm_code_fill_uniforms(s->code, &s->constants, s->uniforms);
    mode = fp_enter();
    vm_run(s->code, &batch);
    fp_leave(mode);
    s->killed = batch.killed;
}

static inline void set_lanes(float *to, float x)
{
    for (unsigned i = 0; i < VM_LANES; i++)
        to[i] = x;
}

static inline void set4(struct shader *s, unsigned usage, unsigned index, float x, float y, float z,
                        float w)
{
    set_lanes(shader_input(s, usage, index, 0), x);
    set_lanes(shader_input(s, usage, index, 1), y);
    set_lanes(shader_input(s, usage, index, 2), z);
    set_lanes(shader_input(s, usage, index, 3), w);
}

static inline bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

/* Checks that all active lanes of an output hold these four numbers. */
#define expect4(s, usage, index, ...)                                                              \
    do {                                                                                           \
        const float expect4_wanted[4] = {__VA_ARGS__};                                             \
        for (unsigned expect4_c = 0; expect4_c < 4; expect4_c++)                                   \
            for (unsigned expect4_i = 0; expect4_i < VM_LANES; expect4_i++)                        \
                ck_assert_msg(!((s)->lanes >> expect4_i & 1) ||                                    \
                                  same_float(shader_output(s, usage, index, expect4_c)[expect4_i], \
                                             expect4_wanted[expect4_c]),                           \
                              "component %u lane %u: %.9g, not %.9g", expect4_c, expect4_i,        \
                              (double)shader_output(s, usage, index, expect4_c)[expect4_i],        \
                              (double)expect4_wanted[expect4_c]);                                  \
    } while (0)

#endif
