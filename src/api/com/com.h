/* COM base class: the header that all children of a device share, with its two reference counts. */
#ifndef API_COM_COM_H
#define API_COM_COM_H

#include "record/record.h"
#include "util/status.h"

#include <d3d9.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct device;
struct object;
struct private_data;

struct object_class {
    const void *vtbl;
    enum record_class record;            /* class name in captures */
    const IID *const *iids;              /* ids for QueryInterface, NULL at the end */
    void (*destroy)(struct object *obj); /* called when both counts are zero; frees the memory */
};

/* First member of every child of a device: an interface pointer is a pointer to it.
 *
 * `refs` is the count that applications see. The first reference takes a reference to the device,
 * and the last one returns it. The count may rise from zero again (back buffers, bound textures).
 * `private_refs` counts references that applications do not see: bindings, state blocks, the swap
 * chain of a back buffer. The object is destroyed when both counts are zero. Levels of a texture
 * use the counts of their texture. */
struct object {
    const void *vtbl; /* lpVtbl; applications overwrite it, so no code here reads it */
    const struct object_class *class;
    struct device *device;
    struct object *owner; /* the texture of a level, else NULL */
    atomic_uint refs;
    unsigned private_refs;
    bool blocks_reset; /* in D3DPOOL_DEFAULT: while it has references, Reset fails */
    struct private_data *private_data;
    struct object *next, **link; /* list of the device's objects; levels are not in it */
};

/* Last step of a constructor. refs is 1 (the caller's; it references the device), or 0 for an
 * object that its creator holds by a private reference. The caller sets blocks_reset and owner
 * before. */
void api_object_init(struct object *obj, const struct object_class *class, struct device *device,
                     unsigned refs);
/* Frees the private data. Called by destroy functions. */
void api_object_fini(struct object *obj);

ULONG api_object_addref(struct object *obj);
ULONG api_object_release(struct object *obj);
void api_object_addref_private(struct object *obj);  /* NULL is allowed */
void api_object_release_private(struct object *obj); /* NULL is allowed */
/* Stores obj in *slot and moves the private references; false: *slot was obj already. */
bool api_object_assign(struct object **slot, struct object *obj);

HRESULT api_object_query(struct object *obj, REFIID iid, void **out);
HRESULT api_object_device(struct object *obj, IDirect3DDevice9 **out);
/* Whether the object belongs to another device; false for NULL. */
static inline bool api_is_foreign(const struct device *device, const void *obj)
{
    return obj && ((const struct object *)obj)->device != device;
}
HRESULT api_object_set_data(struct object *obj, REFGUID guid, const void *data, DWORD size,
                            DWORD flags);
HRESULT api_object_get_data(struct object *obj, REFGUID guid, void *data, DWORD *size);
HRESULT api_object_free_data(struct object *obj, REFGUID guid);

/* hresult.c: maps a status to the HRESULT that applications see. */
HRESULT api_hresult(enum status st);

/* Defines IUnknown's methods and GetDevice of interface I as prefix_AddRef and so on. */
#define OBJECT_METHODS(I, prefix)                                                                  \
    static HRESULT WINAPI prefix##_QueryInterface(I *iface, REFIID iid, void **out)                \
    {                                                                                              \
        return api_object_query((struct object *)iface, iid, out);                                 \
    }                                                                                              \
    static ULONG WINAPI prefix##_AddRef(I *iface)                                                  \
    {                                                                                              \
        return api_object_addref((struct object *)iface);                                          \
    }                                                                                              \
    static ULONG WINAPI prefix##_Release(I *iface)                                                 \
    {                                                                                              \
        return api_object_release((struct object *)iface);                                         \
    }                                                                                              \
    static HRESULT WINAPI prefix##_GetDevice(I *iface, IDirect3DDevice9 **out)                     \
    {                                                                                              \
        return api_object_device((struct object *)iface, out);                                     \
    }
/* clang-format off */
#define OBJECT_VTBL(prefix)                                                                        \
    .QueryInterface = prefix##_QueryInterface, .AddRef = prefix##_AddRef,                          \
    .Release = prefix##_Release, .GetDevice = prefix##_GetDevice
/* clang-format on */

/* set_data: what SetPrivateData calls. */
#define PRIVATE_DATA_METHODS_OF(I, prefix, set_data)                                               \
    static HRESULT WINAPI prefix##_SetPrivateData(I *iface, REFGUID guid, const void *data,        \
                                                  DWORD size, DWORD flags)                         \
    {                                                                                              \
        return set_data((struct object *)iface, guid, data, size, flags);                          \
    }                                                                                              \
    static HRESULT WINAPI prefix##_GetPrivateData(I *iface, REFGUID guid, void *data, DWORD *size) \
    {                                                                                              \
        return api_object_get_data((struct object *)iface, guid, data, size);                      \
    }                                                                                              \
    static HRESULT WINAPI prefix##_FreePrivateData(I *iface, REFGUID guid)                         \
    {                                                                                              \
        return api_object_free_data((struct object *)iface, guid);                                 \
    }
#define PRIVATE_DATA_METHODS(I, prefix) PRIVATE_DATA_METHODS_OF(I, prefix, api_object_set_data)
/* clang-format off */
#define PRIVATE_DATA_VTBL(prefix)                                                                  \
    .SetPrivateData = prefix##_SetPrivateData, .GetPrivateData = prefix##_GetPrivateData,          \
    .FreePrivateData = prefix##_FreePrivateData
/* clang-format on */

#endif
