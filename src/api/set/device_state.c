/* Set* and Get* of all draw state. While a state block is recorded, Set* writes to the block alone;
 * Get* always reads the device. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/memory/resource.h"
#include "api/object/object.h"
#include "api/set/depth_copy.h"
#include "api/set/write.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "util/equal.h"
#include "util/log.h"

#include <string.h>

static HRESULT set_number(struct device *d, DWORD *value, DWORD new_value, const struct state *s,
                          unsigned slot)
{
    if (s == d->state && *value == new_value)
        return D3D_OK;
    *value = new_value;
    return written(d, s, slot);
}

/* --- Numbered states -------------------------------------------------------------------------- */

HRESULT WINAPI device_SetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state,
                                     DWORD value)
{
    ENTER(d, iface);
    struct state *s;

    if ((unsigned)state >= RENDER_STATES)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_RENDER + state);
    if (state == D3DRS_POINTSIZE && value == DEPTH_COPY_CODE && s == d->state) {
        HRESULT hr = api_copy_depth(d);

        if (FAILED(hr))
            return hr;
    }
    return set_number(d, &s->render[state], value, s, SLOT_RENDER + state);
}

HRESULT WINAPI device_GetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state,
                                     DWORD *value)
{
    ENTER(d, iface);

    if ((unsigned)state >= RENDER_STATES || !value)
        return D3DERR_INVALIDCALL;
    *value = d->state->render[state];
    return D3D_OK;
}

/* Numbers above the limit mean the last stage and the last state (reference: stage/limits). */
static unsigned stage_number(DWORD stage)
{
    return stage < STAGES ? stage : STAGES - 1;
}

static unsigned stage_state_number(D3DTEXTURESTAGESTATETYPE state)
{
    return (unsigned)state < STAGE_STATES ? (unsigned)state : STAGE_STATES - 1;
}

HRESULT WINAPI device_SetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
                                           D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
    ENTER(d, iface);
    unsigned i = stage_number(stage), k = stage_state_number(state);
    unsigned slot = SLOT_STAGE + i * STAGE_STATES + k;
    struct state *s = writable(d, slot);

    return set_number(d, &s->stage[i][k], value, s, slot);
}

HRESULT WINAPI device_GetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
                                           D3DTEXTURESTAGESTATETYPE state, DWORD *value)
{
    ENTER(d, iface);

    if (!value)
        return D3DERR_INVALIDCALL;
    *value = d->state->stage[stage_number(stage)][stage_state_number(state)];
    return D3D_OK;
}

HRESULT WINAPI device_SetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
                                      D3DSAMPLERSTATETYPE state, DWORD value)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);
    struct state *s;
    unsigned slot;

    if (i < 0 || (unsigned)state >= SAMPLER_STATES)
        return D3D_OK; /* ignored, as with stages */
    slot = SLOT_SAMPLER + (unsigned)i * SAMPLER_STATES + state;
    s = writable(d, slot);
    return set_number(d, &s->sampler[i][state], value, s, slot);
}

HRESULT WINAPI device_GetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
                                      D3DSAMPLERSTATETYPE state, DWORD *value)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);

    if (!value)
        return D3DERR_INVALIDCALL;
    *value = i >= 0 && (unsigned)state < SAMPLER_STATES ? d->state->sampler[i][state] : 0;
    return D3D_OK;
}

/* --- Transforms, material, viewport ----------------------------------------------------------- */

HRESULT WINAPI device_SetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                   const D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);
    struct state *s;

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_TRANSFORM + (unsigned)i);
    if (s == d->state && bytes_equal(&s->transform[i], matrix, sizeof(*matrix)))
        return D3D_OK;
    s->transform[i] = *matrix;
    return written(d, s, SLOT_TRANSFORM + (unsigned)i);
}

HRESULT WINAPI device_GetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                   D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    *matrix = d->state->transform[i];
    return D3D_OK;
}

/* Changes the device even while a state block is recorded
 * (reference: state-blocks/multiply-transform). */
