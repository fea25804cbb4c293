/* Mip generation: each level is a StretchRect of the one above (reference: copy/mip-maps). */
#include "tex/tex.h"

static struct tex_region whole(struct tex_image *image, uint32_t face, uint32_t level)
{
    const struct tex_level *at = tex_image_level(image, face, level);

    return (struct tex_region){image, face, level, {0, 0, 0, at->width, at->height, 1}};
}

enum status tex_generate_mips(struct tex_image *image, unsigned filter)
{
    unsigned how = filter == D3DTEXF_POINT ? D3DTEXF_POINT : D3DTEXF_LINEAR;

    if (image->desc.shape == TEX_VOLUME_MAP)
        return ST_UNSUPPORTED;
    for (uint32_t face = 0; face < image->faces; face++) {
        for (uint32_t l = 1; l < image->desc.levels; l++) {
            struct tex_region to = whole(image, face, l), from = whole(image, face, l - 1);
            enum status st = tex_stretch(&to, &from, how);

            if (st != ST_OK)
                return st;
        }
    }
    return ST_OK;
}
