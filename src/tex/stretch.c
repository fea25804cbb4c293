/* StretchRect and mip generation: scaling with format conversion (reference: copy/stretchrect).
 *
 * Positions are integers: the middle of destination pixel i lies at (2i + 1) * sw / 2dw of the
 * source box; LINEAR rounds that to 1/256 pixel. */
#include "tex/private.h"

#include "util/alloc.h"

#include <string.h>

/* Which two source pixels make a destination pixel, and the second one's weight in 1/256. */
struct tap {
    uint32_t first, second, weight;
};

struct stretch {
    const struct tex_format *dst_format, *src_format;
    const struct tex_level *dst, *src;
    struct tex_box to, from;
    uint32_t width, height, src_width; /* of the boxes */
    uint32_t copies;                   /* samples of the destination */
    bool linear;
    struct tap *column; /* one for each destination column */
};

static struct tap make_tap(uint32_t i, uint32_t dst_size, uint32_t src_size, bool linear)
{
    uint64_t middle = (2 * (uint64_t)i + 1) * src_size;
    struct tap t = {0, 0, 0};
    int64_t position;

    if (!linear) {
        t.first = t.second = (uint32_t)(middle / (2 * (uint64_t)dst_size));
        return t;
    }
    position = (int64_t)((middle * 256 + dst_size) / (2 * (uint64_t)dst_size)) - 128;
    if (position < 0)
        position = 0;
    t.first = (uint32_t)(position >> 8);
    t.weight = (uint32_t)position & 255;
    if (t.first >= src_size - 1) {
        t.first = src_size - 1;
        t.weight = 0;
    }
    t.second = t.weight ? t.first + 1 : t.first;
    return t;
}

/* Gives every sample of the destination the row that the first one has. */
static void copy_to_samples(const struct stretch *s, uint32_t y)
{
    size_t bytes = (size_t)((s->width + s->dst_format->block_w - 1) / s->dst_format->block_w) *
                   s->dst_format->bytes;

    for (uint32_t k = 1; k < s->copies; k++)
        memcpy(tex_level_at(s->dst, s->dst_format, s->to.x0, y, k),
               tex_level_at(s->dst, s->dst_format, s->to.x0, y, 0), bytes);
}

/* --- Through A8R8G8B8, exact ------------------------------------------------------------------ */

static uint32_t mix_byte(const uint32_t p[4], unsigned shift, uint32_t wx, uint32_t wy)
{
    uint32_t top = (p[0] >> shift & 255) * (256 - wx) + (p[1] >> shift & 255) * wx;
    uint32_t bottom = (p[2] >> shift & 255) * (256 - wx) + (p[3] >> shift & 255) * wx;

    return (top * (256 - wy) + bottom * wy + 32768) >> 16;
}

static uint32_t mix_pixel(const struct tap *x, uint32_t wy, const uint32_t *top,
                          const uint32_t *bottom)
{
    const uint32_t p[4] = {top[x->first], top[x->second], bottom[x->first], bottom[x->second]};
    uint32_t out = 0;

    for (unsigned shift = 0; shift < 32; shift += 8)
        out |= mix_byte(p, shift, x->weight, wy) << shift;
    return out;
}

static void write_argb(const struct stretch *s, uint32_t y, uint32_t *argb)
{
    const struct tex_format *f = s->dst_format;
    uint8_t *out = tex_level_at(s->dst, f, s->to.x0, y, 0);

    if (f->layout == TEX_LAYOUT_YUV) {
        argb[s->width] = argb[s->width - 1]; /* an odd end is a pair of itself */
        for (uint32_t x = 0; x < s->width; x += 2, out += f->bytes)
            tex_yuv_encode(f, out, argb + x);
        return;
    }
    for (uint32_t x = 0; x < s->width; x++, out += 4) {
        uint32_t c = argb[x] | (f->channel[3].bits ? 0 : 0xff000000);

        if (!f->channel[0].shift)
            c = (c & 0xff00ff00) | (c >> 16 & 255) | (c & 255) << 16;
        memcpy(out, &c, 4);
    }
}

