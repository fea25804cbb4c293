/* Kernels of src/ir/kern/ops_kern.c, on each instruction set, and ir_eval equal a definition of
 * each operation in plain C: for all pairs of special words, and for random ones. A row of ops.def
 * without a definition fails. */
#include "check_main.h"
#include "ir/kern/kern.h"
#include "kernel/bits.h"
#include "util/fpenv.h"
#include "util/half.h"
#include "util/math.h"

#include <math.h>
#include <stdlib.h>

/* --- Definitions ------------------------------------------------------------------------------------------------- */

/* Operands of one lane: words, and masks as 0 or 1. */
struct lane {
    uint32_t word[3], imm, number;
    const uint32_t *quad, *all; /* words of the first operand: of the lane's quad, of all lanes */
};

static float as_float(uint32_t word)
{
    float value;

    memcpy(&value, &word, sizeof(value));
    return value;
}
static uint32_t as_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof(word));
    return word;
}
/* The operand as a number; denormals count as zero. */
static double number(uint32_t word)
{
    return (word & 0x7f800000) ? (double)as_float(word) : (word >> 31 ? -0.0 : 0.0);
}
/* Rounds to single precision. Less than the least normal number is zero. */
static uint32_t rounded(double value)
{
    volatile float narrow = math_narrowf(value);

    return as_word(narrow);
}
static bool is_nan(uint32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000;
}
static int32_t as_int(uint32_t word)
{
    return word < 0x80000000 ? (int32_t)word : -(int32_t)~word - 1;
}
static uint32_t to_int(double value)
{
    return value >= -2147483648.0 && value < 2147483648.0 ? (uint32_t)(int64_t)value : 0x80000000;
}

/* A field of the word as a fraction of its largest value. */
static uint32_t unorm(uint32_t word, uint32_t shift, uint32_t bits)
{
    uint32_t max = (1u << bits) - 1;

    return rounded((double)(word >> shift & max) / max);
}

#define A (l->word[0])
#define B (l->word[1])
#define C (l->word[2])
#define NA number(A)
#define NB number(B)

/* Each row of ops.def that has kernels, in the order of the table; double holds sums, products,
 * quotients and roots of floats precisely enough to round only once. */
/* clang-format off */
#define DEFINITIONS(D)                                                                                                 \
    D(CONST, l->imm)                                                                                                   \
    D(MCONST, l->imm != 0)                                                                                             \
    D(LANE, l->number)                                                                                                 \
    D(FADD, rounded(NA + NB))                                                                                          \
    D(FSUB, rounded(NA - NB))                                                                                          \
    D(FMUL, rounded(NA * NB))                                                                                          \
    D(FMUL0, (NA == 0 || NB == 0) && isnan(NA * NB) ? 0 : rounded(NA * NB))                                            \
    D(FDIV, rounded(NA / NB))                                                                                          \
    D(FSQRT, rounded(sqrt(NA)))                                                                                        \
    D(FRSQ, as_word(math_rsqf(as_float(A))))                                                                           \
    D(FEXP2, as_word(math_exp2f(as_float(A))))                                                                         \
    D(FLOG2, as_word(math_log2f(as_float(A))))                                                                         \
    D(FMIN, NA < NB ? A : B)                                                                                           \
    D(FMAX, NA > NB ? A : B)                                                                                           \
    D(FFLOOR, rounded(floor(NA)))                                                                                      \
    D(FNEG, A ^ 0x80000000)                                                                                            \
    D(FABS, A & 0x7fffffff)                                                                                            \
    D(F2I, to_int(trunc(NA)))                                                                                          \
    D(F2I_ROUND, to_int(nearbyint(NA)))                                                                                \
    D(I2F, rounded(as_int(A)))                                                                                         \
    D(UNORM, unorm(A, l->imm & 31, (l->imm >> 5) + 1))                                                                 \
    D(H2F, as_word(half_to_float((uint16_t)(A >> l->imm))))                                                            \
    D(F2H, half_from_float(as_float(A)))                                                                               \
    D(IADD, (uint32_t)((uint64_t)A + B))                                                                               \
    D(ISUB, (uint32_t)((uint64_t)A - B))                                                                               \
    D(IMUL, (uint32_t)((uint64_t)A * B))                                                                               \
    D(IAND, A & B)                                                                                                      \
    D(IOR, A | B)                                                                                                      \
    D(IXOR, A ^ B)                                                                                                     \
    D(ISHL, (uint32_t)((uint64_t)A << l->imm))                                                                         \
    D(ISHR, (uint32_t)((uint64_t)A >> l->imm))                                                                         \
    D(ISAR, (uint32_t)(((uint64_t)A | (A >> 31 ? UINT64_C(0xffffffff) << 32 : 0)) >> l->imm))                          \
    D(IMIN, as_int(A) < as_int(B) ? A : B)                                                                             \
    D(IMAX, as_int(A) > as_int(B) ? A : B)                                                                             \
    D(UMIN, A < B ? A : B)                                                                                             \
    D(UMAX, A > B ? A : B)                                                                                             \
    D(FEQ, NA == NB)                                                                                                   \
    D(FLT, NA < NB)                                                                                                    \
    D(FLE, NA <= NB)                                                                                                   \
    D(FUNORD, is_nan(A) || is_nan(B))                                                                                  \
    D(IEQ, A == B)                                                                                                     \
    D(ILT, as_int(A) < as_int(B))                                                                                      \
    D(ULE, A <= B)                                                                                                     \
    D(MAND, A == 1 && B == 1)                                                                                          \
    D(MOR, A == 1 || B == 1)                                                                                           \
    D(MANDNOT, A == 1 && B == 0)                                                                                       \
    D(MNOT, A == 0)                                                                                                    \
    D(SELECT, A == 1 ? B : C)                                                                                          \
    D(QUAD, l->quad[l->imm >> 2 * (l->number % 4) & 3])                                                                \
    D(FIRST, l->all[0])
