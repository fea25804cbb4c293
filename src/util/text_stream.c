/* Text streams: memory on POSIX, a temporary file on Windows, whose C library has no such streams.
 *
 * Tested by tests/unit/tool/frame/test_json.c and tests/tool/other_novem.sh. */
#include "util/text_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32

#include "util/path.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

/* The file vanishes when it is closed. */
static FILE *open_temporary(void)
{
    wchar_t folder[MAX_PATH], path[MAX_PATH];
    HANDLE handle;
    int file;

    if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"nov", 0, path))
        return NULL;
    handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                         FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    file = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    if (file < 0)
        CloseHandle(handle);
    return file < 0 ? NULL : _fdopen(file, "w+b");
}

FILE *text_stream_open(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    return open_temporary();
}

static bool read_back(FILE *stream, char **text, size_t *size)
{
    long n = fflush(stream) ? -1 : ftell(stream);

    if (n < 0 || fseek(stream, 0, SEEK_SET) || !(*text = malloc((size_t)n + 1)))
        return false;
    *size = fread(*text, 1, (size_t)n, stream);
    (*text)[*size] = '\0';
    return *size == (size_t)n;
}

char *text_stream_close(FILE *stream, char **text, size_t *size)
{
    bool good = stream && !ferror(stream) && read_back(stream, text, size);

    if (stream)
        fclose(stream);
    if (good)
        return *text;
    free(*text);
    *text = NULL;
    return NULL;
}

#else

FILE *text_stream_open(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    return open_memstream(text, size);
}

char *text_stream_close(FILE *stream, char **text, size_t *size)
{
    bool bad = !stream || ferror(stream);

    (void)size; /* the stream has stored it */
    if (stream && fclose(stream) != 0)
        bad = true;
    if (!bad)
        return *text;
    free(*text);
    *text = NULL;
    return NULL;
}

#endif
