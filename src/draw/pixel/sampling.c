/* Texture sampling callbacks of pixel programs, with a constant-LOD cache for each primitive.
 * Tested by tests/conformance/texture. */
#include "draw/pixel/sampling.h"

#include "draw/pixel/stage.h"
#include "tex/shortcut/shortcut.h"

#include <string.h>

/* Affine attributes have constant derivatives. A texture sample whose coordinates are two of them
 * therefore has one LOD for the whole primitive. An entry caches the LOD of a sampler and two
 * coordinates. */
struct const_lod_entry {
    const float *u, *v; /* addresses of the coordinates in the work memory */
    struct tex_const_lod lod;
};
struct const_lod_cache {
    uint32_t valid; /* bit mask of the valid entries */
    struct const_lod_entry entry[VM_MAX_SAMPLERS];
};

size_t const_lod_cache_bytes(void)
{
    return sizeof(struct const_lod_cache);
}

struct ps_sampling ps_sampling_init(const struct ps_binding *binding,
                                    const struct raster_shade_batch *batch)
{
    struct ps_sampling sampling = {.binding = binding, .batch = batch};

    if (!batch->prim || !binding->const_samplers)
        return sampling;
    sampling.const_samplers = binding->const_samplers;
    sampling.cache =
        (struct const_lod_cache *)(void *)((char *)batch->work + binding->pipeline->ps_work_bytes);
    if (batch->outputs_valid_for != binding) /* the first batch of a primitive */
        sampling.cache->valid = 0;
    return sampling;
}

/* Finds the gradient of the attribute at `lanes` in the work memory. False: no attribute is there,
 * or it has perspective. */
static bool find_attrib_gradient(const struct ps_sampling *sampling, const float *lanes,
                                 struct raster_attrib_gradient *gradient)
{
    const struct draw_pipeline *pipeline = sampling->binding->pipeline;
    const float *work = sampling->batch->work;

    for (unsigned a = 0; a < pipeline->n_attr; a++)
        if (work + pipeline->raster_attr[a].slot * VM_LANES == lanes)
            return raster_find_attrib_gradient(sampling->batch, a, gradient);
    return false;
}

static void find_const_lod(const struct ps_sampling *sampling, const struct sample *in,
                           struct tex_const_lod *lod)
{
    struct raster_attrib_gradient gradient;
    struct tex_gradients slopes;

    lod->lod_and_filter = -1;
    for (unsigned a = 0; a < 2; a++) {
        if (!in->coord[a] || !find_attrib_gradient(sampling, in->coord[a], &gradient))
            return;
        slopes.error_bound[a] = gradient.error_bound;
        memcpy(slopes.step[a], gradient.step, sizeof(slopes.step[a]));
    }
    tex_sampler_const_lod(&sampling->binding->sampler[in->sampler], &slopes, lod);
}

/* A sampler has one entry: if another instruction owns it, there is no constant LOD. NULL: none. */
static const struct tex_const_lod *cached_const_lod(const struct ps_sampling *sampling,
                                                    const struct sample *in)
{
    struct const_lod_entry *entry = &sampling->cache->entry[in->sampler];

    if (!(sampling->cache->valid >> in->sampler & 1)) {
        entry->u = in->coord[0];
        entry->v = in->coord[1];
        find_const_lod(sampling, in, &entry->lod);
        sampling->cache->valid |= 1u << in->sampler;
    }
    if (entry->u != in->coord[0] || entry->v != in->coord[1] || entry->lod.lod_and_filter < 0)
        return NULL;
    return &entry->lod;
}

static const struct tex_const_lod *const_lod_of(const struct ps_sampling *sampling,
                                                const struct sample *in)
{
    if (!(sampling->const_samplers >> in->sampler & 1) || in->lod_mode != LOD_IMPLICIT)
        return NULL;
    return cached_const_lod(sampling, in);
}

/* For fragments without helper lanes: index of the attribute at `lanes` among deriv_attribs; -1:
 * absent. */
