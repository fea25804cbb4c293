/* Topologies to lists of points, lines or triangles. Private to draw. */
#ifndef DRAW_PRIMITIVE_ASSEMBLY_H
#define DRAW_PRIMITIVE_ASSEMBLY_H

#include "raster/raster.h"
#include "util/d3dtypes.h"

#include <stdint.h>

enum raster_primitive reduced_primitive(D3DPRIMITIVETYPE type);
/* Corners of primitive p, as positions in the sequence of vertices, first the provoking one; returns
 * how many: 1, 2 or 3. Every odd triangle of a strip is turned, so that all wind the same way. */
unsigned assemble_primitive(D3DPRIMITIVETYPE type, uint32_t p, uint32_t vertex[3]);

#endif