/* clang-format on */

typedef uint32_t definition_fn(const struct lane *l);
#define D(name, definition)                                                                                            \
    static uint32_t define_##name(const struct lane *l)                                                                \
    {                                                                                                                  \
        (void)l;                                                                                                       \
        return definition;                                                                                             \
    }
DEFINITIONS(D)
#undef D

static definition_fn *const definitions[IR_OP_COUNT] = {
#define D(name, definition) [IR_##name] = define_##name,
    DEFINITIONS(D)
#undef D
};

static const struct row {
    const char *name, *type[4], *op_class; /* types of the result and the operands */
} rows[IR_OP_COUNT] = {
    [IR_NONE] = {"NONE", {"_", "_", "_", "_"}, "NONE"},
#define IR_OP(name, d, a, b, c, op_class, ...) [IR_##name] = {#name, {#d, #a, #b, #c}, #op_class},
#include "ir/ops.def"
#undef IR_OP
};

static bool has_kernel(unsigned op)
{
    return !strcmp(rows[op].op_class, "PURE") || !strcmp(rows[op].op_class, "COMMUTES");
}

/* --- Words ------------------------------------------------------------------------------------------------------- */

static const uint32_t specials[] = {
    0,          0x80000000, /* zeros */
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40490fdb, 0xc0490fdb, 0x3fc00000, 0x40200000, 0xc0600000,
    0x7f800000, 0xff800000,                                     /* infinities */
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff9abcde, 0x7fffffff, /* NaNs */
    1,          0x80000001, 0x007fffff, 0x807fffff, 0x00400000, /* denormals */
    0x00800000, 0x80800000, 0x00800001, 0x00ffffff,             /* least normal numbers */
    0x7f7fffff, 0xff7fffff, 0x7e800000,                         /* greatest numbers */
    0x3f7fffff, 0x3f800001, 0xbf7fffff, 0x34000000, 0x33800000, 0x1fffffff, 0x20000000, 0x5f000000, 0x1f7fffff,
    0x4b000000, 0x4b7fffff, 0x4b800000, 0xcb000001, 0x4affffff, 0xcaffffff, /* around 2^23 and 2^24 */
    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f800000, 0xceffffff, /* around 2^31 and
                                                                               2^32 */
    2,          3,          31,         32,         255,        256,        0x7fff,     0x8000,     0xffff,
    0x10000,    0xfffffffe, 0xffffffff, 0x01000001, 0x02000001, 0x55555555, 0xaaaaaaaa, 0x12345678, 0xfedcba98,
};
enum { N_SPECIALS = sizeof(specials) / sizeof(specials[0]) };

