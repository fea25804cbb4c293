/* Samples of a batch's textures as the pixel program asks for them. */
#ifndef DRAW_PIXEL_SAMPLING_H
#define DRAW_PIXEL_SAMPLING_H

#include "raster/raster.h"
#include "vm/vm.h"

#include <stddef.h>

struct ps_binding;
struct const_lod_cache;

/* Of one batch. */
struct ps_sampling {
    const struct ps_binding *binding;
    const struct raster_shade_batch *batch;
    struct const_lod_cache *cache;
};

struct ps_sampling ps_sampling_init(const struct ps_binding *binding,
                                    const struct raster_shade_batch *batch);
/* Their ctx is such a struct. */
vm_sample_fn ps_sample;
vm_sample_group_fn ps_sample_group;
/* Bytes of a batch's memory behind the program's, which it takes. */
size_t const_lod_cache_bytes(void);

#endif
