/* The format table: everything about a D3DFORMAT that is data. Rows stand in formats.def. */
#ifndef TEX_FORMAT_H
#define TEX_FORMAT_H

#include "util/d3dtypes.h"

#include <stdbool.h>
#include <stdint.h>

enum tex_layout {
    TEX_LAYOUT_UNORM, /* channels are unsigned fractions in one little-endian word of `bytes` */
    TEX_LAYOUT_SNORM, /* signed fractions (bump formats); L6V5U5 and its kin mix: see snorm_mask */
    TEX_LAYOUT_FLOAT16,
    TEX_LAYOUT_FLOAT32,
    TEX_LAYOUT_LUMINANCE, /* as UNORM, the red channel goes to r, g and b */
    TEX_LAYOUT_DEPTH,     /* depth and stencil: channel 0 = depth, channel 1 = stencil */
    TEX_LAYOUT_BLOCK,     /* DXT1-5, ATI1/2 */
    TEX_LAYOUT_YUV,       /* UYVY, YUY2, R8G8_B8G8, G8R8_G8B8 */
    TEX_LAYOUT_PALETTE,   /* P8, A8P8 */
    TEX_LAYOUT_RAW        /* buffers, D3DFMT_NULL, names that are no formats */
};

enum tex_caps {
    TEX_SAMPLE = 1 << 0,     /* may be a texture */
    TEX_FILTER = 1 << 1,     /* linear filtering */
    TEX_TARGET = 1 << 2,     /* may be a render target */
    TEX_BLEND = 1 << 3,      /* post-pixel-shader blending as a target */
    TEX_DEPTHSTENCIL = 1 << 4,
    TEX_STENCIL = 1 << 5,    /* has stencil bits */
    TEX_SRGB_READ = 1 << 6,
    TEX_SRGB_WRITE = 1 << 7,
    TEX_CUBE = 1 << 8,
    TEX_VOLUME = 1 << 9,
    TEX_MIPGEN = 1 << 10,    /* D3DUSAGE_AUTOGENMIPMAP */
    TEX_VERTEX = 1 << 11,    /* vertex texture */
    TEX_BACKBUFFER = 1 << 12,/* may be a back buffer */
    TEX_DISPLAY = 1 << 13,   /* may be a display mode */
    TEX_OFFSCREEN = 1 << 14, /* may be an offscreen plain surface */
    TEX_LOCKABLE = 1 << 15,  /* depth formats: may be locked */
    TEX_EX = 1 << 16,        /* only IDirect3D9Ex and its devices offer it */
    /* No format but the name of something that drivers added, asked for as a surface, which nobody
     * can create: without a usage, or as a render target (reference: device/driver-names). */
    TEX_NAME = 1 << 17,
    TEX_NAME_TARGET = 1 << 18
};

struct tex_channel {
    uint8_t shift, bits; /* bits 0: the channel is absent (reads 1 for alpha, see `absent`) */
};

struct tex_format {
    D3DFORMAT d3d;
    const char *name;         /* "A8R8G8B8" */
    uint8_t bytes;            /* of one block; of one pixel where blocks are 1x1 */
    uint8_t block_w, block_h; /* pixels */
    uint8_t layout;           /* enum tex_layout */
    uint8_t snorm_mask;       /* bit c: channel c is signed */
    struct tex_channel channel[4]; /* r, g, b, a, as shifts in the little-endian word */
    uint8_t absent[4];        /* what an absent channel reads as: 0 or 1 */
    uint32_t caps;            /* enum tex_caps */
};

/* NULL for a format that is not in the table. */
const struct tex_format *tex_format_get(D3DFORMAT format);
/* All rows in order of the table: index 0 … tex_format_count() - 1. */
const struct tex_format *tex_format_at(unsigned index);
unsigned tex_format_count(void);
/* Whether texels of one are texels of the other, their depths read alike. */
bool tex_same_depth(const struct tex_format *a, const struct tex_format *b);
/* "A8R8G8B8", or the four characters or the number of an unknown one; valid until the next call in
 * the same thread. */
const char *tex_format_name(D3DFORMAT format);

/* Bytes of one row of blocks, rounded up to 4 as D3D9 pitches are; and rows of blocks. */
static inline uint32_t tex_row_pitch(const struct tex_format *format, uint32_t width_px)
{
    return ((width_px + format->block_w - 1) / format->block_w * format->bytes + 3) & ~3u;
}
static inline uint32_t tex_block_rows(const struct tex_format *format, uint32_t height_px)
{
    return (height_px + format->block_h - 1) / format->block_h;
}

#endif
