/* Compiles sampler states and an image to a sampler: texel kind, swizzle, border, level range and
 * kernels. */
#include "tex/codec/codec.h"
#include "tex/sample/sample.h"

#include "util/variant.h"

#include <math.h>
#include <string.h>

enum { MAX_TAPS = 16 };

static struct tex_sampler_private *sampler_private(struct tex_sampler *sampler)
{
    return (struct tex_sampler_private *)(void *)sampler->opaque;
}

/* --- Texel kinds ------------------------------------------------------------------------------ */

static bool has_packed_signed(const struct tex_format *f)
{
    switch ((uint32_t)f->d3d) {
    case D3DFMT_V8U8:
    case D3DFMT_X8L8V8U8:
    case D3DFMT_Q8W8V8U8:
    case D3DFMT_V16U16:
    case D3DFMT_A2W10V10U10:
        return true;
    default:
        return false;
    }
}

static bool is_plain_depth(const struct tex_format *f)
{
    return f->d3d == TEX_FMT_INTZ || f->d3d == TEX_FMT_DF16 || f->d3d == TEX_FMT_DF24;
}

static enum texel_kind depth_kind(const struct tex_format *f)
{
    if (f->d3d == TEX_FMT_RAWZ) /* reads its four bytes (reference: texture/rawz) */
        return TEXEL_RGBA8;
    if (is_plain_depth(f))
        return f->bytes == 2 ? TEXEL_PACKED16 : TEXEL_PACKED32;
    if (f->d3d == D3DFMT_D32F_LOCKABLE)
        return TEXEL_SHADOW_FLOAT32;
    if (f->d3d == D3DFMT_D24FS8)
        return TEXEL_SHADOW_FLOAT24;
    return f->bytes == 2 ? TEXEL_SHADOW16 : TEXEL_SHADOW32;
}

static enum texel_kind unsigned_kind(const struct tex_format *f, bool srgb)
{
    if (tex_is_8888(f))
        return srgb ? TEXEL_RGBA8_SRGB : TEXEL_RGBA8;
    switch (f->bytes) {
    case 1:
        return srgb ? TEXEL_PACKED8_SRGB : TEXEL_PACKED8;
    case 2:
        return srgb ? TEXEL_PACKED16_SRGB : TEXEL_PACKED16;
    case 4:
        return TEXEL_PACKED32;
    case 8:
        return TEXEL_RGBA16;
    default:
        return TEXEL_KINDS;
    }
}

static enum texel_kind float_kind(const struct tex_format *f, enum texel_kind one_channel)
{
    return f->channel[3].bits   ? one_channel + 2
           : f->channel[1].bits ? one_channel + 1
                                : one_channel;
}

/* Returns the kind for sampling the format in place, or TEXEL_KINDS if it needs a decode cache. */
static enum texel_kind kind_in_place(const struct tex_format *f, bool srgb)
{
    switch (f->layout) {
    case TEX_LAYOUT_UNORM:
    case TEX_LAYOUT_LUMINANCE:
        return unsigned_kind(f, srgb);
    case TEX_LAYOUT_SNORM:
        if (!has_packed_signed(f))
            return TEXEL_KINDS;
        return f->bytes == 2 ? TEXEL_PACKED16_SIGNED : TEXEL_PACKED32_SIGNED;
    case TEX_LAYOUT_FLOAT16:
        return float_kind(f, TEXEL_R16F);
    case TEX_LAYOUT_FLOAT32:
        return float_kind(f, TEXEL_R32F);
    case TEX_LAYOUT_DEPTH:
        return depth_kind(f);
    case TEX_LAYOUT_PALETTE:
        return f->bytes == 1 ? TEXEL_PALETTE8 : TEXEL_PALETTE16;
    default:
        return TEXEL_KINDS;
    }
}

/* --- Channels --------------------------------------------------------------------------------- */

