/* Quad texels: a texture layout in which one 64-bit load fetches the 2x2 texels of a bilinear
 * footprint, including footprints that wrap. It is built for images that stay unchanged and takes
 * twice the memory of the texels. */
#ifndef TEX_CACHE_QUAD_TEXELS_H
#define TEX_CACHE_QUAD_TEXELS_H

#include "tex/tex.h"

/* Rows of columns. A column is a texel and the one below it, so two adjacent columns are a
 * footprint. The last row is paired with the first. Each row has one extra column that repeats its
 * first. Each byte is stored minus 128, because the multiply-add that uses it is signed. */
struct tex_quad_texels_level {
    const uint64_t *column;
};

/* Number of scenes that must sample an image unchanged before it gets quad texels. It doubles each
 * time a copy is discarded. */
enum { TEX_QUAD_TEXELS_MIN_SCENES = 8 };

struct tex_quad_texels;
/* Returns an array with one entry per level, valid until the image changes. Returns NULL until the
 * image has stayed unchanged for the required scenes, or if memory is short.
 *
 * `levels` have four bytes per texel: the image's own levels or those of its complete decode cache.
 * For the render thread only; no thread may still sample an earlier version of the image. */
const struct tex_quad_texels_level *tex_quad_texels_get(struct tex_image *image,
                                                        const struct tex_level *levels);
void tex_quad_texels_destroy(struct tex_quad_texels *quad_texels); /* NULL is allowed */

#endif
