/* Higher-order primitives of the pipeline fuzz: N-patches, rectangle and triangle patches of all
 * bases, degrees and edge styles, adaptive tessellation and displacement maps. The lots are apart
 * from those of case.c: the other draws of a seed stay. */
#include "pipeline.h"

#include <stdio.h>
#include <string.h>

/* Triangles of a draw. The plain way takes long for more. */
enum { MOST_TRIANGLES = 20000, MAP_EDGE = 8 };

/* --- Lots ------------------------------------------------------------------------------------- */

static uint32_t seed_of_draw, lots;

static uint32_t below(uint32_t n)
{
    return (uint32_t)((uint64_t)ex_hash(seed_of_draw, lots++) * n >> 32);
}

static bool chance(uint32_t percent)
{
    return below(100) < percent;
}

static float between(float least, float most)
{
    return least + (most - least) * (float)below(1 << 20) / (float)(1 << 20);
}

static float lot_segments(float most)
{
    return chance(15) ? between(-1.0f, 1.0f) : between(1.0f, most);
}

static void lot_rectangle(struct pipeline_tessellation *t)
{
    static const D3DDEGREETYPE degrees[] = {D3DDEGREE_LINEAR, D3DDEGREE_CUBIC, D3DDEGREE_QUINTIC};
    static const D3DBASISTYPE bases[] = {D3DBASIS_BEZIER, D3DBASIS_BSPLINE, D3DBASIS_INTERPOLATE};
    D3DRECTPATCH_INFO *r = &t->rectangle;

    r->Basis = bases[below(3)];
    r->Degree = r->Basis == D3DBASIS_INTERPOLATE ? D3DDEGREE_CUBIC : degrees[below(3)];
    r->Width = (UINT)r->Degree + 1 + below(4);
    r->Height = (UINT)r->Degree + 1 + below(4);
    r->Stride = r->Width + (chance(30) ? below(3) : 0);
    r->StartVertexOffsetWidth = below(3) * chance(30);
}

static void lot_triangle(struct pipeline_tessellation *t)
{
    static const D3DTRIPATCH_INFO shapes[] = {{0, 3, D3DBASIS_BEZIER, D3DDEGREE_LINEAR},
                                              {0, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC},
                                              {0, 21, D3DBASIS_BEZIER, D3DDEGREE_QUINTIC}};

    t->triangle = shapes[below(3)];
    t->triangle.StartVertexOffset = below(4);
}

static void lot_adaptive(struct pipeline_tessellation *t)
{
    t->minimum = between(0.5f, 3.0f);
    t->maximum = t->minimum + between(0.0f, 4.0f);
    t->plane[0] = between(-0.5f, 0.5f);
    t->plane[1] = between(-0.5f, 0.5f);
    t->plane[2] = between(0.0f, 1.0f);
    t->plane[3] = between(0.0f, 3.0f);
}

void tessellation_choose(struct pipeline_draw *d)
{
    static const enum pipeline_method methods[] = {METHOD_NONE, METHOD_NONE, METHOD_LOOKUP,
                                                   METHOD_PRESAMPLED, METHOD_UV};
    struct pipeline_tessellation *t = &d->tessellation;
    uint32_t kind;

    lots = 0;
    seed_of_draw = ex_hash(d->state.seed, 0x54657373); /* "Tess" */
    kind = below(10);
    t->kind = kind < 2 ? TESSELLATE_NPATCHES : kind == 2 ? TESSELLATE_PATCH : TESSELLATE_NOTHING;
    t->edge_style = chance(50) ? D3DPATCHEDGE_DISCRETE : D3DPATCHEDGE_CONTINUOUS;
    t->position_degree = chance(75) ? D3DDEGREE_CUBIC : D3DDEGREE_LINEAR;
    t->normal_degree = chance(50) ? D3DDEGREE_LINEAR : D3DDEGREE_QUADRATIC;
    t->npatch = lot_segments(6.0f);
    t->adaptive = chance(30);
    lot_adaptive(t);
    t->is_triangle = chance(35);
    lot_rectangle(t);
    lot_triangle(t);
    for (unsigned i = 0; i < 4; i++)
        t->segments[i] = lot_segments(12.0f);
    t->handle = below(3);
    t->method = methods[below(5)];
    t->map_offset = below(4) * chance(30);
    t->map_filter = chance(50) ? D3DTEXF_LINEAR : D3DTEXF_POINT;
}

