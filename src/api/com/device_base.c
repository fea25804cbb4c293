/* The device as the owner of objects: IUnknown methods, reference count and mutex.
 * Tested by tests/unit/api/com/test_com.c and tests/unit/api/test_threads.c. */
#include "api/com/device.h"
#include "api/com/device_methods.h"

static void init_mutex(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void api_device_init(struct device *device, bool multithreaded,
                     void (*destroy)(struct device *device))
{
    atomic_init(&device->refs, 1);
    device->destroy = destroy;
    device->multithreaded = multithreaded;
    device->objects_end = &device->objects;
    init_mutex(&device->mutex);
}

void api_device_fini(struct device *device)
{
    pthread_mutex_destroy(&device->mutex);
}

/* --- Mutex ------------------------------------------------------------------------------------ */

void api_device_lock(struct device *device)
{
    if (device->multithreaded)
        pthread_mutex_lock(&device->mutex);
}

void api_device_unlock(struct device *device)
{
    if (device->multithreaded)
        pthread_mutex_unlock(&device->mutex);
}

struct device *api_device_enter(void *iface)
{
    api_device_lock(iface);
    return iface;
}

void api_device_leave(struct device **device)
{
    api_device_unlock(*device);
}

/* --- References ------------------------------------------------------------------------------- */

ULONG api_device_addref(struct device *device)
{
    return atomic_fetch_add(&device->refs, 1) + 1;
}

ULONG api_device_release(struct device *device)
{
    unsigned left = atomic_fetch_sub(&device->refs, 1) - 1;

    if (!left)
        device->destroy(device);
    return left;
}

/* --- IUnknown --------------------------------------------------------------------------------- */

HRESULT WINAPI device_QueryInterface(IDirect3DDevice9Ex *iface, REFIID iid, void **out)
{
    struct device *d = device_of(iface);

    if (!out)
        return E_POINTER;
    if (IsEqualIID(iid, &IID_IUnknown) || IsEqualIID(iid, &IID_IDirect3DDevice9) ||
        (d->ex && IsEqualIID(iid, &IID_IDirect3DDevice9Ex))) {
        api_device_addref(d);
        *out = iface;
        return S_OK;
    }
    *out = NULL;
    return E_NOINTERFACE;
}

ULONG WINAPI device_AddRef(IDirect3DDevice9Ex *iface)
{
    return api_device_addref(device_of(iface));
}

ULONG WINAPI device_Release(IDirect3DDevice9Ex *iface)
{
    return api_device_release(device_of(iface));
}
