/* Register-tile sampling of whole batches (reg_tile.h) for affine primitives, whose LOD and
 * texel extent are known in advance (reference: texture/linear). Results equal those of
 * sample/rgba8_kern.c. */
#include "tex/shortcut/kernels.h"
#include "tex/shortcut/reg_tile.h"

#include <math.h>

#if SIMD_LANES == 16

/* Tile sides in texels: 8x8 fills one register, 11x11 two. */
enum { SMALL_TILE = 8, LARGE_TILE = 11 };

/* --- Sampling --------------------------------------------------------------------------------- */

/* A sampler group, or a single sampler. setup has checked the first sampler only, so the decode
 * caches of others may be incomplete. */
struct sampler_group {
    const struct tex_sampler_private *const *sampler;
    const struct sample *sample;
    unsigned n;
};

SIMD_VBMI_INLINE void filter_group(const struct sampler_group *group, const struct reg_tile *tile,
                                   unsigned level, unsigned size)
{
    struct channel_results results;

    for (unsigned k = 0; k < group->n; k++) {
        const struct tex_sampler_private *s = group->sampler[k];
        const struct tex_byte_divisors d = s->bytes;
        uint64_t lanes = group->sample->lanes;

        route_results(s, group->sample[k].texel, lanes, &results);
        if (!~lanes)
            filter_reg_tile(tile, &s->level[level], size, &d, ~UINT64_C(0), &results);
        else
            filter_reg_tile(tile, &s->level[level], size, &d, lanes, &results);
    }
}

SIMD_VBMI_INLINE bool sample_tile(const struct sampler_group *group,
                                  const struct tex_const_lod *const_lod, unsigned size)
{
    unsigned level = (unsigned)const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1);
    struct reg_tile tile;

    for (unsigned k = 1; k < group->n; k++)
        if (group->sampler[k]->decode_cache)
            return false;
    if (!find_reg_tile(&tile, const_lod, size, group->sample->coord))
        return false;
    filter_group(group, &tile, level, size);
    return true;
}

SIMD_VBMI static bool sample_small_tile(const struct tex_sampler_private *const *samplers,
                                        const struct tex_const_lod *const_lod,
                                        const struct sample *samples, unsigned n)
{
    const struct sampler_group group = {samplers, samples, n};

    return sample_tile(&group, const_lod, SMALL_TILE);
}

SIMD_VBMI static bool sample_large_tile(const struct tex_sampler_private *const *samplers,
                                        const struct tex_const_lod *const_lod,
                                        const struct sample *samples, unsigned n)
{
    const struct sampler_group group = {samplers, samples, n};

    return sample_tile(&group, const_lod, LARGE_TILE);
}

/* --- Choice of the tile ----------------------------------------------------------------------- */

/* Returns the maximum distance in texels between lanes of a batch, which is a block of 8x8
 * pixels. */
static double block_extent(const struct tex_gradients *gradients, unsigned axis, uint32_t size)
{
    const double *step = gradients->step[axis];

    return 7.0 * size * (fabs(step[0]) + fabs(step[1]) + 2.0 * gradients->error_bound[axis]);
}

/* Returns the tile size for an extent in texels; 0 if no tile is large enough. Rounding adds one or
 * two positions, and the filter one more texel. A few batches that miss the tile cost less than
 * giving up the tile for all. */
static uint8_t tile_size_for(double most)
{
    return most < 6.125 ? SMALL_TILE : most < 9.125 ? LARGE_TILE : 0;
}

static void set_axis(struct tex_const_lod *const_lod, unsigned axis,
                     const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                     uint32_t size)
{
    enum { RIGHT = 13, DOWN = 50 }; /* lanes of the right and lower corners; their sum: of both */
    bool wraps = s->address[axis] == D3DTADDRESS_WRAP;

    const_lod->min_lane[axis] = (uint8_t)((gradients->step[axis][0] < 0.0 ? RIGHT : 0) +
                                          (gradients->step[axis][1] < 0.0 ? DOWN : 0));
    const_lod->size_fx8[axis] = (float)size * 256.0f;
    const_lod->wrap_mask[axis] = -wraps;
    const_lod->wrap_fx8[axis] = wraps ? (int32_t)size * 256 : 0;
    const_lod->max_inner[axis] = (int32_t)size - const_lod->tile_size;
    const_lod->max_origin[axis] = wraps ? (int32_t)size - 1 : const_lod->max_inner[axis];
}

static bool is_filter(tex_level_fn *filter)
{
    return filter == KERN_NAME(tex_sample_rgba8_kern).linear && cpu_has_avx512_vbmi();
}

static bool may_fit(const struct tex_sampler_private *s)
{
    return is_filter(s->minify) || is_filter(s->magnify);
}

static void setup(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                  struct tex_const_lod *const_lod)
{
    const struct tex_level *level =
        &s->level[const_lod->lod_and_filter & (TEX_CONST_LOD_MAGNIFY - 1)];
    double wide = block_extent(gradients, 0, level->width),
           high = block_extent(gradients, 1, level->height);
    tex_level_fn *filter =
        const_lod->lod_and_filter & TEX_CONST_LOD_MAGNIFY ? s->magnify : s->minify;
    uint8_t tile_size = tile_size_for(wide > high ? wide : high);

    if (!is_filter(filter) || !tile_size || level->width < tile_size || level->height < tile_size)
        return;
    const_lod->tile_size = tile_size;
    const_lod->sample_reg_tile = tile_size == SMALL_TILE ? sample_small_tile : sample_large_tile;
    set_axis(const_lod, 0, s, gradients, level->width);
    set_axis(const_lod, 1, s, gradients, level->height);
}

#else

static bool may_fit(const struct tex_sampler_private *s)
{
    (void)s;
    return false;
}

static void setup(const struct tex_sampler_private *s, const struct tex_gradients *gradients,
                  struct tex_const_lod *const_lod)
{
    (void)s, (void)gradients, (void)const_lod;
}

#endif

const struct tex_reg_tile_kern KERN_NAME(tex_reg_tile_kern) = {.may_fit = may_fit, .setup = setup};
