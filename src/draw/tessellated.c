/* Makes meshes of the tessellator what a state draws (reference: tessellation/elements).
 * Tested by tests/unit/draw/test_patch.c and tests/conformance/tessellation. */
#include "draw/tessellated.h"

#include "draw/pipeline/pipeline.h"
#include "draw/vertex/vertex.h"

#include <string.h>

enum { VECTOR_BYTES = 4 * sizeof(float) };

unsigned tessellated_elements(const struct draw_decl *decl, uint8_t *method)
{
    unsigned n = decl->n + decl->n_generated;

    for (unsigned i = 0; i < n; i++)
        method[i] = decl->element[i].Method;
    return n;
}

/* The fixed function reads indices of type D3DCOLOR in another way than other types, and finds the
 * type in the declaration. */
static bool is_packed_indices(const struct draw_state *state, const D3DVERTEXELEMENT9 *e)
{
    return !state->vs && e->Usage == D3DDECLUSAGE_BLENDINDICES && e->Type == D3DDECLTYPE_D3DCOLOR;
}

void tessellated_fetch(const struct draw_state *state, int64_t v, uint32_t instance,
                       float (*out)[4])
{
    const struct draw_decl *decl = state->decl;

    for (unsigned i = 0; i < decl->n; i++) {
        D3DVERTEXELEMENT9 e = decl->element[i];

        if (is_packed_indices(state, &e))
            e.Type = D3DDECLTYPE_UBYTE4;
        fetch_vertex_value(state, &e, v, instance, out[i]);
    }
    memset(out + decl->n, 0, decl->n_generated * sizeof(*out));
}

/* The type of an element after tessellation (reference: tessellation/methods). */
static BYTE tessellated_type(const D3DVERTEXELEMENT9 *e)
{
    switch (e->Method) {
    case D3DDECLMETHOD_PARTIALU:
    case D3DDECLMETHOD_PARTIALV:
    case D3DDECLMETHOD_CROSSUV:
        return D3DDECLTYPE_FLOAT3;
    case D3DDECLMETHOD_UV:
        return D3DDECLTYPE_FLOAT2;
    case D3DDECLMETHOD_LOOKUP:
    case D3DDECLMETHOD_LOOKUPPRESAMPLED:
        return D3DDECLTYPE_FLOAT4;
    default:
        return (BYTE)(D3DDECLTYPE_FLOAT1 + decl_type_components(e->Type) - 1);
    }
}

/* Depends on nothing but the elements of `from`, so that pipelines find it by its id. */
static void tessellated_decl(struct draw_decl *out, const struct draw_decl *from)
{
    out->id = from->id | DRAW_TESSELLATED;
    out->n = from->n + from->n_generated;
    out->n_generated = 0;
    for (unsigned i = 0; i < out->n; i++)
        out->element[i] = (D3DVERTEXELEMENT9){.Offset = (WORD)(i * VECTOR_BYTES),
                                              .Type = tessellated_type(&from->element[i]),
                                              .Usage = from->element[i].Usage,
                                              .UsageIndex = from->element[i].UsageIndex};
}

struct draw_args tessellated_bind(struct tessellated_bindings *saved, struct draw_state *state,
                                  const struct tess_mesh *mesh)
{
    uint32_t stride = mesh->n_elements * VECTOR_BYTES;

    memcpy(saved->stream, state->stream, sizeof(saved->stream));
    saved->indices = state->indices;
    saved->bound = state->decl;
    tessellated_decl(&saved->decl, state->decl);
    for (unsigned i = 0; i < DRAW_STREAMS; i++)
        state->stream[i] = (struct draw_stream){.frequency = 1};
    state->stream[0].data = (const uint8_t *)mesh->vertex;
    state->stream[0].size = (size_t)mesh->n_vertices * stride;
    state->stream[0].stride = stride;
    state->indices =
        (struct draw_indices){(const uint8_t *)mesh->index,
                              (size_t)mesh->n_indices * sizeof(*mesh->index), sizeof(*mesh->index)};
    state->decl = &saved->decl;
    return (struct draw_args){.type = D3DPT_TRIANGLELIST,
                              .primitives = mesh->n_indices / 3,
                              .indexed = true,
                              .vertices = mesh->n_vertices};
}

void tessellated_unbind(const struct tessellated_bindings *saved, struct draw_state *state)
{
    state->decl = saved->bound;
    state->indices = saved->indices;
    memcpy(state->stream, saved->stream, sizeof(saved->stream));
}
