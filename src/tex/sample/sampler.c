/* Compiles sampler states and an image to a sampler: selects the memory, levels and address modes.
 * texel_kind.c, channels.c, border.c and filters.c do the rest. */
#include "tex/sample/sampler.h"

#include "tex/codec/codec.h"
#include "tex/sample/kernels.h"

#include "util/variant.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- Texels ----------------------------------------------------------------------------------- */

static void set_in_place(struct tex_sampler_private *s, const struct tex_image *image)
{
    s->level = image->level;
    if (image->faces == 6)
        s->face_pitch =
            (int32_t)((image->level[image->desc.levels].data - image->level[0].data) / 4);
}

/* Makes the sampler read the decode cache. User memory may change at any time, so all its pages are
 * decoded now, as are those of a convolution, which reads more than the neighbours of a position.
 */
static enum status set_decoded(struct tex_sampler_private *s, struct tex_image *image,
                               const struct tex_sampler_state *state)
{
    enum status st;

    if (image->shared) /* other users of the memory may have changed it */
        tex_image_touch(image);
    st = tex_decode_cache_update(image);
    if (st != ST_OK)
        return st;
    if (image->user_memory || tex_convolves(image, state))
        tex_decode_cache_require_all(image->decode_cache);
    s->level = image->decode_cache->level;
    s->face_pitch = image->decode_cache->face_pitch;
    return ST_OK;
}

/* Selects the texel kind and the memory: the image itself or its decode cache. */
static enum status set_texels(struct tex_sampler_private *s, struct tex_image *image,
                              const struct tex_sampler_state *state)
{
    bool srgb = state->srgb && image->format->caps & TEX_SRGB_READ;
    enum texel_kind kind = tex_texel_kind(image->format, srgb);
    const struct tex_format *own = image->format, *f = own;

    /* Kernels read whole aligned words and past the end, which user memory does not allow. */
    if (kind == TEXEL_KINDS || image->user_memory) {
        enum status st = set_decoded(s, image, state);

        if (st != ST_OK)
            return st;
        f = image->decode_cache->format;
        srgb = srgb && f->bytes == 4;
        kind = tex_texel_kind(f, srgb);
    } else {
        set_in_place(s, image);
    }
    s->kind = (uint8_t)kind;
    s->shape = (uint8_t)image->desc.shape;
    s->size[0] = (float)image->desc.width;
    s->size[1] = (float)image->desc.height;
    s->size[2] = (float)image->desc.depth;
    if (kind == TEXEL_PALETTE8 || kind == TEXEL_PALETTE16) {
        f = tex_format_get(D3DFMT_A8R8G8B8);
        s->palette = state->palette ? state->palette : tex_grey_palette();
    } else if (f->d3d == TEX_FMT_RAWZ) {
        f = own = tex_format_get(D3DFMT_A8R8G8B8);
    }
    tex_set_channels(s, f, own, srgb);
    tex_set_border(s, own, state->border, srgb);
    return ST_OK;
}

/* --- States ----------------------------------------------------------------------------------- */

static void set_levels(struct tex_sampler_private *s, const struct tex_image *image,
                       const struct tex_sampler_state *state)
{
    uint32_t min_level = state->lod;

    s->mip_filter = tex_is_linear(state->mip_filter) ? D3DTEXF_LINEAR : state->mip_filter;
    if (s->mip_filter != D3DTEXF_NONE && state->max_mip_level > min_level)
        min_level = state->max_mip_level;
    s->max_level = (uint8_t)(image->desc.levels - 1);
    s->min_level = min_level < s->max_level ? (uint8_t)min_level : s->max_level;
    s->base_level = state->lod < s->max_level ? (uint8_t)state->lod : s->max_level;
    if (s->min_level == s->max_level)
        s->mip_filter = D3DTEXF_NONE;
    s->lod_bias = state->lod_bias + (variant_current ? variant_current->lod : 0.0f);
}

