/* Copies of boxes within one format (reference: copy). */
#include "tex/tex.h"

#include <string.h>

void tex_copy(const struct tex_format *format, const struct tex_level *dst, uint32_t x, uint32_t y,
              uint32_t z, const struct tex_level *src, const struct tex_box *box)
{
    size_t bytes = tex_row_bytes(format, box->x1 - box->x0);
    uint32_t rows = (box->y1 - box->y0 + format->block_h - 1) / format->block_h;
    bool contiguous = bytes == src->row_pitch && bytes == dst->row_pitch;

    for (uint32_t k = 0; k < box->z1 - box->z0; k++) {
        if (contiguous) {
            memmove(tex_level_at(dst, format, x, y, z + k),
                    tex_level_at(src, format, box->x0, box->y0, box->z0 + k), bytes * rows);
            continue;
        }
        for (uint32_t j = 0; j < box->y1 - box->y0; j += format->block_h)
            memmove(tex_level_at(dst, format, x, y + j, z + k),
                    tex_level_at(src, format, box->x0, box->y0 + j, box->z0 + k), bytes);
    }
}
