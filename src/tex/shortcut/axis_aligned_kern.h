/* Kernel table for axis-aligned sampling of RGBA8 textures: in a square of pixels, u varies only
 * along rows and v only along columns. There is one table per instruction set. All return the same
 * bits, equal to those of the general kernels after conversion. */
#ifndef TEX_SHORTCUT_AXIS_ALIGNED_KERN_H
#define TEX_SHORTCUT_AXIS_ALIGNED_KERN_H

#include "tex/sample/sample.h"

struct tex_axis_aligned_kern {
    tex_axis_aligned_fn *sample;
};
KERN_DECLARE(struct tex_axis_aligned_kern, tex_axis_aligned_kern);

#endif
