/* Contact sheets: pairs of thumbnails of many pictures on one page.
 *
 * Tested by tests/unit/tool/image/test_image.c. */
#include "tool/image/image.h"

#include <string.h>

enum {
    COLUMNS = 4,
    THUMB_W = 200,
    THUMB_H = 150,
    GAP = 4,
    LABEL_H = 14,
    CELL_W = 2 * THUMB_W + 3 * GAP,
    CELL_H = THUMB_H + LABEL_H + 2 * GAP,
    DIGIT_W = 3,
    DIGIT_H = 5,
    DIGIT_SCALE = 2
};

/* 3x5 digits as rows of three bits, top left first. */
static const uint16_t digits[10] = {
    075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717,
};

enum status tool_sheet_create(struct tool_sheet *out, unsigned cells)
{
    unsigned rows = (cells + COLUMNS - 1) / COLUMNS;
    enum status st = tool_image_create(&out->image, COLUMNS * CELL_W, (rows ? rows : 1) * CELL_H);

    out->cells = cells;
    out->used = 0;
    if (st == ST_OK)
        memset(out->image.rgba, 0x30, (size_t)out->image.width * out->image.height * 4);
    return st;
}

static void put(struct tool_image *image, uint32_t x, uint32_t y, const uint8_t rgb[3])
{
    uint8_t *to = image->rgba + 4 * ((size_t)y * image->width + x);

    memcpy(to, rgb, 3);
    to[3] = 255;
}

static void draw_number(struct tool_image *image, uint32_t x, uint32_t y, unsigned number)
{
    static const uint8_t white[3] = {255, 255, 255};
    unsigned divisor = 1;

    while (number / divisor >= 10)
        divisor *= 10;
    for (; divisor; divisor /= 10, x += (DIGIT_W + 1) * DIGIT_SCALE) {
        uint16_t bits = digits[number / divisor % 10];

        for (unsigned i = 0; i < DIGIT_W * DIGIT_H * DIGIT_SCALE * DIGIT_SCALE; i++) {
            unsigned px = i % (DIGIT_W * DIGIT_SCALE), py = i / (DIGIT_W * DIGIT_SCALE);
            unsigned bit = py / DIGIT_SCALE * DIGIT_W + px / DIGIT_SCALE;

            if (bits >> (DIGIT_W * DIGIT_H - 1 - bit) & 1)
                put(image, x + px, y + py, white);
        }
    }
}

/* Box filter: mean colour of the source pixels that one thumbnail pixel covers. */
static void average(const struct tool_image *from, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
                    uint8_t rgb[3])
{
    uint32_t x0 = x * from->width / w, x1 = (x + 1) * from->width / w;
    uint32_t y0 = y * from->height / h, y1 = (y + 1) * from->height / h;
    uint64_t sum[3] = {0}, n = 0;

    x1 = x1 > x0 ? x1 : x0 + 1;
    y1 = y1 > y0 ? y1 : y0 + 1;
    for (uint32_t v = y0; v < y1; v++)
        for (uint32_t u = x0; u < x1; u++, n++)
            for (unsigned c = 0; c < 3; c++)
                sum[c] += from->rgba[4 * ((size_t)v * from->width + u) + c];
    for (unsigned c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(sum[c] / n);
}

static void draw_thumb(struct tool_image *image, uint32_t x, uint32_t y,
                       const struct tool_image *from)
{
    uint32_t w = THUMB_W, h = THUMB_H;
    uint8_t rgb[3];

    if ((uint64_t)from->width * THUMB_H > (uint64_t)from->height * THUMB_W)
        h = (uint32_t)((uint64_t)from->height * THUMB_W / from->width);
    else
        w = (uint32_t)((uint64_t)from->width * THUMB_H / from->height);
    h = h ? h : 1;
    w = w ? w : 1;
    for (uint32_t v = 0; v < h; v++)
        for (uint32_t u = 0; u < w; u++) {
            average(from, u, v, w, h, rgb);
            put(image, x + u, y + v, rgb);
        }
}

void tool_sheet_add(struct tool_sheet *sheet, unsigned number, const struct tool_image *ours,
                    const struct tool_image *reference)
{
    uint32_t x = sheet->used % COLUMNS * CELL_W + GAP, y = sheet->used / COLUMNS * CELL_H + GAP;

    if (sheet->used == sheet->cells)
        return;
    sheet->used++;
    draw_number(&sheet->image, x, y, number);
    if (ours && ours->rgba)
        draw_thumb(&sheet->image, x, y + LABEL_H, ours);
    if (reference && reference->rgba)
        draw_thumb(&sheet->image, x + THUMB_W + GAP, y + LABEL_H, reference);
}
