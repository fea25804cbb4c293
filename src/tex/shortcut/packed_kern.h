/* Kernel table that samples RGBA8 textures directly to packed A8R8G8B8 pixels. There is one table
 * per instruction set. All return the same bits, equal to those of the general kernels after
 * conversion. */
#ifndef TEX_SHORTCUT_PACKED_KERN_H
#define TEX_SHORTCUT_PACKED_KERN_H

#include "tex/sample/sample.h"

struct tex_sample_packed_kern {
    tex_sample_packed_fn *point, *linear;
};
KERN_DECLARE(struct tex_sample_packed_kern, tex_sample_packed_kern);

#endif
