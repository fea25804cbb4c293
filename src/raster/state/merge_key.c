/* The output merger of a draw as a key: shapes of targets, fog and the alpha test.
 *
 * Tested by tests/unit/raster/state/test_pipeline.c. */
#include "raster/state/decide.h"

#include "raster/merge/merge.h"
#include "raster/state/pixel_write.h"
#include "util/cpu.h"
#include "util/variant.h"

#include <string.h>

void raster_merge_target_init(struct raster_merge_target *target, const struct tex_format *format,
                              const struct raster_state *state, unsigned write_mask)
{
    memset(target, 0, sizeof(*target)); /* padding, too */
    target->format = format;
    target->srgb = state->srgb_write && (format->caps & TEX_SRGB_WRITE);
    target->write_mask = (uint8_t)(write_mask & 15);
    target->blends = state->blend_enable;
    if (state->blend_enable) {
        target->rgb = state->blend_rgb;
        target->alpha = state->separate_alpha ? state->blend_alpha : state->blend_rgb;
    }
}

unsigned raster_alpha_bits(const struct tex_format *format)
{
    unsigned bits = 8;

    for (unsigned c = 0; format && c < 4; c++)
        bits = format->channel[c].bits > bits ? format->channel[c].bits : bits;
    return bits;
}

static bool stores_floats(const struct tex_format *format)
{
    return format && (format->layout == TEX_LAYOUT_FLOAT16 || format->layout == TEX_LAYOUT_FLOAT32);
}

static bool writes_any(const struct tex_format *format, unsigned write_mask)
{
    for (unsigned c = 0; c < 4; c++)
        if (format->channel[c].bits && (write_mask >> c & 1))
            return true;
    return false;
}

/* Whether a shader takes the operations. They do not know where a pixel lies, as dithering must.
 * Samples whose stored pixels are read are merged one by one. AVX-512 kernels encode sRGB faster
 * than a table does. */
static bool suits_shader(const struct raster_merge_target *target, const struct raster_state *state,
                         unsigned samples)
{
    return raster_merge_supports(target) && !raster_dithers(state, target->format) &&
           !(samples > 1 && raster_merge_reads(target)) &&
           !(target->srgb && cpu_isa() == ISA_AVX512);
}

bool raster_merge_key_init(struct raster_merge_key *key, const struct raster_targets *targets,
                           const struct raster_state *state)
{
    bool writes = false;

    memset(key, 0, sizeof(*key));
    if (variant_current || state->antialiased_lines ||
        (state->alpha_to_coverage && targets->samples > 1))
        return false;
    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        const struct tex_format *format = targets->colour[t].format;

        if (!format || !(state->colours >> t & 1) || !writes_any(format, state->write_mask[t]))
            continue;
        raster_merge_target_init(&key->target[t], format, state, state->write_mask[t]);
        if (!suits_shader(&key->target[t], state, targets->samples))
            return false;
        writes = true;
    }
    if (key->target[0].format)
        key->fog = raster_fog_mode(state);
    if (state->alpha_test && state->alpha_func != D3DCMP_ALWAYS && (state->colours & 1)) {
        const struct tex_format *format = targets->colour[0].format;

        key->alpha_func = state->alpha_func;
        key->alpha_bits = stores_floats(format) ? 0 : (uint8_t)raster_alpha_bits(format);
    }
    return writes;
}
