/* Names in UTF-8: POSIX takes them as they are, Windows gets UTF-16. */
#include "util/path.h"

#include "util/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name_in(const char *path)
{
    const char *name = path;

    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\')
            name = c + 1;
    return name;
}

#ifdef _WIN32

#include "util/alloc.h"

#include <windows.h>

#include <io.h>
#include <shellapi.h>

/* --- UTF-16 ----------------------------------------------------------------------------------- */

/* A folder's name leaves room for a file name of 12 characters. */
enum { SHORT_PATH = MAX_PATH - 12 };

/* Returns the length with its zero; 0: it does not fit. */
static int widen(wchar_t *out, int size, const char *text)
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, size);

    if (!n && GetLastError() == ERROR_NO_UNICODE_TRANSLATION)
        n = MultiByteToWideChar(CP_ACP, 0, text, -1, out, size);
    return n;
}

void path_widen(wchar_t *out, size_t size, const char *text)
{
    char part[PATH_WIDE];

    if (widen(out, (int)size, text))
        return;
    snprintf(part, sizeof(part) < size ? sizeof(part) : size, "%s", text);
    if (!MultiByteToWideChar(CP_ACP, 0, part, -1, out,
                             (int)size)) /* its end may be half a letter */
        out[0] = L'\0';
}

bool path_narrow(char *out, size_t size, const wchar_t *text)
{
    if (WideCharToMultiByte(CP_UTF8, 0, text, -1, out, (int)size, NULL, NULL))
        return true;
    out[0] = '\0';
    return false;
}

/* Makes a path absolute, and adds the prefix. */
static bool lengthen(wchar_t path[PATH_WIDE])
{
    static const wchar_t prefix[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
    wchar_t whole[PATH_WIDE];
    DWORD n = GetFullPathNameW(path, PATH_WIDE, whole, NULL);
    bool is_share = whole[0] == L'\\' && whole[1] == L'\\';
    const wchar_t *start = is_share ? share : prefix, *rest = is_share ? whole + 2 : whole;

    if (!n || n + wcslen(share) >= PATH_WIDE)
        return false;
    memcpy(path, start, wcslen(start) * sizeof(*path));
    memcpy(path + wcslen(start), rest, (wcslen(rest) + 1) * sizeof(*path));
    return true;
}

bool path_wide(wchar_t out[PATH_WIDE], const char *path)
{
    int n = widen(out, PATH_WIDE, path);

    if (n && (n < SHORT_PATH || !wcsncmp(out, L"\\\\?\\", 4) || !wcsncmp(out, L"\\\\.\\", 4)))
        return true;
    if (n && lengthen(out))
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* --- Files ------------------------------------------------------------------------------------ */

static bool fail(void)
{
    DWORD error = GetLastError();

    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ENOENT
            : error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS  ? EEXIST
            : error == ERROR_SHARING_VIOLATION                             ? EBUSY
            : error == ERROR_ACCESS_DENIED                                 ? EACCES
                                                                           : EIO;
    return false;
}

FILE *path_open(const char *path, const char *mode)
{
    wchar_t wide[PATH_WIDE], how[16];

    path_widen(how, sizeof(how) / sizeof(how[0]), mode);
    return path_wide(wide, path) ? _wfopen(wide, how) : NULL;
}

bool path_make_folder(const char *path)
{
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path) && (CreateDirectoryW(wide, NULL) || fail());
}

bool path_rename(const char *from, const char *to)
{
    wchar_t old[PATH_WIDE], new[PATH_WIDE];

    return path_wide(old, from) && path_wide(new, to) &&
           (MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) || fail());
}

bool path_remove(const char *path)
{
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path) && (DeleteFileW(wide) || fail());
}

bool path_make_temporary(char *path)
{
    size_t n = strlen(path);

    if (n < 6 || strcmp(path + n - 6, "XXXXXX")) {
        errno = EINVAL;
        return false;
    }
    for (unsigned i = 0, seed = GetTickCount() ^ GetCurrentProcessId(); i < 1000; i++) {
        snprintf(path + n - 6, 7, "%06x", (seed + i) & 0xffffff);
        if (path_make_folder(path))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool path_remove_folder(const char *path)
{
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path) && (RemoveDirectoryW(wide) || fail());
}

static DWORD kind_of(const char *path)
{
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
}

bool path_is_folder(const char *path)
{
    DWORD kind = kind_of(path);

    return kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY);
}

bool path_exists(const char *path)
{
    return kind_of(path) != INVALID_FILE_ATTRIBUTES || fail();
}

bool path_link(const char *path, const char *other)
{
    wchar_t old[PATH_WIDE], new[PATH_WIDE];

    return path_wide(old, path) && path_wide(new, other) &&
           (CreateHardLinkW(new, old, NULL) || fail());
}

static HANDLE open_to_ask(const char *path, DWORD access)
{
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path)
               ? CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                             NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
               : INVALID_HANDLE_VALUE;
}

bool path_can_read(const char *path)
{
    HANDLE file = open_to_ask(path, GENERIC_READ);

    if (file == INVALID_HANDLE_VALUE)
        return fail();
    CloseHandle(file);
    return true;
}

