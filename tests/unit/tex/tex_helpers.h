/* Helpers of the tex tests: the floating-point mode, small images and one-line sampling. */
#ifndef TESTS_TEX_HELPERS_H
#define TESTS_TEX_HELPERS_H

#include "tex/tex.h"
#include "util/fpenv.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* A fixture: the floating-point mode of the renderer, in which textures are sampled and copied. */
static struct fp_mode mode_before;
static inline void enter_fp_mode(void)
{
    mode_before = fp_enter();
}
static inline void leave_fp_mode(void)
{
    fp_leave(mode_before);
}

struct rgba {
    float c[4];
};

static inline struct tex_desc desc_of(D3DFORMAT format, enum tex_shape shape, uint32_t width,
                                      uint32_t height, uint32_t depth, uint32_t levels,
                                      uint32_t samples)
{
    return (struct tex_desc){.format = format,
                             .shape = shape,
                             .width = width,
                             .height = height,
                             .depth = depth,
                             .levels = levels,
                             .samples = samples};
}

static inline struct tex_image *make_image(D3DFORMAT format, enum tex_shape shape, uint32_t width,
                                           uint32_t height, uint32_t depth, uint32_t levels)
{
    struct tex_desc desc = desc_of(format, shape, width, height, depth, levels, 1);
    struct tex_image *image;

    ck_assert_int_eq(tex_image_create(&image, &desc, NULL), ST_OK);
    return image;
}

static inline struct tex_image *make_2d(D3DFORMAT format, uint32_t width, uint32_t height)
{
    return make_image(format, TEX_2D, width, height, 1, 1);
}

/* Writes one texel of up to 8 bytes. */
static inline void poke(struct tex_image *image, uint32_t face, uint32_t level, uint32_t x,
                        uint32_t y, uint32_t z, uint64_t texel)
{
    memcpy(tex_level_at(tex_image_level(image, face, level), image->format, x, y, z), &texel,
           image->format->bytes);
    tex_image_touch(image);
}

/* A row of L8 texels 10, 20, 30, 40. */
static inline struct tex_image *make_ramp(void)
{
    struct tex_image *image = make_2d(D3DFMT_L8, 4, 1);

    for (uint32_t x = 0; x < 4; x++)
        poke(image, 0, 0, x, 0, 0, 10 * (x + 1));
    return image;
}

/* A square image whose red grows with x and green with y. */
static inline struct tex_image *make_gradient(D3DFORMAT format, uint32_t size)
{
    struct tex_image *image = make_2d(format, size, size);

    for (uint32_t y = 0; y < size; y++)
        for (uint32_t x = 0; x < size; x++)
            poke(image, 0, 0, x, y, 0, 0xff000000 | x << 16 | y << 8 | (x ^ y));
    return image;
}

/* Reads a pixel as A8R8G8B8. */
static inline uint32_t read_argb(struct tex_image *image, uint32_t x, uint32_t y, uint32_t z)
{
    float c[4];
    uint32_t argb = 0;

    tex_read_pixel(image, 0, 0, x, y, z, c);
    for (int i = 0; i < 4; i++)
        argb |= (uint32_t)(c[i] * 255.0f + 0.5f) << (i == 3 ? 24 : 16 - 8 * i);
    return argb;
}

/* StretchRect between boxes of the first level of two images. */
static inline enum status stretch_boxes(struct tex_image *dst, const struct tex_box *to,
                                        struct tex_image *src, const struct tex_box *from,
                                        unsigned filter)
{
    return tex_stretch(&(struct tex_region){dst, 0, 0, *to}, &(struct tex_region){src, 0, 0, *from},
                       filter);
}

static inline struct tex_sampler_state default_state(void)
{
    return (struct tex_sampler_state){
        .address = {D3DTADDRESS_WRAP, D3DTADDRESS_WRAP, D3DTADDRESS_WRAP},
        .min_filter = D3DTEXF_POINT,
        .mag_filter = D3DTEXF_POINT,
        .mip_filter = D3DTEXF_NONE,
        .max_anisotropy = 1,
    };
}

/* Samples one position in every lane with this explicit LOD. */
static inline struct rgba sample_at(struct tex_image *image, const struct tex_sampler_state *state,
                                    float u, float v, float w, float lod)
{
    _Alignas(64) float in[4][TEX_LANES], out[4][TEX_LANES];
    struct tex_sampler sampler;
    struct sample s = {.lod_mode = LOD_EXPLICIT, .lanes = ~UINT64_C(0), .lod = in[3]};
    struct rgba result;

    for (int i = 0; i < TEX_LANES; i++) {
        in[0][i] = u;
        in[1][i] = v;
        in[2][i] = w;
        in[3][i] = lod;
    }
    for (int c = 0; c < 4; c++)
        s.texel[c] = out[c];
    for (int c = 0; c < 3; c++)
        s.coord[c] = in[c];
    ck_assert_int_eq(tex_sampler_init(&sampler, image, state), ST_OK);
    tex_sample(&sampler, &s);
    for (int c = 0; c < 4; c++) {
        for (int i = 1; i < TEX_LANES; i++)
            ck_assert(!memcmp(&out[c][i], &out[c][0], 4));
        result.c[c] = out[c][0];
    }
    return result;
}

struct sample_batch {
    _Alignas(64) float c[4][TEX_LANES];
};

static inline void sample_lanes(struct tex_image *image, const struct tex_sampler_state *state,
                                struct sample *s, struct sample_batch *out)
{
    struct tex_sampler sampler;

    s->lanes = ~UINT64_C(0);
    for (int c = 0; c < 4; c++)
        s->texel[c] = out->c[c];
    ck_assert_int_eq(tex_sampler_init(&sampler, image, state), ST_OK);
    tex_sample(&sampler, s);
}

static inline void check_rgba(struct rgba got, float r, float g, float b, float a)
{
    ck_assert_msg(got.c[0] == r && got.c[1] == g && got.c[2] == b && got.c[3] == a,
                  "got %a %a %a %a, not %a %a %a %a", got.c[0], got.c[1], got.c[2], got.c[3], r, g,
                  b, a);
}

static inline void check_near(struct rgba got, double r, double g, double b, double a, double tol)
{
    ck_assert_msg(fabs(got.c[0] - r) <= tol && fabs(got.c[1] - g) <= tol &&
                      fabs(got.c[2] - b) <= tol && fabs(got.c[3] - a) <= tol,
                  "got %g %g %g %g, not %g %g %g %g", got.c[0], got.c[1], got.c[2], got.c[3], r, g,
                  b, a);
}

#endif
