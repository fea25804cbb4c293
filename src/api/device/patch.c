/* DrawRectPatch, DrawTriPatch, DeletePatch, and the patches that handles name.
 *
 * A patch with a handle keeps its declaration and a copy of its control points, which travel with
 * each draw. A patch without a handle is read from the streams like the vertices of other draws
 * (reference: tessellation/handles). */
#include "api/device/patch.h"

#include "api/com/device_methods.h"
#include "api/device/buffer_reads.h"
#include "api/device/draw.h"
#include "api/object/object.h"
#include "api/state/state.h"
#include "api/swapchain/swapchain.h"
#include "cmd/cmd.h"
#include "draw/draw.h"
#include "util/alloc.h"
#include "util/log.h"

#include <string.h>

struct patch {
    UINT handle;
    struct cmd_draw_patch packet;
    struct vertex_decl *decl; /* held by a private reference */
    uint8_t *points;
    size_t bytes;
};

/* --- The cache -------------------------------------------------------------------------------- */

/* Number of patches with lower handles. */
static unsigned place_of(const struct device *d, UINT handle)
{
    unsigned low = 0, high = d->n_patches;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (d->patches[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct patch *find_patch(const struct device *d, UINT handle)
{
    unsigned at = place_of(d, handle);

    return at < d->n_patches && d->patches[at].handle == handle ? &d->patches[at] : NULL;
}

static void free_patch(struct patch *patch)
{
    api_object_release_private((struct object *)patch->decl);
    mem_free(patch->points);
}

/* Takes over `patch`, also if there is no memory for it. Replaces a patch of the same handle. */
static HRESULT cache_patch(struct device *d, const struct patch *patch)
{
    unsigned at = place_of(d, patch->handle);
    struct patch *grown, *old = find_patch(d, patch->handle);

    if (old) {
        free_patch(old);
        *old = *patch;
        return D3D_OK;
    }
    grown = mem_realloc(d->patches, (d->n_patches + 1) * sizeof(*grown));
    if (!grown) {
        free_patch((struct patch *)(uintptr_t)patch);
        return E_OUTOFMEMORY;
    }
    d->patches = grown;
    memmove(grown + at + 1, grown + at, (d->n_patches - at) * sizeof(*grown));
    grown[at] = *patch;
    d->n_patches++;
    return D3D_OK;
}

void api_drop_patches(struct device *d)
{
    for (unsigned i = 0; i < d->n_patches; i++)
        free_patch(&d->patches[i]);
    mem_free(d->patches);
    d->patches = NULL;
    d->n_patches = 0;
}

HRESULT WINAPI device_DeletePatch(IDirect3DDevice9Ex *iface, UINT handle)
{
    ENTER(d, iface);
    struct patch *patch = find_patch(d, handle);

    if (!patch)
        return D3DERR_INVALIDCALL;
    free_patch(patch);
    d->n_patches--;
    memmove(patch, patch + 1, (size_t)(d->patches + d->n_patches - patch) * sizeof(*patch));
    return D3D_OK;
}

/* --- Control points --------------------------------------------------------------------------- */

static unsigned elements_with_data(const struct vertex_decl *decl)
{
    unsigned n = 0;

    for (unsigned i = 0; i + 1 < decl->n; i++)
        n += decl->element[i].Type != D3DDECLTYPE_UNUSED;
    return n;
}

/* Copies what is in the stream of up to DRAW_PATCH_ELEMENT bytes of an element; the rest stays 0,
 * as reads past the end of a stream are (reference: numbers/reads-that-miss). */
static void copy_element(struct device *d, const D3DVERTEXELEMENT9 *e, uint64_t vertex, uint8_t *to)
{
    const struct stream_source *source = &d->state->stream[e->Stream];
    bool instanced = d->state->frequency[e->Stream] & D3DSTREAMSOURCE_INSTANCEDATA;
    uint64_t at = (instanced ? 0 : vertex * source->stride) + source->offset + e->Offset;
    const uint8_t *from = NULL;
    size_t size = 0, n;

    if (source->buffer)
        from = cmd_buffer_contents(d->stream, source->buffer->handle, &size);
    if (!from || at >= size)
        return;
    n = size - (size_t)at;
    memcpy(to, from + at, n < DRAW_PATCH_ELEMENT ? n : DRAW_PATCH_ELEMENT);
}

/* Copies the control points that the streams hold, as struct draw_patch has them. */
static HRESULT capture_points(struct device *d, struct patch *patch)
{
    const struct cmd_draw_patch *p = &patch->packet;
    const struct vertex_decl *decl = d->state->decl;
    unsigned n = elements_with_data(decl);
    uint8_t *to;

    patch->bytes = (size_t)p->width * p->height * n * DRAW_PATCH_ELEMENT;
    patch->points = to = mem_calloc(patch->bytes + 1, 1);
    if (!to)
        return E_OUTOFMEMORY;
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            for (unsigned i = 0; i + 1 < decl->n; i++)
                if (decl->element[i].Type != D3DDECLTYPE_UNUSED) {
                    copy_element(d, &decl->element[i], p->start + (uint64_t)y * p->stride + x, to);
                    to += DRAW_PATCH_ELEMENT;
                }
    api_object_assign((struct object **)&patch->decl, (struct object *)&d->state->decl->base);
    patch->packet.declaration = decl->handle;
    return D3D_OK;
}

/* --- Draws ------------------------------------------------------------------------------------ */

static HRESULT draw_streams(struct device *d, const struct cmd_draw_patch *p)
{
    const struct buffer_reads reads = {.n = (p->height - 1) * p->stride + p->width,
                                       .base = p->start};
    HRESULT hr = api_before_buffer_reads(d, &reads);

    return FAILED(hr) ? hr : api_hresult(cmd_emit_draw_patch(d->stream, p, NULL, 0));
}

static HRESULT draw_cached(struct device *d, const struct patch *patch)
{
    return api_hresult(cmd_emit_draw_patch(d->stream, &patch->packet, patch->points, patch->bytes));
}

/* Whether the device offers the patch (reference: tessellation/patch-caps). */
static bool is_offered(const struct device *d, const struct cmd_draw_patch *p)
{
    DWORD needed = D3DDEVCAPS_RTPATCHES;

    if (p && p->degree == D3DDEGREE_QUINTIC)
        needed |= D3DDEVCAPS_QUINTICRTPATCHES;
    if ((d->caps.DevCaps & needed) == needed)
        return true;
    log_once("api", "patch", "patches are not offered by this device (its caps do not claim them)");
    return false;
}

/* The last vertex must have a number of 32 bits. */
static bool is_valid(const struct cmd_draw_patch *p)
{
    const struct tess_patch patch = {.triangle = p->triangle != 0,
                                     .basis = (D3DBASISTYPE)p->basis,
                                     .degree = (D3DDEGREETYPE)p->degree,
                                     .width = p->width,
                                     .height = p->height};

    return tess_patch_is_valid(&patch) && tess_patch_points(&patch) <= DRAW_PATCH_POINTS &&
           p->start + (uint64_t)(p->height - 1) * p->stride + p->width <= UINT32_MAX;
}

/* Draws a patch that the streams hold. */
static HRESULT draw_new(struct device *d, UINT handle, const struct cmd_draw_patch *p)
{
    struct patch patch = {.handle = handle, .packet = *p};
    HRESULT hr;

    if (!handle)
        return draw_streams(d, p);
    hr = capture_points(d, &patch);
    if (FAILED(hr))
        return hr;
    hr = cache_patch(d, &patch);
    return FAILED(hr) ? hr : draw_cached(d, find_patch(d, handle));
}

/* Triangle patches have no tangents (reference: tessellation/methods). */
static bool has_tangents(const struct vertex_decl *decl)
{
    for (unsigned i = 0; decl && i + 1 < decl->n; i++)
        if (decl->element[i].Method == D3DDECLMETHOD_PARTIALU ||
            decl->element[i].Method == D3DDECLMETHOD_PARTIALV)
            return true;
    return false;
}

/* p: NULL: the patch of the handle. segments: NULL: those of the handle. */
static HRESULT draw_patch_of(struct device *d, UINT handle, bool triangle, const float *segments,
                             struct cmd_draw_patch *p)
{
    struct patch *cached = p ? NULL : find_patch(d, handle);
    HRESULT hr;

    if (p ? !segments || !is_valid(p) : !cached || (cached->packet.triangle != 0) != triangle)
        return D3DERR_INVALIDCALL;
    if (!is_offered(d, p) || (p && triangle && has_tangents(d->state->decl)))
        return D3DERR_INVALIDCALL;
    if (segments)
        memcpy(p ? p->segments : cached->packet.segments, segments,
               (triangle ? 3 : 4) * sizeof(*segments));
    hr = api_prepare_draw(d);
    if (FAILED(hr))
        return hr;
    api_present_count_draw(d->present_queue, 1);
    return p ? draw_new(d, handle, p) : draw_cached(d, cached);
}

HRESULT WINAPI device_DrawRectPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                    const D3DRECTPATCH_INFO *info)
{
    ENTER(d, iface);
    struct cmd_draw_patch p;
    uint64_t start;

    if (!info)
        return draw_patch_of(d, handle, false, segments, NULL);
    start = info->StartVertexOffsetWidth + (uint64_t)info->StartVertexOffsetHeight * info->Stride;
    if (start > UINT32_MAX)
        return D3DERR_INVALIDCALL;
    p = (struct cmd_draw_patch){.basis = info->Basis,
                                .degree = info->Degree,
                                .width = info->Width,
                                .height = info->Height,
                                .start = (uint32_t)start,
                                .stride = info->Stride};
    return draw_patch_of(d, handle, false, segments, &p);
}

HRESULT WINAPI device_DrawTriPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
                                   const D3DTRIPATCH_INFO *info)
{
    ENTER(d, iface);
    struct cmd_draw_patch p;

    if (!info)
        return draw_patch_of(d, handle, true, segments, NULL);
    p = (struct cmd_draw_patch){.triangle = 1,
                                .basis = info->Basis,
                                .degree = info->Degree,
                                .width = info->NumVertices,
                                .height = 1,
                                .start = info->StartVertexOffset,
                                .stride = info->NumVertices};
    return draw_patch_of(d, handle, true, segments, &p);
}