HRESULT WINAPI device_MultiplyTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
                                        const D3DMATRIX *matrix)
{
    ENTER(d, iface);
    int i = api_transform_index(state);
    D3DMATRIX product, *current;

    if (i < 0 || !matrix)
        return D3DERR_INVALIDCALL;
    current = &d->state->transform[i];
    for (unsigned r = 0; r < 4; r++)
        for (unsigned c = 0; c < 4; c++)
            product.m[r][c] =
                ((matrix->m[r][0] * current->m[0][c] + matrix->m[r][1] * current->m[1][c]) +
                 matrix->m[r][2] * current->m[2][c]) +
                matrix->m[r][3] * current->m[3][c];
    *current = product;
    return api_emit_slot(d, SLOT_TRANSFORM + (unsigned)i);
}

HRESULT WINAPI device_SetViewport(IDirect3DDevice9Ex *iface, const D3DVIEWPORT9 *viewport)
{
    ENTER(d, iface);
    struct state *s;

    if (!viewport)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_VIEWPORT);
    s->viewport = *viewport;
    return written(d, s, SLOT_VIEWPORT);
}

HRESULT WINAPI device_GetViewport(IDirect3DDevice9Ex *iface, D3DVIEWPORT9 *viewport)
{
    ENTER(d, iface);

    if (!viewport)
        return D3DERR_INVALIDCALL;
    *viewport = d->state->viewport;
    return D3D_OK;
}

HRESULT WINAPI device_SetScissorRect(IDirect3DDevice9Ex *iface, const RECT *rect)
{
    ENTER(d, iface);
    struct state *s;

    if (!rect)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_SCISSOR);
    s->scissor = *rect;
    return written(d, s, SLOT_SCISSOR);
}

HRESULT WINAPI device_GetScissorRect(IDirect3DDevice9Ex *iface, RECT *rect)
{
    ENTER(d, iface);

    if (!rect)
        return D3DERR_INVALIDCALL;
    *rect = d->state->scissor;
    return D3D_OK;
}

HRESULT WINAPI device_SetMaterial(IDirect3DDevice9Ex *iface, const D3DMATERIAL9 *material)
{
    ENTER(d, iface);
    struct state *s;

    if (!material)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_MATERIAL);
    s->material = *material;
    return written(d, s, SLOT_MATERIAL);
}

HRESULT WINAPI device_GetMaterial(IDirect3DDevice9Ex *iface, D3DMATERIAL9 *material)
{
    ENTER(d, iface);

    if (!material)
        return D3DERR_INVALIDCALL;
    *material = d->state->material;
    return D3D_OK;
}

/* Planes above the limit alias the last one (reference: clip-planes/limits). */
static unsigned clip_index(DWORD index)
{
    return index < CLIP_PLANES ? index : CLIP_PLANES - 1;
}

HRESULT WINAPI device_SetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, const float *plane)
{
    ENTER(d, iface);
    unsigned i = clip_index(index);
    struct state *s;

    if (!plane)
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_CLIP_PLANE + i);
    memcpy(s->clip_plane[i], plane, sizeof(s->clip_plane[i]));
    return written(d, s, SLOT_CLIP_PLANE + i);
}

HRESULT WINAPI device_GetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, float *plane)
{
    ENTER(d, iface);

    if (!plane)
        return D3DERR_INVALIDCALL;
    memcpy(plane, d->state->clip_plane[clip_index(index)], sizeof(d->state->clip_plane[0]));
    return D3D_OK;
}

HRESULT WINAPI device_SetNPatchMode(IDirect3DDevice9Ex *iface, float segments)
{
    ENTER(d, iface);
    struct state *s = writable(d, SLOT_NPATCH);

    if (segments > 1.0f)
        log_once("api", "npatch", "N-patches are not supported; triangles are not tessellated");
    s->npatch = segments;
    return D3D_OK;
}

float WINAPI device_GetNPatchMode(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    return d->state->npatch;
}

/* --- Lights ----------------------------------------------------------------------------------- */

static struct light *writable_light(struct device *d, DWORD index)
{
    if (d->recording)
        return api_light_get(&d->recording->state, index);
    d->lights_dirty = true;
    return api_light_get(d->state, index);
}