static void read_argb(const struct stretch *s, uint32_t y, uint32_t *row)
{
    tex_read_row_argb(s->src_format, s->src, s->from.x0, s->from.y0 + y, 0, s->src_width, row,
                      NULL);
}

static enum status stretch_argb(const struct stretch *s)
{
    uint32_t *rows = mem_alloc(((size_t)s->src_width * 2 + s->width + 1) * sizeof(*rows));
    uint32_t *out = rows ? rows + (size_t)s->src_width * 2 : NULL;

    if (!rows)
        return ST_NOMEM;
    for (uint32_t y = 0; y < s->height; y++) {
        struct tap t = make_tap(y, s->height, s->from.y1 - s->from.y0, s->linear);
        uint32_t *bottom = t.weight ? rows + s->src_width : rows;

        read_argb(s, t.first, rows);
        if (t.weight)
            read_argb(s, t.second, bottom);
        for (uint32_t x = 0; x < s->width; x++)
            out[x] = s->linear ? mix_pixel(&s->column[x], t.weight, rows, bottom)
                               : rows[s->column[x].first];
        write_argb(s, s->to.y0 + y, out);
        copy_to_samples(s, s->to.y0 + y);
    }
    mem_free(rows);
    return ST_OK;
}

/* --- Through floats --------------------------------------------------------------------------- */

/* Four channels of whole batches. */
struct float_row {
    float *c[4];
};

static size_t batches(uint32_t n)
{
    return (size_t)(n + TEX_LANES - 1) / TEX_LANES * TEX_LANES;
}

static float *place_row(struct float_row *row, float *memory, uint32_t n)
{
    for (int c = 0; c < 4; c++, memory += batches(n))
        row->c[c] = memory;
    return memory;
}

static float mix_floats(const float *row, const struct tap *t)
{
    float w = (float)t->weight * (1.0f / 256.0f);

    return t->weight ? row[t->first] * (1.0f - w) + row[t->second] * w : row[t->first];
}

static void write_floats(const struct stretch *s, uint32_t y, const struct float_row *row)
{
    tex_pack_fn *pack = tex_packer(s->dst_format);

    for (uint32_t x = 0; x < s->width; x += TEX_LANES) {
        const float *const rgba[4] = {row->c[0] + x, row->c[1] + x, row->c[2] + x, row->c[3] + x};
        uint32_t n = s->width - x < TEX_LANES ? s->width - x : TEX_LANES;

        pack(s->dst_format, tex_level_at(s->dst, s->dst_format, s->to.x0 + x, y, 0), n, rgba);
    }
}

static void read_floats(const struct stretch *s, uint32_t y, const struct float_row *row)
{
    tex_read_row(s->src_format, s->src, s->from.x0, s->from.y0 + y, 0, s->src_width, row->c);
}

static void stretch_row(const struct stretch *s, const struct tap *ty, const struct float_row in[2],
                        const struct float_row *out)
{
    float w = (float)ty->weight * (1.0f / 256.0f);

    for (int c = 0; c < 4; c++) {
        for (uint32_t x = 0; x < s->width; x++) {
            float top = mix_floats(in[0].c[c], &s->column[x]);

            if (ty->weight)
                top = top * (1.0f - w) + mix_floats(in[1].c[c], &s->column[x]) * w;
            out->c[c][x] = top;
        }
    }
}

static enum status stretch_floats(const struct stretch *s)
{
    size_t floats = 4 * (2 * batches(s->src_width) + batches(s->width));
    float *memory = mem_alloc(floats * sizeof(*memory)), *next;
    struct float_row in[2], out;

    if (!memory)
        return ST_NOMEM;
    next = place_row(&in[0], memory, s->src_width);
    next = place_row(&in[1], next, s->src_width);
    place_row(&out, next, s->width);
    for (uint32_t y = 0; y < s->height; y++) {
        struct tap t = make_tap(y, s->height, s->from.y1 - s->from.y0, s->linear);

        read_floats(s, t.first, &in[0]);
        if (t.weight)
            read_floats(s, t.second, &in[1]);
        stretch_row(s, &t, in, &out);
        write_floats(s, s->to.y0 + y, &out);
        copy_to_samples(s, s->to.y0 + y);
    }
    mem_free(memory);
    return ST_OK;
}

