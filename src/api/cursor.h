/* The cursor that programs give a device: one of the system's, with the picture of a surface
 * (reference: device/cursor). Natively it is only remembered. */
#ifndef API_CURSOR_H
#define API_CURSOR_H

#include "api/com.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed: none was given. */
struct cursor {
    bool given;
    BOOL visible;
#ifdef _WIN32
    HCURSOR handle; /* NULL where the system refused it */
#endif
};

/* Pixels of A8R8G8B8, `pitch` bytes from a row to the next. A visible cursor changes at once. */
void api_cursor_set(struct cursor *cursor, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    const uint8_t *pixels, uint32_t pitch);
/* Hides and forgets it. */
void api_cursor_drop(struct cursor *cursor);

#endif
