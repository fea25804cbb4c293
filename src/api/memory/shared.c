/* Shared resources: images in named shared memory, behind a header page that describes them. */
#include "api/memory/memory.h"
#include "cmd/cmd.h"
#include "util/alloc.h"
#include "util/forks.h"
#include "util/system.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifndef _WIN32
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { PAGE = 4096, READABLE_PAST_END = 64, NAME_BYTES = 40, TRIES = 4096 };
static const uint32_t MAGIC = 0x32766f6e; /* "nov2" */

/* Field sizes and offsets are equal in all processes. */
struct head {
    uint32_t magic; /* written last */
    uint32_t format, shape, width, height, depth, levels, samples, unlocked;
};

struct shared {
    struct tex_memory memory;
    struct head *head;
    size_t bytes; /* size of header and image */
    char name[NAME_BYTES];
#ifdef _WIN32
    HANDLE mapping;
#else
    int file;       /* locked while the memory is in use; -1: none */
    unsigned forks; /* fork_count() when it was locked: a forked child has its parent's lock */
#endif
};

static void set_name(struct shared *shared, uint32_t number)
{
#ifdef _WIN32
    snprintf(shared->name, NAME_BYTES, "Local\\novem-shared-%08x", number);
#else
    snprintf(shared->name, NAME_BYTES, "/novem-shared-%08x", number);
#endif
}

/* --- Shared memory of the system -------------------------------------------------------------- */

#ifdef _WIN32

static enum status map(struct shared *shared)
{
    shared->head = MapViewOfFile(shared->mapping, FILE_MAP_WRITE, 0, 0, shared->bytes);
    return shared->head ? ST_OK : ST_NOMEM;
}

/* ST_BUSY: the name is in use. */
static enum status create_memory(struct shared *shared)
{
    uint64_t bytes = shared->bytes;

    shared->mapping = CreateFileMappingA(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE,
                                         (DWORD)(bytes >> 32), (DWORD)bytes, shared->name);
    if (!shared->mapping)
        return ST_NOMEM;
    return GetLastError() == ERROR_ALREADY_EXISTS ? ST_BUSY : map(shared);
}

static enum status open_memory(struct shared *shared)
{
    MEMORY_BASIC_INFORMATION info;

    shared->mapping = OpenFileMappingA(FILE_MAP_WRITE, FALSE, shared->name);
    if (!shared->mapping)
        return ST_NOTFOUND;
    if (map(shared)) /* fails if the existing mapping is smaller */
        return GetLastError() == ERROR_NOT_ENOUGH_MEMORY ? ST_NOMEM : ST_INVALID;
    if (!VirtualQuery(shared->head, &info, sizeof(info)) || info.RegionSize < shared->bytes)
        return ST_INVALID;
    return ST_OK;
}

static void close_memory(struct shared *shared)
{
    if (shared->head)
        UnmapViewOfFile(shared->head);
    if (shared->mapping)
        CloseHandle(shared->mapping);
    shared->head = NULL;
    shared->mapping = NULL;
}

#else

/* Every user of a name holds a shared lock of its file. The system drops the lock when the process
 * ends, however it ends. So a name belongs to nobody if its file can be locked alone: the last user
 * removes it, and the first creation in a process removes those of processes that have crashed. */

static bool has_name(int file)
{
    struct stat info;

    return !fstat(file, &info) && info.st_nlink;
}

/* Makes this process a user. False: the name was removed at the same time. */
static bool lock_memory(struct shared *shared, int file)
{
    if (flock(file, LOCK_SH | LOCK_NB) || !has_name(file)) {
        close(file);
        return false;
    }
    shared->file = file;
    shared->forks = fork_count();
    return true;
}

/* Removes a name without users. It may be removed and made again between two calls: the lock
 * belongs to the file, so the name is looked up again under the lock. */
static void remove_if_unused(const char *name)
{
    int file = system_shared_open(name, O_RDWR), again = -1;
    struct stat info, now;
    uint32_t magic = 0;

    if (file >= 0 && !fstat(file, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        !flock(file, LOCK_EX | LOCK_NB) && (again = system_shared_open(name, O_RDWR)) >= 0 &&
        !fstat(again, &now) && now.st_ino == info.st_ino && now.st_dev == info.st_dev &&
        pread(file, &magic, sizeof(magic), 0) >= 0 && (!magic || magic == MAGIC))
        system_shared_remove(name);
    if (again >= 0)
        close(again);
    if (file >= 0)
        close(file);
}

static void remove_unused(void)
{
    DIR *folder = system_shared_list();
    const struct dirent *entry;
    char name[NAME_BYTES];
    unsigned number;
    int end = 0;

    while (folder && (entry = readdir(folder)))
        if (sscanf(entry->d_name, "novem-shared-%8x%n", &number, &end) == 1 &&
            !entry->d_name[end]) {
            snprintf(name, sizeof(name), "/novem-shared-%08x", number);
            remove_if_unused(name);
        }
    if (folder)
        closedir(folder);
}

static enum status map(struct shared *shared)
{
    void *address = mmap(NULL, shared->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared->file, 0);

    if (address == MAP_FAILED)
        return ST_NOMEM;
    shared->head = address;
    return ST_OK;
}

/* ST_BUSY: the name is in use. */
static enum status create_memory(struct shared *shared)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int file;

    pthread_once(&once, remove_unused);
    file = system_shared_open(shared->name, O_RDWR | O_CREAT | O_EXCL);
    if (file < 0 && errno != EEXIST)
        return ST_NOMEM;
    if (file < 0) {
        remove_if_unused(shared->name);
        return ST_BUSY;
    }
    if (!lock_memory(shared, file))
        return ST_BUSY;
    if (system_reserve_file(file, shared->bytes)) /* a later write must not fail */
        return ST_NOMEM;
    return map(shared);
}

