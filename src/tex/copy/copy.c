/* Copies of boxes within one format (reference: copy). */
#include "tex/tex.h"

#include <string.h>

/* Item i of n in the order of a copy. Within one level, an item that lies behind its source is
 * copied before its source is overwritten (reference: copy/stretchrect-within). */
static uint32_t in_order(uint32_t i, uint32_t n, bool backwards)
{
    return backwards ? n - 1 - i : i;
}

static void copy_box(const struct tex_format *format, const struct tex_level *dst, uint32_t x,
                     uint32_t y, uint32_t z, const struct tex_level *src, const struct tex_box *box)
{
    size_t bytes = tex_row_bytes(format, box->x1 - box->x0);
    uint32_t rows = (box->y1 - box->y0 + format->block_h - 1) / format->block_h;
    uint32_t slices = box->z1 - box->z0;
    bool contiguous = bytes == src->row_pitch && bytes == dst->row_pitch;
    bool within = dst->data == src->data;

    for (uint32_t i = 0; i < slices; i++) {
        uint32_t k = in_order(i, slices, within && z > box->z0);

        if (contiguous) {
            memmove(tex_level_at(dst, format, x, y, z + k),
                    tex_level_at(src, format, box->x0, box->y0, box->z0 + k), bytes * rows);
            continue;
        }
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t j = in_order(row, rows, within && y > box->y0) * format->block_h;

            memmove(tex_level_at(dst, format, x, y + j, z + k),
                    tex_level_at(src, format, box->x0, box->y0 + j, box->z0 + k), bytes);
        }
    }
}

void tex_copy(const struct tex_format *format, const struct tex_level *dst, uint32_t x, uint32_t y,
              uint32_t z, const struct tex_level *src, const struct tex_box *box)
{
    struct tex_plane to[TEX_PLANES], from[TEX_PLANES];
    unsigned n = tex_level_planes(format, dst, to);

    tex_level_planes(format, src, from);
    for (unsigned i = 0; i < n; i++) {
        struct tex_box part = tex_plane_box(&from[i], box);

        copy_box(to[i].format, &to[i].level, x >> to[i].shift, y >> to[i].shift, z, &from[i].level,
                 &part);
    }
}
