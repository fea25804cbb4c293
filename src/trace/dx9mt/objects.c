/* Objects of a dx9mt frame: render targets, textures, and objects cached by their bytes.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include "tex/format.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <windows.h>
#include <d3d9.h>

#include <string.h>

enum { SIDE_MAX = 8192, CACHED_MAX = 4096 };
#define TARGET_BYTES_MAX ((uint64_t)1 << 30) /* of all targets, at 8 + 4 bytes per pixel */

uint32_t dx9mt_new_object(struct dx9mt *d)
{
    d->next_object += 16;
    return d->next_object;
}

/* Appends a zeroed item; returns NULL if out of memory. */
static void *list_add(struct dx9mt *d, struct dx9mt_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        void *bigger = mem_realloc(list->items, room * size);

        if (!bigger) {
            d->no_memory = true;
            return NULL;
        }
        list->items = bigger;
        list->room = room;
    }
    return memset((char *)list->items + list->count++ * size, 0, size);
}

void dx9mt_objects_fini(struct dx9mt *d)
{
    mem_free(d->textures.items);
    mem_free(d->targets.items);
    mem_free(d->cached.items);
    mem_free(d->buffers.items);
}

/* --- Targets ---------------------------------------------------------------------------------- */

static struct dx9mt_target *target_at(const struct dx9mt *d, size_t i)
{
    return (struct dx9mt_target *)d->targets.items + i;
}

struct dx9mt_target *dx9mt_target_of_surface(struct dx9mt *d, uint32_t id)
{
    for (size_t i = 0; i < d->targets.count; i++)
        if (target_at(d, i)->id == id)
            return target_at(d, i);
    return NULL;
}

struct dx9mt_target *dx9mt_target_of_texture(struct dx9mt *d, uint32_t texture_id)
{
    for (size_t i = d->targets.count; texture_id && i-- > 0;)
        if (target_at(d, i)->texture_id == texture_id)
            return target_at(d, i);
    return NULL;
}

static void clear(struct dx9mt *d, uint32_t flags, uint32_t colour, float z, uint32_t stencil)
{
    uint32_t z_bits;

    memcpy(&z_bits, &z, 4);
    CALL(d, CALL_CLEAR, DX9MT_DEVICE, 0, 0, 0, 0, 0, 0, flags, colour, z_bits, stencil);
}

static void select_target(struct dx9mt *d, const struct dx9mt_target *t)
{
    CALL(d, CALL_SET_RENDER_TARGET, DX9MT_DEVICE, 0, t->surface);
    CALL(d, CALL_SET_DEPTH, DX9MT_DEVICE, t->depth);
}

static uint64_t target_size(const struct dx9mt_target *t)
{
    return (uint64_t)t->width * t->height * 12;
}

static void release_target(struct dx9mt *d, struct dx9mt_target *t)
{
    for (unsigned i = 0; i < DX9MT_SAMPLERS; i++)
        if (d->bound[i] == t->texture) {
            CALL(d, CALL_SET_TEXTURE, DX9MT_DEVICE, i, 0);
            d->bound[i] = 0;
        }
    CALL(d, CALL_SURFACE_RELEASE, t->surface);
    CALL(d, CALL_TEXTURE_RELEASE, t->texture);
    CALL(d, CALL_SURFACE_RELEASE, t->depth);
    d->target_bytes -= target_size(t);
}

/* The previous contents of a target are unknown: it starts black with depth 1. */
static void make_target(struct dx9mt *d, struct dx9mt_target *t)
{
    t->texture = dx9mt_new_object(d);
    t->surface = dx9mt_new_object(d);
    t->depth = dx9mt_new_object(d);
    CALL(d, CALL_CREATE_TEXTURE, DX9MT_DEVICE, t->width, t->height, 1, D3DUSAGE_RENDERTARGET,
         t->format, D3DPOOL_DEFAULT, DX9MT_OUT, t->texture, 0, 0);
    CALL(d, CALL_GET_SURFACE_LEVEL, t->texture, 0, DX9MT_OUT, t->surface);
    CALL(d, CALL_CREATE_DEPTH, DX9MT_DEVICE, t->width, t->height,
         d->base.as_viewer ? D3DFMT_D32F_LOCKABLE : D3DFMT_D24S8, 0, 0, 0, DX9MT_OUT, t->depth, 0,
         0);
    d->target_bytes += target_size(t);
    select_target(d, t);
    if (!d->base.as_viewer)
        clear(d, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1.0f, 0);
}

/* Takes the target's description from the draw, else from the header for the presented target. */
static struct dx9mt_target describe(const struct dx9mt *d, const struct dx9mt_draw *draw)
{
    struct dx9mt_target t = {
        .id = draw->render_target_id,
        .texture_id = draw->render_target_texture_id,
        .format = draw->render_target_format,
        .width = draw->render_target_width,
        .height = draw->render_target_height,
    };
    bool screen = t.id == d->header.present_render_target_id;

    if (!t.width || !t.height || (screen && d->base.as_viewer)) {
        t.width = d->header.width ? d->header.width : 1280;
        t.height = d->header.height ? d->header.height : 720;
    }
    if (!t.format || (d->base.as_viewer && (screen || t.format == D3DFMT_X8R8G8B8)))
        t.format = D3DFMT_A8R8G8B8;
    return t;
}

/* The viewer clears every target; Direct3D clears only the target of Clear, the presented one. The
 * file does not tell when the depth of other targets was last cleared. They are cleared here,
 * because a frame rarely uses the depth of an earlier frame. */
