/* Every lane-wise IR opcode on every instruction set against plain C for one lane: same bits, with
 * and without operand modifiers and saturation, on ordinary, extreme and special numbers. */
#include "check_main.h"
#include "kernel/bits.h"
#include "util/fpenv.h"
#include "util/math.h"
#include "vm/run/frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- Reference of each opcode, for one lane --------------------------------------------------- */

static bool mul0_rule;

static float mul(float a, float b)
{
    volatile float product = a * b; /* volatile: rounds and flushes here, whatever surrounds it */

    if (isnan(product) && mul0_rule && (a == 0.0f || b == 0.0f))
        return 0.0f;
    return product;
}

static float floor_of(float x)
{
    return floorf(x);
}

/* clang-format off */
static float ref_MOV(const float *s) { return s[0]; }
static float ref_ADD(const float *s) { return s[0] + s[1]; }
static float ref_SUB(const float *s) { return s[0] - s[1]; }
static float ref_MUL(const float *s) { return mul(s[0], s[1]); }
static float ref_MAD(const float *s) { return mul(s[0], s[1]) + s[2]; }
static float ref_MSUB(const float *s) { return mul(s[0], s[1]) - s[2]; }
static float ref_NMAD(const float *s) { return mul(-s[0], s[1]) + s[2]; }
static float ref_LRP(const float *s) { return mul(s[0], s[1] - s[2]) + s[2]; }
static float ref_MIN(const float *s) { return s[0] < s[1] ? s[0] : s[1]; }
static float ref_MAX(const float *s) { return s[0] >= s[1] ? s[0] : s[1]; }
static float ref_SLT(const float *s) { return s[0] < s[1] ? 1.0f : 0.0f; }
static float ref_SGE(const float *s) { return s[0] >= s[1] ? 1.0f : 0.0f; }
static float ref_CMP(const float *s) { return s[0] >= 0.0f ? s[1] : s[2]; }
static float ref_CND(const float *s) { return s[0] > 0.5f ? s[1] : s[2]; }
static float ref_SGN(const float *s) { return s[0] < 0.0f ? -1.0f : s[0] == 0.0f ? 0.0f : 1.0f; }
static float ref_FRC(const float *s) { return s[0] - floor_of(s[0]); }
static float ref_FLOOR(const float *s) { return floor_of(s[0]); }
static float ref_ROUND(const float *s) /* a register index: zero has no sign */
{
    return fabsf(s[0]) < 4194304.0f ? rintf(s[0]) + 0.0f : s[0];
}
static float ref_RCP(const float *s) { return 1.0f / s[0]; }
static float ref_RSQ(const float *s) { return math_rsqf(s[0]); }
static float ref_NRM(const float *s) { return s[0] == 0.0f ? FLT_MAX : math_rsqf(s[0]); }
static float ref_EXP2(const float *s) { return math_exp2f(s[0]); }
static float ref_LOG2(const float *s) { return math_log2f(s[0]); }
static float ref_SIN(const float *s) { return math_sinf(s[0]); }
static float ref_COS(const float *s) { return math_cosf(s[0]); }
static float ref_POW(const float *s) { return math_powf(s[0], s[1]); }
static float ref_DIV(const float *s) { return s[0] / s[1]; }
static float ref_DIV_ONE(const float *s) { return s[1] == 0.0f ? 1.0f : s[0] / s[1]; }
static float ref_CRS(const float *s) { return mul(s[0], s[1]) - mul(s[2], s[3]); }
static float ref_DP2ADD(const float *s) { return (mul(s[0], s[1]) + mul(s[2], s[3])) + s[4]; }
/* clang-format on */
static float ref_DP3(const float *s)
{
    volatile float sum = mul(s[0], s[1]) + mul(s[2], s[3]);

    return sum + mul(s[4], s[5]);
}
static float ref_DP4(const float *s)
{
    volatile float sum = ref_DP3(s);

    return sum + mul(s[6], s[7]);
}
static float ref_EXPONENT(const float *s)
{
    int e;

    if (s[0] == 0.0f)
        return -FLT_MAX;
    if (!isfinite(s[0]))
        return fabsf(s[0]);
    frexpf(s[0], &e);
    return (float)(e - 1);
}
static float ref_MANTISSA(const float *s)
{
    uint32_t bits;
    float m;

    if (s[0] == 0.0f)
        return 1.0f;
    if (isnan(s[0]))
        return s[0];
    memcpy(&bits, s, 4);
    bits = (bits & 0x7fffff) | 0x3f800000;
    memcpy(&m, &bits, 4);
    return m;
}
static float ref_LIT(const float *s)
{
    float power = s[2] > 127.9961f ? 127.9961f : s[2] < -127.9961f ? -127.9961f : s[2];

    return s[0] > 0.0f && s[1] > 0.0f ? math_powf(s[1], power) : 0.0f;
}

