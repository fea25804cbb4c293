/* Fixture of test_order.c: a device and one image of each kind for random calls. */
#ifndef TESTS_ORDER_WORLD_H
#define TESTS_ORDER_WORLD_H

#include "api_test.h"

enum { EDGE = 64 };

enum image {
    TARGET,
    GENERATED_TARGET,
    CUBE_TARGET,
    FLOAT_TARGET,
    DEPTH,
    DYNAMIC,
    MANAGED,
    MANAGED_BLOCKS,
    MANAGED_GENERATED,
    STATIC,
    PALETTE,
    DEPTH_COPY,
    SYSTEM,
    IMAGES
};

static const struct {
    D3DRESOURCETYPE type;
    UINT edge, levels;
    DWORD usage;
    DWORD format;
    D3DPOOL pool;
} images[IMAGES] = {
    [TARGET] = {D3DRTYPE_TEXTURE, EDGE, 3, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT},
    [GENERATED_TARGET] = {D3DRTYPE_TEXTURE, EDGE, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                          D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT},
    [CUBE_TARGET] = {D3DRTYPE_CUBETEXTURE, EDGE / 2, 2, D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                     D3DPOOL_DEFAULT},
    [FLOAT_TARGET] = {D3DRTYPE_TEXTURE, EDGE, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A16B16G16R16F,
                      D3DPOOL_DEFAULT},
    [DEPTH] = {D3DRTYPE_TEXTURE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL, MAKEFOURCC('I', 'N', 'T', 'Z'),
               D3DPOOL_DEFAULT},
    [DYNAMIC] = {D3DRTYPE_TEXTURE, EDGE, 3, D3DUSAGE_DYNAMIC, D3DFMT_DXT1, D3DPOOL_DEFAULT},
    [MANAGED] = {D3DRTYPE_TEXTURE, EDGE, 3, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED},
    [MANAGED_BLOCKS] = {D3DRTYPE_TEXTURE, EDGE, 0, 0, D3DFMT_DXT5, D3DPOOL_MANAGED},
    [MANAGED_GENERATED] = {D3DRTYPE_TEXTURE, EDGE, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                           D3DPOOL_MANAGED},
    [STATIC] = {D3DRTYPE_TEXTURE, EDGE, 3, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT},
    [PALETTE] = {D3DRTYPE_TEXTURE, EDGE, 2, 0, D3DFMT_P8, D3DPOOL_MANAGED},
    [DEPTH_COPY] = {D3DRTYPE_TEXTURE, EDGE, 1, D3DUSAGE_DEPTHSTENCIL,
                    MAKEFOURCC('I', 'N', 'T', 'Z'), D3DPOOL_DEFAULT},
    [SYSTEM] = {D3DRTYPE_TEXTURE, EDGE, 3, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM},
};

/* Vertex buffers: appended to and discarded when full, or partly rewritten while draws may read
 * them. */
enum buffer_kind { APPENDED, KEPT, BUFFERS };

struct vertex {
    float x, y, z, rhw;
    DWORD diffuse;
    float u, v, w;
};

struct world {
    uint64_t random, hash;
    IDirect3DDevice9 *device;
    IDirect3DQuery9 *query; /* NULL: no call may finish the renderer early */
    IDirect3DBaseTexture9 *texture[IMAGES];
    IDirect3DSurface9 *plain, *multisampled;
    IDirect3DQuery9 *count;
    IDirect3DVertexBuffer9 *buffer[BUFFERS];
    IDirect3DIndexBuffer9 *indices;
    UINT appended; /* bytes of APPENDED that pending draws may read */
};

