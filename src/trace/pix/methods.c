/* Method table of PIX run files by number: global functions, then the methods of each interface in
 * vtable order.
 *
 * Tested by tests/unit/trace/pix/test_pix.c. */
#include "trace/pix/methods.h"

#include "util/for_each.h"

#include <string.h>

/* Maps the parameter macros of record/methods.def to encodings of PIX run files. */
#define VALUE(t) .kind = PIX_VALUE, .type = &pix_##t
#define VALUE_OUT(t) VALUE(t)
#define REFERS(t) VALUE(t)
#define POINTS(t) .kind = PIX_POINTS, .type = &pix_##t
#define POINTS_OUT(t) POINTS(t)
#define LIST(t, arg, n) .kind = PIX_LIST, .type = &pix_##t
#define LIST_OUT(t, arg, n) LIST(t, arg, n)
#define BY(what) BY_##what
#define BY_OUT(what) BY_##what
#define MEMORY .kind = PIX_MEMORY, .type = &pix_address
#define BY_byte_code MEMORY
#define BY_vertices MEMORY
#define BY_indices MEMORY
#define BY_indexed_vertices MEMORY
#define BY_answer MEMORY
#define BY_elements .kind = PIX_ELEMENTS, .type = &pix_D3DVERTEXELEMENT9
#define BY_declaration BY_elements
#define BY_render_state VALUE(u32)
#define BY_stage_state VALUE(u32)
#define BY_sampler_state VALUE(u32)
#define BY_render_state_at POINTS(u32)
#define BY_stage_state_at POINTS(u32)
#define BY_sampler_state_at POINTS(u32)
#define BY_shared_memory POINTS(address)

/* Table rows. */
#define PARAM_NAME(c, id, ...) #id,
#define PARAM(c, id, ...) {.c_type = #c, __VA_ARGS__},
/* clang-format off */
#define ROW(id, ret, ...) {LABEL "::" #id, ret, 1 + COUNT(__VA_ARGS__),                            \
    (const char *const[]){"this", FOR_EACH(PARAM_NAME, __VA_ARGS__)},                                  \
    (const struct pix_param[]){{"", VALUE(object)}, FOR_EACH(PARAM, __VA_ARGS__)}},
#define ROW0(id, ret) {LABEL "::" #id, ret, 1, (const char *const[]){"this"},                      \
    (const struct pix_param[]){{"", VALUE(object)}}},
/* clang-format on */
#define METHOD(c, result, id, ...) ROW(id, &pix_##result, __VA_ARGS__)
#define METHOD0(c, result, id) ROW0(id, &pix_##result)
#define HOOKED(before, after, ...) METHOD(__VA_ARGS__)
#define HOOKED0(before, after, ...) METHOD0(__VA_ARGS__)
#define VOID_METHOD(id, ...) ROW(id, NULL, __VA_ARGS__)
#define VOID_METHOD0(id) ROW0(id, NULL)

/* --- Functions -------------------------------------------------------------------------------- */

/* clang-format off */
#define FUNCTION(number, id, ret, ...) [number - PIX_CALL_FIRST] = {#id, ret, COUNT(__VA_ARGS__),  \
    (const char *const[]){FOR_EACH(PARAM_NAME, __VA_ARGS__)},                                          \
    (const struct pix_param[]){FOR_EACH(PARAM, __VA_ARGS__)}},
#define FUNCTION0(number, id, ret) [number - PIX_CALL_FIRST] = {#id, ret, 0, NULL, NULL},
static const struct pix_method functions[] = {
    FUNCTION(206, Direct3DCreate9, &pix_object, (UINT, SDKVersion, VALUE(u32)))
    FUNCTION(207, DebugSetMute, NULL, (BOOL, mute, VALUE(boolean)))
    FUNCTION0(209, Direct3DShaderValidatorCreate9, &pix_address)
    FUNCTION(212, D3DPERF_BeginEvent, &pix_i32, (D3DCOLOR, col, VALUE(u32)), (LPCWSTR, wszName, VALUE(address)))
    FUNCTION0(213, D3DPERF_EndEvent, &pix_i32)
    FUNCTION(214, D3DPERF_SetMarker, NULL, (D3DCOLOR, col, VALUE(u32)), (LPCWSTR, wszName, VALUE(address)))
    FUNCTION(215, D3DPERF_SetRegion, NULL, (D3DCOLOR, col, VALUE(u32)), (LPCWSTR, wszName, VALUE(address)))
    FUNCTION0(216, D3DPERF_QueryRepeatFrame, &pix_boolean)
    FUNCTION(217, D3DPERF_SetOptions, NULL, (DWORD, dwOptions, VALUE(u32)))
    FUNCTION0(218, D3DPERF_GetStatus, &pix_u32)
};
/* clang-format on */

