/* Shared resources: images in named shared memory, behind a header page that describes them. */
#include "api/memory/memory.h"
#include "cmd/cmd.h"
#include "util/alloc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifndef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { PAGE = 4096, READABLE_PAST_END = 64, NAME_BYTES = 40, TRIES = 4096 };
static const uint32_t MAGIC = 0x65766f6e; /* "nove" */

/* Field sizes and offsets are equal in all processes. */
struct head {
    uint32_t magic; /* written last */
    uint32_t format, shape, width, height, depth, levels, samples, unlocked;
    atomic_uint users; /* native builds only; Windows counts references itself */
};

struct shared {
    struct tex_memory memory;
    struct head *head;
    size_t bytes; /* size of header and image */
    char name[NAME_BYTES];
#ifdef _WIN32
    HANDLE mapping;
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

static enum status map(struct shared *shared, int file)
{
    void *address = mmap(NULL, shared->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    close(file);
    if (address == MAP_FAILED)
        return ST_NOMEM;
    shared->head = address;
    atomic_fetch_add(&shared->head->users, 1);
    return ST_OK;
}

/* ST_BUSY: the name is in use. */
static enum status create_memory(struct shared *shared)
{
    int file = shm_open(shared->name, O_RDWR | O_CREAT | O_EXCL, 0600);

    if (file < 0)
        return errno == EEXIST ? ST_BUSY : ST_NOMEM;
    if (posix_fallocate(file, 0, (off_t)shared->bytes)) { /* a later write must not fail */
        close(file);
        shm_unlink(shared->name);
        return ST_NOMEM;
    }
    return map(shared, file);
}

static enum status open_memory(struct shared *shared)
{
    int file = shm_open(shared->name, O_RDWR, 0);

    if (file < 0)
        return ST_NOTFOUND;
    if (lseek(file, 0, SEEK_END) != (off_t)shared->bytes) {
        close(file);
        return ST_INVALID;
    }
    return map(shared, file);
}

static void close_memory(struct shared *shared)
{
    if (!shared->head)
        return;
    if (atomic_fetch_sub(&shared->head->users, 1) == 1)
        shm_unlink(shared->name);
    munmap(shared->head, shared->bytes);
    shared->head = NULL;
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
