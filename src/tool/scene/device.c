/* Device of a scene: a small windowed device, created anew for each scene so that all state has its
 * default.
 *
 * Tested by tests/conformance. */
#include "tool/scene/device.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"
#include "tool/scene/resource.h"
#include "tool/scene/shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static HWND given_window;

void scene_use_window(void *window)
{
    given_window = (HWND)window;
}

static D3DPRESENT_PARAMETERS parameters(HWND window)
{
    D3DPRESENT_PARAMETERS pp = {
        .BackBufferWidth = 32,
        .BackBufferHeight = 32,
        .BackBufferFormat = D3DFMT_A8R8G8B8,
        .BackBufferCount = 1,
        .SwapEffect = D3DSWAPEFFECT_DISCARD,
        .hDeviceWindow = window,
        .Windowed = TRUE,
        .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
    };
    return pp;
}

#ifdef _WIN32
static HWND open_window(void)
{
    return CreateWindowA("static", "conformance", WS_OVERLAPPEDWINDOW, 0, 0, 320, 240, NULL, NULL,
                         NULL, NULL);
}

static void close_window(HWND window)
{
    DestroyWindow(window);
}
#else
static HWND open_window(void)
{
    return NULL;
}

static void close_window(HWND window)
{
    (void)window;
}
#endif

bool device_open(struct scene *scene)
{
    D3DPRESENT_PARAMETERS pp;
    HRESULT hr;

    scene->d3d = Direct3DCreate9(D3D_SDK_VERSION);
    if (!scene->d3d) {
        fprintf(stderr, "conformance: Direct3D 9 is not available\n");
        return false;
    }
    scene->window = given_window ? given_window : open_window();
    pp = parameters(scene->window);
    scene->type = D3DDEVTYPE_HAL;
    hr = IDirect3D9_CreateDevice(scene->d3d, D3DADAPTER_DEFAULT, scene->type, scene->window,
                                 D3DCREATE_HARDWARE_VERTEXPROCESSING, &pp, &scene->device);
    if (FAILED(hr)) {
        fprintf(stderr, "conformance: CreateDevice fails with %08x\n", (unsigned)hr);
        return false;
    }
    return SUCCEEDED(IDirect3DDevice9_GetDeviceCaps(scene->device, &scene->caps));
}

void device_close(struct scene *scene)
{
    if (scene->device)
        IDirect3DDevice9_Release(scene->device);
    if (scene->window && scene->window != given_window)
        close_window(scene->window);
    if (scene->d3d)
        IDirect3D9_Release(scene->d3d);
}

/* Aborts the scene if the device could not be created. */
static void need_device(struct scene *scene, HRESULT hr, const char *what)
{
    if (FAILED(hr))
        scene_fail(scene, "%s fails with %08x", what, (unsigned)hr);
}

static void reopen(struct scene *scene, D3DPRESENT_PARAMETERS *pp, DWORD flags)
{
    if (scene->n_owned || scene->n_resources)
        scene_fail(scene, "%s must be the first command", scene->line.word[0]);
    scene_end(scene);
    IDirect3DDevice9_Release(scene->device);
    scene->device = NULL;
    need_device(scene,
                IDirect3D9_CreateDevice(scene->d3d, D3DADAPTER_DEFAULT, scene->type, scene->window,
                                        flags, pp, &scene->device),
                "CreateDevice");
    scene_check(scene, IDirect3DDevice9_GetDeviceCaps(scene->device, &scene->caps),
                "GetDeviceCaps");
}

/* backbuffer WxH FORMAT [count=N] [samples=N] [depth=FORMAT]: recreates the device with such back
 * buffers; the first one is the target. Must precede all resources. */
