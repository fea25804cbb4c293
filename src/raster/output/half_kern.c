/* Output kernel for A16B16G16R16F: converts, blends and fills half-float pixels in registers
 * (reference: blend/factors). */
#include "raster/output/half_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/output/gradient_fill_lanes.h"
#include "raster/scene/blocks.h"

#include "util/simd/half.h"

enum { ROW_LANES = 16, PIXEL_BYTES = 8 };

/* --- Pixels of a vector of quads -------------------------------------------------------------- */

/* red_green and blue_alpha: the two words of each lane's pixel. */
struct words {
    i32v red_green, blue_alpha;
};

#if SIMD_LANES == 1

/* Address of lane i's pixel in a block. */
static inline uint8_t *pixel_at(uint8_t *rows, size_t pitch, unsigned i)
{
    unsigned x = i / 4 % 4 * 2 + i % 2, y = i / ROW_LANES * 2 + i / 2 % 2;

    return rows + y * pitch + (size_t)x * PIXEL_BYTES;
}

static inline struct words load_pixels(uint8_t *rows, size_t pitch, unsigned i)
{
    struct words words;

    memcpy(&words, pixel_at(rows, pitch, i), sizeof(words));
    return words;
}

static inline void store_pixels(uint8_t *rows, size_t pitch, unsigned i, struct words words)
{
    memcpy(pixel_at(rows, pitch, i), &words, sizeof(words));
}

#else

/* Address of the upper pixels of a vector that begins with lane i; two pixels are four words. */
static inline int32_t *upper_at(uint8_t *rows, size_t pitch, unsigned i)
{
    return (int32_t *)(void *)(rows + i / ROW_LANES * 2 * pitch + i % ROW_LANES / 2 * PIXEL_BYTES);
}

static inline struct words load_pixels(uint8_t *rows, size_t pitch, unsigned i)
{
    f32v above = i32v_as_f32(i32v_loadu(upper_at(rows, pitch, i)));
    f32v below = i32v_as_f32(i32v_loadu(upper_at(rows + pitch, pitch, i)));

    return (struct words){f32v_bits(SIMD_P(shuffle_ps)(above, below, 0x88)),
                          f32v_bits(SIMD_P(shuffle_ps)(above, below, 0xdd))};
}

static inline void store_pixels(uint8_t *rows, size_t pitch, unsigned i, struct words words)
{
    i32v_storeu(upper_at(rows, pitch, i),
                SIMD_P(unpacklo_epi32)(words.red_green, words.blue_alpha));
    i32v_storeu(upper_at(rows + pitch, pitch, i),
                SIMD_P(unpackhi_epi32)(words.red_green, words.blue_alpha));
}

#endif

/* --- Blocks ----------------------------------------------------------------------------------- */

SIMD_INLINE struct words pack(const f32v value[4])
{
    return (struct words){halves_from_f32(value[0], value[1]), halves_from_f32(value[2], value[3])};
}

static void put(uint8_t *rows, size_t pitch, const float *const from[4])
{
    for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES) {
        f32v value[4];

        UNROLL
        for (unsigned c = 0; c < 4; c++)
            value[c] = f32v_load(from[c] + i);
        store_pixels(rows, pitch, i, pack(value));
    }
}

/* Blends one vector of pixels; value: the source, then the result. */
SIMD_INLINE struct words blend_pixels(const struct raster_blend *rgb,
                                      const struct raster_blend *alpha, const float *factor,
                                      struct words old, f32v value[4])
{
    struct blend_lane in = {.sa = value[3]};
    f32v stored[4];

    halves_to_f32(old.red_green, &stored[0], &stored[1]);
    halves_to_f32(old.blue_alpha, &stored[2], &stored[3]);
    in.da = stored[3];
    UNROLL
    for (unsigned c = 0; c < 4; c++) {
        in.alpha = c == 3;
        in.s = value[c];
        in.d = stored[c];
        in.k = f32v_set1(factor[c]);
        value[c] = blend_channel(c == 3 ? alpha : rgb, &in);
    }
    return pack(value);
}

