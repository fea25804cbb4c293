/* Memory-mapped files for Windows programs. Under Wine drive Z: is the host's file system, and the
 * memory is shared with the host.
 *
 * Tested by tests/windows/viewer.sh. */
#ifdef _WIN32

#include "present/shared/mapped.h"

#include "util/log.h"
#include "util/path.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

/* The folder for temporary files, with a backslash at its end. */
static void find_temporary(char *out, size_t size)
{
    wchar_t wide[PATH_WIDE];
    DWORD n = GetTempPathW(PATH_WIDE, wide);

    if (!n || n >= PATH_WIDE || !path_narrow(out, size, wide))
        snprintf(out, size, ".\\");
}

/* Opens a file that others may use meanwhile. */
static HANDLE open_shared(const char *path, DWORD access, DWORD how)
{
    wchar_t wide[PATH_WIDE];

    if (!path_wide(wide, path)) {
        SetLastError(ERROR_FILENAME_EXCED_RANGE);
        return INVALID_HANDLE_VALUE;
    }
    return CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       how, FILE_ATTRIBUTE_NORMAL, NULL);
}

bool mapped_path(char path[MAPPED_PATH_BYTES], const char *name)
{
    char place[MAPPED_PATH_BYTES - 64];
    int n;

    if (name[0] == '/') {
        n = snprintf(path, MAPPED_PATH_BYTES, "Z:%s", name);
    } else if (strpbrk(name, "/\\")) {
        n = snprintf(path, MAPPED_PATH_BYTES, "%s", name);
    } else {
        if (path_is_folder("Z:\\dev\\shm"))
            strcpy(place, "Z:\\dev\\shm\\");
        else if (path_is_folder("Z:\\tmp"))
            strcpy(place, "Z:\\tmp\\");
        else
            find_temporary(place, sizeof(place));
        n = snprintf(path, MAPPED_PATH_BYTES, "%snovem-%s", place, name);
    }
    return n < MAPPED_PATH_BYTES;
}

/* Writes zeros at the end of the file: if the disk is full this fails, while a write to a mapping
 * could not report it. */
static bool lengthen(HANDLE file, uint64_t size)
{
    static const uint8_t zeros[1 << 16];
    LARGE_INTEGER have, end = {.QuadPart = 0};

    if (!GetFileSizeEx(file, &have) || !SetFilePointerEx(file, end, NULL, FILE_END))
        return false;
    for (uint64_t at = (uint64_t)have.QuadPart; at < size;) {
        DWORD n = size - at < sizeof(zeros) ? (DWORD)(size - at) : sizeof(zeros), wrote;

        if (!WriteFile(file, zeros, n, &wrote, NULL) || !wrote)
            return false;
        at += wrote;
    }
    return true;
}

static bool set_end(HANDLE file, uint64_t size)
{
    LARGE_INTEGER have, end = {.QuadPart = (LONGLONG)size};

    return GetFileSizeEx(file, &have) &&
           ((uint64_t)have.QuadPart >= size ||
            (SetFilePointerEx(file, end, NULL, FILE_BEGIN) && SetEndOfFile(file)));
}

static enum status map(struct mapped *out, HANDLE file, size_t size)
{
    HANDLE mapping = CreateFileMappingA(file, NULL, PAGE_READWRITE, 0, 0, NULL);

    if (!mapping)
        return ST_IO;
    out->bytes = MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, size);
    out->size = size;
    CloseHandle(mapping); /* the view keeps it open */
    return out->bytes ? ST_OK : ST_NOMEM;
}

static enum status share(struct mapped *out, const char *path, DWORD how, uint64_t backed,
                         uint64_t file_bytes, size_t size)
{
    HANDLE file = open_shared(path, GENERIC_READ | GENERIC_WRITE, how);
    enum status st = ST_IO;

    *out = (struct mapped){0};
    if (file != INVALID_HANDLE_VALUE && lengthen(file, backed) && set_end(file, file_bytes))
        st = map(out, file, size);
    if (st != ST_OK)
        log_error("present", "%s: cannot be shared (Windows error %lu)", path, GetLastError());
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return st;
}

static bool is_blank(const uint8_t *start, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (start[i])
            return false;
    return true;
}

/* Returns whether the file does not exist or is one of Novem's; else logs. */
static bool may_write(const char *path, uint32_t magic, uint64_t blank_bytes)
{
    HANDLE file = open_shared(path, GENERIC_READ, OPEN_EXISTING);
    LARGE_INTEGER size = {.QuadPart = 0};
    uint8_t start[4096];
    DWORD n = 0;
    bool may;

    if (file == INVALID_HANDLE_VALUE)
        return true; /* creating or opening it tells more */
    may = GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &size);
    if (may && size.QuadPart && magic)
        may = ReadFile(file, start, sizeof(start), &n, NULL) && n >= sizeof(magic) &&
              (!memcmp(start, &magic, sizeof(magic)) ||
               (blank_bytes && (uint64_t)size.QuadPart >= blank_bytes && is_blank(start, n)));
    CloseHandle(file);
    if (!may)
        log_error("present",
                  "%s: cannot be shared: an existing file with other contents, which Novem does "
                  "not overwrite",
                  path);
    return may;
}

enum status mapped_create(struct mapped *out, const char *path, size_t size, uint32_t magic)
{
    if (!may_write(path, magic, 0))
        return ST_IO;
    path_remove(path);
    return share(out, path, CREATE_NEW, size, size, size);
}

enum status mapped_open(struct mapped *out, const char *path, uint64_t file_bytes, size_t size,
                        uint32_t magic)
{
    if (!may_write(path, magic, file_bytes))
        return ST_IO;
    return share(out, path, OPEN_ALWAYS, size, file_bytes, size);
}

/* Windows refuses to truncate a mapped file. */
bool mapped_is_whole(const struct mapped *mapped, const char *path)
{
    (void)mapped;
    (void)path;
    return true;
}

void mapped_close(struct mapped *mapped)
{
    if (mapped->bytes)
        UnmapViewOfFile(mapped->bytes);
    *mapped = (struct mapped){0};
}

/* Windows cannot remove a mapped file; the caller closes it first. */
void mapped_remove(const struct mapped *mapped, const char *path)
{
    (void)mapped;
    path_remove(path);
}

#endif
