/* Sampling functions against the kernels that they stand for: random formats, states, levels,
 * coordinates and masks of lanes, interpreted and compiled for each instruction set. */
#include "check_main.h"

#include "ir/check/check.h"
#include "ir/interp/interp.h"
#include "ir/compile/compile.h"
#include "kernel/bits.h"
#include "tex/cache/cache.h"
#include "tex/emit/emit.h"
#include "tex/sample/kernels.h"
#include "tex/sample/sampler.h"
#include "util/alloc.h"
#include "util/d3dtypes.h"
#include "util/fpenv.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 60, SEEDS = 8 };

static uint64_t seed;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) ^ (uint32_t)(seed >> 17);
}
static uint32_t below(uint32_t n)
{
    return random32() % n;
}

static float random_float(void)
{
    static const float specials[] = {0.0f,   -0.0f,      1.0f,      -1.0f,      0.5f,
                                     NAN,    INFINITY,   -INFINITY, 1e-40f,     3e38f,
                                     -3e38f, 8388608.0f, 1e-7f,     0.99999994f};
    uint32_t bits = random32();
    float f;

    switch (below(8)) {
    case 0:
        return specials[below(sizeof(specials) / sizeof(specials[0]))];
    case 1:
        memcpy(&f, &bits, sizeof(f));
        return f;
    case 2:
        return (float)below(64) / 16.0f - 2.0f;
    default:
        return (float)(int32_t)bits / 1073741824.0f;
    }
}

/* --- Random samplers -------------------------------------------------------------------------- */

static struct tex_image *random_image(unsigned number)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 200};
    struct tex_desc desc = {.samples = 1, .levels = below(3) ? 0 : 1};
    const struct tex_format *format;
    struct tex_image *image;

    do
        format = tex_format_at(number++ % tex_format_count());
    while (!(format->caps & TEX_SAMPLE));
    desc.format = format->d3d;
    desc.shape = format->layout == TEX_LAYOUT_DEPTH ? TEX_2D : (enum tex_shape)below(3);
    desc.width = sizes[below(desc.shape == TEX_VOLUME_MAP ? 8 : 11)];
    desc.height = desc.shape == TEX_CUBE_MAP ? desc.width : sizes[below(8)];
    desc.depth = desc.shape == TEX_VOLUME_MAP ? sizes[below(7)] : 1;
    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    for (size_t i = 0; i < image->bytes; i++)
        image->memory[i] = (uint8_t)random32();
    return image;
}

static const struct tex_sampler_private *
random_sampler(struct tex_sampler *sampler, struct tex_image *image, const uint32_t *palette)
{
    struct tex_sampler_state state = {.min_filter = D3DTEXF_LINEAR,
                                      .mag_filter = D3DTEXF_LINEAR,
                                      .mip_filter = D3DTEXF_NONE,
                                      .srgb = below(2),
                                      .border = random32(),
                                      .palette = below(4) ? palette : NULL};
    const struct tex_sampler_private *s;

    for (unsigned a = 0; a < 3; a++)
        state.address[a] = (uint8_t)(1 + below(5));
    ck_assert_int_eq(tex_sampler_init(sampler, image, &state), ST_OK);
    s = tex_sampler_private(sampler);
    if (s->decode_cache)
        tex_decode_cache_require_all(s->decode_cache);
    return s;
}

/* --- One call --------------------------------------------------------------------------------- */

struct lanes {
    _Alignas(64) float c[4][TEX_LANES];
};

struct call {
    struct lanes coord;
    _Alignas(64) int32_t face_offset[TEX_LANES];
    struct tex_coords at;
    const struct tex_level *level;
    uint64_t lanes;
    _Alignas(64) float weights[TEX_LANES];
    const float *weight; /* of the next level; NULL: one level */
    struct lanes before; /* results of other lanes */
    bool wanted[4];
};

