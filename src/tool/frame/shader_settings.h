/* Constants of a draw as comments in the text of a shader. */
#ifndef TOOL_FRAME_SHADER_SETTINGS_H
#define TOOL_FRAME_SHADER_SETTINGS_H

#include "draw/draw.h"

/* Lines "; set c4 1 0 0 1" for the constants that the program reads and does not define itself, as
 * `novem bench` reads them. text: its disassembly. The caller frees it with mem_free; NULL: out of
 * memory. */
char *frame_shader_settings(const struct vm_program *program, const char *text,
                            const struct draw_shader_constants *constants);

#endif
