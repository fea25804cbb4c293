/* Images: storage of textures and surfaces, conversion of texels, sampling, copies. */
#ifndef TEX_TEX_H
#define TEX_TEX_H

#include "tex/format.h"
#include "util/sample.h"
#include "util/status.h"

#include <stdatomic.h>
#include <stddef.h>

enum { TEX_LANES = 64, TEX_MAX_LEVELS = 15, TEX_MAX_SIZE = 16384 };

/* --- Storage ----------------------------------------------------------------------------------- */

enum tex_shape { TEX_2D, TEX_CUBE_MAP, TEX_VOLUME_MAP };

struct tex_desc {
    D3DFORMAT format;
    enum tex_shape shape;
    uint32_t width, height, depth; /* of level 0 in pixels; depth 1 unless a volume */
    uint32_t levels;               /* at least 1; 0: all down to 1x1x1 */
    uint32_t samples;              /* 1, or a multisampled surface's 2, 4, 8, 16 (2D, one level) */
    bool unlocked;                 /* programs do not see its memory: rows may lie farther apart */
};

/* One level of one face. Blocks in rows of row_pitch bytes; slices of a volume, and samples of a multisampled
 * surface, slice_pitch bytes apart. Memory is readable 64 bytes past the end. */
struct tex_level {
    uint8_t *data;
    uint32_t width, height, depth;
    uint32_t row_pitch, slice_pitch;
    /* For the renderer: what it knows of the contents, in memory that goes with the image, and how
     * often others had changed the image then. */
    void *known;
    uint64_t known_at;
};

struct tex_decode_cache; /* decoded copies of formats that cannot be sampled in place */

/* Counted by refs; several owners (api objects, bound state, scenes) may hold it. */
struct tex_image {
    atomic_int refs;
    const struct tex_format *format;
    struct tex_desc desc;      /* levels resolved */
    uint32_t faces;            /* 1 or 6 */
    struct tex_level *level;   /* [face * desc.levels + level] */
    uint8_t *memory;           /* all levels; zero at creation */
    size_t bytes;
    bool user_memory;          /* memory is the creator's; its rows are not padded to 4 bytes */
    struct tex_memory *shared; /* what memory is part of; NULL: it is the image's own */
    uint64_t version;          /* raised by tex_image_touch */
    uint64_t rendered;         /* for the renderer: how many of those changes were its own */
    uint64_t last_scene;       /* for the renderer: serial of the last scene that reads or writes it */
    struct tex_decode_cache *decode_cache; /* private to tex */
    struct tex_quad_texels *quad_texels;   /* private to tex */
};

/* ST_INVALID for sizes or formats that cannot be, ST_NOMEM. memory: use this (borrowed, tightly laid out
 * as tex_image would) instead of allocating; NULL normally. */
MUST_CHECK enum status tex_image_create(struct tex_image **out, const struct tex_desc *desc,
                                        void *memory);
/* Memory that others see and change too. It is laid out as an image's own. */
struct tex_memory {
    uint8_t *bytes; /* tex_image_bytes of them and 64 more, at an address that 16 divides */
    void (*release)(struct tex_memory *memory); /* when the image is no more, in any thread */
};
/* Without those 64; 0: there can be no such image. */
size_t tex_image_bytes(const struct tex_desc *desc);
/* As tex_image_create. On failure the memory stays the caller's. */
MUST_CHECK enum status tex_image_create_shared(struct tex_image **out, const struct tex_desc *desc,
                                               struct tex_memory *memory);
struct tex_image *tex_image_ref(struct tex_image *image);
void tex_image_unref(struct tex_image **slot); /* clears the slot; NULL inside is allowed */
static inline struct tex_level *tex_image_level(struct tex_image *image, uint32_t face,
                                                uint32_t level)
{
    return &image->level[face * image->desc.levels + level];
}
/* Says that contents changed, so that copies for samples are renewed before the next sampling: all, or those of a
 * box of one level, which lies inside it. */
void tex_image_touch(struct tex_image *image);
struct tex_box;
void tex_image_touch_box(struct tex_image *image, uint32_t face, uint32_t level,
                         const struct tex_box *box);
/* Address of the block that holds pixel (x, y, z); x and y must lie on block corners. */
static inline uint8_t *tex_level_at(const struct tex_level *level, const struct tex_format *format,
                                    uint32_t x, uint32_t y, uint32_t z)
{
    return level->data + (size_t)z * level->slice_pitch +
           (size_t)(y / format->block_h) * level->row_pitch +
           (size_t)(x / format->block_w) * format->bytes;
}

