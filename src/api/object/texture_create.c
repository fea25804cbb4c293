/* Creation of 2D, cube and volume textures: validation, image and levels. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/memory/memory.h"
#include "api/object/texture.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

struct texture_args {
    enum tex_shape shape;
    UINT width, height, depth, levels;
    DWORD usage;
    D3DFORMAT format;
    D3DPOOL pool;
    HANDLE *shared;
};

/* --- Validation ------------------------------------------------------------------------------- */

static uint32_t full_chain(uint32_t w, uint32_t h, uint32_t depth)
{
    uint32_t largest = w > h ? w : h, levels = 1;

    for (largest = depth > largest ? depth : largest; largest > 1; largest >>= 1)
        levels++;
    return levels;
}

static bool size_ok(const struct texture_args *args, const struct tex_format *format,
                    const D3DCAPS9 *caps)
{
    UINT limit = args->shape == TEX_VOLUME_MAP ? caps->MaxVolumeExtent : caps->MaxTextureWidth;

    return args->width && args->height && args->depth && args->width <= limit &&
           args->height <= limit && args->depth <= limit &&
           api_block_size_ok(format, args->width, args->height);
}

static bool usage_ok(const struct texture_args *args, const struct tex_format *format,
                     struct device_kind kind)
{
    static const D3DRESOURCETYPE types[] = {[TEX_2D] = D3DRTYPE_TEXTURE,
                                            [TEX_CUBE_MAP] = D3DRTYPE_CUBETEXTURE,
                                            [TEX_VOLUME_MAP] = D3DRTYPE_VOLUMETEXTURE};
    const DWORD targets = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
    DWORD usage = args->usage;
    bool on_device = args->pool == D3DPOOL_DEFAULT;

    if (!api_image_usage_ok(usage, types[args->shape], kind))
        return false;
    if ((usage & D3DUSAGE_DMAP) && !(format->caps & TEX_VERTEX))
        return false;
    if ((usage & targets) &&
        (!on_device || (usage & D3DUSAGE_DYNAMIC) || args->shape == TEX_VOLUME_MAP))
        return false;
    if ((usage & D3DUSAGE_RENDERTARGET) && !(format->caps & TEX_TARGET))
        return false;
    if ((usage & D3DUSAGE_DEPTHSTENCIL) && !(format->caps & TEX_DEPTHSTENCIL))
        return false;
    if ((usage & D3DUSAGE_DYNAMIC) && (pool_managed(args->pool) || args->pool == D3DPOOL_SCRATCH))
        return false;
    if ((usage & D3DUSAGE_TEXTAPI) &&
        (!(format->caps & TEX_TEXT) || args->shape != TEX_2D || !on_device))
        return false;
    if (usage & D3DUSAGE_AUTOGENMIPMAP)
        return args->levels <= 1 && args->shape != TEX_VOLUME_MAP &&
               (on_device || pool_managed(args->pool));
    return true;
}

static bool format_ok(const struct texture_args *args, const struct tex_format *format)
{
    static const uint32_t shape_caps[] = {
        [TEX_2D] = TEX_SAMPLE, [TEX_CUBE_MAP] = TEX_CUBE, [TEX_VOLUME_MAP] = TEX_VOLUME};

    if (format->layout == TEX_LAYOUT_PLANAR) /* (reference: format/planar) */
        return false;
    if (args->pool == D3DPOOL_SCRATCH) /* SCRATCH accepts formats that the renderer cannot use */
        return format->layout != TEX_LAYOUT_DEPTH && format->layout != TEX_LAYOUT_RAW;
    if (format->layout == TEX_LAYOUT_DEPTH && args->pool != D3DPOOL_DEFAULT)
        return false;
    if (format->layout == TEX_LAYOUT_RAW) /* the NULL format is valid for render targets only */
        return (args->usage & D3DUSAGE_RENDERTARGET) && args->shape == TEX_2D;
    return format->caps & shape_caps[args->shape];
}

