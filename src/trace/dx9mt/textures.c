/* Textures of a dx9mt frame: uploads their contents where a draw has them.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "tex/format.h"

#include <windows.h>
#include <d3d9.h>

static struct dx9mt_texture *find_texture(const struct dx9mt *d, uint32_t id)
{
    struct dx9mt_texture *textures = d->textures.items;

    for (size_t i = 0; i < d->textures.count; i++)
        if (textures[i].id == id)
            return &textures[i];
    return NULL;
}

uint32_t dx9mt_texture_of(const struct dx9mt *d, uint32_t id)
{
    const struct dx9mt_texture *t = find_texture(d, id);

    return t ? t->object : 0;
}

/* Maps a format to one the viewer supports; 0 if none. The viewer samples the stored alpha of
 * X8R8G8B8. */
static uint32_t format_of(const struct dx9mt *d, uint32_t format)
{
    static const uint32_t viewers[] = {
        D3DFMT_A8R8G8B8, D3DFMT_A8,   D3DFMT_A16B16G16R16F, D3DFMT_R32F,
        D3DFMT_DXT1,     D3DFMT_DXT3, D3DFMT_DXT5,
    };

    if (!d->base.as_viewer)
        return tex_format_get(format) ? format : 0;
    if (format == D3DFMT_X8R8G8B8)
        format = D3DFMT_A8R8G8B8;
    for (size_t i = 0; i < sizeof(viewers) / sizeof(viewers[0]); i++)
        if (viewers[i] == format)
            return format;
    return 0;
}

/* Returns whether the bytes hold all rows. Raises the pitch to at least one row of texels. */
static bool holds(const struct tex_format *f, uint32_t width, uint32_t height, uint32_t *pitch,
                  uint32_t size)
{
    uint64_t row, rows;

    if (!f->block_w || !f->block_h || !width || !height || width > DX9MT_SIDE_MAX ||
        height > DX9MT_SIDE_MAX)
        return false;
    row = ((uint64_t)width + f->block_w - 1) / f->block_w * f->bytes;
    rows = ((uint64_t)height + f->block_h - 1) / f->block_h;
    if (*pitch < row)
        *pitch = (uint32_t)row;
    return (rows - 1) * *pitch + row <= size;
}

static void make_texture(struct dx9mt *d, struct dx9mt_texture *t, const struct dx9mt_texture *want)
{
    uint32_t id = want->id;

    for (unsigned i = 0; t->object && i < DX9MT_SAMPLERS; i++)
        if (d->bound[i] == t->object) {
            CALL(d, CALL_SET_TEXTURE, DX9MT_DEVICE, i, 0);
            d->bound[i] = 0;
        }
    if (t->object)
        CALL(d, CALL_TEXTURE_RELEASE, t->object);
    *t = *want;
    t->id = id;
    t->object = dx9mt_new_object(d);
    CALL(d, CALL_CREATE_TEXTURE, DX9MT_DEVICE, t->width, t->height, 1, D3DUSAGE_DYNAMIC, t->format,
         D3DPOOL_DEFAULT, DX9MT_OUT, t->object, 0, 0);
}

/* Returns the texture that the draw uploads; NULL if it uploads none or an invalid one. */
static struct dx9mt_texture *receive_texture(struct dx9mt *d, const struct dx9mt_draw *draw,
                                             unsigned stage)
{
    const struct dx9mt_texture want = {
        .id = draw->tex_id[stage],
        .generation = draw->tex_generation[stage],
        .format = format_of(d, draw->tex_format[stage]),
        .width = draw->tex_width[stage],
        .height = draw->tex_height[stage],
    };
    uint32_t pitch = draw->tex_pitch[stage], size = draw->tex_bulk_size[stage];
    const uint8_t *bytes = dx9mt_bulk(d, draw->tex_bulk_offset[stage], size);
    struct dx9mt_texture *t;

    if (!bytes || !want.format ||
        !holds(tex_format_get(want.format), want.width, want.height, &pitch, size))
        return NULL;
    t = find_texture(d, want.id);
    if (!t)
        t = dx9mt_list_add(d, &d->textures, sizeof(*t));
    if (!t)
        return NULL;
    if (!t->object || t->format != want.format || t->width != want.width ||
        t->height != want.height)
        make_texture(d, t, &want);
    t->generation = want.generation;
    CALL(d, CALL_LOCK_RECT, t->object, 0, DX9MT_OUT, pitch, 0, 0, 0, 0, 0, 0, 0);
    CALL_WITH(d, DX9MT_OUT, bytes, size, CALL_UNLOCK_RECT, t->object, 0);
    return t;
}

uint32_t dx9mt_use_texture(struct dx9mt *d, const struct dx9mt_draw *draw, unsigned stage)
{
    const struct dx9mt_target *target = dx9mt_target_of_texture(d, draw->tex_id[stage]);
    const struct dx9mt_texture *t;

    if (!draw->tex_id[stage])
        return 0;
    if (target)
        return target->texture;
    t = receive_texture(d, draw, stage);
    return t ? t->object : dx9mt_texture_of(d, draw->tex_id[stage]);
}
