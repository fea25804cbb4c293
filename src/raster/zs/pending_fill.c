/* Pending fills: defer clears and constant-depth writes of a whole tile until something reads its
 * depth.
 *
 * Tested by tests/unit/raster/zs/test_tile_depth.c, tests/unit/raster/zs/test_fast_clear.c. */
#include "raster/zs/fill.h"
#include "raster/state/depth.h"
#include "raster/zs/hiz.h"

#include <string.h>

bool raster_defer_fill(const struct raster_worker *worker, struct pending_fill *pending,
                       const struct raster_fill *fill)
{
    uint32_t value, mask;

    if (fill->surface->format->bytes > sizeof(value) || !raster_fills_tile(worker, fill))
        return false;
    memcpy(&value, fill->value, sizeof(value));
    memcpy(&mask, fill->mask, sizeof(mask));
    pending->value = pending->valid ? (pending->value & ~mask) | value : value;
    pending->mask = pending->valid ? pending->mask | mask : mask;
    pending->valid = pending->unwritten = true;
    memcpy(pending->rect, fill->rect, sizeof(pending->rect));
    return true;
}

static bool passes(unsigned func, uint32_t code, uint32_t stored)
{
    unsigned how = code < stored ? 1 : code == stored ? 2 : 4; /* as bits of D3DCMPFUNC - 1 */

    return (func - 1) & how;
}

bool raster_defer_const_depth(struct raster_worker *worker, struct pending_fill *pending,
                              const struct raster_prim *prim)
{
    const struct raster_depth_stencil *ds = &prim->pipeline->ds[0];
    uint32_t code;

    if (!pending->valid || (ds->depth_field & ~pending->mask) || !raster_has_const_depth(prim) ||
        worker->raster->targets.samples > 1 || worker->raster->options.no_packing ||
        !ds->depth_test || ds->stencil_test || ds->bounds_test)
        return false;
    code = raster_const_depth_code(worker->raster, prim);
    if (!passes(ds->depth_func, code, pending->value & ds->depth_field))
        return false;
    if (!ds->depth_write)
        return true;
    pending->value =
        (pending->value & ~raster_repeat_word(ds, ds->depth_field)) | raster_repeat_word(ds, code);
    pending->unwritten = true;
    raster_hiz_fill(worker, code);
    return true;
}

void raster_note_const_depth(const struct raster_worker *worker, struct pending_fill *pending,
                             const struct raster_prim *prim, uint32_t code)
{
    const struct raster_depth_stencil *ds = &prim->pipeline->ds[0];

    *pending = (struct pending_fill){
        .valid = true,
        .value = raster_repeat_word(ds, code),
        .mask = raster_repeat_word(ds, ds->depth_field),
    };
    raster_tile_rect(worker, pending->rect);
}

void raster_pending_to_fill(const struct raster_worker *worker, const struct pending_fill *pending,
                            struct raster_fill *fill)
{
    fill->surface = &worker->raster->targets.depth;
    memcpy(fill->rect, pending->rect, sizeof(fill->rect));
    for (unsigned i = 0; i < sizeof(fill->value); i += sizeof(pending->value)) {
        memcpy(fill->value + i, &pending->value, sizeof(pending->value));
        memcpy(fill->mask + i, &pending->mask, sizeof(pending->mask));
    }
}

void raster_resolve_pending_fill(struct raster_worker *worker, struct pending_fill *pending)
{
    struct raster_fill fill;

    if (pending->unwritten) {
        raster_pending_to_fill(worker, pending, &fill);
        raster_fill_tile(worker, &fill);
    }
    pending->valid = pending->unwritten = false;
}
