/* StretchRect from formats that A8R8G8B8 represents exactly: decodes source rows to A8R8G8B8,
 * filters integers, and writes 8-bit RGB or YUV formats. */
#include "tex/codec/codec.h"
#include "tex/copy/stretch.h"

#include "util/alloc.h"

struct argb_work {
    const struct stretch *s;
    const struct tex_stretch_kern *kern;
    bool in_place;              /* source rows are read in place */
    bool swap;                  /* of red and blue */
    uint32_t ones;              /* bits set in every destination pixel */
    size_t pitch;               /* words between decoded rows */
    uint32_t *row[2];           /* decoded source rows; even and odd rows have a buffer each */
    struct stretch_sums sum[2]; /* their horizontal sums */
    uint32_t have_row[2], have_sum[2];
    uint32_t *out; /* buffer for destination rows that are not 8888 */
    uint32_t last; /* point sampling: source row of the previous destination row */
};

enum { NO_ROW = 0xffffffff };

static bool is_abgr(const struct tex_format *format)
{
    return tex_is_8888(format) && !format->channel[0].shift;
}

bool tex_stretch_can_use_argb(const struct tex_format *dst, const struct tex_format *src)
{
    return (tex_is_8888(dst) || dst->layout == TEX_LAYOUT_YUV) && tex_row_is_argb(src);
}

/* --- Source rows ------------------------------------------------------------------------------ */

/* Returns a row of a block-compressed source. The four rows of a block are decoded together. Even
 * and odd block rows have a buffer each. */
static const uint32_t *block_row(struct argb_work *w, uint32_t y)
{
    const struct stretch *s = w->s;
    uint32_t x = s->from.x0, line = y + s->from.y0, at = line / 4 & 1;
    unsigned blocks = (s->from.x1 + 3) / 4 - x / 4;

    if (w->have_row[at] != line / 4) {
        tex_blocks_decoder(s->src_format)(
            (const uint32_t *)(const void *)tex_level_at(s->src, s->src_format, x, line, 0), blocks,
            w->row[at], w->pitch);
        w->have_row[at] = line / 4;
    }
    return w->row[at] + line % 4 * w->pitch + x % 4;
}

static const uint32_t *source_row(struct argb_work *w, uint32_t y)
{
    const struct stretch *s = w->s;

    if (w->in_place)
        return (const uint32_t *)(const void *)tex_level_at(s->src, s->src_format, s->from.x0,
                                                            s->from.y0 + y, 0);
    if (s->src_format->layout == TEX_LAYOUT_BLOCK)
        return block_row(w, y);
    if (w->have_row[y & 1] != y) {
        tex_read_row_argb(s->src_format, s->src, s->from.x0, s->from.y0 + y, 0, s->src_width,
                          w->row[y & 1], NULL);
        w->have_row[y & 1] = y;
    }
    return w->row[y & 1];
}

/* Returns a horizontally filtered row. Even and odd rows have a buffer each. */
static const struct stretch_sums *source_sums(struct argb_work *w, uint32_t y)
{
    if (w->have_sum[y & 1] != y) {
        w->kern->filter_horizontal(&w->sum[y & 1], source_row(w, y), &w->s->column, w->s->width);
        w->have_sum[y & 1] = y;
    }
    return &w->sum[y & 1];
}

/* --- Destination rows ------------------------------------------------------------------------- */

static void write_video(const struct argb_work *w, uint32_t y)
{
    const struct stretch *s = w->s;
    uint8_t *out = tex_stretch_row(s, y);

    w->out[s->width] = w->out[s->width - 1]; /* an odd width pairs the last pixel with itself */
    for (uint32_t x = 0; x < s->width; x += 2, out += s->dst_format->bytes)
        tex_yuv_encode(s->dst_format, out, w->out + x);
}

