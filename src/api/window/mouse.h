/* The mouse over a scaled picture (setting MOUSE = picture): the program sees and sets positions in
 * pixels of the picture, and its window has the picture's size, as if the display had the mode that
 * the program asked for. One picture is mapped at a time, as one device covers the screen.
 *
 * Mouse messages are changed as the window's thread takes them from its queue. Functions are
 * exchanged in the import tables of the program and its dlls, and in what GetProcAddress returns to
 * them; those of the system stay. Private to the module; for Windows alone. */
#ifndef API_WINDOW_MOUSE_H
#define API_WINDOW_MOUSE_H

#include <windows.h>

#include <stdint.h>

/* The window shows a picture of `width` x `height` pixels until mouse_map_end, wherever it is and as
 * large as it is. Another window's mapping ends. Called for each new size of the picture. */
void mouse_map_begin(HWND window, uint32_t width, uint32_t height);
void mouse_map_end(HWND window);
/* What the program shall see as lparam of a message that the window is sent. */
intptr_t mouse_map_sent(HWND window, UINT message, intptr_t lparam);
/* Moves the pointer to a position of the program. */
void mouse_move(int x, int y);

#endif