static void set_stored_channel(struct tex_sampler_private *s, int stored, struct tex_channel ch,
                               bool is_signed)
{
    uint32_t max = ch.bits == 32 ? UINT32_MAX : (1u << ch.bits) - 1;

    if (!ch.bits)
        return;
    s->shift[stored] = ch.shift;
    s->mask[stored] = (int32_t)max;
    s->shl[stored] = (uint8_t)(32 - ch.shift - ch.bits);
    s->sra[stored] = (uint8_t)(32 - ch.bits);
    s->divisor[stored] = (float)max;
    if (!is_signed)
        return;
    s->divisor[stored] = (float)(max >> 1);
    s->signed_mask |= (uint8_t)(1 << stored);
}

static uint8_t absent(const struct tex_format *f, int c)
{
    return f->absent[c] ? TEX_SWIZZLE_ONE : TEX_SWIZZLE_ZERO;
}

/* RGBA8: stored channel b is byte b of the word. */
static void set_rgba8_channels(struct tex_sampler_private *s, const struct tex_format *f)
{
    for (int b = 0; b < 4; b++)
        set_stored_channel(s, b, (struct tex_channel){(uint8_t)(8 * b), 8}, false);
    for (int c = 0; c < 4; c++)
        s->swizzle[c] = f->channel[c].bits ? f->channel[c].shift / 8 : absent(f, c);
}

/* Stored channels are the format's channels in order. */
static void set_channels(struct tex_sampler_private *s, const struct tex_format *f)
{
    for (int c = 0; c < 4; c++) {
        s->divisor[c] = 1.0f;
        if (f->layout == TEX_LAYOUT_DEPTH ? c == 0 : f->bytes <= 4)
            set_stored_channel(s, c, f->channel[c], f->snorm_mask >> c & 1);
        else if (f->layout == TEX_LAYOUT_UNORM)
            s->divisor[c] = 65535.0f;
        s->swizzle[c] = f->channel[c].bits ? (uint8_t)c : absent(f, c);
    }
    if (f->layout == TEX_LAYOUT_LUMINANCE)
        s->swizzle[1] = s->swizzle[2] = 0;
    if (f->layout != TEX_LAYOUT_DEPTH)
        return;
    for (int c = 1; c < 4; c++) /* comparisons and INTZ fill all channels, DF16 and DF24 only one */
        s->swizzle[c] = f->d3d == TEX_FMT_DF16 || f->d3d == TEX_FMT_DF24 ? absent(f, c) : 0;
}

static void set_srgb(struct tex_sampler_private *s)
{
    for (int c = 0; c < 3; c++) {
        unsigned bits = 0;

        while (s->mask[c] >> bits)
            bits++;
        s->srgb_to_linear[c] = tex_srgb_table(bits);
        s->divisor[c] = 1.0f;
    }
}

static bool is_float_kind(enum texel_kind kind)
{
    return kind >= TEXEL_R16F && kind <= TEXEL_RGBA32F;
}

/* Mask of the channels that the format stores; bit 0 = red. */
static unsigned channels_of(const struct tex_format *f)
{
    unsigned bits = 0;

    if (f->layout == TEX_LAYOUT_BLOCK)
        return f->d3d == TEX_FMT_ATI1 ? 1 : f->d3d == TEX_FMT_ATI2 ? 3 : 15;
    if (f->layout == TEX_LAYOUT_YUV)
        return 7;
    if (f->layout == TEX_LAYOUT_PALETTE)
        return 15;
    for (int c = 0; c < 4; c++)
        bits |= f->channel[c].bits ? 1u << c : 0;
    return f->layout == TEX_LAYOUT_LUMINANCE ? bits | 7 : bits;
}

