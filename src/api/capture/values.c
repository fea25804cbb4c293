/* Values of the state and of state blocks, as calls that set what a new device does not have yet.
 *
 * Tested by tests/unit/trace/test_capture_frame.c. */
#include "api/capture/snapshot.h"
#include "api/com/device_methods.h"
#include "api/object/object.h"
#include "api/set/write.h"
#include "api/swapchain/swapchain.h"

#include <string.h>

/* --- One slot --------------------------------------------------------------------------------- */

static DWORD sampler_number(unsigned index)
{
    return index < PIXEL_SAMPLERS ? index : D3DDMAPSAMPLER + index - PIXEL_SAMPLERS;
}

static void put_render_state(struct snapshot *s, unsigned state, DWORD value)
{
    if (state == CONVOLUTION_STATE)
        s->to->SetConvolutionMonoKernel(s->iface, value & 0xff, value >> 8, NULL, NULL);
    else
        s->to->SetRenderState(s->iface, (D3DRENDERSTATETYPE)state, value);
}

static void put_declaration(struct snapshot *s, struct vertex_decl *decl)
{
    if (decl && decl->of_fvf)
        s->to->SetFVF(s->iface, decl->fvf);
    else if (decl)
        s->to->SetVertexDeclaration(s->iface, (IDirect3DVertexDeclaration9 *)decl);
}

/* Slots from SLOT_MATERIAL to SLOT_PALETTE. */
static void put_single(struct snapshot *s, const struct state *from, enum slot slot)
{
    switch (slot) {
    case SLOT_MATERIAL:
        s->to->SetMaterial(s->iface, &from->material);
        break;
    case SLOT_VIEWPORT:
        s->to->SetViewport(s->iface, &from->viewport);
        break;
    case SLOT_SCISSOR:
        s->to->SetScissorRect(s->iface, &from->scissor);
        break;
    case SLOT_INDICES:
        s->to->SetIndices(s->iface, (IDirect3DIndexBuffer9 *)from->indices);
        break;
    case SLOT_DECLARATION:
        put_declaration(s, from->decl);
        break;
    case SLOT_VERTEX_SHADER:
        s->to->SetVertexShader(s->iface, (IDirect3DVertexShader9 *)from->vertex_shader);
        break;
    case SLOT_PIXEL_SHADER:
        s->to->SetPixelShader(s->iface, (IDirect3DPixelShader9 *)from->pixel_shader);
        break;
    case SLOT_NPATCH:
        s->to->SetNPatchMode(s->iface, from->npatch);
        break;
    case SLOT_PALETTE:
        s->to->SetCurrentTexturePalette(s->iface, from->palette);
        break;
    default:
        break;
    }
}

static void put_stream(struct snapshot *s, const struct state *from, unsigned i)
{
    const struct stream_source *source = &from->stream[i];

    s->to->SetStreamSource(s->iface, i, (IDirect3DVertexBuffer9 *)source->buffer, source->offset,
                           source->stride);
}

/* Slots below SLOT_CONSTANTS. */
static void put_slot(struct snapshot *s, const struct state *from, unsigned slot)
{
    unsigned i;

    if (slot >= SLOT_MATERIAL) {
        put_single(s, from, (enum slot)slot);
    } else if (slot >= SLOT_FREQUENCY) {
        i = slot - SLOT_FREQUENCY;
        s->to->SetStreamSourceFreq(s->iface, i, from->frequency[i]);
    } else if (slot >= SLOT_STREAM) {
        put_stream(s, from, slot - SLOT_STREAM);
    } else if (slot >= SLOT_CLIP_PLANE) {
        i = slot - SLOT_CLIP_PLANE;
        s->to->SetClipPlane(s->iface, i, from->clip_plane[i]);
    } else if (slot >= SLOT_TRANSFORM) {
        i = slot - SLOT_TRANSFORM;
        s->to->SetTransform(s->iface, api_transform_type(i), &from->transform[i]);
    } else if (slot >= SLOT_TEXTURE) {
        i = slot - SLOT_TEXTURE;
        s->to->SetTexture(s->iface, sampler_number(i), (IDirect3DBaseTexture9 *)from->texture[i]);
    } else if (slot >= SLOT_SAMPLER) {
        i = slot - SLOT_SAMPLER;
        s->to->SetSamplerState(s->iface, sampler_number(i / SAMPLER_STATES),
                               (D3DSAMPLERSTATETYPE)(i % SAMPLER_STATES),
                               (&from->sampler[0][0])[i]);
    } else if (slot >= SLOT_STAGE) {
        i = slot - SLOT_STAGE;
        s->to->SetTextureStageState(s->iface, i / STAGE_STATES,
                                    (D3DTEXTURESTAGESTATETYPE)(i % STAGE_STATES),
                                    (&from->stage[0][0])[i]);
    } else {
        put_render_state(s, slot, from->render[slot]);
    }
}

