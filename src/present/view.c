/* Frames as pixels of a monitor, and the place of the HUD. */
#include "present/view.h"

#include "util/alloc.h"

enum { PANEL_INSET = 8 };

void view_free(struct view_memory *memory)
{
    mem_free(memory->pixels);
    *memory = (struct view_memory){NULL, 0};
}

static enum status need(struct view_memory *memory, size_t n)
{
    uint32_t *grown;

    if (n <= memory->n)
        return ST_OK;
    grown = mem_realloc(memory->pixels, n * sizeof(*grown));
    if (!grown)
        return ST_NOMEM;
    memory->pixels = grown;
    memory->n = n;
    return ST_OK;
}

/* --- Frames ----------------------------------------------------------------------------------- */

static bool is_x8r8g8b8(const struct present_frame *frame)
{
    return (frame->format->d3d == D3DFMT_X8R8G8B8 || frame->format->d3d == D3DFMT_A8R8G8B8) &&
           frame->row_pitch % 4 == 0;
}

static uint32_t through(const struct view_gamma *gamma, uint32_t red, uint32_t green, uint32_t blue)
{
    return (uint32_t)gamma->table[0][red] << 16 | (uint32_t)gamma->table[1][green] << 8 |
           gamma->table[2][blue];
}

static void copy_through(uint32_t *out, const struct present_frame *frame,
                         const struct view_gamma *gamma)
{
    for (uint32_t y = 0; y < frame->height; y++) {
        const uint32_t *row = (const uint32_t *)(frame->data + (size_t)y * frame->row_pitch);

        for (uint32_t x = 0; x < frame->width; x++)
            *out++ = through(gamma, row[x] >> 16 & 255, row[x] >> 8 & 255, row[x] & 255);
    }
}

static enum status convert(uint32_t *out, const struct present_frame *frame,
                           const struct view_gamma *gamma)
{
    size_t n = (size_t)frame->width * frame->height;
    const uint8_t *rgb = (uint8_t *)out + n; /* the upper part; filling never overtakes reading */
    enum status st = present_to_rgb(frame, (uint8_t *)out + n);

    for (size_t i = 0; st == ST_OK && i < n; i++, rgb += 3)
        out[i] = gamma ? through(gamma, rgb[0], rgb[1], rgb[2])
                       : (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    return st;
}

enum status view_pixels(struct view_memory *memory, const struct present_frame *frame,
                        const struct view_gamma *gamma, const uint32_t **out, uint32_t *pitch)
{
    enum status st;

    if (is_x8r8g8b8(frame) && !gamma) {
        *out = (const uint32_t *)frame->data;
        *pitch = frame->row_pitch / 4;
        return ST_OK;
    }
    st = need(memory, (size_t)frame->width * frame->height);
    if (st != ST_OK)
        return st;
    *out = memory->pixels;
    *pitch = frame->width;
    if (!is_x8r8g8b8(frame))
        return convert(memory->pixels, frame, gamma);
    copy_through(memory->pixels, frame, gamma);
    return ST_OK;
}

/* --- Panel ------------------------------------------------------------------------------------ */

/* Pixels that windows show where pixel `at` of `dst` is. */
static uint32_t source_of(uint32_t at, int32_t dst, int32_t src)
{
    return (uint32_t)((uint64_t)at * (uint32_t)src / (uint32_t)dst);
}

enum status view_panel(struct view_memory *memory, const struct hud *hud, const uint32_t *pixels,
                       uint32_t pitch, const struct view_rect *src, const struct view_rect *dst,
                       struct view_rect *rect)
{
    int32_t wide = dst->right - dst->left, high = dst->bottom - dst->top;
    uint32_t width, height;
    enum status st;

    hud_size(hud, &width, &height);
    if (wide < (int32_t)width + 2 * PANEL_INSET || high < (int32_t)height + 2 * PANEL_INSET)
        return ST_NOTFOUND;
    st = need(memory, (size_t)width * height);
    if (st != ST_OK)
        return st;
    for (uint32_t y = 0; y < height; y++) {
        uint32_t from_y = source_of(y + PANEL_INSET, high, src->bottom - src->top);
        const uint32_t *row = pixels + (size_t)((uint32_t)src->top + from_y) * pitch + src->left;

        for (uint32_t x = 0; x < width; x++)
            memory->pixels[y * width + x] =
                row[source_of(x + PANEL_INSET, wide, src->right - src->left)];
    }
    hud_paint(hud, memory->pixels, width);
    rect->left = dst->left + PANEL_INSET;
    rect->top = dst->top + PANEL_INSET;
    rect->right = rect->left + (int32_t)width;
    rect->bottom = rect->top + (int32_t)height;
    return ST_OK;
}
