/* State packets of a compiled stream as calls of a Direct3D 9 device.
 *
 * Tested by tests/fuzz/trace/test_nvs.c and tests/tool/retrace.sh. */
#include "trace/calls/calls.h"

enum { PIXEL_SAMPLERS = 16, LIGHTS = 8, RENDER_STATES = 210 };

/* Samplers 16 to 20 of the stream are those of displacement maps and of vertex shaders. */
static DWORD sampler_of(uint32_t sampler)
{
    return sampler < PIXEL_SAMPLERS ? sampler : D3DDMAPSAMPLER + (sampler - PIXEL_SAMPLERS);
}

static HRESULT set_texture(const struct calls_stream *s, const struct cmd_set_texture *p)
{
    const struct calls_resource *image = calls_find(s, p->image, CMD_IMAGE);

    return IDirect3DDevice9_SetTexture(s->device, sampler_of(p->sampler),
                                       image ? image->texture : NULL);
}

static HRESULT set_texture_lod(const struct calls_stream *s, const struct cmd_set_texture_lod *p)
{
    const struct calls_resource *image = calls_find(s, p->image, CMD_IMAGE);

    if (image && image->texture && image->memory)
        IDirect3DBaseTexture9_SetLOD(image->texture, p->lod);
    return D3D_OK;
}

static HRESULT set_lights(struct calls_stream *s, unsigned count, const D3DLIGHT9 *light)
{
    HRESULT hr = D3D_OK;

    for (unsigned i = 0; i < count && SUCCEEDED(hr); i++) {
        hr = IDirect3DDevice9_SetLight(s->device, i, &light[i]);
        if (SUCCEEDED(hr))
            hr = IDirect3DDevice9_LightEnable(s->device, i, TRUE);
    }
    for (unsigned i = count; i < s->lights && SUCCEEDED(hr); i++)
        hr = IDirect3DDevice9_LightEnable(s->device, i, FALSE);
    s->lights = count;
    return hr;
}

static HRESULT set_shader(const struct calls_stream *s, const struct cmd_set_shader *p)
{
    const struct calls_resource *shader = calls_find(s, p->shader, CMD_SHADER);

    return p->pixel
               ? IDirect3DDevice9_SetPixelShader(s->device, shader ? shader->pixel_shader : NULL)
               : IDirect3DDevice9_SetVertexShader(s->device, shader ? shader->vertex_shader : NULL);
}

static HRESULT set_constants(const struct calls_stream *s, const struct cmd_set_constants *p,
                             const void *data)
{
    switch (p->kind) {
    case CMD_FLOATS:
        return p->pixel
                   ? IDirect3DDevice9_SetPixelShaderConstantF(s->device, p->start, data, p->count)
                   : IDirect3DDevice9_SetVertexShaderConstantF(s->device, p->start, data, p->count);
    case CMD_INTS:
        return p->pixel
                   ? IDirect3DDevice9_SetPixelShaderConstantI(s->device, p->start, data, p->count)
                   : IDirect3DDevice9_SetVertexShaderConstantI(s->device, p->start, data, p->count);
    default:
        return p->pixel
                   ? IDirect3DDevice9_SetPixelShaderConstantB(s->device, p->start, data, p->count)
                   : IDirect3DDevice9_SetVertexShaderConstantB(s->device, p->start, data, p->count);
    }
}

/* A device always has target 0. */
static HRESULT set_target(struct calls_stream *s, const struct cmd_set_target *p)
{
    const struct calls_resource *image = calls_find(s, p->surface.image, CMD_IMAGE);
    IDirect3DSurface9 *surface =
        image ? calls_surface(image, p->surface.face, p->surface.level) : NULL;
    HRESULT hr = D3D_OK;

    if (p->index == CMD_DEPTH_TARGET)
        hr = IDirect3DDevice9_SetDepthStencilSurface(s->device, surface);
    else if (p->index || surface)
        hr = IDirect3DDevice9_SetRenderTarget(s->device, p->index, surface);
    if (!p->index)
        s->set_view = true;
    if (surface)
        IDirect3DSurface9_Release(surface);
    return hr;
}

static HRESULT set_palette(const struct calls_stream *s, const struct cmd_set_palette *p)
{
    PALETTEENTRY entry[256];
    HRESULT hr;

    for (unsigned i = 0; i < 256; i++)
        entry[i] = (PALETTEENTRY){(BYTE)(p->colour[i] >> 16), (BYTE)(p->colour[i] >> 8),
                                  (BYTE)p->colour[i], (BYTE)(p->colour[i] >> 24)};
    hr = IDirect3DDevice9_SetPaletteEntries(s->device, 0, entry);
    return SUCCEEDED(hr) ? IDirect3DDevice9_SetCurrentTexturePalette(s->device, 0) : hr;
}

static HRESULT set_stream(const struct calls_stream *s, const struct cmd_set_stream *p)
{
    const struct calls_resource *buffer = calls_find(s, p->buffer, CMD_BUFFER);

    return IDirect3DDevice9_SetStreamSource(s->device, p->stream, buffer ? buffer->vertices : NULL,
                                            p->offset, p->stride);
}

