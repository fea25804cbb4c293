/* Sampler groups: several textures, such as colour and normal maps, are sampled at the same
 * coordinates; LODs, texel addresses and weights are computed once. */
#include "tex/sample/lod.h"
#include "tex/sample/quad_texels.h"
#include "tex/shortcut/kernels.h"

/* A group of samplers with the same state. */
struct sampler_group {
    const struct tex_sampler_private *const *sampler;
    const struct sample *sample;
    unsigned n;
    bool in_place; /* skips quad texels, as tex_sample_const_lod does after a register-tile miss */
};

INLINE const struct tex_level *level_of(const struct sampler_group *group, unsigned k,
                                        int32_t level)
{
    return &group->sampler[k]->level[level];
}

/* --- Levels ----------------------------------------------------------------------------------- */

/* Destinations of each sample's channels. */
struct results {
    struct channel_results of[TEX_MAX_SAMPLER_GROUP];
};

static void route_all(const struct sampler_group *group, uint64_t lanes, struct results *results)
{
    for (unsigned k = 0; k < group->n; k++)
        route_results(group->sampler[k], group->sample[k].texel, lanes, &results->of[k]);
}

static void sample_points(const struct sampler_group *group, int32_t level,
                          const struct tex_coords *at, uint64_t lanes)
{
    struct point_addr p;
    struct results results;

    address_points(&p, group->sampler[0], level_of(group, 0, level), 0, at, lanes);
    route_all(group, lanes, &results);
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        struct simd_local_index local;

        if (!active)
            continue;
        local = simd_local_index_of(p.at + i, true);
        for (unsigned k = 0; k < group->n; k++) {
            const void *texels = level_of(group, k, level)->data;
            const struct tex_byte_divisors d = group->sampler[k]->bytes;
            f32v value[4];

            unpack_codes(i32v_gather_local((const int32_t *)texels, &local), &d, value);
            put_results(&results.of[k], value, i, active);
        }
    }
}

_Static_assert((int)MAX_QUAD_TEXTURES == (int)TEX_MAX_SAMPLER_GROUP, "one call samples a group");

/* Returns false if a sampler has no quad texels or the group skips them. */
static bool try_quad_texels(const struct sampler_group *group, int32_t level,
                            const struct tex_coords *at, const float *weight, uint64_t lanes)
{
    struct quad_texel_samples samples = {.n = group->n};
    struct results results;

    for (unsigned k = 0; k < group->n; k++) {
        if (group->in_place || !group->sampler[k]->quad_texels)
            return false;
        samples.level[k] = &group->sampler[k]->quad_texels[level];
        samples.divisors[k] = &group->sampler[k]->bytes;
        samples.results[k] = &results.of[k];
    }
    route_all(group, lanes, &results);
    sample_quad_texels(&samples, group->sampler[0], level_of(group, 0, level), at, weight, lanes);
    return true;
}

INLINE void filter_all(const struct sampler_group *group, const struct texel_addr *p, int32_t level,
                       bool inner, uint64_t lanes, const struct results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        struct simd_local_index local;

        if (!active)
            continue;
        local = local_index_of(p, i);
        for (unsigned k = 0; k < group->n; k++) {
            const struct tex_byte_divisors d = group->sampler[k]->bytes;
            f32v value[4];

            filter_bytes_at(p, &local, level_of(group, k, level), inner, i, &d, value);
            put_results(&results->of[k], value, i, active);
        }
    }
}

static void sample_linear(const struct sampler_group *group, int32_t level,
                          const struct tex_coords *at, uint64_t lanes)
{
    struct texel_addr p;
    struct results results;
    bool inner;

    if (try_quad_texels(group, level, at, NULL, lanes))
        return;
    inner = try_address_inner(&p, group->sampler[0], level_of(group, 0, level), at, lanes);
    route_all(group, lanes, &results);
    if (inner) {
        filter_all(group, &p, level, true, lanes, &results);
        return;
    }
    address_all_outer(&p, group->sampler[0], level_of(group, 0, level), at, lanes);
    filter_all(group, &p, level, false, lanes, &results);
}

