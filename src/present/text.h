/* Text in pictures: capital letters, digits and . - / % : in cells of 6x10 pixels, of which a
 * letter takes 5x7. */
#ifndef PRESENT_TEXT_H
#define PRESENT_TEXT_H

#include <stdint.h>

enum { TEXT_CELL_WIDTH = 6, TEXT_CELL_HEIGHT = 10, TEXT_GLYPH_ROWS = 7 };

/* X8R8G8B8, `pitch` pixels from a row to the next. What would go beyond `width` is left out;
 * characters that there is no picture of are blank. */
void text_draw(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
               const char *text, uint32_t colour);

#endif