static enum status open_memory(struct shared *shared)
{
    int file = system_shared_open(shared->name, O_RDWR);

    if (file < 0 || !lock_memory(shared, file))
        return ST_NOTFOUND;
    if (lseek(file, 0, SEEK_END) != (off_t)shared->bytes)
        return ST_INVALID;
    return map(shared);
}

/* The lock alone succeeds for the last user, which removes the name. In a forked child it would
 * succeed for the lock of its parent. */
static void close_memory(struct shared *shared)
{
    if (shared->head)
        munmap(shared->head, shared->bytes);
    if (shared->file >= 0) {
        if (shared->forks == fork_count() && !flock(shared->file, LOCK_EX | LOCK_NB) &&
            has_name(shared->file))
            system_shared_remove(shared->name);
        close(shared->file);
    }
    shared->head = NULL;
    shared->file = -1;
}

#endif

/* --- Handles ---------------------------------------------------------------------------------- */

static void describe(struct head *head, const struct tex_desc *desc)
{
    head->format = (uint32_t)desc->format;
    head->shape = (uint32_t)desc->shape;
    head->width = desc->width;
    head->height = desc->height;
    head->depth = desc->depth;
    head->levels = desc->levels;
    head->samples = desc->samples;
    head->unlocked = desc->unlocked;
    atomic_thread_fence(memory_order_release);
    head->magic = MAGIC;
}

static bool is_described(const struct head *head, const struct tex_desc *desc)
{
    return head->magic == MAGIC && head->format == (uint32_t)desc->format &&
           head->shape == (uint32_t)desc->shape && head->width == desc->width &&
           head->height == desc->height && head->depth == desc->depth &&
           head->levels == desc->levels && head->samples == desc->samples &&
           head->unlocked == desc->unlocked;
}

/* Creates the memory under the first unused handle. */
static enum status create_shared(struct shared *shared, const struct tex_desc *desc, HANDLE *handle)
{
    static atomic_uint next;
    enum status st = ST_BUSY;

    for (unsigned i = 0; st == ST_BUSY && i < TRIES; i++) {
        uint32_t number = 0x40000000u | (atomic_fetch_add(&next, 1) << 6 & 0x0fffffc0u) | 2;

        close_memory(shared);
        set_name(shared, number);
        st = create_memory(shared);
        if (st == ST_OK) {
            describe(shared->head, desc);
            *handle = (HANDLE)(uintptr_t)number;
        }
    }
    return st == ST_BUSY ? ST_NOMEM : st;
}

static enum status open_shared(struct shared *shared, const struct tex_desc *desc, HANDLE handle)
{
    enum status st;

    set_name(shared, (uint32_t)(uintptr_t)handle);
    st = open_memory(shared);
    return st == ST_OK && !is_described(shared->head, desc) ? ST_INVALID : st;
}

static void release(struct tex_memory *memory)
{
    struct shared *shared = (struct shared *)memory;

    close_memory(shared);
    mem_free(shared);
}

HRESULT api_shared_image(struct cmd_stream *stream, const struct tex_desc *desc, HANDLE *handle,
                         cmd_handle *out)
{
    size_t bytes = tex_image_bytes(desc);
    struct shared *shared = bytes ? mem_calloc(1, sizeof(*shared)) : NULL;
    HANDLE made = NULL;
    enum status st;

    if (!shared)
        return E_OUTOFMEMORY;
#ifndef _WIN32
    shared->file = -1;
#endif
    shared->bytes = PAGE + bytes + READABLE_PAST_END;
    shared->memory.release = release;
    st = *handle ? open_shared(shared, desc, *handle) : create_shared(shared, desc, &made);
    if (st == ST_OK) {
        shared->memory.bytes = (uint8_t *)shared->head + PAGE;
        st = cmd_create_image(stream, desc, &shared->memory, out);
    }
    if (st != ST_OK) {
        release(&shared->memory);
        return st == ST_NOMEM ? E_OUTOFMEMORY : D3DERR_INVALIDCALL;
    }
    if (made)
        *handle = made;
    return D3D_OK;
}
