/* Render targets of a dx9mt frame: created at their first use, cleared in every frame.
 *
 * Tested by tests/unit/trace/dx9mt/test_dx9mt.c. */
#include "trace/dx9mt/dx9mt_private.h"

#include <windows.h>
#include <d3d9.h>

#include <string.h>

#define TARGET_BYTES_MAX ((uint64_t)1 << 30) /* of all targets, at 8 + 4 bytes per pixel */

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

    if (!fits && (want.width > DX9MT_SIDE_MAX || want.height > DX9MT_SIDE_MAX ||
                  others + target_size(&want) > TARGET_BYTES_MAX))
        return NULL;
    if (!fits) {
        if (t)
            release_target(d, t);
        else
            t = dx9mt_list_add(d, &d->targets, sizeof(*t));
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