SIMD_INLINE void blend_block(const struct raster_blend *rgb, const struct raster_blend *alpha,
                             const float *factor, uint8_t *rows, size_t pitch,
                             const float *const from[4])
{
    /* tells the compiler that stores to rows do not alias the pointers */
    const float *channel[4] = {from[0], from[1], from[2], from[3]};

    for (unsigned i = 0; i < RASTER_LANES; i += SIMD_LANES) {
        struct words words = load_pixels(rows, pitch, i);
        f32v value[4];

        UNROLL
        for (unsigned c = 0; c < 4; c++)
            value[c] = f32v_load(channel[c] + i);
        store_pixels(rows, pitch, i, blend_pixels(rgb, alpha, factor, words, value));
    }
}

static void blend(const struct raster_blend_params *params, uint8_t *rows, size_t pitch,
                  const float *const from[4])
{
    BLEND_DISPATCH(params, blend_block, params->factor, rows, pitch, from);
}

/* --- Gradients -------------------------------------------------------------------------------- */

/* Each pixel's alpha, in all of its lanes. */
SIMD_INLINE f32v alpha_of(const f32v value[GRADIENT_PARTS])
{
#if SIMD_LANES == 1
    return value[3];
#else
    return SIMD_P(shuffle_ps)(value[0], value[0], 0xff);
#endif
}

/* value: the source, then the result. */
SIMD_INLINE void blend_gradient(const struct raster_blend *rgb, const struct raster_blend *alpha,
                                const f32v factor[GRADIENT_PARTS],
                                const f32v stored[GRADIENT_PARTS], f32v value[GRADIENT_PARTS])
{
    const f32v sa = alpha_of(value), da = alpha_of(stored);

    UNROLL
    for (unsigned i = 0; i < GRADIENT_PARTS; i++) {
        struct blend_lane in = {value[i], stored[i], sa, da, factor[i], false};
        f32v colour = blend_channel(rgb, &in);

        in.alpha = true;
        value[i] = rgb == alpha
                       ? colour
                       : f32v_select(gradient_mask(8, i), blend_channel(alpha, &in), colour);
    }
}

/* rgb NULL: no blending. */
SIMD_INLINE void gradient_area(const struct raster_blend *rgb, const struct raster_blend *alpha,
                               const float k[4], const struct gradient_fill *gradient,
                               const struct gradient_area *area, bool saturated)
{
    struct gradient_lanes lanes;
    f32v factor[GRADIENT_PARTS];
    d64v down[GRADIENT_PARTS];

    gradient_begin(gradient, area, &lanes);
    gradient_spread(k, factor);
    for (unsigned y = 0; y < area->height; y++) {
        uint16_t *at = (uint16_t *)(void *)(area->rows + y * area->pitch);

        gradient_row(&lanes, (area->y + (float)y) - gradient->anchor_y, down);
        for (unsigned x = 0; x < area->width / GRADIENT_STEP; x++, at += 4 * GRADIENT_STEP) {
            f32v value[GRADIENT_PARTS], stored[GRADIENT_PARTS];

            gradient_colours(&lanes, lanes.across[x], down, saturated, value);
            UNROLL
            for (unsigned i = 0; rgb && i < GRADIENT_PARTS; i++)
                stored[i] = halves_load(at + i);
            if (rgb)
                blend_gradient(rgb, alpha, factor, stored, value);
            UNROLL
            for (unsigned i = 0; i < GRADIENT_PARTS; i++)
                halves_store(at + i, value[i]);
        }
    }
}

static void gradient(const struct raster_blend_params *params, const struct gradient_fill *gradient,
                     const struct gradient_area *area)
{
    static const float none[4];

    if (!params && gradient->saturated)
        gradient_area(NULL, NULL, none, gradient, area, true);
    else if (!params)
        gradient_area(NULL, NULL, none, gradient, area, false);
    else if (gradient->saturated)
        BLEND_DISPATCH(params, gradient_area, params->factor, gradient, area, true);
    else
        BLEND_DISPATCH(params, gradient_area, params->factor, gradient, area, false);
}

const struct raster_half_kern KERN_NAME(raster_half_kern) = {
    .put = put,
    .blend = blend,
    .gradient = gradient,
};
