/* Fuzz test of the API: random calls with random arguments must not crash, hang or leak. */
#include "check_main.h"

#include "util/alloc.h"
#include "util/log.h"

#include <d3d9.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8, CALLS = 1500, SEEDS = 60 };

struct fuzz {
    uint64_t random;
    IDirect3DDevice9Ex *device;
    bool extended; /* the device has the methods of 9Ex */
    IDirect3DBaseTexture9 *texture[SLOTS];
    D3DRESOURCETYPE texture_type[SLOTS];
    IDirect3DSurface9 *surface[SLOTS];
    IDirect3DVertexBuffer9 *vertices[SLOTS];
    IDirect3DIndexBuffer9 *indices[SLOTS];
    IDirect3DStateBlock9 *block[SLOTS];
    IDirect3DQuery9 *query[SLOTS];
};

/* xorshift64*, the same on every host. */
static uint32_t next(struct fuzz *f)
{
    f->random ^= f->random >> 12;
    f->random ^= f->random << 25;
    f->random ^= f->random >> 27;
    return (uint32_t)(f->random * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

static uint32_t below(struct fuzz *f, uint32_t n)
{
    return next(f) % n;
}

/* Usually small, occasionally any value. */
static uint32_t number(struct fuzz *f)
{
    switch (below(f, 16)) {
    case 0:
        return next(f);
    case 1:
        return 0;
    case 2:
        return 0xffffffff;
    default:
        return below(f, 40);
    }
}

static D3DFORMAT format(struct fuzz *f)
{
    static const DWORD formats[] = {D3DFMT_A8R8G8B8,
                                    D3DFMT_X8R8G8B8,
                                    D3DFMT_R5G6B5,
                                    D3DFMT_A16B16G16R16F,
                                    D3DFMT_R32F,
                                    D3DFMT_L8,
                                    D3DFMT_V8U8,
                                    D3DFMT_P8,
                                    D3DFMT_DXT1,
                                    D3DFMT_DXT5,
                                    D3DFMT_D24S8,
                                    D3DFMT_D16,
                                    D3DFMT_YUY2,
                                    D3DFMT_A1,
                                    D3DFMT_A1,
                                    MAKEFOURCC('A', 'T', 'I', '2'),
                                    MAKEFOURCC('I', 'N', 'T', 'Z'),
                                    MAKEFOURCC('N', 'U', 'L', 'L')};

    return below(f, 10) ? (D3DFORMAT)formats[below(f, sizeof(formats) / sizeof(formats[0]))]
                        : (D3DFORMAT)number(f);
}

static DWORD usage(struct fuzz *f)
{
    static const DWORD usages[] = {0,
                                   0,
                                   D3DUSAGE_RENDERTARGET,
                                   D3DUSAGE_DEPTHSTENCIL,
                                   D3DUSAGE_DYNAMIC,
                                   D3DUSAGE_AUTOGENMIPMAP,
                                   D3DUSAGE_TEXTAPI,
                                   D3DUSAGE_DMAP,
                                   D3DUSAGE_RTPATCHES | D3DUSAGE_NPATCHES,
                                   D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP};

    return usages[below(f, sizeof(usages) / sizeof(usages[0]))];
}

static UINT size(struct fuzz *f)
{
    return below(f, 20) ? 1 + below(f, 40) : number(f) % 5000;
}

static RECT *rect(struct fuzz *f, RECT *r)
{
    int near_limit = below(f, 3) ? 40 : 100000;

    if (!below(f, 3))
        return NULL;
    r->left = (LONG)below(f, (uint32_t)near_limit) - 4;
    r->top = (LONG)below(f, (uint32_t)near_limit) - 4;
    r->right = r->left + (LONG)below(f, 40) - 4;
    r->bottom = r->top + (LONG)below(f, 40) - 4;
    return r;
}

static float real(struct fuzz *f)
{
    uint32_t bits = next(f);
    float value;

    if (below(f, 4))
        return (float)(int)below(f, 200) * 0.25f - 10.0f;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void reals(struct fuzz *f, float *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = real(f);
}

/* Replaces an object by a new one; NULL: its creation was refused. */
static void replace(void *slot, void *object)
{
    IUnknown **at = slot;

    if (*at)
        (*at)->lpVtbl->Release(*at);
    *at = object;
}

/* --- Resources ------------------------------------------------------------------------------- */

static void make_texture(struct fuzz *f)
{
    unsigned i = below(f, SLOTS), kind = below(f, 3);
    UINT levels = below(f, 4);
    D3DPOOL pool = below(f, 5);
    void *made = NULL;

    if (kind == 0)
        IDirect3DDevice9Ex_CreateTexture(f->device, size(f), size(f), levels, usage(f), format(f),
                                         pool, (IDirect3DTexture9 **)&made, NULL);
    else if (kind == 1)
        IDirect3DDevice9Ex_CreateCubeTexture(f->device, size(f), levels, usage(f), format(f), pool,
                                             (IDirect3DCubeTexture9 **)&made, NULL);
    else
        IDirect3DDevice9Ex_CreateVolumeTexture(f->device, 1 + below(f, 16), 1 + below(f, 16),
                                               1 + below(f, 8), levels, usage(f), format(f), pool,
                                               (IDirect3DVolumeTexture9 **)&made, NULL);
    replace(&f->texture[i], made);
    f->texture_type[i] = made ? IDirect3DBaseTexture9_GetType(f->texture[i]) : 0;
}

static void make_surface(struct fuzz *f)
{
    unsigned i = below(f, SLOTS), t = below(f, SLOTS);
    IDirect3DSurface9 *made = NULL;

    switch (below(f, 5)) {
    case 0:
        IDirect3DDevice9Ex_CreateRenderTarget(f->device, size(f), size(f), format(f),
                                              below(f, 4) ? 0 : below(f, 17), 0, below(f, 2), &made,
                                              NULL);
        break;
    case 1:
        IDirect3DDevice9Ex_CreateDepthStencilSurface(f->device, size(f), size(f), format(f), 0, 0,
                                                     TRUE, &made, NULL);
        break;
    case 2:
        IDirect3DDevice9Ex_CreateOffscreenPlainSurface(f->device, size(f), size(f), format(f),
                                                       below(f, 4), &made, NULL);
        break;
    case 3:
        IDirect3DDevice9Ex_GetBackBuffer(f->device, 0, below(f, 2), 0, &made);
        break;
    default:
        if (f->texture_type[t] == D3DRTYPE_TEXTURE)
            IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)f->texture[t], below(f, 4),
                                              &made);
        else if (f->texture_type[t] == D3DRTYPE_CUBETEXTURE)
            IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)f->texture[t],
                                                    below(f, 7), below(f, 4), &made);
    }
    replace(&f->surface[i], made);
}

