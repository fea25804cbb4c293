/* Parts of a frame in files: state, vertices and surfaces of a draw; the draws of a capture. */
#ifndef TOOL_INSPECT_FRAME_H
#define TOOL_INSPECT_FRAME_H

#include "cmd/cmd.h"
#include "draw/draw.h"
#include "tool/image/image.h"

#include <stdio.h>

/* --- states.c: the state of a draw as text ---------------------------------------------------- */

/* Prints every state that differs from Direct3D's default, one per line; samplers and stages only
 * of the masks. */
void inspect_states_print(FILE *out, const struct draw_state *state, uint32_t samplers,
                          uint32_t stages);

/* --- mesh.c: vertices of a draw --------------------------------------------------------------- */

/* Draws the first instance outside of the scissor, so that hooks see its vertices and no pixel
 * changes. `resume` is the current set of debug hooks. */
MUST_CHECK enum status inspect_vertices_run(struct draw *draw, const struct draw_state *state,
                                            const struct draw_args *args,
                                            struct draw_debug_hooks *hooks,
                                            struct draw_debug_hooks *resume);
/* Writes the primitives of the first instance as two OBJ files: `fetched` has the vertex shader's
 * inputs, `projected` its outputs in screen space. `resume` is the current set of debug
 * hooks. */
MUST_CHECK enum status inspect_mesh_write(struct draw *draw, const struct draw_state *state,
                                          const struct draw_args *args,
                                          struct draw_debug_hooks *resume, const char *fetched,
                                          const char *projected);

/* --- probe.c: one primitive at one pixel ------------------------------------------------------ */

/* The number of instances that a draw has. */
uint32_t inspect_instances(const struct draw_state *state, const struct draw_args *args);
/* Draws a primitive of instance args->instance at the pixel x, y, without culling and without the
 * tests after the shader, so that hooks see its shaders; restores the targets. Primitive
 * and instance exist. `resume` is the current set of debug hooks. */
MUST_CHECK enum status inspect_pixel_run(struct draw *draw, const struct draw_state *state,
                                         const struct draw_args *args, uint32_t x, uint32_t y,
                                         uint32_t primitive, struct draw_debug_hooks *hooks,
                                         struct draw_debug_hooks *resume);

/* --- picture.c: surfaces as pictures ---------------------------------------------------------- */

/* Reads the surface with samples averaged; the caller frees with tool_image_fini. ST_UNSUPPORTED if
 * the surface cannot be shown. */
MUST_CHECK enum status inspect_picture_read(const struct draw_target *target,
                                            struct tool_image *out);

/* --- target_draws.c: draws to render targets -------------------------------------------------- */

/* A call that draws or clears colour. */
struct inspect_target_draw {
    uint64_t call, frame;
    unsigned stream;
    cmd_handle image; /* target 0 after the call */
    uint32_t face, level;
    bool clear;
};
struct inspect_target_draws {
    struct inspect_target_draw *draw;
    size_t n, max;
};
/* Lists all such calls of a capture; the caller frees `draw` with mem_free. Returns TOOL_OK, or
 * TOOL_ERROR after an error message. */
int inspect_target_draws_gather(struct inspect_target_draws *out, const char *command,
                                const char *file);
/* Reads render target 0 after a call; the caller frees with tool_image_fini. */
int inspect_target_take(struct tool_image *out, const char *command, const char *file,
                        uint64_t call);

#endif