/* Reference: target/elements. */
static bool elements_ok(const struct texture_args *args, const struct tex_format *format,
                        const struct device *d)
{
    return args->shape == TEX_2D && args->levels == 1 && args->pool == D3DPOOL_DEFAULT &&
           !args->shared && size_ok(args, format, &d->caps) &&
           api_elements_ok(args->usage, D3DRTYPE_TEXTURE, api_kind(d));
}

static HRESULT check_args(const struct texture_args *args, const struct tex_format *format,
                          const struct device *d)
{
    if (args->shared && !d->ex)
        return E_NOTIMPL;
    if (args->format == D3DFMT_MULTI2_ARGB8)
        return elements_ok(args, format, d) ? D3D_OK : D3DERR_INVALIDCALL;
    if (!format || !pool_exists(args->pool, d->ex) || !size_ok(args, format, &d->caps) ||
        !usage_ok(args, format, api_kind(d)) || !format_ok(args, format))
        return D3DERR_INVALIDCALL;
    if (args->levels > full_chain(args->width, args->height, args->depth))
        return D3DERR_INVALIDCALL;
    /* User memory requires a 2D texture with one level (reference: resources/user-memory). */
    if (args->shared && args->pool != D3DPOOL_DEFAULT &&
        (args->pool != D3DPOOL_SYSTEMMEM || args->shape != TEX_2D || args->levels != 1))
        return D3DERR_INVALIDCALL;
    return D3D_OK;
}

/* --- Creation --------------------------------------------------------------------------------- */

static void describe(struct texture *texture, const struct texture_args *args,
                     const struct tex_format *format, uint32_t image_levels)
{
    texture->format = format;
    texture->shape = args->shape;
    texture->width = args->width;
    texture->height = args->height;
    texture->depth = args->depth;
    texture->faces = args->shape == TEX_CUBE_MAP ? 6 : 1;
    texture->levels = args->usage & D3DUSAGE_AUTOGENMIPMAP ? 1 : image_levels;
    texture->generates = image_levels > texture->levels;
    texture->usage = args->usage;
    texture->pool = args->pool;
    texture->auto_filter = D3DTEXF_LINEAR;
}

/* Creates the image that draws read, or one for each element. */
static HRESULT create_images(struct texture *texture, const struct texture_args *args,
                             struct tex_desc *desc)
{
    struct cmd_stream *stream = texture->base.device->stream;
    HRESULT hr;

    if (args->format == D3DFMT_MULTI2_ARGB8) {
        desc->format = D3DFMT_A8R8G8B8;
        hr = api_hresult(cmd_create_image(stream, desc, NULL, &texture->second_element));
        if (FAILED(hr))
            return hr;
    }
    if (args->shared && args->pool == D3DPOOL_DEFAULT)
        return api_shared_image(stream, desc, args->shared, &texture->image);
    return api_hresult(cmd_create_image(stream, desc, NULL, &texture->image));
}

static HRESULT build(struct texture *texture, const struct texture_args *args)
{
    struct device *d = texture->base.device;
    bool auto_gen = args->usage & D3DUSAGE_AUTOGENMIPMAP;
    const struct tex_format *format = tex_format_get(args->format);
    uint32_t all = full_chain(args->width, args->height, args->depth);
    struct tex_desc desc = {
        .format = args->format,
        .shape = args->shape,
        .width = args->width,
        .height = args->height,
        .depth = args->depth,
        .levels =
            auto_gen ? (format->caps & TEX_MIPGEN ? all : 1) : (args->levels ? args->levels : all),
        .samples = 1,
        .unlocked = (args->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)) != 0,
    };
    HRESULT hr;

    texture->stored_width = args->width;
    texture->stored_height = args->height;
    if (desc.unlocked && !args->shared)
        api_alter_desc(d, args->usage & D3DUSAGE_DEPTHSTENCIL, true, &desc, &texture->stored_width,
                       &texture->stored_height);
    hr = create_images(texture, args, &desc);
    if (FAILED(hr))
        return hr;
    describe(texture, args, format, desc.levels);
    texture->sub = mem_calloc((size_t)texture->faces * texture->levels, sizeof(*texture->sub));
    if (!texture->sub)
        return E_OUTOFMEMORY;
    for (uint32_t face = 0; face < texture->faces; face++)
        for (uint32_t level = 0; level < texture->levels; level++)
            api_surface_init_level(&texture->sub[face * texture->levels + level], texture, face,
                                   level);
    if (args->pool == D3DPOOL_DEFAULT || pool_managed(args->pool))
        texture->video_bytes = (int64_t)cmd_image(d->stream, texture->image)->bytes;
    if (texture->second_element)
        texture->video_bytes *= 2;
    d->video_bytes += texture->video_bytes;
    return D3D_OK;
}