static void make_buffer(struct fuzz *f)
{
    unsigned i = below(f, SLOTS);
    IDirect3DVertexBuffer9 *vb = NULL;
    IDirect3DIndexBuffer9 *ib = NULL;

    if (below(f, 2)) {
        IDirect3DDevice9Ex_CreateVertexBuffer(f->device, number(f) % 4096, usage(f),
                                              below(f, 2) ? 0 : number(f), below(f, 4), &vb, NULL);
        replace(&f->vertices[i], vb);
    } else {
        IDirect3DDevice9Ex_CreateIndexBuffer(f->device, number(f) % 4096, usage(f),
                                             below(f, 2) ? D3DFMT_INDEX16 : D3DFMT_INDEX32,
                                             below(f, 4), &ib, NULL);
        replace(&f->indices[i], ib);
    }
}

static void fill_buffer(struct fuzz *f)
{
    IDirect3DVertexBuffer9 *vb = f->vertices[below(f, SLOTS)];
    IDirect3DIndexBuffer9 *ib = f->indices[below(f, SLOTS)];
    unsigned char *data;
    D3DVERTEXBUFFER_DESC desc;
    D3DINDEXBUFFER_DESC index_desc;

    if (vb && IDirect3DVertexBuffer9_Lock(vb, 0, 0, (void **)&data, next(f)) == D3D_OK) {
        IDirect3DVertexBuffer9_GetDesc(vb, &desc);
        for (UINT i = 0; i + 4 <= desc.Size; i += 4) {
            float value = real(f);
            memcpy(data + i, &value, 4);
        }
        if (below(f, 8))
            IDirect3DVertexBuffer9_Unlock(vb);
    }
    if (ib && IDirect3DIndexBuffer9_Lock(ib, 0, 0, (void **)&data, 0) == D3D_OK) {
        IDirect3DIndexBuffer9_GetDesc(ib, &index_desc);
        for (UINT i = 0; i < index_desc.Size; i++)
            data[i] = (unsigned char)(below(f, 4) ? (i % 2 ? 0 : below(f, 30)) : next(f));
        IDirect3DIndexBuffer9_Unlock(ib);
    }
}

