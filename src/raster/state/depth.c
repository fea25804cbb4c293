/* Depth and stencil of a pipeline: the layout of formats, and which shortcuts the tests allow
 * (reference: depth/quantise).
 *
 * Tested by tests/unit/raster/zs/test_depth_codes.c, tests/unit/raster/zs/test_hiz.c. */
#include "raster/state/depth.h"

#include "raster/scene/scene.h"
#include "raster/state/pipeline.h"

void raster_depth_layout(struct raster_depth_stencil *ds, const struct tex_format *format)
{
    const struct tex_channel *depth = &format->channel[0], *stencil = &format->channel[1];

    ds->code = RASTER_DEPTH_UNORM;
    ds->bits = depth->bits;
    ds->bytes = format->bytes;
    ds->shift = depth->shift;
    ds->depth_field = (uint32_t)(((UINT64_C(1) << depth->bits) - 1) << depth->shift);
    ds->stencil_field = (uint32_t)(((UINT64_C(1) << stencil->bits) - 1) << stencil->shift);
    ds->stencil_one = UINT32_C(1) << stencil->shift;
    if (format->d3d == D3DFMT_D24FS8)
        ds->code = RASTER_DEPTH_FLOAT24;
    else if (format->d3d == D3DFMT_D32F_LOCKABLE)
        ds->code = RASTER_DEPTH_FLOAT32;
    else if (depth->bits == 32)
        ds->code = RASTER_DEPTH_UNORM32;
}

bool raster_depth_in_place(const struct raster_depth_stencil *ds)
{
    return ds->bytes == 4 || ds->bytes == 2;
}

/* Whether fragments that fail the depth test leave the stencil unchanged. */
static bool depth_fail_keeps_stencil(const struct raster_depth_stencil *ds)
{
    return !ds->stencil_test ||
           (ds->zfail == D3DSTENCILOP_KEEP &&
            (ds->fail == D3DSTENCILOP_KEEP || ds->stencil_func == D3DCMP_ALWAYS));
}

/* Hierarchical Z pays if it saves shading, or if no depth write invalidates the ranges. */
void raster_hiz_prepare(const struct raster *raster, struct raster_pipeline *pipeline)
{
    const struct raster_depth_stencil *front = &pipeline->ds[0], *back = &pipeline->ds[1];
    bool one_sided = front->depth_func == D3DCMP_LESS || front->depth_func == D3DCMP_LESSEQUAL ||
                     front->depth_func == D3DCMP_GREATER ||
                     front->depth_func == D3DCMP_GREATEREQUAL;
    bool final = !front->depth_write || pipeline->zs_order != ZS_LATE;

    bool used = pipeline->zs_access >= ZS_BLOCKS_IN_PLACE && one_sided && final &&
                front->depth_test && (raster_shades(pipeline) || !front->depth_write) &&
                !front->bounds_test && !pipeline->s.writes_depth && !pipeline->s.w_buffer &&
                !raster->options.no_packing && !raster->options.force_late_zs;

    pipeline->hiz = !used ? HIZ_UNUSED
                    : depth_fail_keeps_stencil(front) && depth_fail_keeps_stencil(back)
                        ? HIZ_REJECTS
                        : HIZ_TESTS;
    pipeline->stencil_cull =
        raster_is_early_zs(pipeline) && front->stencil_test && !raster->options.no_packing;
}

void raster_depth_sort_prepare(struct raster_pipeline *pipeline)
{
    bool reads = false;

    for (unsigned n = 0; n < pipeline->n_outputs; n++)
        reads |= raster_output_reads(&pipeline->output[n]);
    pipeline->depth_sort = pipeline->hiz && pipeline->ds[0].depth_write &&
                           !pipeline->ds[0].stencil_test && !reads && !pipeline->query;
}
