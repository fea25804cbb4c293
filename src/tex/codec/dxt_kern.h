/* Kernel table of vectorised block decompression (DXT1-5, ATI1/2). dxt.c selects the kernel and has
 * the scalar decoder. */
#ifndef TEX_CODEC_DXT_KERN_H
#define TEX_CODEC_DXT_KERN_H

#include "tex/codec/codec.h"
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

/* dxt_variant.c: replaces the interpolated values of a decoded block by those of the variant. */
void tex_variant_replace_block(enum tex_block_kind kind, uint32_t argb[16], const uint8_t *block);

/* Returns TEX_BLOCK_KINDS if the format is not block-compressed. */
enum tex_block_kind tex_block_kind(const struct tex_format *format);

#endif