/* Smooth coordinates mostly stay inside a level. */
static void random_call(struct call *call, const struct tex_sampler_private *s,
                        const struct tex_image *image, bool two_levels)
{
    bool smooth = below(2);

    for (unsigned c = 0; c < 4; c++) {
        float base = random_float(), step = random_float() * 0.004f;

        call->wanted[c] = below(8);
        for (unsigned i = 0; i < TEX_LANES; i++) {
            call->coord.c[c][i] = smooth ? base + step * (float)i : random_float();
            call->before.c[c][i] = (float)i;
        }
    }
    for (unsigned i = 0; i < TEX_LANES; i++)
        call->face_offset[i] = (int32_t)below(6) * s->face_pitch;
    call->at =
        (struct tex_coords){.axis = {call->coord.c[0], call->coord.c[1], call->coord.c[2]},
                            .reference = call->coord.c[2],
                            .face_offset = s->shape == TEX_CUBE_MAP ? call->face_offset : NULL};
    call->level = &s->level[below(image->desc.levels - two_levels)];
    call->weight = two_levels ? call->weights : NULL;
    for (unsigned i = 0; i < TEX_LANES; i++)
        call->weights[i] = below(3) ? (float)below(256) / 256.0f : 0.0f;
    call->lanes = below(3) ? ~UINT64_C(0) : (uint64_t)random32() << 32 | random32();
    if (!below(6))
        call->lanes &= 0xffffu << below(32);
}

static void results_of(const struct call *call, struct lanes *results, float *out[4])
{
    *results = call->before;
    for (unsigned c = 0; c < 4; c++)
        out[c] = call->wanted[c] ? results->c[c] : NULL;
}

static void sample_level(const struct call *call, const struct tex_sampler_private *s, bool linear,
                         unsigned above, struct lanes *results)
{
    enum tex_filter point = s->shape == TEX_VOLUME_MAP ? TEX_POINT_3D : TEX_POINT_2D;
    float *out[4];

    results_of(call, results, out);
    KERN_FOR(tex_sample_kern, ISA_SCALAR)
        ->fn[s->kind][linear ? point + 1 : point](s, call->level + above, &call->at, call->lanes,
                                                  out);
}

static void by_kernel(const struct call *call, const struct tex_sampler_private *s, bool linear,
                      struct lanes *results)
{
    struct lanes next;

    sample_level(call, s, linear, 0, results);
    if (!call->weight)
        return;
    sample_level(call, s, linear, 1, &next);
    for (unsigned i = 0; i < 4 * TEX_LANES; i++) {
        float weight = call->weight[i % TEX_LANES];

        if (call->lanes >> i % TEX_LANES & 1 && weight != 0.0f && call->wanted[i / TEX_LANES])
            results->c[0][i] = results->c[0][i] * (1.0f - weight) + next.c[0][i] * weight;
    }
}

static void by_interpreter(const struct call *call, const struct tex_sampler_private *s,
                           const struct ir *ir, struct lanes *results)
{
    struct tex_level_args a;
    struct ir_interp *interp;
    float *out[4];
    void *work;

    results_of(call, results, out);
    tex_level_args_init(&a, s, call->level, &call->at, call->weight, call->lanes, out);
    ck_assert_int_eq(ir_interp_create(&interp, ir), ST_OK);
    work = mem_alloc(ir_interp_work_bytes(interp));
    ck_assert(work != NULL);
    ir_interp_run(interp, &a.args, work);
    mem_free(work);
    ir_interp_destroy(interp);
}

/* False: there is no compiler for the instruction set, or no processor. */
static bool by_code(const struct call *call, const struct tex_sampler_private *s,
                    const struct ir *ir, enum cpu_isa isa, struct lanes *results)
{
    struct tex_level_args a;
    struct ir_code *code;
    float *out[4];
    void *work;

    if (!cpu_has_isa(isa) || ir_compile(&code, ir, isa) != ST_OK)
        return false;
    results_of(call, results, out);
    tex_level_args_init(&a, s, call->level, &call->at, call->weight, call->lanes, out);
    ck_assert_uint_le(ir_code_work_bytes(code), TEX_EMIT_WORK_BYTES);
    work = mem_alloc(ir_code_work_bytes(code) + 1);
    ck_assert(work != NULL);
    ir_code_run(code, &a.args, work);
    mem_free(work);
    ir_code_destroy(code);
    return true;
}

