/* Creates the file of a capture, which one process at a time may write. */
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens path for writing and drops its contents. ST_BUSY: a living process records to it. */
MUST_CHECK enum status record_file_open(FILE **out, const char *path);

/* Writes and flushes. False with errno: not all is written; a closed pipe raises no signal. */
bool record_file_write(FILE *file, const void *bytes, size_t n);

/* The nth name to try for a capture, from 0: "game.trace", "game-<process number>.trace",
 * "game-<process number>-2.trace". ST_INVALID: it is too long. */
MUST_CHECK enum status record_file_name(char *out, size_t size, const char *path, unsigned n);

#endif
