/* Operations of the output merger against the kernels that they stand for: random keys, colours and
 * pixels, interpreted and compiled for each instruction set; alpha tests and fog against their
 * kernels; sRGB codes of many floats. */
#include "check_main.h"

#include "ir/check/check.h"
#include "ir/interp/interp.h"
#include "ir/compile/compile.h"
#include "kernel/raster/random.h"
#include "raster/merge/merge.h"
#include "raster/output/colour_kern.h"
#include "raster/output/general_kern.h"
#include "raster/output/output_kern.h"
#include "raster/state/pixel_write.h"
#include "raster/zs/depth_kern.h"
#include "tex/tex.h"
#include "util/alloc.h"

#include <stdlib.h>

enum { LANES = RASTER_LANES, ROUNDS = 40, MAX_FORMATS = 64 };

struct memory {
    float colour[4 * RASTER_TARGETS + 1][LANES];
    uint32_t pixels[4 * RASTER_TARGETS][LANES];
    uint64_t passed;
    struct raster_merge_uniforms uniforms;
} __attribute__((aligned(64)));
static struct memory memory;
static struct raster_merge_tables tables __attribute__((aligned(64)));

/* --- Running ---------------------------------------------------------------------------------- */

enum { COLOURS, PASSED };

static struct ir_args args_of(struct memory *m)
{
    return (struct ir_args){.base = {[COLOURS] = m->colour,
                                     [PASSED] = &m->passed,
                                     [RASTER_MERGE_PIXELS] = m->pixels,
                                     [RASTER_MERGE_UNIFORMS] = &m->uniforms,
                                     [RASTER_MERGE_TABLES] = &tables,
                                     [RASTER_MERGE_FOG] = m->colour[4 * RASTER_TARGETS]}};
}

static struct ir *function_of(const struct raster_merge_key *key)
{
    struct ir *ir = ir_create(1u << COLOURS);
    ir_ref colour[RASTER_TARGETS][4], passed;
    struct ir_fault fault;

    ck_assert(ir != NULL);
    for (uint32_t i = 0; i < 4 * RASTER_TARGETS; i++)
        colour[i / 4][i % 4] = ir_emit_mem(ir, IR_LOAD, COLOURS, i * 4 * LANES, 0, 0, 0);
    passed = raster_merge_emit(ir, key, (const ir_ref(*)[4])colour);
    ck_assert_int_eq(passed != 0, key->alpha_func != 0);
    if (passed)
        ir_emit_mem(ir, IR_MSTORE, PASSED, 0, passed, 0, 0);
    ck_assert(ir_status(ir) == ST_OK);
    for (unsigned n = 0; n < RASTER_TARGETS; n++)
        ck_assert(!key->target[n].format || raster_merge_supports(&key->target[n]));
    ck_assert_msg(ir_verify(ir, &fault) == ST_OK, "%u: %s", fault.at, fault.rule);
    return ir;
}

static void interpret(const struct ir *ir, struct memory *m)
{
    struct ir_args args = args_of(m);
    struct ir_interp *interp;
    void *work;

    ck_assert_int_eq(ir_interp_create(&interp, ir), ST_OK);
    work = mem_alloc(ir_interp_work_bytes(interp));
    ck_assert(work != NULL);
    ir_interp_run(interp, &args, work);
    mem_free(work);
    ir_interp_destroy(interp);
}

/* False: there is no compiler for the instruction set, or no processor. */
static bool run_compiled(const struct ir *ir, struct memory *m, enum cpu_isa isa)
{
    struct ir_args args = args_of(m);
    struct ir_code *code;
    void *work;

    if (!cpu_has_isa(isa) || ir_compile(&code, ir, isa) != ST_OK)
        return false;
    work = mem_alloc(ir_code_work_bytes(code) + 1);
    ck_assert(work != NULL);
    ir_code_run(code, &args, work);
    mem_free(work);
    ir_code_destroy(code);
    return true;
}

/* --- Random keys and memory ------------------------------------------------------------------- */

static const struct tex_format *formats[MAX_FORMATS];
static unsigned n_formats;

