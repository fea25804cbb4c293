/* Copies of whole levels, also of those that applications cannot lock: for captures of one frame.
 *
 * Tested by tests/unit/trace/test_capture_frame.c. */
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <string.h>

/* Rows and slices of the copy. Planar formats keep their pitch: the planes follow from it. */
struct layout {
    size_t row, rows, slices;
};

static struct layout layout_of(const struct tex_image *image, const struct tex_level *level)
{
    const struct tex_format *f = image->format;
    size_t row = (size_t)((level->width + f->block_w - 1) / f->block_w) * f->bytes;

    return (struct layout){
        .row = f->layout == TEX_LAYOUT_PLANAR ? level->row_pitch : row,
        .rows = tex_slice_rows(f, level->height),
        .slices = (size_t)level->depth * (image->desc.samples > 1 ? image->desc.samples : 1),
    };
}

static void copy_rows(const struct layout *l, const struct tex_level *level, uint8_t *copy,
                      bool restore)
{
    for (size_t z = 0; z < l->slices; z++) {
        for (size_t y = 0; y < l->rows; y++, copy += l->row) {
            uint8_t *row = level->data + z * level->slice_pitch + y * level->row_pitch;

            memcpy(restore ? row : copy, restore ? copy : row, l->row);
        }
    }
}

/* The level's image, or one as the program asked for, which close_level destroys. */
static enum status open_level(const struct surface *surface, struct cmd_surface *out)
{
    enum status st;

    *out = surface_ref(surface);
    if (!surface->altered)
        return ST_OK;
    *out = (struct cmd_surface){0};
    st = api_copy_as_asked(surface, &out->image);
    if (st != ST_OK)
        cmd_destroy(surface->base.device->stream, out->image);
    return st;
}

static void close_level(const struct surface *surface, const struct cmd_surface *level)
{
    if (level->image != surface->image)
        cmd_destroy(surface->base.device->stream, level->image);
}

HRESULT api_copy_level(const struct surface *surface, struct level_copy *out)
{
    struct cmd_stream *stream = surface->base.device->stream;
    struct cmd_surface from;
    struct tex_level level;
    struct layout l;
    enum status st = open_level(surface, &from);

    *out = (struct level_copy){0};
    if (st == ST_OK)
        st = cmd_map_image(stream, from.image, from.face, from.level, CMD_MAP_READ, &level);
    if (st != ST_OK)
        return api_hresult(st);
    l = layout_of(cmd_image(stream, from.image), &level);
    out->size = l.slices * l.rows * l.row;
    out->row_pitch = (uint32_t)l.row;
    out->slice_pitch = (uint32_t)(l.rows * l.row);
    out->bytes = mem_alloc(out->size ? out->size : 1);
    if (out->bytes)
        copy_rows(&l, &level, out->bytes, false);
    cmd_unmap_image(stream, from.image, from.face, from.level, false);
    close_level(surface, &from);
    return out->bytes ? D3D_OK : E_OUTOFMEMORY;
}

bool api_restore_level(struct surface *surface, const void *bytes, size_t size)
{
    struct cmd_stream *stream = surface->base.device->stream;
    const struct tex_box all = {0, 0, 0, surface->width, surface->height, 1};
    struct cmd_surface to;
    struct tex_level level;
    struct layout l;
    bool fits;

    if (open_level(surface, &to) != ST_OK ||
        cmd_map_image(stream, to.image, to.face, to.level, CMD_MAP_READ | CMD_MAP_WRITE, &level) !=
            ST_OK)
        return false;
    l = layout_of(cmd_image(stream, to.image), &level);
    fits = size == l.slices * l.rows * l.row;
    if (fits)
        copy_rows(&l, &level, (uint8_t *)(uintptr_t)bytes, true);
    cmd_unmap_image(stream, to.image, to.face, to.level, fits);
    if (fits && surface->altered)
        fits = api_store_as_asked(surface, to.image, &all) == ST_OK;
    close_level(surface, &to);
    if (fits)
        api_mark_written(surface);
    return fits;
}
