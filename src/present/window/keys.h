/* Codes of keys in windows: those of SDL 2, which are the character or 0x40000000 + the key's USB
 * usage. */
#ifndef PRESENT_WINDOW_KEYS_H
#define PRESENT_WINDOW_KEYS_H

#include <stdint.h>

enum {
    KEYS_ESCAPE = 27,
    KEYS_F1 = 0x4000003a,
    KEYS_F12 = 0x40000045,
    KEYS_PRINT_SCREEN = 0x40000046,
    KEYS_SCROLL_LOCK = 0x40000047,
    KEYS_PAUSE = 0x40000048,
    KEYS_INSERT = 0x40000049,
    KEYS_HOME = 0x4000004a,
    KEYS_PAGE_UP = 0x4000004b,
    KEYS_END = 0x4000004d,
    KEYS_PAGE_DOWN = 0x4000004e,
    KEYS_RIGHT = 0x4000004f,
    KEYS_LEFT = 0x40000050,
    KEYS_DOWN = 0x40000051,
    KEYS_UP = 0x40000052,
    KEYS_F13 = 0x40000068,
    KEYS_F24 = 0x40000073
};

/* Windows' virtual-key code of a key that file/key.h has a name for; 0: others. */
int keys_windows_code(int32_t key);
/* The key of a character of macOS, where function keys have private characters from U+F700 on; 0:
 * keys without a code. */
int32_t keys_of_character(uint16_t character);

#endif
