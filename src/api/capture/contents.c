/* Contents of textures, surfaces and buffers, as calls that write them.
 *
 * What applications can lock is locked. Other levels of the DEFAULT pool are updated from a
 * temporary copy in system memory. Depth, samples and formats without such copies have a call of
 * Novem's own. Zeros are not written: they are what new objects contain.
 * Tested by tests/unit/trace/test_capture_frame.c. */
#include "api/capture/snapshot.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

void api_snapshot_lacks(const char *what)
{
    log_warn("api", "the capture of the frame lacks %s", what);
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
    return !n || (!bytes[0] && !memcmp(bytes, bytes + 1, n - 1));
}

/* False: nothing has to be written. The caller frees the copy. */
static bool copy_level(struct snapshot *s, const struct surface *level, struct level_copy *copy)
{
    if (FAILED(api_copy_level(level, copy))) {
        s->failed = true;
        return false;
    }
    if (!is_zero(copy->bytes, copy->size))
        return true;
    mem_free(copy->bytes);
    copy->bytes = NULL;
    return false;
}

/* --- Locks ------------------------------------------------------------------------------------ */

static void lock_texture(struct surface *level, void *object, const struct level_copy *copy)
{
    const IDirect3DTexture9Vtbl *to = snapshot_methods(&level->texture->base);
    D3DLOCKED_RECT locked = {(INT)copy->row_pitch, copy->bytes};

    to->LockRect(object, level->level, &locked, NULL, 0);
    record_memory(copy->bytes, copy->bytes, copy->size);
    to->UnlockRect(object, level->level);
}

static void lock_cube(struct surface *level, void *object, const struct level_copy *copy)
{
    const IDirect3DCubeTexture9Vtbl *to = snapshot_methods(&level->texture->base);
    D3DLOCKED_RECT locked = {(INT)copy->row_pitch, copy->bytes};

    to->LockRect(object, (D3DCUBEMAP_FACES)level->face, level->level, &locked, NULL, 0);
    record_memory(copy->bytes, copy->bytes, copy->size);
    to->UnlockRect(object, (D3DCUBEMAP_FACES)level->face, level->level);
}

static void lock_volume(struct surface *level, void *object, const struct level_copy *copy)
{
    const IDirect3DVolumeTexture9Vtbl *to = snapshot_methods(&level->texture->base);
    D3DLOCKED_BOX locked = {(INT)copy->row_pitch, (INT)copy->slice_pitch, copy->bytes};

    to->LockBox(object, level->level, &locked, NULL, 0);
    record_memory(copy->bytes, copy->bytes, copy->size);
    to->UnlockBox(object, level->level);
}

/* object: the texture that gets the contents of the level. */
static void lock_level(struct surface *level, void *object, const struct level_copy *copy)
{
    switch (level->texture->shape) {
    case TEX_2D:
        lock_texture(level, object, copy);
        break;
    case TEX_CUBE_MAP:
        lock_cube(level, object, copy);
        break;
    case TEX_VOLUME_MAP:
        lock_volume(level, object, copy);
        break;
    }
}

static void lock_surface(const struct surface *surface, void *object, const struct level_copy *copy)
{
    const IDirect3DSurface9Vtbl *to = snapshot_methods(&surface->base);
    D3DLOCKED_RECT locked = {(INT)copy->row_pitch, copy->bytes};

    to->LockRect(object, &locked, NULL, 0);
    record_memory(copy->bytes, copy->bytes, copy->size);
    to->UnlockRect(object);
}

/* --- Textures --------------------------------------------------------------------------------- */

static unsigned levels_of(const struct texture *texture)
{
    return texture->faces * texture->levels;
}

static void create_spare(struct snapshot *s, const struct texture *t)
{
    D3DFORMAT format = t->format->d3d;

    if (t->shape == TEX_CUBE_MAP)
        s->to->CreateCubeTexture(s->iface, t->width, t->levels, 0, format, D3DPOOL_SYSTEMMEM,
                                 (IDirect3DCubeTexture9 **)&s->spare, NULL);
    else if (t->shape == TEX_VOLUME_MAP)
        s->to->CreateVolumeTexture(s->iface, t->width, t->height, t->depth, t->levels, 0, format,
                                   D3DPOOL_SYSTEMMEM, (IDirect3DVolumeTexture9 **)&s->spare, NULL);
    else
        s->to->CreateTexture(s->iface, t->width, t->height, t->levels, 0, format, D3DPOOL_SYSTEMMEM,
                             (IDirect3DTexture9 **)&s->spare, NULL);
}

