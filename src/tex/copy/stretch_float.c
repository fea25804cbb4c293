/* StretchRect from any readable format to any packable format, in single precision. */
#include "tex/codec/codec.h"
#include "tex/copy/stretch.h"

#include "util/alloc.h"

/* Four channels, each aligned and padded to whole batches. */
struct float_row {
    float *c[4];
};

struct float_work {
    const struct stretch *s;
    const struct tex_stretch_kern *kern;
    bool wanted[4];          /* channels that the destination stores */
    struct float_row in;     /* a source row */
    struct float_row sum[2]; /* horizontally filtered even and odd source rows */
    struct float_row out;
    uint32_t have_sum[2], have_in;
    uint32_t last; /* point sampling: source row of the previous destination row */
};

enum { NO_ROW = 0xffffffff };

static size_t batches(uint32_t n)
{
    return ((size_t)n + 1 + TEX_LANES - 1) / TEX_LANES * TEX_LANES; /* padded by a pixel */
}

static float *place_row(struct float_row *row, float *memory, uint32_t n)
{
    for (int c = 0; c < 4; c++, memory += batches(n))
        row->c[c] = memory;
    return memory;
}

static void read_row(struct float_work *w, uint32_t y)
{
    const struct stretch *s = w->s;

    if (w->have_in != y)
        tex_read_row(s->src_format, s->src, s->from.x0, s->from.y0 + y, 0, s->src_width, w->in.c);
    w->have_in = y;
}

static const struct float_row *source_sums(struct float_work *w, uint32_t y)
{
    const struct stretch *s = w->s;
    struct float_row *sum = &w->sum[y & 1]; /* even and odd rows have a buffer each */

    if (w->have_sum[y & 1] == y)
        return sum;
    w->have_sum[y & 1] = y;
    read_row(w, y);
    for (int c = 0; c < 4; c++)
        if (w->wanted[c])
            w->kern->filter_horizontal_floats(sum->c[c], w->in.c[c], &s->column, s->width);
    return sum;
}

static const struct float_row *make_linear(struct float_work *w, uint32_t y)
{
    const struct stretch *s = w->s;
    struct stretch_tap t = tex_stretch_row_tap(s, y);
    const struct float_row *top = source_sums(w, t.first), *bottom;

    if (!t.weight)
        return top;
    bottom = source_sums(w, t.first + 1);
    for (int c = 0; c < 4; c++)
        if (w->wanted[c])
            w->kern->filter_vertical_floats(w->out.c[c], top->c[c], bottom->c[c], t.weight,
                                            s->width);
    return &w->out;
}

static const struct float_row *make_point(struct float_work *w, uint32_t y)
{
    const struct stretch *s = w->s;

    read_row(w, y);
    if (s->width == s->src_width)
        return &w->in;
    for (int c = 0; c < 4; c++)
        if (w->wanted[c])
            w->kern->pick((uint32_t *)(void *)w->out.c[c], (const uint32_t *)(void *)w->in.c[c],
                          s->column.first, s->width);
    return &w->out;
}

static void pack_row(const struct stretch *s, uint32_t y, const struct float_row *row)
{
    tex_pack_fn *pack = tex_packer(s->dst_format);

    for (uint32_t x = 0; x < s->width; x += TEX_LANES) {
        const float *const rgba[4] = {row->c[0] + x, row->c[1] + x, row->c[2] + x, row->c[3] + x};
        uint32_t n = s->width - x < TEX_LANES ? s->width - x : TEX_LANES;

        pack(s->dst_format, tex_level_at(s->dst, s->dst_format, s->to.x0 + x, s->to.y0 + y, 0), n,
             rgba);
    }
}

static void write_row(struct float_work *w, uint32_t y)
{
    const struct stretch *s = w->s;
    uint32_t from = tex_stretch_row_tap(s, y).first;

    if (s->linear)
        pack_row(s, y, make_linear(w, y));
    else if (from == w->last)
        tex_stretch_repeat_row(s, y);
    else
        pack_row(s, y, make_point(w, from));
    w->last = from;
    tex_stretch_to_samples(s, y);
}

enum status tex_stretch_floats(const struct stretch *s)
{
    struct float_work w = {.s = s,
                           .kern = KERN_PICK(tex_stretch_kern),
                           .have_sum = {NO_ROW, NO_ROW},
                           .have_in = NO_ROW,
                           .last = NO_ROW};
    size_t floats = 4 * (batches(s->src_width) + 3 * batches(s->width));
    float *memory = mem_calloc(floats, sizeof(*memory)), *next = memory;

    if (!memory)
        return ST_NOMEM;
    next = place_row(&w.in, next, s->src_width);
    next = place_row(&w.sum[0], next, s->width);
    next = place_row(&w.sum[1], next, s->width);
    place_row(&w.out, next, s->width);
    for (int c = 0; c < 4; c++)
        w.wanted[c] = s->dst_format->channel[c].bits;
    for (uint32_t y = 0; y < s->height; y++)
        write_row(&w, y);
    mem_free(memory);
    return ST_OK;
}