INLINE void filter_all_levels(const struct sampler_group *group, const struct texel_addr p[2],
                              int32_t level, bool inner, const float *weight, uint64_t lanes,
                              const struct results *results)
{
    for (unsigned i = 0; i < TEX_LANES; i += SIMD_LANES) {
        unsigned active = lanes_at(lanes, i);
        struct simd_local_index local[2];

        if (!active)
            continue;
        local[0] = local_index_of(&p[0], i);
        local[1] = local_index_of(&p[1], i);
        for (unsigned k = 0; k < group->n; k++) {
            const struct tex_byte_divisors d = group->sampler[k]->bytes;
            f32v value[4];

            filter_two_at(p, local, level_of(group, k, level), inner, f32v_load(weight + i), i, &d,
                          value);
            put_results(&results->of[k], value, i, active);
        }
    }
}

/* Samples a level and the next, and blends them by `weight`. */
static void sample_levels(const struct sampler_group *group, int32_t level,
                          const struct tex_coords *at, const float *weight, uint64_t lanes)
{
    const struct tex_sampler_private *s = group->sampler[0];
    const struct tex_level *first = level_of(group, 0, level);
    struct texel_addr p[2];
    struct results results;

    if (try_quad_texels(group, level, at, weight, lanes))
        return;
    route_all(group, lanes, &results);
    if (try_address_inner(&p[0], s, first, at, lanes) &&
        try_address_inner(&p[1], s, first + 1, at, lanes)) {
        filter_all_levels(group, p, level, true, weight, lanes, &results);
        return;
    }
    address_all_outer(&p[0], s, first, at, lanes);
    address_all_outer(&p[1], s, first + 1, at, lanes);
    filter_all_levels(group, p, level, false, weight, lanes, &results);
}

/* Decodes the pages that lanes read from a level, and from the next if `levels` is 2. */
static void require_texels(const struct sampler_group *group, int32_t level, unsigned levels,
                           const struct tex_coords *at, uint64_t lanes)
{
    for (unsigned k = 0; k < group->n; k++)
        if (group->sampler[k]->decode_cache)
            tex_require_texels(group->sampler[k], level_of(group, k, level), levels, at, NULL,
                               lanes);
}

static void sample_level(const struct sampler_group *group, tex_level_fn *filter, int32_t level,
                         const struct tex_coords *at, uint64_t lanes)
{
    require_texels(group, level, 1, at, lanes);
    if (filter == KERN_NAME(tex_sample_rgba8_kern).linear)
        sample_linear(group, level, at, lanes);
    else
        sample_points(group, level, at, lanes);
}

static void sample_minified(const struct sampler_group *group, const struct lod_select *select,
                            const struct tex_coords *at, uint64_t lanes)
{
    const struct tex_sampler_private *s = group->sampler[0];
    uint64_t blended = 0, same;
    struct lanes_f32 weight;
    int32_t level;

    if (s->mip_filter == D3DTEXF_LINEAR) {
        blended = lanes & ~lod_groups_equal(&select->fraction, 0, select->n);
        broadcast_fractions(select, &weight);
    }
    for (; lanes; lanes &= ~same) {
        same = same_level(select, lanes, &level);
        if (!(same & blended)) {
            sample_level(group, tex_decoded_minify(s), level, at, same);
            continue;
        }
        require_texels(group, level, 2, at, same);
        sample_levels(group, level, at, weight.lane, same);
    }
}

/* --- Entry points ----------------------------------------------------------------------------- */

static struct tex_coords coordinates(const struct sample *in)
{
    static const struct lanes_f32 zero;
    const float *u = in->coord[0] ? in->coord[0] : zero.lane;
    const float *v = in->coord[1] ? in->coord[1] : zero.lane;

