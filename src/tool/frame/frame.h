/* A frame of a capture: its data, and the first draw that differs from another implementation's. */
#ifndef TOOL_FRAME_FRAME_H
#define TOOL_FRAME_FRAME_H

#include "tool/frame/walk.h"

int tool_frame(int argc, char **argv);
int tool_diff_state(int argc, char **argv);
int tool_profile(int argc, char **argv);
int tool_bisect(int argc, char **argv); /* `novem golden bisect`; argv[0] is "bisect" */

/* Writes the files of `novem frame` for one call; call UINT64_MAX: all calls of the frame. */
int frame_files_write(const char *command, const char *file, uint64_t frame, uint64_t call,
                      const char *folder);

#endif
