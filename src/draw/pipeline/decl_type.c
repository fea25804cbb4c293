/* Sizes and components of the types of vertex elements.
 * Tested by tests/unit/draw/vertex/test_fetch.c. */
#include "draw/pipeline/pipeline.h"

unsigned decl_type_bytes(unsigned type)
{
    static const uint8_t bytes[] = {
        [D3DDECLTYPE_FLOAT1] = 4,    [D3DDECLTYPE_FLOAT2] = 8,    [D3DDECLTYPE_FLOAT3] = 12,
        [D3DDECLTYPE_FLOAT4] = 16,   [D3DDECLTYPE_D3DCOLOR] = 4,  [D3DDECLTYPE_UBYTE4] = 4,
        [D3DDECLTYPE_SHORT2] = 4,    [D3DDECLTYPE_SHORT4] = 8,    [D3DDECLTYPE_UBYTE4N] = 4,
        [D3DDECLTYPE_SHORT2N] = 4,   [D3DDECLTYPE_SHORT4N] = 8,   [D3DDECLTYPE_USHORT2N] = 4,
        [D3DDECLTYPE_USHORT4N] = 8,  [D3DDECLTYPE_UDEC3] = 4,     [D3DDECLTYPE_DEC3N] = 4,
        [D3DDECLTYPE_FLOAT16_2] = 4, [D3DDECLTYPE_FLOAT16_4] = 8,
    };

    return type < sizeof(bytes) ? bytes[type] : 0;
}

unsigned decl_type_components(unsigned type)
{
    switch (type) {
    case D3DDECLTYPE_FLOAT1:
        return 1;
    case D3DDECLTYPE_FLOAT2:
    case D3DDECLTYPE_SHORT2:
    case D3DDECLTYPE_SHORT2N:
    case D3DDECLTYPE_USHORT2N:
    case D3DDECLTYPE_FLOAT16_2:
        return 2;
    case D3DDECLTYPE_FLOAT3:
    case D3DDECLTYPE_UDEC3:
    case D3DDECLTYPE_DEC3N:
        return 3;
    default:
        return 4;
    }
}