    return (struct tex_coords){.axis = {u, v, u}, .reference = u};
}

static void sample(const struct tex_sampler_private *const *samplers, const struct sample *in,
                   unsigned n)
{
    const struct sampler_group group = {.sampler = samplers, .sample = in, .n = n};
    const struct tex_sampler_private *s = samplers[0];
    struct tex_coords at = coordinates(in);
    struct lod_select select;

    if (!s->needs_lod) {
        sample_level(&group, tex_decoded_magnify(s), s->min_level, &at, in->lanes);
        return;
    }
    select_lods_2d(s, in, at.axis, &select);
    if (select.uniform) {
        sample_level(&group,
                     select.uniform_magnifies ? tex_decoded_magnify(s) : tex_decoded_minify(s),
                     select.uniform_level, &at, in->lanes);
        return;
    }
    if (in->lanes & select.magnified)
        sample_level(&group, tex_decoded_magnify(s), s->min_level, &at,
                     in->lanes & select.magnified);
    if (in->lanes & ~select.magnified)
        sample_minified(&group, &select, &at, in->lanes & ~select.magnified);
}

static void sample_const_lod(const struct tex_sampler_private *const *samplers,
                             const struct tex_const_lod *const_lod, const struct sample *in,
                             unsigned n)
{
    const struct sampler_group group = {
        .sampler = samplers, .sample = in, .n = n, .in_place = const_lod->sample_reg_tile != NULL};
    const struct tex_sampler_private *s = samplers[0];
    struct tex_coords at = coordinates(in);

    sample_level(&group,
                 const_lod->lod_and_filter & TEX_CONST_LOD_MAGNIFY ? tex_decoded_magnify(s)
                                                                   : tex_decoded_minify(s),
                 const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1), &at, in->lanes);
}

/* --- Grouping --------------------------------------------------------------------------------- */

/* Sampler groups support only RGBA8 textures with the common filters. */
static bool is_groupable(const struct tex_sampler_private *s)
{
    const struct tex_sample_rgba8_kern *kern = &KERN_NAME(tex_sample_rgba8_kern);

    return s->level && s->kind == TEXEL_RGBA8 && s->shape == TEX_2D && s->max_taps == 1.0f &&
           !tex_has_border(s) &&
           (tex_decoded_minify(s) == kern->linear || tex_decoded_minify(s) == kern->point) &&
           (tex_decoded_magnify(s) == kern->linear || tex_decoded_magnify(s) == kern->point) &&
           (s->mip_filter != D3DTEXF_LINEAR || s->minify_levels == kern->levels);
}

static bool same_states(const struct tex_sampler_private *a, const struct tex_sampler_private *b)
{
    return tex_decoded_minify(a) == tex_decoded_minify(b) &&
           tex_decoded_magnify(a) == tex_decoded_magnify(b) && a->needs_lod == b->needs_lod &&
           a->mip_filter == b->mip_filter && a->lod_bias == b->lod_bias &&
           a->address[0] == b->address[0] && a->address[1] == b->address[1];
}

static bool same_levels(const struct tex_sampler_private *a, const struct tex_sampler_private *b)
{
    if (a->min_level != b->min_level || a->max_level != b->max_level ||
        a->base_level != b->base_level || a->size[0] != b->size[0] || a->size[1] != b->size[1])
        return false;
    for (unsigned l = a->min_level; l <= a->max_level; l++)
        if (a->level[l].width != b->level[l].width || a->level[l].height != b->level[l].height ||
            a->level[l].row_pitch != b->level[l].row_pitch)
            return false;
    return true;
}

static bool can_group(const struct tex_sampler_private *a, const struct tex_sampler_private *b)
{
    return is_groupable(a) && is_groupable(b) && same_states(a, b) && same_levels(a, b);
}

const struct tex_sampler_group_kern KERN_NAME(tex_sampler_group_kern) = {
    .sample = sample, .sample_const_lod = sample_const_lod, .can_group = can_group};