/* --- Constants -------------------------------------------------------------------------------- */

static void put_constants(struct snapshot *s, enum constant_file file, unsigned start,
                          const uint32_t *values, unsigned n)
{
    switch (file) {
    case FILE_VS_F:
        s->to->SetVertexShaderConstantF(s->iface, start, (const float *)values, n);
        break;
    case FILE_VS_I:
        s->to->SetVertexShaderConstantI(s->iface, start, (const int *)values, n);
        break;
    case FILE_VS_B:
        s->to->SetVertexShaderConstantB(s->iface, start, (const WINBOOL *)values, n);
        break;
    case FILE_PS_F:
        s->to->SetPixelShaderConstantF(s->iface, start, (const float *)values, n);
        break;
    case FILE_PS_I:
        s->to->SetPixelShaderConstantI(s->iface, start, (const int *)values, n);
        break;
    default:
        s->to->SetPixelShaderConstantB(s->iface, start, (const WINBOOL *)values, n);
        break;
    }
}

/* --- A set of slots --------------------------------------------------------------------------- */

/* Writes a call for the slots of the set that the new device has otherwise; for all of them if
 * `always`. */
static void put_values(struct snapshot *s, const struct state *from, const struct slot_set *slots,
                       bool always)
{
    struct slot_set changed = *slots;

    for (unsigned slot = api_slot_next(slots, 0); slot < SLOT_COUNT;
         slot = api_slot_next(slots, slot + 1)) {
        if (!always && api_state_same(&s->there, from, slot)) {
            changed.bits[slot / 64] &= ~(UINT64_C(1) << slot % 64);
            continue;
        }
        if (slot < SLOT_CONSTANTS)
            put_slot(s, from, slot);
        api_state_copy(&s->there, from, slot);
    }
    for (unsigned file = 0; file < FILE_COUNT; file++) {
        unsigned first = api_constants_slot(file), end = first + from->counts[file], run;

        for (unsigned slot = api_slot_next(&changed, first); slot < end;
             slot = api_slot_next(&changed, run)) {
            for (run = slot; run < end && slot_has(&changed, run);)
                run++;
            put_constants(s, file, slot - first,
                          from->constants[file] + (slot - first) * api_constants_words(file),
                          run - slot);
        }
    }
}

/* --- Lights ----------------------------------------------------------------------------------- */

/* all: those of a device; else those that a state block contains. */
static void put_lights(struct snapshot *s, const struct state *from, bool all)
{
    for (unsigned i = 0; i < from->n_lights; i++) {
        const struct light *light = &from->lights[i];

        if (all || light->has_light)
            s->to->SetLight(s->iface, light->index, &light->light);
        if (all || light->has_enabled)
            s->to->LightEnable(s->iface, light->index, light->enabled);
    }
}

/* --- State blocks ----------------------------------------------------------------------------- */

static bool same_slots(const struct stateblock *block, D3DSTATEBLOCKTYPE type,
                       const struct state *state)
{
    struct slot_set slots;

    api_state_slots(&slots, type, state);
    return !memcmp(&slots, &block->slots, sizeof(slots));
}

/* CreateStateBlock takes the values of the device. */
static void put_created(struct snapshot *s, struct stateblock *block)
{
    IDirect3DStateBlock9 *iface = (IDirect3DStateBlock9 *)block;
    D3DSTATEBLOCKTYPE type = D3DSBT_ALL;

    while (type < D3DSBT_VERTEXSTATE && !same_slots(block, type, s->device->state))
        type++;
    put_values(s, &block->state, &block->slots, false);
    put_lights(s, &block->state, false);
    s->to->CreateStateBlock(s->iface, type, &iface);
}

static void put_recorded(struct snapshot *s, struct stateblock *block)
{
    struct snapshot inside = *s;
    IDirect3DStateBlock9 *iface = (IDirect3DStateBlock9 *)block;

    /* The device keeps its values, so `there` stays. */
    if (api_state_init(&inside.there, s->device->software_shaders) != ST_OK) {
        s->failed = true;
        return;
    }
    s->to->BeginStateBlock(s->iface);
    put_values(&inside, &block->state, &block->slots, true);
    put_lights(&inside, &block->state, false);
    if (block != s->device->recording)
        s->to->EndStateBlock(s->iface, &iface);
    api_state_fini(&inside.there);
}

