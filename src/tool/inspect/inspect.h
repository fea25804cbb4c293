/* Inspection: history of a pixel, with debug hooks in a replay. */
#ifndef TOOL_INSPECT_INSPECT_H
#define TOOL_INSPECT_INSPECT_H

int tool_pixel(int argc, char **argv);

#endif
