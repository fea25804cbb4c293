/* Access to the bytes of textures, surfaces and volumes: locks, dirty regions, managed textures and
 * shared images. */
#ifndef API_MEMORY_MEMORY_H
#define API_MEMORY_MEMORY_H

#include "api/memory/resource.h"

struct cmd_stream;

/* --- lock.c ----------------------------------------------------------------------------------- */

HRESULT api_surface_lock(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect,
                         DWORD flags);
/* by_texture: called on the container, which tolerates a second unlock. */
HRESULT api_surface_unlock(struct surface *surface, bool by_texture);
HRESULT api_volume_lock(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *box, DWORD flags);
HRESULT api_volume_unlock(struct surface *volume);
/* Ends an open lock before the level is destroyed. */
void api_lock_drop(struct surface *surface);
/* Called after every write: marks AUTOGENMIPMAP levels as out of date. */
void api_surface_written(struct surface *surface);

/* --- lock_layout.c ---------------------------------------------------------------------------- */

/* A mapped level in the layout that applications see; one block is `bytes` long. */
struct level_view {
    uint8_t *bits;
    uint32_t row_pitch, slice_pitch;
    uint32_t block_w, block_h, bytes;
};
HRESULT api_map_level(struct surface *surface, DWORD flags, struct level_view *view);
/* Writes a copy back, unless surface->read_only. */
void api_unmap_level(struct surface *surface);
/* Copies user memory to the image before reads of the image, and back after writes. Surfaces
 * without user memory need neither. */
HRESULT api_surface_load_user(struct surface *surface);
HRESULT api_surface_store_user(struct surface *surface);

/* --- dirty.c ---------------------------------------------------------------------------------- */

/* Adds a box of a level to the dirty region. */
void api_texture_dirty(struct texture *texture, uint32_t face, uint32_t level,
                       const struct tex_box *box);
void api_texture_all_dirty(struct texture *texture);
void api_texture_clean(struct texture *texture);
bool api_texture_is_all_dirty(const struct texture *texture);
/* Projects a dirty box to a level, extends it to whole blocks and clips it to both surfaces; false:
 * empty. */
bool api_dirty_in_level(const struct tex_box *dirty, uint32_t level, const struct surface *src,
                        const struct surface *dst, struct tex_box *out);

/* --- managed.c: managed textures; does nothing for others ------------------------------------- */

void api_managed_add(struct texture *texture);
void api_managed_remove(struct texture *texture);
/* Whether draws read another image than locks write. */
bool api_managed_has_device_copy(const struct texture *texture);
/* Called before a lock with D3DLOCK_NO_DIRTY_UPDATE: draws shall not see its writes until a dirty
 * region covers them. */
HRESULT api_managed_separate_device_copy(struct texture *texture);
/* Called before a dirty region grows. */
void api_managed_before_dirty(struct texture *texture);
/* Uploads the dirty regions to the device copy. */
MUST_CHECK enum status api_managed_upload(struct texture *texture);
void api_managed_preload(struct texture *texture);

/* --- shared.c --------------------------------------------------------------------------------- */

/* Creates or opens a shared image (reference: resources/shared).
 *
 * *handle NULL: creates a zeroed image and returns its handle, which is valid while any device has
 * the image. Otherwise opens the image, whose description must be equal. D3DERR_INVALIDCALL:
 * unknown handle or other description. E_OUTOFMEMORY: out of memory. */
HRESULT api_shared_image(struct cmd_stream *stream, const struct tex_desc *desc, HANDLE *handle,
                         cmd_handle *out);

#endif