HRESULT WINAPI device_SetLight(IDirect3DDevice9Ex *iface, DWORD index, const D3DLIGHT9 *light)
{
    ENTER(d, iface);
    struct light *to;

    if (!light)
        return D3DERR_INVALIDCALL;
    to = writable_light(d, index);
    if (!to)
        return E_OUTOFMEMORY;
    to->light = *light;
    to->has_light = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetLight(IDirect3DDevice9Ex *iface, DWORD index, D3DLIGHT9 *light)
{
    ENTER(d, iface);
    const struct light *from = api_light_find(d->state, index);

    if (!from || !light)
        return D3DERR_INVALIDCALL;
    *light = from->light;
    return D3D_OK;
}

HRESULT WINAPI device_LightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL enable)
{
    ENTER(d, iface);
    struct light *light = writable_light(d, index);

    if (!light)
        return E_OUTOFMEMORY;
    light->enabled = enable != FALSE;
    light->has_enabled = true;
    return D3D_OK;
}

HRESULT WINAPI device_GetLightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL *enable)
{
    enum { ENABLED = 128 }; /* not TRUE (reference: lights/get-enable) */
    ENTER(d, iface);
    const struct light *light = api_light_find(d->state, index);

    if (!light || !enable)
        return D3DERR_INVALIDCALL;
    *enable = light->enabled ? ENABLED : FALSE;
    return D3D_OK;
}

/* --- Objects ---------------------------------------------------------------------------------- */

/* Writes an object slot. Compares objects by address alone: their lpVtbl may be overwritten. */
static HRESULT set_object(struct device *d, struct state *s, void *slot_address, void *obj,
                          unsigned slot)
{
    if (!api_object_assign(slot_address, obj) && s == d->state)
        return D3D_OK;
    return written(d, s, slot);
}

static HRESULT get_object(void *obj, void *out)
{
    if (!out)
        return D3DERR_INVALIDCALL;
    if (obj)
        api_object_addref(obj);
    *(void **)out = obj;
    return D3D_OK;
}

HRESULT WINAPI device_SetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
                                 IDirect3DBaseTexture9 *texture)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);
    struct state *s;
    HRESULT hr;

    if (api_is_foreign(d, texture))
        return D3DERR_INVALIDCALL;
    if (i < 0)
        return D3D_OK;
    s = writable(d, SLOT_TEXTURE + (unsigned)i);
    hr = set_object(d, s, &s->texture[i], texture, SLOT_TEXTURE + (unsigned)i);
    if (s == d->state)
        d->textures_changed = true;
    return hr;
}

HRESULT WINAPI device_GetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
                                 IDirect3DBaseTexture9 **texture)
{
    ENTER(d, iface);
    int i = api_sampler_index(sampler);

    return get_object(i < 0 ? NULL : d->state->texture[i], texture);
}

HRESULT WINAPI device_SetStreamSource(IDirect3DDevice9Ex *iface, UINT stream,
                                      IDirect3DVertexBuffer9 *buffer, UINT offset, UINT stride)
{
    ENTER(d, iface);
    struct stream_source *source;
    struct state *s;

    if (stream >= STREAMS || api_is_foreign(d, buffer))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_STREAM + stream);
    source = &s->stream[stream];
    if (s == d->state && source->buffer == buffer_of(buffer) &&
        (!buffer || (source->offset == offset && source->stride == stride)))
        return D3D_OK;
    api_object_assign((struct object **)&source->buffer, (struct object *)buffer);
    if (buffer) { /* unbinding keeps offset and stride (reference: streams/unbind) */
        source->offset = offset;
        source->stride = stride;
    }
    return written(d, s, SLOT_STREAM + stream);
}

HRESULT WINAPI device_GetStreamSource(IDirect3DDevice9Ex *iface, UINT stream,
                                      IDirect3DVertexBuffer9 **buffer, UINT *offset, UINT *stride)
{
    ENTER(d, iface);
    const struct stream_source *source;

    if (stream >= STREAMS || !buffer)
        return D3DERR_INVALIDCALL;
    source = &d->state->stream[stream];
    if (offset)
        *offset = source->offset;
    if (stride)
        *stride = source->stride;
    return get_object(source->buffer, buffer);
}

