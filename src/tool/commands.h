/* Commands of `novem` that need no folder of their own. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

int tool_config(int argc, char **argv);
int tool_r500(int argc, char **argv);
int tool_scene(int argc, char **argv);

#endif
