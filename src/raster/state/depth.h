/* Depth and stencil of a pipeline: the layout of formats, and which shortcuts the tests allow. */
#ifndef RASTER_STATE_DEPTH_H
#define RASTER_STATE_DEPTH_H

#include "raster/state/params.h"

struct raster;
struct raster_pipeline;

/* Sets the fields of a test that depend on the format alone. */
void raster_depth_layout(struct raster_depth_stencil *ds, const struct tex_format *format);
/* Whether depths and stencils can be tested in the surface itself: vectors take rows of pixels of
 * 32 or 16 bits. */
bool raster_depth_in_place(const struct raster_depth_stencil *ds);
/* A pixel's word repeated to 32 bits, as fills repeat it. */
static inline uint32_t raster_repeat_word(const struct raster_depth_stencil *ds, uint32_t word)
{
    return ds->bytes == 2 ? word * UINT32_C(0x10001) : word;
}
/* Sets the pipeline's hiz, hiz_reject and stencil_cull. */
void raster_hiz_prepare(const struct raster *raster, struct raster_pipeline *pipeline);
/* Sets the pipeline's depth_sort: consecutive sprites may be sorted front to back. */
void raster_depth_sort_prepare(struct raster_pipeline *pipeline);

#endif
