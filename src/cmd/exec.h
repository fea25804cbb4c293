/* Declares the packet executors: one exec_<name>(stream, packet, data, data_bytes) for each packet
 * type. Private to cmd. */
#ifndef CMD_EXEC_H
#define CMD_EXEC_H

#include "cmd/stream.h"

enum status exec_set_render_state(struct cmd_stream *s, const struct cmd_set_render_state *p,
                                  const void *data, size_t data_bytes);
enum status exec_set_sampler_state(struct cmd_stream *s, const struct cmd_set_sampler_state *p,
                                   const void *data, size_t data_bytes);
enum status exec_set_stage_state(struct cmd_stream *s, const struct cmd_set_stage_state *p,
                                 const void *data, size_t data_bytes);
enum status exec_set_texture(struct cmd_stream *s, const struct cmd_set_texture *p,
                             const void *data, size_t data_bytes);
enum status exec_set_texture_lod(struct cmd_stream *s, const struct cmd_set_texture_lod *p,
                                 const void *data, size_t data_bytes);
enum status exec_set_transform(struct cmd_stream *s, const struct cmd_set_transform *p,
                               const void *data, size_t data_bytes);
enum status exec_set_material(struct cmd_stream *s, const struct cmd_set_material *p,
                              const void *data, size_t data_bytes);
enum status exec_set_lights(struct cmd_stream *s, const struct cmd_set_lights *p, const void *data,
                            size_t data_bytes);
enum status exec_set_clip_plane(struct cmd_stream *s, const struct cmd_set_clip_plane *p,
                                const void *data, size_t data_bytes);
enum status exec_set_viewport(struct cmd_stream *s, const struct cmd_set_viewport *p,
                              const void *data, size_t data_bytes);
enum status exec_set_scissor(struct cmd_stream *s, const struct cmd_set_scissor *p,
                             const void *data, size_t data_bytes);
enum status exec_set_stream(struct cmd_stream *s, const struct cmd_set_stream *p, const void *data,
                            size_t data_bytes);
enum status exec_set_stream_frequency(struct cmd_stream *s,
                                      const struct cmd_set_stream_frequency *p, const void *data,
                                      size_t data_bytes);
enum status exec_set_indices(struct cmd_stream *s, const struct cmd_set_indices *p,
                             const void *data, size_t data_bytes);
enum status exec_set_declaration(struct cmd_stream *s, const struct cmd_set_declaration *p,
                                 const void *data, size_t data_bytes);
enum status exec_set_shader(struct cmd_stream *s, const struct cmd_set_shader *p, const void *data,
                            size_t data_bytes);
enum status exec_set_constants(struct cmd_stream *s, const struct cmd_set_constants *p,
                               const void *data, size_t data_bytes);
enum status exec_set_target(struct cmd_stream *s, const struct cmd_set_target *p, const void *data,
                            size_t data_bytes);
enum status exec_set_palette(struct cmd_stream *s, const struct cmd_set_palette *p,
                             const void *data, size_t data_bytes);
enum status exec_clear(struct cmd_stream *s, const struct cmd_clear *p, const void *data,
                       size_t data_bytes);
enum status exec_draw(struct cmd_stream *s, const struct cmd_draw *p, const void *data,
                      size_t data_bytes);
enum status exec_draw_up(struct cmd_stream *s, const struct cmd_draw_up *p, const void *data,
                         size_t data_bytes);
enum status exec_draw_patch(struct cmd_stream *s, const struct cmd_draw_patch *p, const void *data,
                            size_t data_bytes);
enum status exec_process_vertices(struct cmd_stream *s, const struct cmd_process_vertices *p,
                                  const void *data, size_t data_bytes);
enum status exec_copy(struct cmd_stream *s, const struct cmd_copy *p, const void *data,
                      size_t data_bytes);
enum status exec_stretch(struct cmd_stream *s, const struct cmd_stretch *p, const void *data,
                         size_t data_bytes);
enum status exec_fill(struct cmd_stream *s, const struct cmd_fill *p, const void *data,
                      size_t data_bytes);
enum status exec_generate_mips(struct cmd_stream *s, const struct cmd_generate_mips *p,
                               const void *data, size_t data_bytes);
enum status exec_begin_query(struct cmd_stream *s, const struct cmd_begin_query *p,
                             const void *data, size_t data_bytes);
enum status exec_end_query(struct cmd_stream *s, const struct cmd_end_query *p, const void *data,
                           size_t data_bytes);
enum status exec_present(struct cmd_stream *s, const struct cmd_present *p, const void *data,
                         size_t data_bytes);
enum status exec_set_clip_status(struct cmd_stream *s, const struct cmd_set_clip_status *p,
                                 const void *data, size_t data_bytes);
enum status exec_set_software(struct cmd_stream *s, const struct cmd_set_software *p,
                              const void *data, size_t data_bytes);
enum status exec_destroy(struct cmd_stream *s, const struct cmd_destroy *p, const void *data,
                         size_t data_bytes);
enum status exec_set_backing(struct cmd_stream *s, const struct cmd_set_backing *p,
                             const void *data, size_t data_bytes);
enum status exec_touch(struct cmd_stream *s, const struct cmd_touch *p, const void *data,
                       size_t data_bytes);
enum status exec_write_buffer(struct cmd_stream *s, const struct cmd_write_buffer *p,
                              const void *data, size_t data_bytes);
enum status exec_write_image(struct cmd_stream *s, const struct cmd_write_image *p,
                             const void *data, size_t data_bytes);
enum status exec_set_npatch(struct cmd_stream *s, const struct cmd_set_npatch *p, const void *data,
                            size_t data_bytes);
enum status exec_compose_rects(struct cmd_stream *s, const struct cmd_compose_rects *p,
                               const void *data, size_t data_bytes);

#define NO_DATA ((void)data, (void)data_bytes)

#endif
