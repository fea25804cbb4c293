/* Axis-aligned sampling of whole tiles: u depends on x only and v on y only, as in 2D drawing and
 * full-screen passes.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/prim/prim.h"
#include "raster/shade/block.h"
#include "tex/shortcut/shortcut.h"

_Static_assert((int)TEX_AXIS_ALIGNED_SIZE == 1 << TILE_SHIFT, "a tile is one call");

static bool has_perspective(const struct raster_prim *prim, unsigned attr)
{
    return !prim->affine && prim->pipeline->s.attr[attr].interp == RASTER_PERSPECTIVE;
}

/* Evaluates an attribute that depends on x only (across) or on y only, at the tile's columns or
 * rows from `first` on. False: it depends on the other axis or has perspective. */
static bool put_axis(const struct raster_prim *prim, unsigned attr, bool across, int32_t first,
                     float value[TEX_AXIS_ALIGNED_SIZE])
{
    const struct raster_attr_plane *plane = &prim->attr[attr];
    float anchor = across ? prim->anchor_x : prim->anchor_y;

    if (!(prim->const_attribs >> attr & 1) &&
        (has_perspective(prim, attr) || (across ? plane->dady : plane->dadx) != 0.0))
        return false;
    for (int32_t i = 0; i < TEX_AXIS_ALIGNED_SIZE; i++) {
        float distance = (float)(first + i) - anchor;

        value[i] =
            across ? raster_attr_at(plane, distance, 0.0f) : raster_attr_at(plane, 0.0f, distance);
    }
    return true;
}

bool raster_axis_aligned_tile(struct raster_worker *worker, const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    const struct raster_output *output = &pipeline->output[0];
    const struct raster_surface *surface = output->surface;
    struct tex_axis_aligned area = {.pitch = surface->row_pitch,
                                    .set = output->write.alpha ? 0 : 0xff000000};

    if (!put_axis(prim, pipeline->s.axis_aligned_attr[0], true, worker->tile.x, area.u) ||
        !put_axis(prim, pipeline->s.axis_aligned_attr[1], false, worker->tile.y, area.v))
        return false;
    area.rows = surface->data + (size_t)worker->tile.y * surface->row_pitch +
                (size_t)worker->tile.x * surface->format->bytes;
    for (unsigned s = 0; s < worker->raster->targets.samples; s++) {
        if (!pipeline->s.shade_axis_aligned(pipeline->s.values.shade_ctx, &area))
            return false;
        area.rows += surface->sample_pitch;
    }
    return true;
}
