/* Fixed-function pixel shader generator: the texture stage cascade (reference: stage/cascade).
 * Tested by tests/unit/ff/test_pixel.c and tests/unit/ff/test_pixel_cascade.c. */
#include "ff/emit.h"
#include "ff/pixel.h"
#include "ff/pixel_op.h"

#include "util/variant.h"

#include <string.h>

/* CURRENT or TEMP, and the channels (enum pixel_channels) that are known to be in 0 … 1. */
struct pixel_register {
    struct vm_src src;
    unsigned unit_range;
};

struct pixel_code {
    struct vm_builder *b;
    const struct pixel_key *key;
    struct pixel_register current, temp;
    struct vm_src texel[FF_STAGES];
    bool sampled[FF_STAGES];
};

/* --- Sampling -------------------------------------------------------------------------------- */

/* Coordinates perturbed by the texel of the preceding bump stage, after projection. */
static struct vm_src perturb_coords(struct pixel_code *c, unsigned stage, struct vm_src coord)
{
    struct vm_builder *b = c->b;
    struct vm_src bump = c->texel[stage - 1], matrix = vm_build_const(PC_BUMP_MATRIX + stage - 1);
    struct vm_src moved = emit1(b, VM_OP_MOV, VM_MASK_ALL, coord), uv;

    if (c->key->stage[stage].projection) {
        struct vm_src inverse = scalar1(b, VM_OP_RCP, component(coord, 3));

        moved = emit2(b, VM_OP_MUL, VM_MASK_ALL, coord, inverse);
    }
    uv = emit3(b, VM_OP_MAD, VM_MASK_X | VM_MASK_Y, component(bump, 0), matrix, moved);
    vm_emit3(b, VM_OP_MAD, vm_to(moved, VM_MASK_X | VM_MASK_Y), component(bump, 1),
             vm_swizzle(matrix, VM_SWZ(2, 3, 2, 3)), uv);
    return c->key->stage[stage].three_coords ? moved : vm_swizzle(moved, VM_SWZ(0, 1, 1, 1));
}

/* Applies the bump luminance to the texel of a stage, all four components. */
static struct vm_src apply_luminance(struct pixel_code *c, unsigned stage, struct vm_src texel)
{
    struct vm_builder *b = c->b;
    struct vm_src k = vm_build_const(PC_BUMP_LUMINANCE + stage - 1);
    struct vm_src luminance = vm_build_temp(b);

    vm_emit3(b, VM_OP_MAD, vm_saturated(vm_to(luminance, VM_MASK_X)),
             component(c->texel[stage - 1], 2), component(k, 0), component(k, 1));
    return emit2(b, VM_OP_MUL, VM_MASK_ALL, texel, component(luminance, 0));
}

/* Unread components are not interpolated, so the third coordinate is used only where it counts. */
static struct vm_src coordinates(struct pixel_code *c, unsigned stage)
{
    const struct texture_stage *key = &c->key->stage[stage];
    unsigned third = key->three_coords ? 2 : 1,
             divisor = key->projection ? key->projection - 1u : third;

    return vm_swizzle(vm_build_input(c->b, VM_USAGE_TEXCOORD, stage), VM_SWZ(0, 1, third, divisor));
}

static struct vm_src sample(struct pixel_code *c, unsigned stage)
{
    struct vm_builder *b = c->b;
    const struct texture_stage *key = &c->key->stage[stage];
    unsigned before = stage ? c->key->stage[stage - 1].colour.op : 0;
    struct vm_src coord = coordinates(c, stage);
    struct vm_src sampler = vm_build_sampler(b, stage, key->kind);
    struct vm_src texel = vm_build_temp(b);
    bool bump = pixel_op_bumps(before);

    if (bump)
        coord = perturb_coords(c, stage, coord);
    vm_emit_texld(b, vm_to(texel, VM_MASK_ALL), coord, sampler, key->projection && !bump);
    return before == D3DTOP_BUMPENVMAPLUMINANCE ? apply_luminance(c, stage, texel) : texel;
}

/* 1, but not in a variant renderer. */
static float unbound_alpha(void)
{
    return variant_current && variant_current->unbound ? 0.0f : 1.0f;
}

/* Texel of a stage, sampled once. An unbound texture reads as 0, 0, 0, 1, like an unbound
 * sampler. */
static struct vm_src stage_texel(struct pixel_code *c, unsigned stage)
{
    if (!c->sampled[stage]) {
        c->sampled[stage] = true;
        c->texel[stage] = c->key->stage[stage].kind
                              ? sample(c, stage)
                              : vm_build_literal(c->b, 0.0f, 0.0f, 0.0f, unbound_alpha());
    }
    return c->texel[stage];
}

