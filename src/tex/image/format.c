/* Lookup of format descriptors by D3DFORMAT, and their names. */
#include "tex/format.h"

#include <stddef.h>
#include <stdio.h>

#define ABSENT(mask)                                                                               \
    {                                                                                              \
        (mask) & 1, (mask) >> 1 & 1, (mask) >> 2 & 1, (mask) >> 3 & 1                              \
    }

/* The macro uses the name only as an operand of #, so that the format NULL is not expanded. */
static const struct tex_format rows[] = {
#define FMT(id, value, size, bw, bh, kind, snorm, rs, rb, gs, gb, bs, bb, as, ab, ones, flags)     \
    {.d3d = (D3DFORMAT)(value),                                                                    \
     .name = #id,                                                                                  \
     .bytes = (size),                                                                              \
     .block_w = (bw),                                                                              \
     .block_h = (bh),                                                                              \
     .layout = TEX_LAYOUT_##kind,                                                                  \
     .snorm_mask = (snorm),                                                                        \
     .channel = {{rs, rb}, {gs, gb}, {bs, bb}, {as, ab}},                                          \
     .absent = ABSENT(ones),                                                                       \
     .caps = (flags)},
#include "tex/image/formats.def"
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

const struct tex_format *tex_format_get(D3DFORMAT format)
{
    for (unsigned i = 0; i < N_ROWS; i++)
        if (rows[i].d3d == format)
            return &rows[i];
    return NULL;
}

const struct tex_format *tex_format_at(unsigned index)
{
    return &rows[index];
}

unsigned tex_format_count(void)
{
    return N_ROWS;
}

bool tex_is_8888(const struct tex_format *f)
{
    return f->layout == TEX_LAYOUT_UNORM && f->bytes == 4 && f->channel[0].bits == 8 &&
           f->channel[1].shift == 8 && f->channel[2].bits == 8;
}

static bool is_float_depth(const struct tex_format *f)
{
    return f->d3d == D3DFMT_D24FS8 || f->d3d == D3DFMT_D32F_LOCKABLE;
}

bool tex_same_depth(const struct tex_format *a, const struct tex_format *b)
{
    if (a == b)
        return a->layout == TEX_LAYOUT_DEPTH;
    return a->layout == TEX_LAYOUT_DEPTH && b->layout == TEX_LAYOUT_DEPTH && a->bytes == b->bytes &&
           a->channel[0].shift == b->channel[0].shift && a->channel[0].bits == b->channel[0].bits &&
           !is_float_depth(a) && !is_float_depth(b);
}

static int is_printable(uint32_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        if ((value & 0xff) < ' ' || (value & 0xff) > '~')
            return 0;
    return 1;
}

const char *tex_format_name(D3DFORMAT format)
{
    static _Thread_local char text[16];
    const struct tex_format *row = tex_format_get(format);
    uint32_t v = (uint32_t)format;

    if (row)
        return row->name;
    if (is_printable(v))
        snprintf(text, sizeof(text), "%c%c%c%c", (char)v, (char)(v >> 8), (char)(v >> 16),
                 (char)(v >> 24));
    else
        snprintf(text, sizeof(text), "%u", (unsigned)v);
    return text;
}
