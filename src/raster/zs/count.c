/* Counts of the samples that reach, fail and pass tests, for tools. A plain version of the stencil
 * test tells which test a sample fails; the kernels of stencil and depth decide.
 *
 * Tested by tests/unit/draw/test_count.c. */
#include "raster/zs/zs.h"

#include <string.h>

static bool compare(unsigned func, uint32_t a, uint32_t b)
{
    switch (func) {
    case D3DCMP_NEVER:
        return false;
    case D3DCMP_LESS:
        return a < b;
    case D3DCMP_EQUAL:
        return a == b;
    case D3DCMP_LESSEQUAL:
        return a <= b;
    case D3DCMP_GREATER:
        return a > b;
    case D3DCMP_NOTEQUAL:
        return a != b;
    case D3DCMP_GREATEREQUAL:
        return a >= b;
    default:
        return true;
    }
}

static int32_t lane_x(const struct frag_batch *batch, unsigned lane)
{
    return batch->quad_x[lane / 4] + (int32_t)(lane & 1);
}

static int32_t lane_y(const struct frag_batch *batch, unsigned lane)
{
    return batch->quad_y[lane / 4] + (int32_t)(lane >> 1 & 1);
}

static uint32_t stored_word(const struct raster_surface *surface, int32_t x, int32_t y,
                            unsigned sample)
{
    size_t bytes = surface->format->bytes;
    uint32_t word = 0;

    memcpy(&word,
           surface->data + (size_t)sample * surface->sample_pitch + (size_t)y * surface->row_pitch +
               (size_t)x * bytes,
           bytes < sizeof(word) ? bytes : sizeof(word));
    return word;
}

uint64_t raster_stencil_lanes(const struct raster_worker *worker, const struct frag_batch *batch,
                              unsigned sample, uint64_t lanes)
{
    const struct raster_pipeline *pipeline = worker->pipeline;
    uint64_t met = lanes;

    for (uint64_t left = raster_uses_zs(pipeline) ? lanes : 0; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        const struct raster_depth_stencil *ds =
            &pipeline->ds[batch->quad_prim[lane / 4]->face < 0.0f];
        uint32_t stored =
            stored_word(worker->zs_surface, lane_x(batch, lane), lane_y(batch, lane), sample);

        if (ds->stencil_test && !compare(ds->stencil_func, ds->ref & ds->mask, stored & ds->mask))
            met &= ~(UINT64_C(1) << lane);
    }
    return met;
}

static void add(struct raster_counts *counts, enum raster_count what,
                const struct frag_batch *batch, uint64_t lanes)
{
    counts->n[what] += (uint64_t)__builtin_popcountll(lanes);
    for (; counts->pixel[what] && lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint32_t x = (uint32_t)lane_x(batch, lane), y = (uint32_t)lane_y(batch, lane);

        if (x < counts->width && y < counts->height)
            counts->pixel[what][(size_t)y * counts->width + x]++;
    }
}

/* The sum of a triangle's edge functions is twice its area, at any pixel, less the bias of the fill
 * rule. */
static uint32_t size_of(const struct raster_prim *prim)
{
    enum { PIXEL = 256 * 256 };
    const struct raster_tri_edges *edges = &raster_edges_of_prim(prim)->edges;
    int64_t area;

    if (prim->kind != PRIM_TRIANGLE)
        return 0;
    area = (edges->c[0] + edges->c[1] + edges->c[2] + 1) / 2;
    return area <= PIXEL ? 1 : (uint32_t)((area + PIXEL - 1) / PIXEL);
}

static void note_sizes(const struct raster_counts *counts, const struct frag_batch *batch,
                       uint64_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint32_t x = (uint32_t)lane_x(batch, lane), y = (uint32_t)lane_y(batch, lane);
        uint32_t size = size_of(batch->quad_prim[lane / 4]);

        if (size && x < counts->width && y < counts->height)
            counts->size[(size_t)y * counts->width + x] = size;
    }
}

void raster_count_tests(struct raster_worker *worker, const struct frag_batch *batch,
                        const struct tested_lanes *lanes)
{
    struct raster_counts *counts = worker->raster->counts;
    uint64_t killed = lanes->covered & batch->shade.killed;
    bool tests = raster_uses_zs(worker->pipeline);

    add(counts, RASTER_COVERED, batch, lanes->covered);
    add(counts, RASTER_KILLED, batch, killed);
    add(counts, RASTER_ALPHA_FAILED, batch, lanes->covered & ~killed & ~lanes->reached);
    add(counts, RASTER_TESTED, batch, tests ? lanes->reached : 0);
    add(counts, RASTER_STENCIL_FAILED, batch, lanes->reached & ~lanes->met);
    add(counts, RASTER_DEPTH_FAILED, batch, lanes->met & ~lanes->passed);
    add(counts, RASTER_PASSED, batch, lanes->passed);
    if (counts->size)
        note_sizes(counts, batch, lanes->passed);
}