static void lock_surface(struct fuzz *f)
{
    IDirect3DSurface9 *surface = f->surface[below(f, SLOTS)];
    D3DLOCKED_RECT lock;
    D3DSURFACE_DESC desc;
    RECT r;

    if (!surface)
        return;
    if (IDirect3DSurface9_LockRect(surface, &lock, rect(f, &r), next(f) & ~D3DLOCK_READONLY) ==
        D3D_OK) {
        if (below(f, 8))
            IDirect3DSurface9_UnlockRect(surface);
    }
    if (IDirect3DSurface9_LockRect(surface, &lock, NULL, 0) == D3D_OK) {
        IDirect3DSurface9_GetDesc(surface, &desc);
        memset(lock.pBits, (int)next(f), desc.Height ? (size_t)lock.Pitch / 4 : 0);
        IDirect3DSurface9_UnlockRect(surface);
    }
}

static void copy_surfaces(struct fuzz *f)
{
    IDirect3DSurface9 *src = f->surface[below(f, SLOTS)], *dst = f->surface[below(f, SLOTS)];
    POINT point = {(LONG)number(f), (LONG)number(f)};
    RECT a, b;

    switch (below(f, 7)) {
    case 0:
        IDirect3DDevice9Ex_StretchRect(f->device, src, rect(f, &a), dst, rect(f, &b), below(f, 4));
        break;
    case 1:
        IDirect3DDevice9Ex_ColorFill(f->device, dst, rect(f, &a), next(f));
        break;
    case 2:
        IDirect3DDevice9Ex_UpdateSurface(f->device, src, rect(f, &a), dst,
                                         below(f, 2) ? &point : NULL);
        break;
    case 3:
        IDirect3DDevice9Ex_UpdateTexture(f->device, f->texture[below(f, SLOTS)],
                                         f->texture[below(f, SLOTS)]);
        break;
    case 4:
        IDirect3DDevice9Ex_GetRenderTargetData(f->device, src, dst);
        break;
    case 5:
        IDirect3DDevice9Ex_GetFrontBufferData(f->device, 0, dst);
        break;
    default:
        if (f->texture[0])
            IDirect3DBaseTexture9_GenerateMipSubLevels(f->texture[0]);
    }
}

/* --- State ----------------------------------------------------------------------------------- */

/* Random elements; NULL: refused. */
static IDirect3DVertexDeclaration9 *declaration(struct fuzz *f)
{
    D3DVERTEXELEMENT9 e[10], end = D3DDECL_END();
    IDirect3DVertexDeclaration9 *decl = NULL;
    unsigned n = below(f, 10);

    for (unsigned i = 0; i < n; i++)
        e[i] = (D3DVERTEXELEMENT9){.Stream = (WORD)(below(f, 8) ? 0 : number(f)),
                                   .Offset = (WORD)(below(f, 20) ? below(f, 20) * 4 : number(f)),
                                   .Type = (BYTE)(below(f, 2) ? below(f, 5) : below(f, 18)),
                                   .Method = (BYTE)(below(f, 40) ? 0 : number(f)),
                                   .Usage = (BYTE)below(f, 14),
                                   .UsageIndex = (BYTE)below(f, 3)};
    e[n] = end;
    IDirect3DDevice9Ex_CreateVertexDeclaration(f->device, e, &decl);
    return decl;
}

static void set_declaration(struct fuzz *f)
{
    IDirect3DVertexDeclaration9 *decl = declaration(f);

    if (!decl)
        return;
    IDirect3DDevice9Ex_SetVertexDeclaration(f->device, decl);
    IDirect3DVertexDeclaration9_Release(decl);
}

