/* Draw batch: vertices and triangles of a draw that pass projection, setup and binning together. */
#ifndef RASTER_SETUP_DRAW_BATCH_H
#define RASTER_SETUP_DRAW_BATCH_H

#include "raster/setup/preshade.h"
#include "raster/scene/scene.h"

#include <stdatomic.h>

/* Setup splits the triangles of a batch into tasks. */
enum {
    SETUP_BATCH_TRIANGLES = RASTER_DRAW_BATCH_PRIMS,
    TASK_TRIANGLES = 256,
    SETUP_TASKS = SETUP_BATCH_TRIANGLES / TASK_TRIANGLES
};

struct raster_draw_batch {
    struct raster *raster;
    struct raster_vertices vertices;
    struct raster_screen_vertex *screen;
    size_t screen_capacity;
    atomic_bool some_outside; /* at least one vertex is outside a clip plane */

    /* setup_batch.c: batched setup in progress */
    const struct raster_pipeline *pipeline;
    const uint32_t *indices;
    uint32_t count;
    uint64_t arena_generation; /* raster->arena_generation at the start */
    size_t prim_bytes;      /* a multiple of 64: the lowest bits of a bin command hold its kind */
    size_t mask_prim_bytes; /* the same for PRIM_MASK8X8 */
    bool use_mask8x8;       /* small triangles become PRIM_MASK8X8 */
    bool one_by_one;        /* nothing was set up; triangles are drawn one by one */
    bool stopped;           /* at a triangle to be clipped or without room */
    bool preshade;          /* fragments are preshaded as `tasks` say */
    bool split_rects;       /* pairs of triangles become PRIM_SPLIT_RECT */
    unsigned next_run;      /* next preshaded run of the task to bin */
    struct raster_setup_task *tasks; /* SETUP_TASKS of them; NULL: not needed yet */
    atomic_bool ready[SETUP_TASKS];  /* the task is completely set up */
    _Alignas(64) uint32_t binned;    /* triangles before this one are binned or culled */
    unsigned next_task;              /* next task to bin */
    struct raster_tri_setup tri[SETUP_BATCH_TRIANGLES];
};

/* setup_batch.c: Sets up and bins triangles; raster_wants_setup_batch must be true. */
MUST_CHECK enum status raster_setup_batch(struct raster_draw_batch *batch, const uint32_t *indices,
                                          uint32_t count);
/* Bins the triangles of a batch that are set up but not yet binned; clips and flushes as
 * necessary. */
MUST_CHECK enum status raster_setup_batch_bin_rest(struct raster_draw_batch *batch);

#endif
