/* Preshading: runs of fragments of small triangles that setup shades before their tiles are
 * rendered. */
#ifndef RASTER_SETUP_PRESHADE_H
#define RASTER_SETUP_PRESHADE_H

#include "raster/bin/bin.h"
#include "raster/setup/preshade_kern.h"

struct raster_tri_bounds;
struct raster_worker;

/* Result of setup for TASK_TRIANGLES consecutive triangles. */
enum { TASK_RUNS = 1024 };
struct raster_setup_task {
    bool out_of_memory; /* an allocation failed */
    bool all_preshaded; /* no triangle became a primitive */
    bool split_run;     /* the next fragment starts a new run: a primitive is drawn before it */
    unsigned n_runs;    /* finished runs, in binning order */
    struct preshaded_entry {
        uint32_t triangle, tile; /* first triangle of the run; primitives of earlier triangles are
                                    binned before the run */
        struct preshaded_run *preshaded;
    } run[TASK_RUNS];
    unsigned n_open; /* runs with fragments in worker->batch; only the last can grow */
    struct preshaded_open_run {
        uint64_t blocks; /* 8x8 blocks that the run may touch */
        uint32_t triangle, tile, n;
    } open[RASTER_LANES];
};

/* Preshades a group of triangles. `bounds` has the mask parts of triangles that need 16x16 pixels;
 * `first` is the number of the group's first triangle. False: there are too many fragments or runs,
 * and nothing was done. */
bool raster_preshade_group(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_small_tri_buffers *from,
                           const struct raster_small_tri_group *group,
                           const struct raster_tri_bounds *bounds, uint32_t first);
/* Shades the fragments that are left in worker->batch. */
void raster_preshade_flush(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_pipeline *pipeline);

#endif
