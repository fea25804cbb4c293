/* Software painting of the viewer's window: scaled picture, values of enlarged pixels and status
 * bar.
 *
 * Tested by tests/unit/tool/view/test_view.c. */
#include "tool/view/viewer.h"

#include "present/monitor/text.h"
#include "util/plural.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

enum { BACKGROUND = 0x202428, BAR = 0x101214, TEXT = 0xd8d8d8, MARGIN = 4 };

/* --- Picture ---------------------------------------------------------------------------------- */

static void paint_row(const struct viewer *v, uint32_t *row, const uint32_t *pixels)
{
    for (int32_t x = 0; x < (int32_t)v->width; x++) {
        int32_t px = viewer_unscaled(x - v->left, v->zoom);

        row[x] = px >= 0 && px < (int32_t)v->picture.width ? pixels[px] & 0xffffff : BACKGROUND;
    }
}

static void paint_picture(const struct viewer *v, uint32_t *out, uint32_t pitch)
{
    int32_t high = (int32_t)v->height - VIEWER_BAR, rows = (int32_t)v->picture.height;

    for (int32_t y = 0; y < high; y++) {
        int32_t py = viewer_unscaled(y - v->top, v->zoom);
        uint32_t *row = out + (size_t)y * pitch;

        if (v->picture.pixels && py >= 0 && py < rows)
            paint_row(v, row, v->picture.pixels + (size_t)py * v->picture.width);
        else
            for (uint32_t x = 0; x < v->width; x++)
                row[x] = BACKGROUND;
    }
}

/* Black on bright pixels, else white. */
static uint32_t contrast(uint32_t pixel)
{
    uint32_t light = (pixel >> 16 & 255) * 3 + (pixel >> 8 & 255) * 6 + (pixel & 255);

    return light > 1200 ? 0 : 0xffffff;
}

static void paint_value(const struct viewer *v, uint32_t *out, uint32_t pitch, uint32_t px,
                        uint32_t py)
{
    uint32_t pixel = v->picture.pixels[(size_t)py * v->picture.width + px];
    int32_t size = 1 << v->zoom, x = v->left + (int32_t)px * size, y = v->top + (int32_t)py * size;
    int32_t high = (int32_t)v->height - VIEWER_BAR;
    char text[4];

    x += (size - 3 * TEXT_CELL_WIDTH) / 2;
    y += (size - 3 * TEXT_CELL_HEIGHT) / 2 + 1;
    if (x < 0 || x + 3 * TEXT_CELL_WIDTH > (int32_t)v->width || y < 0 ||
        y + 3 * TEXT_CELL_HEIGHT > high)
        return;
    for (int c = 0; c < 3; c++, y += TEXT_CELL_HEIGHT) {
        snprintf(text, sizeof(text), "%3u", (unsigned)(pixel >> (16 - 8 * c) & 255));
        text_draw(out, pitch, v->width, (uint32_t)x, (uint32_t)y, text, contrast(pixel));
    }
}

static void paint_values(const struct viewer *v, uint32_t *out, uint32_t pitch)
{
    int32_t size = 1 << v->zoom;
    uint32_t px, py;

    for (int32_t y = v->top < 0 ? v->top % size : v->top; y < (int32_t)v->height; y += size)
        for (int32_t x = v->left < 0 ? v->left % size : v->left; x < (int32_t)v->width; x += size)
            if (viewer_pixel_at(v, x, y, &px, &py))
                paint_value(v, out, pitch, px, py);
}

/* --- Status bar ------------------------------------------------------------------------------- */

static void put_line(const struct viewer *v, uint32_t *out, uint32_t pitch, uint32_t line,
                     char *text)
{
    uint32_t y = v->height - VIEWER_BAR + MARGIN + line * TEXT_CELL_HEIGHT;

    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    text_draw(out, pitch, v->width, MARGIN, y, text, TEXT);
}

static const char *state_of(const struct viewer *v)
{
    return v->step ? "step" : v->paused ? "paused" : v->has_writer ? "" : "no writer";
}

static void paint_bar(const struct viewer *v, uint32_t *out, uint32_t pitch)
{
    char text[160], zoom[16];
    uint32_t px, py, pixel;

    for (uint32_t y = v->height - VIEWER_BAR; y < v->height; y++)
        for (uint32_t x = 0; x < v->width; x++)
            out[(size_t)y * pitch + x] = BAR;
    if (!v->picture.pixels) {
        snprintf(text, sizeof(text), "waiting for %s", v->name);
        put_line(v, out, pitch, 0, text);
        return;
    }
    snprintf(text, sizeof(text), "frame %" PRIu64 "  %ux%u  hash %016" PRIx64 "  %u fps  %s",
             v->picture.number, v->picture.width, v->picture.height, v->hash, v->fps, state_of(v));
    put_line(v, out, pitch, 0, text);
    snprintf(zoom, sizeof(zoom), v->zoom < 0 ? "1:%d" : "%d:1",
             1 << (v->zoom < 0 ? -v->zoom : v->zoom));
    if (viewer_pixel_at(v, v->mouse_x, v->mouse_y, &px, &py)) {
        pixel = v->picture.pixels[(size_t)py * v->picture.width + px];
        snprintf(text, sizeof(text), "%s  x %u y %u  %u %u %u  %06x", zoom, px, py,
                 pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255, pixel & 0xffffff);
    } else {
        snprintf(text, sizeof(text), "%s  " PLURAL_FORMAT "  " PLURAL_FORMAT, zoom,
                 PLURAL(v->picture.draws, "draw", "draws"),
                 PLURAL(v->picture.primitives, "primitive", "primitives"));
    }
    put_line(v, out, pitch, 1, text);
}

void viewer_paint(const struct viewer *v, uint32_t *out, uint32_t pitch)
{
    if (v->height < VIEWER_BAR)
        return;
    paint_picture(v, out, pitch);
    if (v->zoom >= VIEWER_ZOOM_VALUES)
        paint_values(v, out, pitch);
    paint_bar(v, out, pitch);
}