/* Sets the decode cache if the sampler may read texels that are not decoded. Without a mip filter
 * it reads one level. Call it after set_levels. */
static void set_decode_cache(struct tex_sampler_private *s, const struct tex_image *image)
{
    struct tex_decode_cache *cache = image->decode_cache;
    uint32_t last = s->mip_filter == D3DTEXF_NONE ? s->min_level : s->max_level;

    if (cache && s->level == cache->level &&
        !tex_decode_cache_is_complete(cache, s->min_level, last))
        s->decode_cache = cache;
}

/* Sets the bounds with which comparisons select levels. Call it after filters are set. */
static void set_lod_bounds(struct tex_sampler_private *s)
{
    /* of level 0 in texels of the level, squared */
    float first = (float)(1u << 2 * s->min_level), base = (float)(1u << 2 * s->base_level);

    s->one_filter = tex_decoded_minify(s) == tex_decoded_magnify(s);
    s->lod_scale2 = 1.0f;
    if (s->lod_bias != 0.0f)
        s->lod_scale2 = fabsf(s->lod_bias) <= 16.0f ? exp2f(2.0f * s->lod_bias) : NAN;
    s->minified_from2 = base * TEX_LOD_ABOVE;
    s->magnified_to2 = base * TEX_LOD_WHOLE;
    if (s->one_filter && s->mip_filter == D3DTEXF_NONE)
        s->magnified_to2 = FLT_MAX;
    else if (s->one_filter)
        s->magnified_to2 =
            first * (s->mip_filter == D3DTEXF_POINT ? 2.0f * TEX_LOD_BELOW : TEX_LOD_WHOLE);
}

static void set_addresses(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    for (int a = 0; a < 3; a++)
        s->address[a] = s->shape == TEX_CUBE_MAP ? (uint8_t)D3DTADDRESS_CLAMP : state->address[a];
}

/* Lanes that are not sampled may be written, too. */
static void fill(const struct sample *in, float alpha)
{
    for (int c = 0; c < 4; c++)
        for (int i = 0; in->texel[c] && i < TEX_LANES; i++)
            in->texel[c][i] = c == 3 ? alpha : 0.0f;
}

static void sample_unbound(const struct tex_sampler_private *s, const struct sample *in)
{
    (void)s;
    fill(in, 1.0f);
}

/* Of a variant renderer. */
static void sample_nothing(const struct tex_sampler_private *s, const struct sample *in)
{
    (void)s;
    fill(in, 0.0f);
}

static tex_sample_fn *sample_function(const struct tex_sampler_private *s)
{
    const struct tex_sample_lod_kern *kern = KERN_PICK(tex_sample_lod_kern);

    if (s->shape == TEX_CUBE_MAP)
        return kern->sample_cube;
    return s->needs_lod ? kern->sample : kern->sample_first_level;
}

enum status tex_sampler_init(struct tex_sampler *sampler, struct tex_image *image,
                             const struct tex_sampler_state *state)
{
    struct tex_sampler_private *s = (struct tex_sampler_private *)(void *)sampler->opaque;
    enum status st;

    memset(sampler, 0, sizeof(*sampler));
    s->sample = variant_current && variant_current->unbound ? sample_nothing : sample_unbound;
    if (!image)
        return ST_OK;
    st = set_texels(s, image, state);
    if (st != ST_OK) {
        memset(sampler, 0, sizeof(*sampler));
        s->sample = sample_unbound;
        return st;
    }
    set_addresses(s, state);
    set_levels(s, image, state);
    set_decode_cache(s, image);
    tex_set_filters(s, image, state);
    if (tex_convolves(image, state))
        tex_set_convolution(s, state);
    set_lod_bounds(s);
    s->sample = sample_function(s);
    if (variant_current)
        tex_sampler_apply_variant(s);
    return ST_OK;
}

/* --- Sampling --------------------------------------------------------------------------------- */

void tex_sample(const struct tex_sampler *sampler, const struct sample *sample)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);

    s->sample(s, sample);
}
