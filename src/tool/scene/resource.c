/* Scene commands that create textures and surfaces, fill them and bind them.
 *
 * Tested by tests/conformance. */
#include "tool/scene/resource.h"
#include "tool/scene/command.h"
#include "tool/scene/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Names to objects ------------------------------------------------------------------------- */

static struct resource *find(struct scene *scene, const char *name)
{
    for (int i = scene->n_resources; i-- > 0;) {
        if (!strcmp(scene->resource[i].name, name))
            return &scene->resource[i];
    }
    return NULL;
}

/* Objects of the device: the target, the depth buffer, the back buffers. */
static struct resource *find_own(struct scene *scene, const char *name)
{
    static struct resource own[4];
    static int next;
    struct resource *r = &own[next++ % 4];
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr;

    if (!strncmp(name, "target", 6))
        hr = IDirect3DDevice9_GetRenderTarget(
            scene->device, parse_uint(scene, name[6] ? name + 6 : "0"), &surface);
    else if (!strcmp(name, "depthbuffer"))
        hr = IDirect3DDevice9_GetDepthStencilSurface(scene->device, &surface);
    else if (!strncmp(name, "backbuffer", 10))
        hr = IDirect3DDevice9_GetBackBuffer(scene->device, 0,
                                            parse_uint(scene, name[10] ? name + 10 : "0"),
                                            D3DBACKBUFFER_TYPE_MONO, &surface);
    else
        return NULL;
    if (FAILED(hr))
        scene_fail(scene, "'%s' is not available: %08x", name, (unsigned)hr);
    scene_own(scene, surface);
    *r = (struct resource){.kind = RESOURCE_SURFACE, .u.surface = surface};
    return r;
}

struct resource *resource_find(struct scene *scene, const char *name)
{
    struct resource *r = find(scene, name);

    if (!r)
        r = find_own(scene, name);
    if (!r || !r->u.unknown)
        scene_fail(scene, "no resource '%s'", name);
    return r;
}

IDirect3DBaseTexture9 *resource_texture(struct scene *scene, const char *name)
{
    struct resource *r = resource_find(scene, name);

    if (r->kind == RESOURCE_SURFACE)
        scene_fail(scene, "'%s' is not a texture", name);
    return r->u.base;
}

void resource_use_memory(struct scene *scene, UINT width, UINT height, UINT depth, UINT samples)
{
    const uint64_t most = 16384, texel = 16; /* creation fails for larger images anyway */

    if (width <= most && height <= most && depth <= most)
        scene_use_memory(scene, (uint64_t)width * height * depth * texel * (samples ? samples : 1));
}

IDirect3DSurface9 *resource_surface(struct scene *scene, struct resource *r, UINT face, UINT level)
{
    IDirect3DSurface9 *surface = NULL;
    HRESULT hr = D3DERR_INVALIDCALL;

    if (r->kind == RESOURCE_SURFACE)
        return r->u.surface;
    if (r->kind == RESOURCE_TEXTURE)
        hr = IDirect3DTexture9_GetSurfaceLevel(r->u.texture, level, &surface);
    else if (r->kind == RESOURCE_CUBE)
        hr = IDirect3DCubeTexture9_GetCubeMapSurface(r->u.cube, (D3DCUBEMAP_FACES)face, level,
                                                     &surface);
    if (FAILED(hr))
        scene_fail(scene, "'%s' has no such surface: %08x", r->name, (unsigned)hr);
    scene_own(scene, surface);
    return surface;
}

UINT parse_key_face(struct scene *scene, const char *key)
{
    const char *face = parse_key(scene, key);

    return face ? name_value(scene, NAMES_FACE, face) : 0;
}

bool parse_key_rect(struct scene *scene, const char *key, RECT *rect)
{
    const char *text = parse_key(scene, key);
    float v[4];

    if (!text)
        return false;
    if (parse_floats(scene, text, v, 4) != 4)
        scene_fail(scene, "%s=x0,y0,x1,y1", key);
    rect->left = parse_whole(scene, v[0]);
    rect->top = parse_whole(scene, v[1]);
    rect->right = parse_whole(scene, v[2]);
    rect->bottom = parse_whole(scene, v[3]);
    return true;
}

