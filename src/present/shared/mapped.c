/* Memory-mapped files with mmap; mapped_windows.c implements them for Windows. */
#ifndef _WIN32

#include "present/shared/mapped.h"

#include "util/log.h"
#include "util/output_file.h"
#include "util/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool mapped_path(char path[MAPPED_PATH_BYTES], const char *name)
{
    const char *place = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    int n = strchr(name, '/') ? snprintf(path, MAPPED_PATH_BYTES, "%s", name)
                              : snprintf(path, MAPPED_PATH_BYTES, "%s/novem-%s", place, name);

    return n < MAPPED_PATH_BYTES;
}

static enum status map(struct mapped *out, int file, size_t size)
{
    struct stat about;
    void *bytes;

    if (fstat(file, &about))
        return ST_IO;
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return errno == ENOMEM ? ST_NOMEM : ST_IO;
    *out = (struct mapped){bytes, size, (uint64_t)about.st_ino, (uint64_t)about.st_dev, file};
    return ST_OK;
}

/* Allocates the disk space: writing to a sparse mapping raises SIGBUS when the disk is full. */
static enum status allocate_blocks(int file, uint64_t size)
{
    int error = system_reserve_file(file, size);

    errno = error;
    return error ? ST_IO : ST_OK;
}

/* --- Existing files --------------------------------------------------------------------------- */

/* Whether the start of the file, at least a page, is zero. */
static bool is_blank(int file)
{
    static const uint8_t zeros[4096];
    uint8_t start[sizeof(zeros)];

    return pread(file, start, sizeof(start), 0) == sizeof(start) &&
           !memcmp(start, zeros, sizeof(zeros));
}

/* Why the open file is not one of Novem's; NULL: it is. blank_bytes: a file of this size or more
 * may be blank; 0: none may. */
static const char *refusal(int file, uint32_t magic, uint64_t blank_bytes)
{
    uint32_t word = 0;
    struct stat about;

    if (fstat(file, &about))
        return strerror(errno);
    if (!S_ISREG(about.st_mode))
        return "not a regular file";
    if (about.st_uid != geteuid())
        return "the file of another user";
    if (!about.st_size || !magic)
        return NULL;
    if (pread(file, &word, sizeof(word), 0) == sizeof(word) && word == magic)
        return NULL;
    if (blank_bytes && (uint64_t)about.st_size >= blank_bytes && is_blank(file))
        return NULL;
    return "an existing file with other contents, which Novem does not overwrite";
}

static enum status refuse(const char *path, const char *why)
{
    log_error("present", "%s: cannot be shared: %s", path, why);
    return ST_IO;
}

static const char *reason_of(int error)
{
    return error == ELOOP ? "a symbolic link" : strerror(error);
}

/* Removes the existing file, if it may be replaced. */
static enum status clear_way(const char *path, uint32_t magic)
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const char *why;

    if (file < 0)
        return errno == ENOENT ? ST_OK : refuse(path, reason_of(errno));
    why = refusal(file, magic, 0);
    close(file);
    if (!why && unlink(path))
        why = strerror(errno);
    return why ? refuse(path, why) : ST_OK;
}

/* --- Mapping ---------------------------------------------------------------------------------- */

enum status mapped_create(struct mapped *out, const char *path, size_t size, uint32_t magic)
{
    enum status st = clear_way(path, magic);
    int file, error;

    if (st != ST_OK)
        return st;
    file = output_file_above(
        open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file < 0)
        return refuse(path, strerror(errno));
    st = allocate_blocks(file, size);
    if (st == ST_OK)
        st = map(out, file, size);
    if (st == ST_OK)
        return ST_OK;
    error = errno;
    unlink(path);
    close(file);
    log_error("present", "%s: %zu bytes cannot be shared: %s", path, size, strerror(error));
    return st;
}

enum status mapped_open(struct mapped *out, const char *path, uint64_t file_bytes, size_t size,
                        uint32_t magic)
{
    int file = output_file_above(
        open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
             S_IRUSR | S_IWUSR));
    const char *why;
    struct stat about;
    enum status st;

    if (file < 0)
        return refuse(path, reason_of(errno));
    why = refusal(file, magic, file_bytes);
    if (why) {
        close(file);
        return refuse(path, why);
    }
    st = fstat(file, &about) ? ST_IO : ST_OK;
    if (st == ST_OK && (uint64_t)about.st_size < file_bytes && ftruncate(file, (off_t)file_bytes))
        st = ST_IO;
    if (st == ST_OK)
        st = allocate_blocks(file, size);
    if (st == ST_OK)
        st = map(out, file, size);
    if (st == ST_OK)
        return ST_OK;
    log_error("present", "%s: cannot be shared: %s", path, strerror(errno));
    close(file);
    return st;
}

bool mapped_is_whole(const struct mapped *mapped, const char *path)
{
    struct stat about;

    if (!fstat(mapped->descriptor, &about) && (uint64_t)about.st_size >= mapped->size)
        return true;
    log_error("present", "%s: another program has truncated the file", path);
    return false;
}

void mapped_close(struct mapped *mapped)
{
    if (mapped->bytes) {
        munmap(mapped->bytes, mapped->size);
        close(mapped->descriptor);
    }
    *mapped = (struct mapped){0};
}

void mapped_remove(const struct mapped *mapped, const char *path)
{
    struct stat about;

    if (!lstat(path, &about) && mapped->file == (uint64_t)about.st_ino &&
        mapped->volume == (uint64_t)about.st_dev)
        unlink(path);
}

#endif
