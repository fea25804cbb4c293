/* Opens files for writing without destroying the files of another device or program. */
#ifndef UTIL_OUTPUT_FILE_H
#define UTIL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_PATH_BYTES = 1024 };

/* All functions return a descriptor above 2, so that messages to a closed stderr never enter a
 * file, or -1 with errno. */

/* Opens the file of a name that the user gave, and empties it; follows symbolic links. If this
 * process has opened the file here before, or a running program has it open, the file is new and
 * called NAME-2.EXT, or has the next number that no file has. path receives its name. A pipe or a
 * device is opened as it is; without a reader errno is ENXIO. */
int output_file_open(char path[OUTPUT_PATH_BYTES], const char *name);
/* Opens and empties a file as output_file_open does. EBUSY: a running program has it open by one of
 * these two functions. */
int output_file_take(const char *path);
/* Opens a file whose name Novem made, and empties it. A symbolic link, a pipe or a device is
 * EEXIST. */
int output_file_replace(const char *path);
/* Creates a file; EEXIST if the name is in use. */
int output_file_create(const char *path);
/* Length of a name without its extension. */
size_t output_file_stem(const char *name);
/* Removes an output that is not complete. Devices, pipes and links stay, and so does errno. */
void output_file_discard(const char *path);
/* Lets writes wait for the reader of a pipe. */
bool output_file_wait(int file);
/* Moves an open descriptor above 2. */
int output_file_above(int file);

#endif
