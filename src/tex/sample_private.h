/* A sampler's inside, shared by sampler.c and the kernels.
 *
 *   tex_sample --lod_kern: levels and weights--> tex_level_fn (sample_kern) for each level in use
 */
#ifndef TEX_SAMPLE_PRIVATE_H
#define TEX_SAMPLE_PRIVATE_H

#include "tex/tex_private.h"
#include "tex/quad_texels.h"
#include "util/cpu.h"

/* How a texel in memory becomes up to four stored channels. Unsigned channels stay codes while they
 * are filtered and are divided by their largest code last, so that 8-bit textures filter exactly.
 */
enum texel_kind {
    TEXEL_RGBA8,      /* four bytes of a word, lowest first */
    TEXEL_RGBA8_SRGB, /* the lower three through a table */
    TEXEL_PACKED8,    /* any unsigned channels of a little-endian word */
    TEXEL_PACKED16,
    TEXEL_PACKED32,
    TEXEL_PACKED8_SRGB, /* channels 0 to 2 through a table */
    TEXEL_PACKED16_SRGB,
    TEXEL_PACKED16_SIGNED, /* as WORD, some channels signed */
    TEXEL_PACKED32_SIGNED,
    TEXEL_RGBA16, /* four unsigned channels of 16 bits */
    TEXEL_R16F,
    TEXEL_RG16F,
    TEXEL_RGBA16F,
    TEXEL_R32F,
    TEXEL_RG32F,
    TEXEL_RGBA32F,
    TEXEL_PALETTE8,  /* an index into D3DCOLORs; stored channels as those of 8888 */
    TEXEL_PALETTE16, /* index below, alpha above */
    TEXEL_SHADOW16,  /* depth, compared: one stored channel of 0 or 1 */
    TEXEL_SHADOW32,
    TEXEL_SHADOW_FLOAT32,
    TEXEL_SHADOW_FLOAT24,
    TEXEL_KINDS
};

/* TEX_GATHER_2D: Fetch4, four texels of one channel (reference: texture/fetch4). */
enum tex_filter {
    TEX_POINT_2D,
    TEX_LINEAR_2D,
    TEX_POINT_3D,
    TEX_LINEAR_3D,
    TEX_GATHER_2D,
    TEX_FILTERS
};

enum { TEX_SWIZZLE_ZERO = 4, TEX_SWIZZLE_ONE = 5 }; /* beside 0 to 3 in `from` */

struct tex_coords {
    const float *axis[3];   /* normalised, of the face for cubes */
    const float *reference; /* of a depth comparison */
    const int32_t
        *face_offset; /* cubes: distance of the lane's face from face 0 in words, else NULL */
};

struct tex_sampler_private;
/* Samples one level (of face 0) for `lanes`; other lanes of out stay as they are. */
typedef void tex_level_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, uint64_t lanes, float *const out[4]);

/* The same of a level and the next, whose part is weight; 0 leaves the first to the bit. */
typedef void tex_levels_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                           const struct tex_coords *at, const float *weight, uint64_t lanes,
                           float *const out[4]);

/* Of each lane: how many probes, along which step in coordinates, and the part of the next level,
 * which is sampled if `two`. */
struct tex_taps {
    const float *count, *step[2], *weight;
    bool two_levels;
};
typedef void tex_taps_fn(const struct tex_sampler_private *s, const struct tex_level *level,
                         const struct tex_coords *at, const struct tex_taps *taps, uint64_t lanes,
                         float *const out[4]);

