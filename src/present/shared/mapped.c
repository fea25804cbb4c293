/* Memory-mapped files with mmap; mapped_windows.c implements them for Windows. */
#ifndef _WIN32

#include "present/shared/mapped.h"

#include "util/log.h"

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

static enum status map(struct mapped *out, int file, size_t size, int protection)
{
    struct stat about;
    void *bytes;

    if (fstat(file, &about))
        return ST_IO;
    bytes = mmap(NULL, size, protection, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return errno == ENOMEM ? ST_NOMEM : ST_IO;
    *out = (struct mapped){bytes, size, (uint64_t)about.st_ino, (uint64_t)about.st_dev};
    return ST_OK;
}

/* Allocates the disk space: writing to a sparse mapping raises SIGBUS when the disk is full. */
static enum status allocate_blocks(int file, uint64_t size)
{
    int error = posix_fallocate(file, 0, (off_t)size);

    errno = error;
    return error ? ST_IO : ST_OK;
}

enum status mapped_create(struct mapped *out, const char *path, size_t size)
{
    enum status st;
    int file;

    unlink(path);
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    st = file < 0 ? ST_IO : allocate_blocks(file, size);
    if (st == ST_OK)
        st = map(out, file, size, PROT_READ | PROT_WRITE);
    if (st != ST_OK) {
        log_error("present", "%s: %zu bytes cannot be shared: %s", path, size, strerror(errno));
        if (file >= 0)
            unlink(path);
    }
    if (file >= 0)
        close(file);
    return st;
}

enum status mapped_open(struct mapped *out, const char *path, uint64_t file_bytes, size_t size)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct stat about;
    enum status st = file >= 0 && !fstat(file, &about) ? ST_OK : ST_IO;

    if (st == ST_OK && (uint64_t)about.st_size < file_bytes && ftruncate(file, (off_t)file_bytes))
        st = ST_IO;
    if (st == ST_OK)
        st = allocate_blocks(file, size);
    if (st == ST_OK)
        st = map(out, file, size, PROT_READ | PROT_WRITE);
    if (st != ST_OK)
        log_error("present", "%s: cannot be shared: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return st;
}

void mapped_close(struct mapped *mapped)
{
    if (mapped->bytes)
        munmap(mapped->bytes, mapped->size);
    *mapped = (struct mapped){NULL, 0, 0, 0};
}

static bool is_same(const struct mapped *mapped, const struct stat *about)
{
    return mapped->file == (uint64_t)about->st_ino && mapped->volume == (uint64_t)about->st_dev;
}

void mapped_remove(const struct mapped *mapped, const char *path)
{
    struct stat about;

    if (!stat(path, &about) && is_same(mapped, &about))
        unlink(path);
}

enum status mapped_read(struct mapped *out, const char *path, const struct mapped *known)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum status st = ST_NOTFOUND;

    if (file < 0)
        return ST_NOTFOUND;
    if (!fstat(file, &about) && about.st_size > 0 && !(known && is_same(known, &about)))
        st = map(out, file, (size_t)about.st_size, PROT_READ);
    close(file);
    return st;
}

#endif
