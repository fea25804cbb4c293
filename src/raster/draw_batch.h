/* A batch: vertices and triangles of a draw that are together on their way into bins. */
#ifndef RASTER_DRAW_BATCH_H
#define RASTER_DRAW_BATCH_H

#include "raster/preshade.h"
#include "raster/scene.h"

/* Triangles are set up in groups, and those in tasks. */
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
    atomic_bool some_outside; /* some of its vertices fails a clip plane */

    /* setup_batch.c: a group of its triangles, in progress */
    const struct raster_pipeline *pipeline;
    const uint32_t *indices;
    uint32_t count;
    uint64_t arena_generation; /* raster->arena_generation when it was begun */
    size_t prim_bytes;  /* a multiple of 64: bins keep a command's kind in the lowest bits */
    size_t mask_prim_bytes; /* the same, of those of few pixels */
    bool use_mask8x8;   /* which are looked for */
    bool one_by_one;    /* none was set up, as they are drawn one by one */
    bool stopped;       /* the caller, as it may not cut or make room while others set up */
    bool preshade;      /* are made, as `tasks` say */
    bool split_rects;   /* are looked for */
    unsigned next_run;  /* the next of the task's into bins */
    struct raster_setup_task *tasks;  /* of SETUP_TASKS; NULL: nobody wanted them yet */
    atomic_bool ready[SETUP_TASKS];   /* set up, all of it */
    _Alignas(64) uint32_t binned;     /* triangles up to here are in bins, or not drawn at all */
    unsigned next_task;               /* the task that is next into bins */
    struct raster_tri_setup tri[SETUP_BATCH_TRIANGLES];
};

/* setup_batch.c: of triangles, where raster_wants_setup_batch says so. */
MUST_CHECK enum status raster_setup_batch(struct raster_draw_batch *batch, const uint32_t *indices,
                                          uint32_t count);

#endif
