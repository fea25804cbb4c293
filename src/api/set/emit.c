/* Emission of device state: translates slots to command packets for the renderer.
 * Tested by tests/unit/api/set/test_stateblock.c and tests/unit/api/test_order.c. */
#include "api/adapter/adapter.h"
#include "api/com/device.h"
#include "api/memory/memory.h"
#include "api/object/object.h"
#include "api/set/palette.h"
#include "api/set/set.h"
#include "api/state/state.h"
#include "cmd/cmd.h"
#include "draw/draw.h"

#include <string.h>

static enum status emit_stream(struct device *d, unsigned i)
{
    const struct stream_source *from = &d->state->stream[i];
    struct cmd_set_stream packet = {
        .stream = i,
        .buffer = from->buffer ? from->buffer->handle : 0,
        .offset = from->offset,
        .stride = from->stride,
    };
    return cmd_emit_set_stream(d->stream, &packet, NULL, 0);
}

static enum status emit_indices(struct device *d)
{
    const struct buffer *buffer = d->state->indices;
    struct cmd_set_indices packet = {
        .buffer = buffer ? buffer->handle : 0,
        .index_bytes = buffer && buffer->format == D3DFMT_INDEX32 ? 4 : 2,
    };
    return cmd_emit_set_indices(d->stream, &packet, NULL, 0);
}

static enum status emit_texture(struct device *d, unsigned i)
{
    const struct texture *texture = d->state->texture[i];
    struct cmd_set_texture packet = {.sampler = i, .image = texture ? texture->image : 0};

    if (texture && texture->second_element && d->state->sampler[i][D3DSAMP_ELEMENTINDEX] == 1)
        packet.image = texture->second_element;
    return cmd_emit_set_texture(d->stream, &packet, NULL, 0);
}

static enum status emit_transform(struct device *d, unsigned i)
{
    struct cmd_set_transform packet = {.state = api_transform_type(i)};

    memcpy(packet.m, &d->state->transform[i], sizeof(packet.m));
    return cmd_emit_set_transform(d->stream, &packet, NULL, 0);
}

static enum status emit_shader(struct device *d, const struct shader *shader, bool pixel)
{
    struct cmd_set_shader packet = {.pixel = pixel, .shader = shader ? shader->handle : 0};

    if (!pixel)
        d->shader_refused = false;
    return cmd_emit_set_shader(d->stream, &packet, NULL, 0);
}

static enum status emit_npatch(struct device *d)
{
    struct cmd_set_npatch packet = {d->state->npatch};

    return cmd_emit_set_npatch(d->stream, &packet, NULL, 0);
}

static enum status emit_single(struct device *d, enum slot slot)
{
    const struct state *s = d->state;

    switch (slot) {
    case SLOT_MATERIAL: {
        struct cmd_set_material packet = {s->material};
        return cmd_emit_set_material(d->stream, &packet, NULL, 0);
    }
    case SLOT_VIEWPORT: {
        struct cmd_set_viewport packet = {s->viewport};
        return cmd_emit_set_viewport(d->stream, &packet, NULL, 0);
    }
    case SLOT_SCISSOR: {
        struct cmd_set_scissor packet = {s->scissor.left, s->scissor.top, s->scissor.right,
                                         s->scissor.bottom};
        return cmd_emit_set_scissor(d->stream, &packet, NULL, 0);
    }
    case SLOT_INDICES:
        return emit_indices(d);
    case SLOT_DECLARATION: {
        struct cmd_set_declaration packet = {s->decl ? s->decl->handle : 0};
        return cmd_emit_set_declaration(d->stream, &packet, NULL, 0);
    }
    case SLOT_VERTEX_SHADER:
        return emit_shader(d, s->vertex_shader, false);
    case SLOT_PIXEL_SHADER:
        return emit_shader(d, s->pixel_shader, true);
    case SLOT_PALETTE:
        d->palette_dirty = true;
        return ST_OK;
    default: /* SLOT_NPATCH; without the packet the renderer does not tessellate */
        return api_offers(FEATURE_N_PATCHES, api_kind(d)) ? emit_npatch(d) : ST_OK;
    }
}

/* Stages after the pixel shader that targets with elements do not have (reference:
 * target/elements). */
static const D3DRENDERSTATETYPE post_pixel_states[] = {
    D3DRS_ALPHATESTENABLE, D3DRS_ALPHABLENDENABLE, D3DRS_FOGENABLE, D3DRS_SRGBWRITEENABLE};
enum { POST_PIXEL_STATES = sizeof(post_pixel_states) / sizeof(post_pixel_states[0]) };

static bool is_post_pixel(unsigned state)
{
    for (unsigned i = 0; i < POST_PIXEL_STATES; i++)
        if (state == (unsigned)post_pixel_states[i])
            return true;
    return false;
}

