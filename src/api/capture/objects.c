/* Creation of the objects of a device: the implicit ones, and those that the program created, in
 * the same order.
 *
 * Tested by tests/unit/trace/test_capture_frame.c. */
#include "api/capture/snapshot.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/swapchain/swapchain.h"

#include <string.h>

bool api_snapshot_is_fvf(const struct object *obj)
{
    return obj->class->record == RECORD_DECLARATION && ((const struct vertex_decl *)obj)->of_fvf;
}

/* IUnknown and IDirect3DResource9 are the same for all classes. */
static const IDirect3DResource9Vtbl *methods(const struct object *obj)
{
    return snapshot_methods(obj);
}

/* --- The device ------------------------------------------------------------------------------- */

static void put_device(struct snapshot *s)
{
    struct device *d = s->device;
    IDirect3D9Ex *d3d9 = (IDirect3D9Ex *)d->d3d9;
    const IDirect3D9ExVtbl *to = record_methods(d->ex ? RECORD_D3D9_EX : RECORD_D3D9, d3d9->lpVtbl);
    const D3DDEVICE_CREATION_PARAMETERS *c = &d->creation;
    D3DPRESENT_PARAMETERS p = d->chain->parameters;
    D3DDISPLAYMODEEX mode = {sizeof(mode),       p.BackBufferWidth,
                             p.BackBufferHeight, p.FullScreen_RefreshRateInHz,
                             p.BackBufferFormat, D3DSCANLINEORDERING_PROGRESSIVE};

    if (d->ex)
        record_create9_ex(D3D_SDK_VERSION, &d3d9, S_OK);
    else
        record_create9(D3D_SDK_VERSION, (IDirect3D9 *)d3d9);
    if (d->ex)
        to->CreateDeviceEx(d3d9, c->AdapterOrdinal, c->DeviceType, c->hFocusWindow,
                           c->BehaviorFlags, &p, p.Windowed ? NULL : &mode, &s->iface);
    else
        to->CreateDevice(d3d9, c->AdapterOrdinal, c->DeviceType, c->hFocusWindow, c->BehaviorFlags,
                         &p, (IDirect3DDevice9 **)&s->iface);
}

/* --- Swap chains and surfaces ----------------------------------------------------------------- */

static void put_buffers(struct snapshot *s, struct swapchain *chain)
{
    const IDirect3DSwapChain9ExVtbl *to = snapshot_methods(&chain->base);

    for (unsigned i = 0; i < chain->n_buffers; i++) {
        IDirect3DSurface9 *buffer = (IDirect3DSurface9 *)chain->buffer[i];

        to->GetBackBuffer((IDirect3DSwapChain9Ex *)chain, i, D3DBACKBUFFER_TYPE_MONO, &buffer);
        api_snapshot_surface(s, chain->buffer[i]);
    }
}

static void put_chain(struct snapshot *s, struct swapchain *chain)
{
    D3DPRESENT_PARAMETERS p = chain->parameters;
    IDirect3DSwapChain9 *iface = (IDirect3DSwapChain9 *)chain;

    if (chain->implicit)
        s->to->GetSwapChain(s->iface, 0, &iface);
    else
        s->to->CreateAdditionalSwapChain(s->iface, &p, &iface);
    put_buffers(s, chain);
}

static void put_surface(struct snapshot *s, struct surface *f)
{
    D3DFORMAT format = f->format->d3d;
    IDirect3DSurface9 *iface = (IDirect3DSurface9 *)f;

    if (f->chain)
        return; /* put_buffers */
    if (f == s->device->auto_depth)
        s->to->GetDepthStencilSurface(s->iface, &iface);
    else if (f->usage & D3DUSAGE_DEPTHSTENCIL)
        s->to->CreateDepthStencilSurface(s->iface, f->width, f->height, format, f->samples,
                                         f->quality, f->discardable, &iface, NULL);
    else if (f->usage & D3DUSAGE_RENDERTARGET)
        s->to->CreateRenderTarget(s->iface, f->width, f->height, format, f->samples, f->quality,
                                  f->lockable, &iface, NULL);
    else
        s->to->CreateOffscreenPlainSurface(s->iface, f->width, f->height, format, f->pool, &iface,
                                           NULL);
    api_snapshot_surface(s, f);
}

/* --- Textures --------------------------------------------------------------------------------- */

/* The program may have any level, whose references are those of the texture. */
static void put_levels(struct texture *t)
{
    for (unsigned i = 0; i < t->faces * t->levels; i++) {
        struct surface *level = &t->sub[i];
        void *out = level;

        if (t->shape == TEX_CUBE_MAP)
            ((const IDirect3DCubeTexture9Vtbl *)snapshot_methods(&t->base))
                ->GetCubeMapSurface((IDirect3DCubeTexture9 *)t, (D3DCUBEMAP_FACES)level->face,
                                    level->level, (IDirect3DSurface9 **)&out);
        else if (t->shape == TEX_VOLUME_MAP)
            ((const IDirect3DVolumeTexture9Vtbl *)snapshot_methods(&t->base))
                ->GetVolumeLevel((IDirect3DVolumeTexture9 *)t, level->level,
                                 (IDirect3DVolume9 **)&out);
        else
            ((const IDirect3DTexture9Vtbl *)snapshot_methods(&t->base))
                ->GetSurfaceLevel((IDirect3DTexture9 *)t, level->level, (IDirect3DSurface9 **)&out);
        methods(&level->base)->Release(out);
    }
}

