/* Scene commands that copy between resources, mark dirty regions and generate mip levels.
 *
 * Tested by tests/conformance/copy. */
#include "tool/scene/command.h"
#include "tool/scene/layout.h"
#include "tool/scene/parse.h"
#include "tool/scene/resource.h"

#include <string.h>

/* stretchrect SRC DST [from=…] [to=…] [filter=F] [srclevel=N] [dstlevel=N] [srcface=F] [dstface=F];
 * target, depthbuffer and backbuffer are valid names. */
void cmd_stretchrect(struct scene *scene)
{
    struct resource *src = resource_find(scene, parse_word(scene, 1));
    struct resource *dst = resource_find(scene, parse_word(scene, 2));
    const char *filter = parse_key(scene, "filter");
    RECT from, to;
    bool part_from = parse_key_rect(scene, "from", &from),
         part_to = parse_key_rect(scene, "to", &to);

    scene_end(scene);
    scene_check(
        scene,
        IDirect3DDevice9_StretchRect(scene->device,
                                     resource_surface(scene, src, parse_key_face(scene, "srcface"),
                                                      parse_key_uint(scene, "srclevel", 0)),
                                     part_from ? &from : NULL,
                                     resource_surface(scene, dst, parse_key_face(scene, "dstface"),
                                                      parse_key_uint(scene, "dstlevel", 0)),
                                     part_to ? &to : NULL,
                                     !filter                          ? D3DTEXF_NONE
                                     : !strcmp(filter, "POINT")       ? D3DTEXF_POINT
                                     : !strcmp(filter, "LINEAR")      ? D3DTEXF_LINEAR
                                     : !strcmp(filter, "ANISOTROPIC") ? D3DTEXF_ANISOTROPIC
                                                                      : D3DTEXF_NONE),
        "StretchRect");
}

/* colorfill NAME ARGB [rect=…] [level=N] [face=F] */
void cmd_colorfill(struct scene *scene)
{
    struct resource *r = resource_find(scene, parse_word(scene, 1));
    RECT rect;
    bool part = parse_key_rect(scene, "rect", &rect);

    scene_check(scene,
                IDirect3DDevice9_ColorFill(scene->device,
                                           resource_surface(scene, r, parse_key_face(scene, "face"),
                                                            parse_key_uint(scene, "level", 0)),
                                           part ? &rect : NULL,
                                           parse_colour(scene, parse_word(scene, 2))),
                "ColorFill");
}

/* updatesurface SRC DST [from=…] [to=x,y] [srclevel=N] [dstlevel=N] [srcface=F] [dstface=F] */
void cmd_updatesurface(struct scene *scene)
{
    struct resource *src = resource_find(scene, parse_word(scene, 1));
    struct resource *dst = resource_find(scene, parse_word(scene, 2));
    const char *to = parse_key(scene, "to");
    RECT from;
    POINT point;
    float v[2] = {0};
    bool part = parse_key_rect(scene, "from", &from);

    if (to && parse_floats(scene, to, v, 2) != 2)
        scene_fail(scene, "to=x,y");
    point.x = parse_whole(scene, v[0]);
    point.y = parse_whole(scene, v[1]);
    scene_check(scene,
                IDirect3DDevice9_UpdateSurface(
                    scene->device,
                    resource_surface(scene, src, parse_key_face(scene, "srcface"),
                                     parse_key_uint(scene, "srclevel", 0)),
                    part ? &from : NULL,
                    resource_surface(scene, dst, parse_key_face(scene, "dstface"),
                                     parse_key_uint(scene, "dstlevel", 0)),
                    to ? &point : NULL),
                "UpdateSurface");
}

/* The interface of a device made by `device ex`. */
static IDirect3DDevice9Ex *ex_device(struct scene *scene)
{
    IDirect3DDevice9Ex *device;

    if (FAILED(IDirect3DDevice9_QueryInterface(scene->device, &IID_IDirect3DDevice9Ex,
                                               (void **)&device)))
        scene_fail(scene, "the first line must be 'device ex'");
    IDirect3DDevice9Ex_Release(device); /* the scene keeps the device */
    return device;
}

/* composerects SRC DST GLYPHS PLACES [count=N] [op=copy|or|and|neg] [x=N] [y=N] [srclevel=N]
 * [dstlevel=N]: the buffers hold 16-bit numbers. */
void cmd_composerects(struct scene *scene)
{
    static const char *const operations[] = {"copy", "or", "and", "neg"};
    struct resource *src = resource_find(scene, parse_word(scene, 1));
    struct resource *dst = resource_find(scene, parse_word(scene, 2));
    const struct named_buffer *glyphs = buffer_find(scene, parse_word(scene, 3)),
                              *places = buffer_find(scene, parse_word(scene, 4));
    const char *name = parse_key(scene, "op"), *x = parse_key(scene, "x"),
               *y = parse_key(scene, "y");
    int operation = 0;

    while (name && operation < 4 && strcmp(operations[operation], name))
        operation++;
    scene_check(
        scene,
        IDirect3DDevice9Ex_ComposeRects(
            ex_device(scene), resource_surface(scene, src, 0, parse_key_uint(scene, "srclevel", 0)),
            resource_surface(scene, dst, 0, parse_key_uint(scene, "dstlevel", 0)), glyphs->buffer,
            parse_key_uint(scene, "count", places->size / 8), places->buffer,
            (D3DCOMPOSERECTSOP)(operation + 1), x ? parse_whole(scene, parse_float(scene, x)) : 0,
            y ? parse_whole(scene, parse_float(scene, y)) : 0),
        "ComposeRects");
}

