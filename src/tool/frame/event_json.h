/* JSON of single events, of lists of events, and of what the frame uses. */
#ifndef TOOL_FRAME_EVENT_JSON_H
#define TOOL_FRAME_EVENT_JSON_H

#include "tool/frame/events.h"
#include "tool/frame/pictures.h"

/* The answer `frame`, from finished events. */
cJSON *frame_list_json(const struct frame_events *events, const struct frame_walk *walk);
/* The answer `resources`. */
cJSON *frame_resources_json(const struct frame_events *events, const struct frame_walk *walk);
/* The answer `shader/ID`. */
cJSON *frame_shader_json(const struct frame_shader *shader);

/* The answer `event/CALL`, without targets, before its packet runs. call: NULL, or of the event. */
cJSON *frame_event_json(const struct frame_event *event, const struct trace_call *call);
/* Adds the targets with pictures before and after; before, after: NULL: none. */
void frame_event_add_targets(cJSON *object, const struct frame_event *event,
                             const struct frame_picture *const before[FRAME_TARGETS],
                             const struct frame_picture *const after[FRAME_TARGETS]);
/* Adds states, textures, shaders, constants, streams, indices and declaration of a draw. previous:
 * the state of the draw before; NULL: there was none. up: the vertices come with the call. */
void frame_event_add_draw(cJSON *object, const struct draw_state *state,
                          const struct draw_state *previous, struct frame_walk *walk,
                          const struct cmd_stream *stream, bool up, uint32_t samplers,
                          const struct frame_shader *const shaders[2],
                          const struct vm_program *const programs[2]);
/* The states of a draw, in the order of answers. */
cJSON *frame_states_json(const struct draw_state *state, const struct draw_state *previous,
                         uint32_t samplers);
/* The constants that the programs read. */
cJSON *frame_constants_json(const struct draw_state *state, const struct draw_state *previous,
                            const struct vm_program *const programs[2]);

#endif
