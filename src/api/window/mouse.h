/* The mouse over a scaled picture (setting MOUSE = picture): the program sees and sets positions in
 * pixels of its back buffer, as if the display mode were the one that it asked for. Private to the
 * module. The functions are for Windows alone.
 *
 * Mouse messages are changed in the window's procedure. GetCursorPos, SetCursorPos, ClipCursor and
 * GetClipCursor are replaced in the import tables of the program and of its own dlls; those of the
 * system keep theirs. Functions that a program finds by GetProcAddress are not replaced. */
#ifndef API_WINDOW_MOUSE_H
#define API_WINDOW_MOUSE_H

#include <windows.h>

#include <stdbool.h>
#include <stdint.h>

/* Maps positions in the window, whose client area covers `area` of the screen, to a picture of this
 * size, until mouse_map_end. Another window's mapping ends. A picture as large as the area ends the
 * mapping, too. Thread-safe, as are the functions below. */
void mouse_map_begin(HWND window, const RECT *area, uint32_t width, uint32_t height);
void mouse_map_end(HWND window);
/* Changes the position of a mouse message of the window. False: the message stays as it is. */
bool mouse_map_message(HWND window, UINT message, POINT *at);
/* Moves the cursor to a position as the program sees it. */
void mouse_move(int x, int y);

#endif
