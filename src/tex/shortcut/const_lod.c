/* Sampling with a constant LOD per primitive.
 * Tested by tests/unit/tex/sample/test_sampler_lod.c. */
#include "tex/shortcut/kernels.h"

bool tex_sampler_gains_by_const_lod(const struct tex_sampler *sampler)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);

    return tex_sampler_is_2d(sampler) && s->max_taps == 1.0f &&
           (s->needs_lod || KERN_PICK(tex_reg_tile_kern)->may_fit(s));
}

void tex_sampler_const_lod(const struct tex_sampler *sampler, const struct tex_gradients *gradients,
                           struct tex_const_lod *const_lod)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);

    const_lod->lod_and_filter = -1;
    const_lod->sample_reg_tile = NULL;
    const_lod->tile_size = 0;
    if (!tex_sampler_is_2d(sampler))
        return;
    const_lod->lod_and_filter = KERN_PICK(tex_const_lod_kern)->find(s, gradients);
    if (const_lod->lod_and_filter >= 0)
        KERN_PICK(tex_reg_tile_kern)->setup(s, gradients, const_lod);
}

void tex_sample_const_lod(const struct tex_sampler *sampler, const struct tex_const_lod *const_lod,
                          const struct sample *sample)
{
    const struct tex_sampler_private *s = tex_sampler_private(sampler);
    struct tex_coords at = {.axis = {sample->coord[0], sample->coord[1], sample->coord[0]},
                            .reference = sample->coord[0]};
    const struct tex_level *level =
        &s->level[const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1)];

    if (const_lod->sample_reg_tile && const_lod->sample_reg_tile(&s, const_lod, sample, 1))
        return;
    /* Few batches miss the register tile. They read the texels in place, because quad texels that
     * only these batches read would displace other data from the caches. */
    if (const_lod->sample_reg_tile && s->quad_texels)
        KERN_PICK(tex_sample_rgba8_kern)
            ->linear_in_place(s, level, &at, sample->lanes, sample->texel);
    else if (const_lod->lod_and_filter & TEX_CONST_LOD_MAGNIFY)
        s->magnify(s, level, &at, sample->lanes, sample->texel);
    else
        s->minify(s, level, &at, sample->lanes, sample->texel);
}