/* --- Texels to floats and back ------------------------------------------------------------------- */

/* n <= TEX_LANES pixels that lie one after another at src, to one array a channel (each of TEX_LANES
 * floats, 64-byte aligned; lanes at and past n may be written). Absent channels read as the table says.
 * Only formats of 1x1 blocks. UNORM v reads as v / (2^bits - 1), correctly rounded. */
typedef void tex_unpack_fn(const struct tex_format *format, const void *src, unsigned n,
                           float *const rgba[4]);
/* The inverse: NaN to 0, clamp, round half up for UNORM (reference: numbers/unorm); round to nearest
 * even for float16; NaN in float formats becomes 0x7fc00000 / 0x7e00. */
typedef void tex_pack_fn(const struct tex_format *format, void *dst, unsigned n,
                         const float *const rgba[4]);
/* The best functions for this processor; NULL where the format has none (blocks, YUV, depth). */
tex_unpack_fn *tex_unpacker(const struct tex_format *format);
tex_pack_fn *tex_packer(const struct tex_format *format);
/* A8R8G8B8, X8R8G8B8, A8B8G8R8, X8B8G8R8. */
bool tex_is_8888(const struct tex_format *format);

/* sRGB transfer functions on arrays of n <= TEX_LANES floats, in place; exact rule in docs/reference.md. */
void tex_srgb_to_linear(float *values, unsigned n);
void tex_linear_to_srgb(float *values, unsigned n);

/* One pixel of any format that can be read, by coordinates: slow, for tools, tests and copies. */
void tex_read_pixel(const struct tex_image *image, uint32_t face, uint32_t level, uint32_t x,
                    uint32_t y, uint32_t z, float rgba[4]);

/* --- Sampling ---------------------------------------------------------------------------------- */

/* Sampler states as set, and the palette for P8. */
struct tex_sampler_state {
    uint8_t address[3];        /* D3DTEXTUREADDRESS for u, v, w */
    uint8_t min_filter, mag_filter, mip_filter; /* D3DTEXTUREFILTERTYPE */
    uint8_t max_anisotropy;
    bool srgb;                 /* decode before filtering */
    uint32_t max_mip_level;    /* the largest level that may be used = D3DSAMP_MAXMIPLEVEL */
    uint32_t lod;              /* IDirect3DBaseTexture9::SetLOD */
    float lod_bias;
    uint32_t border;           /* D3DCOLOR */
    const uint32_t *palette;   /* 256 D3DCOLORs or NULL; must live as long as the sampler */
};

struct tex_sampler_private;
/* A sampler ready for use; plain data, may be copied. The image must outlive it, unchanged in size. */
struct tex_sampler {
    _Alignas(64) unsigned char opaque[512];
};

/* image NULL: samples as (0, 0, 0, 1) (reference: texture/unbound). Reserves memory for a decoded copy if
 * needed, ST_NOMEM when that fails, and drops of it what has changed: call from the render thread while
 * nobody samples. The image's memory is read when samples are taken, in whichever thread, be it in place or
 * to decode a part of it, and must not change meanwhile. */
MUST_CHECK enum status tex_sampler_init(struct tex_sampler *sampler, struct tex_image *image,
                                        const struct tex_sampler_state *state);

/* sample->sampler is not looked at. */
void tex_sample(const struct tex_sampler *sampler, const struct sample *sample);

/* How samples are taken of which u and v differ from pixel to pixel, to the right and downwards, by
 * no more than `slack` from `step`: all of one level, by one filter. Then tex_sample_const_lod does
 * the same as tex_sample without looking for levels. For samples with LOD_IMPLICIT. */
struct tex_gradients {
    double step[2][2], error_bound[2]; /* of u and v */
};
struct tex_sampler_private;
struct tex_const_lod {
    int lod_and_filter; /* -1: that cannot be told; all else is private to tex */
    /* Of blocks whose texels lie close together; false: nothing was done. NULL: there are none. */
    bool (*sample_reg_tile)(const struct tex_sampler_private *const *samplers,
                            const struct tex_const_lod *const_lod, const struct sample *samples,
                            unsigned n);
    uint8_t tile_size;                   /* of the window, in texels */
    uint8_t min_lane[2];                 /* the lanes of the least u and v */
    float size_fx8[2];                   /* the level's size in 1/256 texels */
    int32_t wrap_mask[2], wrap_fx8[2];   /* with WRAP: all bits; the size in 1/256 texels; else 0 */
    int32_t max_inner[2], max_origin[2]; /* where a window inside the level may begin; or any */
};
void tex_sampler_const_lod(const struct tex_sampler *sampler, const struct tex_gradients *gradients,
                           struct tex_const_lod *const_lod);