/* What a device without a feature takes instead: z of W-buffers (reference: depth/w-buffer), and
 * factor 1 of a second source colour (reference: blend/dual-source). */
static DWORD render_value(const struct device *d, unsigned state)
{
    DWORD value = d->state->render[state];

    if (has_elements(d->target[0]) && is_post_pixel(state))
        return FALSE;
    switch (state) {
    case D3DRS_ZENABLE:
        return value == D3DZB_USEW && !api_offers(FEATURE_W_BUFFER, api_kind(d)) ? D3DZB_TRUE
                                                                                 : value;
    case D3DRS_SRCBLEND:
    case D3DRS_DESTBLEND:
    case D3DRS_SRCBLENDALPHA:
    case D3DRS_DESTBLENDALPHA:
        return draw_is_second_colour(value) && !api_offers(FEATURE_DUAL_SOURCE, api_kind(d))
                   ? D3DBLEND_ONE
                   : value;
    case D3DRS_DITHERENABLE:
        return value && api_offers(FEATURE_DITHERING, api_kind(d)) ? DRAW_DITHERS : value != 0;
    default:
        return value;
    }
}

/* A device without these filters takes LINEAR instead (reference: texture/filters). */
static DWORD sampler_value(const struct device *d, unsigned sampler, unsigned state)
{
    DWORD value = d->state->sampler[sampler][state];

    if ((state == D3DSAMP_MINFILTER || state == D3DSAMP_MAGFILTER) &&
        (value == D3DTEXF_PYRAMIDALQUAD || value == D3DTEXF_GAUSSIANQUAD) &&
        !api_offers(FEATURE_QUAD_FILTERS, api_kind(d)))
        return D3DTEXF_LINEAR;
    return value;
}

static enum status emit_numbered(struct device *d, unsigned slot)
{
    const struct state *s = d->state;

    if (slot >= SLOT_SAMPLER) {
        unsigned i = slot - SLOT_SAMPLER, sampler = i / SAMPLER_STATES, state = i % SAMPLER_STATES;
        struct cmd_set_sampler_state packet = {sampler, state, sampler_value(d, sampler, state)};
        enum status st = cmd_emit_set_sampler_state(d->stream, &packet, NULL, 0);
        bool selects = state == D3DSAMP_ELEMENTINDEX && s->texture[sampler] &&
                       s->texture[sampler]->second_element;

        return st == ST_OK && selects ? emit_texture(d, sampler) : st;
    }
    if (slot >= SLOT_STAGE) {
        unsigned i = slot - SLOT_STAGE, stage = i / STAGE_STATES, state = i % STAGE_STATES;
        struct cmd_set_stage_state packet = {stage, state, s->stage[stage][state]};
        return cmd_emit_set_stage_state(d->stream, &packet, NULL, 0);
    }
    struct cmd_set_render_state packet = {slot, render_value(d, slot)};
    if (slot == D3DRS_POINTSIZE && ((packet.value & CMD_R2VB_MASK) == CMD_R2VB_ENABLE ||
                                    (packet.value & CMD_R2VB_MASK) == CMD_R2VB_STREAM))
        d->uses_stream_textures = true;
    return cmd_emit_set_render_state(d->stream, &packet, NULL, 0);
}

static enum status emit_array(struct device *d, unsigned slot)
{
    unsigned i;

    if (slot >= SLOT_FREQUENCY) {
        i = slot - SLOT_FREQUENCY;
        struct cmd_set_stream_frequency packet = {i, d->state->frequency[i]};
        return cmd_emit_set_stream_frequency(d->stream, &packet, NULL, 0);
    }
    if (slot >= SLOT_STREAM)
        return emit_stream(d, slot - SLOT_STREAM);
    if (slot >= SLOT_CLIP_PLANE) {
        struct cmd_set_clip_plane packet = {.index = slot - SLOT_CLIP_PLANE};
        memcpy(packet.plane, d->state->clip_plane[packet.index], sizeof(packet.plane));
        return cmd_emit_set_clip_plane(d->stream, &packet, NULL, 0);
    }
    if (slot >= SLOT_TRANSFORM)
        return emit_transform(d, slot - SLOT_TRANSFORM);
    return emit_texture(d, slot - SLOT_TEXTURE);
}

HRESULT api_emit_slot(struct device *d, unsigned slot)
{
    if (slot >= SLOT_MATERIAL)
        return api_hresult(emit_single(d, slot));
    if (slot >= SLOT_TEXTURE)
        return api_hresult(emit_array(d, slot));
    return api_hresult(emit_numbered(d, slot));
}