/* --- Creation --------------------------------------------------------------------------------- */

static struct resource *add(struct scene *scene, enum resource_kind kind)
{
    struct resource *r;
    const char *name = parse_word(scene, 1), *usage = parse_key(scene, "usage");
    const char *pool = parse_key(scene, "pool");

    if (scene->n_resources == MAX_RESOURCES)
        scene_fail(scene, "too many resources");
    r = &scene->resource[scene->n_resources++];
    memset(r, 0, sizeof(*r));
    snprintf(r->name, sizeof(r->name), "%s", name);
    r->kind = kind;
    parse_size(scene, parse_word(scene, 2), &r->width, &r->height, &r->depth);
    resource_use_memory(scene, r->width, r->height, kind == RESOURCE_CUBE ? 6 : r->depth,
                        parse_key_uint(scene, "samples", 1) & 31);
    r->format = name_format(scene, parse_word(scene, 3));
    r->usage = usage ? name_value(scene, NAMES_USAGE, usage) : 0;
    r->pool = r->usage ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED;
    if (pool)
        r->pool = (D3DPOOL)name_value(scene, NAMES_POOL, pool);
    r->levels = parse_key_uint(scene, "levels", 1);
    if (parse_flag(scene, "autogen"))
        r->usage |= D3DUSAGE_AUTOGENMIPMAP;
    return r;
}

static HRESULT create(struct scene *scene, struct resource *r, DWORD usage, D3DPOOL pool)
{
    IDirect3DDevice9 *device = scene->device;
    HRESULT hr;

    if (r->kind == RESOURCE_TEXTURE)
        hr = IDirect3DDevice9_CreateTexture(device, r->width, r->height, r->levels, usage,
                                            r->format, pool, &r->u.texture, NULL);
    else if (r->kind == RESOURCE_CUBE)
        hr = IDirect3DDevice9_CreateCubeTexture(device, r->width, r->levels, usage, r->format, pool,
                                                &r->u.cube, NULL);
    else
        hr = IDirect3DDevice9_CreateVolumeTexture(device, r->width, r->height, r->depth, r->levels,
                                                  usage, r->format, pool, &r->u.volume, NULL);
    if (SUCCEEDED(hr))
        scene_own(scene, r->u.unknown);
    return hr;
}

/* --- Contents --------------------------------------------------------------------------------- */

/* The image of a resource that receives the texels. */
struct place {
    UINT level, slice;
    D3DCUBEMAP_FACES face;
    bool one_slice;
};

static UINT at_level(UINT size, UINT level)
{
    return level < 32 && size >> level ? size >> level : 1;
}

static void write_volume(struct scene *scene, struct resource *r, const struct place *place,
                         char **at, DWORD flags)
{
    D3DLOCKED_BOX box;
    struct texel_area area;
    UINT depth = place->one_slice ? 1 : at_level(r->depth, place->level);

    if (place->slice >= at_level(r->depth, place->level))
        scene_fail(scene, "'%s' has no slice %u", r->name, place->slice);
    if (!scene_check(scene,
                     IDirect3DVolumeTexture9_LockBox(r->u.volume, place->level, &box, NULL, flags),
                     "LockBox")) {
        *at += strlen(*at);
        return;
    }
    area = (struct texel_area){
        .format = r->format,
        .w = at_level(r->width, place->level),
        .h = at_level(r->height, place->level),
        .d = depth,
        .pitch = (UINT)box.RowPitch,
        .slice_pitch = (UINT)box.SlicePitch,
        .bits = (uint8_t *)box.pBits + place->slice * (size_t)box.SlicePitch,
    };
    texel_write(scene, at, &area);
    scene_check(scene, IDirect3DVolumeTexture9_UnlockBox(r->u.volume, place->level), "UnlockBox");
}

static HRESULT lock(struct resource *r, const struct place *place, D3DLOCKED_RECT *locked,
                    const RECT *rect, DWORD flags)
{
    if (r->kind == RESOURCE_SURFACE)
        return IDirect3DSurface9_LockRect(r->u.surface, locked, rect, flags);
    if (r->kind == RESOURCE_CUBE)
        return IDirect3DCubeTexture9_LockRect(r->u.cube, place->face, place->level, locked, rect,
                                              flags);
    return IDirect3DTexture9_LockRect(r->u.texture, place->level, locked, rect, flags);
}

