/* Converts pixels of any format to an RGBA picture.
 *
 * Tested by tests/unit/tool/capture/test_replay.c. */
#include "trace/replay/replay.h"

#include "tex/tex.h"
#include "util/alloc.h"

#include <string.h>

/* Converts one row of a format whose channels the format table describes. */
static void convert_row(const struct tex_format *format, tex_unpack_fn *unpack, const uint8_t *src,
                        uint32_t width, uint8_t *rgba)
{
    _Alignas(64) float lanes[4][TEX_LANES];
    float *const channels[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};

    for (uint32_t x = 0; x < width; x += TEX_LANES) {
        unsigned n = width - x < TEX_LANES ? width - x : TEX_LANES;

        unpack(format, src + (size_t)x * format->bytes, n, channels);
        for (unsigned i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++) {
                float v = lanes[c][i];

                v = v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f; /* NaN becomes 0 */
                rgba[4 * (x + i) + c] = (uint8_t)(v * 255.0f + 0.5f);
            }
    }
}

/* Swaps red and blue of words, so that compilers use vectors. */
static void convert_row_8888(const uint8_t *src, uint32_t width, uint8_t *rgba, bool alpha)
{
    uint32_t opaque = alpha ? 0 : 0xff000000;

    for (uint32_t x = 0; x < width; x++) {
        uint32_t argb, word;

        memcpy(&argb, src + 4 * (size_t)x, sizeof(argb));
        word = (argb & 0xff00ff00) | (argb >> 16 & 255) | (argb & 255) << 16 | opaque;
        memcpy(rgba + 4 * (size_t)x, &word, sizeof(word));
    }
}

enum status replay_convert_picture(const struct tex_format *format, uint32_t width, uint32_t height,
                                   const uint8_t *rows, size_t pitch, struct replay_picture *out)
{
    bool words = format && (format->d3d == D3DFMT_A8R8G8B8 || format->d3d == D3DFMT_X8R8G8B8);
    tex_unpack_fn *unpack = format && !words ? tex_unpacker(format) : NULL;

    if (!words && !unpack)
        return ST_UNSUPPORTED;
    out->rgba = mem_alloc((size_t)width * height * 4);
    if (!out->rgba)
        return ST_NOMEM;
    out->width = width;
    out->height = height;
    out->format = format->d3d;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *src = rows + (size_t)y * pitch;
        uint8_t *rgba = out->rgba + (size_t)y * width * 4;

        if (words)
            convert_row_8888(src, width, rgba, format->d3d == D3DFMT_A8R8G8B8);
        else
            convert_row(format, unpack, src, width, rgba);
    }
    return ST_OK;
}
