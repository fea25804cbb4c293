/* Picture of a scene: stacks the images that its expectations read, in order.
 *
 * A scene without expectations shows render target 0 at its end.
 *
 * Tested by tests/unit/tool/test_scene.c. */
#include "tool/scene/compare.h"
#include "tool/scene/resource.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 16384, WIDTH_MOST = 4096 };

static unsigned to_byte(float v)
{
    return v > 0.0f ? (v < 1.0f ? (unsigned)(v * 255.0f + 0.5f) : 255u) : 0u;
}

/* Grows the picture and keeps its contents; false: out of memory. */
static bool grow(struct scene_picture *picture, uint32_t width, uint32_t height)
{
    uint32_t wider = width > picture->width ? width : picture->width;
    uint8_t *rgba = calloc((size_t)wider * (picture->height + height), 4);

    if (!rgba)
        return false;
    for (uint32_t y = 0; y < picture->height; y++)
        memcpy(rgba + (size_t)y * wider * 4, picture->rgba + (size_t)y * picture->width * 4,
               (size_t)picture->width * 4);
    free(picture->rgba);
    picture->rgba = rgba;
    picture->width = wider;
    picture->height += height;
    return true;
}

static void put_row(const struct image *image, UINT y, uint8_t *out)
{
    const uint8_t *bits = image->data + (size_t)y * image->pitch;
    UINT step = texel_row_bytes(image->format, 1);

    for (UINT x = 0; x < image->width; x++) {
        float rgba[4];

        texel_decode(image->format, bits + (size_t)x * step, rgba);
        for (int c = 0; c < 4; c++)
            out[4 * x + c] = (uint8_t)to_byte(rgba[c]);
    }
}

void picture_add(struct scene_picture *picture, const struct image *image)
{
    uint32_t top = picture->height;
    float rgba[4];

    if (!image->width || !image->height || !texel_decode(image->format, image->data, rgba))
        return;
    if (image->width > WIDTH_MOST || top + image->height > ROWS_MOST ||
        !grow(picture, image->width, image->height)) {
        picture->cut = true;
        return;
    }
    for (UINT y = 0; y < image->height; y++)
        put_row(image, y, picture->rgba + (size_t)(top + y) * picture->width * 4);
}

void scene_picture_free(struct scene_picture *picture)
{
    free(picture->rgba);
    *picture = (struct scene_picture){0};
}
