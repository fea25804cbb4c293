/* Text in pictures: capital letters, digits and . - / % : in cells of 6x10 pixels, of which a
 * letter takes 5x7. */
#ifndef PRESENT_TEXT_H
#define PRESENT_TEXT_H

#include <stdint.h>

enum { LETTER_WIDTH = 6, LETTER_HEIGHT = 10, LETTER_ROWS = 7 };

/* X8R8G8B8, `pitch` pixels from a row to the next. What would go beyond `width` is left out;
 * characters that there is no picture of are blank. */
void letters_put(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
                 const char *text, uint32_t colour);

#endif