/* --- Arguments ------------------------------------------------------------------------------- */

static struct vm_src selected(struct pixel_code *c, unsigned stage, unsigned arg)
{
    switch (arg & D3DTA_SELECTMASK) {
    case D3DTA_DIFFUSE:
        return vm_build_input(c->b, VM_USAGE_COLOR, 0);
    case D3DTA_TEXTURE:
        return stage_texel(c, stage);
    case D3DTA_TFACTOR:
        return vm_build_const(PC_TFACTOR);
    case D3DTA_SPECULAR:
        return vm_build_input(c->b, VM_USAGE_COLOR, 1);
    case D3DTA_TEMP:
        return c->temp.src;
    case D3DTA_CONSTANT:
        return vm_build_const(PC_CONSTANT + stage);
    default:
        return c->current.src;
    }
}

/* An argument with its modifiers: alpha replicate first, then complement. */
static struct vm_src argument(struct pixel_code *c, unsigned stage, unsigned arg, bool premodulated)
{
    struct vm_src x = selected(c, stage, arg);

    if (premodulated && (arg & D3DTA_SELECTMASK) == D3DTA_CURRENT)
        x = emit2(c->b, VM_OP_MUL, VM_MASK_ALL, x, stage_texel(c, stage));
    if (arg & D3DTA_ALPHAREPLICATE)
        x = component(x, 3);
    if (arg & D3DTA_COMPLEMENT)
        x = emit2(c->b, VM_OP_SUB, VM_MASK_ALL, splat(c->b, 1.0f), x);
    return x;
}

/* --- Stages ---------------------------------------------------------------------------------- */

/* True if an argument is known to be in 0 … 1 in these channels. Vertex colours are not:
 * interpolation may overshoot by a rounding error. */
static bool is_unit_range(const struct pixel_code *c, unsigned stage, unsigned arg,
                          unsigned channels)
{
    const struct texture_stage *key = &c->key->stage[stage];
    bool texel = key->unit_range || !key->kind;

    if (arg & D3DTA_ALPHAREPLICATE)
        channels = PIXEL_ALPHA;
    switch (arg & D3DTA_SELECTMASK) {
    case D3DTA_TEXTURE:
        return texel;
    case D3DTA_TFACTOR:
    case D3DTA_CONSTANT:
        return true;
    case D3DTA_TEMP:
        return (c->temp.unit_range & channels) == channels;
    case D3DTA_CURRENT:
        return (c->current.unit_range & channels) == channels && (texel || !key->premodulated);
    default:
        return false;
    }
}

/* Results known to be in 0 … 1 are not clamped, so that selecting an argument costs nothing. */
static bool needs_clamp(const struct pixel_code *c, unsigned stage, const struct pixel_op *op,
                        unsigned channels)
{
    switch (op->op) {
    case D3DTOP_SELECTARG1:
        return !is_unit_range(c, stage, op->arg[1], channels);
    case D3DTOP_SELECTARG2:
        return !is_unit_range(c, stage, op->arg[2], channels);
    case D3DTOP_MODULATE:
        return !is_unit_range(c, stage, op->arg[1], channels) ||
               !is_unit_range(c, stage, op->arg[2], channels);
    default:
        return true;
    }
}

static struct vm_dst clamped_if(struct vm_dst out, bool clamp)
{
    return clamp ? vm_saturated(out) : out;
}

/* Blend factor of an operation; other operations ignore it. */
static struct vm_src blend_factor(struct pixel_code *c, unsigned stage, unsigned op)
{
    switch (op) {
    case D3DTOP_BLENDTEXTUREALPHA:
    case D3DTOP_BLENDTEXTUREALPHAPM:
        return component(stage_texel(c, stage), 3);
    case D3DTOP_BLENDDIFFUSEALPHA:
        return component(vm_build_input(c->b, VM_USAGE_COLOR, 0), 3);
    case D3DTOP_BLENDFACTORALPHA:
        return component(vm_build_const(PC_TFACTOR), 3);
    default:
        return component(c->current.src, 3);
    }
}

/* Emits the operation of the given channels. Alpha arguments are the w components of the same
 * registers. */
static void emit_channels(struct pixel_code *c, unsigned stage, const struct pixel_op *op,
                          unsigned channels, struct vm_dst out)
{
    bool premodulated = c->key->stage[stage].premodulated & channels;
    struct pixel_op_code o = {.out = clamped_if(out, needs_clamp(c, stage, op, channels)),
                              .factor = blend_factor(c, stage, op->op)};

    for (unsigned i = 0; i < FF_ARGS; i++) {
        if (pixel_op_args(op->op) & 1u << i)
            o.a[i] = argument(c, stage, op->arg[i], premodulated);
    }
    pixel_emit_op(c->b, op->op, &o);
}

