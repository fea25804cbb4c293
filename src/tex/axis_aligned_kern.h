/* Samples of textures of four bytes a texel over squares of pixels that see them straight on, u along
 * rows and v along columns. One table an instruction set; every table gives the same bits, which
 * are those of the other kernels after conversion. */
#ifndef TEX_AXIS_ALIGNED_KERN_H
#define TEX_AXIS_ALIGNED_KERN_H

#include "tex/sample_private.h"

struct tex_axis_aligned_kern {
    tex_axis_aligned_fn *sample;
};
KERN_DECLARE(struct tex_axis_aligned_kern, tex_axis_aligned_kern);

#endif
