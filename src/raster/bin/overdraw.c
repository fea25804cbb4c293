/* Overdraw elimination: drops commands that later commands overwrite. */
#include "raster/bin/list.h"

void raster_bin_discard(struct bin *bin, enum overwrite_kind overwritten)
{
    if (!bin->first || overwritten == OVERWRITES_NOTHING)
        return;
    if (overwritten == OVERWRITES_ALL)
        bin->keep_block = NULL;
    bin->last = bin->keep_block ? bin->keep_block : bin->first;
    bin->last->next = NULL;
    bin->last->count = bin->keep_block ? bin->keep_count : 0;
}

void raster_bin_discard_overdrawn(struct raster *raster, const int32_t rect[4])
{
    int32_t dim = raster_tile_dim(raster);
    int32_t x0 = (rect[0] + dim - 1) >> raster->tile_shift, x1 = rect[2] >> raster->tile_shift;
    int32_t y0 = (rect[1] + dim - 1) >> raster->tile_shift, y1 = rect[3] >> raster->tile_shift;

    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++)
            raster_bin_discard(&raster->bins[(uint32_t)y * raster->tiles_x + (uint32_t)x],
                               OVERWRITES_COLOURS);
}
