/* Draws text with the bitmap font of font.def. */
#include "present/monitor/text.h"

#include <stddef.h>

enum { COLUMNS = 5 };

static const struct {
    char character;
    char row[TEXT_GLYPH_ROWS][COLUMNS + 1];
} font[] = {
#define GLYPH(character, ...) {character, {__VA_ARGS__}},
#include "present/monitor/font.def"
#undef GLYPH
};

static void draw_block(uint32_t *at, uint32_t pitch, unsigned scale, uint32_t colour)
{
    for (unsigned y = 0; y < scale; y++)
        for (unsigned x = 0; x < scale; x++)
            at[(size_t)y * pitch + x] = colour;
}

static void draw_glyph(uint32_t *at, uint32_t pitch, unsigned scale, char letter, uint32_t colour)
{
    for (unsigned i = 0; i < sizeof(font) / sizeof(font[0]); i++) {
        if (font[i].character != letter)
            continue;
        for (uint32_t row = 0; row < TEXT_GLYPH_ROWS; row++)
            for (uint32_t column = 0; column < COLUMNS; column++)
                if (font[i].row[row][column] == '#')
                    draw_block(at + (size_t)row * scale * pitch + column * scale, pitch, scale,
                               colour);
    }
}

void text_draw_scaled(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
                      unsigned scale, const char *text, uint32_t colour)
{
    uint32_t step = TEXT_CELL_WIDTH * scale;

    for (; *text && x + step <= width; text++, x += step)
        draw_glyph(pixels + (size_t)y * pitch + x, pitch, scale, *text, colour);
}

void text_draw(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
               const char *text, uint32_t colour)
{
    text_draw_scaled(pixels, pitch, width, x, y, 1, text, colour);
}
