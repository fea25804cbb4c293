/* Files as memory that other programs see, natively and from Windows programs under Wine, on the
 * host's file system. Private to present. */
#ifndef PRESENT_MAPPED_H
#define PRESENT_MAPPED_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPPED_PATH_BYTES = 1024 };

/* Zeroed: none. */
struct mapped {
    uint8_t *bytes;
    size_t size;
    uint64_t file, volume; /* which file it is, where the system tells */
};

/* The file of a name: with a slash it is a path (of the host, under Wine too), else it is
 * novem-NAME where shared memory is kept: /dev/shm, or /tmp where there is none. False: too long.
 */
bool mapped_path(char path[MAPPED_PATH_BYTES], const char *name);
/* A new file of zeros in the place of what was there; programs that see the old one keep it. The
 * memory is there in full, so that writing to it cannot fail later. Failures are logged. */
MUST_CHECK enum status mapped_create(struct mapped *out, const char *path, size_t size);
/* The beginning of a file, which is made, or made longer, to have file_bytes. */
MUST_CHECK enum status mapped_open(struct mapped *out, const char *path, uint64_t file_bytes,
                                   size_t size);
void mapped_close(struct mapped *mapped);
/* Removes the file of that path if it is this one. */
void mapped_remove(const struct mapped *mapped, const char *path);

#ifndef _WIN32
/* All of a file, to read. ST_NOTFOUND: there is none of the path, or it is `known` (may be NULL)
 * itself, or empty. */
MUST_CHECK enum status mapped_read(struct mapped *out, const char *path,
                                   const struct mapped *known);
#endif

#endif