/* clang-format off */
static float ref_DP2(const float *s) { return mul(s[0], s[1]) + mul(s[2], s[3]); }
static float ref_DP3_NRM(const float *s) { float x = ref_DP3(s); return ref_NRM(&x); }
static float ref_DP3_RSQ(const float *s) { float x = ref_DP3(s); return ref_RSQ(&x); }
static float ref_MUL3(const float *s) { return mul(mul(s[0], s[1]), s[2]); }
static float ref_MUL_MAD(const float *s) { return mul(mul(s[0], s[1]), s[2]) + s[3]; }
static float ref_MAD_ADD(const float *s) { return ref_MAD(s) + s[3]; }
static float ref_MAD_MUL(const float *s) { return mul(ref_MAD(s), s[3]); }
static float ref_ADD3(const float *s) { return (s[0] + s[1]) + s[2]; }
static float ref_ADD_MUL(const float *s) { return mul(s[0] + s[1], s[2]); }
static float ref_SUB_MUL(const float *s) { return mul(s[0] - s[1], s[2]); }
static float ref_ADD_MAD(const float *s) { return ref_ADD_MUL(s) + s[3]; }
static float ref_MAD_MAD(const float *s) { return (mul(s[0], s[1]) + s[4]) + mul(s[2], s[3]); }
static float ref_DP3ADD(const float *s) { return ref_DP3(s) + s[6]; }
/* clang-format on */

typedef float ref_fn(const float *s);
static const struct {
    const char *name;
    enum vm_ir_opcode id;
    unsigned n_src;
    ref_fn *ref;
} lane_ops[] = {
/* clang-format off */
#define ONE(name, n) {#name, VM_IR_##name, n, ref_##name}
    ONE(MOV, 1),  ONE(ADD, 2),    ONE(SUB, 2),      ONE(MUL, 2),      ONE(MAD, 3),
    ONE(MSUB, 3), ONE(NMAD, 3),   ONE(LRP, 3),  ONE(MIN, 2),    ONE(MAX, 2),      ONE(SLT, 2),      ONE(SGE, 2),
    ONE(CMP, 3),  ONE(CND, 3),    ONE(SGN, 1),      ONE(FRC, 1),      ONE(FLOOR, 1),
    ONE(ROUND, 1), ONE(RCP, 1),   ONE(RSQ, 1),      ONE(NRM, 1),      ONE(EXP2, 1),
    ONE(LOG2, 1), ONE(EXPONENT, 1), ONE(MANTISSA, 1), ONE(SIN, 1),    ONE(COS, 1),
    ONE(POW, 2),  ONE(LIT, 3),    ONE(DIV, 2),      ONE(DIV_ONE, 2),  ONE(CRS, 4),
    ONE(DP2ADD, 5), ONE(DP3, 6),  ONE(DP4, 8), ONE(DP2, 4), ONE(DP3ADD, 7), ONE(DP3_NRM, 6),
    ONE(DP3_RSQ, 6), ONE(MUL3, 3), ONE(MUL_MAD, 4), ONE(MAD_MAD, 5), ONE(MAD_ADD, 4), ONE(MAD_MUL, 4),
    ONE(ADD3, 3), ONE(ADD_MUL, 3), ONE(SUB_MUL, 3), ONE(ADD_MAD, 4),
    /* clang-format on */
};
enum { N_LANE_OPS = sizeof(lane_ops) / sizeof(lane_ops[0]) };

