/* The scene, lowest module: the rasteriser's state with targets, bins, arenas and the draw in
 * progress; sizes of tiles and blocks (blocks.h).
 *
 * Kernel tables and the functions of higher modules appear as pointers. */
#ifndef RASTER_SCENE_SCENE_H
#define RASTER_SCENE_SCENE_H

#include "raster/scene/blocks.h"
#include "tex/tex.h"
#include "util/arena.h"

#include <pthread.h>

_Static_assert((int)TEX_LANES == (int)RASTER_LANES, "batches go through tex's pack and unpack");

/* An occlusion query of the open scene. Workers count apart; a flush adds up their counts. */
struct raster_query {
    uint64_t *target;
    struct raster_query *next;
    uint64_t *counts; /* one per worker, QUERY_STRIDE apart */
};
enum { QUERY_STRIDE = 8 };

/* A projected vertex. v: its source data (RASTER_V_POSITION, …); outside: a bit per clip plane that
 * it fails. */
struct raster_screen_vertex {
    int32_t x, y; /* 1/256 pixel */
    float z, rhw;
    uint32_t outside;
    const float *v;
};
enum { CLIP_DROP = 1 << 31 }; /* the position has a NaN or an infinity */

enum { CLIP_W, CLIP_NEAR, CLIP_FAR, CLIP_LEFT, CLIP_RIGHT, CLIP_TOP, CLIP_BOTTOM, CLIP_USER };
enum { CLIP_PLANES = CLIP_USER + RASTER_CLIP_PLANES, MAX_POLYGON = 3 + CLIP_PLANES };

/* Lower limit of w before the division: keeps 1 / w finite. Nothing visible lies nearer to the
 * eye. */
#define RASTER_LEAST_W 0x1p-32

struct raster_viewport {
    double centre_x, centre_y, half_w, half_h, min_z, range_z;
};

/* Class of a triangle at setup. TRI_CULL: nothing to draw, or only preshaded fragments; TRI_ACCEPT:
 * inside all clip planes; TRI_CLIP: to be clipped. */
enum raster_tri_class { TRI_CULL, TRI_ACCEPT, TRI_CLIP };
enum { RECENT_PIPELINES = 8 };
enum { MULTIPLE_TILES = UINT16_MAX, MAX_MASK_PARTS = 4 };
struct raster_tri_setup {
    struct raster_prim *prim;   /* TRI_ACCEPT: the first of n_parts adjacent primitives */
    uint8_t tri_class, n_parts; /* enum raster_tri_class */
    uint16_t tile;              /* TRI_ACCEPT: the only tile that it touches, or MULTIPLE_TILES */
};

/* Part of the bins' arena that one thread has taken and not yet used up. */
struct raster_arena_slab {
    char *at;
    size_t left;
    uint64_t arena_generation; /* raster->arena_generation + 1 when it was taken; 0: never */
};

struct raster_depth_stencil;
struct raster_pipeline;
struct raster_worker;

/* Bits of raster.written: the side effects that the binned commands may have. */
enum raster_written {
    WROTE_COLOUR = 1 << 0,
    WROTE_DEPTH = 1 << 1,
    WROTE_STENCIL = 1 << 2,
    WROTE_QUERY = 1 << 3,
};

/* Ring of the most recent pipelines; emptied by a flush. */
struct raster_recents {
    struct raster_recent {
        const struct raster_pipeline *pipeline;
        struct raster_state state; /* state that the pipeline was made from */
    } entry[RECENT_PIPELINES];
    unsigned next;
};

struct raster {
    /* Kernels of prim, output, zs, shade and setup */
    const struct raster_coverage_kern *coverage_kern;
    const struct raster_colour_kern *colour_kern;
    const struct raster_blend_kern *blend_kern;
    const struct raster_general_kern *general_kern;
    const struct raster_half_kern *half_kern;
    const struct raster_store_kern *store_kern;
    const struct raster_output_kern *output_kern;
    const struct raster_depth_kern *depth_kern;
    const struct raster_hiz_kern *hiz_kern;
    const struct raster_zs_kern *zs_kern;
    const struct raster_packer_kern *packer_kern;
    const struct raster_interp_kern *interp_kern;
    const struct raster_project_kern *project_kern;
    const struct raster_setup_kern *setup_kern;
    const struct raster_preshade_kern *preshade_kern;
    /* depth_kern's, for modules below zs. */
    uint32_t (*depth_code)(const struct raster_depth_stencil *ds, float z);
    /* Renders a tile on a worker and empties its bin; the flush of the bins calls it. */
    void (*run_tile)(struct raster *raster, unsigned worker, uint32_t tile);
    struct pool *pool;
    struct raster_worker *workers;
    unsigned n_workers;
    struct raster_options options;
    unsigned tile_shift;
    struct raster_counts *counts; /* raster_set_counts; NULL: none */

    struct raster_targets targets;
    tex_pack_fn *pack[RASTER_TARGETS];
    uint32_t tiles_x, tiles_y;
    int32_t target_rect[4]; /* union of all targets */

    /* The open scene */
    uint64_t serial;
    bool touched;               /* a draw or clear came since the last raster_flush */
    struct arena arena;         /* bins, primitives, pipelines: reset by raster_flush_bins */
    pthread_mutex_t arena_lock; /* for workers that allocate concurrently */
    struct bin *bins;
    size_t bins_capacity;
    struct raster_arena_slab bin_slab; /* bin/list.c: memory for bin blocks */
    uint64_t *busy;                    /* tiles with commands, one bit each */
    uint32_t *to_run;                  /* raster_flush_bins: the busy tiles as a list */
    struct raster_query *queries;
    unsigned written;          /* enum raster_written */
    uint64_t arena_generation; /* counts raster_flush_bins, which frees all primitives */
    struct raster_recents recent, recent_shapes; /* by state; by shape alone */
    uint64_t shapes_decided;                     /* counts pipelines that are no copies */

    /* The draw in progress */
    const struct raster_state *state;
    const struct raster_pipeline *pipeline; /* NULL: not yet made, or freed by a flush */
    bool wraps;                             /* at least one attribute has D3DRS_WRAPn */
    struct raster_viewport viewport;
    float clip_planes[CLIP_PLANES][4];
    uint32_t clip_mask; /* planes in use */
    unsigned n_clip_vertices;
    float wrapped[3][MAX_VERTEX_FLOATS]; /* raster_wrap: copies of vertices */
    /* setup/clip.c: vertices that clipping makes */
    float clip_vertices[2 * CLIP_PLANES + 3][MAX_VERTEX_FLOATS];
    struct raster_draw_batch *own; /* raster_own_draw_batch */
};

/* Pixels along a side of a tile. */
static inline int32_t raster_tile_dim(const struct raster *raster)
{
    return 1 << raster->tile_shift;
}

/* flush.c: Renders all bins and resets their arena; the scene stays open. */
void raster_flush_bins(struct raster *raster);

/* arena.c */
/* Allocates from the bins' arena; thread-safe. NULL: the arena is full. */
void *raster_bins_alloc(struct raster *raster, size_t size);
/* Limits the size of the bins' arena, for tests. */
void raster_limit_bins(struct raster *raster, size_t bytes);

#endif
