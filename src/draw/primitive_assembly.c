/* Lists, strips and fans. */
#include "draw/primitive_assembly.h"

enum raster_primitive assemble_kind(D3DPRIMITIVETYPE type)
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

unsigned assemble_corners(D3DPRIMITIVETYPE type, uint32_t p, uint32_t corner[3])
{
    switch (type) {
    case D3DPT_POINTLIST:
        corner[0] = p;
        return 1;
    case D3DPT_LINELIST:
        corner[0] = 2 * p;
        corner[1] = 2 * p + 1;
        return 2;
    case D3DPT_LINESTRIP:
        corner[0] = p;
        corner[1] = p + 1;
        return 2;
    case D3DPT_TRIANGLESTRIP:
        corner[0] = p;
        corner[1] = p + 1 + (p & 1);
        corner[2] = p + 2 - (p & 1);
        return 3;
    case D3DPT_TRIANGLEFAN:
        corner[0] = p + 1;
        corner[1] = p + 2;
        corner[2] = 0;
        return 3;
    default:
        corner[0] = 3 * p;
        corner[1] = 3 * p + 1;
        corner[2] = 3 * p + 2;
        return 3;
    }
}
