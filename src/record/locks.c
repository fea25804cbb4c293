/* Lock tracker: records a copy of the locked memory before each Unlock.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/call.h"

#include "tex/format.h"
#include "util/alloc.h"
#include "util/log.h"

#include <pthread.h>

struct lock {
    const void *object; /* buffer, surface or volume; each texture level has its own */
    const uint8_t *at;
    size_t bytes;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct lock *locks;
static size_t used, room;

static void note(const void *object, const void *at, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    if (used == room) {
        size_t more = room ? room * 2 : 16;
        struct lock *bigger = mem_realloc(locks, more * sizeof(*bigger));

        if (bigger) {
            locks = bigger;
            room = more;
        }
    }
    if (used < room)
        locks[used++] = (struct lock){object, at, bytes};
    else
        log_once("record", "lock", "out of memory: data written to a lock are not recorded");
    pthread_mutex_unlock(&mutex);
}

static bool take(const void *object, struct lock *out)
{
    bool found = false;

    pthread_mutex_lock(&mutex);
    for (size_t i = used; i-- > 0 && !found;) {
        if (locks[i].object == object) {
            *out = locks[i];
            locks[i] = locks[--used];
            found = true;
        }
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

void record_forget_locks(void)
{
    pthread_mutex_lock(&mutex);
    mem_free(locks);
    locks = NULL;
    used = room = 0;
    pthread_mutex_unlock(&mutex);
}

/* --- Buffers ---------------------------------------------------------------------------------- */

/* READONLY locks of buffers are tracked too, because programs write through them. */
static void note_buffer(const uint64_t *args, uint32_t length)
{
    uint32_t offset = (uint32_t)args[1], size = (uint32_t)args[2];
    void *const *out = record_pointer(args[3]);

    if (offset > length)
        return;
    note(record_pointer(args[0]), *out, size && size < length - offset ? size : length - offset);
}

void record_vertices_locked(const uint64_t *args, uint64_t result)
{
    const IDirect3DVertexBuffer9Vtbl *real = record_real(RECORD_VERTICES);
    D3DVERTEXBUFFER_DESC desc;

    if (SUCCEEDED((HRESULT)result) && SUCCEEDED(real->GetDesc(record_pointer(args[0]), &desc)))
        note_buffer(args, desc.Size);
}

void record_indices_locked(const uint64_t *args, uint64_t result)
{
    const IDirect3DIndexBuffer9Vtbl *real = record_real(RECORD_INDICES);
    D3DINDEXBUFFER_DESC desc;

    if (SUCCEEDED((HRESULT)result) && SUCCEEDED(real->GetDesc(record_pointer(args[0]), &desc)))
        note_buffer(args, desc.Size);
}

/* --- Surfaces and volumes --------------------------------------------------------------------- */

/* Bytes of a slice: all rows with pitch, except the last. Blocks are packed if the pitch is smaller
 * than a row (ATI1, ATI2). A lock of a whole planar surface covers all planes, another one only
 * luma. */
static size_t slice_bytes(D3DFORMAT format, size_t width, size_t height, size_t pitch, bool whole)
{
    const struct tex_format *f = tex_format_get(format);
    size_t row, rows;

    if (!f || !width || !height)
        return pitch * height;
    if (whole && f->layout == TEX_LAYOUT_PLANAR)
        return tex_slice_rows(f, (uint32_t)height) * pitch;
    row = (width + f->block_w - 1) / f->block_w * f->bytes;
    rows = (height + f->block_h - 1) / f->block_h;
    return row > pitch ? rows * row : (rows - 1) * pitch + row;
}

static void note_rect(IDirect3DSurface9 *surface, const D3DLOCKED_RECT *out, const RECT *rect,
                      DWORD flags)
{
    const IDirect3DSurface9Vtbl *real = record_real(RECORD_SURFACE);
    D3DSURFACE_DESC desc;
    bool whole;

    if ((flags & D3DLOCK_READONLY) || FAILED(real->GetDesc(surface, &desc)))
        return;
    whole = !rect || (!rect->left && !rect->top && rect->right == (LONG)desc.Width &&
                      rect->bottom == (LONG)desc.Height);
    if (rect) {
        desc.Width = (UINT)(rect->right - rect->left);
        desc.Height = (UINT)(rect->bottom - rect->top);
    }
    note(surface, out->pBits,
         slice_bytes(desc.Format, desc.Width, desc.Height, (size_t)out->Pitch, whole));
}

static void note_box(IDirect3DVolume9 *volume, const D3DLOCKED_BOX *out, const D3DBOX *box,
                     DWORD flags)
{
    const IDirect3DVolume9Vtbl *real = record_real(RECORD_VOLUME);
    D3DVOLUME_DESC desc;
    size_t bytes;

    if ((flags & D3DLOCK_READONLY) || FAILED(real->GetDesc(volume, &desc)))
        return;
    if (box) {
        desc.Width = box->Right - box->Left;
        desc.Height = box->Bottom - box->Top;
        desc.Depth = box->Back - box->Front;
    }
    bytes = slice_bytes(desc.Format, desc.Width, desc.Height, (size_t)out->RowPitch, true);
    note(volume, out->pBits, (desc.Depth - 1) * (size_t)out->SlicePitch + bytes);
}

void record_surface_locked(const uint64_t *args, uint64_t result)
{
    if (SUCCEEDED((HRESULT)result))
        note_rect(record_pointer(args[0]), record_pointer(args[1]), record_pointer(args[2]),
                  (DWORD)args[3]);
}

void record_volume_locked(const uint64_t *args, uint64_t result)
{
    if (SUCCEEDED((HRESULT)result))
        note_box(record_pointer(args[0]), record_pointer(args[1]), record_pointer(args[2]),
                 (DWORD)args[3]);
}

/* --- Levels of textures ----------------------------------------------------------------------- */

/* Locks belong to the level's surface, because a program may lock through the texture and unlock
 * through the level. The surface lives as long as its texture, so no reference is held. */
static IDirect3DSurface9 *texture_level(const uint64_t *args)
{
    const IDirect3DTexture9Vtbl *real = record_real(RECORD_TEXTURE);
    const IDirect3DSurface9Vtbl *surfaces = record_real(RECORD_SURFACE);
    IDirect3DSurface9 *level;

    if (FAILED(real->GetSurfaceLevel(record_pointer(args[0]), (UINT)args[1], &level)))
        return NULL;
    surfaces->Release(level);
    return level;
}

static IDirect3DSurface9 *cube_level(const uint64_t *args)
{
    const IDirect3DCubeTexture9Vtbl *real = record_real(RECORD_CUBE);
    const IDirect3DSurface9Vtbl *surfaces = record_real(RECORD_SURFACE);
    IDirect3DSurface9 *level;

    if (FAILED(real->GetCubeMapSurface(record_pointer(args[0]), (D3DCUBEMAP_FACES)args[1],
                                       (UINT)args[2], &level)))
        return NULL;
    surfaces->Release(level);
    return level;
}

static IDirect3DVolume9 *volumes_level(const uint64_t *args)
{
    const IDirect3DVolumeTexture9Vtbl *real = record_real(RECORD_VOLUMES);
    const IDirect3DVolume9Vtbl *volumes = record_real(RECORD_VOLUME);
    IDirect3DVolume9 *level;

    if (FAILED(real->GetVolumeLevel(record_pointer(args[0]), (UINT)args[1], &level)))
        return NULL;
    volumes->Release(level);
    return level;
}

void record_texture_locked(const uint64_t *args, uint64_t result)
{
    if (SUCCEEDED((HRESULT)result))
        note_rect(texture_level(args), record_pointer(args[2]), record_pointer(args[3]),
                  (DWORD)args[4]);
}

void record_cube_locked(const uint64_t *args, uint64_t result)
{
    if (SUCCEEDED((HRESULT)result))
        note_rect(cube_level(args), record_pointer(args[3]), record_pointer(args[4]),
                  (DWORD)args[5]);
}

void record_volumes_locked(const uint64_t *args, uint64_t result)
{
    if (SUCCEEDED((HRESULT)result))
        note_box(volumes_level(args), record_pointer(args[2]), record_pointer(args[3]),
                 (DWORD)args[4]);
}

/* --- Unlocks ---------------------------------------------------------------------------------- */

static void put_memory(struct writer *w, const uint64_t *args)
{
    writer_blob(w, record_pointer(args[1]), (size_t)args[2]);
}

static const struct record_param copy_params[] = {
    {.name = "dest", VALUE(address)},
    {.name = "src", .kind = PARAM_CUSTOM, .write = put_memory},
    {.name = "n", VALUE(u64)},
};
static struct record_method copy = {
    .name = "memcpy", .params = copy_params, .count = 3, .fake = true};

void record_memory(const void *address, const void *bytes, size_t n)
{
    record_call(&copy, (uint64_t[]){(uintptr_t)address, (uintptr_t)bytes, n}, 0);
}

static void unlocks(const void *object)
{
    struct lock lock;

    if (object && take(object, &lock))
        record_memory(lock.at, lock.at, lock.bytes);
}

void record_object_unlocks(const uint64_t *args, uint64_t result)
{
    (void)result;
    unlocks(record_pointer(args[0]));
}

void record_texture_unlocks(const uint64_t *args, uint64_t result)
{
    (void)result;
    unlocks(texture_level(args));
}

void record_cube_unlocks(const uint64_t *args, uint64_t result)
{
    (void)result;
    unlocks(cube_level(args));
}

void record_volumes_unlocks(const uint64_t *args, uint64_t result)
{
    (void)result;
    unlocks(volumes_level(args));
}
