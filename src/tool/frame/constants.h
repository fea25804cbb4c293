/* Names of a shader's constants, from the constant table that the HLSL compiler leaves in it. */
#ifndef TOOL_FRAME_CONSTANTS_H
#define TOOL_FRAME_CONSTANTS_H

#include "vm/vm.h"

enum frame_register { FRAME_BOOL, FRAME_INT, FRAME_FLOAT, FRAME_SAMPLER };
enum { FRAME_CONSTANT_NAME = 96 };

/* The name of a register: "world[1]" for the second register of `world`, "colour" for one that has
 * a single register. False: the shader has no table, or the table has no such register. Names are
 * any bytes. */
bool frame_constant_name(char out[FRAME_CONSTANT_NAME], const struct vm_program *program,
                         enum frame_register set, unsigned index);

#endif
