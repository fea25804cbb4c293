/* Builds dx9mt frame files for tests from the offsets in docs/formats.md, independent of the
 * source's structs. */
#ifndef TESTS_TRACE_DX9MT_FILE_H
#define TESTS_TRACE_DX9MT_FILE_H

#include "stream.h"

#include <stdbool.h>

/* Byte offsets in the header and in a draw of the newest revision. */
enum {
    H_MAGIC = 0,
    H_SEQUENCE = 4,
    H_WIDTH = 8,
    H_HEIGHT = 12,
    H_CLEAR_COLOR = 16,
    H_CLEAR_FLAGS = 20,
    H_CLEAR_Z = 24,
    H_CLEAR_STENCIL = 28,
    H_HAVE_CLEAR = 32,
    H_DRAWS = 36,
    H_FRAME_ID = 44,
    H_PRESENT_ID = 48,
    H_BULK_AT = 52,
    H_BULK_USED = 56
};
enum {
    D_COMMAND = 0,
    D_TYPE = 4,
    D_BASE_VERTEX = 8,
    D_MIN_INDEX = 12,
    D_VERTICES = 16,
    D_START = 20,
    D_COUNT = 24,
    D_TARGET = 28,
    D_TARGET_TEXTURE = 32,
    D_TARGET_W = 36,
    D_TARGET_H = 40,
    D_TARGET_FORMAT = 44,
    D_SRC_SURFACE = 48,
    D_SRC_TEXTURE = 52,
    D_SRC_RECT = 68,
    D_DST_RECT = 84,
    D_STRETCH_FILTER = 100,
    D_VIEWPORT = 104,
    D_MIN_Z = 120,
    D_MAX_Z = 124,
    D_SCISSOR = 128,
    D_FVF = 144,
    D_STREAM_OFFSET = 152,
    D_STRIDE = 156,
    D_INDEX_FORMAT = 160,
    D_TEX_ID = 164,
    D_TEX_GENERATION = 196,
    D_TEX_FORMAT = 228,
    D_TEX_W = 260,
    D_TEX_H = 292,
    D_TEX_PITCH = 324,
    D_MIN_FILTER = 356,
    D_MAG_FILTER = 388,
    D_ADDRESS_U = 452,
    D_ADDRESS_V = 484,
    D_COLOR_OP = 548,
    D_COLOR_ARG1 = 552,
    D_BLEND = 576,
    D_SRC_BLEND = 580,
    D_DEST_BLEND = 584,
    D_ALPHA_TEST = 588,
    D_ALPHA_REF = 592,
    D_ALPHA_FUNC = 596,
    D_VB = 600,
    D_IB = 608,
    D_TEX_AT = 616,
    D_TEX_SIZE = 648,
    D_DECL_AT = 680,
    D_DECL_COUNT = 684,
    D_VS_CONSTANTS = 688,
    D_PS_CONSTANTS = 696,
    D_VS = 708,
    D_PS = 716,
    D_ZENABLE = 724,
    D_ZWRITE = 728,
    D_ZFUNC = 732,
    D_STENCIL = 736,
    D_STENCIL_FUNC = 740,
    D_STENCIL_REF = 744,
    D_STENCIL_MASK = 748,
    D_STENCIL_WRITE_MASK = 752,
    D_CULL = 756,
    D_SCISSOR_TEST = 760,
    D_BLEND_OP = 764,
    D_WRITE_MASK = 768,
    D_STENCIL_PASS = 772,
    D_BYTES = 808
};

enum {
    SCREEN = 0x02000001,
    OTHER = 0x02000002,
    TEXTURE_ID = 0x04000001,
    OTHER_TEXTURE = 0x04000002
};

struct frame {
    uint8_t header[60], draws[8][D_BYTES];
    unsigned count;
    struct stream bulk;
};

static inline void set(uint8_t *at, unsigned offset, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[offset + i] = (uint8_t)(value >> (8 * i));
}

static inline void set_float(uint8_t *at, unsigned offset, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    set(at, offset, bits);
}

static inline void frame_start(struct frame *f, uint32_t width, uint32_t height)
{
    f->bulk.n = 0;
    memset(f->header, 0, sizeof(f->header));
    f->count = 0;
    set(f->header, H_MAGIC, 0xdead9001);
    set(f->header, H_SEQUENCE, 1);
    set(f->header, H_WIDTH, width);
    set(f->header, H_HEIGHT, height);
    set(f->header, H_PRESENT_ID, SCREEN);
}

static inline void frame_clear(struct frame *f, uint32_t flags, uint32_t colour, float z)
{
    set(f->header, H_HAVE_CLEAR, 1);
    set(f->header, H_CLEAR_FLAGS, flags);
    set(f->header, H_CLEAR_COLOR, colour);
    set_float(f->header, H_CLEAR_Z, z);
}

/* Appends an item to the bulk data and stores its offset in the draw, followed by its size if
 * wanted. */
static inline void frame_bulk(struct frame *f, uint8_t *draw, unsigned at, const void *bytes,
                              size_t n, bool with_size)
{
    set(draw, at, (uint32_t)f->bulk.n);
    if (with_size)
        set(draw, at + 4, (uint32_t)n);
    put_bytes(&f->bulk, bytes, n);
    while (f->bulk.n % 16)
        put(&f->bulk, 0);
}

/* Copies position and texture coordinate; samples the texture. */
static const uint32_t copy_vs[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f,
                                   0x80000005, 0x900f0001, 0x02000001, 0xc00f0000, 0x90e40000,
                                   0x02000001, 0xe00f0000, 0x90e40001, 0x0000ffff};
