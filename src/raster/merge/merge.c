/* The operations of a key: alpha test, fog, targets.
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/merge.h"

#include "raster/merge/emit.h"
#include "tex/tex.h"

#include <string.h>

enum { LANES_BYTES = 4 * IR_LANES };
enum {
    CONSTANT_BASES =
        15u << RASTER_MERGE_COLOURS | 1u << RASTER_MERGE_UNIFORMS | 1u << RASTER_MERGE_TABLES
};

/* --- Keys ------------------------------------------------------------------------------------- */

bool raster_merge_supports(const struct raster_merge_target *target)
{
    const struct tex_format *format = target->format;
    bool has_pixels = format->layout == TEX_LAYOUT_UNORM ||
                      format->layout == TEX_LAYOUT_LUMINANCE ||
                      format->layout == TEX_LAYOUT_FLOAT16 || format->layout == TEX_LAYOUT_FLOAT32;

    return has_pixels && format->bytes != 3 && (!target->srgb || tex_is_8888(format));
}

static bool reads_stored(const struct raster_blend *blend)
{
    bool ignores =
        blend->op != D3DBLENDOP_MIN && blend->op != D3DBLENDOP_MAX && blend->dst == D3DBLEND_ZERO;

    switch (blend->src) {
    case D3DBLEND_DESTALPHA:
    case D3DBLEND_INVDESTALPHA:
    case D3DBLEND_DESTCOLOR:
    case D3DBLEND_INVDESTCOLOR:
    case D3DBLEND_SRCALPHASAT:
        return true;
    default:
        return !ignores;
    }
}

bool raster_merge_reads(const struct raster_merge_target *target)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!target->format->channel[c].bits)
            continue;
        if (!merge_writes(target, c))
            return true;
        if (target->blends && reads_stored(c == 3 ? &target->alpha : &target->rgb))
            return true;
    }
    return false;
}

/* --- Alpha test ------------------------------------------------------------------------------- */

/* NaN passes NOTEQUAL alone. */
static ir_ref passes_floats(struct ir *ir, unsigned func, ir_ref a, ir_ref reference)
{
    switch (func) {
    case D3DCMP_LESS:
        return merge_op(ir, IR_FLT, a, reference);
    case D3DCMP_EQUAL:
        return merge_op(ir, IR_FEQ, a, reference);
    case D3DCMP_LESSEQUAL:
        return merge_op(ir, IR_FLE, a, reference);
    case D3DCMP_GREATER:
        return merge_op(ir, IR_FLT, reference, a);
    case D3DCMP_NOTEQUAL:
        return merge_op(ir, IR_MNOT, merge_op(ir, IR_FEQ, a, reference), 0);
    case D3DCMP_GREATEREQUAL:
        return merge_op(ir, IR_FLE, reference, a);
    default:
        return ir_emit(ir, IR_MCONST, 0, 0, 0, 0); /* NEVER */
    }
}

/* The code is floor(a + 1/2), so code >= n if and only if a >= n - 1/2. */
static ir_ref passes_codes(struct ir *ir, unsigned func, ir_ref a, ir_ref from, ir_ref to)
{
    ir_ref at_least = merge_op(ir, IR_FLE, from, a), above = merge_op(ir, IR_FLE, to, a);

    switch (func) {
    case D3DCMP_LESS:
        return merge_op(ir, IR_MNOT, at_least, 0);
    case D3DCMP_EQUAL:
        return merge_op(ir, IR_MANDNOT, at_least, above);
    case D3DCMP_LESSEQUAL:
        return merge_op(ir, IR_MNOT, above, 0);
    case D3DCMP_GREATER:
        return above;
    case D3DCMP_NOTEQUAL:
        return merge_op(ir, IR_MNOT, merge_op(ir, IR_MANDNOT, at_least, above), 0);
    case D3DCMP_GREATEREQUAL:
        return at_least;
    default:
        return ir_emit(ir, IR_MCONST, 0, 0, 0, 0); /* NEVER */
    }
}

/* a: alpha of target 0. */
static ir_ref alpha_test(struct ir *ir, const struct raster_merge_key *key, ir_ref a)
{
    size_t at = offsetof(struct raster_merge_uniforms, alpha_reference);
    ir_ref from = merge_uniform(ir, at), to = merge_uniform(ir, at + sizeof(float));

    if (!key->alpha_bits)
        return passes_floats(ir, key->alpha_func, a, from);
    a = merge_op(ir, IR_FMIN, merge_op(ir, IR_FMAX, a, ir_const_f32(ir, 0.0f)),
                 ir_const_f32(ir, 1.0f));
    a = merge_op(ir, IR_FMUL, a, ir_const_f32(ir, (float)((UINT64_C(1) << key->alpha_bits) - 1)));
    return passes_codes(ir, key->alpha_func, a, from, to);
}

/* --- Targets ---------------------------------------------------------------------------------- */

/* n: the target's number. second: the other source colour of blending. */
static void emit_target(struct ir *ir, const struct raster_merge_target *target, unsigned n,
                        const ir_ref colour[4], const ir_ref second[4])
{
    unsigned layout = target->format->layout, bytes = target->format->bytes;
    const struct merge m = {ir, target, n,
                            layout != TEX_LAYOUT_FLOAT16 && layout != TEX_LAYOUT_FLOAT32, second};
    struct merge_value value[4];
    ir_ref word[4], stored[4];

    for (unsigned c = 0; c < 4; c++) {
        word[c] = ir_emit_mem(ir, IR_LOAD, RASTER_MERGE_PIXELS, (n * 4 + c) * LANES_BYTES, 0, 0, 0);
        value[c] = (struct merge_value){colour[c], true, true};
    }
    if (target->blends) {
        merge_unpack(&m, word, stored);
        merge_blend(&m, stored, value);
    }
    for (unsigned w = 0; w < (bytes <= 4 ? 1 : bytes / 4); w++)
        ir_emit_mem(ir, IR_STORE, RASTER_MERGE_PIXELS, (n * 4 + w) * LANES_BYTES,
                    merge_pack(&m, w, word[w], value), 0, 0);
}

ir_ref raster_merge_emit(struct ir *ir, const struct raster_merge_key *key,
                         const ir_ref (*colour)[4])
{
    ir_ref passed = key->alpha_func ? alpha_test(ir, key, colour[0][3]) : 0;

    for (unsigned n = 0; n < RASTER_TARGETS; n++) {
        ir_ref fogged[4];

        if (!key->target[n].format)
            continue;
        memcpy(fogged, colour[n], sizeof(fogged));
        if (n == 0 && key->fog != RASTER_FOG_NONE)
            merge_fog(ir, key->fog, fogged);
        emit_target(ir, &key->target[n], n, fogged, colour[1]);
    }
    return passed;
}

struct ir *raster_merge_target_function(const struct raster_merge_target *target)
{
    struct ir *ir = ir_create(CONSTANT_BASES);
    ir_ref colour[4], second[4];

    if (!ir)
        return NULL;
    for (unsigned c = 0; c < 4; c++) {
        colour[c] = ir_emit_mem(ir, IR_LOAD, RASTER_MERGE_COLOURS + c, 0, 0, 0, 0);
        second[c] = ir_const_f32(ir, 0.0f);
    }
    emit_target(ir, target, 0, colour, second);
    return ir;
}