void cmd_backbuffer(struct scene *scene)
{
    D3DPRESENT_PARAMETERS pp = parameters(scene->window);
    const char *depth = parse_key(scene, "depth");
    UINT d;

    parse_size(scene, parse_word(scene, 1), &pp.BackBufferWidth, &pp.BackBufferHeight, &d);
    resource_use_memory(scene, pp.BackBufferWidth, pp.BackBufferHeight, 3,
                        parse_key_uint(scene, "samples", 1) & 31);
    pp.BackBufferFormat = name_format(scene, parse_word(scene, 2));
    pp.BackBufferCount = parse_key_uint(scene, "count", 1);
    pp.MultiSampleType = (D3DMULTISAMPLE_TYPE)parse_key_uint(scene, "samples", 0);
    if (depth) {
        pp.EnableAutoDepthStencil = TRUE;
        pp.AutoDepthStencilFormat = name_format(scene, depth);
    }
    reopen(scene, &pp, D3DCREATE_HARDWARE_VERTEXPROCESSING);
}

/* Whether the device supports the *_sw shader models. */
static bool has_software_models(struct scene *scene)
{
    static const DWORD tokens[] = {0xfffe03ff, 0x0200001f, 0x80000000, 0x900f0000,
                                   0x0200001f, 0x80000000, 0xe00f0000, 0x02000001,
                                   0xe00f0000, 0x90e40000, 0x0000ffff}; /* mov o0, v0 */
    IDirect3DVertexShader9 *shader = NULL;

    if (FAILED(IDirect3DDevice9_CreateVertexShader(scene->device, tokens, &shader)))
        return false;
    scene_own(scene, shader);
    return true;
}

/* Replaces the scene's device. */
static void open_ex(struct scene *scene, D3DPRESENT_PARAMETERS *pp)
{
    IDirect3DDevice9Ex *device = NULL;
    IDirect3D9Ex *d3d = NULL;

    if (scene->n_owned || scene->n_resources)
        scene_fail(scene, "device must be the first command");
    scene_check(scene, Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d), "Direct3DCreate9Ex");
    scene_end(scene);
    IDirect3DDevice9_Release(scene->device);
    IDirect3D9_Release(scene->d3d);
    scene->device = NULL;
    scene->d3d = (IDirect3D9 *)d3d;
    need_device(scene,
                IDirect3D9Ex_CreateDeviceEx(d3d, D3DADAPTER_DEFAULT, scene->type, scene->window,
                                            D3DCREATE_HARDWARE_VERTEXPROCESSING, pp, NULL, &device),
                "CreateDeviceEx");
    scene->device = (IDirect3DDevice9 *)device;
    scene_check(scene, IDirect3DDevice9_GetDeviceCaps(scene->device, &scene->caps),
                "GetDeviceCaps");
}

/* A Direct3D 9 without the reference device keeps the hardware; `needs` then skips the scene. */
static void choose_reference(struct scene *scene)
{
    D3DCAPS9 caps;

    if (SUCCEEDED(IDirect3D9_GetDeviceCaps(scene->d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_REF, &caps)))
        scene->type = D3DDEVTYPE_REF;
}

/* device software|mixed: sets the vertex processing mode; device ex: uses an IDirect3DDevice9Ex;
 * device reference [ex|software|mixed]: the same of the reference device. Must precede all
 * resources. */
void cmd_device(struct scene *scene)
{
    D3DPRESENT_PARAMETERS pp = parameters(scene->window);
    bool reference = !strcmp(parse_word(scene, 1), "reference");
    const char *mode = reference && scene->line.n == 2 ? "" : parse_word(scene, 1 + reference);
    bool software = !strcmp(mode, "software");

    if (reference)
        choose_reference(scene);
    if (!strcmp(mode, "ex")) {
        open_ex(scene, &pp);
        return;
    }
    if (!*mode) {
        reopen(scene, &pp, D3DCREATE_HARDWARE_VERTEXPROCESSING);
        return;
    }
    if (!software && strcmp(mode, "mixed"))
        scene_fail(scene, "device software, device mixed, device ex or device reference");
    reopen(scene, &pp,
           software ? D3DCREATE_SOFTWARE_VERTEXPROCESSING : D3DCREATE_MIXED_VERTEXPROCESSING);
    scene->software_models = has_software_models(scene);
}

void cmd_present(struct scene *scene)
{
    scene_end(scene);
    scene_check(scene, IDirect3DDevice9_Present(scene->device, NULL, NULL, NULL, NULL), "Present");
}

