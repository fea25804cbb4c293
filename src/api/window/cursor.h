/* The device's cursor: a system cursor with the pixels of a surface (reference: device/cursor).
 * Native builds only record its state. */
#ifndef API_WINDOW_CURSOR_H
#define API_WINDOW_CURSOR_H

#include "api/com/com.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: the application set no cursor. */
struct cursor {
    bool given;
    BOOL visible;
#ifdef _WIN32
    HCURSOR handle; /* NULL: the system refused to create it */
#endif
};

/* Pixels are A8R8G8B8 with rows `pitch` bytes apart. A visible cursor changes at once. */
void api_cursor_set(struct cursor *cursor, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    const uint8_t *pixels, uint32_t pitch);
/* Hides and destroys the cursor. */
void api_cursor_drop(struct cursor *cursor);

#endif
