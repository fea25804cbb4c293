/* Patches of a compiled stream as calls of a Direct3D 9 device.
 *
 * The control points of a cached patch are part of its packet. A vertex buffer of the call's own
 * and a declaration of their layout stand for the handle.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/unit/tool/capture/test_patches.c. */
#include "trace/calls/calls.h"

#include "draw/draw.h"

#include <string.h>

static HRESULT draw_bound(struct calls_stream *s, const struct cmd_draw_patch *p)
{
    const D3DRECTPATCH_INFO rectangle = {p->start,
                                         0,
                                         p->width,
                                         p->height,
                                         p->stride,
                                         (D3DBASISTYPE)p->basis,
                                         (D3DDEGREETYPE)p->degree};
    const D3DTRIPATCH_INFO triangle = {p->start, p->width, (D3DBASISTYPE)p->basis,
                                       (D3DDEGREETYPE)p->degree};

    return p->triangle ? IDirect3DDevice9_DrawTriPatch(s->device, 0, p->segments, &triangle)
                       : IDirect3DDevice9_DrawRectPatch(s->device, 0, p->segments, &rectangle);
}

/* Puts the elements with data one after another into stream 0, DRAW_PATCH_ELEMENT bytes each.
 * Returns their number. */
static uint32_t packed_elements(IDirect3DVertexDeclaration9 *from,
                                D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1])
{
    UINT n = 0, at = 0;

    if (FAILED(IDirect3DVertexDeclaration9_GetDeclaration(from, NULL, &n)) ||
        n > MAXD3DDECLLENGTH + 1 ||
        FAILED(IDirect3DVertexDeclaration9_GetDeclaration(from, element, &n)))
        return 0;
    for (UINT i = 0; i + 1 < n; i++)
        if (element[i].Type != D3DDECLTYPE_UNUSED) {
            element[i].Stream = 0;
            element[i].Offset = (WORD)(at++ * DRAW_PATCH_ELEMENT);
        }
    return at;
}

static HRESULT create_points(struct calls_stream *s, const void *data, UINT bytes,
                             IDirect3DVertexBuffer9 **out)
{
    void *to;
    HRESULT hr = IDirect3DDevice9_CreateVertexBuffer(s->device, bytes, D3DUSAGE_RTPATCHES, 0,
                                                     D3DPOOL_DEFAULT, out, NULL);

    if (FAILED(hr))
        return hr;
    hr = IDirect3DVertexBuffer9_Lock(*out, 0, 0, &to, 0);
    if (FAILED(hr))
        return hr;
    memcpy(to, data, bytes);
    return IDirect3DVertexBuffer9_Unlock(*out);
}

/* Draws with another stream 0 and declaration, which the stream's state then replaces again. */
static HRESULT draw_with(struct calls_stream *s, const struct cmd_draw_patch *p,
                         IDirect3DVertexBuffer9 *points, IDirect3DVertexDeclaration9 *packed,
                         UINT stride)
{
    struct cmd_draw_patch own = *p;
    IDirect3DVertexDeclaration9 *declaration = NULL;
    IDirect3DVertexBuffer9 *buffer = NULL;
    UINT offset = 0, old_stride = 0, frequency = 1;
    HRESULT hr;

    IDirect3DDevice9_GetStreamSource(s->device, 0, &buffer, &offset, &old_stride);
    IDirect3DDevice9_GetStreamSourceFreq(s->device, 0, &frequency);
    IDirect3DDevice9_GetVertexDeclaration(s->device, &declaration);
    IDirect3DDevice9_SetStreamSource(s->device, 0, points, 0, stride);
    IDirect3DDevice9_SetStreamSourceFreq(s->device, 0, 1);
    IDirect3DDevice9_SetVertexDeclaration(s->device, packed);
    own.start = 0;
    own.stride = p->width;
    hr = draw_bound(s, &own);
    IDirect3DDevice9_SetStreamSource(s->device, 0, buffer, offset, old_stride);
    IDirect3DDevice9_SetStreamSourceFreq(s->device, 0, frequency);
    if (declaration) {
        IDirect3DDevice9_SetVertexDeclaration(s->device, declaration);
        IDirect3DVertexDeclaration9_Release(declaration);
    }
    if (buffer)
        IDirect3DVertexBuffer9_Release(buffer);
    return hr;
}

enum status calls_draw_patch(struct calls_stream *s, const struct cmd_draw_patch *p,
                             const void *data, size_t bytes, HRESULT *hr)
{
    const struct calls_resource *r = calls_find(s, p->declaration, CMD_DECLARATION);
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1];
    IDirect3DVertexDeclaration9 *packed = NULL;
    IDirect3DVertexBuffer9 *points = NULL;
    uint64_t size;
    uint32_t n;

    if (!p->declaration) {
        *hr = draw_bound(s, p);
        return ST_OK;
    }
    if (!r || !r->declaration)
        return ST_INVALID;
    n = packed_elements(r->declaration, element);
    size = (uint64_t)p->width * p->height;
    if (!n || size > DRAW_PATCH_POINTS || size * n * DRAW_PATCH_ELEMENT > bytes)
        return ST_INVALID;
    *hr = create_points(s, data, (UINT)(size * n * DRAW_PATCH_ELEMENT), &points);
    if (SUCCEEDED(*hr))
        *hr = IDirect3DDevice9_CreateVertexDeclaration(s->device, element, &packed);
    if (SUCCEEDED(*hr))
        *hr = draw_with(s, p, points, packed, n * DRAW_PATCH_ELEMENT);
    if (packed)
        IDirect3DVertexDeclaration9_Release(packed);
    if (points)
        IDirect3DVertexBuffer9_Release(points);
    return ST_OK;
}