void tex_sample_const_lod(const struct tex_sampler *sampler, const struct tex_const_lod *const_lod,
                          const struct sample *sample);

/* Whether two samplers take the same texels, each of its own texture, for equal coordinates and levels, and
 * there is a way to find them once for both. That is so among all of which it is so of two and two. */
bool tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b);
/* n samples, TEX_MAX_SAMPLER_GROUP at most, that differ in their texels and in nothing else, with
 * samplers alike. The way is that of the first, and may be one that cannot be told. */
enum { TEX_MAX_SAMPLER_GROUP = 4 };
void tex_sample_group(const struct tex_sampler *const samplers[],
                      const struct tex_const_lod *const_lod, const struct sample *samples,
                      unsigned n);

/* Whether it depends on gradients, those of a quad with LOD_IMPLICIT, which texels are taken. */
bool tex_sampler_needs_lod(const struct tex_sampler *sampler);
/* Whether u and v are all that a sample depends on. */
bool tex_sampler_is_2d(const struct tex_sampler *sampler);
/* tex_sample of 64 lanes without level or gradients, with all four results converted to UNORM of 8 bits as
 * pixels of A8R8G8B8. NULL: there is no such way, shorter than tex_sample, for this sampler. */
typedef void tex_sample_packed_fn(const struct tex_sampler *sampler, const float *u, const float *v,
                                  uint32_t pixels[TEX_LANES]);
tex_sample_packed_fn *tex_sampler_packed(const struct tex_sampler *sampler);

/* A square of pixels of which each column has its u and each row its v, and where it goes. */
enum { TEX_AXIS_ALIGNED_SIZE = 64 };
struct tex_axis_aligned {
    _Alignas(64) float u[TEX_AXIS_ALIGNED_SIZE];
    float v[TEX_AXIS_ALIGNED_SIZE];
    uint8_t *rows;
    size_t pitch;
    uint32_t set; /* bits to set in every pixel */
};
/* tex_sample of such a square, converted as by tex_sample_packed_fn. False: nothing was done. NULL:
 * there is no such way for this sampler. */
typedef bool tex_axis_aligned_fn(const struct tex_sampler *sampler,
                                 const struct tex_axis_aligned *area);
tex_axis_aligned_fn *tex_sampler_axis_aligned(const struct tex_sampler *sampler);

/* --- Copies ------------------------------------------------------------------------------------ */

struct tex_box {
    uint32_t x0, y0, z0, x1, y1, z1; /* half open, in pixels */
};

/* Same format; boxes of the same size, inside both, on block corners (or ending at the edge). */
void tex_copy(const struct tex_format *format, const struct tex_level *dst, uint32_t x, uint32_t y,
              uint32_t z, const struct tex_level *src, const struct tex_box *box);
/* StretchRect: any formats that can be read and packed; filter D3DTEXF_NONE, POINT or LINEAR (reference:
 * copy/stretchrect). Of volumes the slices z0 of the boxes. ST_UNSUPPORTED where the pair of formats cannot be converted. */
MUST_CHECK enum status tex_stretch(struct tex_image *dst, uint32_t dst_face, uint32_t dst_level,
                                   const struct tex_box *dst_box, struct tex_image *src,
                                   uint32_t src_face, uint32_t src_level,
                                   const struct tex_box *src_box, unsigned filter);
/* Whether that can be: what has the same format and size is copied without a conversion. */
bool tex_can_convert(const struct tex_format *dst, const struct tex_format *src);
/* ColorFill with an A8R8G8B8 colour, also for block formats where the box covers whole blocks. ST_UNSUPPORTED
 * for formats of depth and raw data. */
MUST_CHECK enum status tex_fill(struct tex_image *image, uint32_t face, uint32_t level,
                                const struct tex_box *box, uint32_t argb);
/* Fills levels 1 … from level 0 by a box filter (D3DUSAGE_AUTOGENMIPMAP, GenerateMipSubLevels). */
MUST_CHECK enum status tex_generate_mips(struct tex_image *image, unsigned filter);
/* Averages the samples of a multisampled surface into a single-sampled one of the same size and format. */
MUST_CHECK enum status tex_resolve(struct tex_image *dst, struct tex_image *src);

#endif