static uint64_t seed;

static uint32_t random_word(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 32);
}

/* Random bits, numbers of similar size, small integers, or a special word. */
static uint32_t mixed_word(void)
{
    switch (random_word() % 8) {
    case 0:
        return specials[random_word() % N_SPECIALS];
    case 1:
        return random_word() % 64;
    case 2:
    case 3:
        return (random_word() & 0x83ffffff) | 0x3c000000;
    default:
        return random_word();
    }
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

/* The result's place is within GUARD bytes that must not change. */
enum { GUARD = 64 };
static struct memory {
    uint32_t word[3][IR_LANES], uniform[3][IR_UNIFORM_BYTES / 4];
    uint64_t mask[3];
    _Alignas(64) unsigned char result[GUARD + IR_LANES_BYTES + GUARD];
} memory __attribute__((aligned(64)));

static struct ir_place uniform_place(const void *p)
{
    return (struct ir_place){.offset = (uint32_t)((const char *)p - (const char *)&memory)};
}

/* Of lanes, or a mask. */
static struct ir_place place_of(const void *p)
{
    struct ir_place place = uniform_place(p);

    place.word_stride = 4;
    return place;
}

/* uniforms: a bit for each operand whose words are uniform. */
static void fill(uint32_t (*next)(void *ctx, unsigned operand, unsigned lane), void *ctx, unsigned uniforms)
{
    for (unsigned i = 0; i < 3; i++) {
        memory.mask[i] = 0;
        for (unsigned lane = 0; lane < IR_LANES; lane++) {
            memory.word[i][lane] = uniforms >> i & 1 && lane ? memory.word[i][0] : next(ctx, i, lane);
            memory.mask[i] |= (uint64_t)(memory.word[i][lane] % 3 == 1) << lane;
        }
        if (uniforms >> i & 1)
            memory.mask[i] = memory.word[i][0] % 3 == 1 ? ~UINT64_C(0) : 0;
        memcpy(memory.uniform[i], memory.word[i], sizeof(memory.uniform[i]));
    }
}

static uint32_t expected(unsigned op, unsigned lane, uint32_t imm)
{
    struct lane l = {.imm = imm, .number = lane, .quad = &memory.word[0][lane & ~3u], .all = memory.word[0]};

    for (unsigned i = 0; i < 3; i++)
        l.word[i] = *rows[op].type[1 + i] == 'M' ? memory.mask[i] >> lane & 1 : memory.word[i][lane];
    return definitions[op](&l);
}

/* All NaNs are equal. Operations that choose or move floats may keep denormals. */
static bool is_same(unsigned op, uint32_t a, uint32_t b)
{
    bool moves = op == IR_FMIN || op == IR_FMAX || op == IR_FNEG || op == IR_FABS;

    if (*rows[op].type[0] != 'F')
        return a == b;
    return moves ? bits_same(as_float(a), as_float(b)) : a == b || (is_nan(a) && is_nan(b));
}

/* A step that ends a run. */
static IR_STEP_ABI const struct ir_step *stop(const struct ir_step *step, const struct ir_frame *f)
{
    (void)f;
    return step;
}

/* Runs a kernel and compares its result. */
static void check_kernel(unsigned op, enum cpu_isa isa, ir_step_fn *fn, unsigned uniforms, uint32_t imm, size_t lanes)
{
    const struct row *row = &rows[op];
    unsigned char *result = memory.result + GUARD;
    struct ir_frame frame = {.area = {(char *)&memory}};
    struct ir_step step[] = {{.d = place_of(result), .imm = imm}, {.fn = stop}};
    size_t bytes = *row->type[0] == 'M' ? IR_MASK_BYTES : lanes * 4;

    for (unsigned i = 0; i < 3; i++) {
        if (*row->type[1 + i] == 'M')
            step[0].arg[i] = place_of(&memory.mask[i]);
        else if (uniforms >> i & 1)
            step[0].arg[i] = uniform_place(memory.uniform[i]);
        else
            step[0].arg[i] = place_of(memory.word[i]);
    }
    memset(memory.result, 0xcd, sizeof(memory.result));
    ck_assert_msg(fn(step, &frame) == step + 1, "%s: next step", row->name);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t want = expected(op, lane, imm), got;

        memcpy(&got, result + (*row->type[0] == 'M' ? lane / 32 * 4 : lane * 4), sizeof(got));
        if (*row->type[0] == 'M')
            got = got >> lane % 32 & 1;
        ck_assert_msg(is_same(op, want, got), "%s %s, lane %u: %08x %08x %08x, imm %u, uniforms %u: %08x, not %08x",
                      cpu_isa_name(isa), row->name, lane, memory.word[0][lane], memory.word[1][lane],
                      memory.word[2][lane], imm, uniforms, got, want);
    }
    for (size_t i = 0; i < sizeof(memory.result); i++)
        if (i < GUARD || i >= GUARD + bytes)
            ck_assert_msg(memory.result[i] == 0xcd, "%s %s writes byte %d", cpu_isa_name(isa), row->name,
                          (int)i - GUARD);
}

