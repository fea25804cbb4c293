/* Surfaces that are rendered at another size or with another number of samples than the program
 * asked for: which ones, and copies between them and images as it asked for
 * (docs/picture-settings.md).
 * Tested by tests/unit/api/device/test_render_scale.c and tests/unit/api/device/test_samples.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "cmd/cmd.h"

/* --- Which surfaces --------------------------------------------------------------------------- */

enum { UNSCALED = 1000 };

static uint32_t scaled(const struct device *d, uint32_t size)
{
    uint32_t n = (uint32_t)(((uint64_t)size * d->render_as.scale + UNSCALED / 2) / UNSCALED);

    return n ? n : 1;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A depth surface that is not a texture also serves targets of other sizes. So it is altered where
 * it is as large as the back buffer, and has room for both sizes. */
static bool goes_with_back_buffer(const struct device *d, bool spare_depth,
                                  const struct tex_desc *desc)
{
    if (spare_depth)
        return desc->width >= d->render_as.width && desc->height >= d->render_as.height;
    return desc->width == d->render_as.width && desc->height == d->render_as.height;
}

static void scale_desc(const struct device *d, bool spare_depth, struct tex_desc *desc,
                       uint32_t *width, uint32_t *height)
{
    uint32_t w = scaled(d, desc->width), h = scaled(d, desc->height);

    if (scaled(d, d->render_as.width) > TEX_MAX_SIZE ||
        scaled(d, d->render_as.height) > TEX_MAX_SIZE || w > TEX_MAX_SIZE || h > TEX_MAX_SIZE)
        return;
    desc->scale[0] = (float)w / (float)desc->width;
    desc->scale[1] = (float)h / (float)desc->height;
    desc->width = spare_depth ? larger(w, desc->width) : w;
    desc->height = spare_depth ? larger(h, desc->height) : h;
    *width = w;
    *height = h;
}

void api_alter_desc(const struct device *d, bool depth, bool texture, struct tex_desc *desc,
                    uint32_t *width, uint32_t *height)
{
    bool spare_depth = depth && !texture;
    bool goes_with = goes_with_back_buffer(d, spare_depth, desc);

    *width = desc->width;
    *height = desc->height;
    if (d->render_as.samples && !texture && (goes_with || desc->samples > 1) &&
        api_multisample_ok(desc->format, (D3DMULTISAMPLE_TYPE)d->render_as.samples, 0,
                           api_kind(d))) {
        desc->lends_samples = depth && d->render_as.samples > desc->samples;
        desc->samples = d->render_as.samples;
    }
    if (d->render_as.scale != UNSCALED && goes_with && desc->shape == TEX_2D)
        scale_desc(d, spare_depth, desc, width, height);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static uint32_t of_level(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

void api_set_stored(struct surface *surface, uint32_t width, uint32_t height, uint32_t samples)
{
    surface->stored_width = of_level(width, surface->level);
    surface->stored_height = of_level(height, surface->level);
    surface->stored_samples = samples;
    surface->altered = surface->stored_width != surface->width ||
                       surface->stored_height != surface->height ||
                       samples != surface->sample_count;
}

/* The renderer rounds edges of clears and scissors in the same way. */
static uint32_t edge(uint32_t at, uint32_t stored, uint32_t size)
{
    return (uint32_t)(((uint64_t)at * stored * 2 + size) / (2 * (uint64_t)size));
}

/* Boxes of the program have a pixel even where their edges round to the same one. */
static void stretch_span(uint32_t *first, uint32_t *last, uint32_t stored, uint32_t size)
{
    bool empty = *first == *last;

    *first = edge(*first, stored, size);
    *last = edge(*last, stored, size);
    if (empty || *first != *last)
        return;
    if (*last == stored)
        --*first;
    else
        ++*last;
}

struct tex_box api_stored_box(const struct surface *surface, const struct tex_box *box)
{
    struct tex_box out = *box;

    if (surface->stored_width != surface->width)
        stretch_span(&out.x0, &out.x1, surface->stored_width, surface->width);
    if (surface->stored_height != surface->height)
        stretch_span(&out.y0, &out.y1, surface->stored_height, surface->height);
    return out;
}

struct cmd_box api_whole_box(const struct surface *surface)
{
    return (struct cmd_box){0, 0, 0, surface->width, surface->height, 1};
}

struct cmd_box api_whole_stored_box(const struct surface *surface)
{
    return (struct cmd_box){0, 0, 0, surface->stored_width, surface->stored_height, 1};
}

/* --- Copies ----------------------------------------------------------------------------------- */

static unsigned filter_of(const struct surface *surface)
{
    return surface->format->layout == TEX_LAYOUT_DEPTH ? D3DTEXF_POINT : D3DTEXF_LINEAR;
}

enum status api_copy_as_asked(const struct surface *surface, cmd_handle *out)
{
    struct cmd_stream *stream = surface->base.device->stream;
    struct tex_desc desc = {.format = surface->format->d3d,
                            .shape = TEX_2D,
                            .width = surface->width,
                            .height = surface->height,
                            .depth = 1,
                            .levels = 1,
                            .samples = surface->sample_count};
    struct cmd_stretch packet = {.src = surface_ref(surface),
                                 .src_box = api_whole_stored_box(surface),
                                 .dst_box = api_whole_box(surface),
                                 .filter = filter_of(surface)};
    enum status st = cmd_create_image(stream, &desc, NULL, out);

    if (st != ST_OK)
        return st;
    packet.dst.image = *out;
    return cmd_emit_stretch(stream, &packet, NULL, 0);
}

enum status api_store_as_asked(const struct surface *surface, cmd_handle image,
                               const struct tex_box *box)
{
    struct tex_box to = api_stored_box(surface, box);
    struct cmd_stretch packet = {.dst = surface_ref(surface),
                                 .src.image = image,
                                 .dst_box = box_ref(&to),
                                 .src_box = box_ref(box),
                                 .filter = filter_of(surface)};

    return cmd_emit_stretch(surface->base.device->stream, &packet, NULL, 0);
}

enum status api_drop_added_samples(struct surface *surface)
{
    struct cmd_stream *stream = surface->base.device->stream;
    struct tex_desc desc = cmd_image(stream, surface->image)->desc;
    struct cmd_stretch packet = {.src = surface_ref(surface), .filter = D3DTEXF_POINT};
    enum status st;

    packet.src_box = packet.dst_box = (struct cmd_box){0, 0, 0, desc.width, desc.height, 1};
    desc.samples = surface->sample_count;
    desc.lends_samples = false;
    st = cmd_create_image(stream, &desc, NULL, &packet.dst.image);
    if (st == ST_OK)
        st = cmd_emit_stretch(stream, &packet, NULL, 0);
    if (st != ST_OK) {
        cmd_destroy(stream, packet.dst.image);
        return st;
    }
    cmd_destroy(stream, surface->image);
    surface->image = packet.dst.image;
    api_set_stored(surface, surface->stored_width, surface->stored_height, surface->sample_count);
    return ST_OK;
}
