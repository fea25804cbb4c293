/* `novem edit`: a capture in which draws have other shaders, states or constants. */
#ifndef TOOL_EDIT_EDIT_H
#define TOOL_EDIT_EDIT_H

int tool_edit(int argc, char **argv);

#endif
