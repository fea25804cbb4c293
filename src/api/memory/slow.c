/* Names the calls that make the program wait for the renderer: reads of what it has drawn, and
 * writes to what it still reads.
 *
 * Tested by tests/unit/api/device/test_report.c. */
#include "api/memory/slow.h"

#include "util/log.h"

static const char *kind_of(const struct surface *surface)
{
    return surface->chain                           ? "a back buffer"
           : surface->usage & D3DUSAGE_RENDERTARGET ? "a render target"
           : surface->usage & D3DUSAGE_DEPTHSTENCIL ? "a depth buffer"
           : surface->pool == D3DPOOL_SYSTEMMEM     ? "a copy of a render target"
           : surface->texture                       ? "a texture that draws use"
                                                    : "a surface that copies use";
}

void api_log_slow_level(const struct surface *surface)
{
    const char *kind = kind_of(surface);

    log_once_at(LOG_INFO, "api", kind,
                "slow: Lock or GetDC of %s (%ux%u %s) waits for the renderer", kind,
                (unsigned)surface->width, (unsigned)surface->height, surface->format->name);
}

void api_log_slow_buffer(const struct buffer *buffer)
{
    const char *kind =
        buffer->type == D3DRTYPE_VERTEXBUFFER ? "a vertex buffer" : "an index buffer";
    const char *advice = buffer->usage & D3DUSAGE_DYNAMIC ? " without DISCARD or NOOVERWRITE" : "";

    log_once_at(LOG_INFO, "api", kind, "slow: Lock%s of %s (%u bytes) waits for the renderer",
                advice, kind, (unsigned)buffer->size);
}
