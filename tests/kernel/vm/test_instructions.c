/* Instructions and whole shaders through the VM's interface, under both rules for 0 * x
 * (reference: numbers/zero-rule): every instruction set must match the scalar one in every bit,
 * and instructions that multiply must match plain C. */
#include "kernel/bits.h"
#include "unit/vm/run_shader.h"

#include "util/cpu.h"
#include "util/math.h"

enum { N_INPUTS = 3, ROUNDS = 12 };

/* --- Plain C reference of instructions with products ------------------------------------------ */

static bool ieee;

static float times(float a, float b)
{
    volatile float product = math_mulf(a, b);

    return !ieee && isnan(product) && (a == 0.0f || b == 0.0f) ? 0.0f : product;
}

typedef const float (*inputs)[4];
static float twin_mul(inputs v, int c)
{
    return times(v[0][c], v[1][c]);
}
static float twin_mad(inputs v, int c)
{
    return times(v[0][c], v[1][c]) + v[2][c];
}
static float twin_dp3(inputs v, int c)
{
    volatile float sum = times(v[0][0], v[1][0]) + times(v[0][1], v[1][1]);

    (void)c;
    return sum + times(v[0][2], v[1][2]);
}
static float twin_dp4(inputs v, int c)
{
    volatile float sum = twin_dp3(v, c);

    return sum + times(v[0][3], v[1][3]);
}
static float twin_dp2add(inputs v, int c)
{
    volatile float sum = times(v[0][0], v[1][0]) + times(v[0][1], v[1][1]);

    (void)c;
    return sum + v[2][0];
}
static float twin_lrp(inputs v, int c)
{
    return times(v[0][c], v[1][c] - v[2][c]) + v[2][c];
}

/* --- Programs --------------------------------------------------------------------------------- */

#define VS "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\n"
#define PS "ps_2_0\ndcl t0\ndcl t1\ndcl t2\n"
#define PS3 "ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n"

