/* COM base class of the device's children: reference counts, QueryInterface and private data. */
#include "api/com/com.h"

#include "api/com/device.h"
#include "util/alloc.h"

#include <string.h>

/* --- Reference counts ------------------------------------------------------------------------- */

/* At the end, so that the list has the order of creation. */
static void enter_list(struct object *obj)
{
    struct device *device = obj->device;

    obj->next = NULL;
    obj->link = device->objects_end;
    *obj->link = obj;
    device->objects_end = &obj->next;
}

static void leave_list(struct object *obj)
{
    *obj->link = obj->next;
    if (obj->next)
        obj->next->link = obj->link;
    else
        obj->device->objects_end = obj->link;
}

void api_object_init(struct object *obj, const struct object_class *class, struct device *device,
                     unsigned refs)
{
    obj->vtbl = record_vtbl(class->record, class->vtbl);
    obj->class = class;
    obj->device = device;
    atomic_init(&obj->refs, refs);
    obj->private_refs = refs ? 0 : 1;
    enter_list(obj);
    if (refs) {
        api_device_addref(device);
        if (obj->blocks_reset)
            atomic_fetch_add(&device->reset_blockers, 1);
    }
}

static struct object *counted(struct object *obj)
{
    return obj->owner ? obj->owner : obj;
}

ULONG api_object_addref(struct object *obj)
{
    unsigned old;

    obj = counted(obj);
    old = atomic_fetch_add(&obj->refs, 1);
    if (!old) {
        api_device_addref(obj->device);
        if (obj->blocks_reset)
            atomic_fetch_add(&obj->device->reset_blockers, 1);
    }
    return old + 1;
}

static void destroy_unused(struct object *obj)
{
    if (obj->private_refs || atomic_load(&obj->refs))
        return;
    leave_list(obj);
    obj->class->destroy(obj);
}

/* Holds the device's mutex from the decrement to the end: another thread that unbinds the object at
 * the same time would destroy it too. */
ULONG api_object_release(struct object *obj)
{
    struct device *device;
    unsigned old;

    obj = counted(obj);
    device = obj->device;
    api_device_lock(device);
    old = atomic_load(&obj->refs);
    while (old && !atomic_compare_exchange_weak(&obj->refs, &old, old - 1))
        ;
    if (old == 1) {
        if (obj->blocks_reset)
            atomic_fetch_sub(&device->reset_blockers, 1);
        destroy_unused(obj);
    }
    api_device_unlock(device);
    if (old == 1)
        api_device_release(device);
    return old ? old - 1 : 0; /* implicit objects return 0, and known applications rely on it */
}

void api_object_addref_private(struct object *obj)
{
    if (obj)
        counted(obj)->private_refs++;
}

void api_object_release_private(struct object *obj)
{
    if (!obj)
        return;
    obj = counted(obj);
    obj->private_refs--;
    destroy_unused(obj);
}

bool api_object_assign(struct object **slot, struct object *obj)
{
    struct object *old = *slot;

    if (old == obj)
        return false;
    api_object_addref_private(obj);
    *slot = obj;
    api_object_release_private(old);
    return true;
}

HRESULT api_object_query(struct object *obj, REFIID iid, void **out)
{
    if (!out)
        return E_POINTER;
    for (const IID *const *known = obj->class->iids; *known; known++) {
        if (IsEqualIID(iid, *known)) {
            api_object_addref(obj);
            *out = obj;
            return S_OK;
        }
    }
    *out = NULL;
    return E_NOINTERFACE;
}

HRESULT api_object_device(struct object *obj, IDirect3DDevice9 **out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    api_device_addref(obj->device);
    *out = (IDirect3DDevice9 *)obj->device;
    return D3D_OK;
}

/* --- Private data ----------------------------------------------------------------------------- */

struct private_data {
    struct private_data *next;
    GUID guid;
    DWORD size;
    bool is_object; /* the data is one IUnknown pointer, which holds a reference */
    union {
        IUnknown *object;
        unsigned char bytes[8]; /* `size` bytes; allocated to that length */
    } u;
};

static struct private_data **find_data(struct object *obj, REFGUID guid)
{
    struct private_data **at = &obj->private_data;

    while (*at && !IsEqualGUID(&(*at)->guid, guid))
        at = &(*at)->next;
    return at;
}

static void free_data(struct private_data *entry)
{
    if (entry->is_object)
        entry->u.object->lpVtbl->Release(entry->u.object);
    mem_free(entry);
}

HRESULT api_object_set_data(struct object *obj, REFGUID guid, const void *data, DWORD size,
                            DWORD flags)
{
    ENTER_OBJECT(d, obj);
    struct private_data *entry, **at;
    size_t bytes = sizeof(*entry) + size;

    if (!guid || (!data && size))
        return D3DERR_INVALIDCALL;
    if ((flags & D3DSPD_IUNKNOWN) && size != sizeof(IUnknown *))
        return D3DERR_INVALIDCALL;
    entry = bytes > size ? mem_calloc(1, bytes) : NULL;
    if (!entry)
        return E_OUTOFMEMORY;
    entry->guid = *guid;
    entry->size = size;
    if (flags & D3DSPD_IUNKNOWN) {
        entry->is_object = true;
        entry->u.object = (IUnknown *)(uintptr_t)data; /* the pointer itself, not its address */
        entry->u.object->lpVtbl->AddRef(entry->u.object);
    } else if (size) {
        memcpy(entry->u.bytes, data, size);
    }
    api_object_free_data(obj, guid);
    at = &obj->private_data;
    entry->next = *at;
    *at = entry;
    return D3D_OK;
}

HRESULT api_object_get_data(struct object *obj, REFGUID guid, void *data, DWORD *size)
{
    ENTER_OBJECT(d, obj);
    struct private_data *entry;
    DWORD room;

    if (!guid)
        return D3DERR_INVALIDCALL;
    entry = *find_data(obj, guid);
    if (!entry)
        return D3DERR_NOTFOUND;
    if (!size)
        return D3DERR_INVALIDCALL;
    room = *size;
    *size = entry->size;
    if (!data)
        return D3D_OK;
    if (room < entry->size)
        return D3DERR_MOREDATA;
    if (entry->is_object)
        entry->u.object->lpVtbl->AddRef(entry->u.object);
    memcpy(data, entry->u.bytes, entry->size);
    return D3D_OK;
}

HRESULT api_object_free_data(struct object *obj, REFGUID guid)
{
    ENTER_OBJECT(d, obj);
    struct private_data **at, *entry;

    if (!guid)
        return D3DERR_INVALIDCALL;
    at = find_data(obj, guid);
    entry = *at;
    if (!entry)
        return D3DERR_NOTFOUND;
    *at = entry->next;
    free_data(entry);
    return D3D_OK;
}

void api_object_fini(struct object *obj)
{
    while (obj->private_data) {
        struct private_data *entry = obj->private_data;

        obj->private_data = entry->next;
        free_data(entry);
    }
}
