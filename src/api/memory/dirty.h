/* Dirty regions: arithmetic on boxes. Private to the module. */
#ifndef API_MEMORY_DIRTY_H
#define API_MEMORY_DIRTY_H

#include "api/memory/resource.h"

/* Adds a box of a level. */
void api_dirty_add(struct texture *texture, uint32_t face, uint32_t level,
                   const struct tex_box *box);
void api_dirty_add_all(struct texture *texture);
void api_dirty_clear_all(struct texture *texture);
bool api_dirty_is_all(const struct texture *texture);

#endif