static HRESULT create_texture(struct texture **out, struct device *device,
                              const struct texture_args *args)
{
    struct texture *texture;
    HRESULT hr;

    *out = NULL;
    hr = check_args(args, api_format_get(args->format, api_kind(device)), device);
    if (FAILED(hr))
        return hr;
    texture = mem_calloc(1, sizeof(*texture));
    if (!texture)
        return E_OUTOFMEMORY;
    texture->base.device = device;
    hr = build(texture, args);
    if (FAILED(hr)) {
        api_texture_free(texture);
        return hr;
    }
    if (args->shared && args->pool == D3DPOOL_SYSTEMMEM)
        texture->sub[0].user_memory = *args->shared;
    texture->base.blocks_reset = args->pool == D3DPOOL_DEFAULT;
    api_object_init(&texture->base, api_texture_class[args->shape], device, 1);
    api_memory_init(texture);
    *out = texture;
    return D3D_OK;
}

/* --- Device methods --------------------------------------------------------------------------- */

static HRESULT refused(HRESULT hr, const struct texture_args *args)
{
    static const char *const calls[] = {[TEX_2D] = "CreateTexture",
                                        [TEX_CUBE_MAP] = "CreateCubeTexture",
                                        [TEX_VOLUME_MAP] = "CreateVolumeTexture"};

    return api_refused(hr, calls[args->shape], args->format,
                       "%ux%ux%u, %u levels, usage 0x%lx, pool %u%s", args->width, args->height,
                       args->depth, args->levels, (unsigned long)args->usage, (unsigned)args->pool,
                       args->shared ? ", shared" : "");
}

static HRESULT create(void *iface, const struct texture_args *args, void *out)
{
    ENTER(d, iface);
    HRESULT hr = out ? create_texture(out, d, args) : D3DERR_INVALIDCALL;

    return SUCCEEDED(hr) ? hr : refused(hr, args);
}

HRESULT WINAPI device_CreateTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT levels,
                                    DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                    IDirect3DTexture9 **out, HANDLE *shared)
{
    return create(
        iface,
        &(struct texture_args){TEX_2D, width, height, 1, levels, usage, format, pool, shared}, out);
}

HRESULT WINAPI device_CreateVolumeTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height,
                                          UINT depth, UINT levels, DWORD usage, D3DFORMAT format,
                                          D3DPOOL pool, IDirect3DVolumeTexture9 **out,
                                          HANDLE *shared)
{
    return create(iface,
                  &(struct texture_args){TEX_VOLUME_MAP, width, height, depth, levels, usage,
                                         format, pool, shared},
                  out);
}

HRESULT WINAPI device_CreateCubeTexture(IDirect3DDevice9Ex *iface, UINT edge, UINT levels,
                                        DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                        IDirect3DCubeTexture9 **out, HANDLE *shared)
{
    return create(
        iface,
        &(struct texture_args){TEX_CUBE_MAP, edge, edge, 1, levels, usage, format, pool, shared},
        out);
}