HRESULT api_emit_constants(struct device *d, enum constant_file file, unsigned start,
                           unsigned count)
{
    static const uint32_t kinds[FILE_COUNT] = {CMD_FLOATS, CMD_INTS, CMD_BOOLS,
                                               CMD_FLOATS, CMD_INTS, CMD_BOOLS};
    struct cmd_set_constants packet = {file >= FILE_PS_F, kinds[file], start, count};
    size_t words = api_constants_words(file);

    return api_hresult(cmd_emit_set_constants(d->stream, &packet,
                                              d->state->constants[file] + start * words,
                                              count * words * sizeof(uint32_t)));
}

HRESULT api_emit_target(struct device *d, unsigned index)
{
    const struct surface *surface = index == CMD_DEPTH_TARGET ? d->depth : d->target[index];
    struct cmd_set_target packet = {.index = index};

    if (surface)
        packet.surface = surface_ref(surface);
    if (index == 1 && has_elements(d->target[0]))
        packet.surface = (struct cmd_surface){.image = d->target[0]->texture->second_element};
    return api_hresult(cmd_emit_set_target(d->stream, &packet, NULL, 0));
}

HRESULT api_emit_elements(struct device *d)
{
    HRESULT hr = api_emit_target(d, 1);

    for (unsigned i = 0; i < POST_PIXEL_STATES && SUCCEEDED(hr); i++)
        hr = api_emit_slot(d, (unsigned)post_pixel_states[i]);
    return hr;
}

/* Switches off what values of D3DRS_POINTSIZE have switched on. */
static enum status emit_commands_off(struct device *d)
{
    struct cmd_set_render_state off = {D3DRS_POINTSIZE, CMD_ALPHA_TO_MASK_OFF};
    enum status st = cmd_emit_set_render_state(d->stream, &off, NULL, 0);

    if (!d->uses_stream_textures)
        return st;
    for (unsigned i = 0; i <= STREAMS && st == ST_OK; i++) {
        off.value = i < STREAMS ? CMD_R2VB_STREAM | CMD_R2VB_NO_SAMPLER << 4 | i : CMD_R2VB_ENABLE;
        st = cmd_emit_set_render_state(d->stream, &off, NULL, 0);
    }
    d->uses_stream_textures = false;
    return st;
}

HRESULT api_emit_all(struct device *d)
{
    struct slot_set slots;
    HRESULT hr = api_hresult(emit_commands_off(d));

    for (unsigned i = 0; i <= CMD_DEPTH_TARGET && SUCCEEDED(hr); i++)
        hr = api_emit_target(d, i);
    api_state_slots(&slots, D3DSBT_ALL, d->state);
    for (unsigned slot = api_slot_next(&slots, 0); slot < SLOT_CONSTANTS && SUCCEEDED(hr);
         slot = api_slot_next(&slots, slot + 1))
        hr = api_emit_slot(d, slot);
    for (unsigned file = 0; file < FILE_COUNT && SUCCEEDED(hr); file++)
        hr = api_emit_constants(d, file, 0, d->state->counts[file]);
    d->lights_dirty = d->palette_dirty = true;
    d->textures_changed = true;
    return hr;
}

/* --- Deferred state --------------------------------------------------------------------------- */

/* A light of an unknown type can be set and enabled, but contributes nothing
 * (reference: lights/types). */
static bool is_active_light(const struct light *light)
{
    return light->enabled && light->light.Type >= D3DLIGHT_POINT &&
           light->light.Type <= D3DLIGHT_DIRECTIONAL;
}

/* Uses the eight enabled lights with the lowest indices (reference: lights/limit). */
static enum status emit_lights(struct device *d)
{
    D3DLIGHT9 enabled[8];
    struct cmd_set_lights packet = {0};

    for (unsigned i = 0; i < d->state->n_lights && packet.count < 8; i++)
        if (is_active_light(&d->state->lights[i]))
            enabled[packet.count++] = d->state->lights[i].light;
    return cmd_emit_set_lights(d->stream, &packet, enabled, packet.count * sizeof(*enabled));
}

static void update_samplers_to_check(struct device *d)
{
    d->textures_changed = false;
    d->samplers_to_check = 0;
    for (unsigned i = 0; i < SAMPLERS; i++)
        if (d->state->texture[i] && api_checks_before_draw(d->state->texture[i]))
            d->samplers_to_check |= 1u << i;
}

HRESULT api_emit_pending(struct device *d)
{
    enum status st = ST_OK;

    if (d->textures_changed)
        update_samplers_to_check(d);
    for (uint32_t left = d->samplers_to_check; left && st == ST_OK; left &= left - 1)
        st = api_before_draw(d->state->texture[__builtin_ctz(left)]);
    if (st == ST_OK && d->lights_dirty && (st = emit_lights(d)) == ST_OK)
        d->lights_dirty = false;
    if (st == ST_OK && d->palette_dirty && (st = api_emit_palette(d)) == ST_OK)
        d->palette_dirty = false;
    return api_hresult(st);
}
