/* Compiled level functions of a sampler: its shape, its values, and which samplers take them.
 *
 * Tested by tests/unit/tex/emit/test_emit.c. */
#include "tex/sample/sampler.h"

#include "tex/codec/codec.h"

#include <string.h>

/* --- Shapes ----------------------------------------------------------------------------------- */

_Static_assert((int)TEX_EMIT_ZERO == TEX_SWIZZLE_ZERO && (int)TEX_EMIT_ONE == TEX_SWIZZLE_ONE,
               "swizzles are equal");

struct kind_shape {
    uint8_t texel_class, bytes,
        channels; /* channels of equal bits that fill the texel; 0: the sampler tells */
};

static const struct kind_shape kind_shapes[TEXEL_KINDS] = {
    [TEXEL_RGBA8] = {TEX_EMIT_CODES, 4, 0},
    [TEXEL_RGBA8_SRGB] = {TEX_EMIT_SRGB, 4, 0},
    [TEXEL_PACKED16] = {TEX_EMIT_CODES, 2, 0},
    [TEXEL_PACKED32] = {TEX_EMIT_CODES, 4, 0},
    [TEXEL_PACKED16_SIGNED] = {TEX_EMIT_CODES, 2, 0},
    [TEXEL_PACKED32_SIGNED] = {TEX_EMIT_CODES, 4, 0},
    [TEXEL_RGBA16] = {TEX_EMIT_CODES, 8, 4},
    [TEXEL_R16F] = {TEX_EMIT_HALF, 2, 1},
    [TEXEL_RG16F] = {TEX_EMIT_HALF, 4, 2},
    [TEXEL_RGBA16F] = {TEX_EMIT_HALF, 8, 4},
    [TEXEL_R32F] = {TEX_EMIT_FLOAT, 4, 1},
    [TEXEL_RG32F] = {TEX_EMIT_FLOAT, 8, 2},
    [TEXEL_RGBA32F] = {TEX_EMIT_FLOAT, 16, 4},
    [TEXEL_PALETTE8] = {TEX_EMIT_PALETTE, 1, 0},
    [TEXEL_PALETTE16] = {TEX_EMIT_PALETTE, 2, 0},
    [TEXEL_SHADOW16] = {TEX_EMIT_SHADOW, 2, 0},
    [TEXEL_SHADOW32] = {TEX_EMIT_SHADOW, 4, 0},
    [TEXEL_SHADOW_FLOAT32] = {TEX_EMIT_SHADOW_FLOAT32, 4, 1},
    [TEXEL_SHADOW_FLOAT24] = {TEX_EMIT_SHADOW_FLOAT24, 4, 0},
};

static void set_channels(const struct tex_sampler_private *s, const struct kind_shape *kind,
                         struct tex_emit_shape *shape)
{
    for (unsigned c = 0; c < 4; c++) {
        bool by_table = kind->texel_class == TEX_EMIT_SRGB && c < 3;
        uint32_t mask = (uint32_t)s->mask[c];

        if ((s->kind == TEXEL_RGBA8 || s->kind == TEXEL_RGBA8_SRGB) && !by_table)
            mask = (uint32_t)s->divisor[c]; /* bytes may be codes of fewer bits */
        if (kind->channels) {
            unsigned bits = 8u * kind->bytes / kind->channels;

            shape->bits[c] = c < kind->channels ? (uint8_t)bits : 0;
            shape->shift[c] = c < kind->channels ? (uint8_t)(c * bits) : 0;
        } else if (mask) {
            shape->bits[c] = (uint8_t)__builtin_popcount(mask);
            shape->shift[c] = s->shift[c];
        }
        if (by_table && mask)
            shape->table[c] = (uint16_t)(s->srgb_to_linear[c] - tex_srgb_table(0));
    }
}

bool tex_level_shape(const struct tex_sampler_private *s, bool linear, bool two_levels,
                     struct tex_emit_shape *shape)
{
    const struct kind_shape *kind = &kind_shapes[s->kind];

    memset(shape, 0, sizeof(*shape));
    shape->texel_class = kind->texel_class;
    shape->bytes = kind->bytes;
    shape->axes = s->shape == TEX_VOLUME_MAP ? 3 : 2;
    shape->faces = s->shape == TEX_CUBE_MAP;
    shape->linear = linear;
    shape->two_levels = two_levels;
    memcpy(shape->address, s->address, shape->axes);
    memcpy(shape->swizzle, s->swizzle, sizeof(shape->swizzle));
    shape->signed_mask = s->signed_mask;
    set_channels(s, kind, shape);
    return !(shape->axes == 3 && s->kind >= TEXEL_SHADOW16);
}

/* --- Values ----------------------------------------------------------------------------------- */

static void set_level(struct tex_emit_level *v, const struct tex_level *level)
{
    const uint32_t size[3] = {level->width, level->height, level->depth};

    for (unsigned a = 0; a < 3; a++) {
        v->size[a] = (float)(int32_t)size[a] * 256.0f;
        v->last[a] = (int32_t)size[a] - 1;
    }
    v->row_pitch = (int32_t)level->row_pitch;
    v->slice_pitch = (int32_t)level->slice_pitch;
}

