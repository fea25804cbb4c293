/* Scalar codec of packed YUV and shared-channel RGB: four bytes hold two pixels with two shared
 * components (reference: format/yuv).
 *
 * UYVY and YUY2 use limited-range BT.601 with the usual 8-bit integer factors. In memory G8R8_G8B8
 * is R G0 B G1 and R8G8_B8G8 is G0 R G1 B: their names list 16-bit halves from the top. */
#include "tex/codec/yuv_kern.h"

enum { FIRST, SECOND, SHARED_0, SHARED_1 };

/* Positions in a block of the two per-pixel bytes (Y or G) and the two shared bytes (U and V, or R
 * and B). */
static const uint8_t *byte_order(const struct tex_format *format)
{
    static const uint8_t shared_first[4] = {1, 3, 0, 2}, own_first[4] = {0, 2, 1, 3};
    bool shared = format->d3d == D3DFMT_UYVY || format->d3d == D3DFMT_G8R8_G8B8;

    return shared ? shared_first : own_first;
}

static bool is_rgb(const struct tex_format *format)
{
    return format->d3d == D3DFMT_G8R8_G8B8 || format->d3d == D3DFMT_R8G8_B8G8;
}

static uint32_t clamp8(int x)
{
    return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}

uint32_t tex_yuv_colour(uint8_t luma, uint8_t u, uint8_t v)
{
    int c = 298 * (luma - 16) + 128, d = u - 128, e = v - 128;
    uint32_t r = clamp8((c + 409 * e) >> 8);
    uint32_t g = clamp8((c - 100 * d - 208 * e) >> 8);
    uint32_t b = clamp8((c + 516 * d) >> 8);

    return 0xff000000 | r << 16 | g << 8 | b;
}

void tex_yuv_decode(const struct tex_format *format, uint32_t argb[2], const uint8_t *block)
{
    const uint8_t *at = byte_order(format);
    uint8_t s0 = block[at[SHARED_0]], s1 = block[at[SHARED_1]];

    for (int i = 0; i < 2; i++) {
        uint8_t own = block[at[i]];

        argb[i] = is_rgb(format) ? 0xff000000 | (uint32_t)s0 << 16 | (uint32_t)own << 8 | s1
                                 : tex_yuv_colour(own, s0, s1);
    }
}

tex_yuv_fn *tex_yuv_decoder(const struct tex_format *format)
{
    const struct tex_yuv_kern *kern = KERN_PICK(tex_yuv_kern);

    switch ((uint32_t)format->d3d) {
    case D3DFMT_UYVY:
        return kern->decode[TEX_YUV_UYVY];
    case D3DFMT_YUY2:
        return kern->decode[TEX_YUV_YUY2];
    case D3DFMT_R8G8_B8G8:
        return kern->decode[TEX_YUV_RGBG];
    default:
        return kern->decode[TEX_YUV_GRGB];
    }
}

static int red(uint32_t argb)
{
    return argb >> 16 & 255;
}
static int green(uint32_t argb)
{
    return argb >> 8 & 255;
}
static int blue(uint32_t argb)
{
    return argb & 255;
}

void tex_yuv_encode(const struct tex_format *format, uint8_t *block, const uint32_t argb[2])
{
    const uint8_t *at = byte_order(format);
    int r = (red(argb[0]) + red(argb[1]) + 1) / 2, g = (green(argb[0]) + green(argb[1]) + 1) / 2;
    int b = (blue(argb[0]) + blue(argb[1]) + 1) / 2;

    if (is_rgb(format)) {
        block[at[FIRST]] = (uint8_t)green(argb[0]);
        block[at[SECOND]] = (uint8_t)green(argb[1]);
        block[at[SHARED_0]] = (uint8_t)r;
        block[at[SHARED_1]] = (uint8_t)b;
        return;
    }
    for (int i = 0; i < 2; i++)
        block[at[i]] =
            (uint8_t)(((66 * red(argb[i]) + 129 * green(argb[i]) + 25 * blue(argb[i]) + 128) >> 8) +
                      16);
    block[at[SHARED_0]] = (uint8_t)(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
    block[at[SHARED_1]] = (uint8_t)(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
}
