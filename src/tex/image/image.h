/* Interface of tex/image for the other modules: names of driver formats, and copies that an image
 * owns. Formats and storage themselves are public (tex/format.h, tex/tex.h). */
#ifndef TEX_IMAGE_IMAGE_H
#define TEX_IMAGE_IMAGE_H

#include "tex/tex.h"

/* Driver-specific FOURCC formats; formats.def has their rows. */
#define TEX_FOURCC(a, b, c, d)                                                                     \
    ((D3DFORMAT)((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24))
#define TEX_FMT_ATI1 TEX_FOURCC('A', 'T', 'I', '1')
#define TEX_FMT_ATI2 TEX_FOURCC('A', 'T', 'I', '2')
#define TEX_FMT_YV12 TEX_FOURCC('Y', 'V', '1', '2')
#define TEX_FMT_NV12 TEX_FOURCC('N', 'V', '1', '2')
#define TEX_FMT_INTZ TEX_FOURCC('I', 'N', 'T', 'Z')
#define TEX_FMT_DF16 TEX_FOURCC('D', 'F', '1', '6')
#define TEX_FMT_DF24 TEX_FOURCC('D', 'F', '2', '4')
#define TEX_FMT_RAWZ TEX_FOURCC('R', 'A', 'W', 'Z')
#define TEX_FMT_GET4 TEX_FOURCC('G', 'E', 'T', '4') /* a LOD bias that enables Fetch4 */
#define TEX_FMT_NULL TEX_FOURCC('N', 'U', 'L', 'L')

/* tex_image.decode_cache and tex_image.quad_texels point to structs that start with this. So the
 * image can report changes to its copies and destroy them without knowing them. */
struct tex_image_copy {
    void (*destroy)(struct tex_image_copy *copy);
    /* The image, at its current version, is about to change inside this box of a level; `level` is
     * an index of tex_image.level. Only the decode cache takes notice. */
    void (*mark_dirty)(struct tex_image_copy *copy, uint32_t level, const struct tex_box *box);
};

#endif