static const struct {
    const char *name, *text;
    float (*twin)(inputs v, int c);
} programs[] = {
    {"mul", VS "mul oPos, v0, v1", twin_mul},
    {"mad", VS "mad oPos, v0, v1, v2", twin_mad},
    {"dp3", VS "dp3 oPos, v0, v1", twin_dp3},
    {"dp4", VS "dp4 oPos, v0, v1", twin_dp4},
    {"lrp", VS "lrp oPos, v0, v1, v2", twin_lrp},
    {"dp2add", PS "mov r0, t2\ndp2add r0, t0, t1, r0.x\nmov oC0, r0", twin_dp2add},
    {"crs", VS "crs r0.xyz, v0, v1\nmov r0.w, v0\nmov oPos, r0", NULL},
    {"nrm", VS "nrm r0, v0\nmov oPos, r0", NULL},
    {"m4x4", VS "m4x4 oPos, v0, c0", NULL},
    {"add", VS "add oPos, v0, -v1", NULL},
    {"min", VS "min oPos, v0, v1", NULL},
    {"max", VS "max oPos, v0, v1", NULL},
    {"slt", VS "slt oPos, v0, v1", NULL},
    {"sge", VS "sge oPos, v0, v1", NULL},
    {"sgn", VS "sgn r0, v0, r1, r2\nmov oPos, r0", NULL},
    {"frc", VS "frc oPos, v0", NULL},
    {"abs", VS "abs oPos, v0", NULL},
    {"dst", VS "dst oPos, v0, v1", NULL},
    {"lit", VS "lit oPos, v0", NULL},
    {"rcp", VS "rcp oPos, v0.x", NULL},
    {"rsq", VS "rsq oPos, v0.x", NULL},
    {"exp", VS "exp oPos, v0.x", NULL},
    {"log", VS "log oPos, v0.x", NULL},
    {"expp", "vs_1_1\ndcl_position v0\nexpp oPos, v0.x", NULL},
    {"logp", "vs_1_1\ndcl_position v0\nlogp oPos, v0.x", NULL},
    {"pow", VS "pow oPos, v0.x, v1.x", NULL},
    {"mova", VS "mova a0, v0\nmov oPos, c0[a0.x]", NULL},
    {"sincos", PS3 "sincos r0.xy, v0.x\nmov oC0, r0.xyxy", NULL},
    {"cmp", PS "cmp r0, t0, t1, t2\nmov oC0, r0", NULL},
    {"cnd",
     "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nphase\ncnd r0.rgb, r0, r1, c0\nmov r0.a, r0.b",
     NULL},
    {"saturate", PS "mul_sat r0, t0, t1\nmov oC0, r0", NULL},
    {"derivatives", PS3 "dsx r0, v0\ndsy r1, v1\nadd oC0, r0, r1", NULL},
    {"setp", PS3 "mov r0, v0\nsetp_gt p0, v1, v2\n(p0) mov r0, v2\nmov oC0, r0", NULL},
    /* Whole shaders. */
    {"lighting",
     VS
     "m4x4 oPos, v0, c0\nm3x3 r0.xyz, v1, c4\nnrm r1, r0\ndp3 r2.x, r1, c7\nslt r2.z, r2.x, c8.x\n"
     "dp3 r2.y, r1, v2\nmov r2.w, c8.y\nlit r3, r2\nmul r4, r3.y, c9\nmad oD0, r3.z, c10, r4\n"
     "mul oT0.xyz, r1, v2\nmov oT0.w, r2.z",
     NULL},
    {"noise",
     PS3 "defi i0, 5, 0, 0, 0\ndef c20, 1.7, 0.5, 43758.5453, 0.159155\nmov r0, v0\nmov r1, "
         "c20.y\nrep i0\n"
         "dp3 r2.x, r0, v1\nfrc r2.y, r2.x\nmad r2.y, r2.y, c20.w, -c20.y\nsincos r3.xy, r2.y\n"
         "mul r3.x, r3.x, c20.z\nfrc r3.z, r3.x\nmad r1, r3.z, c20.y, r1\nmul r0, r0, c20.x\n"
         "if_gt r3.z, c20.y\nadd r0, r0, v2\nelse\nrcp r3.w, r1.x\nmad r0, r0, r3.w, "
         "v2\nendif\nendrep\n"
         "mul oC0, r0, r1",
     NULL},
    {"blend",
     PS "nrm r0, t0\nnrm r1, t1\ndp3_sat r2.x, r0, r1\npow r2.y, r2.x, c0.x\nlrp r3, r2.x, t2, c1\n"
        "mad_sat r3, r2.y, c2, r3\nexp r3.w, -r3.x\nlog r2.z, r3.y\nadd r3.x, r3.x, r2.z\ncmp r3, "
        "r2.z, t2, r3\n"
        "mov oC0, r3",
     NULL},
};
enum { N_PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

/* --- Numbers ---------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t random_word(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

static float from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Random numbers by kind: special values, any bits, numbers whose products are near the least
 * normal number, ordinary numbers. */
static float random_float(unsigned kind)
{
    static const uint32_t specials[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                        0xff800000, 0x7fc00000, 0xffc12345, 0x00000001, 0x807fffff,
                                        0x00800000, 0x7f7fffff, 0xff7fffff, 0x3effffff, 0x42fe0000};
    uint32_t word = random_word();

    switch (kind) {
    case 0:
        return from_bits(specials[word % (sizeof(specials) / sizeof(specials[0]))]);
    case 1:
        return from_bits(word);
    case 2: /* 2^-63 times 1 + m or 1 - m: products are a rounding below the least normal number */
        return from_bits(0x20000000 + (word & 1 ? word >> 12 & 7 : -2 * (word >> 12 & 7)));
    default:
        return (float)(int32_t)word * 0x1p-28f;
    }
}

static void fill(struct shader *s, float (*values)[4][VM_LANES], int round)
{
    for (unsigned r = 0; r < 32; r++)
        for (unsigned c = 0; c < 4; c++)
            s->f[r][c] = random_float(round % 4 ? 3 : random_word() % 4);
    for (unsigned i = 0; i < N_INPUTS; i++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < VM_LANES; lane++)
                values[i][c][lane] = random_float(round % 3 == 0   ? 3
                                                  : round % 3 == 1 ? random_word() % 4
                                                                   : 2);
}

static void put_inputs(struct shader *s, float (*values)[4][VM_LANES])
{
    for (unsigned i = 0; i < s->info->n_inputs; i++) {
        const struct vm_io *io = &s->info->input[i];

        for (unsigned c = 0; c < 4; c++)
            if (io->slot[c] >= 0)
                memcpy((float *)s->work + io->slot[c] * VM_LANES, values[io->reg % N_INPUTS][c],
                       sizeof(values[0][c]));
    }
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void check_twin(const struct shader *s, int program, float (*values)[4][VM_LANES],
                       const float *out)
{
    for (int c = 0; c < 4; c++) {
        for (unsigned lane = 0; lane < VM_LANES; lane++) {
            float v[N_INPUTS][4], got = out[s->info->output[0].slot[c] * VM_LANES + (int)lane];

            for (unsigned i = 0; i < N_INPUTS; i++)
                for (unsigned k = 0; k < 4; k++)
                    v[i][k] = values[i][k][lane];
            ck_assert_msg(bits_same(got, programs[program].twin((inputs)v, c)),
                          "%s, rule %d, component %d of %a %a %a: %a, not %a",
                          programs[program].name, ieee, c, v[0][c], v[1][c], v[2][c], got,
                          programs[program].twin((inputs)v, c));
        }
    }
}

START_TEST(programs_give_the_same_bits)
{
    static float values[N_INPUTS][4][VM_LANES], expected[VM_MAX_OUTPUTS * 4 * VM_LANES];
    struct shader s;
    size_t n;

    shader_open(&s, programs[_i].text);
    n = (size_t)s.info->n_output_slots * VM_LANES;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        ieee = round & 1;
        s.options.ieee = ieee;
        state = (uint64_t)_i << 16 | (unsigned)round >> 1; /* the same numbers for both rules */
        fill(&s, values, round >> 1);
        for (enum cpu_isa isa = ISA_SCALAR; isa < ISA_COUNT; isa++) {
            const float *out;

            if (!cpu_has_isa(isa))
                continue;
            ck_assert_int_eq(cpu_set_isa(isa), ST_OK);
            shader_lower(&s);
            put_inputs(&s, values);
            shader_run(&s);
            out = vm_code_outputs(s.code, s.work);
            if (isa == ISA_SCALAR)
                memcpy(expected, out, n * sizeof(*out));
            for (size_t i = 0; i < n; i++)
                ck_assert_msg(bits_same(out[i], expected[i]),
                              "%s, %s, rule %d, lane %zu: %a, not %a", programs[_i].name,
                              cpu_isa_name(isa), ieee, i, out[i], expected[i]);
        }
        if (programs[_i].twin) {
            struct fp_mode mode = fp_enter();

            check_twin(&s, _i, values, expected);
            fp_leave(mode);
        }
        bits_floats(expected, n);
    }
    bits_print(programs[_i].name, _i);
    shader_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("kernel/instructions");
    TCase *tc = tcase_create("programs");

    tcase_add_loop_test(tc, programs_give_the_same_bits, 0, N_PROGRAMS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
