/* Reads and writes records. A line is `name = value`; a line `before` belongs to the prefix above
 * it.
 *
 * Tested by tests/tool/setup_wine.sh. */
#include "tool/setup/record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char first_line[] =
    "# Written by `novem setup-wine`, for `novem setup-wine PROGRAM --undo`.";
static const char suffix[] = ".novem-setup.txt";

bool record_path(const char *folder, const char *program, char out[RECORD_PATH_BYTES])
{
    return snprintf(out, RECORD_PATH_BYTES, "%s/%s%s", folder, program, suffix) < RECORD_PATH_BYTES;
}

/* False: no line of a record. A file name has no folder, so that a record that somebody else has
 * made cannot name files elsewhere. */
static bool read_line(struct record *out, const char *line)
{
    unsigned last = out->override_count - 1;

    if (!strncmp(line, "dll = ", 6))
        return !strchr(line + 6, '/') &&
               snprintf(out->dll, sizeof(out->dll), "%s", line + 6) < (int)sizeof(out->dll);
    if (!strncmp(line, "backup = ", 9))
        return !strchr(line + 9, '/') && snprintf(out->backup, sizeof(out->backup), "%s",
                                                  line + 9) < (int)sizeof(out->backup);
    if (!strncmp(line, "prefix = ", 9) && out->override_count < RECORD_PREFIXES)
        return snprintf(out->overrides[out->override_count++].prefix, WINE_PATH_BYTES, "%s",
                        line + 9) < WINE_PATH_BYTES;
    if (strncmp(line, "before = ", 9) || !out->override_count)
        return false;
    out->overrides[last].had_value = true;
    return snprintf(out->overrides[last].before, WINE_VALUE_BYTES, "%s", line + 9) <
           WINE_VALUE_BYTES;
}

enum status record_read(struct record *out, const char *path)
{
    char line[RECORD_PATH_BYTES];
    enum status st = ST_OK;
    FILE *file = fopen(path, "r");

    memset(out, 0, sizeof(*out));
    if (!file)
        return errno == ENOENT ? ST_NOTFOUND : ST_IO;
    if (!fgets(line, sizeof(line), file) || strncmp(line, first_line, strlen(first_line)))
        st = ST_DAMAGED;
    while (st == ST_OK && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line && *line != '#' && !read_line(out, line))
            st = ST_DAMAGED;
    }
    fclose(file);
    return st;
}

enum status record_write(const struct record *record, const char *path)
{
    FILE *file = fopen(path, "w");
    bool good;

    if (!file)
        return ST_IO;
    fprintf(file, "%s\n", first_line);
    if (record->dll[0])
        fprintf(file, "dll = %s\n", record->dll);
    if (record->backup[0])
        fprintf(file, "backup = %s\n", record->backup);
    for (unsigned i = 0; i < record->override_count; i++) {
        fprintf(file, "prefix = %s\n", record->overrides[i].prefix);
        if (record->overrides[i].had_value)
            fprintf(file, "before = %s\n", record->overrides[i].before);
    }
    good = !ferror(file);
    return !fclose(file) && good ? ST_OK : ST_IO;
}

bool record_of_other(const char *folder, const char *program, struct record *out,
                     char name[RECORD_NAME_BYTES])
{
    DIR *dir = opendir(folder);
    char path[RECORD_PATH_BYTES];
    struct dirent *entry;
    bool found = false;

    while (dir && !found && (entry = readdir(dir))) {
        size_t n = strlen(entry->d_name), end = strlen(suffix);

        if (n <= end || strcmp(entry->d_name + n - end, suffix) || n - end >= RECORD_NAME_BYTES)
            continue;
        snprintf(name, RECORD_NAME_BYTES, "%.*s", (int)(n - end), entry->d_name);
        found = strcasecmp(name, program) && record_path(folder, name, path) &&
                record_read(out, path) == ST_OK && out->dll[0];
    }
    if (dir)
        closedir(dir);
    return found;
}
