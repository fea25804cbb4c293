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

/* dxt_variant.c: decoders of variant renderers that decode blocks in another way. */
tex_blocks_fn *tex_variant_blocks_decoder(enum tex_block_kind kind);

/* Returns TEX_BLOCK_KINDS if the format is not block-compressed. */
enum tex_block_kind tex_block_kind(const struct tex_format *format);

#endif
