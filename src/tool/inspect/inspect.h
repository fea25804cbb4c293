/* Inspection: history of a pixel, dump of a frame, and search for the first wrong draw, with debug
 * hooks in a replay. */
#ifndef TOOL_INSPECT_INSPECT_H
#define TOOL_INSPECT_INSPECT_H

int tool_pixel(int argc, char **argv);
int tool_frame(int argc, char **argv);
int tool_bisect(int argc, char **argv); /* `novem golden bisect`; argv[0] is "bisect" */

#endif
