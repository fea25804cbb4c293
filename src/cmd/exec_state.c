/* Executors of the state packets: they write struct draw_state.
 *
 * Tested by tests/conformance. */
#include "cmd/exec.h"

#include <string.h>

enum status exec_set_render_state(struct cmd_stream *s, const struct cmd_set_render_state *p,
                                  const void *data, size_t data_bytes)
{
    NO_DATA;
    if (p->state >= FF_RENDER_STATES)
        return ST_INVALID;
    if (p->state == D3DRS_POINTSIZE &&
        (p->value == CMD_ALPHA_TO_MASK_ON || p->value == CMD_ALPHA_TO_MASK_OFF)) {
        s->state.alpha_to_mask = p->value == CMD_ALPHA_TO_MASK_ON;
        return ST_OK;
    }
    if (p->state == D3DRS_POINTSIZE && stream_textures_command(&s->state, p->value))
        return ST_OK;
    s->state.render[p->state] = p->value;
    return ST_OK;
}

enum status exec_set_sampler_state(struct cmd_stream *s, const struct cmd_set_sampler_state *p,
                                   const void *data, size_t data_bytes)
{
    NO_DATA;
    if (p->sampler >= DRAW_SAMPLERS || p->state >= DRAW_SAMPLER_STATES)
        return ST_INVALID;
    s->state.sampler[p->sampler][p->state] = p->value;
    return ST_OK;
}

enum status exec_set_stage_state(struct cmd_stream *s, const struct cmd_set_stage_state *p,
                                 const void *data, size_t data_bytes)
{
    NO_DATA;
    if (p->stage >= FF_STAGES || p->state >= FF_STAGE_STATES)
        return ST_INVALID;
    s->state.stage[p->stage][p->state] = p->value;
    return ST_OK;
}

enum status exec_set_texture(struct cmd_stream *s, const struct cmd_set_texture *p,
                             const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (p->sampler >= DRAW_SAMPLERS)
        return ST_INVALID;
    s->bound.texture[p->sampler] = resource ? p->image : 0;
    stream_textures_forget(s, p->sampler);
    s->state.texture[p->sampler] = (struct draw_texture){
        .image = resource ? resource->u.image : NULL, .lod = resource ? resource->lod : 0};
    return ST_OK;
}

enum status exec_set_texture_lod(struct cmd_stream *s, const struct cmd_set_texture_lod *p,
                                 const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->image, CMD_IMAGE);

    NO_DATA;
    if (!resource)
        return ST_INVALID;
    resource->lod = p->lod;
    for (unsigned i = 0; i < DRAW_SAMPLERS; i++)
        if (s->bound.texture[i] == p->image)
            s->state.texture[i].lod = p->lod;
    return ST_OK;
}

static D3DMATRIX *transform_slot(struct draw_state *state, uint32_t type)
{
    if (type == D3DTS_VIEW)
        return &state->view;
    if (type == D3DTS_PROJECTION)
        return &state->projection;
    if (type >= D3DTS_TEXTURE0 && type <= D3DTS_TEXTURE7)
        return &state->texture_matrix[type - D3DTS_TEXTURE0];
    if (type >= 256 && type < 512)
        return &state->world[type - 256];
    return NULL;
}

enum status exec_set_transform(struct cmd_stream *s, const struct cmd_set_transform *p,
                               const void *data, size_t data_bytes)
{
    D3DMATRIX *slot = transform_slot(&s->state, p->state);

    NO_DATA;
    if (!slot)
        return ST_INVALID;
    memcpy(slot, p->m, sizeof(*slot));
    if (p->state >= D3DTS_WORLD && p->state - D3DTS_WORLD >= s->state.n_world)
        s->state.n_world = p->state - D3DTS_WORLD + 1;
    return ST_OK;
}

enum status exec_set_material(struct cmd_stream *s, const struct cmd_set_material *p,
                              const void *data, size_t data_bytes)
{
    NO_DATA;
    s->state.material = p->material;
    return ST_OK;
}

enum status exec_set_lights(struct cmd_stream *s, const struct cmd_set_lights *p, const void *data,
                            size_t data_bytes)
{
    uint32_t n = p->count < FF_LIGHTS ? p->count : FF_LIGHTS;

    if (data_bytes < n * sizeof(D3DLIGHT9))
        return ST_INVALID;
    if (n)
        memcpy(s->state.light, data, n * sizeof(D3DLIGHT9));
    s->state.n_lights = n;
    return ST_OK;
}

enum status exec_set_clip_plane(struct cmd_stream *s, const struct cmd_set_clip_plane *p,
                                const void *data, size_t data_bytes)
{
    NO_DATA;
    if (p->index >= CMD_CLIP_PLANES)
        return ST_INVALID;
    memcpy(s->state.clip_plane[p->index], p->plane, sizeof(p->plane));
    return ST_OK;
}

enum status exec_set_clip_status(struct cmd_stream *s, const struct cmd_set_clip_status *p,
                                 const void *data, size_t data_bytes)
{
    NO_DATA;
    s->clip_status = (D3DCLIPSTATUS9){p->any, p->all};
    return ST_OK;
}

enum status exec_set_software(struct cmd_stream *s, const struct cmd_set_software *p,
                              const void *data, size_t data_bytes)
{
    NO_DATA;
    s->state.clip_status = p->on ? &s->clip_status : NULL;
    s->state.software_vertices = p->on != 0;
    return ST_OK;
}

