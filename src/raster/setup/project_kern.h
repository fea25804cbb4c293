/* Vertex projection kernel: projects vertices to the screen, one per lane. One table per
 * instruction set; all give the same bits. */
#ifndef RASTER_SETUP_PROJECT_KERN_H
#define RASTER_SETUP_PROJECT_KERN_H

#include "util/cpu.h"

#include <stdint.h>

struct raster;
struct raster_screen_vertex;

struct raster_project_kern {
    /* Does what raster_project does, for n vertices stride_floats apart. Returns the union of their
     * `outside` planes. */
    uint32_t (*project)(const struct raster *raster, const float *vertex, uint32_t stride_floats,
                        uint32_t n, struct raster_screen_vertex *out);
};
KERN_DECLARE(struct raster_project_kern, raster_project_kern);

#endif
