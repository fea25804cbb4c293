/* Samples of a batch's textures as the pixel program asks for them. */
#ifndef DRAW_PIXEL_SAMPLING_H
#define DRAW_PIXEL_SAMPLING_H

#include "raster/raster.h"
#include "vm/vm.h"

#include <stddef.h>

struct ps_binding;
struct sampling_notes;

/* Of one batch. */
struct sampling {
    const struct ps_binding *binding;
    const struct raster_shade_batch *batch;
    struct sampling_notes *notes;
};

struct sampling sampling_of(const struct ps_binding *binding,
                            const struct raster_shade_batch *batch);
/* Their ctx is such a struct. */
vm_sample_fn sampling_one;
vm_sample_group_fn sampling_together;
/* Bytes of a batch's memory behind the program's, which it takes. */
size_t sampling_note_bytes(void);

#endif
