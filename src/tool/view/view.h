/* Viewer of the frames that a running program writes to shared memory. */
#ifndef TOOL_VIEW_VIEW_H
#define TOOL_VIEW_VIEW_H

int tool_view(int argc, char **argv); /* `novem view` */

#endif
