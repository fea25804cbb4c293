/* Captures and compiled streams: commands that record, replay, convert and print them. */
#ifndef TOOL_CAPTURE_CAPTURE_H
#define TOOL_CAPTURE_CAPTURE_H

int tool_record(int argc, char **argv);
int tool_replay(int argc, char **argv);
int tool_compile(int argc, char **argv);
int tool_info(int argc, char **argv);
int tool_dump(int argc, char **argv);
int tool_captures(int argc, char **argv);

#endif