/* --- Numbers ---------------------------------------------------------------------------------- */

static uint32_t seed = 1;
static uint32_t random_bits(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8 ^ seed << 13;
}

static float random_number(unsigned kind)
{
    static const float specials[] = {0.0f,   -0.0f,   INFINITY,   -INFINITY, NAN,      1.0f,
                                     -1.0f,  0.5f,    -0.5f,      FLT_MAX,   -FLT_MAX, FLT_MIN,
                                     1e-41f, -1e-41f, 2.0f,       1.5f,      2.5f,     -3.5f,
                                     1e20f,  -1e20f,  8388607.5f, 127.9f,    -126.0f,  4194303.5f};
    uint32_t bits = random_bits() << 16 ^ random_bits();
    float x;

    if (kind == 0)
        return specials[bits % (sizeof(specials) / sizeof(specials[0]))];
    if (kind == 1) {
        memcpy(&x, &bits, 4);
        return x;
    }
    return ((float)(int32_t)bits) * (1.0f / 268435456.0f); /* -8 … 8 */
}

enum { N_UNIFORM = 8, OUT = 8 };
static _Alignas(64) float work[(OUT + 4) * VM_LANES], uniforms[N_UNIFORM * 16];
static _Alignas(64) float original[(OUT + 4) * VM_LANES];

/* Mostly ordinary lanes and a few special ones, so that both the fast path and the recomputation
 * run. */
static void fill(unsigned density)
{
    for (unsigned i = 0; i < OUT * VM_LANES; i++)
        work[i] = random_number(density && random_bits() % density == 0 ? random_bits() % 2 : 2);
    for (unsigned i = 0; i < N_UNIFORM; i++) {
        float x = random_number(random_bits() % 3);

        for (unsigned k = 0; k < 16; k++)
            uniforms[i * 16 + k] = x;
    }
    memcpy(original, work, sizeof(work));
}

static float with_modifiers(float x, uint32_t arg)
{
    if (arg & VM_ARG_ABS)
        x = fabsf(x);
    return arg & VM_ARG_NEG ? -x : x;
}

