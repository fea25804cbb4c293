/* Descriptors of all D3DFORMATs: block size, channel layout and capabilities. image/formats.def has
 * the rows. */
#ifndef TEX_FORMAT_H
#define TEX_FORMAT_H

#include "util/d3dtypes.h"

#include <stdbool.h>
#include <stdint.h>

enum tex_layout {
    TEX_LAYOUT_UNORM, /* unsigned normalised channels in one little-endian word of `bytes` */
    TEX_LAYOUT_SNORM, /* signed normalised (bump formats); see snorm_mask for mixed ones */
    TEX_LAYOUT_FLOAT16,
    TEX_LAYOUT_FLOAT32,
    TEX_LAYOUT_LUMINANCE, /* as UNORM; channel 0 is replicated to r, g and b */
    TEX_LAYOUT_DEPTH,     /* channel 0 = depth, channel 1 = stencil */
    TEX_LAYOUT_BLOCK,     /* DXT1-5, ATI1/2 */
    TEX_LAYOUT_YUV,       /* UYVY, YUY2, R8G8_B8G8, G8R8_G8B8 */
    TEX_LAYOUT_PLANAR,    /* YV12, NV12: a plane of Y, then planes of U and V at half size */
    TEX_LAYOUT_MONO,      /* A1: eight pixels a byte, the leftmost in the highest bit */
    TEX_LAYOUT_PALETTE,   /* P8, A8P8 */
    TEX_LAYOUT_RAW        /* buffers, D3DFMT_NULL, FOURCC names without texels */
};

enum tex_caps {
    TEX_SAMPLE = 1 << 0,     /* can be bound as a texture */
    TEX_FILTER = 1 << 1,     /* linear filtering */
    TEX_TARGET = 1 << 2,     /* can be a render target */
    TEX_BLEND = 1 << 3,      /* supports post-pixel-shader blending as a target */
    TEX_DEPTHSTENCIL = 1 << 4,
    TEX_STENCIL = 1 << 5,    /* stores stencil bits */
    TEX_SRGB_READ = 1 << 6,
    TEX_SRGB_WRITE = 1 << 7,
    TEX_CUBE = 1 << 8,
    TEX_VOLUME = 1 << 9,
    TEX_MIPGEN = 1 << 10,    /* D3DUSAGE_AUTOGENMIPMAP */
    TEX_VERTEX = 1 << 11,    /* vertex texture */
    TEX_BACKBUFFER = 1 << 12,/* can be a back buffer */
    TEX_DISPLAY = 1 << 13,   /* can be a display mode */
    TEX_OFFSCREEN = 1 << 14, /* can be an offscreen plain surface */
    TEX_LOCKABLE = 1 << 15,  /* depth formats: can be mapped */
    TEX_EX = 1 << 16,        /* only IDirect3D9Ex and its devices expose it */
    /* Driver extension names that CheckDeviceFormat reports as surfaces although none can be
     * created: without a usage, or as a render target (reference: device/driver-names). */
    TEX_NAME = 1 << 17,
    TEX_NAME_TARGET = 1 << 18,
    TEX_TEXT = 1 << 19,      /* D3DUSAGE_TEXTAPI: glyphs for ComposeRects */
    TEX_FULL_SCREEN = 1 << 20/* can be a back buffer of full-screen swap chains alone */
};

struct tex_channel {
    uint8_t shift, bits; /* bits 0: absent channel, which reads as `absent` says */
};

struct tex_format {
    D3DFORMAT d3d;
    const char *name;         /* "A8R8G8B8" */
    uint8_t bytes;            /* of one block, i.e. of one pixel if blocks are 1x1 */
    uint8_t block_w, block_h; /* pixels */
    uint8_t layout;           /* enum tex_layout */
    uint8_t snorm_mask;       /* bit c: channel c is signed */
    struct tex_channel channel[4]; /* r, g, b, a; shifts in the little-endian word */
    uint8_t absent[4];        /* value of an absent channel: 0 or 1 */
    uint32_t caps;            /* enum tex_caps */
};

/* Returns NULL for a format without a row. */
const struct tex_format *tex_format_get(D3DFORMAT format);
/* Returns rows in table order: index 0 … tex_format_count() - 1. */
const struct tex_format *tex_format_at(unsigned index);
unsigned tex_format_count(void);
/* True for A8R8G8B8, X8R8G8B8, A8B8G8R8 and X8B8G8R8. */
bool tex_is_8888(const struct tex_format *format);
/* True if both formats store the same texels and decode depth the same way. */
bool tex_same_depth(const struct tex_format *a, const struct tex_format *b);
/* Returns "A8R8G8B8"; for an unknown format its four characters or its number. The string is valid
 * until the next call on the same thread. */
const char *tex_format_name(D3DFORMAT format);

/* Returns the bytes of one row of blocks. */
static inline uint32_t tex_row_bytes(const struct tex_format *format, uint32_t width_px)
{
    return (width_px + format->block_w - 1) / format->block_w * format->bytes;
}
/* Returns them rounded up to 4, like Direct3D 9 pitches. */
static inline uint32_t tex_row_pitch(const struct tex_format *format, uint32_t width_px)
{
    return (tex_row_bytes(format, width_px) + 3) & ~3u;
}
static inline uint32_t tex_block_rows(const struct tex_format *format, uint32_t height_px)
{
    return (height_px + format->block_h - 1) / format->block_h;
}
/* Returns the rows, one row pitch each, that a slice takes: rows of blocks. Both chroma planes of a
 * planar format together take half as many rows as its plane of luma. */
static inline uint32_t tex_slice_rows(const struct tex_format *format, uint32_t height_px)
{
    return tex_block_rows(format, height_px) +
           (format->layout == TEX_LAYOUT_PLANAR ? (height_px + 1) / 2 : 0);
}
/* Boxes of pixels start and end at multiples of these, or end at the edge: the size of blocks, or
 * of the pixels that share a chroma sample. */
static inline uint32_t tex_box_step_x(const struct tex_format *format)
{
    return format->layout == TEX_LAYOUT_PLANAR ? 2 : format->block_w;
}
static inline uint32_t tex_box_step_y(const struct tex_format *format)
{
    return format->layout == TEX_LAYOUT_PLANAR ? 2 : format->block_h;
}

#endif
