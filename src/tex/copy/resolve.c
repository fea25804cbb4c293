/* Multisample resolve: averages the samples of each pixel (reference: multisample/resolve). */
#include "tex/codec/codec.h"
#include "tex/copy/stretch_kern.h"

struct resolve {
    const struct tex_format *format;
    const struct tex_level *dst, *src;
    uint32_t samples;
};

static void resolve_bytes(const struct resolve *r, uint32_t y)
{
    void *out = r->dst->data + (size_t)y * r->dst->row_pitch;
    const void *in = r->src->data + (size_t)y * r->src->row_pitch;

    KERN_PICK(tex_stretch_kern)
        ->average_samples(out, in, r->src->slice_pitch, r->samples, r->src->width);
}

static void resolve_floats(const struct resolve *r, uint32_t y)
{
    _Alignas(64) float sums[4][TEX_LANES], more[4][TEX_LANES];
    float *const sum[4] = {sums[0], sums[1], sums[2], sums[3]};
    float *const sample[4] = {more[0], more[1], more[2], more[3]};
    const float *const mean[4] = {sums[0], sums[1], sums[2], sums[3]};

    for (uint32_t x = 0; x < r->src->width; x += TEX_LANES) {
        uint32_t n = r->src->width - x < TEX_LANES ? r->src->width - x : TEX_LANES;

        tex_read_row(r->format, r->src, x, y, 0, n, sum);
        for (uint32_t s = 1; s < r->samples; s++) {
            tex_read_row(r->format, r->src, x, y, s, n, sample);
            for (int c = 0; c < 4; c++)
                for (uint32_t i = 0; i < n; i++)
                    sums[c][i] += more[c][i];
        }
        for (int c = 0; c < 4; c++)
            for (uint32_t i = 0; i < n; i++)
                sums[c][i] /= (float)r->samples;
        tex_packer(r->format)(r->format, tex_level_at(r->dst, r->format, x, y, 0), n, mean);
    }
}

enum status tex_resolve(struct tex_image *dst, struct tex_image *src)
{
    struct resolve r = {src->format, dst->level, src->level, src->desc.samples};
    struct tex_box all = {0, 0, 0, src->desc.width, src->desc.height, 1};

    if (dst->format != src->format || dst->desc.samples != 1 ||
        dst->desc.width != src->desc.width || dst->desc.height != src->desc.height)
        return ST_INVALID;
    tex_image_touch(dst);
    if (r.samples == 1 || !tex_packer(r.format)) { /* depth: takes the first sample */
        tex_copy(r.format, r.dst, 0, 0, 0, r.src, &all);
        return ST_OK;
    }
    for (uint32_t y = 0; y < src->desc.height; y++) {
        if (tex_is_8888(r.format))
            resolve_bytes(&r, y);
        else
            resolve_floats(&r, y);
    }
    return ST_OK;
}
