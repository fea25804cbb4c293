/* Kernel table that unpacks texels to floats and packs floats to texels. pack.c selects the
 * kernels. */
#ifndef TEX_CODEC_PACK_KERN_H
#define TEX_CODEC_PACK_KERN_H

#include "tex/codec/codec.h"
#include "util/cpu.h"

enum tex_pack_kind {
    TEX_PACK_8888,  /* 32-bit words of four bytes in any order; the top byte is alpha or unused */
    TEX_PACK_WORD8, /* any channels in a little-endian word of this size */
    TEX_PACK_WORD16,
    TEX_PACK_WORD24,
    TEX_PACK_WORD32,
    TEX_PACK_WORD64, /* no channel crosses the 32-bit halves */
    TEX_PACK_HALF,   /* one, two or four channels of 16 bits */
    TEX_PACK_FLOAT,  /* the same of 32 bits */
    TEX_PACK_KINDS
};

struct tex_pack_kern {
    tex_unpack_fn *unpack[TEX_PACK_KINDS];
    tex_pack_fn *pack[TEX_PACK_KINDS];
    /* Spreads the codes of n <= TEX_LANES texels of one or two bytes to bytes b, g, r, a. */
    void (*codes)(const struct tex_format *format, const void *src, unsigned n, uint32_t *codes);
    void (*srgb_to_linear)(float *values, unsigned n); /* n <= TEX_LANES, array of TEX_LANES */
    void (*linear_to_srgb)(float *values, unsigned n);
};

KERN_DECLARE(struct tex_pack_kern, tex_pack_kern);

/* Returns TEX_PACK_KINDS if the format has no packer. */
enum tex_pack_kind tex_pack_kind(const struct tex_format *format);

#endif
