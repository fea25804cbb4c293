/* What Linux and macOS have in different ways. Not in Windows builds. */
#ifndef UTIL_SYSTEM_H
#define UTIL_SYSTEM_H

#include <dirent.h>
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
/* Writes to this file whose reader has ended raise no SIGPIPE where a thread that blocks the signal
 * is no help: macOS sends it to the process. Elsewhere it does nothing. */
void system_forget_sigpipe(int file);

/* Memory that processes share under a name, "/name", until it is removed: a file that can be
 * mapped, read, locked with flock and listed. Linux: what shm_open gives. macOS, where such memory
 * can only be mapped: a file in the user's folder for temporary files. */
int system_shared_open(const char *name, int flags); /* as shm_open, with the mode 0600 */
void system_shared_remove(const char *name);
DIR *system_shared_list(void); /* names without the slash; NULL: they cannot be listed */

#endif
