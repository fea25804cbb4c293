/* Kernels of src/ir/kern/memory_kern.c, on each instruction set, equal loops over the lanes in plain C. A READ or WRITE
 * row of ops.def without a definition fails. */
#include "check_main.h"
#include "ir/kern/kern.h"
#include "kernel/bits.h"

enum { BASE = 3, BASE_WORDS = 512, IMM = 64 };

/* Operands and result: words, uniforms and masks. */
static struct work {
    uint32_t at[IR_LANES], value[IR_LANES], result[IR_LANES];
    uint32_t at_uniform[16], value_uniform[16];
    uint64_t mask, mask_result;
} work __attribute__((aligned(64)));
static uint32_t memory[BASE_WORDS] __attribute__((aligned(64)));

/* What a step leaves behind. */
struct outcome {
    uint32_t memory[BASE_WORDS], result[IR_LANES];
    uint64_t mask_result;
};

static uint32_t seed;

static uint32_t random_word(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed ^ seed >> 15;
}

static bool lane_of(uint64_t mask, unsigned lane)
{
    return mask >> lane & 1;
}

/* --- Definitions ---------------------------------------------------------------------------------------------- */

/* word: of the memory at imm, as GATHER's offset 0 names it; negative offsets reach words before it. */
typedef void definition_fn(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask);

static void define_UNIFORM(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)at, (void)value, (void)mask;
    for (unsigned i = 0; i < 16; i++)
        o->result[i] = word[0];
}
static void define_LOAD_AT(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)value, (void)mask;
    for (unsigned i = 0; i < 16; i++)
        o->result[i] = word[(int32_t)at[0] / 4];
}
static void define_LOAD(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)at, (void)value, (void)mask;
    for (unsigned i = 0; i < IR_LANES; i++)
        o->result[i] = word[i];
}
static void define_MLOAD(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)at, (void)value, (void)mask;
    o->mask_result = word[0] | (uint64_t)word[1] << 32;
}
static void define_GATHER(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)value;
    for (unsigned i = 0; i < IR_LANES; i++)
        o->result[i] = lane_of(mask, i) ? word[(int32_t)at[i] / 4] : 0;
}
static void define_STORE(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)o, (void)value, (void)mask;
    for (unsigned i = 0; i < IR_LANES; i++)
        word[i] = at[i];
}
static void define_USTORE(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)o, (void)value, (void)mask;
    word[0] = at[0];
}
static void define_MSTORE(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)o, (void)at, (void)value;
    word[0] = (uint32_t)mask;
    word[1] = (uint32_t)(mask >> 32);
}
static void define_SCATTER(struct outcome *o, uint32_t *word, const uint32_t *at, const uint32_t *value, uint64_t mask)
{
    (void)o;
    for (unsigned i = 0; i < IR_LANES; i++)
        if (lane_of(mask, i))
            word[(int32_t)at[i] / 4] = value[i];
}

static definition_fn *const definitions[IR_OP_COUNT] = {
#define D(name) [IR_##name] = define_##name
    D(UNIFORM), D(LOAD_AT), D(LOAD), D(MLOAD), D(GATHER), D(STORE), D(USTORE), D(MSTORE), D(SCATTER),
#undef D
};

static const struct row {
    const char *name, *type[3], *op_class;
} rows[IR_OP_COUNT] = {
    [IR_NONE] = {"NONE", {"_", "_", "_"}, "NONE"},
#define IR_OP(name, d, a, b, c, op_class, ...) [IR_##name] = {#name, {#a, #b, #c}, #op_class},
#include "ir/ops.def"
#undef IR_OP
};

/* --- Tests ---------------------------------------------------------------------------------------------------- */

static struct ir_place uniform_place(const void *p)
{
    return (struct ir_place){.offset = (uint32_t)((const char *)p - (const char *)&work)};
}

/* Of lanes, or a mask. */
static struct ir_place place_of(const void *p)
{
    struct ir_place place = uniform_place(p);

    place.word_stride = 4;
    return place;
}

/* A step that ends a run. */
static IR_STEP_ABI const struct ir_step *stop(const struct ir_step *step, const struct ir_frame *f)
{
    (void)f;
    return step;
}

/* Offsets stay in the memory, some are negative, and several lanes may have the same. */
static void fill(bool at_is_offset, bool uniform)
{
    static const uint64_t masks[] = {0, ~UINT64_C(0), 1, UINT64_C(1) << 63};

    for (unsigned i = 0; i < BASE_WORDS; i++)
        memory[i] = random_word();
    for (unsigned i = 0; i < IR_LANES; i++) {
        work.at[i] = at_is_offset ? (random_word() % (BASE_WORDS / 2)) * 4 - IMM : random_word();
        work.value[i] = random_word();
        if (uniform)
            work.at[i] = work.at[0], work.value[i] = work.value[0];
    }
    for (unsigned i = 0; i < 16; i++)
        work.at_uniform[i] = work.at[i], work.value_uniform[i] = work.value[i];
    work.mask = random_word() % 2 ? masks[random_word() % 4] : (uint64_t)random_word() << 32 | random_word();
}

