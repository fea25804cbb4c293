/* Text in images with a bitmap font: the visible characters of ASCII in cells of 6x10 pixels; a
 * glyph has 5x7. */
#ifndef PRESENT_MONITOR_TEXT_H
#define PRESENT_MONITOR_TEXT_H

#include <stdint.h>

enum { TEXT_CELL_WIDTH = 6, TEXT_CELL_HEIGHT = 10, TEXT_GLYPH_ROWS = 7 };

/* Draws text into X8R8G8B8 pixels; pitch: pixels per row. Clips at `width`; characters without a
 * glyph are blank. */
void text_draw(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
               const char *text, uint32_t colour);
/* The same with cells and glyphs that are `scale` times as large. */
void text_draw_scaled(uint32_t *pixels, uint32_t pitch, uint32_t width, uint32_t x, uint32_t y,
                      unsigned scale, const char *text, uint32_t colour);

#endif