enum status exec_set_npatch(struct cmd_stream *s, const struct cmd_set_npatch *p, const void *data,
                            size_t data_bytes)
{
    NO_DATA;
    s->state.tessellator = true;
    s->state.npatch = p->segments;
    return ST_OK;
}

enum status exec_set_viewport(struct cmd_stream *s, const struct cmd_set_viewport *p,
                              const void *data, size_t data_bytes)
{
    NO_DATA;
    s->state.viewport = p->viewport;
    return ST_OK;
}

enum status exec_set_scissor(struct cmd_stream *s, const struct cmd_set_scissor *p,
                             const void *data, size_t data_bytes)
{
    NO_DATA;
    s->state.scissor = (RECT){p->left, p->top, p->right, p->bottom};
    return ST_OK;
}

enum status exec_set_stream(struct cmd_stream *s, const struct cmd_set_stream *p, const void *data,
                            size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);
    struct draw_stream *stream;

    NO_DATA;
    if (p->stream >= DRAW_STREAMS)
        return ST_INVALID;
    stream = &s->state.stream[p->stream];
    s->bound.stream[p->stream] = resource ? p->buffer : 0;
    stream->data = resource ? resource->u.buffer.data : NULL;
    stream->size = resource ? resource->u.buffer.size : 0;
    stream->offset = p->offset;
    stream->stride = p->stride;
    return ST_OK;
}

enum status exec_set_stream_frequency(struct cmd_stream *s,
                                      const struct cmd_set_stream_frequency *p, const void *data,
                                      size_t data_bytes)
{
    NO_DATA;
    if (p->stream >= DRAW_STREAMS)
        return ST_INVALID;
    s->state.stream[p->stream].frequency = p->setting;
    return ST_OK;
}

enum status exec_set_indices(struct cmd_stream *s, const struct cmd_set_indices *p,
                             const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->buffer, CMD_BUFFER);

    NO_DATA;
    s->bound.indices = resource ? p->buffer : 0;
    s->state.indices.data = resource ? resource->u.buffer.data : NULL;
    s->state.indices.size = resource ? resource->u.buffer.size : 0;
    s->state.indices.bytes = p->index_bytes == 4 ? 4 : 2;
    return ST_OK;
}

enum status exec_set_declaration(struct cmd_stream *s, const struct cmd_set_declaration *p,
                                 const void *data, size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->declaration, CMD_DECLARATION);

    NO_DATA;
    s->bound_declaration = resource ? p->declaration : 0;
    s->state.decl = resource ? resource->u.declaration : NULL;
    return ST_OK;
}

enum status exec_set_shader(struct cmd_stream *s, const struct cmd_set_shader *p, const void *data,
                            size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->shader, CMD_SHADER);
    unsigned pixel = p->pixel != 0;

    NO_DATA;
    s->bound_shader[pixel] = resource ? p->shader : 0;
    *(pixel ? &s->state.ps : &s->state.vs) = resource ? resource->u.shader : NULL;
    return ST_OK;
}

enum status exec_set_constants(struct cmd_stream *s, const struct cmd_set_constants *p,
                               const void *data, size_t data_bytes)
{
    struct draw_shader_constants *c = p->pixel ? &s->state.ps_constants : &s->state.vs_constants;
    static const struct {
        uint32_t count, bytes;
    } limit[] = {[CMD_FLOATS] = {DRAW_VS_FLOATS, 16},
                 [CMD_INTS] = {DRAW_INTS, 16},
                 [CMD_BOOLS] = {DRAW_BOOLS, 4}};
    uint8_t *base;

    if (p->kind > CMD_BOOLS || p->start > limit[p->kind].count ||
        p->count > limit[p->kind].count - p->start ||
        data_bytes < (size_t)p->count * limit[p->kind].bytes)
        return ST_INVALID;
    base = p->kind == CMD_FLOATS ? (uint8_t *)c->f
           : p->kind == CMD_INTS ? (uint8_t *)c->i
                                 : (uint8_t *)c->b;
    if (p->count)
        memcpy(base + (size_t)p->start * limit[p->kind].bytes, data,
               (size_t)p->count * limit[p->kind].bytes);
    return ST_OK;
}

enum status exec_set_target(struct cmd_stream *s, const struct cmd_set_target *p, const void *data,
                            size_t data_bytes)
{
    struct cmd_resource *resource = cmd_resource(s, p->surface.image, CMD_IMAGE);
    struct draw_target *target;

    NO_DATA;
    if (p->index > CMD_DEPTH_TARGET)
        return ST_INVALID;
    target = p->index == CMD_DEPTH_TARGET ? &s->state.depth : &s->state.target[p->index];
    s->bound.target[p->index] = resource ? p->surface.image : 0;
    *target = (struct draw_target){.image = resource ? resource->u.image : NULL,
                                   .face = p->surface.face,
                                   .level = p->surface.level};
    return ST_OK;
}

enum status exec_set_palette(struct cmd_stream *s, const struct cmd_set_palette *p,
                             const void *data, size_t data_bytes)
{
    NO_DATA;
    if (!memcmp(s->state.palette, p->colour, sizeof(p->colour)))
        return ST_OK;
    draw_flush(s->draw); /* samplers of the open scene read the palette */
    memcpy(s->state.palette, p->colour, sizeof(p->colour));
    return ST_OK;
}
