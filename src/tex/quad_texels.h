/* Copies of images that stay as they are, laid out so that one load has all four texels of a
 * bilinear sample, also where it wraps. They take twice the memory of the texels. */
#ifndef TEX_QUAD_TEXELS_H
#define TEX_QUAD_TEXELS_H

#include "tex/tex.h"

/* Rows of columns, each of which is a texel and the one below it; below the last row is the first.
 * A row has one more than texels, its first column again. Bytes are less 128, as products are
 * signed. */
struct tex_quad_texels_level {
    const uint64_t *column;
};

/* So many scenes must have sampled an image as it is; twice as many after a copy was for nothing.
 */
enum { TEX_QUAD_TEXELS_MIN_SCENES = 8 };

struct tex_quad_texels;
/* An array as long as the image's levels, which holds for as long as the image does not change;
 * NULL unless it has stayed as it is for those scenes and there is memory. `levels` are those of a
 * picture of four bytes a texel, the image's own or of its whole decoded copy. For the render
 * thread alone; nobody may sample the image as it was before a change. */
const struct tex_quad_texels_level *tex_quad_texels_get(struct tex_image *image,
                                                        const struct tex_level *levels);
void tex_quad_texels_destroy(struct tex_quad_texels *quad_texels); /* NULL is allowed */

#endif
