/* Kernel table of vectorised packed-YUV decoding. yuv.c has the scalar decoder. */
#ifndef TEX_CODEC_YUV_KERN_H
#define TEX_CODEC_YUV_KERN_H

#include "tex/codec/codec.h"
#include "util/cpu.h"

enum tex_yuv_kind { TEX_YUV_UYVY, TEX_YUV_YUY2, TEX_YUV_RGBG, TEX_YUV_GRGB, TEX_YUV_KINDS };

struct tex_yuv_kern {
    tex_yuv_fn *decode[TEX_YUV_KINDS];
};
KERN_DECLARE(struct tex_yuv_kern, tex_yuv_kern);

#endif