void tex_level_args_init(struct tex_level_args *a, const struct tex_sampler_private *s,
                         const struct tex_level *level, const struct tex_coords *at,
                         const float *weight, uint64_t lanes, float *const out[4])
{
    const void *extra = s->shape == TEX_CUBE_MAP    ? (const void *)at->face_offset
                        : s->kind >= TEXEL_SHADOW16 ? (const void *)at->reference
                                                    : (const void *)at->axis[2];
    const void *table = s->palette ? (const void *)s->palette : (const void *)tex_srgb_table(0);

    set_level(&a->values.level[0], level);
    if (weight) {
        set_level(&a->values.level[1], level + 1);
        a->values.level[1].offset = (int32_t)(level[1].data - level[0].data);
    }
    memcpy(a->values.border, s->border, sizeof(a->values.border));
    a->values.lanes = lanes;
    a->args.base[TEX_EMIT_AXES] = (void *)(uintptr_t)at->axis[0];
    a->args.base[TEX_EMIT_AXES + 1] = (void *)(uintptr_t)at->axis[1];
    a->args.base[TEX_EMIT_EXTRA] = (void *)(uintptr_t)extra;
    a->args.base[TEX_EMIT_VALUES] = &a->values;
    a->args.base[TEX_EMIT_TEXELS] = level->data;
    a->args.base[TEX_EMIT_TABLE] = (void *)(uintptr_t)table;
    a->args.base[TEX_EMIT_WEIGHTS] = (void *)(uintptr_t)weight;
    for (unsigned c = 0; c < 4; c++)
        a->args.base[TEX_EMIT_RESULTS + c] = out[c] ? out[c] : a->nowhere;
}

/* --- Level functions -------------------------------------------------------------------------- */

static void run(const struct ir_code *code, const struct tex_sampler_private *s,
                const struct tex_level *level, const struct tex_coords *at, const float *weight,
                uint64_t lanes, float *const out[4])
{
    struct tex_level_args a;

    tex_level_args_init(&a, s, level, at, weight, lanes, out);
    tex_emit_code_run(code, &a.args);
}

static void minify(const struct tex_sampler_private *s, const struct tex_level *level,
                   const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    run(s->minify_code, s, level, at, NULL, lanes, out);
}

static void magnify(const struct tex_sampler_private *s, const struct tex_level *level,
                    const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    run(s->magnify_code, s, level, at, NULL, lanes, out);
}

static void minify_levels(const struct tex_sampler_private *s, const struct tex_level *level,
                          const struct tex_coords *at, const float *weight, uint64_t lanes,
                          float *const out[4])
{
    run(s->levels_code, s, level, at, weight, lanes, out);
}

/* Whether the function is faster than the kernel: bench/level. Kernels of common kinds load
 * neighbours together where lanes are close to each other, which gathers do not. */
static bool is_faster(const struct tex_sampler_private *s, bool linear)
{
    bool is_3d = s->shape == TEX_VOLUME_MAP;

    switch (s->kind) {
    case TEXEL_RGBA8:
        return is_3d && !linear;
    case TEXEL_RGBA8_SRGB:
        return is_3d || !s->srgb;
    case TEXEL_RGBA16:
    case TEXEL_RGBA16F:
    case TEXEL_RGBA32F:
        return is_3d;
    case TEXEL_R32F:
    case TEXEL_RG32F:
        return is_3d || linear;
    default:
        return true;
    }
}

static const struct ir_code *code_of(const struct tex_sampler_private *s, bool linear,
                                     bool two_levels)
{
    struct tex_emit_shape shape;

    if (!is_faster(s, linear) || !tex_level_shape(s, linear, two_levels, &shape))
        return NULL;
    return tex_emit_code_get(&shape);
}

/* Offsets of texels have 31 bits. */
static bool has_short_offsets(const struct tex_sampler_private *s, const struct tex_image *image)
{
    const struct tex_level *last = &s->level[image->faces * image->desc.levels - 1];
    size_t bytes = (size_t)(last->data - s->level->data) + (size_t)last->slice_pitch * last->depth;

    return bytes <= INT32_MAX / 2;
}

void tex_set_compiled(struct tex_sampler_private *s, const struct tex_image *image,
                      const struct tex_sampler_state *state)
{
    bool min_linear = tex_is_linear(state->min_filter),
         mag_linear = tex_is_linear(state->mag_filter);

    if (!has_short_offsets(s, image))
        return;
    s->minify_code = code_of(s, min_linear, false);
    s->magnify_code = mag_linear == min_linear ? s->minify_code : code_of(s, mag_linear, false);
    if (s->minify_code && s->mip_filter == D3DTEXF_LINEAR)
        s->levels_code = code_of(s, min_linear, true);
    if (s->minify_code)
        s->minify = minify;
    if (s->levels_code)
        s->minify_levels = minify_levels;
    if (s->magnify_code)
        s->magnify = s->magnify_code == s->minify_code ? minify : magnify;
}

void tex_code_use(void)
{
    tex_emit_cache_use();
}

void tex_code_leave(void)
{
    tex_emit_cache_leave();
}