/* convolution WIDTH HEIGHT: SetConvolutionMonoKernel. */
void cmd_convolution(struct scene *scene)
{
    scene_check(scene,
                IDirect3DDevice9Ex_SetConvolutionMonoKernel(
                    ex_device(scene), parse_uint(scene, parse_word(scene, 1)),
                    parse_uint(scene, parse_word(scene, 2)), NULL, NULL),
                "SetConvolutionMonoKernel");
}

/* updatetexture SRC DST */
void cmd_updatetexture(struct scene *scene)
{
    IDirect3DBaseTexture9 *src = resource_texture(scene, parse_word(scene, 1));
    IDirect3DBaseTexture9 *dst = resource_texture(scene, parse_word(scene, 2));

    scene_check(scene, IDirect3DDevice9_UpdateTexture(scene->device, src, dst), "UpdateTexture");
}

/* generate NAME: generates the lower levels of an autogen texture. */
void cmd_generate(struct scene *scene)
{
    IDirect3DBaseTexture9_GenerateMipSubLevels(resource_texture(scene, parse_word(scene, 1)));
}

/* autofilter NAME FILTER: SetAutoGenFilterType. */
void cmd_autofilter(struct scene *scene)
{
    IDirect3DBaseTexture9 *texture = resource_texture(scene, parse_word(scene, 1));
    uint32_t filter = name_value(scene, NAMES_FILTER, parse_word(scene, 2));

    scene_check(scene, IDirect3DBaseTexture9_SetAutoGenFilterType(texture, filter),
                "SetAutoGenFilterType");
}

/* targetdata SRC DST [srclevel=N] [dstlevel=N] [srcface=F] [dstface=F]: GetRenderTargetData. */
void cmd_targetdata(struct scene *scene)
{
    struct resource *src = resource_find(scene, parse_word(scene, 1));
    struct resource *dst = resource_find(scene, parse_word(scene, 2));

    scene_end(scene);
    scene_check(scene,
                IDirect3DDevice9_GetRenderTargetData(
                    scene->device,
                    resource_surface(scene, src, parse_key_face(scene, "srcface"),
                                     parse_key_uint(scene, "srclevel", 0)),
                    resource_surface(scene, dst, parse_key_face(scene, "dstface"),
                                     parse_key_uint(scene, "dstlevel", 0))),
                "GetRenderTargetData");
}

/* frontdata DST: GetFrontBufferData. */
void cmd_frontdata(struct scene *scene)
{
    struct resource *dst = resource_find(scene, parse_word(scene, 1));

    scene_end(scene);
    scene_check(
        scene,
        IDirect3DDevice9_GetFrontBufferData(scene->device, 0, resource_surface(scene, dst, 0, 0)),
        "GetFrontBufferData");
}

/* --- Dirty regions ---------------------------------------------------------------------------- */

static HRESULT dirty_volume(struct scene *scene, struct resource *r)
{
    const char *text = parse_key(scene, "box");
    float v[6];
    D3DBOX box;

    if (text && parse_floats(scene, text, v, 6) != 6)
        scene_fail(scene, "box=x0,y0,z0,x1,y1,z1");
    if (!text)
        return IDirect3DVolumeTexture9_AddDirtyBox(r->u.volume, NULL);
    box = (D3DBOX){(UINT)parse_whole(scene, v[0]), (UINT)parse_whole(scene, v[1]),
                   (UINT)parse_whole(scene, v[3]), (UINT)parse_whole(scene, v[4]),
                   (UINT)parse_whole(scene, v[2]), (UINT)parse_whole(scene, v[5])};
    return IDirect3DVolumeTexture9_AddDirtyBox(r->u.volume, &box);
}

/* dirty NAME [rect=…] [face=F] [box=x0,y0,z0,x1,y1,z1] */
void cmd_dirty(struct scene *scene)
{
    struct resource *r = resource_find(scene, parse_word(scene, 1));
    RECT rect;
    const RECT *part = parse_key_rect(scene, "rect", &rect) ? &rect : NULL;
    HRESULT hr = D3DERR_INVALIDCALL;

    if (r->kind == RESOURCE_VOLUME)
        hr = dirty_volume(scene, r);
    else if (r->kind == RESOURCE_CUBE)
        hr = IDirect3DCubeTexture9_AddDirtyRect(
            r->u.cube, (D3DCUBEMAP_FACES)parse_key_face(scene, "face"), part);
    else if (r->kind == RESOURCE_TEXTURE)
        hr = IDirect3DTexture9_AddDirtyRect(r->u.texture, part);
    else
        scene_fail(scene, "dirty needs a texture");
    scene_check(scene, hr, "AddDirtyRect");
}
