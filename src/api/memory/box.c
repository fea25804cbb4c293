/* Geometry of levels: formats with blocks, and the boxes that rectangles mean.
 * Tested by tests/unit/api/memory/test_lock_rules.c and tests/unit/api/device/test_copy.c. */
#include "api/memory/resource.h"

bool api_format_is_ati(const struct tex_format *format)
{
    return format->d3d == (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1') ||
           format->d3d == (D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2');
}

/* DXT images consist of whole blocks in every pool (reference: textures/block-size), and planar
 * ones of whole chroma samples (reference: format/planar). */
bool api_block_size_ok(const struct tex_format *format, uint32_t width, uint32_t height)
{
    if (format->layout == TEX_LAYOUT_PLANAR)
        return !(width % 2 || height % 2);
    return format->layout != TEX_LAYOUT_BLOCK || api_format_is_ati(format) ||
           !(width % format->block_w || height % format->block_h);
}

bool api_box_aligned(const struct tex_format *format, const struct tex_box *box, uint32_t width,
                     uint32_t height)
{
    uint32_t bw = tex_box_step_x(format), bh = tex_box_step_y(format);

    return !(box->x0 % bw || box->y0 % bh || (box->x1 % bw && box->x1 != width) ||
             (box->y1 % bh && box->y1 != height));
}

bool api_surface_box(const struct surface *surface, const RECT *rect, struct tex_box *box)
{
    *box = (struct tex_box){0, 0, 0, surface->width, surface->height, 1};
    if (!rect)
        return true;
    if (rect->left < 0 || rect->top < 0 || rect->left >= rect->right || rect->top >= rect->bottom ||
        (uint32_t)rect->right > surface->width || (uint32_t)rect->bottom > surface->height)
        return false;
    *box = (struct tex_box){(uint32_t)rect->left,  (uint32_t)rect->top,    0,
                            (uint32_t)rect->right, (uint32_t)rect->bottom, 1};
    return true;
}

bool api_volume_box(const struct surface *volume, const D3DBOX *in, struct tex_box *box)
{
    *box = (struct tex_box){0, 0, 0, volume->width, volume->height, volume->depth};
    if (!in)
        return true;
    if (in->Left >= in->Right || in->Right > volume->width || in->Top >= in->Bottom ||
        in->Bottom > volume->height || in->Front >= in->Back || in->Back > volume->depth)
        return false;
    *box = (struct tex_box){in->Left, in->Top, in->Front, in->Right, in->Bottom, in->Back};
    return true;
}
