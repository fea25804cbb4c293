/* Stored pixels as operations: colours from words, and words from colours, with the bits of
 * raster_output_kern (reference: numbers/unorm, numbers/nan, numbers/denormals).
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/emit.h"

/* --- Colours from words ----------------------------------------------------------------------- */

/* What a stored sRGB code means. */
static ir_ref decoded(struct ir *ir, ir_ref word, unsigned shift)
{
    ir_ref all = ir_emit(ir, IR_MCONST, 0, 0, 0, 1), at;

    at = shift < 2 ? merge_shift(ir, IR_ISHL, word, 2 - shift)
                   : merge_shift(ir, IR_ISHR, word, shift - 2);
    at = merge_and(ir, at, 255 * sizeof(float));
    return ir_emit_mem(ir, IR_GATHER, RASTER_MERGE_TABLES,
                       offsetof(struct raster_merge_tables, linear), at, all, 0);
}

static ir_ref unpack_channel(const struct merge *m, unsigned c, const ir_ref word[4])
{
    const struct tex_format *format = m->target->format;
    const struct tex_channel *channel = &format->channel[c];
    ir_ref from = word[channel->shift / 32];
    unsigned shift = channel->shift % 32;

    if (!channel->bits)
        return ir_const_f32(m->ir, (float)format->absent[c]);
    if (format->layout == TEX_LAYOUT_FLOAT32)
        return from;
    if (format->layout == TEX_LAYOUT_FLOAT16)
        return ir_emit(m->ir, IR_H2F, from, 0, 0, shift);
    if (m->target->srgb && c < 3)
        return decoded(m->ir, from, shift);
    return ir_emit(m->ir, IR_UNORM, from, 0, 0, shift | (channel->bits - 1u) << 5);
}

void merge_unpack(const struct merge *m, const ir_ref word[4], ir_ref stored[4])
{
    for (unsigned c = 0; c < 4; c++)
        stored[c] = unpack_channel(m, c, word);
    if (m->target->format->layout == TEX_LAYOUT_LUMINANCE)
        stored[1] = stored[2] = stored[0];
}

/* --- Words from colours ----------------------------------------------------------------------- */

static ir_ref at_least(struct ir *ir, ir_ref x, float least)
{
    return merge_op(ir, IR_FMAX, x, ir_const_f32(ir, least));
}

static ir_ref at_most_one(struct ir *ir, const struct merge_value *value, ir_ref x)
{
    return value->above ? merge_op(ir, IR_FMIN, x, ir_const_f32(ir, 1.0f)) : x;
}

/* The code of a colour in its place, by a table of floats: see struct raster_merge_tables. Colours
 * below 2^-13 have code 0. */
static ir_ref srgb_code(struct ir *ir, const struct merge_value *value, unsigned shift)
{
    ir_ref x = at_most_one(ir, value, at_least(ir, value->ref, 0x1p-13f)), at, code;

    at = merge_and(ir, merge_shift(ir, IR_ISHR, x, 14), 0x7ff * sizeof(uint32_t));
    code =
        ir_emit_mem(ir, IR_GATHER, RASTER_MERGE_TABLES, offsetof(struct raster_merge_tables, code),
                    at, ir_emit(ir, IR_MCONST, 0, 0, 0, 1), 0);
    code = merge_op(ir, IR_IADD, code, merge_and(ir, x, 0xffff));
    code = merge_shift(ir, IR_ISHR, code, 16 - shift);
    return shift ? merge_and(ir, code, 255u << shift) : code;
}

/* Rounds to nearest, halves up. */
static ir_ref unorm_code(struct ir *ir, const struct merge_value *value,
                         const struct tex_channel *channel)
{
    float max = (float)((1u << channel->bits) - 1);
    ir_ref x = value->below ? at_least(ir, value->ref, 0.0f) : value->ref;

    x = merge_op(ir, IR_FMUL, at_most_one(ir, value, x), ir_const_f32(ir, max));
    x = merge_op(ir, IR_F2I, merge_op(ir, IR_FADD, x, ir_const_f32(ir, 0.5f)), 0);
    return merge_shift(ir, IR_ISHL, x, channel->shift % 32);
}

/* Canonical NaN; denormals become zeros of their sign, as in the sum with -0. */
static ir_ref canonical(struct ir *ir, ir_ref x)
{
    ir_ref sum = merge_op(ir, IR_FADD, x, ir_const_f32(ir, -0.0f));

    return ir_emit(ir, IR_SELECT, merge_op(ir, IR_FUNORD, x, x), ir_const_i32(ir, 0x7fc00000), sum,
                   0);
}

/* A channel's bits in their place; the others are 0. */
static ir_ref pack_channel(const struct merge *m, unsigned c, const struct merge_value *value)
{
    const struct tex_channel *channel = &m->target->format->channel[c];
    struct ir *ir = m->ir;

    if (m->target->format->layout == TEX_LAYOUT_FLOAT32)
        return canonical(ir, value->ref);
    if (m->target->format->layout == TEX_LAYOUT_FLOAT16)
        return merge_shift(ir, IR_ISHL, merge_op(ir, IR_F2H, value->ref, 0), channel->shift % 32);
    if (m->target->srgb && c < 3)
        return srgb_code(ir, value, channel->shift % 32);
    return unorm_code(ir, value, channel);
}

static bool writes_any(const struct raster_merge_target *target)
{
    return merge_writes(target, 0) || merge_writes(target, 1) || merge_writes(target, 2) ||
           merge_writes(target, 3);
}

ir_ref merge_pack(const struct merge *m, unsigned w, ir_ref old, const struct merge_value value[4])
{
    const struct tex_format *format = m->target->format;
    uint32_t keep = 0, used = 0;
    ir_ref word = 0;

    for (unsigned c = 0; c < 4; c++) {
        const struct tex_channel *channel = &format->channel[c];

        if (!channel->bits || channel->shift / 32 != w)
            continue;
        used |= merge_field(channel);
        if (merge_writes(m->target, c)) {
            ir_ref bits = pack_channel(m, c, &value[c]);

            word = word ? merge_op(m->ir, IR_IOR, word, bits) : bits;
        } else {
            keep |= merge_field(channel);
        }
    }
    if (keep == UINT32_MAX || !writes_any(m->target))
        return old;
    if (keep) {
        ir_ref kept = merge_and(m->ir, old, keep);

        word = word ? merge_op(m->ir, IR_IOR, word, kept) : kept;
    }
    if (format->bytes <= 4 && ~used && m->fixed) /* bits that no channel uses are ones */
        word = merge_op(m->ir, IR_IOR, word, ir_const_i32(m->ir, (int32_t)~used));
    return word;
}