static void set_numbers(struct fuzz *f)
{
    static const DWORD fvfs[] = {D3DFVF_XYZ | D3DFVF_DIFFUSE, D3DFVF_XYZRHW | D3DFVF_TEX1,
                                 D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_TEX2,
                                 D3DFVF_XYZB4 | D3DFVF_LASTBETA_UBYTE4,
                                 D3DFVF_XYZ | D3DFVF_PSIZE | D3DFVF_SPECULAR};
    DWORD value = number(f);

    for (int i = 0; i < 8; i++)
        IDirect3DDevice9Ex_SetRenderState(f->device, below(f, 220), number(f));
    for (int i = 0; i < 4; i++)
        IDirect3DDevice9Ex_SetTextureStageState(f->device, below(f, 9), below(f, 34), number(f));
    for (int i = 0; i < 4; i++)
        IDirect3DDevice9Ex_SetSamplerState(f->device, below(f, 17), below(f, 15), number(f));
    if (below(f, 4))
        value = fvfs[below(f, sizeof(fvfs) / sizeof(fvfs[0]))];
    IDirect3DDevice9Ex_SetFVF(f->device, value);
    if (!below(f, 3))
        set_declaration(f);
}

static void process(struct fuzz *f)
{
    IDirect3DVertexDeclaration9 *decl = below(f, 3) ? declaration(f) : NULL;

    IDirect3DDevice9Ex_ProcessVertices(f->device, number(f), below(f, 4) ? 0 : number(f),
                                       below(f, 30), f->vertices[below(f, SLOTS)], decl, number(f));
    if (decl)
        IDirect3DVertexDeclaration9_Release(decl);
}

static void set_values(struct fuzz *f)
{
    float values[64];
    D3DVIEWPORT9 viewport = {number(f), number(f), number(f), number(f), real(f), real(f)};
    D3DLIGHT9 light;
    RECT r;

    reals(f, values, 64);
    IDirect3DDevice9Ex_SetTransform(f->device, below(f, 600), (D3DMATRIX *)values);
    IDirect3DDevice9Ex_MultiplyTransform(f->device, D3DTS_VIEW, (D3DMATRIX *)values);
    IDirect3DDevice9Ex_SetVertexShaderConstantF(f->device, number(f), values, below(f, 17));
    IDirect3DDevice9Ex_SetPixelShaderConstantF(f->device, number(f), values, below(f, 17));
    IDirect3DDevice9Ex_SetClipPlane(f->device, number(f), values);
    IDirect3DDevice9Ex_SetViewport(f->device, &viewport);
    if (rect(f, &r))
        IDirect3DDevice9Ex_SetScissorRect(f->device, &r);
    memcpy(&light, values, sizeof(light));
    light.Type = below(f, 5);
    IDirect3DDevice9Ex_SetLight(f->device, below(f, 12), &light);
    IDirect3DDevice9Ex_LightEnable(f->device, below(f, 12), below(f, 2));
    IDirect3DDevice9Ex_SetMaterial(f->device, (D3DMATERIAL9 *)values);
    IDirect3DDevice9Ex_SetNPatchMode(f->device, values[0]);
    if (f->extended)
        IDirect3DDevice9Ex_SetConvolutionMonoKernel(f->device, below(f, 9), number(f),
                                                    below(f, 8) ? NULL : values,
                                                    below(f, 8) ? NULL : values + 8);
    IDirect3DDevice9Ex_SetCurrentTexturePalette(f->device, number(f));
}

static void bind(struct fuzz *f)
{
    for (int i = 0; i < 3; i++)
        IDirect3DDevice9Ex_SetTexture(f->device, below(f, 262), f->texture[below(f, SLOTS)]);
    IDirect3DDevice9Ex_SetTexture(f->device, 0, f->texture[below(f, SLOTS)]);
    IDirect3DDevice9Ex_SetStreamSource(f->device, below(f, 3), f->vertices[below(f, SLOTS)],
                                       number(f), number(f));
    /* Few instances: the renderer draws a billion one by one, which takes too long. */
    IDirect3DDevice9Ex_SetStreamSourceFreq(f->device, below(f, 3), number(f) & 0xc000003f);
    IDirect3DDevice9Ex_SetIndices(f->device, f->indices[below(f, SLOTS)]);
    IDirect3DDevice9Ex_SetRenderTarget(f->device, below(f, 5), f->surface[below(f, SLOTS)]);
    IDirect3DDevice9Ex_SetDepthStencilSurface(f->device, f->surface[below(f, SLOTS)]);
}