/* Converts 0 … 255 to channel c of a texel of the format. */
static float border_fraction(const struct tex_format *f, int c, uint32_t byte)
{
    uint32_t max = 255;

    if (!(channels_of(f) >> c & 1))
        return f->absent[c];
    if (f->layout == TEX_LAYOUT_LUMINANCE && c < 3)
        c = 0;
    if (f->layout <= TEX_LAYOUT_SNORM || f->layout == TEX_LAYOUT_LUMINANCE)
        max = (1u << (f->channel[c].bits - (f->snorm_mask >> c & 1))) - 1;
    if (max == 255)
        return tex_fill_fraction(f, byte);
    return (float)((byte * max * 2 + 255) / 510) / (float)max; /* nearest code, rounded half up */
}

/* Sets the border colour. It is a texel of the texture's own format, rounded as ColorFill rounds,
 * without sRGB decoding (reference: texture/border). `own` is that format, even if a decoded copy
 * is sampled. */
static void set_border(struct tex_sampler_private *s, const struct tex_format *own, uint32_t argb,
                       bool srgb)
{
    static const uint8_t shift[4] = {16, 8, 0, 24};

    for (int c = 3; c >= 0; c--) { /* red last, because luminance and depth use it */
        int stored = s->swizzle[c];
        float value = border_fraction(own, c, argb >> shift[c] & 255);

        if (stored >= TEX_SWIZZLE_ZERO)
            continue;
        if (is_float_kind(s->kind) || s->kind >= TEXEL_SHADOW16 || (srgb && stored < 3))
            s->border[stored] = value;
        else
            s->border[stored] = (float)floor((double)value * (double)s->divisor[stored] + 0.5);
    }
}

static void set_in_place(struct tex_sampler_private *s, const struct tex_image *image)
{
    s->level = image->level;
    if (image->faces == 6)
        s->face_pitch =
            (int32_t)((image->level[image->desc.levels].data - image->level[0].data) / 4);
}

/* Makes the sampler read the decode cache. User memory may change at any time, so all its pages are
 * decoded now. */
static enum status set_decoded(struct tex_sampler_private *s, struct tex_image *image)
{
    enum status st;

    if (image->shared) /* other users of the memory may have changed it */
        tex_image_touch(image);
    st = tex_decode_cache_update(image);
    if (st != ST_OK)
        return st;
    if (image->user_memory)
        tex_decode_cache_require_all(image->decode_cache);
    s->level = image->decode_cache->level;
    s->face_pitch = image->decode_cache->face_pitch;
    if (atomic_load_explicit(&image->decode_cache->undecoded, memory_order_acquire))
        s->decode_cache = image->decode_cache;
    return ST_OK;
}

/* Selects the texel kind and the memory: the image itself or its decode cache. */
static enum status set_texels(struct tex_sampler_private *s, struct tex_image *image,
                              const struct tex_sampler_state *state)
{
    bool srgb = state->srgb && image->format->caps & TEX_SRGB_READ;
    enum texel_kind kind = kind_in_place(image->format, srgb);
    const struct tex_format *own = image->format, *f = own;

    /* Kernels read whole aligned words and past the end, which user memory does not allow. */
    if (kind == TEXEL_KINDS || image->user_memory) {
        enum status st = set_decoded(s, image);

        if (st != ST_OK)
            return st;
        f = image->decode_cache->format;
        srgb = srgb && f->bytes == 4;
        kind = kind_in_place(f, srgb);
    } else {
        set_in_place(s, image);
    }
    s->kind = (uint8_t)kind;
    s->shape = (uint8_t)image->desc.shape;
    s->size[0] = (float)image->desc.width;
    s->size[1] = (float)image->desc.height;
    s->size[2] = (float)image->desc.depth;
    if (kind == TEXEL_PALETTE8 || kind == TEXEL_PALETTE16) {
        f = tex_format_get(D3DFMT_A8R8G8B8);
        s->palette = state->palette ? state->palette : tex_grey_palette();
    } else if (f->d3d == TEX_FMT_RAWZ) {
        f = own = tex_format_get(D3DFMT_A8R8G8B8);
    }
    if (f->layout == TEX_LAYOUT_UNORM && unsigned_kind(f, false) == TEXEL_RGBA8)
        set_rgba8_channels(s, f);
    else
        set_channels(s, f);
    if (srgb)
        set_srgb(s);
    set_border(s, own, state->border, srgb);
    return ST_OK;
}