/* --- States ----------------------------------------------------------------------------------- */

/* N-patches of large meshes get few segments. */
static float segments_that_fit(float segments, UINT triangles)
{
    while (segments > 1.5f && (float)triangles * segments * segments > (float)MOST_TRIANGLES)
        segments *= 0.75f;
    return segments;
}

/* Texels of any bits in a map for D3DDMAPSAMPLER. */
static void bind_map(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    IDirect3DDevice9 *device = scene->bench->app.device;
    IDirect3DTexture9 *map = NULL;
    D3DLOCKED_RECT lock;

    ex_check(IDirect3DDevice9_CreateTexture(device, MAP_EDGE, MAP_EDGE, 1, D3DUSAGE_DMAP,
                                            D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &map, NULL),
             "CreateTexture");
    bench_own(scene->bench, map);
    ex_check(IDirect3DTexture9_LockRect(map, 0, &lock, NULL, 0), "LockRect");
    for (uint32_t y = 0; y < MAP_EDGE; y++)
        for (uint32_t x = 0; x < MAP_EDGE; x++) {
            uint32_t texel = ex_hash(d->state.seed, y * MAP_EDGE + x);

            memcpy((char *)lock.pBits + y * (size_t)lock.Pitch + x * sizeof(texel), &texel,
                   sizeof(texel));
        }
    IDirect3DTexture9_UnlockRect(map, 0);
    IDirect3DDevice9_SetTexture(device, D3DDMAPSAMPLER, (IDirect3DBaseTexture9 *)map);
    IDirect3DDevice9_SetSamplerState(device, D3DDMAPSAMPLER, D3DSAMP_MAGFILTER,
                                     d->tessellation.map_filter);
    IDirect3DDevice9_SetSamplerState(device, D3DDMAPSAMPLER, D3DSAMP_DMAPOFFSET,
                                     d->tessellation.map_offset);
}

/* Lets the tessellator make texture coordinates 0: the texel that they name, that of the vertex's
 * number, or the parameters of a patch. */
static void bind_declaration(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    IDirect3DDevice9 *device = scene->bench->app.device;
    enum pipeline_method method = d->tessellation.method;
    IDirect3DVertexDeclaration9 *decl = NULL;
    D3DVERTEXELEMENT9 element[MAXD3DDECLLENGTH + 1], *e = element;
    UINT n = 0;

    if (method == METHOD_NONE || FAILED(IDirect3DDevice9_GetVertexDeclaration(device, &decl)))
        return;
    IDirect3DVertexDeclaration9_GetDeclaration(decl, element, &n);
    IDirect3DVertexDeclaration9_Release(decl);
    while (e->Stream != 0xff && (e->Usage != D3DDECLUSAGE_TEXCOORD || e->UsageIndex))
        e++;
    if (e->Stream == 0xff)
        return;
    if (method == METHOD_LOOKUP) {
        e->Method = D3DDECLMETHOD_LOOKUP;
    } else { /* elements without data stand at the end */
        memmove(e, e + 1, (size_t)(element + n - 2 - e) * sizeof(*e));
        element[n - 2] = (D3DVERTEXELEMENT9){0,
                                             0,
                                             D3DDECLTYPE_UNUSED,
                                             method == METHOD_UV ? D3DDECLMETHOD_UV
                                                                 : D3DDECLMETHOD_LOOKUPPRESAMPLED,
                                             D3DDECLUSAGE_TEXCOORD,
                                             0};
    }
    decl = NULL;
    if (FAILED(IDirect3DDevice9_CreateVertexDeclaration(device, element, &decl)))
        return;
    bench_own(scene->bench, decl);
    IDirect3DDevice9_SetVertexDeclaration(device, decl);
}