static void blocks(struct fuzz *f)
{
    unsigned i = below(f, SLOTS);
    IDirect3DStateBlock9 *made = NULL;

    switch (below(f, 5)) {
    case 0:
        IDirect3DDevice9Ex_BeginStateBlock(f->device);
        break;
    case 1:
        if (IDirect3DDevice9Ex_EndStateBlock(f->device, &made) == D3D_OK)
            replace(&f->block[i], made);
        break;
    case 2:
        if (IDirect3DDevice9Ex_CreateStateBlock(f->device, below(f, 5), &made) == D3D_OK)
            replace(&f->block[i], made);
        break;
    case 3:
        if (f->block[i])
            IDirect3DStateBlock9_Capture(f->block[i]);
        break;
    default:
        if (f->block[i])
            IDirect3DStateBlock9_Apply(f->block[i]);
    }
}

/* --- Draws ----------------------------------------------------------------------------------- */

static void draw(struct fuzz *f)
{
    D3DPRIMITIVETYPE type = below(f, 8);
    float vertices[24 * 16];
    WORD indices[48];

    reals(f, vertices, sizeof(vertices) / sizeof(vertices[0]));
    for (int i = 0; i < 48; i++)
        indices[i] = (WORD)(below(f, 8) ? below(f, 24) : next(f));
    switch (below(f, 5)) {
    case 0:
        IDirect3DDevice9Ex_DrawPrimitive(f->device, type, number(f), below(f, 30));
        break;
    case 1:
        IDirect3DDevice9Ex_DrawIndexedPrimitive(f->device, type, (INT)number(f), number(f),
                                                number(f), number(f), below(f, 30));
        break;
    case 2:
        IDirect3DDevice9Ex_DrawPrimitiveUP(f->device, type, below(f, 8), vertices, below(f, 65));
        break;
    case 3:
        IDirect3DDevice9Ex_DrawIndexedPrimitiveUP(f->device, type, below(f, 4), 20, below(f, 15),
                                                  indices, D3DFMT_INDEX16, vertices, below(f, 65));
        break;
    default:
        process(f);
    }
}

/* --- Patches --------------------------------------------------------------------------------- */

static void tessellation_states(struct fuzz *f)
{
    static const D3DRENDERSTATETYPE floats[] = {
        D3DRS_MINTESSELLATIONLEVEL, D3DRS_MAXTESSELLATIONLEVEL, D3DRS_ADAPTIVETESS_X,
        D3DRS_ADAPTIVETESS_Y,       D3DRS_ADAPTIVETESS_Z,       D3DRS_ADAPTIVETESS_W};
    static const D3DRENDERSTATETYPE numbers[] = {D3DRS_PATCHEDGESTYLE, D3DRS_POSITIONDEGREE,
                                                 D3DRS_NORMALDEGREE,
                                                 D3DRS_ENABLEADAPTIVETESSELLATION};
    unsigned i = below(f, 6);
    float value = real(f);
    DWORD bits;

    memcpy(&bits, &value, sizeof(bits));
    IDirect3DDevice9Ex_SetRenderState(f->device, floats[i], bits);
    i = below(f, 4);
    IDirect3DDevice9Ex_SetRenderState(f->device, numbers[i], below(f, 4) ? below(f, 6) : number(f));
    IDirect3DDevice9Ex_SetNPatchMode(f->device, below(f, 4) ? (float)below(f, 9) : value);
}

