/* Set-up of a sampler: what the files that compile one share. sampler.c calls the others. */
#ifndef TEX_SAMPLE_SAMPLER_H
#define TEX_SAMPLE_SAMPLER_H

#include "tex/emit/emit.h"
#include "tex/sample/sample.h"

/* Returns the kind for sampling the format in place, or TEXEL_KINDS if it needs a decode cache. */
enum texel_kind tex_texel_kind(const struct tex_format *f, bool srgb);
/* True for depth formats that read as plain values: INTZ, DF16 and DF24. */
bool tex_is_plain_depth(const struct tex_format *f);

/* Sets the stored channels of the format that is sampled. `own` is the texture's own format, even
 * if a decoded copy is sampled. */
void tex_set_channels(struct tex_sampler_private *s, const struct tex_format *f,
                      const struct tex_format *own, bool srgb);
/* Sets the border colour. Call it after tex_set_channels. */
void tex_set_border(struct tex_sampler_private *s, const struct tex_format *own, uint32_t argb,
                    bool srgb);

/* True if the sampler state asks for the filter CONVOLUTIONMONO of this image. */
bool tex_convolves(const struct tex_image *image, const struct tex_sampler_state *state);
/* Replaces the level functions by that filter. All pages of the image must be decoded. Call it
 * after tex_set_filters. */
void tex_set_convolution(struct tex_sampler_private *s, const struct tex_sampler_state *state);

/* Selects level functions and quad texels. Call it after texels, addresses and levels are set. */
void tex_set_filters(struct tex_sampler_private *s, struct tex_image *image,
                     const struct tex_sampler_state *state);
static inline bool tex_is_linear(unsigned filter)
{
    return filter > D3DTEXF_POINT;
}

/* Sets *shape for the compiled function of a level, or of two. False: there is none. */
bool tex_level_shape(const struct tex_sampler_private *s, bool linear, bool two_levels,
                     struct tex_emit_shape *shape);
/* Arguments of the compiled function for one call. weight: of the next level, if it is sampled. */
struct tex_level_args {
    struct ir_args args;
    struct tex_emit_values values;
    _Alignas(64) float nowhere[TEX_LANES]; /* results that the caller does not want */
};
void tex_level_args_init(struct tex_level_args *a, const struct tex_sampler_private *s,
                         const struct tex_level *level, const struct tex_coords *at,
                         const float *weight, uint64_t lanes, float *const out[4]);
/* Replaces minify, magnify and minify_levels where compiled functions are faster. */
void tex_set_compiled(struct tex_sampler_private *s, const struct tex_image *image,
                      const struct tex_sampler_state *state);

/* Makes the sampler do what variant_current says. Call it last. */
void tex_sampler_apply_variant(struct tex_sampler_private *s);

#endif
