/* Kernels that decode blocks, many at a time; dxt.c chooses among them and has the plain form. */
#ifndef TEX_DXT_KERN_H
#define TEX_DXT_KERN_H

#include "tex/tex_private.h"
#include "util/cpu.h"

enum tex_block_kind {
    TEX_BLOCK_DXT1,
    TEX_BLOCK_DXT3,
    TEX_BLOCK_DXT5,
    TEX_BLOCK_ATI1,
    TEX_BLOCK_ATI2,
    TEX_BLOCK_KINDS
};

struct tex_block_kern {
    tex_blocks_fn *decode[TEX_BLOCK_KINDS];
};
KERN_DECLARE(struct tex_block_kern, tex_block_kern);

/* TEX_BLOCK_KINDS where a format is not of blocks. */
enum tex_block_kind tex_block_kind(const struct tex_format *format);

#endif