/* --- StretchRect ------------------------------------------------------------------------------ */

static bool box_fits(const struct tex_level *level, const struct tex_box *box)
{
    return box->x0 < box->x1 && box->x1 <= level->width && box->y0 < box->y1 &&
           box->y1 <= level->height;
}

static enum status stretch_columns(struct stretch *s)
{
    bool argb_out = tex_is_8888(s->dst_format) || s->dst_format->layout == TEX_LAYOUT_YUV;
    enum status st;

    if (!argb_out && !tex_packer(s->dst_format))
        return ST_UNSUPPORTED;
    if (s->src_format->layout == TEX_LAYOUT_DEPTH || s->src_format->layout == TEX_LAYOUT_RAW)
        return ST_UNSUPPORTED;
    if (s->dst_format->layout == TEX_LAYOUT_YUV && !tex_row_is_argb(s->src_format))
        return ST_UNSUPPORTED;
    s->column = mem_alloc(s->width * sizeof(*s->column));
    if (!s->column)
        return ST_NOMEM;
    for (uint32_t x = 0; x < s->width; x++)
        s->column[x] = make_tap(x, s->width, s->src_width, s->linear);
    st = argb_out && tex_row_is_argb(s->src_format) ? stretch_argb(s) : stretch_floats(s);
    mem_free(s->column);
    return st;
}

static bool is_plain_copy(const struct stretch *s, const struct tex_image *src)
{
    return s->dst_format == s->src_format && s->width == s->src_width &&
           s->height == s->from.y1 - s->from.y0 &&
           (s->copies == src->desc.samples || s->src_format->layout == TEX_LAYOUT_DEPTH);
}

/* Sample for sample; a depth surface with fewer or more takes or repeats the first. */
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
    if (st == ST_OK)
        st = stretch_columns(s);
    tex_image_unref(&single);
    return st;
}

enum status tex_stretch(struct tex_image *dst, uint32_t dst_face, uint32_t dst_level,
                        const struct tex_box *dst_box, struct tex_image *src, uint32_t src_face,
                        uint32_t src_level, const struct tex_box *src_box, unsigned filter)
{
    struct stretch s = {.dst_format = dst->format,
                        .src_format = src->format,
                        .dst = tex_image_level(dst, dst_face, dst_level),
                        .src = tex_image_level(src, src_face, src_level),
                        .to = *dst_box,
                        .from = *src_box};

    if (!box_fits(s.dst, dst_box) || !box_fits(s.src, src_box))
        return ST_INVALID;
    s.width = dst_box->x1 - dst_box->x0;
    s.height = dst_box->y1 - dst_box->y0;
    s.src_width = src_box->x1 - src_box->x0;
    s.copies = dst->desc.samples;
    s.linear = filter == D3DTEXF_LINEAR;
    tex_image_touch(dst);
    if (is_plain_copy(&s, src)) {
        copy_samples(&s, src);
        return ST_OK;
    }
    if (s.dst_format->d3d == TEX_FMT_NULL)
        return ST_OK;
    if (src->desc.samples > 1)
        return resolve_then_stretch(&s, src);
    return stretch_columns(&s);
}

/* --- Mip maps --------------------------------------------------------------------------------- */

static struct tex_box whole(const struct tex_level *level)
{
    return (struct tex_box){0, 0, 0, level->width, level->height, 1};
}

enum status tex_generate_mips(struct tex_image *image, unsigned filter)
{
    unsigned how = filter == D3DTEXF_POINT ? D3DTEXF_POINT : D3DTEXF_LINEAR;

    if (image->desc.shape == TEX_VOLUME_MAP)
        return ST_UNSUPPORTED;
    for (uint32_t face = 0; face < image->faces; face++) {
        for (uint32_t l = 1; l < image->desc.levels; l++) {
            struct tex_box to = whole(tex_image_level(image, face, l));
            struct tex_box from = whole(tex_image_level(image, face, l - 1));
            enum status st = tex_stretch(image, face, l, &to, image, face, l - 1, &from, how);

            if (st != ST_OK)
                return st;
        }
    }
    return ST_OK;
}