HRESULT WINAPI device_SetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT setting)
{
    const UINT both = D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA;
    ENTER(d, iface);
    struct state *s;

    if (stream >= STREAMS || !setting || (setting & both) == both ||
        (!stream && (setting & D3DSTREAMSOURCE_INSTANCEDATA)))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_FREQUENCY + stream);
    if (s == d->state && s->frequency[stream] == setting)
        return D3D_OK;
    s->frequency[stream] = setting;
    return written(d, s, SLOT_FREQUENCY + stream);
}

HRESULT WINAPI device_GetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT stream, UINT *setting)
{
    ENTER(d, iface);

    if (stream >= STREAMS || !setting)
        return D3DERR_INVALIDCALL;
    *setting = d->state->frequency[stream];
    return D3D_OK;
}

HRESULT WINAPI device_SetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 *buffer)
{
    ENTER(d, iface);
    struct state *s;

    if (api_is_foreign(d, buffer))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_INDICES);
    return set_object(d, s, &s->indices, buffer, SLOT_INDICES);
}

HRESULT WINAPI device_GetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 **buffer)
{
    ENTER(d, iface);

    return get_object(d->state->indices, buffer);
}

HRESULT WINAPI device_SetVertexDeclaration(IDirect3DDevice9Ex *iface,
                                           IDirect3DVertexDeclaration9 *declaration)
{
    ENTER(d, iface);
    struct state *s;

    if (api_is_foreign(d, declaration))
        return D3DERR_INVALIDCALL;
    s = writable(d, SLOT_DECLARATION);
    return set_object(d, s, &s->decl, declaration, SLOT_DECLARATION);
}

HRESULT WINAPI device_GetVertexDeclaration(IDirect3DDevice9Ex *iface,
                                           IDirect3DVertexDeclaration9 **declaration)
{
    ENTER(d, iface);

    return get_object(d->state->decl, declaration);
}

HRESULT WINAPI device_SetFVF(IDirect3DDevice9Ex *iface, DWORD fvf)
{
    ENTER(d, iface);
    struct vertex_decl *decl;
    struct state *s;
    HRESULT hr;

    if (!fvf)
        return D3D_OK;
    hr = api_decl_for_fvf(&decl, d, fvf);
    if (FAILED(hr))
        return hr;
    s = writable(d, SLOT_DECLARATION);
    return set_object(d, s, &s->decl, decl, SLOT_DECLARATION);
}

HRESULT WINAPI device_GetFVF(IDirect3DDevice9Ex *iface, DWORD *fvf)
{
    ENTER(d, iface);

    if (!fvf)
        return D3DERR_INVALIDCALL;
    *fvf = d->state->decl ? d->state->decl->fvf : 0;
    return D3D_OK;
}

static HRESULT set_shader(struct device *d, struct shader *shader, bool pixel)
{
    unsigned slot = pixel ? SLOT_PIXEL_SHADER : SLOT_VERTEX_SHADER;
    struct state *s;

    if (api_is_foreign(d, shader))
        return D3DERR_INVALIDCALL;
    s = writable(d, slot);
    return set_object(d, s, pixel ? &s->pixel_shader : &s->vertex_shader, shader, slot);
}

HRESULT WINAPI device_SetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 *shader)
{
    ENTER(d, iface);

    return set_shader(d, shader_of(shader), false);
}

HRESULT WINAPI device_GetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 **shader)
{
    ENTER(d, iface);

    return get_object(d->state->vertex_shader, shader);
}

HRESULT WINAPI device_SetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 *shader)
{
    ENTER(d, iface);

    return set_shader(d, shader_of(shader), true);
}

HRESULT WINAPI device_GetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 **shader)
{
    ENTER(d, iface);

    return get_object(d->state->pixel_shader, shader);
}

/* --- Shader constants ------------------------------------------------------------------------- */

static bool constants_in_range(const struct device *d, enum constant_file file, UINT start,
                               UINT count)
{
    unsigned n = d->state->counts[file];

    return start <= n && count <= n - start;
}