static HRESULT unlock(struct resource *r, const struct place *place)
{
    if (r->kind == RESOURCE_SURFACE)
        return IDirect3DSurface9_UnlockRect(r->u.surface);
    if (r->kind == RESOURCE_CUBE)
        return IDirect3DCubeTexture9_UnlockRect(r->u.cube, place->face, place->level);
    return IDirect3DTexture9_UnlockRect(r->u.texture, place->level);
}

static void write_image(struct scene *scene, struct resource *r, const struct place *place,
                        char **at, DWORD flags)
{
    D3DLOCKED_RECT locked;
    RECT rect;
    bool part = parse_key_rect(scene, "rect", &rect);
    UINT w = at_level(r->width, place->level), h = at_level(r->height, place->level);

    if (!scene_check(scene, lock(r, place, &locked, part ? &rect : NULL, flags), "LockRect")) {
        *at += strlen(*at); /* skip the texels */
        return;
    }
    if (part) {
        /* A managed texture can be locked with any rectangle. */
        if (rect.left < 0 || rect.top < 0 || rect.right <= rect.left || rect.bottom <= rect.top ||
            (UINT)rect.right > w || (UINT)rect.bottom > h)
            scene_fail(scene, "the rectangle is not in the image");
        w = (UINT)(rect.right - rect.left);
        h = (UINT)(rect.bottom - rect.top);
    }
    texel_write(scene, at,
                &(struct texel_area){.format = r->format,
                                     .w = w,
                                     .h = h,
                                     .d = 1,
                                     .pitch = (UINT)locked.Pitch,
                                     .bits = locked.pBits});
    scene_check(scene, unlock(r, place), "UnlockRect");
}

/* Parses `level N`, `face NAME` or `slice N` in the block, then the texels of that image. */
static void write_block(struct scene *scene, struct resource *r, DWORD flags)
{
    struct place place = {0};
    char *at = scene->line.block, *word, *back;

    while (back = at, (word = parse_block_word(scene, &at))) {
        bool level = !strcmp(word, "level"), face = !strcmp(word, "face");
        bool slice = !strcmp(word, "slice");
        const char *value = level || face || slice ? parse_block_word(scene, &at) : NULL;

        if ((level || face || slice) && !value)
            scene_fail(scene, "%s which?", word);
        if (level) {
            place.level = parse_uint(scene, value);
        } else if (face) {
            place.face = (D3DCUBEMAP_FACES)name_value(scene, NAMES_FACE, value);
            place.level = 0;
        } else if (slice) {
            place.slice = parse_uint(scene, value);
            place.one_slice = true;
        } else {
            word[strlen(word)] = *at ? ' ' : '\0'; /* restore the separator to read the word
                                                    * again */
            at = back;
            if (r->kind == RESOURCE_VOLUME)
                write_volume(scene, r, &place, &at, flags);
            else
                write_image(scene, r, &place, &at, flags);
        }
    }
}

/* Fills memory that cannot be locked through a copy in system memory. */
static void write_through_copy(struct scene *scene, struct resource *r)
{
    struct resource copy = *r;

    resource_use_memory(scene, r->width, r->height, r->depth, r->kind == RESOURCE_CUBE ? 6 : 1);
    if (FAILED(create(scene, &copy, 0, D3DPOOL_SYSTEMMEM)))
        scene_fail(scene, "no copy in system memory");
    write_block(scene, &copy, 0);
    scene_check(scene, IDirect3DDevice9_UpdateTexture(scene->device, copy.u.base, r->u.base),
                "UpdateTexture");
}

static void make_texture(struct scene *scene, enum resource_kind kind)
{
    struct resource *r = add(scene, kind);
    bool refused = scene->line.outcome != NULL;
    HRESULT hr = create(scene, r, r->usage, r->pool);

    if (!scene_check(scene, hr, "CreateTexture") || refused)
        return;
    if (scene->line.block && r->pool == D3DPOOL_DEFAULT && !(r->usage & D3DUSAGE_DYNAMIC))
        write_through_copy(scene, r);
    else if (scene->line.block)
        write_block(scene, r, 0);
    if (parse_is_number(r->name))
        scene_check(
            scene,
            IDirect3DDevice9_SetTexture(scene->device, parse_uint(scene, r->name), r->u.base),
            "SetTexture");
}

