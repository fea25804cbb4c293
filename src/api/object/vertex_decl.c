/* IDirect3DVertexDeclaration9: creation from elements and from FVF codes. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/com/refused.h"
#include "api/object/object.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "ff/ff.h"
#include "util/alloc.h"

#include <string.h>

OBJECT_METHODS(IDirect3DVertexDeclaration9, decl)

static HRESULT WINAPI decl_GetDeclaration(IDirect3DVertexDeclaration9 *iface,
                                          D3DVERTEXELEMENT9 *elements, UINT *count)
{
    const struct vertex_decl *decl = decl_of(iface);

    if (!count)
        return D3DERR_INVALIDCALL;
    *count = decl->n;
    if (elements)
        memcpy(elements, decl->element, decl->n * sizeof(*elements));
    return D3D_OK;
}

/* clang-format off */
static const IDirect3DVertexDeclaration9Vtbl decl_vtbl = {
    OBJECT_VTBL(decl),
    .GetDeclaration = decl_GetDeclaration,
};
/* clang-format on */

static void decl_destroy(struct object *obj)
{
    cmd_destroy(obj->device->stream, ((struct vertex_decl *)obj)->handle);
    mem_free(obj);
}

static const IID *const decl_iids[] = {&IID_IUnknown, &IID_IDirect3DVertexDeclaration9, NULL};
static const struct object_class decl_class = {&decl_vtbl, RECORD_DECLARATION, decl_iids,
                                               decl_destroy};

static bool same_semantic(const D3DVERTEXELEMENT9 *a, const D3DVERTEXELEMENT9 *b)
{
    return a->Usage == b->Usage && a->UsageIndex == b->UsageIndex;
}

/* Elements without data are those that a tessellator generates. */
static bool is_valid_type(const D3DVERTEXELEMENT9 *e)
{
    if (e->Type < D3DDECLTYPE_UNUSED)
        return e->Method <= D3DDECLMETHOD_LOOKUPPRESAMPLED;
    return e->Type == D3DDECLTYPE_UNUSED && !e->Stream && !e->Offset &&
           (e->Method == D3DDECLMETHOD_UV || e->Method == D3DDECLMETHOD_LOOKUPPRESAMPLED);
}

/* (reference: vertices/declaration-refused) */
static bool is_valid_element(const D3DVERTEXELEMENT9 *e)
{
    return e->Offset % 4 == 0 && is_valid_type(e) && e->Stream < STREAMS &&
           e->Usage <= D3DDECLUSAGE_SAMPLE && e->UsageIndex < 16;
}

/* Number of elements, end marker included; 0: invalid declaration. */
static unsigned validated_length(const D3DVERTEXELEMENT9 *elements)
{
    for (unsigned n = 0; n <= MAXD3DDECLLENGTH; n++) {
        if (elements[n].Stream == 0xff)
            return n + 1;
        if (!is_valid_element(&elements[n]))
            return 0;
        for (unsigned i = 0; i < n; i++)
            if (same_semantic(&elements[i], &elements[n]))
                return 0;
    }
    return 0;
}

/* implicit: no reference, one private reference. fvf: the code it was created from, or 0. */
static HRESULT create_decl(struct vertex_decl **out, struct device *device,
                           const D3DVERTEXELEMENT9 *elements, DWORD fvf, bool implicit)
{
    unsigned n = validated_length(elements);
    struct vertex_decl *decl;
    enum status st;

    *out = NULL;
    if (!n)
        return E_FAIL;
    decl = mem_calloc(1, sizeof(*decl));
    if (!decl)
        return E_OUTOFMEMORY;
    st = cmd_create_declaration(device->stream, elements, n, &decl->handle);
    if (st != ST_OK) {
        mem_free(decl);
        return api_hresult(st);
    }
    decl->n = n;
    decl->of_fvf = implicit;
    memcpy(decl->element, elements, n * sizeof(*elements));
    decl->fvf = fvf ? fvf : ff_elements_to_fvf(elements); /* reference: fvf/from-declaration */
    api_object_init(&decl->base, &decl_class, device, implicit ? 0 : 1);
    *out = decl;
    return D3D_OK;
}

/* A vertex declaration that SetFVF created from an FVF code. */
struct fvf_decl {
    DWORD fvf;
    struct vertex_decl *decl; /* held by a private reference */
};

HRESULT api_decl_for_fvf(struct vertex_decl **out, struct device *d, DWORD fvf)
{
    D3DVERTEXELEMENT9 elements[MAXD3DDECLLENGTH + 1];
    unsigned at = 0, n = d->n_fvf_decls;
    struct fvf_decl *grown;
    HRESULT hr;

    *out = NULL;
    while (at < n && d->fvf_decls[at].fvf < fvf)
        at++;
    if (at < n && d->fvf_decls[at].fvf == fvf) {
        *out = d->fvf_decls[at].decl;
        return D3D_OK;
    }
    if (!ff_fvf_to_elements(fvf, elements))
        return D3DERR_INVALIDCALL;
    grown = mem_realloc(d->fvf_decls, (n + 1) * sizeof(*grown));
    if (!grown)
        return E_OUTOFMEMORY;
    d->fvf_decls = grown;
    hr = create_decl(out, d, elements, fvf, true);
    if (FAILED(hr))
        return hr;
    memmove(grown + at + 1, grown + at, (n - at) * sizeof(*grown));
    grown[at] = (struct fvf_decl){fvf, *out};
    d->n_fvf_decls++;
    return D3D_OK;
}

void api_drop_fvf_decls(struct device *d)
{
    for (unsigned i = 0; i < d->n_fvf_decls; i++)
        api_object_release_private((struct object *)d->fvf_decls[i].decl);
    mem_free(d->fvf_decls);
}

HRESULT WINAPI device_CreateVertexDeclaration(IDirect3DDevice9Ex *iface,
                                              const D3DVERTEXELEMENT9 *elements,
                                              IDirect3DVertexDeclaration9 **out)
{
    ENTER(d, iface);
    HRESULT hr = D3DERR_INVALIDCALL;

    if (elements && out)
        hr = create_decl((struct vertex_decl **)out, d, elements, 0, false);
    return api_refused(hr, "CreateVertexDeclaration", D3DFMT_UNKNOWN,
                       "an element that does not exist, or elements that contradict each other");
}