static bool same(float a, float b)
{
    return bits_same(a, b);
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* Returns an operand of the kind that an operand mode requires. */
static uint32_t operand_for(unsigned opmode, unsigned n, unsigned i)
{
    bool uniform = opmode < VM_OPMODE_PLAIN
                       ? random_bits() % 4 == 0
                       : (opmode - VM_OPMODE_PLAIN) / 2 >> vm_operand_class(n, i) & 1;
    uint32_t arg = uniform ? i * VM_UNIFORM_BYTES | VM_ARG_UNIFORM : i * VM_LANE_BYTES;
    bool modified = opmode == VM_OPMODE_ANY || (opmode == VM_OPMODE_FIRST && i == 0);

    return modified ? arg | (random_bits() & (VM_ARG_NEG | VM_ARG_ABS)) : arg;
}

START_TEST(lane_operations)
{
    struct fp_mode mode = fp_enter();
    unsigned n = lane_ops[_i].n_src;

    seed = (uint32_t)_i + 7;
    for (unsigned round = 0; round < 150 * VM_OPMODE_COUNT; round++) {
        bool in_place = round % 7 == 0;
        unsigned opmode = round % VM_OPMODE_COUNT, variety = round / VM_OPMODE_COUNT % 3;
        uint32_t arg[9];
        struct vm_ir_op op = {.arg = arg, .n = 1};
        struct vm_frame f = {.base = {(char *)work, (char *)uniforms}, .ieee = round % 5 == 0};

        if (!KERN_FOR(vm_kern, ISA_SCALAR)->fn[lane_ops[_i].id][opmode])
            continue;
        mul0_rule = !f.ieee;
        fill(variety == 0 ? 0 : variety == 1 ? 3 : 40);
        arg[0] = (in_place ? random_bits() % n : OUT) * VM_LANE_BYTES;
        for (unsigned i = 0; i < n; i++)
            arg[1 + i] = operand_for(opmode, n, i);
        op.saturate = opmode < VM_OPMODE_PLAIN ? random_bits() & 1 : (opmode - VM_OPMODE_PLAIN) & 1;
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            if (!cpu_has_isa((enum cpu_isa)isa))
                continue;
            memcpy(work, original, sizeof(work));
            KERN_FOR(vm_kern, isa)->fn[lane_ops[_i].id][opmode](&op, &f);
            if (isa == ISA_SCALAR)
                bits_floats(&work[arg[0] / 4], VM_LANES);
            for (unsigned lane = 0; lane < VM_LANES; lane++) {
                float s[8], wanted, got = work[arg[0] / 4 + lane];

                for (unsigned i = 0; i < n; i++)
                    s[i] =
                        with_modifiers(arg[1 + i] & VM_ARG_UNIFORM ? uniforms[i * 16]
                                                                   : original[i * VM_LANES + lane],
                                       arg[1 + i]);
                wanted = lane_ops[_i].ref(s);
                if (op.saturate)
                    wanted = wanted > 0.0f ? wanted < 1.0f ? wanted : 1.0f : 0.0f;
                ck_assert_msg(same(wanted, got), "%s %s lane %u of %a %a %a: %a, not %a",
                              cpu_isa_name((enum cpu_isa)isa), lane_ops[_i].name, lane, s[0], s[1],
                              s[2], got, wanted);
            }
        }
    }
    bits_print(lane_ops[_i].name, _i);
    fp_leave(mode);
}
END_TEST

START_TEST(every_operation_has_a_kernel)
{
    for (int isa = 0; isa < ISA_COUNT; isa++)
        for (unsigned id = 0; id < VM_IR_COUNT; id++)
            ck_assert((KERN_FOR(vm_kern, isa)->fn[id][VM_OPMODE_ANY] != NULL) !=
                      (KERN_FOR(vm_cross_lane_kern, isa)->fn[id] != NULL));
}
END_TEST

START_TEST(several_instances_run_in_order)
{
    /* b = a + a; c = b + b; a = c + c, in one IR instruction. */
    static const uint32_t arg[] = {256, 0, 0, 512, 256, 256, 0, 512, 512};
    struct vm_ir_op op = {.arg = arg, .n = 3};
    struct vm_frame f = {.base = {(char *)work, (char *)uniforms}};

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        for (unsigned i = 0; i < VM_LANES; i++)
            work[i] = (float)i;
        KERN_FOR(vm_kern, isa)->fn[VM_IR_ADD][VM_OPMODE_PLAIN](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert(work[i] == 8 * (float)i);
    }
}
END_TEST

