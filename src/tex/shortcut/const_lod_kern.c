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

/* Returns the level and filter that select_lods would choose for every sample, or -1. */
static int find(const struct tex_sampler_private *s, const struct tex_gradients *gradients)
{
    double least2, most2;
    float low, high, least;
    int32_t bits, level;

    if (!s->needs_lod)
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    if (s->max_taps > 1.0f)
        return -1;
    bound_lengths(s, gradients, &least2, &most2);
    least2 *= (double)s->lod_scale2;
    most2 *= (double)s->lod_scale2;
    if (most2 <= (double)s->magnified_to2)
        return TEX_CONST_LOD_MAGNIFY | s->min_level;
    least = (float)least2;
    memcpy(&bits, &least, sizeof(bits));
    level = level_between(s, bits, &low, &high);
    return least2 > (double)low && most2 < (double)high ? level : -1;
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

/* The differences of a sample: one lane for each pair of a difference across and one down. */
struct differences {
    struct lanes_f32 across, down;
};

static bool axis_aligned_differences(struct differences *d, const struct tex_axis_aligned *area)
{
    float across[FEW], down[FEW];

    if (!distinct_differences(area->u, across) || !distinct_differences(area->v, down))
        return false;
    for (unsigned i = 0; i < TEX_LANES; i++) {
        d->across.lane[i] = across[i % FEW];
        d->down.lane[i] = down[i / FEW];
    }
    return true;
}

static bool axis_aligned_level(const struct tex_sampler_private *s,
                               const struct tex_axis_aligned *area,
                               struct tex_axis_aligned_level *out)
{
    const float *const coord[3] = {area->u, area->v, area->u};
    struct differences d;
    const struct sample in = {
        .lod_mode = LOD_GRADIENT, .ddx = {d.across.lane}, .ddy = {NULL, d.down.lane}};
    struct lod_select select;
    bool next;

    out->level = &s->level[s->min_level];
    out->filter = tex_decoded_magnify(s);
    out->next = 0.0f;
    if (!s->needs_lod)
        return true;
    if (!axis_aligned_differences(&d, area))
        return false;
    select_lods_2d(s, &in, coord, &select);
    if (select.uniform) {
        out->level = &s->level[select.uniform_level];
        if (!select.uniform_magnifies)
            out->filter = tex_decoded_minify(s);
        return true;
    }
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
