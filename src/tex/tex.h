/* Public interface of textures and surfaces: image storage, texel format conversion, samplers,
 * copies and mip generation. */
#ifndef TEX_TEX_H
#define TEX_TEX_H

#include "tex/format.h"
#include "util/sample.h"
#include "util/status.h"

#include <stdatomic.h>
#include <stddef.h>

enum { TEX_LANES = 64, TEX_MAX_LEVELS = 15, TEX_MAX_SIZE = 16384 };

/* --- Storage ---------------------------------------------------------------------------------- */

enum tex_shape { TEX_2D, TEX_CUBE_MAP, TEX_VOLUME_MAP };

struct tex_desc {
    D3DFORMAT format;
    enum tex_shape shape;
    uint32_t width, height, depth; /* of level 0 in pixels; depth is 1 unless a volume */
    uint32_t levels;               /* 0: the full mip chain to 1x1x1 */
    uint32_t samples;              /* 1; multisampled 2D surface: 2, 4, 8, 16 */
    bool unlocked;                 /* applications can never lock it: rows may be padded */
    /* For the renderer (setting RENDER_SCALE): a target has scale[0] x scale[1] pixels for a pixel
     * of the program, whose viewports, rectangles and positions are multiplied. 0: as it is. Scaled
     * images may have two levels more than their own chain. */
    float scale[2];
    bool lends_samples; /* a depth surface that also serves targets of fewer samples (SAMPLES) */
};

/* One mip level of one face. Block rows are row_pitch bytes apart. Slices of a volume, and samples
 * of a multisampled surface, are slice_pitch bytes apart. Unless it is user memory, the memory is
 * readable 64 bytes past the end. */
struct tex_level {
    uint8_t *data;
    uint32_t width, height, depth;
    uint32_t row_pitch, slice_pitch;
    /* For the renderer: metadata about the contents, freed with the image. It is valid if
     * metadata_changes equals version - rendered, the number of changes that the renderer did not
     * make. */
    void *metadata;
    uint64_t metadata_changes;
};

struct tex_decode_cache; /* decoded copies of formats that cannot be sampled in place */

/* Reference counted. API objects, bound state and scenes may each own a reference. */
struct tex_image {
    atomic_int refs;
    const struct tex_format *format;
    struct tex_desc desc;      /* with `levels` resolved */
    uint32_t faces;            /* 1 or 6 */
    struct tex_level *level;   /* [face * desc.levels + level] */
    uint8_t *memory;           /* all levels; the image's own memory starts as zeros */
    size_t bytes;
    bool user_memory;          /* the creator owns `memory`; rows are not padded to 4 bytes */
    struct tex_memory *shared; /* shared allocation that holds `memory`; else NULL */
    uint64_t version;          /* number of changes, counted by tex_image_touch */
    uint64_t rendered;         /* for the renderer: number of changes that it made itself */
    uint64_t last_scene;       /* for the renderer: serial of the last scene that uses it */
    struct tex_decode_cache *decode_cache; /* private to tex */
    struct tex_quad_texels *quad_texels;   /* private to tex */
};

/* Returns ST_INVALID for impossible sizes or formats, or ST_NOMEM. If `memory` is not NULL, it
 * becomes the image's user memory: levels in the order of tex_image.level, rows without padding.
 * The caller keeps ownership. */
MUST_CHECK enum status tex_image_create(struct tex_image **out, const struct tex_desc *desc,
                                        void *memory);
/* Memory that other processes also read and write, laid out like an image's own memory. */
struct tex_memory {
    uint8_t *bytes; /* tex_image_bytes + 64 bytes, aligned to 16 bytes */
    void (*release)(struct tex_memory *memory); /* called on any thread when the image is gone */
};
/* Returns the size of an image's memory without the 64 readable bytes past the end, or 0 if such an
 * image cannot exist. */
size_t tex_image_bytes(const struct tex_desc *desc);
/* As tex_image_create, with all levels in shared memory. On failure the caller keeps ownership of
 * the memory. */
MUST_CHECK enum status tex_image_create_shared(struct tex_image **out, const struct tex_desc *desc,
                                               struct tex_memory *memory);
