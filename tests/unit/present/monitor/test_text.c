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

START_TEST(every_character_of_the_font_is_visible)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/%:";

    for (const char *c = all; *c; c++) {
        const char text[2] = {*c, 0};

        setup();
        text_draw(pixels, WIDTH, WIDTH, 0, 0, text, COLOUR);
        ck_assert_uint_gt(coloured(0, 0), 0);
    }
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
    tcase_add_test(tc, lines_are_clipped);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
