/* Primitives of Direct3D 9 and the vertices that they take. */
#ifndef UTIL_PRIMITIVE_H
#define UTIL_PRIMITIVE_H

#include "util/d3dtypes.h"

#include <stdint.h>

/* Vertices (or indices) that n primitives take; 0 for none, and of a type that does not exist. */
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
