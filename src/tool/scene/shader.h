/* Shaders of a scene, and the record of those that expectations cover. */
#ifndef TOOL_SCENE_SHADER_H
#define TOOL_SCENE_SHADER_H

#include "tool/scene/command.h"

/* --- shader_text.c ---------------------------------------------------------------------------- */

/* Assembles a shader; the scene owns the tokens. */
uint32_t *shader_assemble(struct scene *scene, const char *text, size_t *n);
/* The shader of a line `shader vs|ps …` with a block or a file: assembly, HLSL, an effect or byte
 * code. The scene owns the tokens. */
uint32_t *shader_text(struct scene *scene, bool pixel, size_t *n);
/* Whether HLSL can be compiled for the profile. */
bool shader_compiler_is_there(const char *profile);
/* --- shader.c --------------------------------------------------------------------------------- */

/* Creates and sets a shader; NULL unsets it. */
void shader_set(struct scene *scene, bool pixel, const uint32_t *tokens);

/* --- coverage.c ------------------------------------------------------------------------------- */

void coverage_shader(struct scene *scene, bool pixel, const uint32_t *tokens);
/* Records a draw; transformed vertices do not run the vertex shader. */
void coverage_draw(struct scene *scene, bool transformed);
void coverage_expectation_met(struct scene *scene); /* records a met expectation */

#endif