static HRESULT set_constants(void *iface, enum constant_file file, UINT start, const void *data,
                             UINT count)
{
    ENTER(d, iface);
    size_t words = api_constants_words(file);
    struct state *s;
    uint32_t *to;

    if (!data || !constants_in_range(d, file, start, count))
        return D3DERR_INVALIDCALL;
    if (!count)
        return D3D_OK;
    s = d->recording ? &d->recording->state : d->state;
    to = s->constants[file] + start * words;
    if (s == d->state && bytes_equal(to, data, count * words * sizeof(*to)))
        return D3D_OK;
    memcpy(to, data, count * words * sizeof(*to));
    if (s == d->state)
        return api_emit_constants(d, file, start, count);
    for (UINT i = 0; i < count; i++)
        slot_add(&d->recording->slots, api_constants_slot(file) + start + i);
    return D3D_OK;
}

static HRESULT get_constants(void *iface, enum constant_file file, UINT start, void *data,
                             UINT count)
{
    ENTER(d, iface);
    size_t words = api_constants_words(file);

    if (!data || !constants_in_range(d, file, start, count))
        return D3DERR_INVALIDCALL;
    memcpy(data, d->state->constants[file] + start * words, count * words * sizeof(uint32_t));
    return D3D_OK;
}

#define CONSTANT_METHODS(name, file, type)                                                         \
    HRESULT WINAPI device_Set##name(IDirect3DDevice9Ex *iface, UINT start, const type *data,       \
                                    UINT count)                                                    \
    {                                                                                              \
        return set_constants(iface, file, start, data, count);                                     \
    }                                                                                              \
    HRESULT WINAPI device_Get##name(IDirect3DDevice9Ex *iface, UINT start, type *data, UINT count) \
    {                                                                                              \
        return get_constants(iface, file, start, data, count);                                     \
    }
CONSTANT_METHODS(VertexShaderConstantF, FILE_VS_F, float)
CONSTANT_METHODS(VertexShaderConstantI, FILE_VS_I, int)
CONSTANT_METHODS(VertexShaderConstantB, FILE_VS_B, BOOL)
CONSTANT_METHODS(PixelShaderConstantF, FILE_PS_F, float)
CONSTANT_METHODS(PixelShaderConstantI, FILE_PS_I, int)
CONSTANT_METHODS(PixelShaderConstantB, FILE_PS_B, BOOL)

/* --- Vertex processing ------------------------------------------------------------------------ */

/* Draws with software vertex processing update it (reference: vertices/clip-status). */
HRESULT api_set_clip_status(struct device *d, const D3DCLIPSTATUS9 *status)
{
    struct cmd_set_clip_status packet = {status->ClipUnion, status->ClipIntersection};

    return api_hresult(cmd_emit_set_clip_status(d->stream, &packet, NULL, 0));
}

HRESULT WINAPI device_SetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface, BOOL software)
{
    ENTER(d, iface);
    struct cmd_set_software packet = {software != FALSE};
    enum status st;

    if (!(d->creation.BehaviorFlags & D3DCREATE_MIXED_VERTEXPROCESSING))
        return d->software == (software != FALSE) ? D3D_OK : D3DERR_INVALIDCALL;
    d->software = software != FALSE;
    st = cmd_emit_set_software(d->stream, &packet, NULL, 0);
    if (st != ST_OK)
        return api_hresult(st);
    return d->shader_refused ? api_emit_slot(d, SLOT_VERTEX_SHADER) : D3D_OK;
}

BOOL WINAPI device_GetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    return d->software;
}

HRESULT WINAPI device_SetClipStatus(IDirect3DDevice9Ex *iface, const D3DCLIPSTATUS9 *status)
{
    ENTER(d, iface);

    if (!status)
        return D3DERR_INVALIDCALL;
    return api_set_clip_status(d, status);
}

HRESULT WINAPI device_GetClipStatus(IDirect3DDevice9Ex *iface, D3DCLIPSTATUS9 *status)
{
    ENTER(d, iface);

    if (!status)
        return D3DERR_INVALIDCALL;
    *status = cmd_clip_status(d->stream);
    return D3D_OK;
}
