/* COM objects: the head that all children of a device share, and their two reference counts. */
#ifndef API_COM_H
#define API_COM_H

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
    enum record_class record;            /* what it is called in captures */
    const IID *const *iids;              /* what QueryInterface answers, NULL at the end */
    void (*destroy)(struct object *obj); /* both counts are zero; frees the memory */
};

/* First member of every child of a device, so that an interface pointer is a pointer to it.
 *
 * `refs` is the count that programs see. The first reference takes one of the device's, the last
 * gives it back; it may rise from zero again (back buffers, bound textures). `private_refs` counts
 * what keeps the object without being visible: bindings, state blocks, the swap chain of a back
 * buffer. The object dies when both are zero. Levels of a texture use the counts of their texture.
 */
struct object {
    const void *vtbl; /* lpVtbl; programs overwrite it, so nothing here ever reads it */
    const struct object_class *class;
    struct device *device;
    struct object *owner; /* the texture of a level, else NULL */
    atomic_uint refs;
    unsigned private_refs;
    bool blocks_reset; /* lives in D3DPOOL_DEFAULT: a reference keeps Reset from succeeding */
    struct private_data *private_data;
};

/* The last step of a constructor: refs is 1 (the caller's, with a device reference) or 0 for an
 * object that whoever makes it holds. blocks_reset and owner are set before. */
void api_object_init(struct object *obj, const struct object_class *class, struct device *device,
                     unsigned refs);
/* Frees the private data; for destroy functions. */
void api_object_fini(struct object *obj);

ULONG api_object_addref(struct object *obj);
ULONG api_object_release(struct object *obj);
void api_object_addref_private(struct object *obj);  /* NULL is allowed */
void api_object_release_private(struct object *obj); /* NULL is allowed */
/* *slot = obj with the holds that go with it; false where nothing changed. */
bool api_object_assign(struct object **slot, struct object *obj);

HRESULT api_object_query(struct object *obj, REFIID iid, void **out);
HRESULT api_object_device(struct object *obj, IDirect3DDevice9 **out);
/* Of another device; NULL is not. */
static inline bool api_is_foreign(const struct device *device, const void *obj)
{
    return obj && ((const struct object *)obj)->device != device;
}
HRESULT api_object_set_data(struct object *obj, REFGUID guid, const void *data, DWORD size,
                            DWORD flags);
HRESULT api_object_get_data(struct object *obj, REFGUID guid, void *data, DWORD *size);
HRESULT api_object_free_data(struct object *obj, REFGUID guid);

/* api/hresult.c: what a program sees of a status. */
HRESULT api_hresult(enum status st);

/* IUnknown and GetDevice of interface I, as prefix_AddRef and so on. */
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

#define PRIVATE_DATA_METHODS(I, prefix)                                                            \
    static HRESULT WINAPI prefix##_SetPrivateData(I *iface, REFGUID guid, const void *data,        \
                                                  DWORD size, DWORD flags)                         \
    {                                                                                              \
        return api_object_set_data((struct object *)iface, guid, data, size, flags);               \
    }                                                                                              \
    static HRESULT WINAPI prefix##_GetPrivateData(I *iface, REFGUID guid, void *data, DWORD *size) \
    {                                                                                              \
        return api_object_get_data((struct object *)iface, guid, data, size);                      \
    }                                                                                              \
    static HRESULT WINAPI prefix##_FreePrivateData(I *iface, REFGUID guid)                         \
    {                                                                                              \
        return api_object_free_data((struct object *)iface, guid);                                 \
    }
/* clang-format off */
#define PRIVATE_DATA_VTBL(prefix)                                                                  \
    .SetPrivateData = prefix##_SetPrivateData, .GetPrivateData = prefix##_GetPrivateData,          \
    .FreePrivateData = prefix##_FreePrivateData
/* clang-format on */

#endif
