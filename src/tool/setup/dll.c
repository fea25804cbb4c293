/* Copies d3d9.dll beside a program and restores what was there.
 *
 * Tested by tests/tool/setup_wine.sh. */
#include "tool/setup/dll.h"

#include "tool/cli/cli.h"
#include "tool/setup/pe.h"
#include "tool/setup/setup.h"
#include "util/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char command[] = "setup-wine", dll_name[] = "d3d9.dll",
                  backup_name[] = "d3d9.dll.before-novem", part_name[] = "d3d9.dll.novem-part";

enum status dll_read(struct dll_file *out, const char *path)
{
    struct pe pe;
    enum status st;

    memset(out, 0, sizeof(*out));
    st = tool_file_read(path, &out->bytes, &out->n);
    if (st != ST_OK)
        return st;
    snprintf(out->path, sizeof(out->path), "%s", path);
    if (pe_open(&pe, out->bytes, out->n))
        return ST_OK;
    out->machine = pe.machine;
    if (pe_is_novem(&pe) &&
        !pe_version_text(&pe, "ProductVersion", out->version, sizeof(out->version)))
        snprintf(out->version, sizeof(out->version), "of an unknown version");
    return ST_OK;
}

void dll_free(struct dll_file *dll)
{
    mem_free(dll->bytes);
    dll->bytes = NULL;
}

bool dll_find(const char *folder, char name[RECORD_NAME_BYTES])
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    bool found = false;

    while (dir && !found && (entry = readdir(dir)))
        if (!strcasecmp(entry->d_name, dll_name)) {
            snprintf(name, RECORD_NAME_BYTES, "%s", entry->d_name);
            found = true;
        }
    if (dir)
        closedir(dir);
    return found;
}

void setup_describe_dll(const char *folder, char *out, size_t size)
{
    char name[RECORD_NAME_BYTES], path[RECORD_PATH_BYTES];
    struct dll_file dll;

    if (!dll_find(folder, name)) {
        snprintf(out, size, "is not there: the system's own is used (novem setup-wine copies it)");
        return;
    }
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (dll_read(&dll, path) != ST_OK) {
        snprintf(out, size, "cannot be read");
        return;
    }
    if (dll.version[0])
        snprintf(out, size, "Novem %s, %d bit", dll.version, dll.machine == PE_X86 ? 32 : 64);
    else
        snprintf(out, size, "is not Novem's: these settings do not apply to it");
    dll_free(&dll);
}

static void join(char out[RECORD_PATH_BYTES], const char *folder, const char *name)
{
    snprintf(out, RECORD_PATH_BYTES, "%s/%s", folder, name);
}

static bool exists(const char *path)
{
    struct stat s;

    return !lstat(path, &s);
}

/* Writes beside the target and renames, so that no half of a dll is ever there. */
static bool write_dll(const struct dll_file *novem, const char *folder, const char *name)
{
    char part[RECORD_PATH_BYTES], path[RECORD_PATH_BYTES];

    join(part, folder, part_name);
    join(path, folder, name);
    if (tool_file_write(part, novem->bytes, novem->n) != ST_OK)
        return tool_write_error(command, path), false;
    if (!rename(part, path))
        return true;
    tool_write_error(command, path);
    unlink(part);
    return false;
}

static bool set_aside(const char *folder, const char *name)
{
    char path[RECORD_PATH_BYTES], backup[RECORD_PATH_BYTES];

    join(path, folder, name);
    join(backup, folder, backup_name);
    if (exists(backup))
        return tool_error(command,
                          "%s is not from this command, and its copy %s exists: move one "
                          "of them away",
                          path, backup_name),
               false;
    if (rename(path, backup))
        return tool_error(command, "%s cannot be renamed: %s", path, strerror(errno)), false;
    return true;
}

static void put_back(const char *folder, const char *name)
{
    char path[RECORD_PATH_BYTES], backup[RECORD_PATH_BYTES];

    join(path, folder, name);
    join(backup, folder, backup_name);
    rename(backup, path);
}

/* There is a dll in the folder that is other than Novem's new one. */
static bool replace(const struct dll_file *novem, const char *folder, const struct dll_file *old,
                    const char *name, struct record *record)
{
    if (record->dll[0] && old->version[0]) {
        if (!write_dll(novem, folder, name))
            return false;
        printf("replaced  %s, Novem %s, by Novem %s\n", old->path, old->version, novem->version);
        return true;
    }
    if (!set_aside(folder, name))
        return false;
    if (!write_dll(novem, folder, name))
        return put_back(folder, name), false;
    printf("renamed   %s, which was there, to %s\n", old->path, backup_name);
    printf("copied    %s (Novem %s) to %s\n", novem->path, novem->version, old->path);
    snprintf(record->dll, sizeof(record->dll), "%s", name);
    snprintf(record->backup, sizeof(record->backup), "%s", backup_name);
    return true;
}

bool dll_put(const struct dll_file *novem, const char *folder, struct record *record)
{
    char name[RECORD_NAME_BYTES], path[RECORD_PATH_BYTES];
    struct dll_file old;
    enum status st;
    bool good;

    if (!dll_find(folder, name)) {
        join(path, folder, dll_name);
        if (!write_dll(novem, folder, dll_name))
            return false;
        printf("copied    %s (Novem %s) to %s\n", novem->path, novem->version, path);
        snprintf(record->dll, sizeof(record->dll), "%s", dll_name);
        return true;
    }
    join(path, folder, name);
    st = dll_read(&old, path);
    if (st != ST_OK)
        return tool_error(command, "%s: %s", path, tool_file_reason(path, st)), false;
    if (old.n == novem->n && !memcmp(old.bytes, novem->bytes, novem->n)) {
        printf("is there  %s (Novem %s)\n", path, novem->version);
        good = true;
    } else {
        good = replace(novem, folder, &old, name, record);
    }
    dll_free(&old);
    return good;
}

static bool restore(const char *folder, const struct record *record)
{
    char path[RECORD_PATH_BYTES], backup[RECORD_PATH_BYTES];

    if (!record->backup[0])
        return true;
    join(path, folder, record->dll);
    join(backup, folder, record->backup);
    if (!exists(backup)) {
        printf("missing   %s: the program's own dll cannot be restored\n", backup);
        return true;
    }
    if (rename(backup, path))
        return tool_error(command, "%s cannot be renamed: %s", backup, strerror(errno)), false;
    printf("restored  %s, the program's own\n", path);
    return true;
}

bool dll_take_back(const char *folder, const struct record *record)
{
    char path[RECORD_PATH_BYTES];
    struct dll_file now;
    enum status st;
    bool is_novem;

    join(path, folder, record->dll);
    if (!exists(path)) {
        printf("missing   %s\n", path);
        return restore(folder, record);
    }
    st = dll_read(&now, path);
    if (st != ST_OK)
        return tool_error(command, "%s: %s", path, tool_file_reason(path, st)), false;
    is_novem = now.version[0];
    dll_free(&now);
    if (!is_novem) {
        printf("left      %s: it is not Novem's any more\n", path);
        return true;
    }
    if (unlink(path))
        return tool_error(command, "%s cannot be removed: %s", path, strerror(errno)), false;
    printf("removed   %s\n", path);
    return restore(folder, record);
}
