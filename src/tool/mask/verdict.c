/* Comparison of a picture with an uncertainty mask, and the mask as a picture.
 *
 * Tested by tests/unit/tool/mask/test_mask.c. */
#include "tool/image/image.h"
#include "tool/mask/mask.h"
#include "util/variant.h"

#include <string.h>

static void colour_of(uint8_t classes, uint8_t rgba[4])
{
    unsigned r = 0, g = 0, b = 0;

    if (classes & VARIANT_ARITHMETIC)
        r = g = 80;
    if (classes & VARIANT_UNDEFINED)
        r = b = 128;
    if (classes & VARIANT_EDGE)
        r = 255;
    if (classes & VARIANT_TEXEL)
        g = 255;
    if (classes & VARIANT_DEPTH)
        b = 255;
    rgba[0] = (uint8_t)r;
    rgba[1] = (uint8_t)g;
    rgba[2] = (uint8_t)b;
    rgba[3] = 255;
}

static unsigned distance(const uint8_t *a, const uint8_t *b)
{
    unsigned most = 0;

    for (unsigned c = 0; c < 4; c++) {
        unsigned d = a[c] > b[c] ? a[c] - b[c] : b[c] - a[c];

        most = d > most ? d : most;
    }
    return most;
}

/* Whether all variants are within the tolerance at this pixel. */
static bool certain(const struct mask *mask, size_t i, unsigned tolerance)
{
    const uint8_t *reference = mask->reference.rgba + 4 * i;

    return !mask->classes[i] || (distance(reference, mask->low.rgba + 4 * i) <= tolerance &&
                                 distance(reference, mask->high.rgba + 4 * i) <= tolerance);
}

enum status mask_picture(const struct mask *mask, unsigned tolerance, struct tool_image *out)
{
    enum status st = tool_image_create(out, mask->reference.width, mask->reference.height);

    for (size_t i = 0; st == ST_OK && i < (size_t)out->width * out->height; i++)
        colour_of(certain(mask, i, tolerance) ? 0 : mask->classes[i], out->rgba + 4 * i);
    return st;
}

static bool within(const struct mask *mask, size_t i, const uint8_t *rgba, unsigned tolerance)
{
    const uint8_t *low = mask->low.rgba + 4 * i, *high = mask->high.rgba + 4 * i;
    unsigned slack = tolerance + tool_pixel_slack(low, high);

    for (unsigned c = 0; c < 4; c++) {
        if (rgba[c] + slack < low[c] || rgba[c] > high[c] + slack)
            return false;
    }
    return true;
}

static void compare_pixel(const struct mask *mask, size_t i, const uint8_t *rgba,
                          unsigned tolerance, struct mask_verdict *out)
{
    unsigned apart = distance(mask->reference.rgba + 4 * i, rgba);

    if (!apart)
        return;
    if (certain(mask, i, tolerance)) {
        out->outside += apart > tolerance;
        out->max_difference =
            apart > tolerance && apart > out->max_difference ? apart : out->max_difference;
    } else if (within(mask, i, rgba, tolerance)) {
        out->inside++;
    } else {
        out->beyond++;
    }
}

enum status mask_compare(const struct mask *mask, const struct tool_image *candidate,
                         unsigned tolerance, struct mask_verdict *out)
{
    const struct tool_image *reference = &mask->reference;
    size_t n = (size_t)reference->width * reference->height;

    memset(out, 0, sizeof(*out));
    out->pixels = n;
    if (candidate &&
        (candidate->width != reference->width || candidate->height != reference->height))
        return ST_INVALID;
    for (size_t i = 0; i < n; i++) {
        if (!certain(mask, i, tolerance)) {
            out->uncertain++;
            for (unsigned b = 0; b < VARIANT_CLASSES; b++)
                out->of_class[b] += mask->classes[i] >> b & 1;
        }
        if (candidate)
            compare_pixel(mask, i, candidate->rgba + 4 * i, tolerance, out);
    }
    return ST_OK;
}
