/* Memory-mapped files for other processes, on native systems and for Windows programs under Wine,
 * on the host's file system. Private to present. */
#ifndef PRESENT_SHARED_MAPPED_H
#define PRESENT_SHARED_MAPPED_H

#include "util/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPPED_PATH_BYTES = 1024 };

/* All zero: no file. */
struct mapped {
    uint8_t *bytes;
    size_t size;
    uint64_t file, volume; /* file identity, where the system reports one */
    int descriptor;        /* of the open file; not on Windows */
};

/* Builds the path of a name. A name with a slash is a path (of the host, also under Wine), else the
 * file is novem-NAME in /dev/shm, or in /tmp if there is no /dev/shm. Returns false if it is too
 * long. */
bool mapped_path(char path[MAPPED_PATH_BYTES], const char *name);
/* Both functions refuse a symbolic link, anything else than a regular file, a file of another user,
 * and a file that does not begin with the magic number. An empty file is allowed; magic 0 allows
 * any content. They allocate the disk space in full, so that later writes cannot fail, and log
 * failures. */
/* Creates a new zeroed file in place of an existing one; processes that map the old file keep it.
 */
MUST_CHECK enum status mapped_create(struct mapped *out, const char *path, size_t size,
                                     uint32_t magic);
/* Maps the first `size` bytes of a file; creates or extends the file to file_bytes. A file of that
 * size or more may also begin with a page of zeros: launchers create it so. */
MUST_CHECK enum status mapped_open(struct mapped *out, const char *path, uint64_t file_bytes,
                                   size_t size, uint32_t magic);
/* Returns false, logged, if another program has truncated the file: a write would raise SIGBUS. */
bool mapped_is_whole(const struct mapped *mapped, const char *path);
void mapped_close(struct mapped *mapped);
/* Removes the file at the path if it is this one. */
void mapped_remove(const struct mapped *mapped, const char *path);

#endif
