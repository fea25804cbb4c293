/* Keys of the user: names, and whether one was pressed in the program's window. */
#ifndef PRESENT_FILE_KEY_H
#define PRESENT_FILE_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: no key. */
struct key_watch {
    int key;          /* Windows virtual-key code; 0: none */
    unsigned presses; /* of the key in this process, when last asked */
};

/* Parses "F1" to "F24", a letter, a digit, "PrintScreen", "Pause", "Insert", "Home", "End",
 * "PageUp", "PageDown", "ScrollLock"; returns 0 for others. */
int key_code(const char *name);
/* Starts to watch the key that the user's setting names; NULL: none. Logs an unknown name. */
void key_watch_init(struct key_watch *watch, const char *setting, const char *name);
/* Returns whether the key went down in the window (HWND; 0: none) since the last call, for however
 * short a time. Without Windows the window does not matter: keys come from key_note. */
bool key_watch_pressed(struct key_watch *watch, uint64_t window);
/* Notes that a key went down in a window of this process. Thread-safe. */
void key_note(int key);

#endif
