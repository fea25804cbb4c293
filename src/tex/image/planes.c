/* Planes of video formats: where Y, U and V of a level are (reference: format/planar).
 *
 * Tested by tests/unit/tex/image/test_planes.c. */
#include "tex/image/image.h"

/* Returns a plane of half the width and height that starts `offset` bytes behind the level. */
static struct tex_plane chroma_plane(const struct tex_level *level, D3DFORMAT format,
                                     uint32_t row_pitch, size_t offset)
{
    struct tex_plane plane = {.format = tex_format_get(format), .level = *level, .shift = 1};

    plane.level.data = level->data ? level->data + offset : NULL;
    plane.level.width = (level->width + 1) / 2;
    plane.level.height = (level->height + 1) / 2;
    plane.level.row_pitch = row_pitch;
    plane.level.slice_pitch = row_pitch * plane.level.height;
    return plane;
}

unsigned tex_level_planes(const struct tex_format *format, const struct tex_level *level,
                          struct tex_plane planes[TEX_PLANES])
{
    size_t luma = (size_t)level->row_pitch * level->height;
    uint32_t half = level->row_pitch / 2;

    planes[0] = (struct tex_plane){.format = format, .level = *level};
    if (format->layout != TEX_LAYOUT_PLANAR)
        return 1;
    planes[0].format = tex_format_get(D3DFMT_L8);
    if (format->d3d == TEX_FMT_NV12) {
        planes[1] = chroma_plane(level, D3DFMT_A8L8, level->row_pitch, luma);
        return 2;
    }
    planes[1] = chroma_plane(level, D3DFMT_L8, half, luma);
    planes[2] =
        chroma_plane(level, D3DFMT_L8, half, luma + (size_t)half * ((level->height + 1) / 2));
    return 3;
}

struct tex_box tex_plane_box(const struct tex_plane *plane, const struct tex_box *box)
{
    unsigned shift = plane->shift;

    return (struct tex_box){box->x0 >> shift,           box->y0 >> shift,           box->z0,
                            (box->x1 + shift) >> shift, (box->y1 + shift) >> shift, box->z1};
}