static inline uint32_t below(struct world *w, uint32_t n)
{
    w->random ^= w->random >> 12;
    w->random ^= w->random << 25;
    w->random ^= w->random >> 27;
    return (uint32_t)(w->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % n;
}

static inline void note(struct world *w, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->hash = (w->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
}

/* --- Fixture ---------------------------------------------------------------------------------- */

static inline void make_image(struct world *w, enum image i)
{
    D3DFORMAT format = (D3DFORMAT)images[i].format;

    if (images[i].type == D3DRTYPE_CUBETEXTURE)
        OK(IDirect3DDevice9_CreateCubeTexture(w->device, images[i].edge, images[i].levels,
                                              images[i].usage, format, images[i].pool,
                                              (IDirect3DCubeTexture9 **)&w->texture[i], NULL));
    else
        OK(IDirect3DDevice9_CreateTexture(w->device, images[i].edge, images[i].edge,
                                          images[i].levels, images[i].usage, format, images[i].pool,
                                          (IDirect3DTexture9 **)&w->texture[i], NULL));
}

enum { BUFFER_BYTES = 64 * sizeof(struct vertex), INDEX_BYTES = 12 * 2 };

static inline void make_buffers(struct world *w)
{
    void *bytes;

    OK(IDirect3DDevice9_CreateVertexBuffer(w->device, BUFFER_BYTES,
                                           D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                           D3DPOOL_DEFAULT, &w->buffer[APPENDED], NULL));
    OK(IDirect3DDevice9_CreateVertexBuffer(w->device, BUFFER_BYTES, 0, 0, D3DPOOL_MANAGED,
                                           &w->buffer[KEPT], NULL));
    OK(IDirect3DDevice9_CreateIndexBuffer(w->device, INDEX_BYTES, 0, D3DFMT_INDEX16,
                                          D3DPOOL_MANAGED, &w->indices, NULL));
    OK(IDirect3DIndexBuffer9_Lock(w->indices, 0, 0, &bytes, 0));
    memset(bytes, 0, INDEX_BYTES);
    OK(IDirect3DIndexBuffer9_Unlock(w->indices));
    OK(IDirect3DDevice9_SetIndices(w->device, w->indices));
}

static inline void make_world(struct world *w, unsigned seed, bool finish)
{
    *w = (struct world){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .hash = 1};
    w->device = create_device();
    for (int i = 0; i < IMAGES; i++)
        make_image(w, (enum image)i);
    OK(IDirect3DDevice9_CreateOffscreenPlainSurface(w->device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                                    D3DPOOL_DEFAULT, &w->plain, NULL));
    OK(IDirect3DDevice9_CreateRenderTarget(w->device, EDGE, EDGE, D3DFMT_A8R8G8B8,
                                           D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &w->multisampled,
                                           NULL));
    OK(IDirect3DDevice9_CreateQuery(w->device, D3DQUERYTYPE_OCCLUSION, &w->count));
    make_buffers(w);
    if (finish)
        OK(IDirect3DDevice9_CreateQuery(w->device, D3DQUERYTYPE_EVENT, &w->query));
    OK(IDirect3DDevice9_SetFVF(w->device, D3DFVF_XYZRHW | D3DFVF_DIFFUSE | D3DFVF_TEX1 |
                                              D3DFVF_TEXCOORDSIZE3(0)));
    OK(IDirect3DDevice9_SetTextureStageState(w->device, 1, D3DTSS_TEXCOORDINDEX, 0));
    OK(IDirect3DDevice9_SetTextureStageState(w->device, 1, D3DTSS_COLOROP, D3DTOP_ADD));
}

static inline void end_world(struct world *w)
{
    for (int i = 0; i < BUFFERS; i++)
        release(w->buffer[i]);
    release(w->indices);
    for (int i = 0; i < IMAGES; i++)
        release(w->texture[i]);
    release(w->plain);
    release(w->multisampled);
    release(w->count);
    if (w->query)
        release(w->query);
    release(w->device);
}

static inline void finish(struct world *w)
{
    BOOL done;

    if (!w->query)
        return;
    OK(IDirect3DQuery9_Issue(w->query, D3DISSUE_END));
    while (IDirect3DQuery9_GetData(w->query, &done, sizeof(done), D3DGETDATA_FLUSH) == S_FALSE)
        ;
}

/* Returns a random level of any face; the caller releases it. */
static inline IDirect3DSurface9 *some_level(struct world *w, enum image i)
{
    UINT level = below(w, IDirect3DBaseTexture9_GetLevelCount(w->texture[i]));
    IDirect3DSurface9 *surface;

    if (images[i].type == D3DRTYPE_CUBETEXTURE)
        OK(IDirect3DCubeTexture9_GetCubeMapSurface((IDirect3DCubeTexture9 *)w->texture[i],
                                                   (D3DCUBEMAP_FACES)below(w, 6), level, &surface));
    else
        OK(IDirect3DTexture9_GetSurfaceLevel((IDirect3DTexture9 *)w->texture[i], level, &surface));
    return surface;
}

#endif
