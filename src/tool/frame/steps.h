/* Steps of a shader: what each instruction does for one vertex or one pixel of a draw. */
#ifndef TOOL_FRAME_STEPS_H
#define TOOL_FRAME_STEPS_H

#include "tool/frame/walk.h"

#include <cjson/cJSON.h>

/* An answer has at most that many steps. */
enum { FRAME_STEPS = 16384 };

/* Which invocation is meant. */
struct frame_invocation {
    uint64_t call;
    bool pixel;
    uint32_t x, y;     /* pixel */
    uint64_t number;   /* of the primitive (32 bits), or of the vertex as `mesh/CALL` lists it */
    uint32_t instance; /* from 0 */
};

/* Parses "steps/CALL/pixel/X/Y/PRIMITIVE" and "steps/CALL/vertex/NUMBER", each with "/INSTANCE" or
 * without. False: the key is another one. */
bool frame_steps_parse(const char *key, struct frame_invocation *out);

/* The answer: an object with the steps, or with the reason why there are none. Runs the frame up to
 * the call. ST_NOTFOUND: the frame has no draw with that call. */
MUST_CHECK enum status frame_steps_json(struct frame_walk *walk,
                                        const struct frame_invocation *wanted, cJSON **out);

/* --- steps_values.c: what a program reads and writes ------------------------------------------ */

/* [{"register": "t0", "name": "TEXCOORD0", "mask": "xy", "value": [0.5, 1]}, …]. Slot s of the lane
 * is at values[s * VM_LANES]. */
cJSON *frame_inputs_json(const struct vm_program *program, const float *values);
cJSON *frame_vertex_outputs_json(const struct vm_program *program, const float *values);
/* The constants that the program reads or defines, with their names. A program made of the fixed
 * function has only those that it defines. */
cJSON *frame_step_constants_json(const struct draw_state *state, const struct vm_program *program,
                                 bool pixel);
/* Adds the letters of the components, as "xyw". */
void frame_add_mask(cJSON *object, const char *key, unsigned mask);
/* Appends a register with the components of a mask. name: NULL: none. */
void frame_add_register(cJSON *list, const char *reg, const char *name, unsigned mask,
                        const float value[4]);

#endif
