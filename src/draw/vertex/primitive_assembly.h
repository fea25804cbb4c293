/* Declares primitive assembly: splits lists, strips and fans into points, lines and triangles. */
#ifndef DRAW_VERTEX_PRIMITIVE_ASSEMBLY_H
#define DRAW_VERTEX_PRIMITIVE_ASSEMBLY_H

#include "raster/raster.h"
#include "util/d3dtypes.h"

#include <stdint.h>

/* The primitives that a list, strip or fan consists of. */
enum raster_primitive reduced_primitive(D3DPRIMITIVETYPE type);
/* Sets vertex[] to the vertices of primitive p, as positions in the vertex sequence, the provoking
 * vertex first. Returns their number: 1, 2 or 3. Odd triangles of a strip swap two vertices, so
 * that all triangles have the same winding. */
unsigned assemble_primitive(D3DPRIMITIVETYPE type, uint32_t p, uint32_t vertex[3]);

#endif
