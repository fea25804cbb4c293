/* Functions and variables that glibc has only since 2.32 or 2.33, for programs that run with an
 * older one (glibc_stubs.sh).
 *
 * Tested by tests/install/glibc.sh. */
#include <sys/stat.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Until 2.32 the functions of <sys/stat.h> were static ones that called these. */
#ifdef __x86_64__
enum { STAT_VERSION = 1 };
#else
enum { STAT_VERSION = 0 }; /* the kernel's structure, the only one since AArch64 began */
#endif
int __xstat(int version, const char *path, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);
int __fxstat(int version, int file, struct stat *out);

HIDDEN int stat(const char *path, struct stat *out)
{
    return __xstat(STAT_VERSION, path, out);
}

HIDDEN int lstat(const char *path, struct stat *out)
{
    return __lxstat(STAT_VERSION, path, out);
}

HIDDEN int fstat(int file, struct stat *out)
{
    return __fxstat(STAT_VERSION, file, out);
}

/* The C++ library uses plain operations instead of atomic ones while this is true. */
HIDDEN extern char __libc_single_threaded;
char __libc_single_threaded;
