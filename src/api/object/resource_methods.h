/* Methods of IDirect3DResource9, which textures, surfaces and buffers share. */
#ifndef API_OBJECT_RESOURCE_METHODS_H
#define API_OBJECT_RESOURCE_METHODS_H

#include "api/com/com.h"

/* Methods of IDirect3DResource9 after GetDevice. */
#define RESOURCE_METHODS(I, prefix, resource_type)                                                 \
    RESOURCE_METHODS_OF(I, prefix, resource_type, api_object_set_data)
#define RESOURCE_METHODS_OF(I, prefix, resource_type, set_data)                                    \
    OBJECT_METHODS(I, prefix)                                                                      \
    PRIVATE_DATA_METHODS_OF(I, prefix, set_data)                                                   \
    static DWORD WINAPI prefix##_SetPriority(I *iface, DWORD priority)                             \
    {                                                                                              \
        return api_set_priority((struct object *)iface, resource_type, priority);                  \
    }                                                                                              \
    static DWORD WINAPI prefix##_GetPriority(I *iface)                                             \
    {                                                                                              \
        return api_get_priority((struct object *)iface, resource_type);                            \
    }                                                                                              \
    static void WINAPI prefix##_PreLoad(I *iface)                                                  \
    {                                                                                              \
        api_preload((struct object *)iface, resource_type);                                        \
    }                                                                                              \
    static D3DRESOURCETYPE WINAPI prefix##_GetType(I *iface)                                       \
    {                                                                                              \
        (void)iface;                                                                               \
        return resource_type;                                                                      \
    }
/* clang-format off */
#define RESOURCE_VTBL(prefix)                                                                      \
    OBJECT_VTBL(prefix), PRIVATE_DATA_VTBL(prefix), .SetPriority = prefix##_SetPriority,           \
        .GetPriority = prefix##_GetPriority, .PreLoad = prefix##_PreLoad,                          \
        .GetType = prefix##_GetType
/* clang-format on */

/* Only managed textures and vertex buffers have a priority; others return 0. */
DWORD api_set_priority(struct object *obj, D3DRESOURCETYPE type, DWORD priority);
DWORD api_get_priority(struct object *obj, D3DRESOURCETYPE type);
void api_preload(struct object *obj, D3DRESOURCETYPE type);

#endif
