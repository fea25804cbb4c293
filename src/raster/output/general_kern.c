/* General colours: decodes the stored pixels, blends them with two source colours, dithers
 * (reference: blend/dual-source, blend/dither).
 *
 * Tested by tests/kernel/raster/output/test_output_kern.c. */
#include "raster/output/general_kern.h"

#include "raster/output/blend_lanes.h"
#include "raster/output/pixel_lanes.h"

typedef float lane_colours[4][RASTER_LANES];

/* --- Stored pixels ---------------------------------------------------------------------------- */

static void decode_srgb(const struct raster_pixel_write *how, const i32v *word, f32v value[4])
{
    for (unsigned c = 0; c < 3; c++) {
        i32v code = i32v_and(i32v_srl(*word, how->field[c].shift), i32v_set1(255));
        _Alignas(64) int32_t index[SIMD_LANES];

        i32v_store(index, code);
        value[c] = f32v_load_words(how->linear, index);
    }
}

static void decode_row(const struct raster_pixel_write *how, row_words words, unsigned lane,
                       lane_colours stored)
{
    for (unsigned i = 0; i < ACROSS; i++) {
        i32v word[4];
        f32v value[4];

        for (unsigned w = 0; w < 4; w++)
            word[w] = words[w][i];
        unpack((enum raster_pixel_class)how->class, how, word, value);
        if (how->srgb)
            decode_srgb(how, word, value);
        for (unsigned c = 0; c < 4; c++)
            f32v_store(stored[c] + lane + i * SIMD_LANES, value[c]);
    }
}

/* The stored colours of all lanes; those of other rows than `lanes` has are 0. */
static void decode(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                   uint64_t lanes, lane_colours stored)
{
    const unsigned bytes = how->format->bytes;

    memset(stored, 0, sizeof(lane_colours));
    for (unsigned lane = 0; lane < RASTER_LANES; lane += ROW_LANES) {
        row_words words;

        if (!(lanes >> lane & 0xffff))
            continue;
        memset(words, 0, sizeof(words));
        load_row(bytes, row_at(rows, pitch, bytes, lane), pitch, words);
        decode_row(how, words, lane, stored);
    }
}

/* --- Blending --------------------------------------------------------------------------------- */

/* The second source colour stands where the constant factor does. */
static f32v term_of(unsigned factor, f32v colour, struct blend_lane in, f32v second)
{
    if (raster_is_second_colour(factor)) {
        in.k = second;
        factor = factor == D3DBLEND_SRCCOLOR2 ? D3DBLEND_BLENDFACTOR : D3DBLEND_INVBLENDFACTOR;
    }
    return blend_term(factor, colour, &in);
}

static f32v blend_two(const struct raster_blend *blend, const struct blend_lane *in, f32v second)
{
    f32v s, d;

    if (blend->op == D3DBLENDOP_MIN || blend->op == D3DBLENDOP_MAX)
        return blend_channel(blend, in);
    s = term_of(blend->src, in->s, *in, second);
    d = term_of(blend->dst, in->d, *in, second);
    if (blend->op == D3DBLENDOP_SUBTRACT)
        return f32v_sub(s, d);
    if (blend->op == D3DBLENDOP_REVSUBTRACT)
        return f32v_sub(d, s);
    return f32v_add(s, d);
}

static f32v load_source(const struct raster_pixel_write *how, const float *from)
{
    f32v value = f32v_load(from);

    return how->clamp ? f32v_sat(value) : value;
}

/* value: the stored colours, then the blended ones. */
static void blend_lanes(const struct raster_pixel_write *how, const float *const *source,
                        lane_colours value)
{
    const float *const *second = source + RASTER_SOURCE_SECOND;

    for (unsigned lane = 0; lane < RASTER_LANES; lane += SIMD_LANES) {
        struct blend_lane in = {.sa = load_source(how, source[3] + lane),
                                .da = f32v_load(value[3] + lane)};

        for (unsigned c = 0; c < 4; c++) {
            f32v other = how->two_sources ? load_source(how, second[c] + lane) : f32v_zero();

            in.alpha = c == 3;
            in.s = load_source(how, source[c] + lane);
            in.d = f32v_load(value[c] + lane);
            in.k = f32v_set1(how->blend->factor[c]);
            f32v_store(value[c] + lane,
                       blend_two(c == 3 ? &how->blend->alpha : &how->blend->rgb, &in, other));
        }
    }
}

/* --- Dithering -------------------------------------------------------------------------------- */

/* Adds a part of a step between -1/2 and 1/2, so that rounding to nearest rounds up where the
 * pixel's threshold says so. */
static void dither(const struct raster_pixel_write *how, const float *steps, lane_colours value)
{
    for (unsigned c = 0; c < 3; c++) {
        f32v step = f32v_set1(how->field[c].rcp[0]);

        for (unsigned lane = 0; lane < RASTER_LANES; lane += SIMD_LANES)
            f32v_store(value[c] + lane, f32v_add(f32v_sat(f32v_load(value[c] + lane)),
                                                 f32v_mul(f32v_load(steps + lane), step)));
    }
}

/* --- Interface -------------------------------------------------------------------------------- */

static void colours(const struct raster_pixel_write *how, uint8_t *rows, size_t pitch,
                    const float *const *source, uint64_t lanes, lane_colours out)
{
    if (how->blend) {
        decode(how, rows, pitch, lanes, out);
        blend_lanes(how, source, out);
    } else {
        for (unsigned c = 0; c < 4; c++)
            memcpy(out[c], source[c], sizeof(out[c]));
    }
    if (how->dithers)
        dither(how, source[RASTER_SOURCE_DITHER], out);
}

const struct raster_general_kern KERN_NAME(raster_general_kern) = {.colours = colours};
