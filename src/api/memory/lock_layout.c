/* Memory of locks: the image's own, user memory, or a repacked copy for formats whose Direct3D
 * layout differs from the renderer's. */
#include "api/memory/lock_layout.h"

#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/memory/slow.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <string.h>

enum { FACE_ALIGN = 16 };

static unsigned map_flags(const struct surface *surface, DWORD flags)
{
    unsigned map = flags & D3DLOCK_READONLY ? CMD_MAP_READ : CMD_MAP_READ | CMD_MAP_WRITE;
    bool dynamic = surface->pool == D3DPOOL_DEFAULT && (surface->usage & D3DUSAGE_DYNAMIC);

    if (dynamic && (flags & D3DLOCK_DISCARD) && !(flags & D3DLOCK_READONLY))
        map |= CMD_MAP_DISCARD;
    if (flags & D3DLOCK_DONOTWAIT)
        map |= CMD_MAP_TRY;
    return map; /* NOOVERWRITE applies to buffers only (reference: locks/flags) */
}

/* --- Tightly packed blocks -------------------------------------------------------------------- */

/* Bytes of a row of blocks, and of the whole level. */
static size_t packed_row(const struct surface *surface)
{
    const struct tex_format *format = surface->format;

    return (size_t)((surface->width + format->block_w - 1) / format->block_w) * format->bytes;
}

static size_t packed_bytes(const struct surface *surface)
{
    return packed_row(surface) * tex_slice_rows(surface->format, surface->height) * surface->depth;
}

/* The slice pitch that Direct3D reports for ATI1 and ATI2: one byte a pixel (reference: locks/ati).
 * Slices whose blocks take more do not overlap. */
static size_t reported_slice(const struct surface *surface)
{
    size_t reported = (size_t)surface->width * surface->height;
    size_t packed = packed_bytes(surface) / surface->depth;

    return surface->depth > 1 && packed > reported ? packed : reported;
}

static size_t reported_bytes(const struct surface *surface)
{
    return reported_slice(surface) * surface->depth;
}

/* Copies at most `limit` bytes of tightly packed blocks from or to a level. Slices of ATI1 and ATI2
 * are a reported slice pitch apart. */
static void copy_packed(const struct surface *surface, const struct tex_level *level,
                        uint8_t *packed, size_t limit, bool to_level)
{
    size_t row = packed_row(surface);
    uint8_t *start = packed;

    for (uint32_t z = 0; z < surface->depth; z++) {
        uint8_t *image = level->data + (size_t)z * level->slice_pitch;

        if (api_format_is_ati(surface->format))
            packed = start + z * reported_slice(surface);
        for (uint32_t y = 0; y < tex_block_rows(surface->format, surface->height); y++) {
            size_t n = row < limit ? row : limit;

            if (to_level)
                memcpy(image, packed, n);
            else
                memcpy(packed, image, n);
            image += level->row_pitch;
            packed += n;
            limit -= n;
        }
    }
}

/* As copy_packed, for planes behind one another: the rows of chroma have half the pitch. */
static void copy_planes(const struct surface *surface, const struct tex_level *level,
                        uint8_t *packed, bool to_level)
{
    const struct tex_box all = {0, 0, 0, surface->width, surface->height, 1};
    struct tex_level tight = *level;

    tight.data = packed;
    tight.row_pitch = (uint32_t)packed_row(surface);
    tex_copy(surface->format, to_level ? level : &tight, 0, 0, 0, to_level ? &tight : level, &all);
}

/* Copies between the image and external memory. */
static HRESULT transfer(struct surface *surface, uint8_t *packed, size_t limit, bool load)
{
    struct cmd_stream *stream = surface->base.device->stream;
    struct tex_level level;
    enum status st = cmd_map_image(stream, surface->image, surface->face, surface->level,
                                   load ? CMD_MAP_WRITE : CMD_MAP_READ, &level);

    if (st != ST_OK)
        return api_hresult(st);
    if (surface->format->layout == TEX_LAYOUT_PLANAR)
        copy_planes(surface, &level, packed, load);
    else
        copy_packed(surface, &level, packed, limit, load);
    cmd_unmap_image(stream, surface->image, surface->face, surface->level, load);
    return D3D_OK;
}

/* --- User memory ------------------------------------------------------------------------------ */

/* Stops at the size that the layout promises: ATI2 blocks can take more. */
static HRESULT transfer_user_memory(struct surface *surface, bool load)
{
    size_t bytes =
        api_format_is_ati(surface->format) ? reported_bytes(surface) : packed_bytes(surface);

    return surface->user_memory ? transfer(surface, surface->user_memory, bytes, load) : D3D_OK;
}

HRESULT api_before_read(struct surface *surface)
{
    return transfer_user_memory(surface, true);
}

HRESULT api_store_user(struct surface *surface)
{
    return transfer_user_memory(surface, false);
}

/* --- ATI1 and ATI2 ---------------------------------------------------------------------------- */

/* Applications see the levels of ATI1 and ATI2 behind one another at one byte a pixel. The blocks
 * of small levels take more: writing a level there would overwrite its neighbour. So a lock returns
 * an address inside `linear`, or a buffer of its own where an overlapping level is locked too. */

static size_t linear_offset(const struct texture *texture, const struct surface *surface)
{
    size_t offset = 0;

    for (const struct surface *sub = texture->sub; sub < surface; sub++) {
        offset += reported_bytes(sub);
        if (sub->level + 1 == texture->levels)
            offset = (offset + FACE_ALIGN - 1) & ~(size_t)(FACE_ALIGN - 1);
    }
    return offset;
}

