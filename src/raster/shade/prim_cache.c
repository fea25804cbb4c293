/* Primitive cache: solid colours, gradients and unit attributes of the primitives that a worker met
 * last.
 *
 * Tested by tests/unit/raster/shade/test_block.c. */
#include "raster/shade/prim_cache.h"

#include "raster/shade/block_batch.h"
#include "util/alloc.h"

/* Direct-mapped by the primitive's address. The size is prime, because primitives lie at equal
 * distances in memory. */
enum { PRIM_CACHE_SIZE = 61 };
struct prim_cache {
    struct prim_cache_entry entry[PRIM_CACHE_SIZE];
};

enum status raster_prim_cache_create(struct raster_worker *worker)
{
    worker->prim_cache = mem_calloc(1, sizeof(*worker->prim_cache));
    return worker->prim_cache ? ST_OK : ST_NOMEM;
}

/* True if the primitive covers two tiles or more, so that the search for a u8 blend pays off. */
static bool is_large(const struct raster_prim *prim)
{
    const int32_t *rect = prim->rect;

    return (int64_t)(rect[2] - rect[0]) * (rect[3] - rect[1]) >= 2 << 2 * TILE_SHIFT;
}

/* Shades one block of a primitive with constant attributes, to get the colour of all its blocks. */
static void find_solid_colour(struct raster_worker *worker, const struct raster_prim *prim,
                              struct prim_cache_entry *entry)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct raster_shade_batch *batch =
        raster_block_batch_open(worker, prim, prim->rect[0], prim->rect[1], ~UINT64_C(0));

    pipeline->s.shade(pipeline->s.values.shade_ctx, batch);
    entry->solid = batch->colour[pipeline->output_target[0]][0] != NULL;
    if (entry->solid)
        raster_solid_fill_init(&entry->fill, worker, batch, is_large(prim));
}

/* Whether table fog has one factor. The factor of vertices is an attribute. */
static bool has_constant_fog(const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;

    if (pipeline->fog.mode == RASTER_FOG_NONE || pipeline->fog.mode == RASTER_FOG_VERTEX)
        return true;
    return pipeline->s.fog_w ? prim->affine : prim->z.dadx == 0.0f && prim->z.dady == 0.0f;
}

static uint64_t all_bits(unsigned n)
{
    return n ? ~UINT64_C(0) >> (64 - n) : 0;
}

const struct prim_cache_entry *raster_prim_cache_get(struct raster_worker *worker,
                                                     const struct raster_prim *prim)
{
    const struct raster_pipeline *pipeline = prim->pipeline;
    struct prim_cache_entry *entry =
        &worker->prim_cache->entry[(uintptr_t)prim / 64 % PRIM_CACHE_SIZE];

    if (entry->prim == prim && entry->arena_generation == worker->raster->arena_generation + 1)
        return entry;
    entry->prim = prim;
    entry->arena_generation = worker->raster->arena_generation + 1;
    entry->solid = false;
    entry->unit_attribs = pipeline->shortcuts & SHORTCUT_TEXTURE_ONLY &&
                          raster_attribs_are_one(prim, pipeline->s.unit_attribs);
    entry->has_gradient = pipeline->shortcuts & SHORTCUT_GRADIENT &&
                          raster_gradient_fill_find(prim, &entry->gradient);
    if (pipeline->shortcuts & SHORTCUT_SOLID &&
        !(~prim->const_attribs & all_bits(pipeline->s.n_attrs)) && has_constant_fog(prim))
        find_solid_colour(worker, prim, entry);
    return entry;
}