START_TEST(derivatives_inside_quads)
{
    static const uint32_t arg[] = {OUT * VM_LANE_BYTES, 0};
    struct vm_ir_op op = {.arg = arg, .n = 1};
    struct vm_frame f = {.base = {(char *)work, (char *)uniforms}};

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        fill(0);
        KERN_FOR(vm_cross_lane_kern, isa)->fn[VM_IR_DSX](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert(work[OUT * VM_LANES + i] == work[i | 1] - work[i & ~1u]);
        KERN_FOR(vm_cross_lane_kern, isa)->fn[VM_IR_DSY](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert(work[OUT * VM_LANES + i] == work[i | 2] - work[i & ~2u]);
    }
}
END_TEST

/* Indices that differ in all lanes, are equal in all lanes, or in all but one. */
static void fill_indices(const float *index, unsigned n, unsigned round)
{
    for (unsigned i = 0; i < VM_LANES; i++)
        work[i] = index[(round ? round / 2 : i) % n];
    if (round & 1)
        work[VM_LANES - 1 - round] = 4;
}

START_TEST(constants_by_index)
{
    static _Alignas(16) float constants[11][4];
    static const float index[] = {0, 1, 5, 6, 7, -3, -4, 1e10f, -1e10f, NAN, INFINITY, -INFINITY};
    uint32_t arg[] = {OUT * VM_LANE_BYTES, 0, 3 * 4 + 2};
    struct vm_ir_op op = {.arg = arg, .n = 1};
    struct vm_frame f = {
        .base = {(char *)work, (char *)uniforms}, .constants = &constants[0][0], .n_constants = 10};

    for (unsigned r = 0; r < 10; r++)
        constants[r][2] = (float)(r + 1);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        for (unsigned round = 0; cpu_has_isa((enum cpu_isa)isa) && round < 2 * 12; round++) {
            fill_indices(index, 12, round);
            KERN_FOR(vm_cross_lane_kern, isa)->fn[VM_IR_CONST](&op, &f);
            for (unsigned i = 0; i < VM_LANES; i++) {
                float at = work[i] + 3;
                float wanted = at >= 0 && at < 10 ? constants[(int)at][2] : 0.0f;

                ck_assert_msg(work[OUT * VM_LANES + i] == wanted, "%a", work[i]);
            }
        }
    }
}
END_TEST

START_TEST(masks_select_lanes)
{
    uint64_t exec = 0x123456789abcdef0, other = 0x0f0f00ff33335555;
    uint32_t select[] = {OUT * VM_LANE_BYTES, 0, VM_LANE_BYTES, VM_PRED_ON | VM_PRED_NOT | 2};
    uint32_t store[] = {OUT * VM_LANE_BYTES, 0 | VM_ARG_NEG};
    uint32_t setp[] = {0, VM_LANE_BYTES, 2, 0}, kill[] = {0, VM_PRED_ON | 2};

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        const struct vm_cross_lane_kern *k = KERN_FOR(vm_cross_lane_kern, isa);
        struct vm_ir_op op = {.n = 1};
        struct vm_frame f = {.base = {(char *)work, (char *)uniforms}, .exec_mask = exec};

        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        fill(4);
        f.predicate[2] = other;
        op.arg = select;
        k->fn[VM_IR_SELECT](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert(
                same(work[OUT * VM_LANES + i], other >> i & 1 ? work[VM_LANES + i] : work[i]));
        memcpy(work, original, sizeof(work));
        op.arg = store;
        k->fn[VM_IR_STORE](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert(same(work[OUT * VM_LANES + i],
                           exec >> i & 1 ? -work[i] : original[OUT * VM_LANES + i]));
        op.arg = kill;
        k->fn[VM_IR_KILL](&op, &f);
        for (unsigned i = 0; i < VM_LANES; i++)
            ck_assert((f.killed >> i & 1) == ((exec & other) >> i & 1 && work[i] < 0));
        for (unsigned comparison = VM_CMP_GT; comparison <= VM_CMP_LE; comparison++) {
            f.predicate[2] = other;
            setp[3] = comparison;
            op.arg = setp;
            k->fn[VM_IR_SETP](&op, &f);
            for (unsigned i = 0; i < VM_LANES; i++) {
                float a = work[i], b = work[VM_LANES + i];
                bool results[] = {false, a > b, a == b, a >= b, a < b, a != b, a <= b};
                bool wanted = exec >> i & 1 ? results[comparison] : other >> i & 1;

                ck_assert((f.predicate[2] >> i & 1) == wanted);
            }
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("vm_kern");
    TCase *tc = tcase_create("kernels");

    tcase_add_loop_test(tc, lane_operations, 0, N_LANE_OPS);
    tcase_add_test(tc, every_operation_has_a_kernel);
    tcase_add_test(tc, several_instances_run_in_order);
    tcase_add_test(tc, derivatives_inside_quads);
    tcase_add_test(tc, constants_by_index);
    tcase_add_test(tc, masks_select_lanes);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