static bool ask(const char *path, BY_HANDLE_FILE_INFORMATION *out)
{
    HANDLE file = open_to_ask(path, 0);
    bool good = file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, out);

    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return good;
}

bool path_is_same(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION x, y;

    return ask(a, &x) && ask(b, &y) && x.dwVolumeSerialNumber == y.dwVolumeSerialNumber &&
           x.nFileIndexHigh == y.nFileIndexHigh && x.nFileIndexLow == y.nFileIndexLow;
}

enum path_kind path_stream_kind(FILE *file)
{
    DWORD type = GetFileType((HANDLE)_get_osfhandle(_fileno(file)));

    return type == FILE_TYPE_DISK ? PATH_FILE : type == FILE_TYPE_PIPE ? PATH_PIPE : PATH_OTHER;
}

bool path_has_contents(const char *path)
{
    WIN32_FILE_ATTRIBUTE_DATA about;
    wchar_t wide[PATH_WIDE];

    return path_wide(wide, path) && GetFileAttributesExW(wide, GetFileExInfoStandard, &about) &&
           (about.nFileSizeLow || about.nFileSizeHigh);
}

bool path_is_special(const char *path)
{
    (void)path;
    return false;
}

/* --- Process ---------------------------------------------------------------------------------- */

const char *path_of_program(char *out, size_t size)
{
    wchar_t wide[PATH_WIDE];
    DWORD n = GetModuleFileNameW(NULL, wide, PATH_WIDE);

    out[0] = '\0';
    if (n && n < PATH_WIDE)
        path_narrow(out, size, wide);
    return name_in(out);
}

const char *path_variable(const char *name, char *out, size_t size)
{
    wchar_t wide_name[PATH_TEXT_BYTES], wide[PATH_WIDE];
    DWORD n;

    path_widen(wide_name, PATH_TEXT_BYTES, name);
    SetLastError(ERROR_SUCCESS);
    n = GetEnvironmentVariableW(wide_name, wide, PATH_WIDE);
    if (!n && GetLastError() == ERROR_ENVVAR_NOT_FOUND)
        return NULL;
    if (n >= PATH_WIDE || !path_narrow(out, size, n ? wide : L"")) {
        memset(out, '?', size - 1); /* too long: no setting accepts it */
        out[size - 1] = '\0';
    }
    return out;
}

bool path_set_variable(const char *name, const char *value)
{
    wchar_t wide[PATH_WIDE];
    size_t n = strlen(name) + strlen(value ? value : "") + 2;
    char *text = mem_alloc(n);
    bool good = text && n <= PATH_WIDE;

    if (good) {
        snprintf(text, n, "%s=%s", name, value ? value : "");
        path_widen(wide, PATH_WIDE, text);
        good = !_wputenv(wide);
    }
    mem_free(text);
    return good;
}

static char *narrow(const wchar_t *text)
{
    size_t n = 3 * wcslen(text) + 1;
    char *out = mem_alloc(n);

    if (out)
        path_narrow(out, n, text);
    return out;
}

char **path_arguments(int *argc, char **argv)
{
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **out = wide && n ? mem_calloc((size_t)n + 1, sizeof(*out)) : NULL;
    bool good = out;

    for (int i = 0; out && i < n; i++) {
        out[i] = narrow(wide[i]);
        good = good && out[i];
    }
    LocalFree(wide);
    if (!good)
        return argv; /* out of memory */
    *argc = n;
    return out;
}

#else

FILE *path_open(const char *path, const char *mode)
{
    return fopen(path, mode);
}

bool path_make_folder(const char *path)
{
    return !mkdir(path, 0777);
}

bool path_rename(const char *from, const char *to)
{
    return !rename(from, to);
}

bool path_remove(const char *path)
{
    return !unlink(path);
}

bool path_make_temporary(char *path)
{
    return mkdtemp(path);
}

bool path_remove_folder(const char *path)
{
    return !rmdir(path);
}

bool path_is_folder(const char *path)
{
    struct stat about;

    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

bool path_exists(const char *path)
{
    return !access(path, F_OK);
}

bool path_link(const char *path, const char *other)
{
    return !link(path, other);
}

bool path_can_read(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (file >= 0)
        close(file);
    return file >= 0;
}

bool path_is_same(const char *a, const char *b)
{
    struct stat x, y;

    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

enum path_kind path_stream_kind(FILE *file)
{
    struct stat s;

    if (fstat(fileno(file), &s))
        return PATH_OTHER;
    return S_ISREG(s.st_mode)                           ? PATH_FILE
           : S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode) ? PATH_PIPE
                                                        : PATH_OTHER;
}

bool path_has_contents(const char *path)
{
    struct stat about;

    return !stat(path, &about) && about.st_size > 0;
}

bool path_is_special(const char *path)
{
    struct stat about;

    return !stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

const char *path_of_program(char *out, size_t size)
{
    if (!system_program_path(out, size))
        out[0] = '\0';
    return name_in(out);
}

const char *path_variable(const char *name, char *out, size_t size)
{
    (void)out;
    (void)size;
    return getenv(name);
}

bool path_set_variable(const char *name, const char *value)
{
    return value ? !setenv(name, value, 1) : !unsetenv(name);
}

char **path_arguments(int *argc, char **argv)
{
    (void)argc;
    return argv;
}

#endif
