/* Text: a glyph's pixels, the cells of a line, clipping. */
#include "present/monitor/text.h"

#include "check_main.h"

#include <string.h>

enum { WIDTH = 40, HEIGHT = 12, COLOUR = 0xabcdef };

static uint32_t pixels[WIDTH * HEIGHT];

static void setup(void)
{
    memset(pixels, 0, sizeof(pixels));
}

/* Number of coloured pixels in a cell. */
static unsigned coloured(uint32_t left, uint32_t top)
{
    unsigned n = 0;

    for (uint32_t y = top; y < top + TEXT_GLYPH_ROWS; y++)
        for (uint32_t x = left; x < left + TEXT_CELL_WIDTH; x++)
            n += pixels[y * WIDTH + x] == COLOUR;
    return n;
}

START_TEST(a_glyph_has_its_pixels)
{
    static const char *const seven[TEXT_GLYPH_ROWS] = {"#####", "    #", "   # ", "  #  ",
                                                       "  #  ", " #   ", " #   "};

    text_draw(pixels, WIDTH, WIDTH, 3, 2, "7", COLOUR);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            bool in = x >= 3 && x < 8 && y >= 2 && y < 2 + TEXT_GLYPH_ROWS;

            ck_assert_uint_eq(pixels[y * WIDTH + x], in && seven[y - 2][x - 3] == '#' ? COLOUR : 0);
        }
}
END_TEST

/* All visible characters of ASCII, each with pixels of its own. */
START_TEST(every_character_of_the_font_is_visible)
{
    static uint32_t glyph[127][TEXT_GLYPH_ROWS * WIDTH];

    for (char c = '!'; c <= '~'; c++) {
        const char text[2] = {c, 0};

        setup();
        text_draw(pixels, WIDTH, WIDTH, 0, 0, text, COLOUR);
        ck_assert_msg(coloured(0, 0) > 0, "%c", c);
        memcpy(glyph[(int)c], pixels, sizeof(glyph[0]));
        for (char other = '!'; other < c; other++)
            ck_assert_msg(memcmp(glyph[(int)other], glyph[(int)c], sizeof(glyph[0])) != 0, "%c %c",
                          other, c);
    }
}
END_TEST

/* Cells of 12x20 pixels; a text that does not fit ends. */
START_TEST(glyphs_are_enlarged)
{
    static uint32_t small[WIDTH * HEIGHT], tall[WIDTH * 2 * HEIGHT];

    text_draw(small, WIDTH, WIDTH, 0, 0, "g", COLOUR);
    text_draw_scaled(tall, WIDTH, 15, 4, 0, 2, "g", COLOUR); /* the cell ends at 16 */
    text_draw_scaled(tall, WIDTH, 16, 4, 0, 2, "gg", COLOUR);
    for (uint32_t y = 0; y < 2 * TEXT_GLYPH_ROWS; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            ck_assert_uint_eq(tall[y * WIDTH + x],
                              x >= 4 && x < 16 ? small[y / 2 * WIDTH + (x - 4) / 2] : 0);
}
END_TEST

/* Characters without a glyph leave their cell empty; a cell that does not fit ends the line. */
START_TEST(lines_are_clipped)
{
    text_draw(pixels, WIDTH, WIDTH, 0, 0, "I IIIIIIIII", COLOUR);
    for (uint32_t cell = 0; cell < WIDTH / TEXT_CELL_WIDTH; cell++)
        ck_assert_uint_eq(coloured(cell * TEXT_CELL_WIDTH, 0), cell == 1 ? 0 : 11);
    for (uint32_t x = WIDTH / TEXT_CELL_WIDTH * TEXT_CELL_WIDTH; x < WIDTH; x++)
        ck_assert_uint_eq(pixels[x], 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("present/monitor/text");
    TCase *tc = tcase_create("text");

    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, a_glyph_has_its_pixels);
    tcase_add_test(tc, every_character_of_the_font_is_visible);
    tcase_add_test(tc, glyphs_are_enlarged);
    tcase_add_test(tc, lines_are_clipped);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
