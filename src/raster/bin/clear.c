/* Clears: packs the clear values, clips the rectangles to each surface and bins fill commands,
 * which tiles execute in order (reference: clear/targets).
 *
 * Tested by tests/conformance/clear and tests/unit/raster/bin/test_overdraw.c. */
#include "raster/bin/list.h"

#include "raster/state/depth.h"
#include "util/fpenv.h"
#include "util/variant.h"

#include <string.h>

/* As variant renderers do that cut colours of few bits. */
static void cut(const struct tex_format *format, float rgba[4][RASTER_LANES])
{
    if (format->layout != TEX_LAYOUT_UNORM || format->channel[0].bits >= 8)
        return;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < RASTER_LANES && format->channel[c].bits; i++)
            rgba[c][i] = variant_cut(rgba[c][i], format->channel[c].bits);
}

static void colour_fill(const struct raster *raster, unsigned target,
                        const struct raster_clear *clear, struct raster_fill *fill)
{
    const struct raster_surface *surface = &raster->targets.colour[target];
    _Alignas(64) float rgba[4][RASTER_LANES];
    const float *in[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
    uint8_t pixels[RASTER_LANES * 16];

    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < RASTER_LANES; i++)
            rgba[c][i] = clear->rgba[c];
    if (clear->srgb_write && (surface->format->caps & TEX_SRGB_WRITE))
        for (unsigned c = 0; c < 3; c++)
            tex_linear_to_srgb(rgba[c], RASTER_LANES);
    if (variant_current && variant_current->cut != 0.0f)
        cut(surface->format, rgba);
    raster->pack[target](surface->format, pixels, RASTER_LANES, in);
    fill->surface = surface;
    memcpy(fill->value, pixels, sizeof(fill->value)); /* 16 bytes of equal pixels */
    memset(fill->mask, 0xff, sizeof(fill->mask));
}

/* A depth clear also clears the bits that are neither depth nor stencil. */
static bool depth_fill(const struct raster *raster, const struct raster_clear *clear,
                       struct raster_fill *fill)
{
    const struct raster_surface *surface = &raster->targets.depth;
    struct raster_depth_stencil ds = {0};
    uint32_t value = 0, mask = 0;

    raster_depth_layout(&ds, surface->format);
    if (clear->depth && ds.depth_field) {
        value |= raster->depth_code(&ds, clear->z);
        mask |= ~ds.stencil_field;
    }
    if (clear->stencil && ds.stencil_field) {
        value |= clear->stencil_value * ds.stencil_one & ds.stencil_field;
        mask |= ds.stencil_field;
    }
    fill->surface = surface;
    for (unsigned i = 0; i < sizeof(fill->value); i += surface->format->bytes) {
        memcpy(fill->value + i, &value, surface->format->bytes);
        memcpy(fill->mask + i, &mask, surface->format->bytes);
    }
    return mask != 0;
}

/* Whether every fill covers the tile's part of its surface. */
static bool covers_tile(const struct raster *raster, const struct raster_clear_command *clear,
                        int32_t tile_x, int32_t tile_y)
{
    int32_t dim = raster_tile_dim(raster), x = tile_x * dim, y = tile_y * dim;

    for (unsigned i = 0; i < clear->n_fills; i++) {
        const struct raster_fill *fill = &clear->fill[i];
        const struct raster_surface *surface = fill->surface;
        int32_t width = (int32_t)(surface->width ? surface->width : raster->targets.width);
        int32_t height = (int32_t)(surface->height ? surface->height : raster->targets.height);
        int32_t right = x + dim < width ? x + dim : width;
        int32_t below = y + dim < height ? y + dim : height;

        if (x < right && y < below &&
            (fill->rect[0] > x || fill->rect[1] > y || fill->rect[2] < right ||
             fill->rect[3] < below))
            return false;
    }
    return true;
}

/* False: the arena is full, and the clear does nothing. */
static bool bin_clear(struct raster *raster, struct raster_clear_command *clear)
{
    raster->touched = true;
    for (int32_t y = clear->rect[1] >> raster->tile_shift;
         y <= (clear->rect[3] - 1) >> raster->tile_shift; y++) {
        for (int32_t x = clear->rect[0] >> raster->tile_shift;
             x <= (clear->rect[2] - 1) >> raster->tile_shift; x++) {
            uint32_t tile = (uint32_t)y * raster->tiles_x + (uint32_t)x;

            if (clear->overwrites && covers_tile(raster, clear, x, y))
                raster_bin_discard(&raster->bins[tile], clear->overwrites);
            if (!bin_push(raster, tile, clear, BIN_CLEAR, clear->has_side_effects)) {
                clear->n_fills = 0;
                return false;
            }
        }
    }
    return true;
}

