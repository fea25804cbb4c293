/* Table of the methods that the replayer knows.
 *
 * Tested by tests/unit/trace/replay/test_replay.c. */
#include "trace/replay/handlers.h"

#include <string.h>

static const struct method methods[] = {
#define METHOD(kinds, name, handler, flags) {kinds, #name, replay_##handler, flags},
#define IGNORED(kinds, name) {kinds, #name, NULL, 0},
#include "trace/replay/methods.def"
#undef METHOD
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