/* Applications may write the reported size or all blocks, whichever is larger. */
static size_t staging_bytes(const struct surface *surface)
{
    size_t reported = reported_bytes(surface), packed = packed_bytes(surface);

    return reported > packed ? reported : packed;
}

static bool reserve_linear(struct texture *texture)
{
    size_t bytes = 0;

    if (texture->linear)
        return true;
    for (uint32_t i = 0; i < texture->faces * texture->levels; i++) {
        const struct surface *sub = &texture->sub[i];
        size_t end = linear_offset(texture, sub) + staging_bytes(sub);

        bytes = end > bytes ? end : bytes;
    }
    texture->linear = mem_calloc(1, bytes);
    return texture->linear != NULL;
}

static bool overlaps_locked_level(const struct texture *texture, const struct surface *surface)
{
    const uint8_t *start = texture->linear + linear_offset(texture, surface);
    const uint8_t *end = start + staging_bytes(surface);

    for (uint32_t i = 0; i < texture->faces * texture->levels; i++) {
        const struct surface *other = &texture->sub[i];

        if (other->staging && !other->own_staging && other->staging < end &&
            other->staging + staging_bytes(other) > start)
            return true;
    }
    return false;
}

static HRESULT open_staging(struct surface *surface)
{
    struct texture *texture = surface->pool != D3DPOOL_DEFAULT ? surface->texture : NULL;
    HRESULT hr;

    if (texture && !reserve_linear(texture))
        return E_OUTOFMEMORY;
    surface->own_staging = !texture || overlaps_locked_level(texture, surface);
    surface->staging = surface->own_staging ? mem_calloc(1, staging_bytes(surface))
                                            : texture->linear + linear_offset(texture, surface);
    if (!surface->staging)
        return E_OUTOFMEMORY;
    hr = transfer(surface, surface->staging, SIZE_MAX, false);
    if (FAILED(hr) && surface->own_staging)
        mem_free(surface->staging);
    if (FAILED(hr))
        surface->staging = NULL;
    return hr;
}

static void close_staging(struct surface *surface)
{
    if (!surface->read_only)
        (void)!transfer(surface, surface->staging, SIZE_MAX, true);
    if (surface->own_staging)
        mem_free(surface->staging);
    surface->staging = NULL;
}

/* --- Mapping of levels ------------------------------------------------------------------------ */

static HRESULT view_staging(struct surface *surface, struct level_view *view)
{
    HRESULT hr = open_staging(surface);

    *view = (struct level_view){.bits = surface->staging,
                                .row_pitch = surface->width,
                                .slice_pitch = (uint32_t)reported_slice(surface),
                                .block_w = 1,
                                .block_h = 1,
                                .bytes = 1};
    return hr;
}

/* Maps a copy as the program asked for. Maps that must not wait would never see it ready. */
static enum status map_as_asked(struct surface *surface, DWORD flags, struct tex_level *level)
{
    struct cmd_stream *stream = surface->base.device->stream;
    enum status st = api_copy_as_asked(surface, &surface->as_asked);

    if (st == ST_OK)
        st = cmd_map_image(stream, surface->as_asked, 0, 0,
                           map_flags(surface, flags & ~(DWORD)D3DLOCK_DONOTWAIT), level);
    if (st == ST_OK)
        return ST_OK;
    cmd_destroy(stream, surface->as_asked);
    surface->as_asked = 0;
    return st;
}

static void unmap_as_asked(struct surface *surface)
{
    struct cmd_stream *stream = surface->base.device->stream;

    cmd_unmap_image(stream, surface->as_asked, 0, 0, !surface->read_only);
    if (!surface->read_only)
        (void)!api_store_as_asked(surface, surface->as_asked, &surface->locked_box);
    cmd_destroy(stream, surface->as_asked);
    surface->as_asked = 0;
}

HRESULT api_map_level(struct surface *surface, DWORD flags, struct level_view *view)
{
    const struct tex_format *format = surface->format;
    struct cmd_stream *stream = surface->base.device->stream;
    bool ati = api_format_is_ati(format);
    struct tex_level level;
    enum status st;
    uint64_t waits;

    if (ati && !surface->user_memory)
        return view_staging(surface, view);
    *view = (struct level_view){.bits = surface->user_memory,
                                .row_pitch = ati ? surface->width : (uint32_t)packed_row(surface),
                                .block_w = ati ? 1 : format->block_w,
                                .block_h = ati ? 1 : format->block_h,
                                .bytes = ati ? 1 : format->bytes};
    if (surface->user_memory)
        return D3D_OK;
    waits = cmd_waits(stream).n;
    st = surface->altered ? map_as_asked(surface, flags, &level)
                          : cmd_map_image(stream, surface->image, surface->face, surface->level,
                                          map_flags(surface, flags), &level);
    if (st != ST_OK)
        return api_hresult(st);
    api_note_slow_level(surface, waits);
    view->bits = level.data;
    view->row_pitch = level.row_pitch;
    view->slice_pitch = level.slice_pitch;
    return D3D_OK;
}

void api_unmap_level(struct surface *surface)
{
    if (surface->user_memory)
        return;
    if (surface->staging)
        close_staging(surface);
    else if (surface->as_asked)
        unmap_as_asked(surface);
    else
        cmd_unmap_image(surface->base.device->stream, surface->image, surface->face, surface->level,
                        !surface->read_only);
}
