/* Interface of tex/cache: copies of images that are made for sampling. The decode cache holds
 * decoded texels of images that cannot be sampled in place; quad texels hold four-byte texels in a
 * layout that bilinear filtering reads faster. Both belong to their image and follow its
 * changes. */
#ifndef TEX_CACHE_CACHE_H
#define TEX_CACHE_CACHE_H

#include "tex/image/image.h"

#include <stddef.h>

/* --- Decode cache ----------------------------------------------------------------------------- */

/* All faces and levels of an image, decoded to A8R8G8B8 or A32B32G32R32F. Memory is reserved at
 * once. The first thread that samples a page of 64x64 texels decodes it, so pages without samples
 * are never touched. */
struct tex_decode_cache {
    struct tex_image_copy copy;
    struct tex_image *image;
    const struct tex_format *format;
    /* The decoded levels, laid out like the image's but with padded rows. The padding keeps rows of
     * large textures off the same cache sets, and takes whole blocks that reach past the level's
     * edge. */
    struct tex_level *level;
    struct tex_decode_pages *pages; /* of each level */
    int32_t face_pitch;             /* words between faces */
    atomic_uint undecoded; /* number of subresources (levels of faces) with undecoded pages */
    /* For tex_decode_cache_hit; `idle`: it has no more pages to decode. */
    atomic_uint hits;
    atomic_bool idle;
    uint64_t version;       /* of the image at the last update */
    uint64_t dirty_version; /* of the image after all changes that `dirty` covers */
    uint8_t *memory;
    atomic_uchar *states;
};
_Static_assert(offsetof(struct tex_decode_cache, copy) == 0, "the image knows it by its copy");
/* Creates image->decode_cache if needed and invalidates pages whose texels changed. Must not run
 * concurrently with sampling. */
MUST_CHECK enum status tex_decode_cache_update(struct tex_image *image);
/* True if all pages of these levels, of all faces, are decoded. */
bool tex_decode_cache_is_complete(const struct tex_decode_cache *cache, uint32_t first_level,
                                  uint32_t last_level);
/* Decodes all pages. */
void tex_decode_cache_require_all(struct tex_decode_cache *cache);

/* --- Decode on demand ------------------------------------------------------------------------- */

/* A batch of samples whose texels must be decoded before they are read. */
struct tex_decode_request {
    struct tex_decode_cache *cache;
    const uint8_t *address;     /* D3DTEXTUREADDRESS of each axis */
    uint32_t level, levels;     /* the first level and the number of levels, 1 or 2 */
    const float *const *axis;   /* normalised coordinates of lanes; for cube maps, on the face */
    const int32_t *face_offset; /* cube maps: word offset of each lane's face; otherwise NULL */
    /* NULL, or the steps of anisotropic lines, which extend half a step to either side of the
     * coordinates. */
    const float *const *step;
    uint64_t lanes;
};
/* Decodes the pages that lanes read. Returns false if lines touch too many pages; the caller then
 * decodes per tap. Any thread may call it. */
bool tex_decode_on_demand(const struct tex_decode_request *request);

/* --- Quad texels ------------------------------------------------------------------------------ */

/* Rows of columns, of a face or slice after another. A column is a texel and the one below it, so
 * two adjacent columns are a footprint. The last row is paired with the first. Each row has one
 * extra column that repeats its first. Each byte is stored minus 128, because the multiply-add that
 * uses it is signed. */
struct tex_quad_texels_level {
    const uint64_t *column;           /* of the first face */
    uint32_t slice_bytes, face_bytes; /* from slice to slice; from face to face */
};

/* Number of scenes that must sample an image unchanged before it gets quad texels. It doubles each
 * time a copy is discarded. */
enum { TEX_QUAD_TEXELS_MIN_SCENES = 8 };

/* Returns an array with one entry per level, valid until the image changes. Returns NULL until the
 * image has stayed unchanged for the required scenes, or if memory is short.
 *
 * `levels` have four bytes per texel: the image's own levels or those of its decode cache, which is
 * then completed.
 * For the render thread only; no thread may still sample an earlier version of the image. */
const struct tex_quad_texels_level *tex_quad_texels_get(struct tex_image *image,
                                                        const struct tex_level *levels);

#endif