static const uint32_t lookup_ps[] = {0xffff0200, 0x0200001f, 0x80000000, 0xb0030000, 0x0200001f,
                                     0x90000000, 0xa00f0800, 0x03000042, 0x800f0000, 0xb0e40000,
                                     0xa0e40800, 0x02000001, 0x800f0800, 0x80e40000, 0x0000ffff};
/* mov oC0, c0 */
static const uint32_t constant_ps[] = {0xffff0200, 0x02000001, 0x800f0800, 0xa0e40000, 0x0000ffff};

/* A draw of a strip of two triangles over the screen, without tests and blending; four vertices of
 * x, y, z, w, u, v. */
static inline uint8_t *frame_quad(struct frame *f, uint32_t width, uint32_t height,
                                  const float vertices[4][6])
{
    static const uint16_t indices[4] = {0, 1, 2, 3};
    static const uint8_t elements[16] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 16, 0, 1, 0, 5, 0};
    uint8_t *d = f->draws[f->count++];

    memset(d, 0, D_BYTES);
    set(d, D_TYPE, 5);
    set(d, D_COUNT, 2);
    set(d, D_VERTICES, 4);
    set(d, D_TARGET, SCREEN);
    set(d, D_TARGET_W, width);
    set(d, D_TARGET_H, height);
    set(d, D_TARGET_FORMAT, 22);
    set(d, D_VIEWPORT + 8, width);
    set(d, D_VIEWPORT + 12, height);
    set_float(d, D_MAX_Z, 1);
    set(d, D_STRIDE, 24);
    set(d, D_INDEX_FORMAT, 101);
    set(d, D_SRC_BLEND, 2);
    set(d, D_DEST_BLEND, 1);
    set(d, D_ALPHA_FUNC, 8);
    set(d, D_ZFUNC, 8);
    set(d, D_CULL, 1);
    set(d, D_BLEND_OP, 1);
    set(d, D_WRITE_MASK, 15);
    frame_bulk(f, d, D_VB, vertices, 96, true);
    frame_bulk(f, d, D_IB, indices, 8, true);
    frame_bulk(f, d, D_DECL_AT, elements, 16, false);
    d[D_DECL_COUNT] = 2;
    frame_bulk(f, d, D_VS, copy_vs, sizeof(copy_vs), true);
    return d;
}

static const float whole_target[4][6] = {
    {-1, 1, 0.5f, 1, 0, 0}, {1, 1, 0.5f, 1, 1, 0}, {-1, -1, 0.5f, 1, 0, 1}, {1, -1, 0.5f, 1, 1, 1}};

/* A StretchRect to the screen; the caller sets source and rectangles. */
static inline uint8_t *frame_stretch(struct frame *f, uint32_t width, uint32_t height)
{
    uint8_t *d = f->draws[f->count++];

    memset(d, 0, D_BYTES);
    set(d, D_COMMAND, 1);
    set(d, D_TARGET, SCREEN);
    set(d, D_TARGET_W, width);
    set(d, D_TARGET_H, height);
    set(d, D_TARGET_FORMAT, 22);
    return d;
}

static inline void set_blend_by_alpha(uint8_t *d)
{
    set(d, D_BLEND, 1);
    set(d, D_SRC_BLEND, 5);
    set(d, D_DEST_BLEND, 6);
}

static inline void frame_texture(struct frame *f, uint8_t *d, uint32_t id, uint32_t format,
                                 uint32_t width, uint32_t height, uint32_t pitch,
                                 const void *texels, size_t n)
{
    set(d, D_TEX_ID, id);
    set(d, D_TEX_GENERATION, 1);
    set(d, D_TEX_FORMAT, format);
    set(d, D_TEX_W, width);
    set(d, D_TEX_H, height);
    set(d, D_TEX_PITCH, pitch);
    set(d, D_MIN_FILTER, 1);
    set(d, D_MAG_FILTER, 1);
    set(d, D_ADDRESS_U, 3);
    set(d, D_ADDRESS_V, 3);
    if (texels) {
        frame_bulk(f, d, D_TEX_AT, texels, n, false);
        set(d, D_TEX_SIZE, (uint32_t)n);
    }
    frame_bulk(f, d, D_PS, lookup_ps, sizeof(lookup_ps), true);
}

/* Gives the draw one colour, in constant 0. */
static inline void frame_colour(struct frame *f, uint8_t *d, float r, float g, float b, float a)
{
    const float c[4] = {r, g, b, a};

    frame_bulk(f, d, D_PS_CONSTANTS, c, 16, true);
    frame_bulk(f, d, D_PS, constant_ps, sizeof(constant_ps), true);
}

/* Builds the file. For older revisions, `cut` gives the draw size and the parts of a draw that
 * exist. */
struct part {
    unsigned from, bytes;
};

static inline struct stream frame_file_of(struct frame *f, unsigned header,
                                          const struct part *parts)
{
    struct stream out = {0};
    unsigned at_offset = header == 56 ? 48 : H_BULK_AT;

    set(f->header, H_DRAWS, f->count);
    put_bytes(&out, f->header, header);
    for (unsigned i = 0; i < f->count; i++)
        for (const struct part *p = parts; p->bytes; p++)
            put_bytes(&out, f->draws[i] + p->from, p->bytes);
    while (out.n % 16)
        put(&out, 0);
    set(out.bytes, at_offset, (uint32_t)out.n);
    set(out.bytes, at_offset + 4, (uint32_t)f->bulk.n);
    put_bytes(&out, f->bulk.bytes, f->bulk.n);
    return out;
}

static inline struct stream frame_file(struct frame *f)
{
    static const struct part all[] = {{0, D_BYTES}, {0, 0}};

    return frame_file_of(f, 60, all);
}

#endif
