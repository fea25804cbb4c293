/* Recording methods: each one calls the original method, then records the call.
 *
 * Tested by tests/unit/trace/test_record.c. */
#include "record/call.h"

#include "util/for_each.h"
#include "util/log.h"

/* Expansions of a parameter: table row, declaration, 64-bit value, name. */
#define PARAM(type, id, ...) {.name = #id, __VA_ARGS__},
#define DECLARE(type, id, ...) , type id
#define RAW_ARGUMENT(type, id, ...) , RAW(id)
#define PASS(type, id, ...) , id
#define RAW(id) record_bits(&(id), sizeof(id))

#define PARAMS(id, ...)                                                                            \
    static const struct record_param ID(_##id##_params)[] = {{.name = "this", VALUE(object)},      \
                                                             __VA_ARGS__};
#define DESCRIBE(id, type)                                                                         \
    static struct record_method ID(_##id##_method) = {                                             \
        .name = LABEL "::" #id,                                                                    \
        .params = ID(_##id##_params),                                                              \
        .count = sizeof(ID(_##id##_params)) / sizeof(struct record_param),                         \
        .result = type,                                                                            \
    };

/* --- Hooks ------------------------------------------------------------------------------------ */

static inline void nothing(const uint64_t *args, uint64_t result)
{
    (void)args;
    (void)result;
}

/* Flushes at each frame end, so that a killed program leaves all frames that it presented. */
static void frame_ended(const uint64_t *args, uint64_t result)
{
    record_flush();
    if (SUCCEEDED((HRESULT)result))
        record_tell_presented(record_pointer(args[0]));
}

static void dc_given(const uint64_t *args, uint64_t result)
{
    (void)args;
    if (SUCCEEDED((HRESULT)result))
        log_once("record", "GetDC", "GetDC: GDI drawing to surfaces is not recorded");
}

static void d3d9_released(const uint64_t *args, uint64_t result)
{
    (void)args;
    if (!result)
        record_flush();
}

/* --- Tables ----------------------------------------------------------------------------------- */

#define TABLE RECORD_D3D9
#define IFACE IDirect3D9Ex
#define LABEL "IDirect3D9"
#define PART_D3D9
#include "record/table.def"
#undef PART_D3D9

#define TABLE RECORD_D3D9_EX
#define IFACE IDirect3D9Ex
#define LABEL "IDirect3D9Ex"
#define PART_D3D9
#include "record/table.def"
#undef PART_D3D9

#define TABLE RECORD_DEVICE
#define IFACE IDirect3DDevice9Ex
#define LABEL "IDirect3DDevice9"
#define PART_UNKNOWN
#define PART_DEVICE
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_DEVICE

#define TABLE RECORD_DEVICE_EX
#define IFACE IDirect3DDevice9Ex
#define LABEL "IDirect3DDevice9Ex"
#define PART_UNKNOWN
#define PART_DEVICE
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_DEVICE

#define TABLE RECORD_SWAP_CHAIN
#define IFACE IDirect3DSwapChain9Ex
#define LABEL "IDirect3DSwapChain9"
#define PART_UNKNOWN
#define PART_SWAP_CHAIN
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_SWAP_CHAIN

#define TABLE RECORD_SWAP_CHAIN_EX
#define IFACE IDirect3DSwapChain9Ex
#define LABEL "IDirect3DSwapChain9Ex"
#define PART_UNKNOWN
#define PART_SWAP_CHAIN
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_SWAP_CHAIN

#define TABLE RECORD_TEXTURE
#define IFACE IDirect3DTexture9
#define LABEL "IDirect3DTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_TEXTURE
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_TEXTURE

#define TABLE RECORD_CUBE
#define IFACE IDirect3DCubeTexture9
#define LABEL "IDirect3DCubeTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_CUBE
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_CUBE

#define TABLE RECORD_VOLUMES
#define IFACE IDirect3DVolumeTexture9
#define LABEL "IDirect3DVolumeTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_VOLUMES
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_VOLUMES

#define TABLE RECORD_SURFACE
#define IFACE IDirect3DSurface9
#define LABEL "IDirect3DSurface9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_SURFACE
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_SURFACE

#define TABLE RECORD_VOLUME
#define IFACE IDirect3DVolume9
#define LABEL "IDirect3DVolume9"
#define PART_UNKNOWN
#define PART_VOLUME
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_VOLUME

#define TABLE RECORD_VERTICES
#define IFACE IDirect3DVertexBuffer9
#define LABEL "IDirect3DVertexBuffer9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_VERTICES
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_VERTICES

#define TABLE RECORD_INDICES
#define IFACE IDirect3DIndexBuffer9
#define LABEL "IDirect3DIndexBuffer9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_INDICES
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_INDICES

#define TABLE RECORD_VERTEX_SHADER
#define IFACE IDirect3DVertexShader9
#define LABEL "IDirect3DVertexShader9"
#define PART_UNKNOWN
#define PART_VERTEX_SHADER
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_VERTEX_SHADER

#define TABLE RECORD_PIXEL_SHADER
#define IFACE IDirect3DPixelShader9
#define LABEL "IDirect3DPixelShader9"
#define PART_UNKNOWN
#define PART_PIXEL_SHADER
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_PIXEL_SHADER

#define TABLE RECORD_DECLARATION
#define IFACE IDirect3DVertexDeclaration9
#define LABEL "IDirect3DVertexDeclaration9"
#define PART_UNKNOWN
#define PART_DECLARATION
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_DECLARATION

#define TABLE RECORD_STATE_BLOCK
#define IFACE IDirect3DStateBlock9
#define LABEL "IDirect3DStateBlock9"
#define PART_UNKNOWN
#define PART_STATE_BLOCK
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_STATE_BLOCK

#define TABLE RECORD_QUERY
#define IFACE IDirect3DQuery9
#define LABEL "IDirect3DQuery9"
#define PART_UNKNOWN
#define PART_QUERY
#include "record/table.def"
#undef PART_UNKNOWN
#undef PART_QUERY

const void *const record_tables[RECORD_CLASS_COUNT] = {
    [RECORD_D3D9] = &RECORD_D3D9_table,
    [RECORD_D3D9_EX] = &RECORD_D3D9_EX_table,
    [RECORD_DEVICE] = &RECORD_DEVICE_table,
    [RECORD_DEVICE_EX] = &RECORD_DEVICE_EX_table,
    [RECORD_SWAP_CHAIN] = &RECORD_SWAP_CHAIN_table,
    [RECORD_SWAP_CHAIN_EX] = &RECORD_SWAP_CHAIN_EX_table,
    [RECORD_TEXTURE] = &RECORD_TEXTURE_table,
    [RECORD_CUBE] = &RECORD_CUBE_table,
    [RECORD_VOLUMES] = &RECORD_VOLUMES_table,
    [RECORD_SURFACE] = &RECORD_SURFACE_table,
    [RECORD_VOLUME] = &RECORD_VOLUME_table,
    [RECORD_VERTICES] = &RECORD_VERTICES_table,
    [RECORD_INDICES] = &RECORD_INDICES_table,
    [RECORD_VERTEX_SHADER] = &RECORD_VERTEX_SHADER_table,
    [RECORD_PIXEL_SHADER] = &RECORD_PIXEL_SHADER_table,
    [RECORD_DECLARATION] = &RECORD_DECLARATION_table,
    [RECORD_STATE_BLOCK] = &RECORD_STATE_BLOCK_table,
    [RECORD_QUERY] = &RECORD_QUERY_table,
};
