#ifndef _WIN32
#include "util/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __APPLE__
/* Declared in headers of the system that a build without its SDK need not have. */
char ***_NSGetEnviron(void);
int _NSGetExecutablePath(char *out, uint32_t *size);

char **system_environment(void)
{
    return *_NSGetEnviron();
}

unsigned system_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (unsigned)n : 1;
}

bool system_program_path(char *out, size_t size)
{
    uint32_t n = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;

    return size && !_NSGetExecutablePath(out, &n);
}

int system_reserve_file(int file, uint64_t bytes)
{
    fstore_t room = {
        .fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = (off_t)bytes};
    off_t has = lseek(file, 0, SEEK_END);

    if (has < 0)
        return errno;
    if ((uint64_t)has >= bytes)
        return 0;
    room.fst_length -= has;
    /* Shared memory and some file systems know no such request, and no full disk either. */
    if (fcntl(file, F_PREALLOCATE, &room) && errno == ENOSPC)
        return ENOSPC;
    return ftruncate(file, (off_t)bytes) ? errno : 0;
}

void system_take_signal(int signal)
{
    sigset_t set;
    int taken;

    sigpending(&set);
    if (!sigismember(&set, signal))
        return;
    sigemptyset(&set);
    sigaddset(&set, signal);
    (void)sigwait(&set, &taken);
}

void system_forget_sigpipe(int file)
{
    if (file >= 0)
        (void)fcntl(file, F_SETNOSIGPIPE, 1);
}

/* The user's folder, which no other user can read; false: a path that is too long. */
static bool shared_path(char out[PATH_MAX], const char *name)
{
    char folder[PATH_MAX];
    size_t n = confstr(_CS_DARWIN_USER_TEMP_DIR, folder, sizeof(folder));

    if (!n || n > sizeof(folder))
        snprintf(folder, sizeof(folder), "/tmp");
    return snprintf(out, PATH_MAX, "%s%s", folder, name) < PATH_MAX;
}

int system_shared_open(const char *name, int flags)
{
    char path[PATH_MAX];

    if (shared_path(path, name))
        return open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    errno = ENAMETOOLONG;
    return -1;
}

void system_shared_remove(const char *name)
{
    char path[PATH_MAX];

    if (shared_path(path, name))
        unlink(path);
}

DIR *system_shared_list(void)
{
    char path[PATH_MAX];

    return shared_path(path, "") ? opendir(path) : NULL;
}
#else
char **system_environment(void)
{
    return environ;
}

unsigned system_processors(void)
{
    cpu_set_t set;

    if (!sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    return 1;
}

bool system_program_path(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size);

    if (n <= 0 || (size_t)n >= size)
        return false;
    out[n] = '\0';
    return true;
}

int system_reserve_file(int file, uint64_t bytes)
{
    return posix_fallocate(file, 0, (off_t)bytes);
}

void system_take_signal(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    (void)sigtimedwait(&set, NULL, &(struct timespec){0, 0});
}

void system_forget_sigpipe(int file)
{
    (void)file;
}

int system_shared_open(const char *name, int flags)
{
    return shm_open(name, flags, 0600);
}

void system_shared_remove(const char *name)
{
    shm_unlink(name);
}

DIR *system_shared_list(void)
{
    return opendir("/dev/shm");
}
#endif

#endif