void cmd_begin(struct scene *scene)
{
    scene_begin(scene);
}

void cmd_end(struct scene *scene)
{
    scene_end(scene);
}

static bool has_format(struct scene *scene, DWORD usage, D3DRESOURCETYPE type, const char *format)
{
    return SUCCEEDED(IDirect3D9_CheckDeviceFormat(scene->d3d, D3DADAPTER_DEFAULT, scene->type,
                                                  D3DFMT_X8R8G8B8, usage, type,
                                                  name_format(scene, format)));
}

static bool met(struct scene *scene, const char *what, const char *value)
{
    static const struct {
        const char *what;
        DWORD usage;
        D3DRESOURCETYPE type;
    } kinds[] = {
        {"texture", 0, D3DRTYPE_TEXTURE},
        {"cube", 0, D3DRTYPE_CUBETEXTURE},
        {"volume", 0, D3DRTYPE_VOLUMETEXTURE},
        {"surface", 0, D3DRTYPE_SURFACE},
        {"target", D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE},
        {"targetsurface", D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE},
        {"depthtexture", D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE},
        {"depthsurface", D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE},
        {"filter", D3DUSAGE_QUERY_FILTER, D3DRTYPE_TEXTURE},
        {"srgbread", D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE},
        {"srgbwrite", D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_TEXTURE},
        {"blending", D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING,
         D3DRTYPE_TEXTURE},
        {"vertextexture", D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE},
        {"dmap", D3DUSAGE_DMAP, D3DRTYPE_TEXTURE},
    };

    if (!strcmp(what, "mulzero")) {
        const char *rules = getenv("NOVEM_MUL_ZERO");
        return !strcmp(rules ? rules : "d3d9", value);
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!strcmp(kinds[i].what, what))
            return has_format(scene, kinds[i].usage, kinds[i].type, value);
    }
    if (!strcmp(what, "targets"))
        return scene->caps.NumSimultaneousRTs >= parse_uint(scene, value);
    if (!strcmp(what, "clipplanes"))
        return scene->caps.MaxUserClipPlanes >= parse_uint(scene, value);
    if (!strcmp(what, "anisotropy"))
        return scene->caps.MaxAnisotropy >= parse_uint(scene, value);
    if (!strcmp(what, "npatches"))
        return scene->caps.MaxNpatchTessellationLevel >= (float)parse_uint(scene, value);
    if (!strcmp(what, "primitivemisc"))
        return (scene->caps.PrimitiveMiscCaps & parse_uint(scene, value)) != 0;
    if (!strcmp(what, "line"))
        return (scene->caps.LineCaps & parse_uint(scene, value)) != 0;
    if (!strcmp(what, "raster"))
        return (scene->caps.RasterCaps & parse_uint(scene, value)) != 0;
    if (!strcmp(what, "texturefilters"))
        return (scene->caps.TextureFilterCaps & parse_uint(scene, value)) != 0;
    if (!strcmp(what, "blends"))
        return (scene->caps.SrcBlendCaps & scene->caps.DestBlendCaps & parse_uint(scene, value)) !=
               0;
    if (!strcmp(what, "textureops"))
        return (scene->caps.TextureOpCaps & parse_uint(scene, value)) != 0;
    if (!strcmp(what, "samples"))
        return SUCCEEDED(IDirect3D9_CheckDeviceMultiSampleType(
            scene->d3d, D3DADAPTER_DEFAULT, scene->type, D3DFMT_A8R8G8B8, TRUE,
            (D3DMULTISAMPLE_TYPE)parse_uint(scene, value), NULL));
    if (!strcmp(what, "hlsl"))
        return shader_compiler_is_there(value);
    scene_fail(scene, "needs '%s'?", what);
}

/* needs KIND VALUE …: skips the scene if the device lacks the capability. */
void cmd_needs(struct scene *scene)
{
    for (int i = 1; i < scene->line.n; i += 2) {
        if (!met(scene, scene->line.word[i], parse_word(scene, i + 1)))
            scene->skipped = true;
    }
}