/* texture|cube|volume NAME SIZE FORMAT [levels=N] [pool=P] [usage=U] [autogen] [{ texels }]; a NAME
 * that is a number also binds the texture to that stage. */
void cmd_texture(struct scene *scene)
{
    make_texture(scene, RESOURCE_TEXTURE);
}

void cmd_cube(struct scene *scene)
{
    make_texture(scene, RESOURCE_CUBE);
}

void cmd_volume(struct scene *scene)
{
    make_texture(scene, RESOURCE_VOLUME);
}

static HRESULT create_surface(struct scene *scene, struct resource *r, const char *kind,
                              IDirect3DSurface9 **out)
{
    D3DMULTISAMPLE_TYPE samples = (D3DMULTISAMPLE_TYPE)parse_key_uint(scene, "samples", 0);

    if (!strcmp(kind, "target"))
        return IDirect3DDevice9_CreateRenderTarget(scene->device, r->width, r->height, r->format,
                                                   samples, 0, parse_flag(scene, "lockable"), out,
                                                   NULL);
    if (!strcmp(kind, "depth"))
        return IDirect3DDevice9_CreateDepthStencilSurface(scene->device, r->width, r->height,
                                                          r->format, samples, 0, FALSE, out, NULL);
    if (strcmp(kind, "plain"))
        scene_fail(scene, "a surface is target, depth or plain");
    return IDirect3DDevice9_CreateOffscreenPlainSurface(scene->device, r->width, r->height,
                                                        r->format, r->pool, out, NULL);
}

/* surface NAME SIZE FORMAT target|depth|plain [samples=N] [lockable] [pool=P] [{ texels }] */
void cmd_surface(struct scene *scene)
{
    struct resource *r = add(scene, RESOURCE_SURFACE);
    bool refused = scene->line.outcome != NULL;
    HRESULT hr;

    if (!parse_key(scene, "pool"))
        r->pool = D3DPOOL_DEFAULT;
    hr = create_surface(scene, r, parse_word(scene, 4), &r->u.surface);
    scene_own(scene, r->u.unknown);
    if (!scene_check(scene, hr, "CreateSurface") || refused)
        return;
    if (scene->line.block)
        write_block(scene, r, 0);
}

/* fill NAME [nodirty|readonly] [rect=…] { texels }: locks the resource again and writes. */
void cmd_fill(struct scene *scene)
{
    DWORD flags = 0;

    if (parse_flag(scene, "nodirty"))
        flags |= D3DLOCK_NO_DIRTY_UPDATE;
    if (parse_flag(scene, "readonly"))
        flags |= D3DLOCK_READONLY;
    write_block(scene, resource_find(scene, parse_word(scene, 1)), flags);
}

/* evict: evicts all managed resources. */
void cmd_evict(struct scene *scene)
{
    scene_check(scene, IDirect3DDevice9_EvictManagedResources(scene->device),
                "EvictManagedResources");
}

/* preload NAME */
void cmd_preload(struct scene *scene)
{
    IDirect3DBaseTexture9_PreLoad(resource_texture(scene, parse_word(scene, 1)));
}

/* --- Binding ---------------------------------------------------------------------------------- */

/* bind STAGE NAME|none; vertex samplers are vertex0 to vertex3. */
void cmd_bind(struct scene *scene)
{
    const char *stage = parse_word(scene, 1), *name = parse_word(scene, 2);
    DWORD number = strncmp(stage, "vertex", 6)
                       ? parse_uint(scene, stage)
                       : D3DVERTEXTEXTURESAMPLER0 + parse_uint(scene, stage + 6);
    IDirect3DBaseTexture9 *base = strcmp(name, "none") ? resource_texture(scene, name) : NULL;

    scene_check(scene, IDirect3DDevice9_SetTexture(scene->device, number, base), "SetTexture");
}

