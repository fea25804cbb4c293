/* IDirect3DStateBlock9: records, captures and applies a set of state slots. */
#include "api/com/device.h"
#include "api/com/device_methods.h"
#include "api/set/write.h"
#include "api/state/state.h"
#include "util/alloc.h"

OBJECT_METHODS(IDirect3DStateBlock9, stateblock)

static struct stateblock *block_of(IDirect3DStateBlock9 *iface)
{
    return (struct stateblock *)iface;
}

/* Copies the parts of a light that `holder` contains. */
static void copy_light(struct light *to, const struct light *from, const struct light *holder)
{
    if (holder->has_light)
        to->light = from->light;
    if (holder->has_enabled)
        to->enabled = from->enabled;
}

static HRESULT capture_lights(struct stateblock *block, const struct state *from)
{
    for (unsigned i = 0; block->all_lights && i < from->n_lights; i++) {
        struct light *to = api_light_get(&block->state, from->lights[i].index);

        if (!to)
            return E_OUTOFMEMORY;
        to->has_light = to->has_enabled = true;
    }
    for (unsigned i = 0; i < block->state.n_lights; i++) {
        struct light *to = &block->state.lights[i], missing;
        const struct light *source = api_light_find(from, to->index);

        if (!source) { /* (reference: state-blocks/lights) */
            api_light_default(&missing, to->index);
            source = &missing;
        }
        copy_light(to, source, to);
    }
    return D3D_OK;
}

static HRESULT capture(struct stateblock *block, struct device *d)
{
    const struct slot_set *slots = &block->slots;

    for (unsigned slot = api_slot_next(slots, 0); slot < SLOT_COUNT;
         slot = api_slot_next(slots, slot + 1)) {
        unsigned stream = slot - SLOT_STREAM;

        if (block->created && slot >= SLOT_STREAM && stream < STREAMS) {
            /* Capture keeps the offset from creation (reference: state-blocks/stream-offset). */
            UINT offset = block->state.stream[stream].offset;
            api_state_copy(&block->state, d->state, slot);
            block->state.stream[stream].offset = offset;
        } else {
            api_state_copy(&block->state, d->state, slot);
        }
    }
    return capture_lights(block, d->state);
}

static HRESULT WINAPI stateblock_Capture(IDirect3DStateBlock9 *iface)
{
    struct stateblock *block = block_of(iface);
    ENTER_OBJECT(d, block);

    if (d->recording)
        return D3DERR_INVALIDCALL;
    return capture(block, d);
}

static HRESULT apply_constants(struct device *d, const struct slot_set *slots)
{
    HRESULT hr = D3D_OK;

    for (unsigned file = 0; file < FILE_COUNT && SUCCEEDED(hr); file++) {
        unsigned first = api_constants_slot(file), end = first + d->state->counts[file];
        unsigned slot = api_slot_next(slots, first);

        while (slot < end && SUCCEEDED(hr)) {
            unsigned run = slot;

            while (run < end && slot_has(slots, run))
                run++;
            hr = api_emit_constants(d, file, slot - first, run - slot);
            slot = api_slot_next(slots, run);
        }
    }
    return hr;
}

static HRESULT apply_lights(struct device *d, const struct state *from)
{
    for (unsigned i = 0; i < from->n_lights; i++) {
        struct light *to = api_light_get(d->state, from->lights[i].index);

        if (!to)
            return E_OUTOFMEMORY;
        copy_light(to, &from->lights[i], &from->lights[i]);
        d->lights_dirty = true;
    }
    return D3D_OK;
}

