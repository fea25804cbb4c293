/* Kernel tables of the shortcuts. There is one table per instruction set. All return the same bits,
 * equal to those of tex_sample. */
#ifndef TEX_SHORTCUT_KERNELS_H
#define TEX_SHORTCUT_KERNELS_H

#include "tex/sample/sample.h"
#include "tex/shortcut/shortcut.h"

/* --- Constant LOD ----------------------------------------------------------------------------- */

/* Flag of tex_const_lod.lod_and_filter besides the level: set, the sampler magnifies; clear, it
 * minifies. */
enum { TEX_CONST_LOD_MAGNIFY = 256 };

/* Searches for LODs that hold for many pixels. */
/* The level that all pixels of an axis-aligned area use, and the weight of the next smaller level,
 * 0 if unused. */
struct tex_axis_aligned_level {
    const struct tex_level *level;
    tex_level_fn *filter; /* reads decoded texels */
    float next;
};

struct tex_const_lod_kern {
    /* Returns the level, with TEX_CONST_LOD_MAGNIFY if it is magnified, or -1. */
    int (*find)(const struct tex_sampler_private *s, const struct tex_gradients *gradients);
    /* Returns false if pixels differ in level or need several taps. */
    bool (*axis_aligned_level)(const struct tex_sampler_private *s,
                               const struct tex_axis_aligned *area,
                               struct tex_axis_aligned_level *out);
};
KERN_DECLARE(struct tex_const_lod_kern, tex_const_lod_kern);

/* Adds the register-tile path to a const_lod if the texels of a batch fit a register tile. */
struct tex_reg_tile_kern {
    /* False: there is no such path, whatever the gradients. */
    bool (*may_fit)(const struct tex_sampler_private *s);
    void (*setup)(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                  struct tex_const_lod *const_lod);
};
KERN_DECLARE(struct tex_reg_tile_kern, tex_reg_tile_kern);

/* --- Sampler groups --------------------------------------------------------------------------- */

/* Sampler groups: samplers with equal texel addresses and weights, as tex_can_group_samplers
 * checks. */
struct tex_sampler_group_kern {
    void (*sample)(const struct tex_sampler_private *const *samplers, const struct sample *samples,
                   unsigned n);
    void (*sample_const_lod)(const struct tex_sampler_private *const *samplers,
                             const struct tex_const_lod *const_lod, const struct sample *samples,
                             unsigned n);
    bool (*can_group)(const struct tex_sampler_private *a, const struct tex_sampler_private *b);
};
KERN_DECLARE(struct tex_sampler_group_kern, tex_sampler_group_kern);

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Samples RGBA8 textures to packed A8R8G8B8 pixels. */
struct tex_sample_packed_kern {
    tex_sample_packed_fn *point, *linear;
};
KERN_DECLARE(struct tex_sample_packed_kern, tex_sample_packed_kern);

/* Samples RGBA8 textures in a square of pixels in which u varies only along rows and v only along
 * columns. */
struct tex_axis_aligned_kern {
    tex_axis_aligned_fn *sample;
};
KERN_DECLARE(struct tex_axis_aligned_kern, tex_axis_aligned_kern);

#endif