/* A block without a declaration must be created before one is set, which cannot be undone. */
static void put_blocks(struct snapshot *s, bool with_declaration)
{
    for (struct object *obj = s->device->objects; obj; obj = obj->next) {
        struct stateblock *block = (struct stateblock *)obj;

        if (obj->class->record != RECORD_STATE_BLOCK ||
            (block->state.decl != NULL) != with_declaration)
            continue;
        if (block->created)
            put_created(s, block);
        else
            put_recorded(s, block);
    }
}

/* --- Everything else -------------------------------------------------------------------------- */

static void put_targets(struct snapshot *s)
{
    const struct device *d = s->device;

    if (d->target[0] != d->chain->buffer[0])
        s->to->SetRenderTarget(s->iface, 0, (IDirect3DSurface9 *)d->target[0]);
    for (unsigned i = 1; i < TARGETS; i++)
        if (d->target[i])
            s->to->SetRenderTarget(s->iface, i, (IDirect3DSurface9 *)d->target[i]);
    if (d->depth != d->auto_depth)
        s->to->SetDepthStencilSurface(s->iface, (IDirect3DSurface9 *)d->depth);
}

static void put_palettes(struct snapshot *s)
{
    for (unsigned i = 0; i < s->device->n_palettes; i++) {
        PALETTEENTRY entries[256];

        if (SUCCEEDED(device_GetPaletteEntries(&s->device->iface, i, entries)))
            s->to->SetPaletteEntries(s->iface, i, entries);
    }
}

static void put_gamma(struct snapshot *s)
{
    D3DGAMMARAMP initial, *now = &s->device->present_queue->gamma;

    for (unsigned i = 0; i < 256; i++)
        initial.red[i] = initial.green[i] = initial.blue[i] = (WORD)(i * 257);
    if (memcmp(now, &initial, sizeof(initial)) != 0)
        s->to->SetGammaRamp(s->iface, 0, 0, now);
}

static void put_queries(struct snapshot *s)
{
    for (struct object *obj = s->device->objects; obj; obj = obj->next) {
        const IDirect3DQuery9Vtbl *to;
        struct query_state state;

        if (obj->class->record != RECORD_QUERY)
            continue;
        to = snapshot_methods(obj);
        state = api_query_state(obj);
        if (state.begun || state.ended)
            to->Issue((IDirect3DQuery9 *)obj, state.begun ? D3DISSUE_BEGIN : D3DISSUE_END);
    }
}

static void put_software(struct snapshot *s)
{
    const struct device *d = s->device;
    bool initial = (d->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING) != 0;

    if (initial != (d->software != FALSE))
        s->to->SetSoftwareVertexProcessing(s->iface, d->software);
}

/* What a new device has. Viewport and scissor are set in any case. */
static enum status start_state(struct snapshot *s)
{
    const struct device *d = s->device;
    enum status st = api_state_init(&s->there, d->software_shaders);

    if (st == ST_OK)
        api_state_defaults(&s->there, d->chain->parameters.EnableAutoDepthStencil,
                           d->caps.MaxPointSize);
    return st;
}

static void put_state(struct snapshot *s)
{
    const struct device *d = s->device;
    struct slot_set all, framing = {{0}};

    api_state_slots(&all, D3DSBT_ALL, d->state);
    slot_add(&framing, SLOT_VIEWPORT);
    slot_add(&framing, SLOT_SCISSOR);
    put_values(s, d->state, &all, false);
    put_values(s, d->state, &framing, true);
    put_lights(s, d->state, true);
}

static void put_all_values(struct snapshot *s)
{
    const struct device *d = s->device;

    if (d->n_patches)
        api_snapshot_lacks("patches that are drawn by their handle alone");
    if (d->uses_stream_textures)
        api_snapshot_lacks("textures that are bound as vertex streams (R2VB)");
    put_targets(s);
    put_palettes(s);
    put_gamma(s);
    put_software(s);
    put_blocks(s, false);
    put_blocks(s, true);
    put_state(s);
    put_queries(s);
    if (d->in_scene)
        s->to->BeginScene(s->iface);
    if (d->recording)
        put_recorded(s, d->recording);
}

/* --- All calls -------------------------------------------------------------------------------- */

enum status api_snapshot_put(struct device *d)
{
    struct snapshot s = {.device = d, .iface = &d->iface};
    enum status st = start_state(&s);

    if (st != ST_OK)
        return st;
    s.spare = &s.there; /* on the stack: no object has the address */
    s.to = record_methods(d->ex ? RECORD_DEVICE_EX : RECORD_DEVICE, d->iface.lpVtbl);
    record_make_up(true);
    api_snapshot_objects(&s);
    put_all_values(&s);
    api_snapshot_references(&s);
    record_make_up(false);
    api_state_fini(&s.there);
    return s.failed ? ST_NOMEM : ST_OK;
}
