/* Converts frames to monitor pixels, applies Present's rectangles, and places the HUD panel. */
#include "present/monitor/pixels.h"

#include "util/alloc.h"
#include "util/min_max.h"

#include <string.h>

enum { PANEL_INSET = 8 };

void view_free(struct view_memory *memory)
{
    mem_free(memory->pixels);
    *memory = (struct view_memory){NULL, 0};
}

enum status view_reserve(struct view_memory *memory, size_t n)
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

enum status view_pixels(struct view_memory *memory, const struct present_frame *frame,
                        const struct view_gamma *gamma, struct view_image *out)
{
    struct pixel_reader reader;
    enum status st;

    if (is_x8r8g8b8(frame) && !gamma) {
        *out = (struct view_image){(uint32_t *)(uintptr_t)frame->data, frame->row_pitch / 4,
                                   frame->width, frame->height};
        return ST_OK;
    }
    st = pixels_begin(&reader, frame->format, gamma);
    if (st == ST_OK)
        st = view_reserve(memory, (size_t)frame->width * frame->height);
    if (st != ST_OK)
        return st;
    *out = (struct view_image){memory->pixels, frame->width, frame->width, frame->height};
    for (uint32_t y = 0; y < frame->height; y++)
        pixels_row(&reader, frame->data + (size_t)y * frame->row_pitch, frame->width,
                   memory->pixels + (size_t)y * frame->width);
    return ST_OK;
}

/* --- Rectangles ------------------------------------------------------------------------------- */

/* Returns the source pixel for destination pixel `at`, as windows do. */
static uint32_t source_of(uint32_t at, uint32_t dst, uint32_t src)
{
    return (uint32_t)((uint64_t)at * src / dst);
}

struct view_rect view_rect_or(const int32_t from[4], int32_t width, int32_t height)
{
    if (!from[0] && !from[1] && !from[2] && !from[3])
        return (struct view_rect){0, 0, width, height};
    return (struct view_rect){from[0], from[1], from[2], from[3]};
}

bool view_rect_inside(const struct view_rect *rect, const struct present_frame *frame)
{
    return rect->left >= 0 && rect->top >= 0 && rect->right <= (int32_t)frame->width &&
           rect->bottom <= (int32_t)frame->height && rect->left < rect->right &&
           rect->top < rect->bottom;
}

/* Writes n pixels of a row stretched from `have` to `wide` pixels, starting at pixel `first`. */
static void stretch_row(uint32_t *out, const uint32_t *in, uint32_t n, uint32_t first,
                        uint32_t wide, uint32_t have)
{
    uint64_t at = (uint64_t)first * have;
    uint32_t whole = (uint32_t)(at / wide), rest = (uint32_t)(at % wide);
    uint32_t step = have / wide, step_rest = have % wide;

    if (have == wide) {
        memcpy(out, in + first, (size_t)n * sizeof(*out));
        return;
    }
    for (uint32_t x = 0; x < n; x++) { /* in[(first + x) * have / wide] */
        out[x] = in[whole];
        whole += step;
        rest += step_rest;
        if (rest >= wide) {
            rest -= wide;
            whole++;
        }
    }
}

void view_stretch(const struct view_image *to, const struct view_rect *dst,
                  const struct view_image *from, const struct view_rect *src)
{
    int32_t left = dst->left > 0 ? dst->left : 0, right = min_i32(dst->right, (int32_t)to->width);
    int32_t top = dst->top > 0 ? dst->top : 0, bottom = min_i32(dst->bottom, (int32_t)to->height);
    uint32_t high = (uint32_t)(dst->bottom - dst->top);

    for (int32_t y = top; y < bottom && left < right; y++) {
        uint32_t row = (uint32_t)src->top + source_of((uint32_t)(y - dst->top), high,
                                                      (uint32_t)(src->bottom - src->top));

        stretch_row(to->pixels + (size_t)y * to->pitch + left,
                    from->pixels + (size_t)row * from->pitch + src->left, (uint32_t)(right - left),
                    (uint32_t)(left - dst->left), (uint32_t)(dst->right - dst->left),
                    (uint32_t)(src->right - src->left));
    }
}

/* --- Canvas ----------------------------------------------------------------------------------- */

void canvas_fini(struct canvas *canvas)
{
    view_free(&canvas->converted);
    view_free(&canvas->shown);
}

static bool is_whole(const struct present_frame *frame)
{
    const struct view_rect all = {0, 0, (int32_t)frame->width, (int32_t)frame->height};
    struct view_rect src = view_rect_or(frame->src, all.right, all.bottom);
    struct view_rect dst = view_rect_or(frame->dst, all.right, all.bottom);

    return !memcmp(&src, &all, sizeof(all)) && !memcmp(&dst, &all, sizeof(all));
}

static enum status keep(struct canvas *canvas, uint32_t width, uint32_t height)
{
    size_t n = (size_t)width * height;
    enum status st = view_reserve(&canvas->shown, n);

