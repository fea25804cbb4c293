/* PNG encoder of the programs that judge other implementations: stb_image_write.
 *
 * Tested by tests/tool/retrace.sh. */
#include "png.h"

#include "util/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* unused output formats of stb */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

/* False: errno has the reason, and no part of the file stays. */
static bool write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = path_open(path, "wb");
    bool good = file && fwrite(bytes, 1, n, file) == n;
    int reason = errno;
    struct stat info;
    bool plain = file && !fstat(fileno(file), &info) && S_ISREG(info.st_mode);

    if (file && fclose(file)) {
        reason = good ? errno : reason;
        good = false;
    }
    if (plain && !good)
        path_remove(path);
    errno = reason;
    return good;
}

bool png_write_rgba(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba,
                    unsigned channels)
{
    size_t n = (size_t)width * height;
    uint8_t *pixels = malloc(n * channels + 1), *png = NULL;
    bool good = false;
    int bytes = 0;

    for (size_t i = 0; pixels && i < n; i++)
        memcpy(pixels + i * channels, rgba + i * 4, channels);
    if (pixels)
        png = stbi_write_png_to_mem(pixels, (int)(width * channels), (int)width, (int)height,
                                    (int)channels, &bytes);
    if (png)
        good = write_file(path, png, (size_t)bytes);
    else
        errno = ENOMEM;
    free(png);
    free(pixels);
    return good;
}
