/* Solid blend in u8: replaces the float blend of one colour by an integer multiply-add per channel.
 *
 * With a constant source, each channel is a function of the stored byte, usually linear plus
 * rounding. The coefficients are tested against the float blend for all 256 bytes. */
#include "raster/output/solid_blend_u8.h"

enum { CODES = 256, ROW_PIXELS = 32, SCALE_RADIUS = 4 };

/* Whether a factor depends on the stored alpha, so that a channel is no function of its own
 * byte. */
static bool needs_alpha(unsigned factor)
{
    return factor == D3DBLEND_DESTALPHA || factor == D3DBLEND_INVDESTALPHA ||
           factor == D3DBLEND_SRCALPHASAT;
}

/* Slope of the blend over the stored value, if it is linear; s and alpha are the source's. */
static float slope_of(const struct raster_blend *blend, float s, float alpha, float k)
{
    float slope = blend->src == D3DBLEND_DESTCOLOR ? s : 0.0f;

    switch (blend->dst) {
    case D3DBLEND_ONE:
        return slope + 1.0f;
    case D3DBLEND_SRCCOLOR:
        return slope + s;
    case D3DBLEND_INVSRCCOLOR:
        return slope + (1.0f - s);
    case D3DBLEND_SRCALPHA:
    case D3DBLEND_BOTHSRCALPHA:
        return slope + alpha;
    case D3DBLEND_INVSRCALPHA:
    case D3DBLEND_BOTHINVSRCALPHA:
        return slope + (1.0f - alpha);
    case D3DBLEND_BLENDFACTOR:
        return slope + k;
    case D3DBLEND_INVBLENDFACTOR:
        return slope + (1.0f - k);
    default:
        return slope;
    }
}

/* Finds sum so that (byte * scale / 256 + sum) / 256, truncated and saturated to 255, is to[byte]
 * for all bytes; negative: none exists. */
static int32_t sum_for(const uint8_t to[CODES], uint32_t scale)
{
    int32_t low = 0, high = (CODES << 8) - 1;

    for (uint32_t byte = 0; byte < CODES; byte++) {
        int32_t least = (to[byte] << 8) - (int32_t)(byte * scale >> 8);

        low = least > low ? least : low;
        if (to[byte] != CODES - 1 && least + 255 < high)
            high = least + 255;
    }
    return low <= high ? low + (high - low) / 2 : -1;
}

/* Finds a scale and a sum for one byte of the words. The scale is the slope in 1/65536, or up to
 * SCALE_RADIUS more or less, because products are truncated. */
static bool find_coefficients(struct solid_blend_u8 *coeffs, unsigned byte, const uint8_t to[CODES],
                              float slope)
{
    int32_t guess = slope > 0.0f ? slope < 1.0f ? (int32_t)(slope * 65536.0f + 0.5f) : 65535 : 0;

    for (int32_t i = 0; i <= 2 * SCALE_RADIUS; i++) {
        int32_t scale = guess + (i % 2 ? -(i + 1) / 2 : i / 2), sum;

        if (scale < 0 || scale > 65535 || (sum = sum_for(to, (uint32_t)scale)) < 0)
            continue;
        coeffs->scale[byte & 1] |= (uint32_t)scale << byte / 2 * 16;
        coeffs->sum[byte & 1] |= (uint32_t)sum << byte / 2 * 16;
        return true;
    }
    return false;
}

static float clamped(float value)
{
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

bool raster_solid_blend_u8_find(struct solid_blend_u8 *coeffs, const struct raster_blend_kern *kern,
                                const struct raster_pixel_write *how, const float colour[4])
{
    const struct raster_blend_params *params = how->blend;
    struct raster_pixel_write all = *how;
    uint32_t words[CODES];
    uint8_t to[CODES];

    if (how->alpha && (needs_alpha(params->rgb.src) || needs_alpha(params->rgb.dst)))
        return false;
    for (uint32_t i = 0; i < CODES; i++)
        words[i] = i * 0x01010101u;
    all.keeps = false;
    kern->solid(&all, (uint8_t *)words, ROW_PIXELS * 4, ROW_PIXELS, CODES / ROW_PIXELS, colour);
    *coeffs = (struct solid_blend_u8){.keep = how->keep[0]};
    for (unsigned byte = 0; byte < 4; byte++) {
        unsigned c = byte == 3 || how->red_lowest ? byte : 2 - byte;
        const struct raster_blend *blend = c == 3 ? &params->alpha : &params->rgb;
        float slope = slope_of(blend, clamped(colour[c]), clamped(colour[3]), params->factor[c]);

        for (unsigned i = 0; i < CODES; i++)
            to[i] = (uint8_t)(words[i] >> 8 * byte);
        if (!find_coefficients(coeffs, byte, to, byte == 3 && !how->alpha ? 0.0f : slope))
            return false;
    }
    return true;
}