/* --- Filters ---------------------------------------------------------------------------------- */

static bool is_linear(unsigned filter)
{
    return filter > D3DTEXF_POINT;
}

/* A D3DSAMP_MIPMAPLODBIAS of 'GET4' enables Fetch4. */
static bool wants_gather(const struct tex_sampler_private *s, float lod_bias)
{
    uint32_t bits;

    memcpy(&bits, &lod_bias, 4);
    return bits == TEX_FMT_GET4 && s->shape == TEX_2D;
}

/* ATI1 also has one channel, but hardware does not gather it (reference: texture/fetch4). */
static bool can_gather(const struct tex_format *f)
{
    switch ((uint32_t)f->d3d) {
    case D3DFMT_L8:
    case D3DFMT_L16:
    case D3DFMT_A8:
    case D3DFMT_R16F:
    case D3DFMT_R32F:
        return true;
    default:
        return is_plain_depth(f);
    }
}

static void set_levels(struct tex_sampler_private *s, const struct tex_image *image,
                       const struct tex_sampler_state *state)
{
    uint32_t min_level = state->lod;

    s->mip_filter = is_linear(state->mip_filter) ? D3DTEXF_LINEAR : state->mip_filter;
    if (s->mip_filter != D3DTEXF_NONE && state->max_mip_level > min_level)
        min_level = state->max_mip_level;
    s->max_level = (uint8_t)(image->desc.levels - 1);
    s->min_level = min_level < s->max_level ? (uint8_t)min_level : s->max_level;
    s->base_level = state->lod < s->max_level ? (uint8_t)state->lod : s->max_level;
    if (s->min_level == s->max_level)
        s->mip_filter = D3DTEXF_NONE;
    s->lod_bias = state->lod_bias + (variant_current ? variant_current->lod : 0.0f);
}

static bool has_border(const struct tex_sampler_private *s)
{
    return s->address[0] == D3DTADDRESS_BORDER || s->address[1] == D3DTADDRESS_BORDER;
}

/* RGBA8, the most common kind, has specialised functions. */
static void set_rgba8_filters(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    const struct tex_sample_rgba8_kern *kern = KERN_PICK(tex_sample_rgba8_kern);

    if (s->kind != TEXEL_RGBA8)
        return;
    if (s->shape == TEX_VOLUME_MAP) {
        if (is_linear(state->mag_filter))
            s->magnify = kern->volume;
        if (is_linear(state->min_filter))
            s->minify = kern->volume;
        return;
    }
    s->magnify = is_linear(state->mag_filter) ? kern->linear : kern->point;
    s->minify = is_linear(state->min_filter) ? kern->linear : kern->point;
    if (!is_linear(state->min_filter) || has_border(s))
        return;
    s->minify_levels = kern->levels;
    s->minify_taps = kern->taps;
}

static void set_float_filters(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    tex_level_fn *point = KERN_PICK(tex_sample_float_kern)->point[s->kind];

    if (!point || s->shape == TEX_VOLUME_MAP)
        return;
    if (!is_linear(state->mag_filter))
        s->magnify = point;
    if (!is_linear(state->min_filter))
        s->minify = point;
}

