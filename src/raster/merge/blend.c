/* Blend equations as operations, with the bits of raster/output/blend_lanes.h (reference:
 * blend/factors).
 *
 * Values of a fixed format are numbers in [0, 1], so that a term with a factor 0 or 1 needs no
 * operation, and the result must be clamped only where a sum may exceed 1 or a difference may be
 * negative. Those of a float format keep the exact form: a sum with 0 flushes a denormal and loses
 * the sign of a zero.
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/emit.h"

/* The colours of one channel: source and destination, and their alphas. */
struct channel {
    ir_ref s, d, sa, da, k, second;
    bool alpha;
};

static ir_ref one(const struct merge *m)
{
    return ir_const_f32(m->ir, 1.0f);
}

static ir_ref rest(const struct merge *m, ir_ref x)
{
    return merge_op(m->ir, IR_FSUB, one(m), x);
}

static ir_ref factor_of(const struct merge *m, unsigned factor, const struct channel *in)
{
    switch (factor) {
    case D3DBLEND_SRCCOLOR:
        return in->s;
    case D3DBLEND_INVSRCCOLOR:
        return rest(m, in->s);
    case D3DBLEND_SRCALPHA:
    case D3DBLEND_BOTHSRCALPHA:
        return in->sa;
    case D3DBLEND_INVSRCALPHA:
    case D3DBLEND_BOTHINVSRCALPHA:
        return rest(m, in->sa);
    case D3DBLEND_DESTALPHA:
        return in->da;
    case D3DBLEND_INVDESTALPHA:
        return rest(m, in->da);
    case D3DBLEND_DESTCOLOR:
        return in->d;
    case D3DBLEND_INVDESTCOLOR:
        return rest(m, in->d);
    case D3DBLEND_SRCALPHASAT:
        return in->alpha ? one(m) : merge_op(m->ir, IR_FMIN, in->sa, rest(m, in->da));
    case D3DBLEND_BLENDFACTOR:
        return in->k;
    case D3DBLEND_INVBLENDFACTOR:
        return rest(m, in->k);
    case D3DBLEND_SRCCOLOR2:
        return in->second;
    case D3DBLEND_INVSRCCOLOR2:
        return rest(m, in->second);
    default:
        return one(m);
    }
}

/* A product with a factor; of fixed formats 0 (no value) for a term that is zero. */
static ir_ref term_of(const struct merge *m, unsigned factor, ir_ref colour,
                      const struct channel *in)
{
    ir_ref zero = ir_const_f32(m->ir, 0.0f), by;

    if (factor == D3DBLEND_ONE)
        return colour;
    if (factor == D3DBLEND_ZERO)
        return m->fixed ? 0 : zero;
    by = factor_of(m, factor, in);
    if (m->fixed && by == one(m))
        return colour;
    if (m->fixed && (by == zero || colour == zero))
        return 0;
    return merge_op(m->ir, IR_FMUL, colour, by);
}

static struct merge_value sum_of(const struct merge *m, ir_ref s, ir_ref d)
{
    if (!s || !d)
        return (struct merge_value){.ref = s ? s : d ? d : ir_const_f32(m->ir, 0.0f)};
    return (struct merge_value){.ref = merge_op(m->ir, IR_FADD, s, d), .above = true};
}

static struct merge_value difference_of(const struct merge *m, ir_ref a, ir_ref b)
{
    if (!a || !b)
        return (struct merge_value){.ref = a ? a : ir_const_f32(m->ir, 0.0f)};
    return (struct merge_value){.ref = merge_op(m->ir, IR_FSUB, a, b), .below = true};
}

static struct merge_value blend_channel(const struct merge *m, const struct raster_blend *blend,
                                        const struct channel *in)
{
    ir_ref s, d;

    if (blend->op == D3DBLENDOP_MIN || blend->op == D3DBLENDOP_MAX) {
        enum ir_op op = blend->op == D3DBLENDOP_MIN ? IR_FMIN : IR_FMAX;

        return (struct merge_value){.ref = merge_op(m->ir, op, in->s, in->d)};
    }
    s = term_of(m, blend->src, in->s, in);
    d = term_of(m, blend->dst, in->d, in);
    if (blend->op == D3DBLENDOP_SUBTRACT)
        return difference_of(m, s, d);
    if (blend->op == D3DBLENDOP_REVSUBTRACT)
        return difference_of(m, d, s);
    return sum_of(m, s, d);
}

/* Clamped to [0, 1]; NaN gives 0. */
static ir_ref saturated(struct ir *ir, ir_ref x)
{
    return merge_op(ir, IR_FMIN, merge_op(ir, IR_FMAX, x, ir_const_f32(ir, 0.0f)),
                    ir_const_f32(ir, 1.0f));
}

void merge_blend(const struct merge *m, const ir_ref stored[4], struct merge_value value[4])
{
    const struct raster_merge_target *target = m->target;
    struct channel in = {.da = stored[3]};
    ir_ref source[4];

    for (unsigned c = 0; c < 4; c++)
        source[c] = m->fixed ? saturated(m->ir, value[c].ref) : value[c].ref;
    in.sa = source[3];
    for (unsigned c = 0; c < 4; c++) {
        if (!merge_writes(target, c))
            continue;
        in.alpha = c == 3;
        in.s = source[c];
        in.d = stored[c];
        in.second = m->fixed ? saturated(m->ir, m->second[c]) : m->second[c];
        in.k = merge_uniform(m->ir, offsetof(struct raster_merge_uniforms, factor) +
                                        (m->n * 4 + c) * sizeof(float));
        value[c] = blend_channel(m, c == 3 ? &target->alpha : &target->rgb, &in);
    }
}
