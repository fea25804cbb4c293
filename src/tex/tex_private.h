/* Internal interface of src/tex: codecs, row readers and the decode cache. */
#ifndef TEX_TEX_PRIVATE_H
#define TEX_TEX_PRIVATE_H

#include "tex/tex.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Driver-specific FOURCC formats; formats.def has their rows. */
#define TEX_FOURCC(a, b, c, d)                                                                     \
    ((D3DFORMAT)((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24))
#define TEX_FMT_ATI1 TEX_FOURCC('A', 'T', 'I', '1')
#define TEX_FMT_ATI2 TEX_FOURCC('A', 'T', 'I', '2')
#define TEX_FMT_INTZ TEX_FOURCC('I', 'N', 'T', 'Z')
#define TEX_FMT_DF16 TEX_FOURCC('D', 'F', '1', '6')
#define TEX_FMT_DF24 TEX_FOURCC('D', 'F', '2', '4')
#define TEX_FMT_RAWZ TEX_FOURCC('R', 'A', 'W', 'Z')
#define TEX_FMT_GET4 TEX_FOURCC('G', 'E', 'T', '4') /* a LOD bias that enables Fetch4 */
#define TEX_FMT_NULL TEX_FOURCC('N', 'U', 'L', 'L')

/* --- Codecs of block-compressed and packed formats -------------------------------------------- */

/* Decodes one 4x4 block of DXT1-5, ATI1 or ATI2 to A8R8G8B8 words, row by row. */
typedef void tex_block_fn(uint32_t argb[16], const uint8_t *block);
tex_block_fn *tex_block_decoder(const struct tex_format *format); /* NULL: not a block format */
/* Decodes n consecutive blocks with vectors to four rows of 4n words, `pitch` words apart. */
typedef void tex_blocks_fn(const uint32_t *blocks, unsigned n, uint32_t *argb, size_t pitch);
tex_blocks_fn *tex_blocks_decoder(const struct tex_format *format); /* NULL: not a block format */
/* Encodes one block of a single colour, as closely as the format allows. */
void tex_block_solid(const struct tex_format *format, uint8_t *block, uint32_t argb);

/* Decodes two pixels of UYVY, YUY2, R8G8_B8G8 or G8R8_G8B8 (a 4-byte block) to A8R8G8B8. */
void tex_yuv_decode(const struct tex_format *format, uint32_t argb[2], const uint8_t *block);
/* Decodes n consecutive blocks with vectors to 2n words. */
typedef void tex_yuv_fn(const uint32_t *blocks, unsigned n, uint32_t *argb);
tex_yuv_fn *tex_yuv_decoder(const struct tex_format *format);
void tex_yuv_encode(const struct tex_format *format, uint8_t *block, const uint32_t argb[2]);

/* Returns the table of linear values of the codes of an sRGB channel with 1 to 8 bits. */
const float *tex_srgb_table(unsigned bits);
/* Returns the palette of greys that P8 uses if no palette is set. */
const uint32_t *tex_grey_palette(void);

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
/* Decodes the same pixels to floats, any n. The arrays hold n rounded up to TEX_LANES floats,
 * 64-byte aligned. */
void tex_read_row(const struct tex_format *format, const struct tex_level *level, uint32_t x,
                  uint32_t y, uint32_t z, uint32_t n, float *const rgba[4]);

/* --- Decode cache ----------------------------------------------------------------------------- */

/* All faces and levels of an image, decoded to A8R8G8B8 or A32B32G32R32F. Memory is reserved at
 * once. The first thread that samples a page decodes it, so pages without samples are never
 * touched. */
enum { TEX_DECODE_PAGE = 64 }; /* a page has 64x64 texels of one slice */

/* The pages of one level of one face. */
struct tex_decode_pages {
    uint32_t across, down, slices; /* numbers of pages */
    atomic_uint undecoded; /* number of undecoded pages; 0: all texels are readable */
    atomic_uchar *state;   /* of each page: undecoded, being decoded, decoded (decode_cache.c) */
    atomic_uint hits, next_prefetch; /* for tex_decode_cache_hit */
    struct tex_box dirty; /* since the last tex_decode_cache_update; empty if x0 >= x1 */
};

struct tex_decode_cache {
    struct tex_image *image;
    const struct tex_format *format;
    /* The decoded levels, laid out like the image's but with padded rows. The padding keeps rows of
     * large textures off the same cache sets, and takes whole blocks that reach past the level's
     * edge. */
    struct tex_level *level;
    struct tex_decode_pages *pages;
    int32_t face_pitch;    /* words between faces */
    atomic_uint undecoded; /* number of subresources (levels of faces) with undecoded pages */
    uint64_t version;    /* of the image at the last update */
    uint64_t dirty_version; /* of the image after all changes that `dirty` covers */
    uint8_t *memory;
    atomic_uchar *states;
};
void tex_decode_cache_destroy(struct tex_decode_cache *cache); /* NULL is allowed */
/* Creates image->decode_cache if needed and invalidates pages whose texels changed. Must not run
 * concurrently with sampling. */
MUST_CHECK enum status tex_decode_cache_update(struct tex_image *image);
/* Records that the image, at its current version, is about to change inside this box of a level. */
void tex_decode_cache_mark_dirty(struct tex_decode_cache *cache, uint32_t level,
                                 const struct tex_box *box);
/* Ensures that a page is decoded. Any thread may call it. Samplers call it themselves. */
void tex_decode_cache_require(struct tex_decode_cache *cache, uint32_t level, uint32_t page_x,
                              uint32_t page_y, uint32_t page_z);
void tex_decode_cache_require_all(struct tex_decode_cache *cache);
/* Notes a batch whose pages were all decoded. After every few such batches it decodes one more page
 * of a small level, so that the level becomes complete and batches need no page checks. */
void tex_decode_cache_hit(struct tex_decode_cache *cache, uint32_t level);
static inline bool tex_decode_cache_is_decoded(const struct tex_decode_pages *pages,
                                               uint32_t page_x, uint32_t page_y, uint32_t page_z)
{
    size_t i = ((size_t)page_z * pages->down + page_y) * pages->across + page_x;

    return atomic_load_explicit(&pages->state[i], memory_order_acquire) == 2;
}

#endif
