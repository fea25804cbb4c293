/* Mip generation: each level is a StretchRect of the one above (reference: copy/mip-maps). */
#include "tex/tex.h"

static struct tex_box whole(const struct tex_level *level)
{
    return (struct tex_box){0, 0, 0, level->width, level->height, 1};
}

enum status tex_generate_mips(struct tex_image *image, unsigned filter)
{
    unsigned how = filter == D3DTEXF_POINT ? D3DTEXF_POINT : D3DTEXF_LINEAR;

    if (image->desc.shape == TEX_VOLUME_MAP)
        return ST_UNSUPPORTED;
    for (uint32_t face = 0; face < image->faces; face++) {
        for (uint32_t l = 1; l < image->desc.levels; l++) {
            struct tex_box to = whole(tex_image_level(image, face, l));
            struct tex_box from = whole(tex_image_level(image, face, l - 1));
            enum status st = tex_stretch(image, face, l, &to, image, face, l - 1, &from, how);

            if (st != ST_OK)
                return st;
        }
    }
    return ST_OK;
}
