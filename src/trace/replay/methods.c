/* Table of the methods that the replayer knows. The handlers of plain methods, which only pass
 * their arguments on, are generated from the recorder's description of the arguments.
 *
 * Tested by tests/unit/trace/replay/test_methods.c. */
#include "trace/replay/handlers.h"
#include "trace/replay/params.h"

#include "util/for_each.h"

#include <string.h>

/* --- Plain handlers --------------------------------------------------------------------------- */

/* How a parameter of record/methods.def is read: a function of params.h, and the size that it
 * needs. */
#define READ_VALUE(t) params_value, 0
#define READ_POINTS(t) params_struct, sizeof(t)
#define READ_LIST(t, arg, n) LIST_##t(arg, n)
#define LIST_f32(arg, n) params_list, params_count(&p, arg, n) /* one word an element */
#define LIST_i32 LIST_f32
#define LIST_boolean LIST_f32
#define READ_POINTS_OUT(t) params_out, 0
#define READ_BY(what) BY_##what
#define BY_render_state params_value, 0
#define BY_stage_state params_value, 0
#define BY_sampler_state params_value, 0
#define BY_vertices params_vertices, 0
#define BY_indices params_indices, 0
#define BY_indexed_vertices params_indexed_vertices, 0
#define BY_byte_code params_byte_code, 0
#define BY_elements params_elements, 0
/* No plain method has these. */
#define READ_REFERS(t) params_none, 0
#define LIST_D3DRECT(arg, n) params_none, 0
#define LIST_PALETTEENTRY LIST_D3DRECT
#define LIST_object LIST_D3DRECT
#define READ_VALUE_OUT(t) params_none, 0
#define READ_LIST_OUT(t, arg, n) params_none, 0
#define READ_BY_OUT(what) params_none, 0

/* Expansions of a parameter: variable with the recorded argument, argument of the call. */
#define READ(type, id, how)                                                                        \
    type id = 0;                                                                                   \
    if (!CALL(READ_##how, &p, #id, PARAM_CLASS(type), (void *)&id))                                \
        return REPLAY_SKIPPED;
#define PASS(type, id, how) , id
#define CALL(...) CALL_(__VA_ARGS__)
#define CALL_(function, size, ...) function(size, __VA_ARGS__)

typedef float f32;

#define TABLE DEVICE
#define KINDS KIND(DEVICE)
#define IFACE IDirect3DDevice9Ex
#define PART_DEVICE
#include "trace/replay/plain.def"
#undef PART_DEVICE

#define TABLE SWAP_CHAIN
#define KINDS KIND(SWAP_CHAIN)
#define IFACE IDirect3DSwapChain9Ex
#define PART_SWAP_CHAIN
#include "trace/replay/plain.def"
#undef PART_SWAP_CHAIN

#define TABLE RESOURCE
#define KINDS KINDS_RESOURCE
#define IFACE IDirect3DResource9
#define PART_RESOURCE
#include "trace/replay/plain.def"
#undef PART_RESOURCE

#define TABLE BASE_TEXTURE
#define KINDS KINDS_TEXTURE
#define IFACE IDirect3DBaseTexture9
#define PART_BASE_TEXTURE
#include "trace/replay/plain.def"
#undef PART_BASE_TEXTURE

#define TABLE TEXTURE
#define KINDS KIND(TEXTURE)
#define IFACE IDirect3DTexture9
#define PART_TEXTURE
#include "trace/replay/plain.def"
#undef PART_TEXTURE

#define TABLE CUBE
#define KINDS KIND(CUBE)
#define IFACE IDirect3DCubeTexture9
#define PART_CUBE
#include "trace/replay/plain.def"
#undef PART_CUBE

#define TABLE VOLUMES
#define KINDS KIND(VOLUME_TEXTURE)
#define IFACE IDirect3DVolumeTexture9
#define PART_VOLUMES
#include "trace/replay/plain.def"
#undef PART_VOLUMES

#define TABLE STATE_BLOCK
#define KINDS KIND(STATE_BLOCK)
#define IFACE IDirect3DStateBlock9
#define PART_STATE_BLOCK
#include "trace/replay/plain.def"
#undef PART_STATE_BLOCK

#define TABLE QUERY
#define KINDS KIND(QUERY)
#define IFACE IDirect3DQuery9
#define PART_QUERY
#include "trace/replay/plain.def"
#undef PART_QUERY

/* --- The table -------------------------------------------------------------------------------- */

static const struct method methods[] = {
#define METHOD(kinds, name, handler, flags) {kinds, #name, replay_##handler, flags},
#define PLAIN(table, name, flags) {table##_kinds, #name, table##_##name, flags},
#define IGNORED(kinds, name) {kinds, #name, NULL, 0},
#include "trace/replay/methods.def"
#undef METHOD
#undef PLAIN
#undef IGNORED
};

static const struct {
    const char *name;
    uint32_t kinds;
} interface_names[] = {
    {"IDirect3D9", KIND(D3D)},
    {"IDirect3DDevice9", KIND(DEVICE)},
    {"IDirect3DSwapChain9", KIND(SWAP_CHAIN)},
    {"IDirect3DSurface9", KIND(SURFACE)},
    {"IDirect3DTexture9", KIND(TEXTURE)},
    {"IDirect3DCubeTexture9", KIND(CUBE)},
    {"IDirect3DVolumeTexture9", KIND(VOLUME_TEXTURE)},
    {"IDirect3DVolume9", KIND(VOLUME)},
    {"IDirect3DVertexBuffer9", KIND(VERTEX_BUFFER)},
    {"IDirect3DIndexBuffer9", KIND(INDEX_BUFFER)},
    {"IDirect3DVertexShader9", KIND(VERTEX_SHADER)},
    {"IDirect3DPixelShader9", KIND(PIXEL_SHADER)},
    {"IDirect3DVertexDeclaration9", KIND(DECLARATION)},
    {"IDirect3DStateBlock9", KIND(STATE_BLOCK)},
    {"IDirect3DQuery9", KIND(QUERY)},
    {"IDirect3DBaseTexture9", KINDS_TEXTURE},
    {"IDirect3DResource9", KINDS_RESOURCE},
};

uint32_t method_interface_kinds(const char *name)
{
    size_t length = strcspn(name, ":");

    if (length > 2 && !strncmp(name + length - 2, "Ex", 2))
        length -= 2;
    for (size_t i = 0; i < sizeof(interface_names) / sizeof(interface_names[0]); i++)
        if (strlen(interface_names[i].name) == length &&
            !strncmp(interface_names[i].name, name, length))
            return interface_names[i].kinds;
    return 0;
}

const struct method *method_find(const char *name)
{
    const char *colons = strstr(name, "::");
    uint32_t kinds = colons ? method_interface_kinds(name) : 0;

    if (colons && !kinds)
        return NULL;
    if (colons)
        name = colons + 2;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if ((kinds ? (methods[i].kinds & kinds) != 0 : methods[i].kinds == 0) &&
            !strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}

enum replay_support replay_support_of(const char *name)
{
    const struct method *method = method_find(name);

    return !method ? REPLAY_UNKNOWN : method->run ? REPLAY_RUN : REPLAY_IGNORED;
}

static bool has_flag(const char *name, unsigned flags)
{
    const struct method *method = method_find(name);

    return method && method->flags & flags;
}

bool replay_is_draw(const char *name)
{
    return has_flag(name, METHOD_DRAW);
}

bool replay_is_present(const char *name)
{
    return has_flag(name, METHOD_PRESENT);
}

bool replay_has_moment(const char *name)
{
    return has_flag(name, METHOD_PRESENT | METHOD_READBACK);
}