static HRESULT WINAPI stateblock_Apply(IDirect3DStateBlock9 *iface)
{
    struct stateblock *block = block_of(iface);
    const struct slot_set *slots = &block->slots;
    ENTER_OBJECT(d, block);
    HRESULT hr = D3D_OK;

    if (d->recording)
        return D3DERR_INVALIDCALL;
    for (unsigned slot = api_slot_next(slots, 0); slot < SLOT_COUNT && SUCCEEDED(hr);
         slot = api_slot_next(slots, slot + 1)) {
        /* Apply skips a NULL declaration (reference: state-blocks/declaration). */
        if (slot == SLOT_DECLARATION && !block->state.decl)
            continue;
        api_state_copy(d->state, &block->state, slot);
        if (slot < SLOT_CONSTANTS)
            hr = api_emit_slot(d, slot);
    }
    d->textures_changed = true;
    if (SUCCEEDED(hr))
        hr = apply_constants(d, slots);
    return SUCCEEDED(hr) ? apply_lights(d, &block->state) : hr;
}

/* clang-format off */
static const IDirect3DStateBlock9Vtbl stateblock_vtbl = {
    OBJECT_VTBL(stateblock),
    .Capture = stateblock_Capture,
    .Apply = stateblock_Apply,
};
/* clang-format on */

static void stateblock_destroy(struct object *obj)
{
    api_stateblock_discard((struct stateblock *)obj);
}

static const IID *const stateblock_iids[] = {&IID_IUnknown, &IID_IDirect3DStateBlock9, NULL};
static const struct object_class stateblock_class = {&stateblock_vtbl, RECORD_STATE_BLOCK,
                                                     stateblock_iids, stateblock_destroy};

void api_stateblock_discard(struct stateblock *block)
{
    if (!block)
        return;
    api_state_fini(&block->state);
    mem_free(block);
}

static HRESULT begin_block(struct stateblock **out, struct device *device)
{
    struct stateblock *block = mem_calloc(1, sizeof(*block));

    *out = NULL;
    if (!block)
        return E_OUTOFMEMORY;
    if (api_state_init(&block->state, device->software_shaders) != ST_OK) {
        api_stateblock_discard(block);
        return E_OUTOFMEMORY;
    }
    block->base.device = device;
    *out = block;
    return D3D_OK;
}

/* Completes a recorded block: it becomes an object with one reference. */
static void end_block(struct stateblock *block)
{
    api_object_init(&block->base, &stateblock_class, block->base.device, 1);
}

static HRESULT create_block(struct stateblock **out, struct device *device, D3DSTATEBLOCKTYPE type)
{
    struct stateblock *block;
    HRESULT hr = begin_block(&block, device);

    *out = NULL;
    if (FAILED(hr))
        return hr;
    api_state_slots(&block->slots, type, device->state);
    block->all_lights = type != D3DSBT_PIXELSTATE;
    hr = capture(block, device);
    if (FAILED(hr)) {
        api_stateblock_discard(block);
        return hr;
    }
    block->created = true;
    end_block(block);
    *out = block;
    return D3D_OK;
}

/* --- Device methods --------------------------------------------------------------------------- */

HRESULT WINAPI device_CreateStateBlock(IDirect3DDevice9Ex *iface, D3DSTATEBLOCKTYPE type,
                                       IDirect3DStateBlock9 **out)
{
    ENTER(d, iface);

    if (!out || d->recording || type < D3DSBT_ALL || type > D3DSBT_VERTEXSTATE)
        return D3DERR_INVALIDCALL;
    return create_block((struct stateblock **)out, d, type);
}

HRESULT WINAPI device_BeginStateBlock(IDirect3DDevice9Ex *iface)
{
    ENTER(d, iface);

    if (d->recording)
        return D3DERR_INVALIDCALL;
    return begin_block(&d->recording, d);
}

HRESULT WINAPI device_EndStateBlock(IDirect3DDevice9Ex *iface, IDirect3DStateBlock9 **out)
{
    ENTER(d, iface);

    if (!d->recording || !out) /* leaves *out as it was */
        return D3DERR_INVALIDCALL;
    end_block(d->recording);
    *out = (IDirect3DStateBlock9 *)d->recording;
    d->recording = NULL;
    return D3D_OK;
}