/* All formats that colour targets may have. */
static void find_formats(void)
{
    for (unsigned i = 0; i < tex_format_count(); i++) {
        const struct tex_format *format = tex_format_at(i);

        if (format->caps & TEX_TARGET && raster_pixel_class(format) != RASTER_PIXEL_CLASSES)
            formats[n_formats++] = format;
    }
    ck_assert_uint_gt(n_formats, 15);
    ck_assert_uint_lt(n_formats, MAX_FORMATS);
}

static void begin(void)
{
    set_mode();
    find_formats();
    raster_merge_tables_init(&tables);
}

static struct raster_blend random_blend(void)
{
    static const struct raster_blend common[] = {
        {D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_ONE, D3DBLENDOP_ADD},
        {D3DBLEND_ONE, D3DBLEND_INVSRCALPHA, D3DBLENDOP_ADD},
        {D3DBLEND_DESTCOLOR, D3DBLEND_ZERO, D3DBLENDOP_ADD}};
    struct raster_blend blend = common[random_u32() % 4];

    if (random_u32() % 3 == 0)
        return blend;
    blend.src = (uint8_t)(random_u32() % 18);
    blend.dst = (uint8_t)(random_u32() % 18);
    blend.op = (uint8_t)(1 + random_u32() % 5);
    return blend;
}

static struct raster_merge_target random_target(const struct tex_format *format)
{
    struct raster_merge_target target = {
        .format = format, .blends = random_u32() % 4, .write_mask = 15};

    target.rgb = random_blend();
    target.alpha = random_u32() % 2 ? target.rgb : random_blend();
    target.srgb = (format->caps & TEX_SRGB_WRITE) && random_u32() % 2;
    if (random_u32() % 2)
        target.write_mask = (uint8_t)(random_u32() % 16);
    return target;
}

/* Colours; midpoints between codes of eight bits among them. */
static float random_colour(void)
{
    uint32_t kind = random_u32() % 4, bits = random_u32();

    return kind ? kind == 1 ? (float)(bits % 65536) / 65535.0f : random_float()
                : ((float)(bits % 256) + 0.5f) / 255.0f;
}

static bool is_float32(const struct tex_format *format)
{
    return format && format->layout == TEX_LAYOUT_FLOAT32;
}

static void fill(const struct raster_merge_key *key)
{
    for (unsigned i = 0; i < 4 * RASTER_TARGETS + 1; i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            memory.colour[i][lane] = random_colour();
    for (unsigned i = 0; i < 4 * RASTER_TARGETS; i++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            /* a target's floats are canonical */
            memory.pixels[i][lane] =
                is_float32(key->target[i / 4].format) ? bits_of(random_float()) : random_u32();
        }
    for (unsigned n = 0; n < RASTER_TARGETS; n++)
        for (unsigned c = 0; c < 4; c++) {
            float factor = random_float();
            bool fixed = key->target[n].format &&
                         key->target[n].format->layout != TEX_LAYOUT_FLOAT16 &&
                         !is_float32(key->target[n].format);

            memory.uniforms.factor[n][c] = !fixed          ? factor
                                           : factor > 0.0f ? factor < 1.0f ? factor : 1.0f
                                                           : 0.0f;
        }
    memory.passed = 0;
}

/* --- The kernels ------------------------------------------------------------------------------ */

static unsigned words_of(const struct tex_format *format)
{
    return format->bytes <= 4 ? 1 : format->bytes / 4u;
}

static void write_pixels(const struct raster_pixel_write *how, uint8_t *packed,
                         const float *const source[RASTER_SOURCES])
{
    static _Alignas(64) float colour[4][LANES];
    const float *const made[4] = {colour[0], colour[1], colour[2], colour[3]};
    struct raster_pixel_write store = *how;

    if (how->general) {
        KERN_FOR(raster_general_kern, ISA_SCALAR)
            ->colours(how, packed, 0, source, ~UINT64_C(0), colour);
        store.blend = NULL;
    }
    KERN_FOR(raster_output_kern, ISA_SCALAR)
        ->write[how->class](&store, packed, 0, how->general ? made : source, ~UINT64_C(0));
}

/* What the kernels make of a target's pixels, as words. */
static void write_target(const struct raster_merge_key *key, unsigned n, struct memory *m)
{
    static _Alignas(64) uint8_t packed[16 * LANES];
    const struct raster_merge_target *target = &key->target[n];
    const struct raster_state state = {.blend_enable = target->blends,
                                       .srgb_write = target->srgb,
                                       .blend_rgb = target->rgb,
                                       .blend_alpha = target->alpha,
                                       .separate_alpha = true};
    const float *const source[RASTER_SOURCES] = {
        m->colour[4 * n], m->colour[4 * n + 1], m->colour[4 * n + 2], m->colour[4 * n + 3],
        m->colour[4],     m->colour[5],         m->colour[6],         m->colour[7]};
    struct raster_blend_params params = {.rgb = target->rgb, .alpha = target->alpha};
    unsigned bytes = target->format->bytes, words = words_of(target->format);
    struct raster_pixel_write how;

    memcpy(params.factor, m->uniforms.factor[n], sizeof(params.factor));
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned w = 0; w < words; w++)
            memcpy(packed + lane * bytes + 4 * w, &m->pixels[4 * n + w][lane],
                   bytes < 4 ? bytes : 4);
    if (raster_pixel_write_init(&how, target->format, &state, target->write_mask)) {
        how.blend = target->blends ? &params : NULL;
        write_pixels(&how, packed, source);
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned w = 0; w < words; w++) {
            m->pixels[4 * n + w][lane] = 0;
            memcpy(&m->pixels[4 * n + w][lane], packed + lane * bytes + 4 * w,
                   bytes < 4 ? bytes : 4);
        }
}

