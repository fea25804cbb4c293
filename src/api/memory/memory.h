/* Who may touch the bytes of a texture, surface, volume or buffer. Every access goes through this
 * module: locks, device contexts, what the renderer reads and writes, and uploads.
 *
 * Where the bytes are:
 *   image          the level's image in the command stream. Locks return its memory, after they
 *                  waited for the renderer (cmd/map.c).
 *   device copy    second image of a managed texture: draws read it, locks write the first one. It
 *                  exists from the first lock with D3DLOCK_NO_DIRTY_UPDATE of a texture that draws
 *                  have read, until EvictManagedResources.
 *   user memory    the application's own. Locks return it; the image is a copy, which is loaded
 *                  before the renderer reads, and stored after it wrote.
 *   staging        the blocks of a locked ATI1 or ATI2 level, packed as Direct3D promises. Unlock
 *                  writes them to the image.
 *   altered        the image has another size or sample count than the program asked for (settings
 *                  RENDER_SCALE and SAMPLES). Locks return a copy as it asked for.
 *   shared memory  of the system: the image of a shared resource lies in it, and all devices that
 *                  opened it touch it at any time.
 *
 * A level is locked or not. The application owns a locked level: calls that copy refuse it, but
 * draws may use it. The dirty region of a texture has the boxes that were written since the last
 * upload: locks and AddDirtyRect add boxes; draws, UpdateTexture and PreLoad take them. Generated
 * mip levels are stale from a write to level 0 until the next draw.
 *
 * Calls inside the module go down: lock.c and use.c call managed.c and lock_layout.c, and managed.c
 * calls dirty.c. The list of managed textures in struct device belongs to this module too. */
#ifndef API_MEMORY_MEMORY_H
#define API_MEMORY_MEMORY_H

#include "api/memory/resource.h"

struct cmd_stream;

/* --- Locks ------------------------------------------------------------------------------------ */

HRESULT api_lock_rect(struct surface *surface, D3DLOCKED_RECT *out, const RECT *rect, DWORD flags);
/* by_texture: called on the container, which tolerates a second unlock. */
HRESULT api_unlock_rect(struct surface *surface, bool by_texture);
HRESULT api_lock_box(struct surface *volume, D3DLOCKED_BOX *out, const D3DBOX *box, DWORD flags);
HRESULT api_unlock_box(struct surface *volume);
/* For a device context, while which the lock group has no other lock and no other context. */
HRESULT api_lock_dc(struct surface *surface, D3DLOCKED_RECT *out);
HRESULT api_unlock_dc(struct surface *surface);
/* Ends an open lock before the level is destroyed. */
void api_lock_drop(struct surface *surface);
HRESULT api_lock_buffer(struct buffer *buffer, UINT offset, UINT size, void **out, DWORD flags);
HRESULT api_unlock_buffer(struct buffer *buffer);
void api_lock_drop_buffer(struct buffer *buffer);

/* A mapped level in the layout that applications see; one block is `bytes` long. */
struct level_view {
    uint8_t *bits;
    uint32_t row_pitch, slice_pitch;
    uint32_t block_w, block_h, bytes;
};
/* Lets the API itself read a level that is not locked. */
HRESULT api_read_begin(struct surface *surface, struct level_view *view);
void api_read_end(struct surface *surface);

/* A copy of a level: all slices or samples, and the rows of blocks that are in each, without
 * padding. */
struct level_copy {
    uint8_t *bytes; /* mem_free it */
    size_t size;
    uint32_t row_pitch, slice_pitch;
};
/* Waits for the draws that change the level. Of a locked level it is what was there before. */
HRESULT api_copy_level(const struct surface *surface, struct level_copy *out);
/* Writes a copy back. False: it has another size, or memory ran out. */
bool api_restore_level(struct surface *surface, const void *bytes, size_t size);

/* --- Uses by the renderer --------------------------------------------------------------------- */

