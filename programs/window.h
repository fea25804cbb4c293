/* Windows for native Direct3D 9 libraries, which expect the window handle of a toolkit. */
#ifndef PROGRAMS_WINDOW_H
#define PROGRAMS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Selects what windows are. "none": numbers that name no window; Novem's library needs no more.
 * "sdl": hidden windows of SDL 2, whose SDL_Window pointer is the handle, as DXVK expects it.
 * Returns false after a message. Windows programs have windows of the system and no choice. */
bool window_kind(const char *program, const char *kind);
/* Whether a kind with windows of its own is selected. */
bool window_is_real(void);
/* Opens a window and returns its handle; NULL after a message. It is closed when the program ends.
 */
void *window_open(uint32_t width, uint32_t height);

#endif
