/* Managed textures: the application writes system memory, and draws read a device copy that follows
 * the dirty regions (reference: locks/managed).
 *
 * One image serves as both until an application writes a texture that draws have read with
 * D3DLOCK_NO_DIRTY_UPDATE. From then on the image of the levels is the system memory, and
 * texture->image is a separate device copy, which is updated before draws. */
#include "api/memory/managed.h"

#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/dirty.h"
#include "api/memory/memory.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

static bool has_device_copy(const struct texture *texture)
{
    return texture->image != texture->sub[0].image;
}

bool api_managed_has_device_copy(const struct texture *texture)
{
    return has_device_copy(texture);
}

static uint64_t last_drawn(const struct texture *texture)
{
    return cmd_last_read(texture->base.device->stream, texture->image);
}

/* Without a device copy, a draw clears the dirty regions. */
static void clean_after_draw(struct texture *texture)
{
    if (has_device_copy(texture))
        return;
    if (last_drawn(texture) == texture->cleaned_at_read)
        return;
    texture->cleaned_at_read = last_drawn(texture);
    api_dirty_clear_all(texture);
}

void api_mark_dirty(struct texture *texture, uint32_t face, uint32_t level,
                    const struct tex_box *box)
{
    if (pool_managed(texture->pool))
        clean_after_draw(texture);
    api_dirty_add(texture, face, level, box);
}

/* --- Creation of the device copy -------------------------------------------------------------- */

/* Makes draws read another image. */
static enum status bind_image(struct texture *texture, cmd_handle image)
{
    struct device *d = texture->base.device;
    struct cmd_set_texture_lod lod = {image, texture->lod};
    enum status st;

    texture->image = image;
    st = cmd_emit_set_texture_lod(d->stream, &lod, NULL, 0);
    for (unsigned i = 0; i < SAMPLERS && st == ST_OK; i++) {
        struct cmd_set_texture bind = {i, image};

        if (d->state->texture[i] == texture)
            st = cmd_emit_set_texture(d->stream, &bind, NULL, 0);
    }
    d->textures_changed = true;
    return st;
}

static enum status copy_level(struct texture *texture, cmd_handle to, const struct surface *sub,
                              const struct tex_box *box)
{
    struct cmd_copy packet = {
        .dst = {to, sub->face, sub->level},
        .src = surface_ref(sub),
        .x = box->x0,
        .y = box->y0,
        .z = box->z0,
        .box = {box->x0, box->y0, box->z0, box->x1, box->y1, box->z1},
    };

    return cmd_emit_copy(texture->base.device->stream, &packet, NULL, 0);
}

static HRESULT create_device_copy(struct texture *texture)
{
    struct cmd_stream *stream = texture->base.device->stream;
    cmd_handle copy;
    enum status st =
        cmd_create_image(stream, &cmd_image(stream, texture->image)->desc, NULL, &copy);

    if (st != ST_OK)
        return api_hresult(st);
    for (uint32_t i = 0; i < texture->faces * texture->levels && st == ST_OK; i++) {
        const struct surface *sub = &texture->sub[i];

        st = copy_level(texture, copy, sub,
                        &(struct tex_box){0, 0, 0, sub->width, sub->height, sub->depth});
    }
    if (st != ST_OK) {
        cmd_destroy(stream, copy);
        return api_hresult(st);
    }
    texture->stale = texture->generates;
    return api_hresult(bind_image(texture, copy));
}

HRESULT api_managed_separate_device_copy(struct texture *texture)
{
    if (!pool_managed(texture->pool) || has_device_copy(texture))
        return D3D_OK;
    clean_after_draw(texture);
    return api_dirty_is_all(texture) ? D3D_OK : create_device_copy(texture);
}

/* --- Uploads to the device copy --------------------------------------------------------------- */

static enum status upload_face(struct texture *texture, uint32_t face)
{
    enum status st = ST_OK;
    struct tex_box box;

    for (uint32_t level = 0; level < texture->levels; level++) {
        const struct surface *sub = &texture->sub[face * texture->levels + level];

        for (unsigned i = 0; i < texture->dirty[face].count && st == ST_OK; i++)
            if (api_dirty_box(texture, i, sub, sub, &box))
                st = copy_level(texture, texture->image, sub, &box);
    }
    return st;
}

enum status api_managed_upload(struct texture *texture)
{
    enum status st = ST_OK;

    if (!has_device_copy(texture))
        return ST_OK;
    for (uint32_t face = 0; face < texture->faces && st == ST_OK; face++) {
        if (!texture->dirty[face].count)
            continue;
        texture->stale = texture->generates;
        st = upload_face(texture, face);
        if (st == ST_OK)
            texture->dirty[face].count = 0;
    }
    return st;
}

void api_preload_texture(struct texture *texture)
{
    if (!pool_managed(texture->pool))
        return;
    if (has_device_copy(texture)) {
        (void)!api_managed_upload(texture);
        return;
    }
    clean_after_draw(texture);
    api_dirty_clear_all(texture);
}

/* Destroys the device copy; the next draw uploads the whole system memory. */
static void evict(struct texture *texture)
{
    cmd_handle copy = texture->image;

    clean_after_draw(texture);
    if (has_device_copy(texture)) {
        (void)!bind_image(texture, texture->sub[0].image);
        cmd_destroy(texture->base.device->stream, copy);
        texture->cleaned_at_read = last_drawn(texture);
    }
    texture->stale = texture->generates;
    api_dirty_add_all(texture);
}

HRESULT WINAPI device_EvictManagedResources(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    for (struct texture *texture = d->managed; texture; texture = texture->next_managed)
        evict(texture);
    return D3D_OK;
}

/* --- Lifetime --------------------------------------------------------------------------------- */

static void add_to_list(struct texture *texture)
{
    struct device *d = texture->base.device;

    texture->next_managed = d->managed;
    d->managed = texture;
    if (texture->next_managed)
        texture->next_managed->link_managed = &texture->next_managed;
    texture->link_managed = &d->managed;
}

static void remove_from_list(struct texture *texture)
{
    if (!texture->link_managed)
        return;
    *texture->link_managed = texture->next_managed;
    if (texture->next_managed)
        texture->next_managed->link_managed = texture->link_managed;
}

void api_memory_init(struct texture *texture)
{
    texture->stale = texture->generates;
    api_dirty_add_all(texture);
    if (pool_managed(texture->pool))
        add_to_list(texture);
}

void api_memory_fini(struct texture *texture)
{
    remove_from_list(texture);
    if (texture->sub && has_device_copy(texture))
        cmd_destroy(texture->base.device->stream, texture->sub[0].image);
    mem_free(texture->linear);
}