struct tex_image *tex_image_ref(struct tex_image *image);
void tex_image_unref(struct tex_image **slot); /* sets *slot to NULL; *slot may be NULL */
static inline struct tex_level *tex_image_level(struct tex_image *image, uint32_t face,
                                                uint32_t level)
{
    return &image->level[face * image->desc.levels + level];
}
/* Mark contents as changed, so that the next sampling refreshes the decode cache and quad texels.
 * The first marks the whole image, the second a box inside one level. */
void tex_image_touch(struct tex_image *image);
struct tex_box;
void tex_image_touch_box(struct tex_image *image, uint32_t face, uint32_t level,
                         const struct tex_box *box);
/* Returns the address of the block that holds pixel (x, y, z); x and y must lie on block
 * corners. */
static inline uint8_t *tex_level_at(const struct tex_level *level, const struct tex_format *format,
                                    uint32_t x, uint32_t y, uint32_t z)
{
    return level->data + (size_t)z * level->slice_pitch +
           (size_t)(y / format->block_h) * level->row_pitch +
           (size_t)(x / format->block_w) * format->bytes;
}

/* A plane of a level: a level of an unsigned format with 1x1 blocks, smaller by 2^shift. The level
 * of a format that is not planar is its only plane. */
enum { TEX_PLANES = 3 };
struct tex_plane {
    const struct tex_format *format;
    struct tex_level level;
    unsigned shift;
};
/* Describes the planes in the order of memory and returns their number. */
unsigned tex_level_planes(const struct tex_format *format, const struct tex_level *level,
                          struct tex_plane planes[TEX_PLANES]);
/* The part of a plane that a box of the level covers. */
struct tex_box;
struct tex_box tex_plane_box(const struct tex_plane *plane, const struct tex_box *box);

/* --- Unpacking texels to floats and packing --------------------------------------------------- */

/* Unpacks n <= TEX_LANES consecutive pixels at src into one array per channel. Each array holds
 * TEX_LANES floats, 64-byte aligned; lanes from n on may be written. Absent channels read as
 * tex_format.absent says. Only for formats with 1x1 blocks. UNORM v reads as v / (2^bits - 1),
 * correctly rounded. */
typedef void tex_unpack_fn(const struct tex_format *format, const void *src, unsigned n,
                           float *const rgba[4]);
/* The inverse. UNORM: NaN becomes 0, values are clamped and rounded half up
 * (reference: numbers/unorm). Float16 rounds to nearest even. NaN becomes 0x7fc00000 / 0x7e00 in
 * float formats. */
typedef void tex_pack_fn(const struct tex_format *format, void *dst, unsigned n,
                         const float *const rgba[4]);
/* Return the fastest function for this processor, or NULL if the format has none (block-compressed,
 * YUV, depth, palette, raw data). */
tex_unpack_fn *tex_unpacker(const struct tex_format *format);
tex_pack_fn *tex_packer(const struct tex_format *format);

/* Apply the sRGB transfer functions in place to arrays of n <= TEX_LANES floats. docs/reference.md
 * has the exact rule. */
void tex_srgb_to_linear(float *values, unsigned n);
void tex_linear_to_srgb(float *values, unsigned n);
/* Returns the table of linear values of the codes of an sRGB channel with 1 to 8 bits. */
const float *tex_srgb_table(unsigned bits);

/* Reads one pixel of any readable format by coordinates. Slow: for tools, tests and copies. */
void tex_read_pixel(const struct tex_image *image, uint32_t face, uint32_t level, uint32_t x,
                    uint32_t y, uint32_t z, float rgba[4]);

/* --- Sampling --------------------------------------------------------------------------------- */

/* Sampler states as the application set them, and the palette for P8. */
struct tex_sampler_state {
    uint8_t address[3];        /* D3DTEXTUREADDRESS for u, v, w */
    uint8_t min_filter, mag_filter, mip_filter; /* D3DTEXTUREFILTERTYPE */
    uint8_t max_anisotropy;
    bool srgb;                 /* sRGB decode before filtering */
    uint32_t max_mip_level;    /* index of the finest level that may be used: D3DSAMP_MAXMIPLEVEL */
    uint32_t lod;              /* IDirect3DBaseTexture9::SetLOD */
    float lod_bias;
    uint32_t border;           /* D3DCOLOR */
    /* SetConvolutionMonoKernel for a sampler with a filter CONVOLUTIONMONO: width | height << 8;
     * 0: no convolution. Formats other than A1 ignore it. */
    uint32_t convolution;
    const uint32_t *palette;   /* 256 D3DCOLORs or NULL; must outlive the sampler */
};

