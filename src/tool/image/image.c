/* Images in memory: PNG input and output, content hash and comparison. */
#include "tool/image/image.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <limits.h>
#include <string.h>

/* stb declares static functions that this file does not use. The compiler reports them at the end
 * of the file, so this warning is never restored. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_GIF
#define STBI_NO_STDIO
#define STBI_MALLOC(size) mem_alloc(size)
#define STBI_REALLOC(block, size) mem_realloc(block, size)
#define STBI_FREE(block) mem_free(block)
#include <stb/stb_image.h>
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

enum status tool_image_decode(const uint8_t *bytes, size_t n, struct tool_image *out)
{
    int width, height, channels;

    memset(out, 0, sizeof(*out));
    if (n > INT_MAX || !stbi_info_from_memory(bytes, (int)n, &width, &height, &channels) ||
        width > SIDE_MAX || height > SIDE_MAX)
        return ST_DAMAGED;
    out->rgba = stbi_load_from_memory(bytes, (int)n, &width, &height, &channels, 4);
    if (!out->rgba)
        return ST_DAMAGED;
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    return ST_OK;
}

/* Copies a row with alpha 255. */
static void make_opaque(const uint8_t *rgba, uint32_t width, uint8_t *out)
{
    memcpy(out, rgba, (size_t)width * 4);
    for (uint32_t x = 0; x < width; x++)
        out[4 * (size_t)x + 3] = 255;
}

uint64_t tool_image_hash(const struct tool_image *image, bool with_alpha)
{
    const uint8_t size[8] = {
        (uint8_t)image->width,          (uint8_t)(image->width >> 8),
        (uint8_t)(image->width >> 16),  (uint8_t)(image->width >> 24),
        (uint8_t)image->height,         (uint8_t)(image->height >> 8),
        (uint8_t)(image->height >> 16), (uint8_t)(image->height >> 24),
    };
    uint64_t hash = hash_bytes(size, sizeof(size), 0);
    uint8_t row[SIDE_MAX * 4];

    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *rgba = image->rgba + (size_t)y * image->width * 4;

        if (!with_alpha)
            make_opaque(rgba, image->width, row);
        hash = hash_bytes(with_alpha ? rgba : row, (size_t)image->width * 4, hash);
    }
    return hash;
}

/* Heat map: black for equal pixels, then dark blue, red and white with growing distance. */
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

unsigned tool_pixel_slack(const uint8_t low[4], const uint8_t high[4])
{
    unsigned most = 0;

    for (unsigned c = 0; c < 3; c++)
        if (high[c] > low[c] + most)
            most = (unsigned)(high[c] - low[c]);
    return 1 + (most + 1) / 2;
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
