/* Kernel tables of sampling, from which sampler.c and filters.c compile a sampler. sample.h has the
 * table of RGBA8 textures. */
#ifndef TEX_SAMPLE_KERNELS_H
#define TEX_SAMPLE_KERNELS_H

#include "tex/sample/sample.h"

/* Select levels and filters of a batch, and sample it. */
struct tex_sample_lod_kern {
    tex_sample_fn *sample, *sample_cube;
    tex_sample_fn *sample_first_level; /* without a LOD; not of cube maps */
};
KERN_DECLARE(struct tex_sample_lod_kern, tex_sample_lod_kern);

/* TEX_GATHER_2D is Fetch4: four texels of one channel (reference: texture/fetch4). */
enum tex_filter {
    TEX_POINT_2D,
    TEX_LINEAR_2D,
    TEX_POINT_3D,
    TEX_LINEAR_3D,
    TEX_GATHER_2D,
    TEX_FILTERS
};

/* Every texel kind with every filter. */
struct tex_sample_kern {
    tex_level_fn *fn[TEXEL_KINDS][TEX_FILTERS];
};
KERN_DECLARE(struct tex_sample_kern, tex_sample_kern);

/* Points of 2D and cube textures, with any address mode, of one level or two. Entries of other
 * kinds are NULL. TEXEL_RGBA8_SRGB needs tables of 8 bits. */
struct tex_sample_point_kern {
    tex_level_fn *point[TEXEL_KINDS];
    tex_levels_fn *levels[TEXEL_KINDS];
};
KERN_DECLARE(struct tex_sample_point_kern, tex_sample_point_kern);

/* Bilinear sampling of 2D and cube textures whose texels decode to four floats, of one level or
 * two. Entries of other kinds are NULL. TEXEL_RGBA8_SRGB needs tables of 8 bits. */
struct tex_sample_wide_kern {
    tex_level_fn *linear[TEXEL_KINDS];
    tex_levels_fn *levels[TEXEL_KINDS];
};
KERN_DECLARE(struct tex_sample_wide_kern, tex_sample_wide_kern);

/* TEXEL_RGBA8_SRGB for processors with AVX-512 VBMI (cpu_has_avx512_vbmi), also from quad texels;
 * `linear` and `levels` without a border colour. NULL in other kernels. */
struct tex_sample_srgb_kern {
    tex_level_fn *point;
    tex_level_fn *linear;
    tex_levels_fn *levels;
};
KERN_DECLARE(struct tex_sample_srgb_kern, tex_sample_srgb_kern);

/* The filters PYRAMIDALQUAD and GAUSSIANQUAD of 2D and cube textures of all kinds. They read texels
 * with tex_sampler_private.point. */
struct tex_sample_quad_filter_kern {
    tex_level_fn *pyramidal, *gaussian;
};
KERN_DECLARE(struct tex_sample_quad_filter_kern, tex_sample_quad_filter_kern);

#endif