static void check_eval(unsigned op, uint32_t imm)
{
    for (unsigned lane = 0; lane < IR_LANES; lane += 16) {
        uint32_t arg[3], want = expected(op, lane, imm), got;

        for (unsigned i = 0; i < 3; i++)
            arg[i] = *rows[op].type[1 + i] == 'M' ? memory.mask[i] >> lane & 1 : memory.word[i][lane];
        got = ir_eval(op, arg, imm);
        want = op == IR_LANE ? 0 : op == IR_QUAD || op == IR_FIRST ? arg[0] : want;
        ck_assert_msg(is_same(op, want, got), "ir_eval of %s, %08x %08x %08x, imm %u: %08x, not %08x", rows[op].name,
                      arg[0], arg[1], arg[2], imm, got, want);
    }
}

static void check_all(unsigned op, unsigned uniforms, uint32_t imm)
{
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        const struct ir_kern *kern = KERN_FOR(ir_kern, (enum cpu_isa)isa);

        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        check_kernel(op, (enum cpu_isa)isa, kern->lanes[op], uniforms, imm, IR_LANES);
        if (kern->uniform[op] && uniforms == 7)
            check_kernel(op, (enum cpu_isa)isa, kern->uniform[op], uniforms, imm, IR_UNIFORM_BYTES / 4);
    }
    if (uniforms == 0)
        check_eval(op, imm);
}

static uint32_t random_imm(unsigned op)
{
    bool shifts = op == IR_ISHL || op == IR_ISHR || op == IR_ISAR || op == IR_H2F;
    uint32_t bits = random_word() % 16 + 1;

    return shifts            ? random_word() % 32
           : op == IR_UNORM  ? (bits - 1) << 5 | random_word() % (33 - bits)
           : op == IR_QUAD   ? random_word() % 256
           : op == IR_MCONST ? random_word() % 2
                             : mixed_word();
}

/* --- Tests ------------------------------------------------------------------------------------------------------- */

START_TEST(every_row_has_kernels_and_a_definition)
{
    for (unsigned op = IR_NONE; op < IR_OP_COUNT; op++) {
        bool needs_uniform = has_kernel(op) && *rows[op].type[0] != 'M';

        ck_assert_msg(!definitions[op] == !has_kernel(op), "%s: a definition", rows[op].name);
        for (int isa = 0; isa < ISA_COUNT; isa++) {
            ck_assert_msg(!KERN_FOR(ir_kern, (enum cpu_isa)isa)->lanes[op] == !has_kernel(op), "%s: a kernel",
                          rows[op].name);
            ck_assert_msg(!KERN_FOR(ir_kern, (enum cpu_isa)isa)->uniform[op] == !needs_uniform,
                          "%s: a kernel of uniforms", rows[op].name);
        }
    }
}
END_TEST