static void set_filters(struct tex_sampler_private *s, const struct tex_image *image,
                        const struct tex_sampler_state *state)
{
    tex_level_fn *const *fn = KERN_PICK(tex_sample_kern)->fn[s->kind];
    enum tex_filter point = s->shape == TEX_VOLUME_MAP ? TEX_POINT_3D : TEX_POINT_2D;

    if (!fn[point]) /* kinds of depth formats have no 3D kernels; the first slice is sampled */
        point = TEX_POINT_2D;
    s->minify = fn[is_linear(state->min_filter) ? point + 1 : point];
    s->magnify = fn[is_linear(state->mag_filter) ? point + 1 : point];
    set_rgba8_filters(s, state);
    set_float_filters(s, state);
    s->max_taps = 1.0f;
    if (state->min_filter == D3DTEXF_ANISOTROPIC && state->max_anisotropy > 1)
        s->max_taps = state->max_anisotropy < MAX_TAPS ? state->max_anisotropy : MAX_TAPS;
    s->needs_lod = s->minify != s->magnify || s->mip_filter != D3DTEXF_NONE || s->max_taps > 1.0f;
    if (wants_gather(s, state->lod_bias) && can_gather(image->format) && fn[TEX_GATHER_2D]) {
        s->magnify = fn[TEX_GATHER_2D];
        s->needs_lod = false;
    }
}

/* Shared memory may change at any time, so it gets no quad texels. */
static void set_quad_texels(struct tex_sampler_private *s, struct tex_image *image)
{
    const struct tex_sample_rgba8_kern *kern = KERN_PICK(tex_sample_rgba8_kern);

    if (!kern->uses_quad_texels || s->kind != TEXEL_RGBA8 || s->shape != TEX_2D || has_border(s) ||
        s->decode_cache || image->shared || image->user_memory)
        return;
    if (s->minify == kern->linear || s->magnify == kern->linear)
        s->quad_texels = tex_quad_texels_get(image, s->level);
}

static void minify_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                             const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_require_texels(s, level, 1, at, NULL, lanes);
    s->decoded_minify(s, level, at, lanes, out);
}

static void magnify_on_demand(const struct tex_sampler_private *s, const struct tex_level *level,
                              const struct tex_coords *at, uint64_t lanes, float *const out[4])
{
    tex_require_texels(s, level, 1, at, NULL, lanes);
    s->decoded_magnify(s, level, at, lanes, out);
}

static void set_decode_on_demand(struct tex_sampler_private *s)
{
    if (!s->decode_cache)
        return;
    s->decoded_minify = s->minify;
    s->decoded_magnify = s->magnify;
    s->minify = minify_on_demand;
    s->magnify = magnify_on_demand;
}

static void set_addresses(struct tex_sampler_private *s, const struct tex_sampler_state *state)
{
    for (int a = 0; a < 3; a++)
        s->address[a] = s->shape == TEX_CUBE_MAP ? (uint8_t)D3DTADDRESS_CLAMP : state->address[a];
}

enum status tex_sampler_init(struct tex_sampler *sampler, struct tex_image *image,
                             const struct tex_sampler_state *state)
{
    struct tex_sampler_private *s = sampler_private(sampler);
    enum status st;

    memset(sampler, 0, sizeof(*sampler));
    if (!image)
        return ST_OK;
    st = set_texels(s, image, state);
    if (st != ST_OK) {
        memset(sampler, 0, sizeof(*sampler));
        return st;
    }
    set_addresses(s, state);
    set_levels(s, image, state);
    set_filters(s, image, state);
    set_quad_texels(s, image);
    set_decode_on_demand(s);
    if (variant_current && variant_current->texel_steps > 0.0f)
        tex_sampler_apply_variant(s);
    s->sample = KERN_PICK(tex_sample_lod_kern)->sample;
    return ST_OK;
}

/* --- Sampling --------------------------------------------------------------------------------- */

static void sample_unbound(const struct sample *in)
{
    for (int c = 0; c < 4; c++)
        for (int i = 0; in->texel[c] && i < TEX_LANES; i++)
            if (in->lanes >> i & 1)
                in->texel[c][i] = c == 3 ? 1.0f : 0.0f;
}

void tex_sample(const struct tex_sampler *sampler, const struct sample *sample)
{
    const struct tex_sampler_private *s =
        (const struct tex_sampler_private *)(const void *)sampler->opaque;

    if (s->sample)
        s->sample(s, sample);
    else
        sample_unbound(sample);
}
