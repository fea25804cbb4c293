/* Runs mutated byte code that is still a valid program: it must stay within its memory, terminate,
 * and give the same results on every instruction set. */
#include "fuzz/vm/mutate.h"
#include "kernel/bits.h"

#include "util/cpu.h"
#include "util/fpenv.h"

#include <math.h>

enum { N_CONSTANTS = 64 };

struct machine {
    float f[N_CONSTANTS][4], system[VM_SYSTEM_COUNT][4];
    int32_t i[16][4], b[16];
};

/* A texel that depends on the coordinates only. */
static void sample(void *ctx, const struct sample *s)
{
    (void)ctx;
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; s->texel[c] && lane < VM_LANES; lane++)
            s->texel[c][lane] = s->coord[c & 1] ? s->coord[c & 1][lane] * 0.5f + (float)c : 0.25f;
    }
}

static float random_float(void)
{
    static const float special[] = {0.0f,     -0.0f,     1.0f, -1.0f,  0.5f,
                                    INFINITY, -INFINITY, NAN,  1e-42f, 3e38f};
    uint32_t word = random_word();

    if (word % 8 == 0)
        return special[word / 8 % 10];
    return ((float)(word >> 8) / 16777216.0f - 0.5f) * 16.0f;
}

static void randomize(struct machine *m)
{
    for (unsigned i = 0; i < N_CONSTANTS * 4; i++)
        m->f[i / 4][i % 4] = random_float();
    for (unsigned i = 0; i < VM_SYSTEM_COUNT * 4; i++)
        m->system[i / 4][i % 4] = random_float();
    for (unsigned i = 0; i < 16; i++) {
        m->b[i] = random_word() & 1;
        m->i[i][0] = random_word() % 64 ? (int32_t)(random_word() % 4) : (int32_t)random_word();
        m->i[i][1] = (int32_t)(random_word() % 8);
        m->i[i][2] = (int32_t)(random_word() % 8) - 3;
        m->i[i][3] = 0;
    }
}

/* Runs one batch; *out receives the outputs (caller frees). Inputs depend on the seed only. */
static enum status run(const struct vm_program *program, const struct machine *m, uint64_t seed,
                       uint64_t lanes, float **out, uint64_t *killed)
{
    const struct vm_info *info = vm_program_info(program);
    struct vm_options options;
    struct vm_constants constants = {m->f,        m->i, m->b, m->system,
                                     N_CONSTANTS, 16,   16,   VM_SYSTEM_COUNT};
    struct vm_batch batch = {.lanes = lanes, .sample = sample};
    size_t size = info->n_output_slots * VM_LANES * sizeof(float);
    struct vm_code *code;
    struct fp_mode mode;
    enum status st;

    memset(&options, 0, sizeof(options));
    options.live_outputs = UINT64_MAX;
    if ((st = vm_code_create(&code, program, &options)) != ST_OK)
        return st;
    batch.work = mem_alloc(vm_code_work_bytes(code));
    memset(batch.work, 0xff, vm_code_work_bytes(code));
    batch.uniforms = mem_alloc(vm_code_uniform_bytes(code));
    vm_code_fill_uniforms(code, &constants, (void *)batch.uniforms);
    random_state = seed;
    for (unsigned i = 0; i < info->n_input_slots * VM_LANES; i++)
        ((float *)batch.work)[i] = random_float();
    mode = fp_enter();
    vm_run(code, &batch);
    fp_leave(mode);
    *killed = batch.killed;
    *out = malloc(size + 1);
    memcpy(*out, vm_code_outputs(code, batch.work), size);
    mem_free(batch.work);
    mem_free((void *)batch.uniforms);
    vm_code_destroy(code);
    return ST_OK;
}

/* Treats all NaNs as equal, and ignores inactive lanes. */
static void check_same(const float *a, const float *b, unsigned n_slots, uint64_t lanes,
                       const struct vm_program *program)
{
    for (unsigned i = 0; i < n_slots * VM_LANES; i++) {
        char *text;

        if (!(lanes >> i % VM_LANES & 1) || bits_same(a[i], b[i]))
            continue;
        ck_assert_int_eq(vm_program_text(&text, program), ST_OK);
        ck_abort_msg("slot %u lane %u: %a and %a in\n%s", i / VM_LANES, i % VM_LANES, (double)a[i],
                     (double)b[i], text);
    }
}

/* Returns whether the program could be compiled. */
static bool run_everywhere(const struct vm_program *program)
{
    uint64_t seed = (uint64_t)random_word() << 32 | 1, after = random_state;
    uint64_t lanes = random_word() % 4 ? ~UINT64_C(0) : (uint64_t)random_word() << 20;
    uint64_t killed[ISA_COUNT];
    float *out[ISA_COUNT] = {NULL};
    struct machine m;
    bool ran = false;

    randomize(&m);
    after = random_state;
    for (enum cpu_isa isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa(isa))
            continue;
        ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
        if (run(program, &m, seed, lanes, &out[isa], &killed[isa]) != ST_OK)
            break;
        ran = true;
        check_same(out[ISA_SCALAR], out[isa], vm_program_info(program)->n_output_slots, lanes,
                   program);
        ck_assert((killed[isa] & lanes) == (killed[ISA_SCALAR] & lanes));
    }
    for (unsigned i = 0; ran && i < vm_program_info(program)->n_output_slots * VM_LANES; i++)
        if (lanes >> i % VM_LANES & 1)
            bits_floats(&out[ISA_SCALAR][i], 1);
    for (unsigned i = 0; i < ISA_COUNT; i++)
        free(out[i]);
    random_state = after;
    return ran;
}

START_TEST(mutated_programs_run)
{
    unsigned ran = 0, rounds = 40;

    load();
    for (unsigned i = 0; i < n_shaders; i++) {
        for (unsigned round = 0; round < rounds; round++) {
            uint32_t *copy = damaged_copy(&shaders[i]);
            struct vm_program *program;

            if (round == 0)
                memcpy(copy, shaders[i].words, shaders[i].n * sizeof(*copy));
            if (vm_program_create(&program, copy, shaders[i].n, &vm_limits_lenient, NULL) ==
                ST_OK) {
                ran += run_everywhere(program);
                vm_program_destroy(program);
            }
            free(copy);
        }
        bits_print("damaged", (int)i);
    }
    ck_assert_uint_gt(ran, 20); /* otherwise the test checks too little */
    unload();
    ck_assert_int_eq(mem_live_blocks(), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm/run");
    TCase *t = tcase_create("run");

    tcase_set_timeout(t, 900);
    tcase_add_test(t, mutated_programs_run);
    suite_add_tcase(s, t);
    return s;
}

TEST_MAIN(suite)
