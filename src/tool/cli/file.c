/* Reads and writes whole files.
 *
 * Tested by tests/unit/tool/image/test_image.c. */
#include "tool/cli/cli.h"

#include "util/alloc.h"
#include "util/output_file.h"
#include "util/path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1 << 30 };

/* A device or a folder has no end, or no contents; pipes are bounded. */
static bool is_readable(FILE *file)
{
    return path_stream_kind(file) != PATH_OTHER;
}

static MUST_CHECK enum status read_all(FILE *file, uint8_t **out, size_t *n)
{
    size_t max = 1 << 16, used = 0;
    uint8_t *bytes = mem_alloc(max + 1), *grown;

    while (bytes) {
        used += fread(bytes + used, 1, max - used, file);
        if (used < max) {
            bytes[used] = 0;
            *out = bytes;
            *n = used;
            if (!ferror(file))
                return ST_OK;
            mem_free(bytes);
            return ST_IO;
        }
        if (max > MAX_BYTES / 2)
            break;
        max *= 2;
        grown = mem_realloc(bytes, max + 1);
        if (!grown)
            mem_free(bytes);
        bytes = grown;
    }
    mem_free(bytes);
    return ST_NOMEM;
}

enum status tool_file_read(const char *path, uint8_t **out, size_t *n)
{
    bool is_stdin = !strcmp(path, "-");
    FILE *file = is_stdin ? stdin : path_open(path, "rb");
    enum status st;

    *out = NULL;
    *n = 0;
    if (!file)
        return ST_IO;
    st = is_stdin || is_readable(file) ? read_all(file, out, n) : ST_IO;
    if (!is_stdin)
        fclose(file);
    return st;
}

const char *tool_file_reason(const char *path, enum status st)
{
    if (st != ST_IO || !strcmp(path, "-"))
        return status_text(st);
    if (path_is_folder(path))
        return strerror(EISDIR);
    if (!path_can_read(path))
        return strerror(errno);
    return path_is_special(path) ? "is not a plain file" : status_text(st);
}

int tool_write_error(const char *command, const char *path)
{
    int error = errno;

    return tool_error(command, "%s cannot be written%s%s", path, error ? ": " : "",
                      error ? strerror(error) : "");
}

bool tool_file_is_same(const char *a, const char *b)
{
    return path_is_same(a, b);
}

bool tool_file_close(FILE *file, const char *path)
{
    bool good = !ferror(file);
    int error = errno; /* of the write that failed */

    if (!fclose(file) && good)
        return true;
    if (!good)
        errno = error;
    if (path)
        output_file_discard(path);
    return false;
}

enum status tool_file_write(const char *path, const void *bytes, size_t n)
{
    bool is_stdout = !strcmp(path, "-");
    FILE *file = is_stdout ? stdout : path_open(path, "wb");
    bool good;

    if (!file)
        return ST_IO;
    good = fwrite(bytes, 1, n, file) == n;
    if (is_stdout)
        return good && !fflush(file) ? ST_OK : ST_IO;
    return tool_file_close(file, path) && good ? ST_OK : ST_IO;
}
