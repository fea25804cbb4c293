/* The filter CONVOLUTIONMONO: a box of up to 7x7 texels of an A1 image, whose edges are weighted by
 * the fractions of the position (reference: texture/convolution).
 *
 * Tested by tests/unit/tex/sample/test_convolution.c. */
#include "tex/sample/sampler.h"

#include <math.h>

enum { MOST = 7 };

/* Texels beyond the edges are 0. The level is a decoded copy. */
static float texel(const struct tex_level *level, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= level->width || y >= level->height)
        return 0.0f;
    return level->data[(size_t)y * level->row_pitch + (size_t)x * 4 + 3] ? 1.0f : 0.0f;
}

/* The first texel of a kernel along an axis, and the fraction by which it lies to the left of the
 * kernel. A position that is not finite has no texels. */
static int64_t first_texel(float coord, float size, unsigned n, float *fraction)
{
    float at = coord * size - 0.5f * (float)n, whole = floorf(at);

    if (!(fabsf(at) < 1e9f)) {
        *fraction = 0.0f;
        return -(INT64_C(1) << 40);
    }
    *fraction = at - whole;
    return (int64_t)whole;
}

static float sum_row(const struct tex_level *level, int64_t x, int64_t y, unsigned n,
                     float fraction)
{
    float sum = 0.0f;

    for (unsigned j = 0; j < n; j++)
        sum += texel(level, x + j, y) * (1.0f - fraction) + texel(level, x + j + 1, y) * fraction;
    return sum;
}

static float convolve(const struct tex_sampler_private *s, const struct tex_level *level, float u,
                      float v)
{
    float row[MOST + 1], alpha, beta, sum = 0.0f;
    int64_t x = first_texel(u, (float)level->width, s->kernel[0], &beta);
    int64_t y = first_texel(v, (float)level->height, s->kernel[1], &alpha);

    for (unsigned k = 0; k <= s->kernel[1]; k++)
        row[k] = sum_row(level, x, y + k, s->kernel[0], beta);
    for (unsigned i = 0; i < s->kernel[1]; i++)
        sum += row[i] * (1.0f - alpha) + row[i + 1] * alpha;
    return sum / (float)(s->kernel[0] * s->kernel[1]);
}

static void convolution(const struct tex_sampler_private *s, const struct tex_level *level,
                        const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    for (unsigned i = 0; i < TEX_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        for (int c = 0; c < 3; c++)
            if (out[c])
                out[c][i] = 0.0f;
        if (out[3])
            out[3][i] = convolve(s, level, at->axis[0][i], at->axis[1][i]);
    }
}

bool tex_convolves(const struct tex_image *image, const struct tex_sampler_state *state)
{
    uint32_t width = state->convolution & 255, height = state->convolution >> 8;

    return image->format->d3d == D3DFMT_A1 && image->desc.shape == TEX_2D && width &&
           width <= MOST && height && height <= MOST;
}

void tex_set_convolution(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    s->kernel[0] = state->convolution & 255;
    s->kernel[1] = (uint8_t)(state->convolution >> 8);
    s->address[0] = s->address[1] = D3DTADDRESS_BORDER;
    s->minify = s->magnify = convolution;
    s->minify_levels = NULL;
    s->minify_taps = NULL;
    s->minify_code = s->magnify_code = s->levels_code = NULL;
    s->quad_texels = NULL;
    s->decode_cache = NULL; /* all pages are decoded */
    s->mip_filter = D3DTEXF_NONE;
    s->max_taps = 1.0f;
    s->needs_lod = false;
}