/* Clips the fills to one rectangle and their surfaces; computes their bounding rectangle. */
static bool clip_fills(const struct raster *raster, struct raster_clear_command *clear,
                       const struct raster_fill *fills, unsigned n, const int32_t *rect,
                       enum overwrite_kind overwrites)
{
    int32_t bounds[4] = {MAX_DIM, MAX_DIM, 0, 0};

    clear->n_fills = 0;
    clear->overwrites = (uint8_t)overwrites;
    clear->has_side_effects = false;
    for (unsigned i = 0; i < n; i++) {
        struct raster_fill *fill = &clear->fill[clear->n_fills];
        const struct raster_surface *surface = fills[i].surface;
        uint32_t width = surface->width ? surface->width : raster->targets.width;
        uint32_t height = surface->height ? surface->height : raster->targets.height;
        int32_t size[4] = {0, 0, (int32_t)width, (int32_t)height};

        *fill = fills[i];
        memcpy(fill->rect, rect, sizeof(fill->rect));
        if (!raster_rect_intersect(fill->rect, size)) {
            clear->overwrites = OVERWRITES_NOTHING;
            continue;
        }
        for (unsigned side = 0; side < 2; side++) {
            bounds[side] = fill->rect[side] < bounds[side] ? fill->rect[side] : bounds[side];
            bounds[side + 2] =
                fill->rect[side + 2] > bounds[side + 2] ? fill->rect[side + 2] : bounds[side + 2];
        }
        clear->has_side_effects |= surface == &raster->targets.depth;
        clear->n_fills++;
    }
    memcpy(clear->rect, bounds, sizeof(bounds));
    return clear->n_fills != 0;
}

static bool try_clear(struct raster *raster, const struct raster_fill *fills, unsigned n,
                      const int32_t *rect, enum overwrite_kind overwrites)
{
    struct raster_clear_command *clear = arena_alloc(&raster->arena, sizeof(*clear));

    if (!clear)
        return false;
    return !clip_fills(raster, clear, fills, n, rect, overwrites) || bin_clear(raster, clear);
}

static unsigned clear_writes(const struct raster_clear *clear)
{
    return (clear->colour ? WROTE_COLOUR : 0) | (clear->depth ? WROTE_DEPTH : 0) |
           (clear->stencil ? WROTE_STENCIL : 0);
}

/* The binned commands that a clear with these `writes` overwrites. */
static enum overwrite_kind clear_overwrites(const struct raster *raster, unsigned writes)
{
    if (!(raster->written & ~writes))
        return OVERWRITES_ALL;
    return writes == WROTE_COLOUR && !raster->options.keep_overdrawn ? OVERWRITES_COLOURS
                                                                     : OVERWRITES_NOTHING;
}

enum status raster_clear(struct raster *raster, const struct raster_clear *clear,
                         const int32_t (*rects)[4], unsigned n_rects)
{
    struct fp_mode mode = fp_enter();
    struct raster_fill fills[RASTER_TARGETS + 1];
    enum status st = ST_OK;
    unsigned n = 0, writes = clear_writes(clear);

    memset(fills, 0, sizeof(fills));
    for (unsigned t = 0; t < RASTER_TARGETS && clear->colour; t++)
        if (raster->targets.colour[t].format && raster->pack[t])
            colour_fill(raster, t, clear, &fills[n++]);
    if ((clear->depth || clear->stencil) && raster->targets.depth.format)
        n += depth_fill(raster, clear, &fills[n]);
    for (unsigned i = 0; i < n_rects && st == ST_OK && n; i++) {
        enum overwrite_kind overwrites = clear_overwrites(raster, writes);

        raster->written |= writes;
        if (try_clear(raster, fills, n, rects[i], overwrites))
            continue;
        raster_flush_bins(raster);
        raster->written |= writes;
        if (!try_clear(raster, fills, n, rects[i], OVERWRITES_NOTHING))
            st = ST_NOMEM;
    }
    fp_leave(mode);
    return st;
}
