/* Declares the texture sampling callbacks of pixel programs. Private to pixel. */
#ifndef DRAW_PIXEL_SAMPLING_H
#define DRAW_PIXEL_SAMPLING_H

#include "raster/raster.h"
#include "vm/vm.h"

#include <stddef.h>

struct ps_binding;
struct const_lod_cache;

/* Context of the callbacks: one for each batch. */
struct ps_sampling {
    const struct ps_binding *binding;
    const struct raster_shade_batch *batch;
    uint32_t const_samplers;       /* samplers whose LOD may be constant in this batch */
    struct const_lod_cache *cache; /* of these samplers */
};

struct ps_sampling ps_sampling_init(const struct ps_binding *binding,
                                    const struct raster_shade_batch *batch);
/* ctx: struct ps_sampling *. */
vm_sample_fn ps_sample;
vm_sample_group_fn ps_sample_group;
/* Size of the constant-LOD cache, which follows the work memory of the program. */
size_t const_lod_cache_bytes(void);

#endif
