/* Samples of textures of four bytes a texel, from words to words. One table an instruction set;
 * every table gives the same bits, which are those of the other kernels after conversion. */
#ifndef TEX_SAMPLE_PACKED_KERN_H
#define TEX_SAMPLE_PACKED_KERN_H

#include "tex/sample_private.h"

struct tex_sample_packed_kern {
    tex_sample_packed_fn *point, *linear;
};
KERN_DECLARE(struct tex_sample_packed_kern, tex_sample_packed_kern);

#endif
