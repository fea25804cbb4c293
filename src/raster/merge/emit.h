/* The parts of a merge function, and short names for operations. Private to the module. */
#ifndef RASTER_MERGE_EMIT_H
#define RASTER_MERGE_EMIT_H

#include "raster/merge/merge.h"

#include <stddef.h>

/* A target of a function under construction. */
struct merge {
    struct ir *ir;
    const struct raster_merge_target *target;
    unsigned n;           /* its number */
    bool fixed;           /* a format without floats: colours are clamped before they are blended */
    const ir_ref *second; /* the second source colour */
};

/* A channel's value. Those of a fixed format are numbers in [0, 1] but for these. */
struct merge_value {
    ir_ref ref;
    bool above, below; /* it may be greater than 1; it may be less than 0 or NaN */
};

static inline ir_ref merge_op(struct ir *ir, enum ir_op op, ir_ref a, ir_ref b)
{
    return ir_emit(ir, op, a, b, 0, 0);
}
static inline ir_ref merge_shift(struct ir *ir, enum ir_op op, ir_ref a, unsigned bits)
{
    return bits ? ir_emit(ir, op, a, 0, 0, bits) : a;
}
static inline ir_ref merge_and(struct ir *ir, ir_ref a, uint32_t bits)
{
    return merge_op(ir, IR_IAND, a, ir_const_i32(ir, (int32_t)bits));
}
static inline ir_ref merge_uniform(struct ir *ir, size_t at)
{
    return ir_emit_mem(ir, IR_UNIFORM, RASTER_MERGE_UNIFORMS, (uint32_t)at, 0, 0, 0);
}

/* The bits of a channel in its word. */
static inline uint32_t merge_field(const struct tex_channel *channel)
{
    return (uint32_t)((UINT64_C(1) << channel->bits) - 1) << channel->shift % 32;
}
static inline bool merge_writes(const struct raster_merge_target *target, unsigned c)
{
    return target->format->channel[c].bits && target->write_mask >> c & 1;
}

/* fog.c: replaces the colour by the fogged one. */
void merge_fog(struct ir *ir, unsigned mode, ir_ref rgb[3]);

/* blend.c: value: the source, then the result; of channels that are not written it is undefined. */
void merge_blend(const struct merge *m, const ir_ref stored[4], struct merge_value value[4]);

/* pixel.c: The stored colour of a pixel's words, and the words of a colour. Words of which all bits
 * stay are not packed. */
void merge_unpack(const struct merge *m, const ir_ref word[4], ir_ref stored[4]);
ir_ref merge_pack(const struct merge *m, unsigned w, ir_ref old, const struct merge_value value[4]);

#endif
