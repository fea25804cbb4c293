/* LODs that hold for many pixels: for a primitive with bounded gradients, and for an axis-aligned
 * area (reference: texture/mip-level).
 * Tested by tests/unit/tex/sample/test_sampler_lod.c. */
#include "tex/sample/lod.h"
#include "tex/shortcut/kernels.h"

#include <math.h>

/* --- Primitives  ----------------------------------------------------------------------------- */

/* Bounds the squared gradient lengths in texels, including gradient error and float rounding. */
static void bound_lengths(const struct tex_sampler_private *s,
                          const struct tex_gradients *gradients, double *least2, double *most2)
{
    const double rounding = 0x1p-20;

    *least2 = *most2 = 0.0;
    for (unsigned direction = 0; direction < 2 && *most2 <= DBL_MAX; direction++) {
        double low2 = 0.0, high2 = 0.0;

        for (unsigned a = 0; a < 2; a++) {
            double step = fabs(gradients->step[a][direction]);
            double low = s->size[a] * fmax(step - gradients->error_bound[a], 0.0);
            double high = s->size[a] * (step + gradients->error_bound[a]);

            low2 += low * low;
            high2 += high * high;
        }
        *least2 = fmax(*least2, low2 * (1.0 - rounding));
        *most2 = high2 <= DBL_MAX ? fmax(*most2, high2 * (1.0 + rounding)) : INFINITY;
    }
}

/* Returns the level and filter that select_lods_simple would choose for every sample, or -1. */
static int find(const struct tex_sampler_private *s, const struct tex_gradients *gradients)
{
    double least2, most2;
    int level;

    if (!s->needs_lod)
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    if (s->max_taps > 1.0f)
        return -1;
    bound_lengths(s, gradients, &least2, &most2);
    if (s->lod_bias <= 0.0f && most2 <= (double)max_magnified_length2(s))
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    if (s->mip_filter != D3DTEXF_POINT || s->lod_bias != 0.0f)
        return -1;
    for (level = s->base_level + 1; level <= 16; level++)
        if (least2 > (double)(power_of_2(2 * level - 1) * above) &&
            most2 < (double)(power_of_2(2 * level + 1) * below))
            return level < s->min_level   ? s->min_level
                   : level < s->max_level ? level
                                          : s->max_level;
    return -1;
}

/* --- Axis-aligned areas ----------------------------------------------------------------------- */

enum { FEW = 8 }; /* limit of distinct differences along an axis; they differ only by rounding */
_Static_assert((int)FEW *FEW == (int)TEX_LANES, "all pairs of differences fill one batch");

/* Collects the distinct differences between the pixels of a quad along an axis. Returns false if
 * there are too many, or if a coordinate is NaN or too large. */
static bool distinct_differences(const float t[TEX_AXIS_ALIGNED_SIZE], float different[FEW])
{
    unsigned n = 0;

    for (unsigned i = 0; i < TEX_AXIS_ALIGNED_SIZE; i += 2) {
        float d = t[i + 1] - t[i];
        unsigned k = 0;

        if (!(fabsf(t[i]) <= 1e6f && fabsf(t[i + 1]) <= 1e6f))
            return false;
        while (k < n && different[k] != d)
            k++;
        if (k == FEW)
            return false;
        different[k] = d;
        n = k == n ? n + 1 : n;
    }
    for (; n < FEW; n++)
        different[n] = different[0];
    return true;
}

/* Makes one LOD group for each pair of a difference across and a difference down. */
static bool axis_aligned_gradients(struct gradients *g, const struct tex_axis_aligned *area)
{
    float across[FEW], down[FEW];

    if (!distinct_differences(area->u, across) || !distinct_differences(area->v, down))
        return false;
    memset(g, 0, sizeof(*g));
    g->n = TEX_LANES;
    g->axes = 2;
    for (unsigned i = 0; i < TEX_LANES; i++) {
        g->d[0][0].lane[i] = across[i % FEW];
        g->d[1][1].lane[i] = down[i / FEW];
    }
    return true;
}

static bool axis_aligned_level(const struct tex_sampler_private *s,
                               const struct tex_axis_aligned *area,
                               struct tex_axis_aligned_level *out)
{
    struct lod_select select = {.n = TEX_LANES, .anisotropic = s->max_taps > 1.0f};
    struct gradients g;
    struct lanes_f32 lod;
    bool next;

    out->level = &s->level[s->min_level];
    out->filter = tex_decoded_magnify(s);
    out->next = 0.0f;
    if (!s->needs_lod)
        return true;
    if (!axis_aligned_gradients(&g, area))
        return false;
    measure_lod(s, &g, lod.lane, &select);
    select_levels(s, lod.lane, NULL, &select);
    if (!~select.magnified)
        return true;
    next = s->mip_filter == D3DTEXF_LINEAR;
    if (select.magnified || select.multi_tap ||
        ~lod_groups_equal(&select.level, select.level.lane[0], select.n) ||
        (next && ~lod_groups_equal(&select.fraction, select.fraction.lane[0], select.n)))
        return false;
    out->level = &s->level[select.level.lane[0]];
    out->filter = tex_decoded_minify(s);
    out->next = next ? (float)select.fraction.lane[0] / 256.0f : 0.0f;
    return true;
}

const struct tex_const_lod_kern KERN_NAME(tex_const_lod_kern) = {
    .find = find, .axis_aligned_level = axis_aligned_level};
