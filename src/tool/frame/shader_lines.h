/* Lines of a shader's disassembly, and the instructions that they show. */
#ifndef TOOL_FRAME_SHADER_LINES_H
#define TOOL_FRAME_SHADER_LINES_H

#include "vm/vm.h"

#include <cjson/cJSON.h>

enum { FRAME_NO_LINE = UINT32_MAX };
/* The line of `text`, the program's disassembly, that shows each instruction, counted from 0;
 * FRAME_NO_LINE: none does. `line` has vm_program_length elements. ST_NOMEM. */
MUST_CHECK enum status frame_instruction_lines(const struct vm_program *program, const char *text,
                                               uint32_t *line);
/* The lines as [{"text": "mov r0, c0", "instruction": true}, …]. */
cJSON *frame_shader_lines(const char *text);

#endif
