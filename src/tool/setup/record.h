/* The record of what `novem setup-wine` has done for a program: a small text file beside it. */
#ifndef TOOL_SETUP_RECORD_H
#define TOOL_SETUP_RECORD_H

#include "tool/setup/wine.h"
#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECORD_NAME_BYTES = 256, RECORD_PREFIXES = 16, RECORD_PATH_BYTES = 4096 };

struct record {
    char dll[RECORD_NAME_BYTES]; /* file that was put there; empty: none was */
    char
        backup[RECORD_NAME_BYTES]; /* name that the program's own dll has now; empty: it had none */
    struct {
        char prefix[WINE_PATH_BYTES];
        bool had_value;                /* the override had another value before, */
        char before[WINE_VALUE_BYTES]; /* this one */
    } overrides[RECORD_PREFIXES];      /* that were set */
    unsigned override_count;
};

/* Path of the record of a program ("game.exe") in a folder. False: too long. */
bool record_path(const char *folder, const char *program, char out[RECORD_PATH_BYTES]);
/* ST_NOTFOUND: there is none, and *out is empty. ST_DAMAGED: the file is no record. ST_IO: see
 * errno. */
MUST_CHECK enum status record_read(struct record *out, const char *path);
/* ST_IO: see errno. */
MUST_CHECK enum status record_write(const struct record *record, const char *path);
/* Finds a program of the folder other than this one whose record has a dll. Returns false if there
 * is none; else *out is its record and name its name. */
bool record_of_other(const char *folder, const char *program, struct record *out,
                     char name[RECORD_NAME_BYTES]);

#endif
