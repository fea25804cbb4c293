/* Render to vertex buffer: textures whose texels draws read as vertex streams (reference:
 * vertices/stream-textures). Private to cmd. */
#ifndef CMD_STREAM_TEXTURES_H
#define CMD_STREAM_TEXTURES_H

#include "draw/draw.h"
#include "util/scratch.h"

struct cmd_stream;

enum { STREAM_TEXTURE_SAMPLERS = DRAW_SAMPLERS - DRAW_DISPLACEMENT_SAMPLER };

/* Texels of a texture row after row without gaps; image NULL: none. */
struct stream_texels {
    const struct tex_image *image;
    uint64_t version; /* of the image when it was copied */
    struct scratch memory;
};

/* Obeys a value of D3DRS_POINTSIZE; false: it is no command of R2VB. */
bool stream_textures_command(struct draw_state *state, uint32_t value);
/* The texture of a sampler has changed or goes away. */
void stream_textures_forget(struct cmd_stream *stream, unsigned sampler);
/* Lets the streams from `first` on read the textures that replace them; `kept` receives what
 * stream_textures_end restores. Flushes draws to the textures. */
MUST_CHECK enum status stream_textures_begin(struct cmd_stream *stream, unsigned first,
                                             struct draw_stream kept[DRAW_STREAMS]);
void stream_textures_end(struct cmd_stream *stream, const struct draw_stream kept[DRAW_STREAMS]);
void stream_textures_fini(struct cmd_stream *stream);

#endif
