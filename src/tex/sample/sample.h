/* Interface of tex/sample: the compiled sampler, which shortcuts read too.
 *
 * tex_sample calls the kernel of lod_kern.c, which selects levels and weights and then calls a
 * tex_level_fn (sample_kern.c or a faster one) for each level in use. Kernels of tex/shortcut also
 * include parts of kernels: lod.h, quad_texels.h, results.h and rgba8.h. */
#ifndef TEX_SAMPLE_SAMPLE_H
#define TEX_SAMPLE_SAMPLE_H

#include "tex/cache/cache.h"
#include "util/cpu.h"

/* How texel memory decodes to up to four stored channels. Unsigned channels stay integer codes
 * while they are filtered and are divided by their maximum code last, so that 8-bit textures filter
 * exactly. */
enum texel_kind {
    TEXEL_RGBA8,      /* the four bytes of a word, lowest first: codes of up to 8 bits */
    TEXEL_RGBA8_SRGB, /* the lower three decode through an sRGB table */
    TEXEL_PACKED16,   /* arbitrary unsigned channels of a little-endian word */
    TEXEL_PACKED32,
    TEXEL_PACKED16_SIGNED, /* as PACKED; signed_mask tells the signed channels */
    TEXEL_PACKED32_SIGNED,
    TEXEL_RGBA16, /* four unsigned channels of 16 bits */
    TEXEL_R16F,
    TEXEL_RG16F,
    TEXEL_RGBA16F,
    TEXEL_R32F,
    TEXEL_RG32F,
    TEXEL_RGBA32F,
    TEXEL_PALETTE8,  /* index into D3DCOLORs; stored channels as RGBA8 */
    TEXEL_PALETTE16, /* index in the low byte, alpha in the high byte */
    TEXEL_SHADOW16,  /* shadow map: the depth comparison yields one stored channel of 0 or 1 */
    TEXEL_SHADOW32,
    TEXEL_SHADOW_FLOAT32,
    TEXEL_SHADOW_FLOAT24,
    TEXEL_KINDS
};

enum { TEX_SWIZZLE_ZERO = 4, TEX_SWIZZLE_ONE = 5 }; /* swizzle values besides 0 to 3 */

struct tex_coords {
    const float *axis[3];   /* normalised; for cube maps, on the face */
    const float *reference; /* value that shadow maps compare with */
    /* Cube maps: word offset of each lane's face from face 0; otherwise NULL. */
    const int32_t *face_offset;
};

/* Factors for bounds of squared lengths. LODs round to 1/256; the margin exceeds the rounding of
 * LODs at the bound between nearest levels (1/2), and of LODs at whole numbers (above). */
#define TEX_LOD_ABOVE 1.0078125f
#define TEX_LOD_BELOW 0.9921875f
/* LODs up to 1/512 round to 0, and those of squared lengths up to this one are less. */
#define TEX_LOD_WHOLE 1.001f

struct tex_sampler_private;
struct ir_code;
/* Samples one level for `lanes`. `level` is that of face 0. Other lanes of `out` keep their
 * values. */
typedef void tex_level_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4]);

/* Samples a batch: selects levels and filters, and calls level functions for those in use. */
typedef void tex_sample_fn(const struct tex_sampler_private *s, const struct sample *in);

/* Samples a level and the next smaller one and blends them; `weight` is that of the smaller one. A
 * weight of 0 returns the first level's result bit by bit. */
typedef void tex_levels_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                           const struct tex_coords *at, const float *weight, uint64_t lanes,
                           float *const out[4]);

/* Anisotropic taps of each lane: their number, the step in coordinates that they cover, and the
 * weight of the next smaller level, which is sampled only if `two_levels`. */
struct tex_taps {
    const float *count, *step[2], *weight;
    bool two_levels;
};
typedef void tex_taps_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, const struct tex_taps *taps, uint64_t lanes,
                         float *const out[4]);

/* The divisors of the channels of TEXEL_RGBA8, in the forms that kernels need. A divisor is 2^n - 1
 * with n = 1 to 6 or 8. For all its codes, TEX_CODE_FACTOR * code times 1 / (TEX_CODE_FACTOR *
 * divisor) rounds like the quotient, as a test confirms. No smaller factor does so for all
 * divisors. */
enum { TEX_CODE_FACTOR = 101 };
struct tex_byte_divisors {
    float scale[4];               /* that reciprocal; of bytes 2 and 3 divided by 65536 */
    float of[4], high[4], low[4]; /* of f32v_div_split, for weighted sums in 1/65536 */
};

