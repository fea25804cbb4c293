/* Render to vertex buffer: binds the texels of textures as vertex streams for a draw (reference:
 * vertices/stream-textures).
 *
 * Vertices follow one another without gaps, but rows of images have padding, so draws read a copy.
 * It lasts until the image or its contents change.
 *
 * Tested by tests/unit/cmd/test_stream_textures.c and tests/conformance/vertices. */
#include "cmd/stream_textures.h"

#include "cmd/stream.h"

#include <string.h>

/* --- Commands --------------------------------------------------------------------------------- */

bool stream_textures_command(struct draw_state *state, uint32_t value)
{
    uint32_t stream = value & 15, sampler = value >> 4 & 7;

    switch (value & CMD_R2VB_MASK) {
    case CMD_R2VB_ENABLE:
        state->textures_as_streams = value & 1;
        return true;
    case CMD_R2VB_STREAM:
        if (sampler <= CMD_R2VB_NO_SAMPLER)
            state->stream_sampler[stream] =
                sampler < CMD_R2VB_NO_SAMPLER ? (uint8_t)(DRAW_DISPLACEMENT_SAMPLER + sampler) : 0;
        return true;
    default:
        return false;
    }
}

/* --- Texels ----------------------------------------------------------------------------------- */

static bool is_target(const struct draw_state *state, const struct tex_image *image)
{
    bool found = state->depth.image == image;

    for (unsigned t = 0; t < DRAW_TARGETS; t++)
        found = found || state->target[t].image == image;
    return found;
}

/* Whether the texels can be vertices: of a two-dimensional texture without blocks. */
static bool has_vertices(const struct tex_image *image)
{
    return image && image->desc.shape == TEX_2D && image->format->block_w == 1 &&
           image->format->block_h == 1 && image->format->layout != TEX_LAYOUT_RAW &&
           image->format->layout != TEX_LAYOUT_DEPTH;
}

static enum status copy_rows(struct stream_texels *texels, const struct tex_image *image,
                             size_t row_bytes)
{
    const struct tex_level *level = image->level;
    uint8_t *to;

    if (texels->image == image && texels->version == image->version && !image->shared)
        return ST_OK;
    to = scratch_get(&texels->memory, row_bytes * level->height);
    texels->image = to ? image : NULL;
    texels->version = image->version;
    for (uint32_t y = 0; to && y < level->height; y++)
        memcpy(to + y * row_bytes, level->data + (size_t)y * level->row_pitch, row_bytes);
    return to ? ST_OK : ST_NOMEM;
}

/* A stream whose sampler has no such texture reads zeros. */
static enum status bind_texels(struct cmd_stream *stream, struct draw_stream *to, unsigned sampler)
{
    struct stream_texels *texels = &stream->stream_texels[sampler - DRAW_DISPLACEMENT_SAMPLER];
    struct tex_image *image = stream->state.texture[sampler].image;
    const struct tex_level *level;
    size_t row_bytes;
    enum status st;

    to->data = NULL;
    to->size = 0;
    if (!has_vertices(image))
        return ST_OK;
    draw_sync(stream->draw, image);
    level = image->level;
    row_bytes = (size_t)level->width * image->format->bytes;
    to->size = row_bytes * level->height;
    if (row_bytes == level->row_pitch && !is_target(&stream->state, image)) {
        to->data = level->data;
        return ST_OK;
    }
    st = copy_rows(texels, image, row_bytes);
    to->data = texels->memory.data;
    return st;
}

void stream_textures_forget(struct cmd_stream *stream, unsigned sampler)
{
    if (sampler >= DRAW_DISPLACEMENT_SAMPLER)
        stream->stream_texels[sampler - DRAW_DISPLACEMENT_SAMPLER].image = NULL;
}

/* --- Draws ------------------------------------------------------------------------------------ */

enum status stream_textures_begin(struct cmd_stream *stream, unsigned first,
                                  struct draw_stream kept[DRAW_STREAMS])
{
    struct draw_state *state = &stream->state;
    enum status st = ST_OK;

    memcpy(kept, state->stream, sizeof(state->stream));
    for (unsigned i = first; i < DRAW_STREAMS && st == ST_OK; i++)
        if (state->stream_sampler[i])
            st = bind_texels(stream, &state->stream[i], state->stream_sampler[i]);
    return st;
}

void stream_textures_end(struct cmd_stream *stream, const struct draw_stream kept[DRAW_STREAMS])
{
    memcpy(stream->state.stream, kept, sizeof(stream->state.stream));
}

void stream_textures_fini(struct cmd_stream *stream)
{
    for (unsigned i = 0; i < STREAM_TEXTURE_SAMPLERS; i++)
        scratch_fini(&stream->stream_texels[i].memory);
}