static void create_texture(struct snapshot *s, struct texture *t)
{
    UINT levels = t->usage & D3DUSAGE_AUTOGENMIPMAP ? 0 : t->levels;
    D3DFORMAT format = t->second_element ? D3DFMT_MULTI2_ARGB8 : t->format->d3d;
    HANDLE memory = t->sub[0].user_memory;
    void *out = t;

    if (t->shape == TEX_CUBE_MAP)
        s->to->CreateCubeTexture(s->iface, t->width, levels, t->usage, format, t->pool,
                                 (IDirect3DCubeTexture9 **)&out, NULL);
    else if (t->shape == TEX_VOLUME_MAP)
        s->to->CreateVolumeTexture(s->iface, t->width, t->height, t->depth, levels, t->usage,
                                   format, t->pool, (IDirect3DVolumeTexture9 **)&out, NULL);
    else
        s->to->CreateTexture(s->iface, t->width, t->height, levels, t->usage, format, t->pool,
                             (IDirect3DTexture9 **)&out, memory ? &memory : NULL);
}

static void put_texture(struct snapshot *s, struct texture *t)
{
    const IDirect3DBaseTexture9Vtbl *to = snapshot_methods(&t->base);
    IDirect3DBaseTexture9 *iface = (IDirect3DBaseTexture9 *)t;

    create_texture(s, t);
    put_levels(t);
    if (t->auto_filter != D3DTEXF_LINEAR)
        to->SetAutoGenFilterType(iface, t->auto_filter);
    if (t->lod)
        to->SetLOD(iface, t->lod);
    api_snapshot_texture(s, t);
}

/* --- Other objects ---------------------------------------------------------------------------- */

static void put_vertices(struct snapshot *s, struct buffer *b)
{
    IDirect3DVertexBuffer9 *iface = (IDirect3DVertexBuffer9 *)b;

    s->to->CreateVertexBuffer(s->iface, b->size, b->usage, b->fvf, b->pool, &iface, NULL);
    api_snapshot_buffer(s, b);
}

static void put_indices(struct snapshot *s, struct buffer *b)
{
    IDirect3DIndexBuffer9 *iface = (IDirect3DIndexBuffer9 *)b;

    s->to->CreateIndexBuffer(s->iface, b->size, b->usage, b->format, b->pool, &iface, NULL);
    api_snapshot_buffer(s, b);
}

static void put_shader(struct snapshot *s, struct shader *shader)
{
    void *out = shader;

    if (shader->pixel)
        s->to->CreatePixelShader(s->iface, shader->tokens, (IDirect3DPixelShader9 **)&out);
    else
        s->to->CreateVertexShader(s->iface, shader->tokens, (IDirect3DVertexShader9 **)&out);
}

/* SetFVF creates the declaration; the program may have got it by GetVertexDeclaration. */
static void put_declaration(struct snapshot *s, struct vertex_decl *decl)
{
    IDirect3DVertexDeclaration9 *iface = (IDirect3DVertexDeclaration9 *)decl;

    if (!decl->of_fvf) {
        s->to->CreateVertexDeclaration(s->iface, decl->element, &iface);
        return;
    }
    if (!atomic_load(&decl->base.refs))
        return;
    s->to->SetFVF(s->iface, decl->fvf);
    s->to->GetVertexDeclaration(s->iface, &iface);
    api_object_assign((struct object **)&s->there.decl, &decl->base);
}

static void put_query(struct snapshot *s, struct object *obj)
{
    struct query_state state = api_query_state(obj);
    IDirect3DQuery9 *query = (IDirect3DQuery9 *)obj;

    s->to->CreateQuery(s->iface, state.type, &query);
}

static void put_object(struct snapshot *s, struct object *obj)
{
    switch (obj->class->record) {
    case RECORD_SWAP_CHAIN:
    case RECORD_SWAP_CHAIN_EX:
        put_chain(s, (struct swapchain *)obj);
        break;
    case RECORD_TEXTURE:
    case RECORD_CUBE:
    case RECORD_VOLUMES:
        put_texture(s, (struct texture *)obj);
        break;
    case RECORD_SURFACE:
        put_surface(s, (struct surface *)obj);
        break;
    case RECORD_VERTICES:
        put_vertices(s, (struct buffer *)obj);
        break;
    case RECORD_INDICES:
        put_indices(s, (struct buffer *)obj);
        break;
    case RECORD_VERTEX_SHADER:
    case RECORD_PIXEL_SHADER:
        put_shader(s, (struct shader *)obj);
        break;
    case RECORD_DECLARATION:
        put_declaration(s, (struct vertex_decl *)obj);
        break;
    case RECORD_QUERY:
        put_query(s, obj);
        break;
    default: /* state blocks follow with the values */
        break;
    }
}

void api_snapshot_objects(struct snapshot *s)
{
    put_device(s);
    for (struct object *obj = s->device->objects; obj; obj = obj->next)
        put_object(s, obj);
}

/* --- References ------------------------------------------------------------------------------- */

static void put_references(struct object *obj)
{
    unsigned refs = atomic_load(&obj->refs);
    IDirect3DResource9 *iface = (IDirect3DResource9 *)obj;

    if (api_snapshot_is_fvf(obj) && !refs)
        return; /* the new device has made it without one */
    if (!refs)
        methods(obj)->Release(iface);
    while (refs-- > 1)
        methods(obj)->AddRef(iface);
}

void api_snapshot_references(struct snapshot *s)
{
    for (struct object *obj = s->device->objects; obj; obj = obj->next)
        put_references(obj);
}