static void draw_patch(struct fuzz *f)
{
    static const D3DDEGREETYPE degrees[] = {D3DDEGREE_LINEAR, D3DDEGREE_CUBIC, D3DDEGREE_QUINTIC};
    static const UINT points[] = {3, 10, 21};
    bool valid = below(f, 4) != 0;
    unsigned i = below(f, 3);
    D3DDEGREETYPE degree = valid ? degrees[i] : number(f);
    const D3DRECTPATCH_INFO rect = {.StartVertexOffsetWidth = valid ? below(f, 4) : number(f),
                                    .StartVertexOffsetHeight = valid ? below(f, 4) : number(f),
                                    .Width = valid ? 2 + below(f, 12) : number(f),
                                    .Height = valid ? 2 + below(f, 12) : number(f),
                                    .Stride = valid ? 14 + below(f, 4) : number(f),
                                    .Basis = valid ? below(f, 3) : number(f),
                                    .Degree = degree};
    const D3DTRIPATCH_INFO triangle = {.StartVertexOffset = valid ? below(f, 40) : number(f),
                                       .NumVertices = valid ? points[i] : number(f),
                                       .Basis = valid ? D3DBASIS_BEZIER : number(f),
                                       .Degree = degree};
    UINT handle = below(f, 8) ? below(f, 6) : number(f);
    float segments[4];

    for (unsigned e = 0; e < 4; e++)
        segments[e] = below(f, 4) ? (float)below(f, 12) : real(f);
    switch (below(f, 8)) {
    case 0:
        IDirect3DDevice9Ex_DeletePatch(f->device, handle);
        break;
    case 1:
    case 2:
    case 3:
        IDirect3DDevice9Ex_DrawTriPatch(f->device, handle, below(f, 8) ? segments : NULL,
                                        below(f, 3) ? &triangle : NULL);
        break;
    default:
        IDirect3DDevice9Ex_DrawRectPatch(f->device, handle, below(f, 8) ? segments : NULL,
                                         below(f, 3) ? &rect : NULL);
    }
}

static void patch(struct fuzz *f)
{
    tessellation_states(f);
    draw_patch(f);
}

/* --- Text ------------------------------------------------------------------------------------ */

/* Two levels of A1 textures and two buffers for glyphs. */
struct text {
    IDirect3DTexture9 *texture[2];
    IDirect3DSurface9 *surface[2];
    IDirect3DVertexBuffer9 *buffer[2];
};

static void make_text(struct fuzz *f, struct text *text)
{
    for (unsigned i = 0; i < 2; i++) {
        UINT bytes = 1 + below(f, 400);
        WORD *words;

        IDirect3DDevice9Ex_CreateTexture(f->device, size(f), size(f), 1 + below(f, 2),
                                         i && below(f, 2) ? 0 : D3DUSAGE_TEXTAPI, D3DFMT_A1,
                                         D3DPOOL_DEFAULT, &text->texture[i], NULL);
        if (text->texture[i])
            IDirect3DTexture9_GetSurfaceLevel(text->texture[i], below(f, 2), &text->surface[i]);
        IDirect3DDevice9Ex_CreateVertexBuffer(f->device, bytes, D3DUSAGE_TEXTAPI, 0,
                                              D3DPOOL_DEFAULT, &text->buffer[i], NULL);
        if (!text->buffer[i] ||
            FAILED(IDirect3DVertexBuffer9_Lock(text->buffer[i], 0, 0, (void **)&words, 0)))
            continue;
        for (unsigned k = 0; k < bytes / sizeof(*words); k++)
            words[k] = (WORD)number(f);
        IDirect3DVertexBuffer9_Unlock(text->buffer[i]);
    }
}

static void compose(struct fuzz *f)
{
    struct text text = {0};
    unsigned a = below(f, 8) ? 0 : below(f, 2), b = below(f, 8) ? 1 : below(f, 2);

    if (!f->extended)
        return;
    make_text(f, &text);
    IDirect3DDevice9Ex_ComposeRects(f->device,
                                    below(f, 8) ? text.surface[a] : f->surface[below(f, SLOTS)],
                                    below(f, 8) ? text.surface[b] : f->surface[below(f, SLOTS)],
                                    below(f, 8) ? text.buffer[0] : f->vertices[below(f, SLOTS)],
                                    below(f, 8) ? below(f, 60) : number(f),
                                    below(f, 8) ? text.buffer[1] : f->vertices[below(f, SLOTS)],
                                    (D3DCOMPOSERECTSOP)(below(f, 8) ? 1 + below(f, 4) : number(f)),
                                    (INT)number(f), (INT)number(f));
    for (unsigned i = 0; i < 2; i++) {
        replace(&text.texture[i], NULL);
        replace(&text.surface[i], NULL);
        replace(&text.buffer[i], NULL);
    }
}