static void fog_target(const struct raster_merge_key *key, struct memory *m)
{
    struct raster_fog_params fog = {.mode = key->fog,
                                    .end = m->uniforms.fog_end,
                                    .range = m->uniforms.fog_range,
                                    .density = m->uniforms.fog_density};
    const float *const rgb[3] = {m->colour[0], m->colour[1], m->colour[2]};
    float *const out[3] = {m->colour[0], m->colour[1], m->colour[2]};

    memcpy(fog.colour, m->uniforms.fog_colour, sizeof(fog.colour));
    if (key->fog != RASTER_FOG_NONE)
        KERN_FOR(raster_colour_kern, ISA_SCALAR)
            ->fog(&fog, m->colour[4 * RASTER_TARGETS], rgb, out);
}

/* --- Comparison ------------------------------------------------------------------------------- */

static void check_pixels(const struct raster_merge_key *key, const struct memory *got,
                         const struct memory *want, const char *how, unsigned round)
{
    for (unsigned n = 0; n < RASTER_TARGETS; n++) {
        const struct raster_merge_target *target = &key->target[n];

        for (unsigned w = 0; target->format && w < words_of(target->format); w++)
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t a = got->pixels[4 * n + w][lane], b = want->pixels[4 * n + w][lane];

                if (target->format->bytes < 4)
                    a &= (1u << 8 * target->format->bytes) - 1;
                ck_assert_msg(a == b,
                              "%s, round %u: %s, target %u, word %u, lane %u: %08x, not %08x "
                              "(blend %u: %u %u %u, "
                              "%u %u %u, mask %u, srgb %u)",
                              how, round, target->format->name, n, w, lane, a, b, target->blends,
                              target->rgb.src, target->rgb.dst, target->rgb.op, target->alpha.src,
                              target->alpha.dst, target->alpha.op, target->write_mask,
                              target->srgb);
            }
    }
    ck_assert_msg(got->passed == want->passed, "%s, round %u: alpha test %u of %u bits", how, round,
                  key->alpha_func, key->alpha_bits);
}

