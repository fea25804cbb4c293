/* Primitive assembly: splits lists, strips and fans into points, lines and triangles. */
#include "draw/vertex/primitive_assembly.h"

enum raster_primitive reduced_primitive(D3DPRIMITIVETYPE type)
{
    switch (type) {
    case D3DPT_POINTLIST:
        return RASTER_POINTS;
    case D3DPT_LINELIST:
    case D3DPT_LINESTRIP:
        return RASTER_LINES;
    default:
        return RASTER_TRIANGLES;
    }
}

unsigned assemble_primitive(D3DPRIMITIVETYPE type, uint32_t p, uint32_t vertex[3])
{
    switch (type) {
    case D3DPT_POINTLIST:
        vertex[0] = p;
        return 1;
    case D3DPT_LINELIST:
        vertex[0] = 2 * p;
        vertex[1] = 2 * p + 1;
        return 2;
    case D3DPT_LINESTRIP:
        vertex[0] = p;
        vertex[1] = p + 1;
        return 2;
    case D3DPT_TRIANGLESTRIP:
        vertex[0] = p;
        vertex[1] = p + 1 + (p & 1);
        vertex[2] = p + 2 - (p & 1);
        return 3;
    case D3DPT_TRIANGLEFAN:
        vertex[0] = p + 1;
        vertex[1] = p + 2;
        vertex[2] = 0;
        return 3;
    default:
        vertex[0] = 3 * p;
        vertex[1] = 3 * p + 1;
        vertex[2] = 3 * p + 2;
        return 3;
    }
}