static bool colour_equals_alpha(const struct texture_stage *stage)
{
    unsigned premodulated = stage->premodulated;

    return !memcmp(&stage->colour, &stage->alpha, sizeof(stage->colour)) &&
           (!premodulated || premodulated == PIXEL_COLOUR_ALPHA);
}

/* Emits both channels of a stage into `out`, which replaces `old`. Equal operations are emitted
 * once. Returns the channels that are now in 0 … 1. */
static unsigned emit_colour_alpha(struct pixel_code *c, unsigned i, struct vm_dst out,
                                  const struct pixel_register *old)
{
    const struct texture_stage *stage = &c->key->stage[i];
    unsigned written = (stage->colour.op ? PIXEL_COLOUR : 0) | (stage->alpha.op ? PIXEL_ALPHA : 0);
    unsigned kept = written ^ PIXEL_COLOUR_ALPHA;

    if (stage->colour.op == D3DTOP_DOTPRODUCT3 || (!kept && colour_equals_alpha(stage))) {
        emit_channels(c, i, &stage->colour, PIXEL_COLOUR_ALPHA, out);
        return PIXEL_COLOUR_ALPHA;
    }
    if (written & PIXEL_COLOUR)
        emit_channels(c, i, &stage->colour, PIXEL_COLOUR, vm_mask(out, VM_MASK_XYZ));
    if (written & PIXEL_ALPHA)
        emit_channels(c, i, &stage->alpha, PIXEL_ALPHA, vm_mask(out, VM_MASK_W));
    if (kept)
        vm_emit1(c->b, VM_OP_MOV,
                 vm_mask(out, kept == PIXEL_ALPHA    ? VM_MASK_W
                              : kept == PIXEL_COLOUR ? VM_MASK_XYZ
                                                     : VM_MASK_ALL),
                 old->src);
    return written | (old->unit_range & kept);
}

static void emit_stage(struct pixel_code *c, unsigned i)
{
    const struct texture_stage *stage = &c->key->stage[i];
    struct pixel_register *target = stage->to_temp ? &c->temp : &c->current, result;

    if (pixel_op_bumps(stage->colour.op)) {
        (void)stage_texel(c, i);
        return;
    }
    result.src = vm_build_temp(c->b);
    result.unit_range = emit_colour_alpha(c, i, vm_to(result.src, VM_MASK_ALL), target);
    *target = result;
}

/* The last stage writes the result directly, except in two cases: specular is added afterwards, or
 * the stage keeps channels of the vertex colour, which must be clamped. */
static void emit_result(struct pixel_code *c)
{
    struct vm_dst target = vm_build_output(c->b, VM_USAGE_TARGET, 0);
    const struct texture_stage *last =
        c->key->n_stages ? &c->key->stage[c->key->n_stages - 1] : NULL;

    if (last && !c->key->specular && last->colour.op &&
        (last->alpha.op || last->colour.op == D3DTOP_DOTPRODUCT3)) {
        (void)emit_colour_alpha(c, c->key->n_stages - 1u, target, &c->current);
        return;
    }
    if (last)
        emit_stage(c, c->key->n_stages - 1u);
    if (c->key->specular)
        vm_emit2(c->b, VM_OP_ADD, vm_saturated(vm_mask(target, VM_MASK_XYZ)), c->current.src,
                 vm_build_input(c->b, VM_USAGE_COLOR, 1));
    else
        vm_emit1(c->b, VM_OP_MOV,
                 clamped_if(vm_mask(target, VM_MASK_XYZ), !(c->current.unit_range & PIXEL_COLOUR)),
                 c->current.src);
    vm_emit1(c->b, VM_OP_MOV,
             clamped_if(vm_mask(target, VM_MASK_W), !(c->current.unit_range & PIXEL_ALPHA)),
             c->current.src);
}

enum status ff_pixel_build(struct vm_program **out, const struct ff_pixel_key *bytes)
{
    struct pixel_key key;
    struct pixel_code c = {.key = &key};
    enum status st;

    memcpy(&key, bytes, sizeof(key));
    if ((st = vm_builder_create(&c.b, VM_PIXEL)) != ST_OK)
        return st;
    c.current.src = vm_build_input(c.b, VM_USAGE_COLOR, 0);
    c.temp = (struct pixel_register){splat(c.b, 0.0f), PIXEL_COLOUR_ALPHA};
    for (unsigned i = 0; i + 1 < key.n_stages; i++)
        emit_stage(&c, i);
    emit_result(&c);
    return vm_builder_finish(c.b, out);
}