static uint32_t pair_word(void *ctx, unsigned operand, unsigned lane)
{
    unsigned pair = (*(unsigned *)ctx + lane) % (N_SPECIALS * N_SPECIALS);

    return operand == 0 ? specials[pair / N_SPECIALS] : operand == 1 ? specials[pair % N_SPECIALS] : mixed_word();
}

static uint32_t any_word(void *ctx, unsigned operand, unsigned lane)
{
    (void)ctx, (void)operand, (void)lane;
    return mixed_word();
}

static void hash_result(unsigned op, uint32_t imm)
{
    for (unsigned lane = 0; lane < IR_LANES; lane++) {
        uint32_t word = expected(op, lane, imm);

        bits_word(*rows[op].type[0] == 'F' ? bits_of(as_float(word)) : word);
    }
}

START_TEST(kernels_equal_their_definition)
{
    unsigned op = (unsigned)_i;
    struct fp_mode mode = fp_enter();

    if (!has_kernel(op) || !definitions[op]) {
        fp_leave(mode);
        return;
    }
    seed = op;
    for (unsigned pair = 0; pair < N_SPECIALS * N_SPECIALS; pair += IR_LANES) {
        fill(pair_word, &pair, 0);
        check_all(op, 0, random_imm(op));
    }
    for (unsigned round = 0; round < 2000; round++) {
        unsigned uniforms = round % 8;
        uint32_t imm = random_imm(op);

        fill(any_word, NULL, uniforms);
        check_all(op, uniforms, imm);
        hash_result(op, imm);
    }
    bits_print(rows[op].name, 0);
    fp_leave(mode);
}
END_TEST

/* A pair gives the same as its operations one after the other. */
START_TEST(pairs_equal_their_operations)
{
    static const struct {
        enum ir_op first, second;
        unsigned k;
        const char *type[4];
    } pairs[IR_FUSED_COUNT] = {
#define IR_FUSED(first, second, k, d, a, b, c, formula) {IR_##first, IR_##second, k, {#d, #a, #b, #c}},
#include "ir/kern/fused.def"
#undef IR_FUSED
    };
    enum ir_op first = pairs[_i].first, second = pairs[_i].second;
    struct ir_frame frame = {.area = {(char *)&memory}};
    struct fp_mode mode = fp_enter();

    ck_assert(*pairs[_i].type[0] == *rows[second].type[0]);
    ck_assert(*pairs[_i].type[1] == *rows[first].type[1] && *pairs[_i].type[2] == *rows[first].type[2]);
    ck_assert(*pairs[_i].type[3] == *rows[second].type[2 - pairs[_i].k]);
    for (unsigned round = 0; round < 2000 * ISA_COUNT; round++) {
        enum cpu_isa isa = (enum cpu_isa)(round % ISA_COUNT);
        unsigned uniforms = round / ISA_COUNT % 8;
        struct ir_step step[] = {{.d = place_of(memory.result), .imm = random_imm(first)}, {.fn = stop}};

        if (!cpu_has_isa(isa))
            continue;
        fill(any_word, NULL, uniforms);
        for (unsigned i = 0; i < 3; i++)
            step[0].arg[i] = uniforms >> i & 1 ? uniform_place(memory.uniform[i]) : place_of(memory.word[i]);
        KERN_FOR(ir_kern, isa)->fused[_i](step, &frame);
        for (unsigned lane = 0; lane < IR_LANES; lane++) {
            struct lane l = {.word = {memory.word[0][lane], memory.word[1][lane]}, .imm = step[0].imm};
            uint32_t middle = definitions[first](&l), want, got;

            l.word[pairs[_i].k] = middle;
            l.word[!pairs[_i].k] = memory.word[2][lane];
            want = definitions[second](&l);
            memcpy(&got, memory.result + 4 * lane, sizeof(got));
            ck_assert_msg(is_same(second, want, got), "%s %s %s: %08x %08x %08x: %08x, not %08x", cpu_isa_name(isa),
                          rows[first].name, rows[second].name, memory.word[0][lane], memory.word[1][lane],
                          memory.word[2][lane], got, want);
        }
    }
    fp_leave(mode);
}
END_TEST