static void release_spare(struct snapshot *s, const struct object *like)
{
    const IDirect3DSurface9Vtbl *to = snapshot_methods(like); /* IUnknown is the same in all */

    to->Release(s->spare);
}

/* Writes the levels to a temporary texture, and updates the texture from it. */
static void update_texture(struct snapshot *s, struct texture *texture)
{
    bool created = false;

    for (unsigned i = 0; i < levels_of(texture); i++) {
        struct level_copy copy;

        if (!copy_level(s, &texture->sub[i], &copy))
            continue;
        if (!created)
            create_spare(s, texture);
        created = true;
        lock_level(&texture->sub[i], s->spare, &copy);
        mem_free(copy.bytes);
    }
    if (!created)
        return;
    s->to->UpdateTexture(s->iface, s->spare, (IDirect3DBaseTexture9 *)texture);
    release_spare(s, &texture->base);
}

static void write_levels(struct snapshot *s, struct texture *texture, bool lock)
{
    for (unsigned i = 0; i < levels_of(texture); i++) {
        struct level_copy copy;

        if (!copy_level(s, &texture->sub[i], &copy))
            continue;
        if (lock)
            lock_level(&texture->sub[i], texture, &copy);
        else
            record_contents(&texture->sub[i], copy.bytes, copy.size);
        mem_free(copy.bytes);
    }
}

void api_snapshot_texture(struct snapshot *s, struct texture *texture)
{
    enum tex_layout layout = texture->format->layout;

    for (unsigned i = 0; i < levels_of(texture); i++)
        if (texture->sub[i].locked)
            api_snapshot_lacks("what the program writes to a level that is locked already");
    if (texture->second_element)
        api_snapshot_lacks("the contents of a multiple-element texture");
    else if (texture->sub[0].user_memory || layout == TEX_LAYOUT_RAW)
        return; /* written when it is created; no contents */
    else if (texture->sub[0].lockable)
        write_levels(s, texture, true);
    else if (layout == TEX_LAYOUT_DEPTH)
        write_levels(s, texture, false);
    else
        update_texture(s, texture);
}

/* --- Surfaces --------------------------------------------------------------------------------- */

static void update_surface(struct snapshot *s, struct surface *surface,
                           const struct level_copy *copy)
{
    s->to->CreateOffscreenPlainSurface(s->iface, surface->width, surface->height,
                                       surface->format->d3d, D3DPOOL_SYSTEMMEM,
                                       (IDirect3DSurface9 **)&s->spare, NULL);
    lock_surface(surface, s->spare, copy);
    s->to->UpdateSurface(s->iface, s->spare, NULL, (IDirect3DSurface9 *)surface, NULL);
    release_spare(s, &surface->base);
}

void api_snapshot_surface(struct snapshot *s, struct surface *surface)
{
    struct level_copy copy;

    if (surface->locked)
        api_snapshot_lacks("what the program writes to a surface that is locked already");
    if (surface->format->layout == TEX_LAYOUT_RAW || surface->user_memory ||
        !copy_level(s, surface, &copy))
        return;
    if (surface->lockable)
        lock_surface(surface, surface, &copy);
    else if (surface->sample_count > 1 || surface->format->layout == TEX_LAYOUT_DEPTH ||
             !api_surface_format_ok(surface->format, IMAGE_PLAIN, D3DPOOL_SYSTEMMEM))
        record_contents(surface, copy.bytes, copy.size);
    else
        update_surface(s, surface, &copy);
    mem_free(copy.bytes);
}

/* --- Buffers ---------------------------------------------------------------------------------- */

void api_snapshot_buffer(struct snapshot *s, struct buffer *buffer)
{
    /* Both kinds of buffers have the same methods. */
    const IDirect3DVertexBuffer9Vtbl *to = snapshot_methods(&buffer->base);
    IDirect3DVertexBuffer9 *iface = (IDirect3DVertexBuffer9 *)buffer;
    size_t size = 0;
    const uint8_t *bytes = cmd_buffer_contents(s->device->stream, buffer->handle, &size);
    void *at = (void *)(uintptr_t)bytes;

    if (buffer->locks)
        api_snapshot_lacks("what the program writes to a buffer that is locked already");
    if (!bytes || is_zero(bytes, size))
        return;
    to->Lock(iface, 0, 0, &at, 0);
    record_memory(at, bytes, size);
    to->Unlock(iface);
}