static void frame(struct fuzz *f)
{
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = 1 + below(f, 64),
                               .BackBufferHeight = 1 + below(f, 64),
                               .BackBufferCount = below(f, 4),
                               .SwapEffect = below(f, 7),
                               .Windowed = TRUE,
                               .EnableAutoDepthStencil = below(f, 2),
                               .AutoDepthStencilFormat = D3DFMT_D24S8,
                               .Flags = below(f, 4)};
    D3DRECT rects[2];

    for (int i = 0; i < 8; i++)
        ((LONG *)rects)[i] = (LONG)number(f);
    switch (below(f, 6)) {
    case 0:
        IDirect3DDevice9Ex_BeginScene(f->device);
        break;
    case 1:
        IDirect3DDevice9Ex_EndScene(f->device);
        break;
    case 2:
        IDirect3DDevice9Ex_Clear(f->device, below(f, 3), below(f, 2) ? rects : NULL, below(f, 8),
                                 next(f), real(f), next(f));
        break;
    case 3:
        IDirect3DDevice9Ex_Present(f->device, NULL, NULL, NULL, NULL);
        break;
    case 4:
        if (!below(f, 4))
            IDirect3DDevice9Ex_Reset(f->device, &p);
        break;
    default:
        replace(&f->texture[1], NULL);
        f->texture_type[1] = 0;
    }
}

static void query(struct fuzz *f)
{
    unsigned i = below(f, SLOTS);
    IDirect3DQuery9 *made = NULL;
    unsigned char data[16];

    if (!f->query[i] || !below(f, 4)) {
        IDirect3DDevice9Ex_CreateQuery(f->device, below(f, 20), &made);
        replace(&f->query[i], made);
        return;
    }
    IDirect3DQuery9_Issue(f->query[i], below(f, 4));
    IDirect3DQuery9_GetData(f->query[i], data, below(f, sizeof(data)), below(f, 2));
}

typedef void call_fn(struct fuzz *f);
static call_fn *const calls[] = {make_texture, make_surface,  make_buffer, fill_buffer,
                                 lock_surface, copy_surfaces, set_numbers, set_values,
                                 bind,         blocks,        draw,        draw,
                                 frame,        query,         patch,       compose};

static void release_all(struct fuzz *f)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        replace(&f->texture[i], NULL);
        replace(&f->surface[i], NULL);
        replace(&f->vertices[i], NULL);
        replace(&f->indices[i], NULL);
        replace(&f->block[i], NULL);
        replace(&f->query[i], NULL);
    }
}

static void run(uint64_t seed)
{
    struct fuzz f = {.random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    D3DPRESENT_PARAMETERS p = {.BackBufferWidth = 64,
                               .BackBufferHeight = 48,
                               .SwapEffect = D3DSWAPEFFECT_DISCARD,
                               .Windowed = TRUE,
                               .EnableAutoDepthStencil = TRUE,
                               .AutoDepthStencilFormat = D3DFMT_D24S8};
    D3DDEVTYPE type = seed / 2 % 2 ? D3DDEVTYPE_REF : D3DDEVTYPE_HAL;
    DWORD kind = seed % 3 ? D3DCREATE_HARDWARE_VERTEXPROCESSING
                          : D3DCREATE_MIXED_VERTEXPROCESSING | D3DCREATE_MULTITHREADED;
    IDirect3D9Ex *d3d9;

    f.extended = seed % 2 != 0;
    if (f.extended)
        ck_assert_int_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9), D3D_OK);
    else
        d3d9 = (IDirect3D9Ex *)Direct3DCreate9(D3D_SDK_VERSION);
    ck_assert_int_eq(
        IDirect3D9Ex_CreateDevice(d3d9, 0, type, NULL, kind, &p, (IDirect3DDevice9 **)&f.device),
        D3D_OK);
    for (int n = 0; n < CALLS; n++)
        calls[below(&f, sizeof(calls) / sizeof(calls[0]))](&f);
    release_all(&f);
    ck_assert_uint_eq(IDirect3DDevice9Ex_Release(f.device), 0);
    ck_assert_uint_eq(IDirect3D9Ex_Release(d3d9), 0);
    ck_assert_int_eq(mem_live_blocks(), 0);
}

START_TEST(random_calls)
{
    log_set_level(LOG_NONE);
    run((uint64_t)_i);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("fuzz/api");
    TCase *tc = tcase_create("calls");

    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, random_calls, 0, SEEDS);
    suite_add_tcase(s, tc);
    return s;
}

TEST_MAIN(suite)