void tessellation_set(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    static const D3DRENDERSTATETYPE planes[] = {D3DRS_ADAPTIVETESS_X, D3DRS_ADAPTIVETESS_Y,
                                                D3DRS_ADAPTIVETESS_Z, D3DRS_ADAPTIVETESS_W};
    const struct pipeline_tessellation *t = &d->tessellation;
    IDirect3DDevice9 *device = scene->bench->app.device;
    UINT triangles = scene->n_indices / 3;
    bool adaptive = t->kind != TESSELLATE_NOTHING && t->adaptive;

    IDirect3DDevice9_SetRenderState(device, D3DRS_ENABLEADAPTIVETESSELLATION, adaptive);
    IDirect3DDevice9_SetNPatchMode(
        device, t->kind == TESSELLATE_NPATCHES ? segments_that_fit(t->npatch, triangles) : 0.0f);
    if (t->kind == TESSELLATE_NOTHING)
        return;
    IDirect3DDevice9_SetRenderState(device, D3DRS_PATCHEDGESTYLE, t->edge_style);
    IDirect3DDevice9_SetRenderState(device, D3DRS_POSITIONDEGREE, t->position_degree);
    IDirect3DDevice9_SetRenderState(device, D3DRS_NORMALDEGREE, t->normal_degree);
    IDirect3DDevice9_SetRenderState(device, D3DRS_MINTESSELLATIONLEVEL,
                                    bench_float(segments_that_fit(t->minimum, triangles)));
    IDirect3DDevice9_SetRenderState(device, D3DRS_MAXTESSELLATIONLEVEL,
                                    bench_float(segments_that_fit(t->maximum, triangles)));
    for (unsigned i = 0; adaptive && i < 4; i++)
        if (i != 1 || !d->transparency) /* which has this state */
            IDirect3DDevice9_SetRenderState(device, planes[i], bench_float(t->plane[i]));
    if (t->method == METHOD_LOOKUP || t->method == METHOD_PRESAMPLED)
        bind_map(scene, d);
    bind_declaration(scene, d);
}

/* --- Patches ---------------------------------------------------------------------------------- */

bool tessellation_draw(struct lottery_scene *scene, const struct pipeline_draw *d)
{
    const struct pipeline_tessellation *t = &d->tessellation;
    const D3DRECTPATCH_INFO *r = &t->rectangle;
    IDirect3DDevice9 *device = scene->bench->app.device;
    UINT points = t->is_triangle ? t->triangle.StartVertexOffset + t->triangle.NumVertices
                                 : r->StartVertexOffsetWidth + r->Height * r->Stride;
    HRESULT hr;

    if (t->kind != TESSELLATE_PATCH || points > scene->n_vertices)
        return false;
    for (unsigned i = 0; i < d->calls; i++) /* a patch with a handle is kept for the next call */
        if (t->is_triangle)
            hr = IDirect3DDevice9_DrawTriPatch(device, t->handle, t->segments,
                                               i && t->handle ? NULL : &t->triangle);
        else
            hr = IDirect3DDevice9_DrawRectPatch(device, t->handle, t->segments,
                                                i && t->handle ? NULL : r);
    return SUCCEEDED(hr);
}

/* --- Description ------------------------------------------------------------------------------ */

void tessellation_describe(const struct pipeline_draw *d)
{
    static const char *const methods[] = {"", ", LOOKUP", ", LOOKUPPRESAMPLED", ", UV"};
    const struct pipeline_tessellation *t = &d->tessellation;

    if (t->kind == TESSELLATE_NOTHING)
        return;
    if (t->kind == TESSELLATE_NPATCHES)
        printf("\n  N-patches of %g segments, degrees %u %u", (double)t->npatch,
               (unsigned)t->position_degree, (unsigned)t->normal_degree);
    else if (t->is_triangle)
        printf("\n  triangle patch of %u points", (unsigned)t->triangle.NumVertices);
    else
        printf("\n  rectangle patch of %ux%u points, basis %u, degree %u",
               (unsigned)t->rectangle.Width, (unsigned)t->rectangle.Height,
               (unsigned)t->rectangle.Basis, (unsigned)t->rectangle.Degree);
    if (t->kind == TESSELLATE_PATCH)
        printf(", segments %g %g %g %g, handle %u", (double)t->segments[0], (double)t->segments[1],
               (double)t->segments[2], (double)t->segments[3], (unsigned)t->handle);
    printf(", edges %u%s", (unsigned)t->edge_style, methods[t->method]);
    if (t->adaptive)
        printf(", adaptive from %g to %g by %g %g %g %g", (double)t->minimum, (double)t->maximum,
               (double)t->plane[0], (double)t->plane[1], (double)t->plane[2], (double)t->plane[3]);
}
