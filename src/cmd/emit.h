/* Defines one typed emitter for each command packet of packets.def. Included by cmd/cmd.h. */
#ifndef CMD_EMIT_H
#define CMD_EMIT_H

#include "cmd/packets.h"
#include "util/status.h"

#include <stddef.h>

struct cmd_stream;

/* Reserves memory for the data of the next packet. If the data fits into the ring, cmd_emit need
 * not copy it. NULL: no memory is available. */
void *cmd_reserve_data(struct cmd_stream *stream, size_t packet_bytes, size_t data_bytes);
/* data: the bytes that follow the packet (see packets.h); NULL if data_bytes is 0. cmd_emit copies
 * them unless they are already in place. */
MUST_CHECK enum status cmd_emit(struct cmd_stream *stream, enum cmd_op op, const void *packet,
                                size_t packet_bytes, const void *data, size_t data_bytes);

MUST_CHECK static inline enum status
cmd_emit_set_render_state(struct cmd_stream *stream, const struct cmd_set_render_state *packet,
                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_RENDER_STATE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_sampler_state(struct cmd_stream *stream, const struct cmd_set_sampler_state *packet,
                           const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_SAMPLER_STATE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_stage_state(struct cmd_stream *stream, const struct cmd_set_stage_state *packet,
                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_STAGE_STATE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_texture(struct cmd_stream *stream,
                                                          const struct cmd_set_texture *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_TEXTURE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_texture_lod(struct cmd_stream *stream, const struct cmd_set_texture_lod *packet,
                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_TEXTURE_LOD, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_transform(struct cmd_stream *stream,
                                                            const struct cmd_set_transform *packet,
                                                            const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_TRANSFORM, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_material(struct cmd_stream *stream,
                                                           const struct cmd_set_material *packet,
                                                           const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_MATERIAL, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_lights(struct cmd_stream *stream,
                                                         const struct cmd_set_lights *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_LIGHTS, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_clip_plane(struct cmd_stream *stream, const struct cmd_set_clip_plane *packet,
                        const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_CLIP_PLANE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_viewport(struct cmd_stream *stream,
                                                           const struct cmd_set_viewport *packet,
                                                           const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_VIEWPORT, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_scissor(struct cmd_stream *stream,
                                                          const struct cmd_set_scissor *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_SCISSOR, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_stream(struct cmd_stream *stream,
                                                         const struct cmd_set_stream *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_STREAM, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_stream_frequency(struct cmd_stream *stream,
                              const struct cmd_set_stream_frequency *packet, const void *data,
                              size_t bytes)
{
    return cmd_emit(stream, CMD_SET_STREAM_FREQUENCY, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_indices(struct cmd_stream *stream,
                                                          const struct cmd_set_indices *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_INDICES, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_declaration(struct cmd_stream *stream, const struct cmd_set_declaration *packet,
                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_DECLARATION, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_shader(struct cmd_stream *stream,
                                                         const struct cmd_set_shader *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_SHADER, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_constants(struct cmd_stream *stream,
                                                            const struct cmd_set_constants *packet,
                                                            const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_CONSTANTS, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_target(struct cmd_stream *stream,
                                                         const struct cmd_set_target *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_TARGET, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_palette(struct cmd_stream *stream,
                                                          const struct cmd_set_palette *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_PALETTE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_clear(struct cmd_stream *stream,
                                                    const struct cmd_clear *packet,
                                                    const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_CLEAR, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_draw(struct cmd_stream *stream,
                                                   const struct cmd_draw *packet, const void *data,
                                                   size_t bytes)
{
    return cmd_emit(stream, CMD_DRAW, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_draw_up(struct cmd_stream *stream,
                                                      const struct cmd_draw_up *packet,
                                                      const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_DRAW_UP, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_draw_patch(struct cmd_stream *stream,
                                                         const struct cmd_draw_patch *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_DRAW_PATCH, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_process_vertices(struct cmd_stream *stream, const struct cmd_process_vertices *packet,
                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_PROCESS_VERTICES, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_copy(struct cmd_stream *stream,
                                                   const struct cmd_copy *packet, const void *data,
                                                   size_t bytes)
{
    return cmd_emit(stream, CMD_COPY, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_stretch(struct cmd_stream *stream,
                                                      const struct cmd_stretch *packet,
                                                      const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_STRETCH, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_fill(struct cmd_stream *stream,
                                                   const struct cmd_fill *packet, const void *data,
                                                   size_t bytes)
{
    return cmd_emit(stream, CMD_FILL, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_generate_mips(struct cmd_stream *stream,
                                                            const struct cmd_generate_mips *packet,
                                                            const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_GENERATE_MIPS, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_begin_query(struct cmd_stream *stream,
                                                          const struct cmd_begin_query *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_BEGIN_QUERY, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_end_query(struct cmd_stream *stream,
                                                        const struct cmd_end_query *packet,
                                                        const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_END_QUERY, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_present(struct cmd_stream *stream,
                                                      const struct cmd_present *packet,
                                                      const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_PRESENT, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status
cmd_emit_set_clip_status(struct cmd_stream *stream, const struct cmd_set_clip_status *packet,
                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_CLIP_STATUS, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_software(struct cmd_stream *stream,
                                                           const struct cmd_set_software *packet,
                                                           const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_SOFTWARE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_destroy(struct cmd_stream *stream,
                                                      const struct cmd_destroy *packet,
                                                      const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_DESTROY, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_backing(struct cmd_stream *stream,
                                                          const struct cmd_set_backing *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_BACKING, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_touch(struct cmd_stream *stream,
                                                    const struct cmd_touch *packet,
                                                    const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_TOUCH, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_write_buffer(struct cmd_stream *stream,
                                                           const struct cmd_write_buffer *packet,
                                                           const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_WRITE_BUFFER, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_write_image(struct cmd_stream *stream,
                                                          const struct cmd_write_image *packet,
                                                          const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_WRITE_IMAGE, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_set_npatch(struct cmd_stream *stream,
                                                         const struct cmd_set_npatch *packet,
                                                         const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_SET_NPATCH, packet, sizeof(*packet), data, bytes);
}

MUST_CHECK static inline enum status cmd_emit_compose_rects(struct cmd_stream *stream,
                                                            const struct cmd_compose_rects *packet,
                                                            const void *data, size_t bytes)
{
    return cmd_emit(stream, CMD_COMPOSE_RECTS, packet, sizeof(*packet), data, bytes);
}

#endif