static void start_target(struct dx9mt *d, const struct dx9mt_target *t, bool stretch)
{
    const struct dx9mt_header *h = &d->header;
    bool screen = t->id == h->present_render_target_id;
    uint32_t flags = h->have_clear ? h->clear_flags & 7 : 0;

    if (d->base.as_viewer)
        clear(d, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
              !screen && !stretch ? 0
              : h->have_clear     ? h->clear_color_argb
                                  : 0xff000000,
              screen && flags & D3DCLEAR_ZBUFFER ? h->clear_z : 1.0f, 0);
    else if (!screen)
        clear(d, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1.0f, 0);
    else if (flags)
        clear(d, flags, h->clear_color_argb, h->clear_z, h->clear_stencil);
}

struct dx9mt_target *dx9mt_use_target(struct dx9mt *d, const struct dx9mt_draw *draw, bool stretch)
{
    struct dx9mt_target want = describe(d, draw), *t = dx9mt_target_of_surface(d, want.id);
    bool fits = t && t->width == want.width && t->height == want.height && t->format == want.format;
    uint64_t others = d->target_bytes - (t ? target_size(t) : 0);

    if (!fits && (want.width > SIDE_MAX || want.height > SIDE_MAX ||
                  others + target_size(&want) > TARGET_BYTES_MAX))
        return NULL;
    if (!fits) {
        if (t)
            release_target(d, t);
        else
            t = list_add(d, &d->targets, sizeof(*t));
        if (!t)
            return NULL;
        *t = want;
        make_target(d, t);
    } else {
        select_target(d, t);
    }
    if (want.texture_id)
        t->texture_id = want.texture_id;
    if (t->frame != d->frame)
        start_target(d, t, stretch);
    t->frame = d->frame;
    return t;
}

/* --- Textures --------------------------------------------------------------------------------- */

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

    if (!f->block_w || !f->block_h || !width || !height || width > SIDE_MAX || height > SIDE_MAX)
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
        t = list_add(d, &d->textures, sizeof(*t));
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

/* --- Objects cached by their bytes ------------------------------------------------------------ */

static struct dx9mt_cached *find_cached(const struct dx9mt_list *list, uint64_t hash, uint32_t size,
                                        uint32_t release)
{
    struct dx9mt_cached *cached = list->items;

    for (size_t i = 0; i < list->count; i++)
        if (cached[i].hash == hash && cached[i].size == size && cached[i].release == release)
            return &cached[i];
    return NULL;
}

static void release_cached(struct dx9mt *d, struct dx9mt_list *list)
{
    const struct dx9mt_cached *cached = list->items;

    for (size_t i = 0; i < list->count; i++)
        CALL(d, (enum dx9mt_call)cached[i].release, cached[i].object);
    list->count = 0;
}

static struct dx9mt_cached *add_cached(struct dx9mt *d, struct dx9mt_list *list, uint64_t hash,
                                       uint32_t size, uint32_t release)
{
    struct dx9mt_cached *cached = list_add(d, list, sizeof(*cached));

    if (cached)
        *cached = (struct dx9mt_cached){hash, size, release, dx9mt_new_object(d)};
    return cached;
}

uint32_t dx9mt_use_cached(struct dx9mt *d, enum dx9mt_call number, const void *bytes, uint32_t size)
{
    uint32_t release = number == CALL_CREATE_VERTEX_SHADER  ? CALL_VERTEX_SHADER_RELEASE
                       : number == CALL_CREATE_PIXEL_SHADER ? CALL_PIXEL_SHADER_RELEASE
                                                            : CALL_DECLARATION_RELEASE;
    uint64_t hash = hash_bytes(bytes, size, 0);
    struct dx9mt_cached *cached = find_cached(&d->cached, hash, size, release);

    if (cached)
        return cached->object;
    if (d->cached.count == CACHED_MAX)
        release_cached(d, &d->cached); /* bound objects stay alive */
    cached = add_cached(d, &d->cached, hash, size, release);
    if (!cached)
        return 0;
    CALL_WITH(d, DX9MT_OUT + 1, bytes, size, number, DX9MT_DEVICE, DX9MT_OUT + 1, DX9MT_OUT,
              cached->object);
    return cached->object;
}

uint32_t dx9mt_use_buffer(struct dx9mt *d, const void *bytes, uint32_t size, uint32_t index_format)
{
    uint32_t release = index_format ? CALL_INDICES_RELEASE : CALL_VERTICES_RELEASE;
    uint64_t hash = hash_bytes(bytes, size, index_format);
    struct dx9mt_cached *cached = find_cached(&d->buffers, hash, size, release);

    if (cached)
        return cached->object;
    cached = add_cached(d, &d->buffers, hash, size, release);
    if (!cached)
        return 0;
    CALL(d, index_format ? CALL_CREATE_INDEX_BUFFER : CALL_CREATE_VERTEX_BUFFER, DX9MT_DEVICE, size,
         0, index_format, D3DPOOL_DEFAULT, DX9MT_OUT, cached->object, 0, 0);
    CALL(d, index_format ? CALL_INDICES_LOCK : CALL_VERTICES_LOCK, cached->object, 0, 0, DX9MT_OUT,
         0);
    CALL_WITH(d, DX9MT_OUT, bytes, size, index_format ? CALL_INDICES_UNLOCK : CALL_VERTICES_UNLOCK,
              cached->object);
    return cached->object;
}

void dx9mt_end_frame_objects(struct dx9mt *d)
{
    release_cached(d, &d->buffers);
}
