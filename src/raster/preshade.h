/* Fragments: pixels of small triangles that are shaded before their tiles are rendered. */
#ifndef RASTER_PRESHADE_H
#define RASTER_PRESHADE_H

#include "raster/bin.h"
#include "raster/preshade_kern.h"

struct raster_tri_bounds;
struct raster_worker;

/* What a worker made of some triangles that follow one another. */
enum { TASK_RUNS = 1024 };
struct raster_setup_task {
    bool out_of_memory; /* there was no memory */
    bool all_preshaded; /* nothing but fragments came of them */
    bool split_run;     /* something else is drawn before what comes next */
    unsigned n_runs; /* that are complete, in the order in which they go into bins */
    struct preshaded_entry {
        uint32_t triangle, tile; /* its first triangle, and all of those that follow in the same */
        struct preshaded_run *preshaded;
    } run[TASK_RUNS];
    unsigned n_open; /* runs of the pixels that wait to be shaded; the last may go on */
    struct preshaded_open_run {
        uint64_t blocks; /* that it may touch */
        uint32_t triangle, tile, n;
    } open[RASTER_LANES];
};

/* preshade.c: whether draws of the pipeline may make fragments. */
bool raster_can_preshade(const struct raster_pipeline *pipeline);
/* Makes those of a group's triangles, of which `bounds` has the parts of wide ones; first: the
 * number of the group's first. False: they have too many pixels, and nothing was done. */
bool raster_preshade_group(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_small_tri_buffers *from,
                           const struct raster_small_tri_group *group,
                           const struct raster_tri_bounds *bounds, uint32_t first);
/* Shades what waits. */
void raster_preshade_flush(struct raster_worker *worker, struct raster_setup_task *task,
                           const struct raster_pipeline *pipeline);

/* preshade_tile.c */
/* Whether some pixel is one that waits in a batch, and so comes first. */
bool raster_preshaded_conflicts(const struct raster_worker *worker,
                                const struct preshaded_run *preshaded);
/* Tests them in their order, and writes those that pass. */
void raster_preshaded_draw(struct raster_worker *worker, const struct preshaded_run *preshaded);

#endif