struct tex_sampler_private {
    const struct tex_level *level; /* NULL: no texture is bound */
    /* Sample one level, for minified and for magnified lanes. */
    tex_level_fn *minify, *magnify;
    /* If texels may still be undecoded, minify and magnify are functions that decode the
     * needed pages and call these two. */
    tex_level_fn *decoded_minify, *decoded_magnify;
    /* Filters of tex_sample_quad_filter_kern read their four texels with it. */
    tex_level_fn *point;
    /* NULL, or functions that replace several calls of minify. They do not decode pages. */
    tex_levels_fn *minify_levels;
    tex_taps_fn *minify_taps;
    /* The functions that tex_sampler_apply_variant replaced in minify, magnify and sample. */
    tex_level_fn *exact_minify, *exact_magnify;
    tex_sample_fn *exact_sample;
    /* If minify, magnify or minify_levels are compiled functions: their code. */
    const struct ir_code *minify_code, *magnify_code, *levels_code;
    struct tex_decode_cache *decode_cache; /* NULL: no texel that is read may be undecoded */
    /* One entry per level. NULL: the image has no quad texels. */
    const struct tex_quad_texels_level *quad_texels;
    tex_sample_fn *sample;
    int32_t face_pitch;           /* words between faces of a cube map */
    uint8_t min_level, max_level; /* range of usable levels */
    uint8_t base_level;           /* LODs up to this level magnify: SetLOD */
    uint8_t shape, kind;          /* enum tex_shape, enum texel_kind */
    uint8_t address[3];           /* D3DTEXTUREADDRESS */
    bool needs_lod;
    bool one_filter;     /* the same filter minifies and magnifies */
    uint8_t signed_mask; /* bit c: stored channel c is signed */
    uint8_t mip_filter;  /* D3DTEXF_NONE, POINT or LINEAR */
    uint8_t kernel[2];   /* width and height of a convolution */
    float max_taps;      /* 1: isotropic */
    float lod_bias;
    /* Squared lengths of footprints, in texels of level 0, times lod_scale2 select a level by
     * comparison, without a logarithm. Groups of lanes up to magnified_to2 magnify the first level,
     * or minify it with an equal filter; those above minified_from2 minify. NaN: lod_bias is too
     * large for comparisons. */
    float lod_scale2, magnified_to2, minified_from2;
    float size[3];      /* of level 0 in texels */
    uint8_t swizzle[4]; /* stored channel, or TEX_SWIZZLE_*, for r, g, b, a */
    /* Extraction of each stored channel from a word. Unsigned: word >> shift & mask. Signed:
     * word << shl >> sra. */
    uint8_t shift[4], shl[4], sra[4];
    int32_t mask[4];             /* 0: no such stored channel */
    float divisor[4], border[4]; /* border in units of stored channels */
    /* TEXEL_RGBA8: the border as a texel, if it is one: its channels are whole codes. */
    int32_t border_codes;
    bool border_is_codes;
    struct tex_byte_divisors bytes;
    const float *srgb_to_linear[4];     /* sRGB tables of stored channels 0 to 2 */
    const struct tex_srgb_lookup *srgb; /* NULL: these tables are not all of 8 bits */
    const uint32_t *palette;
};
_Static_assert(sizeof(struct tex_sampler_private) <= sizeof(struct tex_sampler),
               "opaque is too small");

static inline const struct tex_sampler_private *tex_sampler_private(const struct tex_sampler *s)
{
    return (const struct tex_sampler_private *)(const void *)s->opaque;
}

/* The level functions that read decoded texels. */
static inline tex_level_fn *tex_decoded_minify(const struct tex_sampler_private *s)
{
    return s->decode_cache ? s->decoded_minify : s->minify;
}
static inline tex_level_fn *tex_decoded_magnify(const struct tex_sampler_private *s)
{
    return s->decode_cache ? s->decoded_magnify : s->magnify;
}

/* True if the sampler may read the border colour. */
static inline bool tex_has_border(const struct tex_sampler_private *s)
{
    return s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER ||
           (s->shape == TEX_VOLUME_MAP && s->address[2] == D3DTADDRESS_BORDER);
}

/* Decodes the texels that lanes read from a level, and from the next if `levels` is 2.
 * s->decode_cache must not be NULL. With a step, lanes are anisotropic lines, and false means that
 * they touch too many pages: the caller then decodes per tap. */
static inline bool tex_require_texels(const struct tex_sampler_private *s,
                                      const struct tex_level *level, unsigned levels,
                                      const struct tex_coords *coords, const float *const *step,
                                      uint64_t lanes)
{
    struct tex_decode_request request;

    if (!atomic_load_explicit(&s->decode_cache->undecoded, memory_order_acquire))
        return true;
    request = (struct tex_decode_request){.cache = s->decode_cache,
                                          .address = s->address,
                                          .level = (uint32_t)(level - s->level),
                                          .levels = levels,
                                          .axis = coords->axis,
                                          .face_offset = coords->face_offset,
                                          .step = step,
                                          .lanes = lanes};
    return tex_decode_on_demand(&request);
}

/* Sampling of RGBA8 textures: 2D and cube maps, and linear filtering of volumes. `levels` and
 * `taps` support a border colour only if they read quad texels. */
struct tex_sample_rgba8_kern {
    tex_level_fn *point, *linear, *volume;
    tex_levels_fn *levels, *point_levels;
    tex_taps_fn *taps;
    bool uses_quad_texels;         /* linear filters read quad texels if there are any */
    tex_level_fn *linear_in_place; /* as `linear`, but never reads quad texels */
};
KERN_DECLARE(struct tex_sample_rgba8_kern, tex_sample_rgba8_kern);

#endif
