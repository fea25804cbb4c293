/* Interface of tex/codec: decoders and encoders of compressed, YUV, palette and depth formats, and
 * rows of pixels of any format. tex/tex.h declares the packers and unpackers. */
#ifndef TEX_CODEC_CODEC_H
#define TEX_CODEC_CODEC_H

#include "tex/tex.h"

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Decodes one 4x4 block of DXT1-5, ATI1 or ATI2 to A8R8G8B8 words, row by row. */
typedef void tex_block_fn(uint32_t argb[16], const uint8_t *block);
tex_block_fn *tex_block_decoder(const struct tex_format *format); /* NULL: not a block format */
/* Decodes n consecutive blocks with vectors to four rows of 4n words, `pitch` words apart. */
typedef void tex_blocks_fn(const uint32_t *blocks, unsigned n, uint32_t *argb, size_t pitch);
tex_blocks_fn *tex_blocks_decoder(const struct tex_format *format); /* NULL: not a block format */
/* Encodes one block of a single colour, as closely as the format allows. */
void tex_block_solid(const struct tex_format *format, uint8_t *block, uint32_t argb);

/* Decodes one pixel of limited-range BT.601 to an A8R8G8B8 word (reference: format/yuv). */
uint32_t tex_yuv_colour(uint8_t luma, uint8_t u, uint8_t v);
/* Decodes two pixels of UYVY, YUY2, R8G8_B8G8 or G8R8_G8B8 (a 4-byte block) to A8R8G8B8. */
void tex_yuv_decode(const struct tex_format *format, uint32_t argb[2], const uint8_t *block);
/* Decodes n consecutive blocks with vectors to 2n words. */
typedef void tex_yuv_fn(const uint32_t *blocks, unsigned n, uint32_t *argb);
tex_yuv_fn *tex_yuv_decoder(const struct tex_format *format);
void tex_yuv_encode(const struct tex_format *format, uint8_t *block, const uint32_t argb[2]);

/* --- Single values ---------------------------------------------------------------------------- */

/* Returns the palette of greys that P8 uses if no palette is set. */
const uint32_t *tex_grey_palette(void);

/* The sRGB table of 8 bits, arranged for kernels that decode all bytes of texels at once. */
struct tex_srgb_lookup {
    _Alignas(64) float linear[258][2];   /* the value of each code twice, from index 1 on */
    _Alignas(64) uint8_t planes[4][256]; /* byte p of the value of each code */
};
const struct tex_srgb_lookup *tex_srgb_lookup(void);

/* Converts 0 … 255 to the fraction that ColorFill stores: half floats truncate
 * (reference: numbers/half). The packer rounds all other formats. */
float tex_fill_fraction(const struct tex_format *format, uint32_t byte);

/* Decodes the depth fraction of a texel word (reference: format/depth). */
float tex_depth_decode(const struct tex_format *format, uint32_t texel);

/* --- Rows of pixels --------------------------------------------------------------------------- */

/* True if tex_read_row_argb supports the format: A8R8G8B8 holds all that its codec yields. */
bool tex_row_is_argb(const struct tex_format *format);
/* Decodes pixels (x … x + n - 1, y) of one slice to A8R8G8B8. `palette` is for P8 and A8P8; NULL
 * selects greys. */
void tex_read_row_argb(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                       uint32_t y, uint32_t z, uint32_t n, uint32_t *argb, const uint32_t *palette);
/* Returns the channel that red, green, blue or alpha (c = 0 to 3) reads: luminance is all three
 * colours. */
static inline struct tex_channel tex_channel_of(const struct tex_format *format, unsigned c)
{
    return format->channel[format->layout == TEX_LAYOUT_LUMINANCE && c < 3 ? 0 : c];
}

/* True for unsigned formats of one or two bytes whose channels have at most 8 bits: the codes of
 * their channels fit the bytes of a word. */
bool tex_has_byte_codes(const struct tex_format *format);
/* Spreads the codes of the same pixels to bytes in the order of A8R8G8B8, for such formats. They
 * keep their values: a channel of 5 bits has codes up to 31. Absent channels are 0. */
void tex_read_row_codes(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                        uint32_t y, uint32_t z, uint32_t n, uint32_t *codes);
/* Decodes the same pixels to floats, any n. The arrays hold n rounded up to TEX_LANES floats,
 * 64-byte aligned. */
void tex_read_row(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                  uint32_t y, uint32_t z, uint32_t n, float *const rgba[4]);

#endif
