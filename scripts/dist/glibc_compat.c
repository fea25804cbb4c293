/* Functions and variables that glibc has only since 2.32, 2.33 or 2.38, for programs that run with
 * an older one (glibc_stubs.sh).
 *
 * Tested by tests/install/glibc.sh. */
#include <stdarg.h>
#include <stdio.h>
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

/* Since 2.38 the headers replace functions that read numbers by these, which know the prefix 0b of
 * the C standard of 2023. Here they are the older functions; the names of those are given to the
 * assembler, because the headers would replace them, too. */
#define READS_NUMBER(type, name)                                                                   \
    type old_##name(const char *, char **, int) __asm__(#name);                                    \
    HIDDEN type __isoc23_##name(const char *text, char **end, int base)                            \
    {                                                                                              \
        return old_##name(text, end, base);                                                        \
    }
READS_NUMBER(long, strtol)
READS_NUMBER(long long, strtoll)
READS_NUMBER(unsigned long, strtoul)
READS_NUMBER(unsigned long long, strtoull)

int old_vsscanf(const char *, const char *, va_list) __asm__("__isoc99_vsscanf");
int old_vfscanf(FILE *, const char *, va_list) __asm__("__isoc99_vfscanf");

HIDDEN int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list arguments;
    int read;

    va_start(arguments, format);
    read = old_vsscanf(text, format, arguments);
    va_end(arguments);
    return read;
}

HIDDEN int __isoc23_fscanf(FILE *file, const char *format, ...)
{
    va_list arguments;
    int read;

    va_start(arguments, format);
    read = old_vfscanf(file, format, arguments);
    va_end(arguments);
    return read;
}