static void check_key(const struct raster_merge_key *key, unsigned round)
{
    static struct memory want, got;
    struct ir *ir = function_of(key);

    want = memory;
    if (key->alpha_func) {
        struct raster_alpha_test test = {.func = key->alpha_func,
                                         .floats = !key->alpha_bits,
                                         .max = (float)((1u << key->alpha_bits) - 1),
                                         .reference = (float)(random_u32() % 256)};

        if (test.floats)
            test.reference /= 255.0f;
        memory.uniforms.alpha_reference[0] = test.floats ? test.reference : test.reference - 0.5f;
        memory.uniforms.alpha_reference[1] = test.reference + 0.5f;
        want.passed = KERN_FOR(raster_depth_kern, ISA_SCALAR)->alpha_test(memory.colour[3], &test);
    }
    fog_target(key, &want);
    for (unsigned n = 0; n < RASTER_TARGETS; n++)
        if (key->target[n].format)
            write_target(key, n, &want);
    got = memory;
    interpret(ir, &got);
    check_pixels(key, &got, &want, "interpreted", round);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        got = memory;
        if (run_compiled(ir, &got, (enum cpu_isa)isa))
            check_pixels(key, &got, &want, cpu_isa_name((enum cpu_isa)isa), round);
    }
    /* A target whose stored pixels are not read may have any. */
    for (unsigned n = 0; n < RASTER_TARGETS; n++)
        if (key->target[n].format && !raster_merge_reads(&key->target[n]))
            memset(memory.pixels[4 * n], 0x37, 4 * sizeof(memory.pixels[0]));
    got = memory;
    interpret(ir, &got);
    check_pixels(key, &got, &want, "stored pixels that are not read", round);
    ir_destroy(ir);
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* _i: the format. */
START_TEST(targets_equal_the_kernels)
{
    if ((unsigned)_i >= n_formats)
        return;
    random_bits = (uint64_t)_i + 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct raster_merge_key key;

        memset(&key, 0, sizeof(key));
        key.target[round % RASTER_TARGETS] = random_target(formats[_i]);
        fill(&key);
        check_key(&key, round);
    }
}
END_TEST

/* All targets at once, fog and alpha test. */
START_TEST(keys_equal_the_kernels)
{
    random_bits = (uint64_t)_i + 100;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct raster_merge_key key;

        memset(&key, 0, sizeof(key));
        for (unsigned n = 0; n < RASTER_TARGETS; n++)
            if (random_u32() % 2)
                key.target[n] = random_target(formats[random_u32() % n_formats]);
        key.fog = (uint8_t)(random_u32() % (RASTER_FOG_EXP2 + 1));
        key.alpha_func = (uint8_t)(random_u32() % D3DCMP_ALWAYS);
        key.alpha_bits = (uint8_t)(random_u32() % 3 ? 8 + random_u32() % 9 : 0);
        random_floats(&memory.uniforms.fog_end, 6);
        fill(&key);
        check_key(&key, round);
    }
}
END_TEST

/* --- sRGB codes ------------------------------------------------------------------------------- */

static unsigned code_by_table(uint32_t bits)
{
    return (tables.code[bits >> 16 & 0x7ff] + (bits & 0xffff)) >> 16;
}

/* NOVEM_ALL_FLOATS=1: all floats of [2^-13, 1]; else one of 997. Below, the code is 0. */
START_TEST(srgb_codes_are_exact)
{
    static _Alignas(64) float linear[LANES];
    uint32_t step = getenv("NOVEM_ALL_FLOATS") ? 1 : 997;

    for (uint32_t bits = 0x38fff000; bits <= 0x3f800000; bits += LANES * step) {
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t word = bits + i * step;

            memcpy(&linear[i], &word, sizeof(word));
        }
        tex_linear_to_srgb(linear, LANES);
        for (unsigned i = 0; i < LANES && bits + i * step <= 0x3f800000; i++) {
            uint32_t word = bits + i * step < 0x39000000 ? 0x39000000 : bits + i * step;

            ck_assert_msg(code_by_table(word) == (unsigned)(linear[i] * 255.0f + 0.5f), "%08x: %u",
                          bits + i * step, code_by_table(word));
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("raster/merge");
    TCase *tc = tcase_create("merge");

    tcase_add_checked_fixture(tc, begin, put_mode_back);
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, targets_equal_the_kernels, 0, MAX_FORMATS);
    tcase_add_loop_test(tc, keys_equal_the_kernels, 0, 20);
    tcase_add_test(tc, srgb_codes_are_exact);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