/* The operand of a mask is work.mask. Other words than masks' are the first and the second kind. */
static void check(unsigned op, enum cpu_isa isa, bool uniform)
{
    static struct outcome expected, got;
    static uint32_t copy[BASE_WORDS];
    struct ir_frame frame = {.area = {[IR_AREA_WORK] = (char *)&work, [IR_AREA_BASE + BASE] = (char *)memory}};
    struct ir_step step[] = {{.imm = IMM, .base = BASE, .d = place_of(work.result)}, {.fn = stop}};

    fill(op == IR_GATHER || op == IR_SCATTER || op == IR_LOAD_AT, uniform);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t *lanes = i ? work.value : work.at, *once = i ? work.value_uniform : work.at_uniform;

        step[0].arg[i] = *rows[op].type[i] == 'M' ? place_of(&work.mask)
                         : uniform                ? uniform_place(once)
                                                  : place_of(lanes);
    }
    if (op == IR_MLOAD)
        step[0].d = place_of(&work.mask_result);
    memset(work.result, 0xcd, sizeof(work.result));
    work.mask_result = 0;
    memcpy(copy, memory, sizeof(copy));
    memcpy(expected.result, work.result, sizeof(work.result));
    expected.mask_result = 0;
    definitions[op](&expected, copy + IMM / 4, work.at, work.value, work.mask);
    memcpy(expected.memory, copy, sizeof(copy));
    ck_assert(KERN_FOR(ir_memory_kern, isa)->fn[op](step, &frame) == step + 1);
    memcpy(got.memory, memory, sizeof(memory));
    memcpy(got.result, work.result, sizeof(work.result));
    got.mask_result = work.mask_result;
    ck_assert_msg(!memcmp(&expected, &got, sizeof(got)), "%s %s, uniform %d, mask %016" PRIx64, cpu_isa_name(isa),
                  rows[op].name, uniform, work.mask);
    bits_bytes(&expected, sizeof(expected));
}

START_TEST(every_row_has_a_kernel_and_a_definition)
{
    for (unsigned op = IR_NONE; op < IR_OP_COUNT; op++) {
        bool accesses = !strcmp(rows[op].op_class, "READ") || !strcmp(rows[op].op_class, "WRITE");

        ck_assert_msg(!definitions[op] == !accesses, "%s: a definition", rows[op].name);
        for (int isa = 0; isa < ISA_COUNT; isa++)
            ck_assert_msg(!KERN_FOR(ir_memory_kern, (enum cpu_isa)isa)->fn[op] == !accesses, "%s: a kernel",
                          rows[op].name);
    }
}
END_TEST

START_TEST(kernels_equal_their_definition)
{
    for (int isa = 0; definitions[_i] && isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        seed = (uint32_t)_i;
        bits_hash = 0;
        for (int round = 0; round < 200; round++)
            check((unsigned)_i, (enum cpu_isa)isa, round % 2);
    }
    if (definitions[_i])
        bits_print(rows[_i].name, 0);
}
END_TEST

/* A lane that the mask leaves out may have any offset. */
START_TEST(gathers_and_scatters_do_not_touch_other_lanes)
{
    struct ir_frame frame = {.area = {[IR_AREA_WORK] = (char *)&work, [IR_AREA_BASE + BASE] = (char *)memory}};
    struct ir_step step[] = {{.base = BASE}, {.fn = stop}};

    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!cpu_has_isa((enum cpu_isa)isa))
            continue;
        for (unsigned i = 0; i < IR_LANES; i++)
            work.at[i] = i % 3 ? 0x7ffffff0 : i * 4;
        memset(memory, 1, sizeof(memory));
        work.mask = UINT64_C(0x9249249249249249);
        step[0].d = place_of(work.result);
        step[0].arg[0] = place_of(work.at);
        step[0].arg[1] = place_of(&work.mask);
        KERN_FOR(ir_memory_kern, (enum cpu_isa)isa)->fn[IR_GATHER](step, &frame);
        step[0].arg[1] = place_of(work.value);
        step[0].arg[2] = place_of(&work.mask);
        KERN_FOR(ir_memory_kern, (enum cpu_isa)isa)->fn[IR_SCATTER](step, &frame);
        for (unsigned i = 0; i < IR_LANES; i++) {
            ck_assert_uint_eq(work.result[i], i % 3 ? 0 : 0x01010101);
            ck_assert_uint_eq(memory[i], i % 3 ? 0x01010101 : work.value[i]);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ir_memory_kern");
    TCase *t = tcase_create("ir_memory_kern");

    tcase_add_test(t, every_row_has_a_kernel_and_a_definition);
    tcase_add_loop_test(t, kernels_equal_their_definition, 0, IR_OP_COUNT);
    tcase_add_test(t, gathers_and_scatters_do_not_touch_other_lanes);
    suite_add_tcase(s, t);
    return s;
}
TEST_MAIN(suite)