struct tex_sampler_private {
    const struct tex_level *level; /* NULL: nothing is bound */
    /* All reading of texels goes through these. */
    tex_level_fn *minify, *magnify;
    /* Where some texels are still to be decoded those are tex_decode_on_demand_minify, _magnify,
     * which do that and call these: */
    tex_level_fn *decoded_minify, *decoded_magnify;
    /* Where there are such functions, in place of several calls of minify; they do not see to it
     * that texels are decoded. */
    tex_levels_fn *minify_levels;
    tex_taps_fn *minify_taps;
    /* What tex_sampler_apply_variant has put itself in the place of. */
    tex_level_fn *exact_minify, *exact_magnify;
    struct tex_decode_cache *decode_cache;
    const struct tex_quad_texels_level
        *quad_texels; /* of all levels; NULL: there is no such copy */
    void (*sample)(const struct tex_sampler_private *s, const struct sample *in);
    int32_t face_pitch;
    uint8_t min_level, max_level; /* levels that may be used */
    uint8_t base_level;           /* magnified are levels up to this: SetLOD's */
    uint8_t shape, kind; /* enum tex_shape, enum texel_kind */
    uint8_t address[3];  /* D3DTEXTUREADDRESS */
    bool needs_lod;
    uint8_t signed_mask; /* bit c: stored channel c is signed */
    uint8_t mip_filter;  /* D3DTEXF_NONE, POINT or LINEAR */
    float max_taps;      /* 1: not anisotropic */
    float lod_bias;
    float size[3];                    /* of level 0 in texels */
    uint8_t swizzle[4];               /* stored channel, or TEX_SWIZZLE_*, of r, g, b, a */
    uint8_t shift[4], shl[4], sra[4]; /* of stored channels: right; left then signed right */
    int32_t mask[4];                  /* 0: no such stored channel */
    float divisor[4], border[4];      /* border in stored units */
    const float *srgb_to_linear[4];   /* sRGB tables of stored channels 0 to 2 */
    const uint32_t *palette;
};
_Static_assert(sizeof(struct tex_sampler_private) <= sizeof(struct tex_sampler),
               "opaque is too small");

/* variant.c: texels are looked for with coordinates of fewer digits, as variant_current says. */
void tex_sampler_apply_variant(struct tex_sampler_private *s);

struct tex_sample_kern {
    tex_level_fn *fn[TEXEL_KINDS][TEX_FILTERS];
};
KERN_DECLARE(struct tex_sample_kern, tex_sample_kern);

/* Samples of TEXEL_RGBA8: in two dimensions, but for linear ones of volumes; levels and probes
 * know no border. */
struct tex_sample_rgba8_kern {
    tex_level_fn *point, *linear, *volume;
    tex_levels_fn *levels;
    tex_taps_fn *taps;
    bool uses_quad_texels;         /* linear and levels take copies of such, */
    tex_level_fn *linear_in_place; /* and this does not */
};
KERN_DECLARE(struct tex_sample_rgba8_kern, tex_sample_rgba8_kern);

/* Points of floats in two dimensions; NULL for other kinds. */
struct tex_sample_float_kern {
    tex_level_fn *point[TEXEL_KINDS];
};
KERN_DECLARE(struct tex_sample_float_kern, tex_sample_float_kern);

/* Of samplers that find the same texels in their textures, as tex_can_group_samplers tells. */
struct tex_sampler_group_kern {
    void (*sample)(const struct tex_sampler_private *const *samplers, const struct sample *samples,
                   unsigned n);
    void (*sample_const_lod)(const struct tex_sampler_private *const *samplers,
                             const struct tex_const_lod *const_lod, const struct sample *samples,
                             unsigned n);
    bool (*can_group)(const struct tex_sampler_private *a, const struct tex_sampler_private *b);
};
KERN_DECLARE(struct tex_sampler_group_kern, tex_sampler_group_kern);

/* What all pixels of a grid are sampled from: a level and, unless it is 0, the part of the next. */
struct tex_axis_aligned_level {
    const struct tex_level *level;
    tex_level_fn *filter; /* of decoded texels */
    float next;
};

/* Of tex_sampler_const_lod: magnified, and the level beside it; else minified. */
enum { TEX_CONST_LOD_MAGNIFY = 256 };

/* Blocks whose texels lie close together: adds to a way how those are sampled. */
struct tex_reg_tile_kern {
    void (*setup)(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                  struct tex_const_lod *const_lod);
};
KERN_DECLARE(struct tex_reg_tile_kern, tex_reg_tile_kern);

struct tex_sample_lod_kern {
    void (*sample)(const struct tex_sampler_private *s, const struct sample *in);
    int (*find_const_lod)(const struct tex_sampler_private *s,
                          const struct tex_gradients *gradients);
    /* False: pixels differ in their level, or take several probes. */
    bool (*axis_aligned_level)(const struct tex_sampler_private *s,
                               const struct tex_axis_aligned *area,
                               struct tex_axis_aligned_level *out);
};
KERN_DECLARE(struct tex_sample_lod_kern, tex_sample_lod_kern);

#endif
