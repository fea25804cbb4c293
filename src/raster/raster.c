/* The rasteriser object: creation, options and targets.
 *
 * Tested by tests/unit/raster/test_scene.c. */
#include "raster/merge/code.h"
#include "raster/output/output.h"
#include "raster/prim/coverage_kern.h"
#include "raster/scene/scene.h"
#include "raster/setup/preshade_kern.h"
#include "raster/setup/project_kern.h"
#include "raster/setup/setup_kern.h"
#include "raster/shade/shade.h"
#include "raster/tile/tile.h"
#include "raster/zs/zs.h"
#include "util/alloc.h"

enum { BINS_LIMIT = 64 << 20 };

enum status raster_create(struct raster **out, struct pool *pool)
{
    struct raster *raster = mem_calloc(1, sizeof(*raster));

    *out = NULL;
    if (!raster)
        return ST_NOMEM;
    raster->coverage_kern = KERN_PICK(raster_coverage_kern);
    raster->setup_kern = KERN_PICK(raster_setup_kern);
    raster->project_kern = KERN_PICK(raster_project_kern);
    raster->preshade_kern = KERN_PICK(raster_preshade_kern);
    raster_output_init(raster);
    raster_zs_init(raster);
    raster_shade_init(raster);
    pthread_mutex_init(&raster->arena_lock, NULL);
    raster_merge_cache_use();
    raster->run_tile = raster_tile_run;
    raster->pool = pool;
    raster->serial = 1;
    raster->tile_shift = TILE_SHIFT;
    raster->arena.limit_bytes = BINS_LIMIT;
    raster->workers = mem_calloc(pool_workers(pool), sizeof(*raster->workers));
    if (!raster->workers) {
        raster_destroy(raster);
        return ST_NOMEM;
    }
    if (raster_draw_batch_create(&raster->own, raster) != ST_OK) {
        raster_destroy(raster);
        return ST_NOMEM;
    }
    raster->n_workers = pool_workers(pool);
    for (unsigned i = 0; i < raster->n_workers; i++) {
        raster->workers[i].raster = raster;
        raster->workers[i].number = i;
        if (raster_tile_zs_create(&raster->workers[i]) != ST_OK ||
            raster_prim_cache_create(&raster->workers[i]) != ST_OK) {
            raster_destroy(raster);
            return ST_NOMEM;
        }
    }
    *out = raster;
    return ST_OK;
}

void raster_destroy(struct raster *raster)
{
    if (!raster)
        return;
    raster_flush(raster);
    for (unsigned i = 0; i < raster->n_workers; i++) {
        mem_free(raster->workers[i].block.work);
        mem_free(raster->workers[i].tile_zs_memory);
        mem_free(raster->workers[i].prim_cache);
    }
    mem_free(raster->workers);
    mem_free(raster->bins);
    mem_free(raster->busy);
    mem_free(raster->to_run);
    raster_draw_batch_destroy(raster->own);
    raster_merge_cache_leave();
    pthread_mutex_destroy(&raster->arena_lock);
    arena_fini(&raster->arena);
    mem_free(raster);
}

void raster_set_options(struct raster *raster, const struct raster_options *options)
{
    raster->options = *options;
    raster->tile_shift = options->tile ? (unsigned)__builtin_ctz(options->tile) : TILE_SHIFT;
}

void raster_set_counts(struct raster *raster, struct raster_counts *counts)
{
    raster_flush(raster);
    raster->counts = counts;
}

/* --- Targets ---------------------------------------------------------------------------------- */

static bool same_surface(const struct raster_surface *a, const struct raster_surface *b)
{
    if (!a->format && !b->format)
        return true;
    return a->format == b->format && a->data == b->data && a->row_pitch == b->row_pitch &&
           a->sample_pitch == b->sample_pitch && a->width == b->width && a->height == b->height &&
           a->fast_clear == b->fast_clear;
}

static bool same_targets(const struct raster_targets *a, const struct raster_targets *b)
{
    for (unsigned t = 0; t < RASTER_TARGETS; t++)
        if (!same_surface(&a->colour[t], &b->colour[t]))
            return false;
    return same_surface(&a->depth, &b->depth) && a->width == b->width && a->height == b->height &&
           a->samples == b->samples;
}

/* Finds the size of the union of all targets, because a clear fills each target to its own size. */
static void scene_size(const struct raster_targets *targets, uint32_t *width, uint32_t *height)
{
    *width = targets->width;
    *height = targets->height;
    for (unsigned t = 0; t <= RASTER_TARGETS; t++) {
        const struct raster_surface *surface =
            t < RASTER_TARGETS ? &targets->colour[t] : &targets->depth;

        if (!surface->format)
            continue;
        *width = surface->width > *width ? surface->width : *width;
        *height = surface->height > *height ? surface->height : *height;
    }
}

static enum status reserve_bins(struct raster *raster, uint32_t tiles_x, uint32_t tiles_y)
{
    size_t tiles = (size_t)tiles_x * tiles_y;

    if (tiles > raster->bins_capacity) {
        struct bin *bins = mem_calloc(tiles, sizeof(*bins));
        uint64_t *busy = mem_calloc((tiles + 63) / 64, sizeof(*busy));
        uint32_t *to_run = mem_alloc(tiles * sizeof(*to_run));

        if (!bins || !busy || !to_run) {
            mem_free(bins);
            mem_free(busy);
            mem_free(to_run);
            return ST_NOMEM;
        }
        mem_free(raster->bins);
        mem_free(raster->busy);
        mem_free(raster->to_run);
        raster->bins = bins;
        raster->busy = busy;
        raster->to_run = to_run;
        raster->bins_capacity = tiles;
    }
    raster->tiles_x = tiles_x;
    raster->tiles_y = tiles_y;
    return ST_OK;
}

enum status raster_set_targets(struct raster *raster, const struct raster_targets *targets)
{
    uint32_t width, height, dim = (uint32_t)raster_tile_dim(raster);
    enum status st;

    if (same_targets(&raster->targets, targets))
        return ST_OK;
    scene_size(targets, &width, &height);
    if (width > MAX_DIM || height > MAX_DIM || !targets->samples ||
        targets->samples > MAX_SAMPLES || (targets->samples & (targets->samples - 1)))
        return ST_INVALID;
    raster_flush(raster);
    st = reserve_bins(raster, (width + dim - 1) / dim, (height + dim - 1) / dim);
    if (st != ST_OK)
        return st;
    raster->targets = *targets;
    for (unsigned i = 0; i < raster->n_workers; i++)
        raster->workers[i].tile_zs_fast_clear.blocks = 0; /* its contents belong to other targets */
    raster->target_rect[2] = (int32_t)width;
    raster->target_rect[3] = (int32_t)height;
    for (unsigned t = 0; t < RASTER_TARGETS; t++) {
        const struct tex_format *format = targets->colour[t].format;

        raster->pack[t] = format ? tex_packer(format) : NULL;
    }
    return ST_OK;
}
