/* Pictures in memory and as PNG files, and how far two of them are apart. */
#include "tool/tool.h"

#include "util/alloc.h"

#include <string.h>

/* stb declares functions that it does not define here; that is noticed at the end of the file, so
 * this warning stays off. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBIW_MALLOC(size) mem_alloc(size)
#define STBIW_REALLOC(block, size) mem_realloc(block, size)
#define STBIW_FREE(block) mem_free(block)
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_GIF
#define STBI_MALLOC(size) mem_alloc(size)
#define STBI_REALLOC(block, size) mem_realloc(block, size)
#define STBI_FREE(block) mem_free(block)
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

enum { SIDE_MAX = 16384 };

enum status tool_image_create(struct tool_image *out, uint32_t width, uint32_t height)
{
    memset(out, 0, sizeof(*out));
    if (!width || !height || width > SIDE_MAX || height > SIDE_MAX)
        return ST_INVALID;
    out->rgba = mem_calloc((size_t)width * height, 4);
    if (!out->rgba)
        return ST_NOMEM;
    out->width = width;
    out->height = height;
    return ST_OK;
}

void tool_image_fini(struct tool_image *image)
{
    mem_free(image->rgba);
    memset(image, 0, sizeof(*image));
}

static enum status write_rgb(const char *path, const struct tool_image *image)
{
    size_t pixels = (size_t)image->width * image->height;
    uint8_t *rgb = mem_alloc(pixels * 3);
    int ok;

    if (!rgb)
        return ST_NOMEM;
    for (size_t i = 0; i < pixels; i++)
        memcpy(rgb + 3 * i, image->rgba + 4 * i, 3);
    ok = stbi_write_png(path, (int)image->width, (int)image->height, 3, rgb, (int)image->width * 3);
    mem_free(rgb);
    return ok ? ST_OK : ST_IO;
}

enum status tool_png_write(const char *path, const struct tool_image *image, unsigned channels)
{
    if (channels == 3)
        return write_rgb(path, image);
    return stbi_write_png(path, (int)image->width, (int)image->height, 4, image->rgba,
                          (int)image->width * 4)
               ? ST_OK
               : ST_IO;
}

enum status tool_png_read(const char *path, struct tool_image *out)
{
    int width, height, channels;
    FILE *file = fopen(path, "rb");

    memset(out, 0, sizeof(*out));
    if (!file)
        return ST_IO;
    if (!stbi_info_from_file(file, &width, &height, &channels) || width > SIDE_MAX ||
        height > SIDE_MAX) {
        fclose(file);
        return ST_DAMAGED;
    }
    out->rgba = stbi_load_from_file(file, &width, &height, &channels, 4);
    fclose(file);
    if (!out->rgba)
        return ST_DAMAGED;
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    return ST_OK;
}

/* Black where equal, from dark blue over red to white where further and further apart. */
static void heat_colour(unsigned distance, uint8_t *rgba)
{
    unsigned v = distance ? 48 + distance * 3 : 0;

    rgba[0] = (uint8_t)(v > 255 ? 255 : distance > 2 ? v : 0);
    rgba[1] = (uint8_t)(distance > 64 ? (distance - 64) * 4 / 3 : 0);
    rgba[2] = (uint8_t)(distance && distance <= 2 ? 96 + distance * 64
                        : distance > 128          ? (distance - 128) * 2
                                                  : 0);
    rgba[3] = 255;
}

static unsigned pixel_distance(const uint8_t *a, const uint8_t *b, uint64_t *sum, uint64_t *squares)
{
    unsigned most = 0;

    for (unsigned c = 0; c < 3; c++) {
        unsigned d = (unsigned)(a[c] > b[c] ? a[c] - b[c] : b[c] - a[c]);

        *sum += d;
        *squares += (uint64_t)d * d;
        most = d > most ? d : most;
    }
    return most;
}

enum status tool_image_compare(const struct tool_image *a, const struct tool_image *b,
                               unsigned threshold, struct tool_difference *out,
                               struct tool_image *heat)
{
    uint64_t sum = 0, squares = 0;

    memset(out, 0, sizeof(*out));
    if (a->width != b->width || a->height != b->height)
        return ST_INVALID;
    if (heat && tool_image_create(heat, a->width, a->height) != ST_OK)
        return ST_NOMEM;
    out->pixels = (uint64_t)a->width * a->height;
    for (uint64_t i = 0; i < out->pixels; i++) {
        unsigned d = pixel_distance(a->rgba + 4 * i, b->rgba + 4 * i, &sum, &squares);

        out->max = d > out->max ? d : out->max;
        out->above += d > threshold;
        if (heat)
            heat_colour(d, heat->rgba + 4 * i);
    }
    out->mean = (double)sum / (double)(3 * out->pixels);
    out->squares = (double)squares / (double)(3 * out->pixels);
    return ST_OK;
}