/* A compiled sampler. Plain data: it may be copied. The image must outlive it and keep its size. */
struct tex_sampler {
    _Alignas(64) unsigned char opaque[512];
};

/* Compiles a sampler. With image NULL it samples (0, 0, 0, 1) (reference: texture/unbound). Creates
 * the image's decode cache if it needs one, and invalidates stale pages; returns ST_NOMEM on
 * failure. Call it on the render thread while no thread samples the image.
 *
 * Any sampling thread may read the image's memory, directly or to decode pages of it. The memory
 * must not change meanwhile. */
MUST_CHECK enum status tex_sampler_init(struct tex_sampler *sampler, struct tex_image *image,
                                        const struct tex_sampler_state *state);

/* Samplers run machine code, which is made at first use, while it has users: a renderer each. When
 * the last one has gone, no sampler from before may be used. Without users samplers take kernels.
 */
void tex_code_use(void);
void tex_code_leave(void);

/* Executes a sampling request; ignores sample->sampler. tex/shortcut/shortcut.h has faster ways for
 * special cases. */
void tex_sample(const struct tex_sampler *sampler, const struct sample *sample);

/* --- Copies ----------------------------------------------------------------------------------- */

struct tex_box {
    uint32_t x0, y0, z0, x1, y1, z1; /* half-open, in pixels */
};
/* A box of one level of one face. */
struct tex_region {
    struct tex_image *image;
    uint32_t face, level;
    struct tex_box box;
};

/* Copies a box between levels of one format, or within one level, where the boxes may overlap. Both
 * lie inside their levels and on block corners, or end at the edge. */
void tex_copy(const struct tex_format *format, const struct tex_level *dst, uint32_t x, uint32_t y,
              uint32_t z, const struct tex_level *src, const struct tex_box *box);
/* StretchRect: scales and converts between readable and packable formats. filter: D3DTEXF_NONE,
 * POINT or LINEAR (reference: copy/stretchrect). Volumes use slice z0 of each box. Returns
 * ST_UNSUPPORTED if the pair of formats has no conversion. */
MUST_CHECK enum status tex_stretch(const struct tex_region *dst, const struct tex_region *src,
                                   unsigned filter);
/* True if tex_stretch converts between these formats. It copies equal formats and sizes without
 * conversion. */
bool tex_can_convert(const struct tex_format *dst, const struct tex_format *src);
/* ComposeRects: combines a box of an A1 level with another A1 level at (x, y), clipped there. The
 * box lies inside its level; the levels do not overlap. Other operations than those of
 * D3DCOMPOSERECTSOP do nothing (reference: copy/composerects). */
void tex_compose(const struct tex_level *dst, int32_t x, int32_t y, const struct tex_level *src,
                 const struct tex_box *box, unsigned operation);
/* ColorFill with an A8R8G8B8 colour, also for block formats if the box covers whole blocks. Returns
 * ST_UNSUPPORTED for depth formats and raw data other than D3DFMT_NULL, which stores nothing. */
MUST_CHECK enum status tex_fill(struct tex_image *image, uint32_t face, uint32_t level,
                                const struct tex_box *box, uint32_t argb);
/* Generates levels 1 … from level 0 (D3DUSAGE_AUTOGENMIPMAP, GenerateMipSubLevels). Each level is a
 * StretchRect of the one above with filter POINT, or LINEAR for all other filters (reference:
 * copy/mip-maps). Returns ST_UNSUPPORTED for volumes. */
MUST_CHECK enum status tex_generate_mips(struct tex_image *image, unsigned filter);
/* Resolves a multisampled surface: averages its samples, or takes the first sample of depth
 * formats, into a single-sampled surface of the same size and format. */
MUST_CHECK enum status tex_resolve(struct tex_image *dst, struct tex_image *src);

#endif
