/* Log lines of locks that wait for the renderer: one for each kind of resource. */
#ifndef API_MEMORY_SLOW_H
#define API_MEMORY_SLOW_H

#include "api/com/device.h"
#include "api/memory/resource.h"
#include "cmd/cmd.h"

void api_log_slow_level(const struct surface *surface);
void api_log_slow_buffer(const struct buffer *buffer);

/* waits: how many waits there were before the lock. */
static inline void api_note_slow_level(const struct surface *surface, uint64_t waits)
{
    if (cmd_waits(surface->base.device->stream).n != waits)
        api_log_slow_level(surface);
}

static inline void api_note_slow_buffer(const struct buffer *buffer, uint64_t waits)
{
    if (cmd_waits(buffer->base.device->stream).n != waits)
        api_log_slow_buffer(buffer);
}

#endif
