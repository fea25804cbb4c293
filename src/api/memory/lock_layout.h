/* The memory that a lock returns. Private to the module. */
#ifndef API_MEMORY_LOCK_LAYOUT_H
#define API_MEMORY_LOCK_LAYOUT_H

#include "api/memory/memory.h"

HRESULT api_map_level(struct surface *surface, DWORD flags, struct level_view *view);
/* Writes a copy back, unless surface->read_only. */
void api_unmap_level(struct surface *surface);

#endif
