/* What Linux and macOS have in different ways. Not in Windows builds. */
#ifndef UTIL_SYSTEM_H
#define UTIL_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The environment: "name=value", up to NULL. */
char **system_environment(void);
/* Processors that this process may use; at least 1. */
unsigned system_processors(void);
/* The path of the running program. False: unknown, or longer than the buffer. */
bool system_program_path(char *out, size_t size);
/* Gives a file this size and room on its disk, so that no later write fails for lack of it. Returns
 * 0 or a number of errno. */
int system_reserve_file(int file, uint64_t bytes);
/* Takes a blocked signal away that is pending for this thread; none: returns at once. */
void system_take_signal(int signal);

#endif