/* The result may take the place of an operand. */
START_TEST(results_may_replace_operands)
{
    static struct memory before;

    for (unsigned op = IR_NONE; op < IR_OP_COUNT; op++) {
        for (unsigned n = 0; n < 3 * ISA_COUNT; n++) {
            enum cpu_isa isa = n / 3;
            struct ir_frame frame = {.area = {(char *)&memory}};
            struct ir_step step[] = {{.imm = op % 32}, {.fn = stop}};
            bool is_mask = *rows[op].type[0] == 'M', same_type = is_mask == (*rows[op].type[1 + n % 3] == 'M');
            struct fp_mode mode;

            if (!has_kernel(op) || *rows[op].type[1 + n % 3] == '_' || !same_type || !cpu_has_isa(isa))
                continue;
            fill(any_word, NULL, 0);
            before = memory;
            for (unsigned i = 0; i < 3; i++)
                step[0].arg[i] = *rows[op].type[1 + i] == 'M' ? place_of(&memory.mask[i]) : place_of(memory.word[i]);
            step[0].d = step[0].arg[n % 3];
            mode = fp_enter();
            KERN_FOR(ir_kern, isa)->lanes[op](step, &frame);
            for (unsigned lane = 0; lane < IR_LANES; lane++) {
                struct memory after = memory;
                uint32_t want;

                memory = before;
                want = expected(op, lane, step[0].imm);
                memory = after;
                ck_assert_msg(is_same(op, want, is_mask ? memory.mask[n % 3] >> lane & 1 : memory.word[n % 3][lane]),
                              "%s %s replaces operand %u", cpu_isa_name(isa), rows[op].name, n % 3);
            }
            fp_leave(mode);
        }
    }
}
END_TEST

START_TEST(moves_copy)
{
    for (int n = 0; n < ISA_COUNT; n++) {
        enum cpu_isa isa = (enum cpu_isa)n;
        const struct ir_kern *kern = KERN_FOR(ir_kern, isa);
        struct ir_frame frame = {.area = {(char *)&memory}};
        struct ir_step step[] = {{.d = place_of(memory.result + GUARD), .arg = {place_of(memory.word[0])}},
                                 {.fn = stop}};

        if (!cpu_has_isa(isa))
            continue;
        ck_assert(!strcmp(kern->isa, cpu_isa_name(isa)));
        fill(any_word, NULL, 0);
        ck_assert(kern->move_lanes(step, &frame) == step + 1);
        ck_assert_mem_eq(memory.result + GUARD, memory.word[0], IR_LANES_BYTES);
        step[0].arg[0] = place_of(&memory.mask[0]);
        kern->move_mask(step, &frame);
        ck_assert_mem_eq(memory.result + GUARD, &memory.mask[0], IR_MASK_BYTES);
        ck_assert_mem_eq(memory.result + GUARD + IR_MASK_BYTES, (char *)memory.word[0] + IR_MASK_BYTES, 8);
        fill(any_word, NULL, 7);
        step[0].arg[0] = uniform_place(memory.uniform[0]);
        kern->move_uniform(step, &frame);
        ck_assert_mem_eq(memory.result + GUARD, memory.uniform[0], IR_UNIFORM_BYTES);
        kern->move_lanes(step, &frame);
        ck_assert_mem_eq(memory.result + GUARD, memory.word[0], IR_LANES_BYTES);
    }
}
END_TEST

START_TEST(eval_restores_the_mode)
{
    const uint32_t denormals[3] = {1, 0, 0};
    volatile float least = as_float(1);

    ck_assert_uint_eq(ir_eval(IR_FADD, denormals, 0), 0);
    ck_assert_uint_eq(as_word(least + 0.0f), 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir_ops_kern");
    TCase *t = tcase_create("ir_ops_kern");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, every_row_has_kernels_and_a_definition);
    tcase_add_loop_test(t, kernels_equal_their_definition, 0, IR_OP_COUNT);
    tcase_add_loop_test(t, pairs_equal_their_operations, 0, IR_FUSED_COUNT);
    tcase_add_test(t, results_may_replace_operands);
    tcase_add_test(t, moves_copy);
    tcase_add_test(t, eval_restores_the_mode);
    suite_add_tcase(s, t);
    return s;
}
TEST_MAIN(suite)
