/* The function of a target: loads, blending, packing and stores.
 *
 * Tested by tests/unit/raster/merge/test_merge.c. */
#include "raster/merge/merge.h"

#include "raster/merge/emit.h"
#include "tex/tex.h"

enum { LANES_BYTES = 4 * IR_LANES };
enum {
    CONSTANT_BASES =
        15u << RASTER_MERGE_COLOURS | 1u << RASTER_MERGE_UNIFORMS | 1u << RASTER_MERGE_TABLES
};

/* --- Shapes ----------------------------------------------------------------------------------- */

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

/* --- Functions -------------------------------------------------------------------------------- */

struct ir *raster_merge_function(const struct raster_merge_target *target)
{
    unsigned layout = target->format->layout, bytes = target->format->bytes;
    struct ir *ir = ir_create(CONSTANT_BASES);
    const struct merge m = {ir, target,
                            layout != TEX_LAYOUT_FLOAT16 && layout != TEX_LAYOUT_FLOAT32};
    struct merge_value value[4];
    ir_ref word[4], stored[4];

    if (!ir)
        return NULL;
    for (unsigned c = 0; c < 4; c++) {
        word[c] = ir_emit_mem(ir, IR_LOAD, RASTER_MERGE_PIXELS, c * LANES_BYTES, 0, 0, 0);
        value[c] = (struct merge_value){
            ir_emit_mem(ir, IR_LOAD, RASTER_MERGE_COLOURS + c, 0, 0, 0, 0), true, true};
    }
    if (target->blends) {
        merge_unpack(&m, word, stored);
        merge_blend(&m, stored, value);
    }
    for (unsigned w = 0; w < (bytes <= 4 ? 1 : bytes / 4); w++)
        ir_emit_mem(ir, IR_STORE, RASTER_MERGE_PIXELS, w * LANES_BYTES,
                    merge_pack(&m, w, word[w], value), 0, 0);
    return ir;
}