    if (st != ST_OK || (canvas->width == width && canvas->height == height))
        return st;
    memset(canvas->shown.pixels, 0, n * sizeof(uint32_t));
    canvas->width = width;
    canvas->height = height;
    return ST_OK;
}

enum status canvas_update(struct canvas *canvas, const struct present_frame *frame,
                          const struct view_gamma *gamma, struct view_image *out)
{
    int32_t width = (int32_t)frame->width, height = (int32_t)frame->height;
    struct view_rect src = view_rect_or(frame->src, width, height);
    struct view_rect dst = view_rect_or(frame->dst, width, height);
    struct view_image shown = {NULL, frame->width, frame->width, frame->height};
    enum status st = view_pixels(&canvas->converted, frame, gamma, out);

    if (st != ST_OK || (!canvas->width && is_whole(frame)))
        return st;
    st = keep(canvas, frame->width, frame->height);
    if (st != ST_OK)
        return st;
    shown.pixels = canvas->shown.pixels;
    if (view_rect_inside(&src, frame) && dst.left < dst.right && dst.top < dst.bottom)
        view_stretch(&shown, &dst, out, &src);
    *out = shown;
    return ST_OK;
}

/* Converts frames that cover the whole image once, directly into the destination. */
static enum status convert(const struct view_image *to, const struct present_frame *frame,
                           const struct view_gamma *gamma)
{
    struct pixel_reader reader;
    enum status st = pixels_begin(&reader, frame->format, gamma);

    for (uint32_t y = 0; st == ST_OK && y < frame->height; y++)
        pixels_row(&reader, frame->data + (size_t)y * frame->row_pitch, frame->width,
                   to->pixels + (size_t)y * to->pitch);
    return st;
}

enum status canvas_copy(struct canvas *canvas, const struct present_frame *frame,
                        const struct view_gamma *gamma, const struct view_image *to)
{
    struct view_image seen;
    enum status st;

    if (!canvas->width && is_whole(frame))
        return convert(to, frame, gamma);
    st = canvas_update(canvas, frame, gamma, &seen);
    for (uint32_t y = 0; st == ST_OK && y < seen.height; y++)
        memcpy(to->pixels + (size_t)y * to->pitch, seen.pixels + (size_t)y * seen.pitch,
               (size_t)seen.width * 4);
    return st;
}

/* --- Panel ------------------------------------------------------------------------------------ */

/* Places the panel in the area at the largest scale that fits, up to the user's. Returns the scale;
 * 0: none fits. */
static unsigned place_panel(const struct hud *hud, const struct view_rect *area,
                            struct view_rect *rect)
{
    int32_t wide = area->right - area->left - 2 * PANEL_INSET;
    int32_t high = area->bottom - area->top - 2 * PANEL_INSET;
    bool right = hud->corner == PRESENT_TOP_RIGHT || hud->corner == PRESENT_BOTTOM_RIGHT;
    bool bottom = hud->corner == PRESENT_BOTTOM_LEFT || hud->corner == PRESENT_BOTTOM_RIGHT;
    unsigned scale = hud->scale ? hud->scale : 1;
    uint32_t width, height;

    for (; scale; scale--) {
        hud_size(hud, scale, &width, &height);
        if (wide >= (int32_t)width && high >= (int32_t)height)
            break;
    }
    rect->left = area->left + PANEL_INSET + (right ? wide - (int32_t)width : 0);
    rect->top = area->top + PANEL_INSET + (bottom ? high - (int32_t)height : 0);
    rect->right = rect->left + (int32_t)width;
    rect->bottom = rect->top + (int32_t)height;
    return scale;
}

enum status view_panel(struct view_memory *memory, const struct hud *hud,
                       const struct view_image *image, const struct view_rect *src,
                       const struct view_rect *dst, struct view_rect *rect)
{
    unsigned scale = place_panel(hud, dst, rect);
    const struct view_rect at = {dst->left - rect->left, dst->top - rect->top,
                                 dst->right - rect->left, dst->bottom - rect->top};
    uint32_t width = (uint32_t)(rect->right - rect->left);
    uint32_t height = (uint32_t)(rect->bottom - rect->top);
    struct view_image panel;
    enum status st;

    if (!scale)
        return ST_NOTFOUND;
    st = view_reserve(memory, (size_t)width * height);
    if (st != ST_OK)
        return st;
    panel = (struct view_image){memory->pixels, width, width, height};
    view_stretch(&panel, &at, image, src);
    hud_paint(hud, scale, memory->pixels, width);
    return ST_OK;
}

void view_draw_panel(const struct hud *hud, const struct view_image *image,
                     const struct view_rect *area)
{
    struct view_rect rect;
    unsigned scale = place_panel(hud, area, &rect);

    if (scale)
        hud_paint(hud, scale, image->pixels + (size_t)rect.top * image->pitch + rect.left,
                  image->pitch);
}
