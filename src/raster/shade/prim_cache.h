/* Primitive cache: what whole blocks need to know of a primitive, computed once. */
#ifndef RASTER_SHADE_PRIM_CACHE_H
#define RASTER_SHADE_PRIM_CACHE_H

#include "raster/output/output.h"
#include "raster/shade/shade.h"

struct prim_cache_entry {
    const struct raster_prim *prim;
    /* raster->arena_generation + 1 when the entry was made, since a flush frees all primitives; 0:
     * never. */
    uint64_t arena_generation;
    bool solid, unit_attribs;
    struct solid_fill fill; /* if solid */
    bool has_gradient;      /* the colour is `gradient` */
    struct gradient_fill gradient;
};

/* Whether the pipeline has shortcuts that depend on properties of a primitive. */
static inline bool raster_uses_prim_cache(const struct raster_pipeline *pipeline)
{
    return pipeline->shortcuts != 0;
}

/* Returns cached properties of a primitive: many blocks and tiles ask for those of a large one. */
const struct prim_cache_entry *raster_prim_cache_get(struct raster_worker *worker,
                                                     const struct raster_prim *prim);

#endif