static void make_linear(struct argb_work *w, uint32_t y, uint32_t *out)
{
    const struct stretch *s = w->s;
    struct stretch_tap t = tex_stretch_row_tap(s, y);
    const struct stretch_sums *top = source_sums(w, t.first);
    const struct stretch_sums *bottom = t.weight ? source_sums(w, t.first + 1) : top;

    w->kern->filter_vertical(out, top, bottom, t.weight, s->width);
}

static void make_row(struct argb_work *w, uint32_t y, uint32_t *out)
{
    const struct stretch *s = w->s;
    const uint32_t *in = out;

    if (s->linear && s->src_width == 2 * s->width && s->src_height == 2 * s->height) {
        const uint32_t *top = source_row(w, 2 * y);

        w->kern->downsample_2x2(out, top, source_row(w, 2 * y + 1), s->width);
    } else if (s->linear) {
        make_linear(w, y, out);
    } else {
        in = source_row(w, tex_stretch_row_tap(s, y).first);
        if (s->width != s->src_width) {
            w->kern->pick(out, in, s->column.first, s->width);
            in = out;
        }
    }
    if (in != out || w->swap || w->ones)
        w->kern->swizzle(out, in, s->width, w->swap, w->ones);
}

/* True if point sampling repeats the previous row. */
static bool repeats(struct argb_work *w, uint32_t y)
{
    uint32_t row = tex_stretch_row_tap(w->s, y).first;
    bool same = !w->s->linear && row == w->last;

    w->last = row;
    return same;
}

static void write_row(struct argb_work *w, uint32_t y)
{
    const struct stretch *s = w->s;

    if (y && repeats(w, y)) {
        tex_stretch_repeat_row(s, y);
    } else if (w->out) {
        make_row(w, y, w->out);
        write_video(w, y);
    } else {
        make_row(w, y, (uint32_t *)(void *)tex_stretch_row(s, y));
    }
    tex_stretch_to_samples(s, y);
}

/* --- Driver ----------------------------------------------------------------------------------- */

/* Allocates the buffers of `w` in one block: two source rows, padded by a pixel, or two groups of
 * four block-aligned rows; two horizontal sums of two rows each; and a destination row. */
static uint32_t *place_arrays(struct argb_work *w)
{
    size_t in = tex_stretch_padded(w->s->src_width + 7), out = tex_stretch_padded(w->s->width + 1);
    size_t lines = w->s->src_format->layout == TEX_LAYOUT_BLOCK ? 4 : 1;
    size_t rows = w->in_place ? 0 : 2 * lines * in, sums = w->s->linear ? 4 * out : 0;
    bool video = w->s->dst_format->layout == TEX_LAYOUT_YUV;
    uint32_t *memory = mem_alloc((rows + sums + (video ? out : 0) + 1) * sizeof(*memory));

    if (!memory)
        return NULL;
    for (int i = 0; i < 2; i++) {
        int32_t *sum = (int32_t *)memory + rows + 2 * (size_t)i * out;

        w->row[i] = memory + (size_t)i * lines * in;
        w->sum[i] = (struct stretch_sums){sum, sum + out};
        w->have_row[i] = w->have_sum[i] = NO_ROW;
    }
    w->pitch = in;
    w->out = video ? memory + rows + sums : NULL;
    return memory;
}

enum status tex_stretch_argb(const struct stretch *s)
{
    const struct tex_format *to = s->dst_format, *from = s->src_format;
    bool opaque = tex_is_8888(from) && !from->channel[3].bits;
    struct argb_work w = {.s = s,
                          .kern = KERN_PICK(tex_stretch_kern),
                          .in_place = s->src_padded && tex_is_8888(from),
                          .last = NO_ROW};
    uint32_t *memory = place_arrays(&w);

    if (!memory)
        return ST_NOMEM;
    w.swap = is_abgr(to) != (w.in_place && is_abgr(from));
    if (opaque || (tex_is_8888(to) && !to->channel[3].bits))
        w.ones = 0xff000000;
    for (uint32_t y = 0; y < s->height; y++)
        write_row(&w, y);
    mem_free(memory);
    return ST_OK;
}
