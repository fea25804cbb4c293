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

static void draw_glyph(uint32_t *at, uint32_t pitch, char letter, uint32_t colour)
{
    for (unsigned i = 0; i < sizeof(font) / sizeof(font[0]); i++) {
        if (font[i].character != letter)
            continue;
        for (uint32_t row = 0; row < TEXT_GLYPH_ROWS; row++)
            for (uint32_t column = 0; column < COLUMNS; column++)
                if (font[i].row[row][column] == '#')
                    at[(size_t)row * pitch + column] = colour;
    }
}

void text_draw(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
               const char *text, uint32_t colour)
{
    for (; *text && x + TEXT_CELL_WIDTH <= width; text++, x += TEXT_CELL_WIDTH)
        draw_glyph(pixels + (size_t)y * pitch + x, pitch, *text, colour);
}
