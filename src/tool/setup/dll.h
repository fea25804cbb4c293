/* d3d9.dll beside a program: what is there, putting Novem's there, and taking it away. */
#ifndef TOOL_SETUP_DLL_H
#define TOOL_SETUP_DLL_H

#include "tool/setup/record.h"

#include <stdint.h>

/* A file in memory with its headers. */
struct dll_file {
    uint8_t *bytes;
    size_t n;
    char path[RECORD_PATH_BYTES];
    char version[32]; /* of Novem; empty: not Novem's */
    uint16_t machine; /* pe.h */
};

/* Reads a file; ->version is empty if it is not Novem's. ST_IO and ST_NOMEM as tool_file_read;
 * then *out holds nothing. */
MUST_CHECK enum status dll_read(struct dll_file *out, const char *path);
void dll_free(struct dll_file *dll);

/* Finds the d3d9.dll of a folder, in whatever case its name is. */
bool dll_find(const char *folder, char name[RECORD_NAME_BYTES]);

/* Puts `novem` into the folder. A file that is there and that no record names gets the name
 * d3d9.dll.before-novem. *record says afterwards what was done, and was_done describes it for the
 * user; false: a message has said why nothing was changed. */
bool dll_put(const struct dll_file *novem, const char *folder, struct record *record);
/* Undoes dll_put by the record and says what it does. A dll that is not Novem's stays. False: a
 * message has said what could not be done. */
bool dll_take_back(const char *folder, const struct record *record);

#endif
