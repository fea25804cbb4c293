/* Vertex counts of the Direct3D 9 primitive types. */
#ifndef UTIL_PRIMITIVE_H
#define UTIL_PRIMITIVE_H

#include "util/d3dtypes.h"

#include <stdint.h>

/* Returns the vertices (or indices) that n primitives use; 0 for n = 0 and for invalid types. */
static inline uint64_t primitive_vertices(D3DPRIMITIVETYPE type, uint64_t n)
{
    if (!n)
        return 0;
    switch (type) {
    case D3DPT_POINTLIST:
        return n;
    case D3DPT_LINELIST:
        return 2 * n;
    case D3DPT_LINESTRIP:
        return n + 1;
    case D3DPT_TRIANGLELIST:
        return 3 * n;
    case D3DPT_TRIANGLESTRIP:
    case D3DPT_TRIANGLEFAN:
        return n + 2;
    default:
        return 0;
    }
}

#endif
