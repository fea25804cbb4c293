/* Locks of surfaces and volumes: rectangles, flags and call order; reads by the API; device
 * contexts. */
#include "api/memory/lock_layout.h"
#include "api/memory/managed.h"
#include "api/memory/memory.h"
#include "api/com/refused.h"

/* --- Locks of surfaces and volumes ------------------------------------------------------------ */

/* Refuses contradicting flags in the DEFAULT pool, where DISCARD has a meaning
 * (reference: locks/flags). */
static bool flags_ok(const struct surface *surface, DWORD flags)
{
    return surface->pool != D3DPOOL_DEFAULT || !(flags & D3DLOCK_DISCARD) ||
           !(flags & D3DLOCK_READONLY);
}

static bool marks_dirty(DWORD flags)
{
    return !(flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE));
}

/* Maps the level. box: the region in pixels that the application will write. */
static HRESULT open_lock(struct surface *surface, const struct tex_box *box, DWORD flags,
                         struct level_view *view)
{
    HRESULT hr = D3D_OK;

    if (surface->texture && (flags & D3DLOCK_NO_DIRTY_UPDATE) && !(flags & D3DLOCK_READONLY))
        hr = api_managed_separate_device_copy(surface->texture);
    if (SUCCEEDED(hr))
        hr = api_map_level(surface, flags, view);
    if (FAILED(hr))
        return hr;
    surface->locked = true;
    surface->locked_box = *box;
    surface->group->locks++;
    surface->read_only = flags & D3DLOCK_READONLY;
    if (surface->texture && marks_dirty(flags))
        api_mark_dirty(surface->texture, surface->face, surface->level, box);
    return D3D_OK;
}

static HRESULT close_lock(struct surface *surface)
{
    api_unmap_level(surface);
    surface->locked = false;
    surface->group->locks--;
    if (!surface->read_only)
        api_mark_written(surface);
    return D3D_OK;
}

void api_lock_drop(struct surface *surface)
{
    if (surface->locked)
        close_lock(surface);
}

/* --- Rectangles ------------------------------------------------------------------------------- */

/* Computes the locked box. DEFAULT resources refuse invalid rectangles. Other pools accept any
 * rectangle and compute the address from it (reference: locks/rectangles); the whole level is dirty
 * then. */
static bool rect_allowed(const struct surface *surface, const RECT *rect, struct tex_box *box)
{
    if (api_surface_box(surface, rect, box))
        return surface->pool != D3DPOOL_DEFAULT || api_format_is_ati(surface->format) ||
               api_box_aligned(surface->format, box, surface->width, surface->height);
    return surface->pool != D3DPOOL_DEFAULT;
}

HRESULT api_lock_rect(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect, DWORD flags)
{
    struct level_view view;
    struct tex_box box;
    HRESULT hr;

    if (out && !surface->lockable)
        return api_refused(D3DERR_INVALIDCALL,
                           surface->chain ? "LockRect of a back buffer" : "LockRect",
                           surface->format->d3d, "created without the right to lock it");
    if (!out || surface->locked || surface->group->dc_out || !flags_ok(surface, flags) ||
        !rect_allowed(surface, rect, &box))
        return D3DERR_INVALIDCALL;
    hr = open_lock(surface, &box, flags, &view);
    if (FAILED(hr))
        return hr;
    out->Pitch = (INT)view.row_pitch;
    out->pBits = view.bits;
    if (rect) /* may wrap */
        out->pBits = (void *)((uintptr_t)view.bits +
                              (uintptr_t)(rect->top / (LONG)view.block_h) * view.row_pitch +
                              (uintptr_t)(rect->left / (LONG)view.block_w) * view.bytes);
    return D3D_OK;
}

HRESULT api_unlock_rect(struct surface *surface, bool by_texture)
{
    if (!surface->lockable)
        return D3DERR_INVALIDCALL;
    if (surface->group->dc_out)
        return D3D_OK; /* and does nothing (reference: locks/dc) */
    if (surface->locked)
        return close_lock(surface);
    /* A second unlock is an error on plain and cube surfaces, but not on 2D textures. */
    return by_texture || (surface->texture && surface->texture->shape == TEX_2D)
               ? D3D_OK
               : D3DERR_INVALIDCALL;
}

/* --- Device contexts -------------------------------------------------------------------------- */

HRESULT api_lock_dc(struct surface *surface, D3DLOCKED_RECT *out)
{
    HRESULT hr;

    if (surface->group->dc_out || surface->group->locks)
        return D3DERR_INVALIDCALL;
    hr = api_lock_rect(surface, out, NULL, 0);
    if (SUCCEEDED(hr))
        surface->group->dc_out = true;
    return hr;
}

/* Marks the surface dirty again: a draw after GetDC may have uploaded it already. */
HRESULT api_unlock_dc(struct surface *surface)
{
    struct tex_box all;

    surface->group->dc_out = false;
    api_surface_box(surface, NULL, &all);
    if (surface->texture)
        api_mark_dirty(surface->texture, surface->face, surface->level, &all);
    return close_lock(surface);
}

/* --- Volumes ---------------------------------------------------------------------------------- */

static bool box_allowed(const struct surface *volume, const D3DBOX *in, struct tex_box *box)
{
    return api_volume_box(volume, in, box) &&
           (volume->format->layout != TEX_LAYOUT_BLOCK || api_format_is_ati(volume->format) ||
            api_box_aligned(volume->format, box, volume->width, volume->height));
}

HRESULT api_lock_box(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *in, DWORD flags)
{
    struct level_view view;
    struct tex_box box;
    HRESULT hr;

    if (!out)
        return D3DERR_INVALIDCALL;
    if (!volume->lockable) {
        out->pBits = NULL;
        return D3DERR_INVALIDCALL;
    }
    if (volume->locked || !flags_ok(volume, flags) || !box_allowed(volume, in, &box))
        return D3DERR_INVALIDCALL;
    hr = open_lock(volume, &box, flags, &view);
    if (FAILED(hr))
        return hr;
    out->RowPitch = (INT)view.row_pitch;
    out->SlicePitch = (INT)view.slice_pitch;
    out->pBits = view.bits + (size_t)box.z0 * view.slice_pitch +
                 (size_t)(box.y0 / view.block_h) * view.row_pitch +
                 (size_t)(box.x0 / view.block_w) * view.bytes;
    return D3D_OK;
}

HRESULT api_unlock_box(struct surface *volume)
{
    return volume->lockable && volume->locked ? close_lock(volume) : D3DERR_INVALIDCALL;
}

/* --- Reads by the API ------------------------------------------------------------------------- */

HRESULT api_read_begin(struct surface *surface, struct level_view *view)
{
    return api_map_level(surface, D3DLOCK_READONLY, view);
}

void api_read_end(struct surface *surface)
{
    surface->read_only = true;
    api_unmap_level(surface);
}
