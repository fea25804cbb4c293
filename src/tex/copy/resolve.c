/* Multisample resolve: averages the samples of each pixel (reference: multisample/resolve). */
#include "tex/copy/resolve_kern.h"
#include "tex/tex.h"

/* NULL: the format is no colour target. */
static tex_average_fn *average_of(const struct tex_format *format)
{
    const struct tex_resolve_kern *kern = KERN_PICK(tex_resolve_kern);

    if (tex_is_8888(format))
        return kern->average[TEX_AVERAGE_BYTES];
    switch (format->layout) {
    case TEX_LAYOUT_UNORM:
    case TEX_LAYOUT_LUMINANCE:
        return format->bytes == 1   ? kern->average[TEX_AVERAGE_WORD8]
               : format->bytes == 2 ? kern->average[TEX_AVERAGE_WORD16]
               : format->bytes == 4 ? kern->average[TEX_AVERAGE_WORD32]
               : format->bytes == 8 ? kern->average[TEX_AVERAGE_WORD64]
                                    : NULL;
    case TEX_LAYOUT_FLOAT16:
        return kern->average[TEX_AVERAGE_HALF];
    case TEX_LAYOUT_FLOAT32:
        return kern->average[TEX_AVERAGE_FLOAT];
    default:
        return NULL;
    }
}

enum status tex_resolve(struct tex_image *dst, struct tex_image *src)
{
    const struct tex_level *to = dst->level, *from = src->level;
    struct tex_box all = {0, 0, 0, src->desc.width, src->desc.height, 1};
    tex_average_fn *average = average_of(src->format);

    if (dst->format != src->format || dst->desc.samples != 1 ||
        dst->desc.width != src->desc.width || dst->desc.height != src->desc.height)
        return ST_INVALID;
    tex_image_touch(dst);
    if (src->desc.samples == 1 || !average) { /* depth: takes the first sample */
        tex_copy(src->format, to, 0, 0, 0, from, &all);
        return ST_OK;
    }
    for (uint32_t y = 0; y < src->desc.height; y++)
        average(src->format, to->data + (size_t)y * to->row_pitch,
                from->data + (size_t)y * from->row_pitch, from->slice_pitch, src->desc.samples,
                src->desc.width);
    return ST_OK;
}