/* --- Comparison ------------------------------------------------------------------------------- */

static void check_same(const struct lanes *got, const struct lanes *want, const char *how,
                       const struct tex_sampler_private *s, const struct tex_image *image,
                       bool linear)
{
    for (unsigned i = 0; i < 4 * TEX_LANES; i++)
        ck_assert_msg(
            bits_same(got->c[0][i], want->c[0][i]),
            "%s: %s %ux%ux%u, address %u %u %u, linear %d, result %u of lane %u: %a, kernel %a",
            how, image->format->name, image->desc.width, image->desc.height, image->desc.depth,
            s->address[0], s->address[1], s->address[2], linear, i / TEX_LANES, i % TEX_LANES,
            got->c[0][i], want->c[0][i]);
}

static void compare(const struct tex_sampler_private *s, const struct tex_image *image, bool linear,
                    bool two_levels)
{
    struct tex_emit_shape shape;
    struct lanes want, got;
    struct ir_fault fault;
    struct call call;
    struct ir *ir;

    if (!tex_level_shape(s, linear, two_levels, &shape))
        return;
    ir = tex_emit_function(&shape);
    ck_assert(ir && ir_status(ir) == ST_OK);
    ck_assert_msg(ir_verify(ir, &fault) == ST_OK, "%u: %s", fault.at, fault.rule);
    random_call(&call, s, image, two_levels);
    by_kernel(&call, s, linear, &want);
    by_interpreter(&call, s, ir, &got);
    check_same(&got, &want, "interpreter", s, image, linear);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        if (by_code(&call, s, ir, (enum cpu_isa)isa, &got))
            check_same(&got, &want, cpu_isa_name((enum cpu_isa)isa), s, image, linear);
    ir_destroy(ir);
}

START_TEST(functions_equal_kernels)
{
    static uint32_t palette[256];
    struct fp_mode old = fp_enter();

    seed = (uint64_t)_i * 77 + 5;
    for (unsigned i = 0; i < 256; i++)
        palette[i] = random32();
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct tex_image *image = random_image(n);
        struct tex_sampler sampler;
        const struct tex_sampler_private *s = random_sampler(&sampler, image, palette);

        for (unsigned linear = 0; linear < 2; linear++) {
            compare(s, image, linear, false);
            if (image->desc.levels > 1)
                compare(s, image, linear, true);
        }
        tex_image_unref(&image);
    }
    fp_leave(old);
}
END_TEST

/* Only with WRAP are the neighbours of edges elsewhere. _i: the address mode, from 1 on. */
START_TEST(edges_load_texels_of_wrap_only)
{
    const struct tex_emit_shape shape = {.texel_class = TEX_EMIT_FLOAT,
                                         .bytes = 4,
                                         .axes = 2,
                                         .linear = true,
                                         .address = {(uint8_t)_i, (uint8_t)_i, 1},
                                         .bits = {32}};
    struct ir *ir = tex_emit_function(&shape);
    uint32_t n, rare = 0, loads = 0;
    const struct ir_inst *inst = ir_insts(ir, &n);

    for (uint32_t i = 1; i < n; i++) {
        rare += inst[i].op == IR_IF && inst[i].imm;
        loads += inst[i].op == IR_GATHER;
    }
    ck_assert_uint_eq(rare, _i == D3DTADDRESS_WRAP);
    ck_assert_uint_eq(loads, _i == D3DTADDRESS_WRAP ? 6 : 4);
    ir_destroy(ir);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tex/emit");
    TCase *tc = tcase_create("emit");

    tcase_add_loop_test(tc, functions_equal_kernels, 0, SEEDS);
    tcase_add_loop_test(tc, edges_load_texels_of_wrap_only, 1, 6);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
