/* Interface of tex/shortcut, for src/draw and src/raster: ways to sample that return the results of
 * tex_sample with less work. They exist because the caller knows what a sampler cannot know: that
 * the coordinates of a primitive are affine, that several textures are read at the same
 * coordinates, or that pixels go to memory without shading. docs/tex.md has the conditions of each.
 * A renderer without them draws the same pixels. */
#ifndef TEX_SHORTCUT_SHORTCUT_H
#define TEX_SHORTCUT_SHORTCUT_H

#include "tex/tex.h"

/* --- What a sampler needs --------------------------------------------------------------------- */

/* True if the results depend on the gradients of coordinates (with LOD_IMPLICIT, differences within
 * a quad). */
bool tex_sampler_needs_lod(const struct tex_sampler *sampler);
/* True if a sample depends on u and v alone. */
bool tex_sampler_is_2d(const struct tex_sampler *sampler);

/* --- Constant LOD ----------------------------------------------------------------------------- */

/* Bounds of the screen-space gradients of u and v over a primitive: each lies within `error_bound`
 * of `step`. If all gradients in the bounds select one level and one filter, tex_sample_const_lod
 * returns the results of tex_sample without computing the LOD. For samples with LOD_IMPLICIT. */
struct tex_gradients {
    double step[2][2], error_bound[2]; /* [u, v][right, down]; [u, v] */
};
struct tex_sampler_private;
/* False: tex_sample_const_lod would save nothing, whatever the gradients. */
bool tex_sampler_gains_by_const_lod(const struct tex_sampler *sampler);
struct tex_const_lod {
    int lod_and_filter; /* -1: LOD or filter varies; all other members are private to tex */
    /* Samples a batch whose texels fit a register tile (reg_tile.h). Returns false, with
     * nothing written, if they do not fit. NULL: no such path. */
    bool (*sample_reg_tile)(const struct tex_sampler_private *const *samplers,
                            const struct tex_const_lod *const_lod, const struct sample *samples,
                            unsigned n);
    uint8_t tile_size;                 /* side of the register tile in texels */
    uint8_t min_lane[2];               /* lanes with the least u and the least v */
    float size_fx8[2];                 /* size of the level in 1/256 texels */
    int32_t wrap_mask[2], wrap_fx8[2]; /* WRAP: all bits set, and size_fx8; otherwise 0 */
    int32_t max_inner[2];              /* largest origin of a tile inside the level */
    int32_t max_origin[2];             /* WRAP: last texel; otherwise max_inner */
};
void tex_sampler_const_lod(const struct tex_sampler *sampler, const struct tex_gradients *gradients,
                           struct tex_const_lod *const_lod);
void tex_sample_const_lod(const struct tex_sampler *sampler, const struct tex_const_lod *const_lod,
                          const struct sample *sample);

/* --- Sampler groups --------------------------------------------------------------------------- */

/* True if both samplers compute the same texel addresses and weights from equal coordinates and
 * LODs, and a sampler group can share that work. If it is true for every pair of a set, the whole
 * set can form a group. */
bool tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b);
/* Samples a sampler group: n <= TEX_MAX_SAMPLER_GROUP samples that differ only in their textures.
 * const_lod is that of the first sampler; its lod_and_filter may be -1. NULL: the same. */
enum { TEX_MAX_SAMPLER_GROUP = 4 };
void tex_sample_group(const struct tex_sampler *const samplers[],
                      const struct tex_const_lod *const_lod, const struct sample *samples,
                      unsigned n);

/* --- Packed pixels ---------------------------------------------------------------------------- */

/* Samples 64 lanes without LOD or gradients and packs the results of tex_sample to UNORM8 A8R8G8B8
 * pixels. tex_sampler_packed returns NULL if the sampler has no such path. */
typedef void tex_sample_packed_fn(const struct tex_sampler *sampler, const float *u, const float *v,
                                  uint32_t pixels[TEX_LANES]);
tex_sample_packed_fn *tex_sampler_packed(const struct tex_sampler *sampler);

/* --- Axis-aligned areas ----------------------------------------------------------------------- */

/* An axis-aligned area of pixels: each column has one u and each row one v. `rows` and `pitch`
 * describe the destination. */
enum { TEX_AXIS_ALIGNED_SIZE = 64 };
struct tex_axis_aligned {
    _Alignas(64) float u[TEX_AXIS_ALIGNED_SIZE];
    float v[TEX_AXIS_ALIGNED_SIZE];
    uint8_t *rows;
    size_t pitch;
    uint32_t set; /* bits set in every pixel */
};
/* Samples an axis-aligned area, with the results of tex_sample_packed_fn. Returns false, with
 * nothing written, if it cannot. tex_sampler_axis_aligned returns NULL if the sampler has no such
 * path. */
typedef bool tex_axis_aligned_fn(const struct tex_sampler *sampler,
                                 const struct tex_axis_aligned *area);
tex_axis_aligned_fn *tex_sampler_axis_aligned(const struct tex_sampler *sampler);

#endif
