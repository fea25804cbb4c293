/* Sampling with sampler groups: samplers that share levels, texel addresses and weights.
 * Tested by tests/kernel/tex/shortcut/test_sampler_group_kern.c. */
#include "tex/shortcut/kernels.h"

#include "util/variant.h"

bool tex_can_group_samplers(const struct tex_sampler *a, const struct tex_sampler *b)
{
    return !variant_current && KERN_PICK(tex_sampler_group_kern)
                                   ->can_group(tex_sampler_private(a), tex_sampler_private(b));
}

void tex_sample_group(const struct tex_sampler *const samplers[],
                      const struct tex_const_lod *const_lod, const struct sample *samples,
                      unsigned n)
{
    const struct tex_sampler_group_kern *kern = KERN_PICK(tex_sampler_group_kern);
    const struct tex_sampler_private *s[TEX_MAX_SAMPLER_GROUP];

    for (unsigned k = 0; k < n; k++)
        s[k] = tex_sampler_private(samplers[k]);
    if (!const_lod || const_lod->lod_and_filter < 0)
        kern->sample(s, samples, n);
    else if (!const_lod->sample_reg_tile || !const_lod->sample_reg_tile(s, const_lod, samples, n))
        kern->sample_const_lod(s, const_lod, samples, n);
}
