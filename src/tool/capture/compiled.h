/* `novem info` and `novem dump` of a compiled stream. */
#ifndef TOOL_CAPTURE_COMPILED_H
#define TOOL_CAPTURE_COMPILED_H

#include <stdint.h>

int tool_info_compiled(const char *command, const char *file);
int tool_dump_compiled(const char *command, const char *file, const char *name, uint64_t from,
                       uint64_t to);

#endif
