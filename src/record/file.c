/* File of a capture, and the names of captures of several processes.
 *
 * Tested by tests/unit/trace/test_record.c and tests/windows/test_relocated.c. */
#include "record/file.h"

#include "util/output_file.h"

#include <errno.h>
#include <unistd.h>

enum status record_file_open(FILE **out, const char *path)
{
    int file = output_file_take(path);

    if (file < 0)
        return errno == EBUSY ? ST_BUSY : ST_IO;
    *out = output_file_wait(file) ? fdopen(file, "wb") : NULL;
    if (!*out)
        close(file);
    return *out ? ST_OK : ST_NOMEM;
}

enum status record_file_name(char *out, size_t size, const char *path, unsigned n)
{
    size_t stem = output_file_stem(path);
    char number[32] = "", again[16] = "";
    int length;

    if (n > 0)
        snprintf(number, sizeof(number), "-%lu", (unsigned long)getpid());
    if (n > 1)
        snprintf(again, sizeof(again), "-%u", n);
    length = snprintf(out, size, "%.*s%s%s%s", (int)stem, path, number, again, path + stem);
    return length >= 0 && (size_t)length < size ? ST_OK : ST_INVALID;
}