static int find_deriv(const struct ps_sampling *sampling, const float *lanes)
{
    const struct draw_pipeline *pipeline = sampling->binding->pipeline;
    const float *work = sampling->batch->work;
    int n = 0;

    for (uint64_t deriv_attribs = sampling->binding->deriv_attribs; deriv_attribs;
         deriv_attribs &= deriv_attribs - 1, n++)
        if (work + pipeline->raster_attr[__builtin_ctzll(deriv_attribs)].slot * VM_LANES == lanes)
            return n;
    return -1;
}

/* Converts a sample with implicit LOD to one with gradients from batch->derivs. False: the batch
 * has no derivatives of the coordinates. */
static bool give_gradients(const struct ps_sampling *sampling, const struct sample *in,
                           struct sample *out)
{
    const struct raster_quad_derivs *derivs = sampling->batch->derivs;

    if (!derivs || in->lod_mode != LOD_IMPLICIT ||
        !(sampling->binding->lod_samplers >> in->sampler & 1))
        return false;
    *out = *in;
    out->lod_mode = LOD_GRADIENT;
    for (unsigned a = 0; a < 2; a++) {
        int n = find_deriv(sampling, in->coord[a]);

        if (n < 0)
            return false;
        out->ddx[a] = derivs->ddx[n];
        out->ddy[a] = derivs->ddy[n];
    }
    out->ddx[2] = out->ddy[2] = NULL;
    return true;
}

static void sample_fragments(const struct ps_sampling *sampling, const struct tex_sampler *sampler,
                             const struct sample *in)
{
    struct sample grad;

    tex_sample(sampler, give_gradients(sampling, in, &grad) ? &grad : in);
}

void ps_sample(void *ctx, const struct sample *in)
{
    const struct ps_sampling *sampling = ctx;
    const struct tex_sampler *sampler = &sampling->binding->sampler[in->sampler];
    const struct tex_const_lod *lod = const_lod_of(sampling, in);

    if (lod)
        tex_sample_const_lod(sampler, lod, in);
    else if (sampling->batch->derivs)
        sample_fragments(sampling, sampler, in);
    else
        tex_sample(sampler, in);
}

/* Converts a group of samples, which share their coordinates, to samples with gradients if the
 * batch has the derivatives. */
static const struct sample *with_gradients(const struct ps_sampling *sampling,
                                           const struct sample *in, unsigned n,
                                           struct sample grad[TEX_MAX_SAMPLER_GROUP])
{
    if (!give_gradients(sampling, in, &grad[0]))
        return in;
    for (unsigned k = 1; k < n; k++) {
        grad[k] = grad[0];
        grad[k].sampler = in[k].sampler;
        memcpy(grad[k].texel, in[k].texel, sizeof(grad[k].texel));
    }
    return grad;
}

/* Executes the leading samples that have the same sampler state, and returns their number. If the
 * number is 1, the caller must execute the sample itself. */
static unsigned sample_same_group(const struct ps_sampling *sampling, const struct sample *in,
                                  unsigned n)
{
    const struct ps_binding *binding = sampling->binding;
    const struct tex_sampler *samplers[TEX_MAX_SAMPLER_GROUP];
    struct sample grad[TEX_MAX_SAMPLER_GROUP];
    unsigned group_size = 0;

    while (group_size < n &&
           binding->sampler_group[in[group_size].sampler] == binding->sampler_group[in->sampler]) {
        samplers[group_size] = &binding->sampler[in[group_size].sampler];
        group_size++;
    }
    if (group_size > 1)
        tex_sample_group(samplers, const_lod_of(sampling, in),
                         with_gradients(sampling, in, group_size, grad), group_size);
    return group_size;
}

void ps_sample_group(void *ctx, const struct sample *in, unsigned n)
{
    while (n) {
        unsigned done = sample_same_group(ctx, in, n);

        if (done == 1)
            ps_sample(ctx, in);
        in += done;
        n -= done;
    }
}
_Static_assert((int)TEX_MAX_SAMPLER_GROUP == (int)VM_MAX_SAMPLER_GROUP, "one call takes all");
