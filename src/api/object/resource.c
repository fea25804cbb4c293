/* Rules that all resources share: priorities, and valid surface formats. */
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/object/resource_methods.h"

static DWORD *priority_of(struct object *obj, D3DRESOURCETYPE type)
{
    struct texture *texture = (struct texture *)obj;
    struct buffer *buffer = (struct buffer *)obj;

    switch (type) {
    case D3DRTYPE_TEXTURE:
    case D3DRTYPE_CUBETEXTURE:
    case D3DRTYPE_VOLUMETEXTURE:
        return pool_managed(texture->pool) ? &texture->priority : NULL;
    case D3DRTYPE_VERTEXBUFFER:
    case D3DRTYPE_INDEXBUFFER:
        return pool_managed(buffer->pool) ? &buffer->priority : NULL;
    default:
        return NULL;
    }
}

DWORD api_set_priority(struct object *obj, D3DRESOURCETYPE type, DWORD priority)
{
    DWORD *current = priority_of(obj, type), old;

    if (!current)
        return 0;
    old = *current;
    *current = priority;
    return old;
}

DWORD api_get_priority(struct object *obj, D3DRESOURCETYPE type)
{
    const DWORD *current = priority_of(obj, type);

    return current ? *current : 0;
}

void api_preload(struct object *obj, D3DRESOURCETYPE type)
{
    ENTER_OBJECT(d, obj);

    switch (type) {
    case D3DRTYPE_TEXTURE:
    case D3DRTYPE_CUBETEXTURE:
    case D3DRTYPE_VOLUMETEXTURE:
        api_preload_texture(texture_of(obj));
        break;
    case D3DRTYPE_SURFACE:
        if (surface_of(obj)->texture)
            api_preload_texture(surface_of(obj)->texture);
        break;
    default: /* the renderer reads buffers in place */
        break;
    }
}

bool api_surface_format_ok(const struct tex_format *format, enum image_kind kind, D3DPOOL pool)
{
    if (!format)
        return false;
    switch (kind) {
    case IMAGE_TARGET:
        return format->caps & TEX_TARGET;
    case IMAGE_DEPTH:
        return format->caps & TEX_DEPTHSTENCIL;
    case IMAGE_PLAIN:
        break;
    }
    if (format->caps & TEX_OFFSCREEN)
        return true;
    if (pool == D3DPOOL_SCRATCH) /* the renderer never accesses it */
        return format->layout != TEX_LAYOUT_DEPTH && format->layout != TEX_LAYOUT_RAW;
    return pool == D3DPOOL_SYSTEMMEM && format->layout != TEX_LAYOUT_DEPTH &&
           format->layout != TEX_LAYOUT_RAW && !api_format_is_ati(format);
}