/* rendertarget N NAME|none [level=N] [face=F] */
void cmd_rendertarget(struct scene *scene)
{
    const char *name = parse_word(scene, 2);
    IDirect3DSurface9 *surface = NULL;

    if (strcmp(name, "none"))
        surface = resource_surface(scene, resource_find(scene, name), parse_key_face(scene, "face"),
                                   parse_key_uint(scene, "level", 0));
    scene_check(scene,
                IDirect3DDevice9_SetRenderTarget(scene->device,
                                                 parse_uint(scene, parse_word(scene, 1)), surface),
                "SetRenderTarget");
}

/* depth NAME|none [level=N] */
void cmd_depth(struct scene *scene)
{
    const char *name = parse_word(scene, 1);
    IDirect3DSurface9 *surface = NULL;

    if (strcmp(name, "none"))
        surface = resource_surface(scene, resource_find(scene, name), 0,
                                   parse_key_uint(scene, "level", 0));
    scene_check(scene, IDirect3DDevice9_SetDepthStencilSurface(scene->device, surface),
                "SetDepthStencilSurface");
}

static bool has_stencil(D3DFORMAT format)
{
    switch ((DWORD)format) {
    case D3DFMT_D24S8:
    case D3DFMT_D24FS8:
    case D3DFMT_D24X4S4:
    case D3DFMT_D15S1:
    case D3DFMT_S8_LOCKABLE:
        return true;
    default:
        return false;
    }
}

/* target WxH FORMAT [depth=FORMAT|none] [samples=N]: sets a new render target 0 and depth buffer,
 * cleared to 0, depth 1 and stencil 0. */
void cmd_target(struct scene *scene)
{
    const char *depth = parse_key(scene, "depth");
    D3DFORMAT format = name_format(scene, parse_word(scene, 2)), depth_format = D3DFMT_D24S8;
    D3DMULTISAMPLE_TYPE samples = (D3DMULTISAMPLE_TYPE)parse_key_uint(scene, "samples", 0);
    IDirect3DSurface9 *colour = NULL, *z = NULL;
    DWORD flags = D3DCLEAR_TARGET;
    UINT w, h, d;

    parse_size(scene, parse_word(scene, 1), &w, &h, &d);
    resource_use_memory(scene, w, h, 2, samples & 31);
    if (depth && strcmp(depth, "none"))
        depth_format = name_format(scene, depth);
    scene_check(scene,
                IDirect3DDevice9_CreateRenderTarget(scene->device, w, h, format, samples, 0, FALSE,
                                                    &colour, NULL),
                "CreateRenderTarget");
    scene_own(scene, colour);
    scene_check(scene, IDirect3DDevice9_SetRenderTarget(scene->device, 0, colour),
                "SetRenderTarget");
    if (!depth || strcmp(depth, "none")) {
        scene_check(scene,
                    IDirect3DDevice9_CreateDepthStencilSurface(scene->device, w, h, depth_format,
                                                               samples, 0, FALSE, &z, NULL),
                    "CreateDepthStencilSurface");
        scene_own(scene, z);
        flags |= D3DCLEAR_ZBUFFER;
        if (has_stencil(depth_format))
            flags |= D3DCLEAR_STENCIL;
    }
    scene_check(scene, IDirect3DDevice9_SetDepthStencilSurface(scene->device, z),
                "SetDepthStencilSurface");
    scene_check(scene, IDirect3DDevice9_Clear(scene->device, 0, NULL, flags, 0, 1.0f, 0), "Clear");
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* lod NAME N */
void cmd_lod(struct scene *scene)
{
    IDirect3DBaseTexture9_SetLOD(resource_texture(scene, parse_word(scene, 1)),
                                 parse_uint(scene, parse_word(scene, 2)));
}

/* read NAME [level=N] [face=F]: selects the surface that `expect` reads; target and backbuffer are
 * valid names. */
void cmd_read(struct scene *scene)
{
    static struct resource own;
    struct resource *r = resource_find(scene, parse_word(scene, 1));

    if (!r->name[0]) {
        own = *r;
        r = &own;
    }
    scene->reading = strcmp(scene->line.word[1], "target") ? r : NULL;
    scene->reading_level = parse_key_uint(scene, "level", 0);
    scene->reading_face = parse_key_face(scene, "face");
    scene->image_valid = false;
}