/* --- Interfaces ------------------------------------------------------------------------------- */

#define LABEL "IDirect3D9"
#define PART_D3D9
static const struct pix_method d3d9[] = {
#include "record/methods.def"
};
#undef PART_D3D9
#undef LABEL

#define LABEL "IDirect3DDevice9"
#define PART_UNKNOWN
#define PART_DEVICE
static const struct pix_method device[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_DEVICE
#undef LABEL

#define LABEL "IDirect3DSwapChain9"
#define PART_UNKNOWN
#define PART_SWAP_CHAIN
static const struct pix_method swap_chain[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_SWAP_CHAIN
#undef LABEL

#define LABEL "IDirect3DTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_TEXTURE
static const struct pix_method texture[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_TEXTURE
#undef LABEL

#define LABEL "IDirect3DVolumeTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_VOLUMES
static const struct pix_method volume_texture[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_VOLUMES
#undef LABEL

#define LABEL "IDirect3DCubeTexture9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_BASE_TEXTURE
#define PART_CUBE
static const struct pix_method cube[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_BASE_TEXTURE
#undef PART_CUBE
#undef LABEL

#define LABEL "IDirect3DVertexBuffer9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_VERTICES
static const struct pix_method vertices[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_VERTICES
#undef LABEL

#define LABEL "IDirect3DIndexBuffer9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_INDICES
static const struct pix_method indices[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_INDICES
#undef LABEL

#define LABEL "IDirect3DSurface9"
#define PART_UNKNOWN
#define PART_RESOURCE
#define PART_SURFACE
static const struct pix_method surface[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_RESOURCE
#undef PART_SURFACE
#undef LABEL

#define LABEL "IDirect3DVolume9"
#define PART_UNKNOWN
#define PART_VOLUME
static const struct pix_method volume[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_VOLUME
#undef LABEL

#define LABEL "IDirect3DVertexDeclaration9"
#define PART_UNKNOWN
#define PART_DECLARATION
static const struct pix_method declaration[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_DECLARATION
#undef LABEL

#define LABEL "IDirect3DVertexShader9"
#define PART_UNKNOWN
#define PART_VERTEX_SHADER
static const struct pix_method vertex_shader[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_VERTEX_SHADER
#undef LABEL

#define LABEL "IDirect3DPixelShader9"
#define PART_UNKNOWN
#define PART_PIXEL_SHADER
static const struct pix_method pixel_shader[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_PIXEL_SHADER
#undef LABEL

#define LABEL "IDirect3DStateBlock9"
#define PART_UNKNOWN
#define PART_STATE_BLOCK
static const struct pix_method state_block[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_STATE_BLOCK
#undef LABEL

#define LABEL "IDirect3DQuery9"
#define PART_UNKNOWN
#define PART_QUERY
static const struct pix_method query[] = {
#include "record/methods.def"
};
#undef PART_UNKNOWN
#undef PART_QUERY
#undef LABEL

#define ALL(methods)                                                                               \
    {                                                                                              \
        methods, sizeof(methods) / sizeof((methods)[0])                                            \
    }
static const struct {
    const struct pix_method *methods;
    uint32_t count;
} interfaces[] =
    {
        {functions, 13},   {d3d9, 17},          {device, 119},
        {swap_chain, 10}, /* without the 9Ex methods */
        ALL(texture),      ALL(volume_texture), ALL(cube),
        ALL(vertices),     ALL(indices),        ALL(surface),
        ALL(volume),       ALL(declaration),    ALL(vertex_shader),
        ALL(pixel_shader), ALL(state_block),    ALL(query),
};

const struct pix_method *pix_method(uint32_t number)
{
    uint32_t i = number - PIX_CALL_FIRST;

    if (number < PIX_CALL_FIRST)
        return NULL;
    for (size_t k = 0; k < sizeof(interfaces) / sizeof(interfaces[0]); k++) {
        if (i < interfaces[k].count)
            return interfaces[k].methods[i].name ? &interfaces[k].methods[i] : NULL;
        i -= interfaces[k].count;
    }
    return NULL;
}

bool pix_is_pointer_only(const struct pix_param *param)
{
    return param->kind == PIX_MEMORY || param->kind == PIX_ELEMENTS ||
           (!strcmp(param->c_type, "void **") && param->type == &pix_address) ||
           !strcmp(param->c_type, "const RGNDATA *");
}
