/* PNG encoder of the programs that judge other implementations: stb_image_write.
 *
 * Tested by tests/tool/retrace.sh. */
#include "png.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* unused output formats of stb */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

bool png_write_rgba(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
                    unsigned channels)
{
    size_t n = (size_t)width * height;
    uint8_t *pixels = malloc(n * channels + 1);
    bool good = false;

    for (size_t i = 0; pixels && i < n; i++)
        memcpy(pixels + i * channels, rgba + i * 4, channels);
    if (pixels)
        good = stbi_write_png(path, (int)width, (int)height, (int)channels, pixels,
                              (int)(width * channels)) != 0;
    free(pixels);
    return good;
}