static HRESULT set_indices(const struct calls_stream *s, const struct cmd_set_indices *p)
{
    const struct calls_resource *buffer = calls_find(s, p->buffer, CMD_BUFFER);

    return IDirect3DDevice9_SetIndices(s->device, buffer ? buffer->indices : NULL);
}

/* Direct3D takes no null declaration. */
static HRESULT set_declaration(const struct calls_stream *s, const struct cmd_set_declaration *p)
{
    const struct calls_resource *d = calls_find(s, p->declaration, CMD_DECLARATION);

    return d ? IDirect3DDevice9_SetVertexDeclaration(s->device, d->declaration) : D3D_OK;
}

/* The bytes that follow a packet. */
static bool data_ok(enum cmd_op op, const void *packet, size_t bytes)
{
    const struct cmd_set_constants *c = packet;
    const struct cmd_set_lights *l = packet;
    const struct cmd_set_texture *t = packet;
    const struct cmd_set_sampler_state *s = packet;

    if (op == CMD_SET_CONSTANTS)
        return c->kind <= CMD_BOOLS &&
               bytes == (uint64_t)c->count * (c->kind == CMD_BOOLS ? 4 : 16);
    if (op == CMD_SET_LIGHTS)
        return l->count <= LIGHTS && bytes == l->count * sizeof(D3DLIGHT9);
    if (op == CMD_SET_TEXTURE)
        return t->sampler < CMD_SAMPLERS;
    return op != CMD_SET_SAMPLER_STATE || s->sampler < CMD_SAMPLERS;
}

static HRESULT set(struct calls_stream *s, enum cmd_op op, const void *packet, const void *data)
{
    const uint32_t *n = packet;

    switch (op) {
    case CMD_SET_RENDER_STATE:
        if (n[0] >= RENDER_STATES) /* SetConvolutionMonoKernel; every stream starts with 1x1 */
            return n[1] == (1 | 1 << 8) ? D3D_OK : CALLS_NEEDS_EX;
        return IDirect3DDevice9_SetRenderState(s->device, (D3DRENDERSTATETYPE)n[0], n[1]);
    case CMD_SET_SAMPLER_STATE:
        return IDirect3DDevice9_SetSamplerState(s->device, sampler_of(n[0]),
                                                (D3DSAMPLERSTATETYPE)n[1], n[2]);
    case CMD_SET_STAGE_STATE:
        return IDirect3DDevice9_SetTextureStageState(s->device, n[0],
                                                     (D3DTEXTURESTAGESTATETYPE)n[1], n[2]);
    case CMD_SET_TEXTURE:
        return set_texture(s, packet);
    case CMD_SET_TEXTURE_LOD:
        return set_texture_lod(s, packet);
    case CMD_SET_TRANSFORM:
        return IDirect3DDevice9_SetTransform(s->device, (D3DTRANSFORMSTATETYPE)n[0],
                                             (const D3DMATRIX *)(n + 1));
    case CMD_SET_MATERIAL:
        return IDirect3DDevice9_SetMaterial(s->device, packet);
    case CMD_SET_LIGHTS:
        return set_lights(s, n[0], data);
    case CMD_SET_CLIP_PLANE:
        return IDirect3DDevice9_SetClipPlane(s->device, n[0], (const float *)(n + 1));
    case CMD_SET_VIEWPORT:
        s->viewport = ((const struct cmd_set_viewport *)packet)->viewport;
        s->set_view = true;
        return D3D_OK;
    case CMD_SET_SCISSOR: {
        const struct cmd_set_scissor *p = packet;

        s->scissor = (RECT){p->left, p->top, p->right, p->bottom};
        s->set_view = true;
        return D3D_OK;
    }
    case CMD_SET_STREAM:
        return set_stream(s, packet);
    case CMD_SET_STREAM_FREQUENCY:
        return IDirect3DDevice9_SetStreamSourceFreq(s->device, n[0], n[1]);
    case CMD_SET_INDICES:
        return set_indices(s, packet);
    case CMD_SET_DECLARATION:
        return set_declaration(s, packet);
    case CMD_SET_SHADER:
        return set_shader(s, packet);
    case CMD_SET_CONSTANTS:
        return set_constants(s, packet, data);
    case CMD_SET_TARGET:
        return set_target(s, packet);
    case CMD_SET_PALETTE:
        return set_palette(s, packet);
    case CMD_SET_CLIP_STATUS:
        return IDirect3DDevice9_SetClipStatus(s->device, packet);
    case CMD_SET_SOFTWARE:
        IDirect3DDevice9_SetSoftwareVertexProcessing(s->device, n[0] != 0);
        return D3D_OK;
    case CMD_SET_NPATCH:
        return IDirect3DDevice9_SetNPatchMode(s->device,
                                              ((const struct cmd_set_npatch *)packet)->segments);
    default:
        return D3D_OK;
    }
}

enum status calls_set(struct calls_stream *stream, enum cmd_op op, const void *packet,
                      const void *data, size_t bytes, HRESULT *hr)
{
    if (!data_ok(op, packet, bytes))
        return ST_INVALID;
    *hr = set(stream, op, packet, data);
    return ST_OK;
}
