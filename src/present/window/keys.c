#include "present/window/keys.h"

int keys_windows_code(int32_t key)
{
    static const struct {
        int32_t first, last;
        int code; /* of the first key */
    } rows[] = {{'0', '9', '0'},
                {'a', 'z', 'A'},
                {KEYS_F1, KEYS_F12, 0x70},
                {KEYS_F13, KEYS_F24, 0x7c},
                {KEYS_PRINT_SCREEN, KEYS_PRINT_SCREEN, 0x2c},
                {KEYS_SCROLL_LOCK, KEYS_SCROLL_LOCK, 0x91},
                {KEYS_PAUSE, KEYS_PAUSE, 0x13},
                {KEYS_INSERT, KEYS_INSERT, 0x2d},
                {KEYS_HOME, KEYS_HOME, 0x24},
                {KEYS_PAGE_UP, KEYS_PAGE_UP, 0x21},
                {KEYS_END, KEYS_END, 0x23},
                {KEYS_PAGE_DOWN, KEYS_PAGE_DOWN, 0x22}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (key >= rows[i].first && key <= rows[i].last)
            return rows[i].code + (key - rows[i].first);
    return 0;
}

int32_t keys_of_character(uint16_t character)
{
    /* Apple's "Function-Key Unicode Values" of NSEvent. */
    static const struct {
        uint16_t first, last;
        int32_t key; /* of the first character */
        int step;
    } rows[] = {{0xf700, 0xf700, KEYS_UP, 0},          {0xf701, 0xf701, KEYS_DOWN, 0},
                {0xf702, 0xf702, KEYS_LEFT, 0},        {0xf703, 0xf703, KEYS_RIGHT, 0},
                {0xf704, 0xf70f, KEYS_F1, 1},          {0xf710, 0xf71b, KEYS_F13, 1},
                {0xf727, 0xf727, KEYS_INSERT, 0},      {0xf729, 0xf729, KEYS_HOME, 0},
                {0xf72b, 0xf72b, KEYS_END, 0},         {0xf72c, 0xf72c, KEYS_PAGE_UP, 0},
                {0xf72d, 0xf72d, KEYS_PAGE_DOWN, 0},   {0xf72e, 0xf72e, KEYS_PRINT_SCREEN, 0},
                {0xf72f, 0xf72f, KEYS_SCROLL_LOCK, 0}, {0xf730, 0xf730, KEYS_PAUSE, 0}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (character >= rows[i].first && character <= rows[i].last)
            return rows[i].key + (character - rows[i].first) * rows[i].step;
    if (character >= 0xf700 && character <= 0xf8ff)
        return 0;
    return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character;
}
