/* StretchRect: validation and choice of the copy, scaling and conversion path
 * (reference: copy/stretchrect). */
#include "tex/codec/codec.h"
#include "tex/copy/stretch.h"
#include "tex/image/image.h"

#include "util/alloc.h"
#include "util/variant.h"

#include <string.h>

/* --- Scaling within a format ------------------------------------------------------------------ */

#define PICK_BYTES(bytes)                                                                          \
    case bytes:                                                                                    \
        for (uint32_t x = 0; x < s->width; x++)                                                    \
            memcpy(out + (size_t)x * (bytes), in + (size_t)s->column.first[x] * (bytes), bytes);   \
        break

/* Copies the texels of the destination columns from one source row. */
static void pick_texels(const struct stretch *s, uint8_t *out, const uint8_t *in)
{
    switch (s->dst_format->bytes) {
        PICK_BYTES(1);
        PICK_BYTES(2);
        PICK_BYTES(3);
        PICK_BYTES(4);
        PICK_BYTES(8);
        PICK_BYTES(16);
    }
}

/* Point sampling within a format copies texels bit by bit. */
static enum status move_texels(const struct stretch *s)
{
    uint32_t last = 0;

    for (uint32_t y = 0; y < s->height; y++) {
        uint32_t from = tex_stretch_row_tap(s, y).first;

        if (y && from == last)
            tex_stretch_repeat_row(s, y);
        else
            pick_texels(s, tex_stretch_row(s, y),
                        tex_level_at(s->src, s->src_format, s->from.x0, s->from.y0 + from, 0));
        last = from;
        tex_stretch_to_samples(s, y);
    }
    return ST_OK;
}

/* --- StretchRect ------------------------------------------------------------------------------ */

static bool box_fits(const struct tex_level *level, const struct tex_box *box)
{
    return box->x0 < box->x1 && box->x1 <= level->width && box->y0 < box->y1 &&
           box->y1 <= level->height && box->z0 < level->depth;
}

/* Returns the selected slice as a level of its own. */
static struct tex_level slice_of(const struct tex_level *level, uint32_t z)
{
    struct tex_level slice = *level;

    slice.data += (size_t)z * level->slice_pitch;
    return slice;
}

bool tex_can_convert(const struct tex_format *dst, const struct tex_format *src)
{
    if (dst->d3d == TEX_FMT_NULL)
        return true;
    if (src->layout == TEX_LAYOUT_DEPTH || src->layout == TEX_LAYOUT_RAW)
        return false;
    return tex_stretch_can_use_argb(dst, src) || tex_packer(dst);
}

/* Depths are never mixed. Programs cannot scale them, but targets of another size than the program
 * asked for need it. */
static bool is_depth_to_depth(const struct stretch *s)
{
    return s->dst_format->layout == TEX_LAYOUT_DEPTH &&
           (s->dst_format == s->src_format || tex_same_depth(s->dst_format, s->src_format));
}

static enum status stretch_columns(struct stretch *s)
{
    size_t room = tex_stretch_padded(s->width);
    int32_t *memory;
    enum status st;

    if (!tex_can_convert(s->dst_format, s->src_format) && !is_depth_to_depth(s))
        return ST_UNSUPPORTED;
    memory = mem_calloc(2 * room, sizeof(*memory));
    if (!memory)
        return ST_NOMEM;
    s->column = (struct stretch_columns){memory, memory + room};
    for (uint32_t x = 0; x < s->width; x++) {
        struct stretch_tap t = tex_stretch_column_tap(s, x);

        s->column.first[x] = (int32_t)t.first;
        s->column.weight[x] = (int32_t)t.weight;
    }
    if (is_depth_to_depth(s) ||
        (!s->linear && s->dst_format == s->src_format && tex_packer(s->dst_format)))
        st = move_texels(s);
    else
        st = tex_stretch_can_use_argb(s->dst_format, s->src_format) ? tex_stretch_argb(s)
                                                                    : tex_stretch_floats(s);
    mem_free(memory);
    return st;
}

static bool is_plain_copy(const struct stretch *s, const struct tex_image *src)
{
    return (s->dst_format == s->src_format || is_depth_to_depth(s)) && s->width == s->src_width &&
           s->height == s->src_height &&
           (s->copies == src->desc.samples || s->src_format->layout == TEX_LAYOUT_DEPTH);
}

/* Copies sample by sample. If a depth surface has another sample count, its first sample is copied
 * to the surplus samples. */
static void copy_samples(const struct stretch *s, const struct tex_image *src)
{
    struct tex_box box = s->from;

    for (uint32_t k = 0; k < s->copies; k++) {
        box.z0 = k < src->desc.samples ? k : 0;
        box.z1 = box.z0 + 1;
        tex_copy(s->dst_format, s->dst, s->to.x0, s->to.y0, k, s->src, &box);
    }
}

static enum status resolve_then_stretch(struct stretch *s, struct tex_image *src)
{
    struct tex_desc desc = src->desc;
    struct tex_image *single;
    enum status st;

    desc.samples = 1;
    st = tex_image_create(&single, &desc, NULL);
    if (st != ST_OK)
        return st;
    st = tex_resolve(single, src);
    s->src = single->level;
    s->src_padded = true;
    if (st == ST_OK)
        st = stretch_columns(s);
    tex_image_unref(&single);
    return st;
}

enum status tex_stretch(const struct tex_region *dst, const struct tex_region *src, unsigned filter)
{
    const struct tex_level *to = tex_image_level(dst->image, dst->face, dst->level);
    const struct tex_level *from = tex_image_level(src->image, src->face, src->level);
    struct stretch s = {.dst_format = dst->image->format, .src_format = src->image->format};
    struct tex_level dst_slice, src_slice;

    if (!box_fits(to, &dst->box) || !box_fits(from, &src->box))
        return ST_INVALID;
    dst_slice = slice_of(to, dst->box.z0);
    src_slice = slice_of(from, src->box.z0);
    s.dst = &dst_slice;
    s.src = &src_slice;
    s.to = dst->box;
    s.from = src->box;
    s.width = s.to.x1 - s.to.x0;
    s.height = s.to.y1 - s.to.y0;
    s.src_width = s.from.x1 - s.from.x0;
    s.src_height = s.from.y1 - s.from.y0;
    s.src_padded = !src->image->user_memory;
    s.copies = dst->image->desc.samples;
    s.linear = filter == D3DTEXF_LINEAR;
    tex_image_touch_box(dst->image, dst->face, dst->level, &dst->box);
    if (is_plain_copy(&s, src->image)) {
        copy_samples(&s, src->image);
        return ST_OK;
    }
    if (s.dst_format->d3d == TEX_FMT_NULL)
        return ST_OK;
    if (variant_current && variant_current->stretch_beyond && s.linear)
        tex_stretch_widen(&s);
    if (src->image->desc.samples > 1)
        return resolve_then_stretch(&s, src->image);
    return stretch_columns(&s);
}