/* Before a copy reads the level: loads user memory into the image. */
HRESULT api_before_read(struct surface *surface);
/* After the renderer wrote the level, or an unlock: generated mip levels are stale. */
static inline void api_mark_written(struct surface *surface)
{
    if (surface->texture && !surface->level)
        surface->texture->stale = true;
}
/* After a copy that the application may read back: stores the image into user memory. */
HRESULT api_store_user(struct surface *surface);
/* Whether api_before_draw may have work. The answer changes only with the device copy, which sets
 * device->textures_changed. */
bool api_checks_before_draw(const struct texture *texture);
/* Before a draw that samples the texture: loads user memory, uploads the dirty region to the device
 * copy, and generates stale mip levels. */
MUST_CHECK enum status api_before_draw(struct texture *texture);
MUST_CHECK enum status api_generate_mips(struct texture *texture);
/* Filter of generated mip levels; another one makes them stale. */
void api_set_mip_filter(struct texture *texture, D3DTEXTUREFILTERTYPE filter);

/* --- Dirty regions ---------------------------------------------------------------------------- */

/* Adds a box of a level to the dirty region. */
void api_mark_dirty(struct texture *texture, uint32_t face, uint32_t level,
                    const struct tex_box *box);
/* UpdateTexture: the i-th dirty box of a face, projected to level `from`, extended to whole blocks,
 * and clipped to both surfaces; false: empty. */
bool api_dirty_box(const struct texture *texture, unsigned i, const struct surface *from,
                   const struct surface *to, struct tex_box *out);
static inline unsigned api_dirty_count(const struct texture *texture, uint32_t face)
{
    return texture->dirty[face].count;
}
static inline void api_clear_dirty(struct texture *texture, uint32_t face)
{
    texture->dirty[face].count = 0;
}

/* --- Altered surfaces (altered.c) -------------------------------------------------------------
 *
 * Targets of the back buffer's size may be rendered at another size, or with another number of
 * samples, than the program asked for. Nothing else than an image's description and the members
 * stored_* of its surfaces tell so. Boxes of copies go through api_stored_box. */

/* Sets size, samples and scale of a target's image in desc; `texture` is never multisampled. Sets
 * the stored size in *width and *height. */
void api_alter_desc(const struct device *device, bool depth, bool texture, struct tex_desc *desc,
                    uint32_t *width, uint32_t *height);
/* Sets the members stored_* of a surface whose program's members are set. width and height are
 * those of level 0. */
void api_set_stored(struct surface *surface, uint32_t width, uint32_t height, uint32_t samples);
/* The box of the image for a box of the program's pixels; never empty unless that one is. */
struct tex_box api_stored_box(const struct surface *surface, const struct tex_box *box);
/* The whole surface in the program's pixels, and in those of its image. */
struct cmd_box api_whole_box(const struct surface *surface);
struct cmd_box api_whole_stored_box(const struct surface *surface);
/* Creates an image as the program asked for, with the contents of an altered surface. The caller
 * destroys it. */
MUST_CHECK enum status api_copy_as_asked(const struct surface *surface, cmd_handle *out);
/* The inverse, for a box of the program's pixels. */
MUST_CHECK enum status api_store_as_asked(const struct surface *surface, cmd_handle image,
                                          const struct tex_box *box);
/* Gives a surface with more samples than the program asked for the program's number. */
MUST_CHECK enum status api_drop_added_samples(struct surface *surface);

/* --- Lifetime --------------------------------------------------------------------------------- */

/* Last step of creating a texture: all of it is dirty, and managed textures enter the list of the
 * device. */
void api_memory_init(struct texture *texture);
/* Frees all memory of a texture, half-created ones included, except its image. */
void api_memory_fini(struct texture *texture);
/* Uploads a managed texture before a draw needs it. */
void api_preload_texture(struct texture *texture);

/* Creates or opens a shared image (reference: resources/shared).
 *
 * *handle NULL: creates a zeroed image and returns its handle, which is valid while any device has
 * the image. Otherwise opens the image, whose description must be equal. D3DERR_INVALIDCALL:
 * unknown handle or other description. E_OUTOFMEMORY: out of memory. */
HRESULT api_shared_image(struct cmd_stream *stream, const struct tex_desc *desc, HANDLE *handle,
                         cmd_handle *out);

#endif
