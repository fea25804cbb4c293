/* Frames as 8-bit red, green and blue. */
#include "present/present.h"

/* A channel of n bits as 8 bits, to the nearest: what v / (2^n - 1) * 255 rounds to. */
static uint8_t to_8_bits(uint64_t word, struct tex_channel channel)
{
    uint32_t most = (uint32_t)((UINT64_C(1) << channel.bits) - 1);
    uint64_t v = word >> channel.shift & most;

    return (uint8_t)((v * 255 * 2 + most) / ((uint64_t)most * 2));
}

static uint64_t load(const uint8_t *pixel, unsigned bytes)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < bytes; i++)
        word |= (uint64_t)pixel[i] << 8 * i;
    return word;
}

enum status present_to_rgb(const struct present_frame *frame, uint8_t *rgb)
{
    const struct tex_format *format = frame->format;

    if (format->layout != TEX_LAYOUT_UNORM || format->bytes > 8 || !format->channel[0].bits ||
        !format->channel[1].bits || !format->channel[2].bits)
        return ST_UNSUPPORTED;
    for (uint32_t y = 0; y < frame->height; y++) {
        const uint8_t *pixel = frame->data + (size_t)y * frame->row_pitch;

        for (uint32_t x = 0; x < frame->width; x++, pixel += format->bytes) {
            uint64_t word = load(pixel, format->bytes);

            for (unsigned c = 0; c < 3; c++)
                *rgb++ = to_8_bits(word, format->channel[c]);
        }
    }
    return ST_OK;
}
